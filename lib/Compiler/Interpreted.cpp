//===- Interpreted.cpp - the reference road without code ------------------===//
//
// The reference road up to its graph, which is interpreted.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Interpreted.h"
#include "Entry.h"
#include "fuse/Simulate/Graph.h"

using namespace mlir;
using namespace fuse;

static constexpr llvm::StringLiteral road = "the interpreted road";

Result<std::unique_ptr<InterpretedProgram>>
InterpretedProgram::create(ModuleOp original, StringRef entry,
                           ArrayRef<ArgumentShape> shapes,
                           ReferenceFloats floats, int64_t sumStride) {
  std::unique_ptr<InterpretedProgram> program(new InterpretedProgram());
  program->owned = original.clone();
  ModuleOp module = *program->owned;
  auto prepared = prepareGraph(
      module, road, entry, shapes, [](StringRef, ModuleOp) {},
      /*dissolvesKernels=*/true);
  if (!prepared)
    return prepared.takeError();
  program->function = *prepared;
  if (Status status = runStage(module, road, "prepare this graph",
                               [&](OpPassManager &pm) {
                                 buildReferenceGraph(pm, floats, sumStride);
                               });
      !status)
    return status.takeError();
  if (failed(checkGraphForSimulation(program->function)))
    return RuntimeError(ErrorCode::Unsupported,
                        (road + " cannot run this graph").str());

  auto inputs = signaturesOf(program->function.getArgumentTypes(), "argument");
  if (!inputs)
    return inputs.takeError();
  auto outputs = signaturesOf(program->function.getResultTypes(), "result");
  if (!outputs)
    return outputs.takeError();
  program->inputTypes = std::move(*inputs);
  program->outputTypes = std::move(*outputs);
  return program;
}

Status InterpretedProgram::execute(ArrayRef<const HostBuffer *> inputs,
                                   MutableArrayRef<HostBuffer> outputs,
                                   std::vector<LaunchTime> *times) {
  if (times)
    times->clear();
  SmallVector<SimulatedMemory> from, to;
  for (const HostBuffer *input : inputs)
    // It is read only.
    from.push_back(
        {const_cast<void *>(input->data()), input->type(), input->shape(), {}});
  for (HostBuffer &output : outputs)
    to.push_back({output.data(), output.type(), output.shape(), {}});
  simulateGraph(function, from, to);
  return Status::success();
}
