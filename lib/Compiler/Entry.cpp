//===- Entry.cpp - what all roads do first --------------------------------===//
//
// Isolates the entry, binds its sizes and decomposes it.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "Constants.h"
#include "fuse/Analysis/Sizes.h"
#include "fuse/Pipeline/Pipelines.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <limits>
#include <optional>

using namespace mlir;
using namespace fuse;

Status fuse::runStage(ModuleOp module, StringRef road, StringRef what,
                      llvm::function_ref<void(OpPassManager &)> build) {
  PassManager pm(module.getContext());
  build(pm);
  // What a stage hands on is verified, and not what each of its passes does,
  // which takes time; fuse-opt does that.
  pm.enableVerifier(false);
  if (succeeded(pm.run(module)) && succeeded(verify(module)))
    return Status::success();
  return RuntimeError(ErrorCode::Unsupported, (road + " cannot " + what).str());
}

/// A function that is called twice brings its kernels twice.
static void nameKernelsApart(func::FuncOp function) {
  llvm::StringSet<> names, seen;
  function.walk([&](KernelOp kernel) { names.insert(kernel.getName()); });
  function.walk([&](KernelOp kernel) {
    if (seen.insert(kernel.getName()).second)
      return;
    std::string name;
    for (unsigned copy = 2; name.empty() || names.contains(name); ++copy)
      name = (kernel.getName() + "_" + llvm::Twine(copy)).str();
    names.insert(name);
    kernel.setName(name);
  });
}

namespace {

/// Counts the ops of functions whose calls are inlined.
class InlinedSize {
public:
  explicit InlinedSize(ModuleOp module) : symbols(module) {}

  uint64_t of(func::FuncOp function) {
    auto [found, isNew] = sizes.try_emplace(function, std::nullopt);
    if (!isNew) {
      // Without a number it is being counted, and calls itself.
      recurses |= !found->second;
      return found->second.value_or(0);
    }
    if (++depth > mostDepth)
      isTooDeep = true;
    uint64_t size = 0;
    function.walk([&](func::CallOp call) {
      if (recurses || isTooDeep)
        return WalkResult::interrupt();
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
        size = llvm::SaturatingAdd(size, of(callee));
      return WalkResult::advance();
    });
    function.walk(
        [&](Operation *) { size = llvm::SaturatingAdd(size, uint64_t(1)); });
    --depth;
    sizes[function] = size;
    return size;
  }
  /// Whether it has been counted: the entry, and what it calls.
  bool has(func::FuncOp function) const { return sizes.contains(function); }

  static constexpr unsigned mostDepth = 1000;
  /// Whether some function calls itself, be it by way of others, and whether
  /// calls are nested deeper than that. Then not all is counted.
  bool recurses = false, isTooDeep = false;

private:
  SymbolTable symbols;
  llvm::DenseMap<Operation *, std::optional<uint64_t>> sizes;
  unsigned depth = 0;
};

} // namespace

/// Leaves out functions that the entry does not call. Those that call each
/// other several times grow by powers, and nobody could wait for that. Says
/// whether the rest can be inlined: what recurses is left to be refused where
/// it is called.
static Result<bool> prepareCalls(ModuleOp module, func::FuncOp entry) {
  constexpr uint64_t most = 1000000;
  InlinedSize sizes(module);
  uint64_t size = sizes.of(entry);
  if (sizes.recurses)
    return false;
  auto refuse = [&](const std::string &what, uint64_t limit) {
    return RuntimeError(ErrorCode::Unsupported,
                        "'" + entry.getName().str() + "' has " + what +
                            ", but at most " + std::to_string(limit) +
                            " are supported");
  };
  if (sizes.isTooDeep)
    return refuse("more than " + std::to_string(InlinedSize::mostDepth) +
                      " calls in each other",
                  InlinedSize::mostDepth);
  if (size > most)
    return refuse((size == std::numeric_limits<uint64_t>::max()
                       ? "more than 64 bits count"
                       : std::to_string(size)) +
                      " ops when its calls are inlined",
                  most);
  for (auto other : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!sizes.has(other))
      other.erase();
  return true;
}

/// Leaves the entry alone in the module, everything it calls inlined.
static Status isolateEntry(ModuleOp module, StringRef entry,
                           bool dissolvesKernels) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return RuntimeError(ErrorCode::BadInput,
                        ("there is no function '" + entry + "'").str());
  Result<bool> canInline = prepareCalls(module, function);
  if (!canInline)
    return canInline.takeError();
  // Before inlining, which drops what is private and not called.
  function.setPublic();
  PassManager pm(module.getContext());
  // Before inlining: called twice, a function would bring the names of its
  // kernels twice.
  if (dissolvesKernels)
    pm.addPass(createDissolveKernels());
  // No canonicalizer, which the inliner runs unless told not to: our folds must
  // not work on what they are judged by.
  if (*canInline)
    pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  // Names of kernels may be there twice until they are mended below.
  pm.enableVerifier(false);
  if (failed(pm.run(module)))
    return RuntimeError(ErrorCode::Unsupported,
                        "the calls of '" + entry.str() + "' cannot be inlined");
  function = module.lookupSymbol<func::FuncOp>(entry);
  nameKernelsApart(function);
  function.setName(entryName);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (&op != function.getOperation())
      op.erase();
  return Status::success();
}

