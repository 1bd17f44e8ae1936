//===- Reference.cpp - run a graph op by op on the CPU --------------------===//
//
// Clones the module, makes its sizes static, lowers it by the reference
// pipelines and hands it to MLIR's JIT.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Reference.h"
#include "fuse/Compiler/PeakMemory.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace fuse;

std::optional<ElementType> fuse::elementTypeFor(Type type) {
  if (type.isIndex())
    return ElementType::Index;
  if (type.isSignlessInteger())
    switch (type.getIntOrFloatBitWidth()) {
    case 1:
      return ElementType::I1;
    case 8:
      return ElementType::I8;
    case 16:
      return ElementType::I16;
    case 32:
      return ElementType::I32;
    case 64:
      return ElementType::I64;
    default:
      return std::nullopt;
    }
  if (isa<Float8E4M3FNType>(type))
    return ElementType::F8E4M3FN;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF16())
    return ElementType::F16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  return std::nullopt;
}

/// The one function that is left has a name that no library function has: the
/// JIT would resolve `exp` to a graph of that name.
static constexpr llvm::StringLiteral entryName = "fuse_graph_entry";

/// Leaves the entry alone in the module, everything it calls inlined.
static Status isolateEntry(ModuleOp module, StringRef entry) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return RuntimeError(ErrorCode::BadInput,
                        ("there is no function '" + entry + "'").str());
  // Before inlining, which drops what is private and not called.
  function.setPublic();
  PassManager pm(module.getContext());
  // No canonicalizer, which the inliner runs unless told not to: our folds must
  // not work on what they are judged by.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  if (failed(pm.run(module)))
    return RuntimeError(ErrorCode::Unsupported,
                        "the calls of '" + entry.str() + "' cannot be inlined");
  function = module.lookupSymbol<func::FuncOp>(entry);
  function.setName(entryName);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (&op != function.getOperation())
      op.erase();
  return Status::success();
}

static Status runStage(ModuleOp module, StringRef what,
                       llvm::function_ref<void(OpPassManager &)> build) {
  PassManager pm(module.getContext());
  build(pm);
  if (succeeded(pm.run(module)))
    return Status::success();
  return RuntimeError(ErrorCode::Unsupported,
                      ("the reference road cannot " + what).str());
}

