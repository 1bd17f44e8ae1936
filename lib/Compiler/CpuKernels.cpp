//===- CpuKernels.cpp - from a graph to LLVM for a CPU --------------------===//
//
// Tiles, the plan of their launches, vectors, and LLVM.
//
//===----------------------------------------------------------------------===//

#include "CpuKernels.h"
#include "Entry.h"
#include "Tiles.h"

using namespace mlir;
using namespace fuse;

/// Leaves the kernels alone, under names that no library function has.
static void isolateKernels(ModuleOp module, func::FuncOp function) {
  function.erase();
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>())
    kernel.setName(("fuse_kernel_" + kernel.getName()).str());
}

Result<CpuKernels>
fuse::makeCpuKernels(ModuleOp module, StringRef road, StringRef entry,
                     ArrayRef<ArgumentShape> shapes, bool leavesSizesOpen,
                     const FormationOptions &options, unsigned numThreads,
                     CpuFeatures features, StageObserver observe) {
  FormationOptions formation = options;
  formation.threads = numThreads;
  auto tiled = makeTiles(module, road, entry, shapes, leavesSizesOpen,
                         formation, observe);
  if (!tiled)
    return tiled.takeError();
  // What is wrong with the sizes is found before it takes long to compile.
  if (Result<SizedPlan> sized = tiled->plan.bind(tiled->inputs); !sized)
    return sized.takeError();
  isolateKernels(module, tiled->function);
  CpuKernels kernels;
  kernels.plan = std::move(tiled->plan);
  kernels.inputs = std::move(tiled->inputs);
  for (tile::KernelOp kernel : kernels.plan.kernels)
    kernels.names.push_back(kernel.getName().str());

  if (Status status = runStage(module, road, "make vectors of these kernels",
                               [&](OpPassManager &pm) {
                                 buildTilesToVector(pm, features.vectorBits);
                               });
      !status)
    return status.takeError();
  observe("vector", module);
  for (const std::string &name : kernels.names) {
    auto code = module.lookupSymbol<func::FuncOp>(name);
    auto bytes = code->getAttrOfType<IntegerAttr>("tile.workspace");
    kernels.workspaces.push_back(bytes ? bytes.getInt() : 0);
  }

  if (Status status = runStage(module, road, "generate code for these kernels",
                               [&](OpPassManager &pm) {
                                 buildVectorToLLVMWith(pm, features.hasF16);
                               });
      !status)
    return status.takeError();
  observe("llvm", module);
  return kernels;
}