/// Index arguments were bound to constants and have no buffer.
static void eraseIndexArguments(func::FuncOp function) {
  llvm::BitVector erased(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.getType().isIndex())
      erased.set(argument.getArgNumber());
  (void)function.eraseArguments(erased);
}

/// Notes what sizes are likely, and gives arguments that are indices their
/// values.
static void hintSizes(func::FuncOp function, ArrayRef<ArgumentShape> shapes) {
  OpBuilder builder(function.getBody());
  for (auto [argument, shape] :
       llvm::zip_equal(function.getArguments(), shapes)) {
    if (!argument.getType().isIndex()) {
      function.setArgAttr(argument.getArgNumber(), sizeHintsName,
                          builder.getDenseI64ArrayAttr(shape));
      continue;
    }
    Value value = arith::ConstantIndexOp::create(builder, argument.getLoc(),
                                                 shape.front());
    argument.replaceAllUsesWith(value);
  }
}

/// The status and the sentence that everything ends with, behind what is said
/// of an op.
static Status refuse(Operation *op, ErrorCode code, const llvm::Twine &why,
                     const char *what) {
  op->emitOpError(why);
  return RuntimeError(code, what);
}

/// What the roads would each find out in their own way, or not at all: how
/// often loops go round is a number of 64 bits everywhere, and what no memory
/// could hold is more than anybody waits for.
static Status checkTensors(Operation *op) {
  for (Type type : op->getResultTypes()) {
    std::optional<TensorSignature> signature = signatureOf(type);
    if (!signature)
      continue;
    Result<size_t> bytes = requiredBytes(signature->type, signature->shape);
    if (!bytes)
      return refuse(op, ErrorCode::Unsupported,
                    "is too large: " + bytes.error().message(),
                    "a tensor of the graph is too large");
    ElementsAttr elements;
    if (!matchPattern(op, m_Constant(&elements)))
      continue;
    if (Status status = checkData(elements, *signature); !status)
      return refuse(op, status.error().code(), status.error().message(),
                    "a constant of the graph does not have its data");
  }
  return Status::success();
}

static Status checkTensors(func::FuncOp function) {
  Status status = Status::success();
  function.walk([&](Operation *op) {
    status = checkTensors(op);
    return status ? WalkResult::advance() : WalkResult::interrupt();
  });
  return status;
}

/// Asked of every road before anything is compiled: the host has no other way
/// to hand a result over.
static Status checkResults(func::FuncOp function) {
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    if (isa<RankedTensorType>(type))
      continue;
    std::string text;
    llvm::raw_string_ostream(text)
        << "result #" << index << " has type " << type
        << "; only ranked tensors can be returned";
    return RuntimeError(ErrorCode::Unsupported, text);
  }
  return Status::success();
}

Result<func::FuncOp>
fuse::prepareGraph(ModuleOp module, StringRef road, StringRef entry,
                   ArrayRef<ArgumentShape> shapes, StageObserver observe,
                   bool dissolvesKernels, bool leavesSizesOpen) {
  if (Status status = isolateEntry(module, entry, dissolvesKernels); !status)
    return status.takeError();
  if (Status status = runStage(module, road, "take this op in a graph",
                               [](OpPassManager &pm) {
                                 pm.addPass(createCheckStage({Stage::Graph}));
                               });
      !status)
    return status.takeError();
  observe("graph", module);

  auto function = cast<func::FuncOp>(*module.getBody()->begin());
  if (Status status = checkResults(function); !status)
    return status.takeError();
  if (leavesSizesOpen)
    hintSizes(function, shapes);
  else if (failed(bindSizes(function, shapes)))
    return RuntimeError(ErrorCode::BadInput,
                        "the sizes of the arguments do not fit the graph");
  eraseIndexArguments(function);
  observe("bound", module);
  if (Status status = checkTensors(function); !status)
    return status.takeError();

  if (Status status =
          runStage(module, road, "decompose this graph",
                   [](OpPassManager &pm) { pm.addPass(createDecompose()); });
      !status)
    return status.takeError();
  observe("decomposed", module);
  return function;
}

std::optional<TensorSignature> fuse::signatureOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding())
    return std::nullopt;
  std::optional<ElementType> element = elementTypeFor(tensor.getElementType());
  if (!element)
    return std::nullopt;
  return TensorSignature{*element, tensor.getShape().vec()};
}

Result<std::vector<TensorSignature>> fuse::signaturesOf(TypeRange types,
                                                        StringRef what) {
  std::vector<TensorSignature> signatures;
  for (auto [index, type] : llvm::enumerate(types)) {
    std::optional<TensorSignature> signature = signatureOf(type);
    if (!signature) {
      std::string text;
      llvm::raw_string_ostream(text) << what << " #" << index << " has type "
                                     << type << "; only plain tensors can be "
                                     << "passed in and out";
      return RuntimeError(ErrorCode::Unsupported, text);
    }
    signatures.push_back(std::move(*signature));
  }
  return signatures;
}

std::string fuse::locationText(Operation *op) {
  auto at = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!at)
    return "";
  return (llvm::sys::path::filename(at.getFilename().getValue()) + ":" +
          llvm::Twine(at.getLine()))
      .str();
}