static Result<std::vector<TensorSignature>> signatureOf(TypeRange types,
                                                        StringRef what) {
  std::vector<TensorSignature> signature;
  for (auto [index, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::optional<ElementType> element;
    if (tensor && tensor.hasStaticShape() && !tensor.getEncoding())
      element = elementTypeFor(tensor.getElementType());
    if (!element) {
      std::string text;
      llvm::raw_string_ostream(text) << what << " #" << index << " has type "
                                     << type << "; only plain tensors can be "
                                     << "passed in and out";
      return RuntimeError(ErrorCode::Unsupported, text);
    }
    signature.push_back({*element, tensor.getShape().vec()});
  }
  return signature;
}

/// Index arguments were bound to constants and have no buffer.
static void eraseIndexArguments(func::FuncOp function) {
  llvm::BitVector erased(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.getType().isIndex())
      erased.set(argument.getArgNumber());
  (void)function.eraseArguments(erased);
}

/// Every op of a decomposed graph that makes a tensor.
static std::vector<PlanStep> planOf(func::FuncOp function) {
  std::vector<PlanStep> plan;
  for (Operation &op : function.getBody().front()) {
    bool isKernel = op.getNumResults() == 1 &&
                    isa<RankedTensorType>(op.getResult(0).getType()) &&
                    !op.hasTrait<OpTrait::ConstantLike>() &&
                    !isa<tensor::TensorDialect>(op.getDialect());
    if (!isKernel)
      continue;
    PlanStep &step = plan.emplace_back();
    step.ops = {op.getName().getStringRef().str()};
    llvm::raw_string_ostream(step.result) << op.getResult(0).getType();
    if (auto at = op.getLoc()->findInstanceOf<FileLineColLoc>())
      step.location =
          (llvm::sys::path::filename(at.getFilename().getValue()) + ":" +
           llvm::Twine(at.getLine()))
              .str();
  }
  return plan;
}

static Status checkMemory(func::FuncOp function) {
  PeakMemory peak = findPeakMemory(function);
  std::optional<uint64_t> available = availableMemory();
  if (!available || peak.bytes <= *available)
    return Status::success();
  if (peak.at)
    peak.at->emitRemark("the most memory is taken here");
  return RuntimeError(ErrorCode::Unsupported,
                      "running op by op needs " + formatBytes(peak.bytes) +
                          ", but " + formatBytes(*available) +
                          " are available");
}

ReferenceProgram::ReferenceProgram() = default;
ReferenceProgram::~ReferenceProgram() = default;

Result<std::unique_ptr<ReferenceProgram>>
ReferenceProgram::compile(ModuleOp original, StringRef entry,
                          ArrayRef<ArgumentShape> shapes,
                          ReferenceFloats floats, StageObserver observe) {
  OwningOpRef<ModuleOp> owned = original.clone();
  ModuleOp module = *owned;
  if (Status status = isolateEntry(module, entry); !status)
    return status.takeError();
  if (Status status = runStage(module, "take this op in a graph",
                               [](OpPassManager &pm) {
                                 pm.addPass(createCheckStage({Stage::Graph}));
                               });
      !status)
    return status.takeError();
  observe("graph", module);

  auto function = cast<func::FuncOp>(*module.getBody()->begin());
  if (failed(bindSizes(function, shapes)))
    return RuntimeError(ErrorCode::BadInput,
                        "the sizes of the arguments do not fit the graph");
  eraseIndexArguments(function);
  observe("bound", module);

  if (Status status = runStage(
          module, "decompose this graph",
          [](OpPassManager &pm) { pm.addPass(createDecompose()); });
      !status)
    return status.takeError();
  observe("decomposed", module);
  std::unique_ptr<ReferenceProgram> program(new ReferenceProgram());
  program->steps = planOf(function);

  if (Status status = runStage(
          module, "lower this graph",
          [&](OpPassManager &pm) { buildReferenceToLinalg(pm, floats); });
      !status)
    return status.takeError();
  observe("linalg", module);

  auto inputs = signatureOf(function.getArgumentTypes(), "argument");
  if (!inputs)
    return inputs.takeError();
  auto outputs = signatureOf(function.getResultTypes(), "result");
  if (!outputs)
    return outputs.takeError();
  program->inputTypes = std::move(*inputs);
  program->outputTypes = std::move(*outputs);
  if (Status status = checkMemory(function); !status)
    return status.takeError();

  if (Status status =
          runStage(module, "generate code for this graph", buildLinalgToLLVM);
      !status)
    return status.takeError();
  observe("llvm", module);

  auto fail = [](llvm::Error error) {
    return RuntimeError(ErrorCode::Unsupported,
                        "the code generator failed: " +
                            llvm::toString(std::move(error)));
  };
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return fail(host.takeError());
  host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  auto machine = host->createTargetMachine();
  if (!machine)
    return fail(machine.takeError());
  ExecutionEngineOptions options;
  // Both are on by default; the second writes a file into the home folder and
  // ends the program where it cannot.
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto transformer = makeOptimizingTransformer(
      /*optLevel=*/2, /*sizeLevel=*/0, machine->get());
  options.transformer = transformer;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Default;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return fail(engine.takeError());
  program->engine = std::move(*engine);
  auto packed =
      program->engine->lookupPacked(("_mlir_ciface_" + entryName).str());
  if (!packed)
    return fail(packed.takeError());
  program->packed = *packed;
  return program;
}

/// A memref descriptor: two pointers, an offset, sizes and strides.
static std::vector<int64_t> describe(const HostBuffer &buffer) {
  auto address =
      static_cast<int64_t>(reinterpret_cast<intptr_t>(buffer.data()));
  std::vector<int64_t> descriptor = {address, address, 0};
  llvm::append_range(descriptor, buffer.shape());
  int64_t stride = 1;
  std::vector<int64_t> strides;
  for (int64_t size : llvm::reverse(buffer.shape())) {
    strides.push_back(stride);
    stride *= size;
  }
  descriptor.insert(descriptor.end(), strides.rbegin(), strides.rend());
  return descriptor;
}

static Status checkBuffer(const HostBuffer &buffer,
                          const TensorSignature &needed, StringRef what) {
  if (buffer.type() == needed.type && buffer.shape() == needed.shape)
    return Status::success();
  auto text = [](ElementType type, const std::vector<int64_t> &shape) {
    return std::string(typeName(type)) + " of shape " + formatShape(shape);
  };
  return RuntimeError(
      ErrorCode::BadInput,
      what.str() + " is " + text(buffer.type(), buffer.shape()) +
          ", but needs to be " + text(needed.type, needed.shape));
}

Status ReferenceProgram::run(ArrayRef<const HostBuffer *> inputs,
                             MutableArrayRef<HostBuffer> outputs) {
  if (inputs.size() != inputTypes.size() ||
      outputs.size() != outputTypes.size())
    return RuntimeError(ErrorCode::BadUsage,
                        "wrong number of buffers for the graph");
  std::vector<std::vector<int64_t>> descriptors;
  for (auto [buffer, needed] : llvm::zip_equal(inputs, inputTypes)) {
    if (Status status = checkBuffer(*buffer, needed, "an input"); !status)
      return status;
    descriptors.push_back(describe(*buffer));
  }
  for (auto [buffer, needed] : llvm::zip_equal(outputs, outputTypes)) {
    if (Status status = checkBuffer(buffer, needed, "an output"); !status)
      return status;
    descriptors.push_back(describe(buffer));
  }
  // The packed form takes pointers to its arguments, which are pointers.
  std::vector<void *> pointers, arguments;
  for (std::vector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  for (void *&pointer : pointers)
    arguments.push_back(&pointer);
  packed(arguments.data());
  return Status::success();
}
