//===- fuse-reduce.cpp - shrink a module that shows a bug -----------------===//
//
// mlir-reduce for our dialects.
//
//===----------------------------------------------------------------------===//

#include "../fuse/Tools.h"
#include "fuse/Pipeline/Pipelines.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

using namespace mlir;

int fuse::runFuseReduce(int argc, char **argv) {
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  MLIRContext context(registry);
  return failed(mlirReduceMain(argc, argv, context)) ? 1 : exitRight;
}
