//===- Reference.cpp - run a graph op by op on the CPU --------------------===//
//
// Clones the module, makes its sizes static, lowers it by the reference
// pipelines and hands it to MLIR's JIT.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Reference.h"
#include "Entry.h"
#include "Jit.h"
#include "fuse/Compiler/PeakMemory.h"
#include "fuse/Runtime/Executor.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;

static constexpr llvm::StringLiteral road = "the reference road";

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
    Value result = op.getResult(0);
    llvm::raw_string_ostream(step.result) << result.getType();
    step.location = locationText(&op);
    if (std::optional<TensorSignature> signature =
            signatureOf(result.getType())) {
      bool isOutput = llvm::any_of(result.getUsers(), [](Operation *user) {
        return isa<func::ReturnOp>(user);
      });
      step.stored.push_back({std::move(*signature), isOutput});
    }
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

/// How much to optimise code that runs once. Of attention over 2 x 197 keys,
/// which takes 3 ms optimised and 70 as it is, optimising takes a second.
static unsigned optLevelFor(ModuleOp module) {
  constexpr double secondsToOptimize = 0.03, secondsOfStep = 7e-9;
  double seconds = 0;
  module.walk([&](linalg::LinalgOp op) {
    double steps = 1;
    for (int64_t range : op.getStaticLoopRanges())
      steps *= static_cast<double>(range);
    seconds += steps * secondsOfStep - secondsToOptimize;
  });
  return seconds < 0 ? 0 : 2;
}

ReferenceProgram::ReferenceProgram() = default;
ReferenceProgram::~ReferenceProgram() = default;

Result<std::unique_ptr<ReferenceProgram>>
ReferenceProgram::compile(ModuleOp original, StringRef entry,
                          ArrayRef<ArgumentShape> shapes,
                          ReferenceFloats floats, StageObserver observe,
                          std::optional<unsigned> optLevel, int64_t sumStride) {
  OwningOpRef<ModuleOp> owned = original.clone();
  ModuleOp module = *owned;
  auto prepared = prepareGraph(module, road, entry, shapes, observe,
                               /*dissolvesKernels=*/true);
  if (!prepared)
    return prepared.takeError();
  func::FuncOp function = *prepared;
  std::unique_ptr<ReferenceProgram> program(new ReferenceProgram());
  program->steps = planOf(function);

  if (Status status = runStage(module, road, "lower this graph",
                               [&](OpPassManager &pm) {
                                 buildReferenceToLinalg(pm, floats, sumStride);
                               });
      !status)
    return status.takeError();
  observe("linalg", module);
  if (!optLevel)
    optLevel = optLevelFor(module);

  auto inputs = signaturesOf(function.getArgumentTypes(), "argument");
  if (!inputs)
    return inputs.takeError();
  auto outputs = signaturesOf(function.getResultTypes(), "result");
  if (!outputs)
    return outputs.takeError();
  program->inputTypes = std::move(*inputs);
  program->outputTypes = std::move(*outputs);
  if (Status status = checkMemory(function); !status)
    return status.takeError();

  if (Status status = runStage(module, road, "generate code for this graph",
                               buildLinalgToLLVM);
      !status)
    return status.takeError();
  observe("llvm", module);

  auto engine = createJit(module, {*optLevel});
  if (!engine)
    return engine.takeError();
  program->engine = std::move(*engine);
  auto packed = findPacked(*program->engine, entryName);
  if (!packed)
    return packed.takeError();
  program->packed = *packed;
  return program;
}

Status ReferenceProgram::execute(ArrayRef<const HostBuffer *> inputs,
                                 MutableArrayRef<HostBuffer> outputs,
                                 std::vector<LaunchTime> *times) {
  if (times)
    times->clear();
  std::vector<std::vector<int64_t>> descriptors;
  for (const HostBuffer *buffer : inputs)
    descriptors.push_back(describeMemRef(buffer->data(), buffer->shape()));
  for (const HostBuffer &buffer : outputs)
    descriptors.push_back(describeMemRef(buffer.data(), buffer.shape()));
  // The packed form takes pointers to its arguments, which are pointers.
  std::vector<void *> pointers, arguments;
  for (std::vector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  for (void *&pointer : pointers)
    arguments.push_back(&pointer);
  packed(arguments.data());
  return Status::success();
}
