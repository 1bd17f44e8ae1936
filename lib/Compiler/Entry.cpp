//===- Entry.cpp - what all roads do first --------------------------------===//
//
// Isolates the entry, binds its sizes and decomposes it.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "fuse/Analysis/Sizes.h"
#include "fuse/Pipeline/Pipelines.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <limits>

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
    auto [found, isNew] = sizes.try_emplace(function, 0);
    // One that calls itself counts as nothing there, and is not inlined.
    if (!isNew)
      return found->second;
    uint64_t size = 0;
    function.walk([&](Operation *op) {
      size = llvm::SaturatingAdd(size, uint64_t(1));
      if (auto call = dyn_cast<func::CallOp>(op))
        if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
          size = llvm::SaturatingAdd(size, of(callee));
    });
    return sizes[function] = size;
  }
  /// Whether it has been counted: the entry, and what it calls.
  bool has(func::FuncOp function) const { return sizes.contains(function); }

private:
  SymbolTable symbols;
  llvm::DenseMap<Operation *, uint64_t> sizes;
};

} // namespace

/// Leaves out functions that the entry does not call. Those that call each
/// other several times grow by powers, and nobody could wait for that.
static Status prepareCalls(ModuleOp module, func::FuncOp entry) {
  constexpr uint64_t most = 1000000;
  InlinedSize sizes(module);
  uint64_t size = sizes.of(entry);
  if (size <= most) {
    for (auto other : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (!sizes.has(other))
        other.erase();
    return Status::success();
  }
  std::string count = size == std::numeric_limits<uint64_t>::max()
                          ? "more than 64 bits count"
                          : std::to_string(size);
  return RuntimeError(ErrorCode::Unsupported,
                      "'" + entry.getName().str() + "' has " + count +
                          " ops when its calls are inlined, but at most " +
                          std::to_string(most) + " are supported");
}

/// Leaves the entry alone in the module, everything it calls inlined.
static Status isolateEntry(ModuleOp module, StringRef entry,
                           bool dissolvesKernels) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return RuntimeError(ErrorCode::BadInput,
                        ("there is no function '" + entry + "'").str());
  if (Status status = prepareCalls(module, function); !status)
    return status;
  // Before inlining, which drops what is private and not called.
  function.setPublic();
  PassManager pm(module.getContext());
  // Before inlining: called twice, a function would bring the names of its
  // kernels twice.
  if (dissolvesKernels)
    pm.addPass(createDissolveKernels());
  // No canonicalizer, which the inliner runs unless told not to: our folds must
  // not work on what they are judged by.
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
  if (leavesSizesOpen)
    hintSizes(function, shapes);
  else if (failed(bindSizes(function, shapes)))
    return RuntimeError(ErrorCode::BadInput,
                        "the sizes of the arguments do not fit the graph");
  eraseIndexArguments(function);
  observe("bound", module);

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
