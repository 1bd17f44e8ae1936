//===- fuse-lsp-server.cpp - help editors with .mlir files ----------------===//
//
// mlir-lsp-server for our dialects.
//
//===----------------------------------------------------------------------===//

#include "../fuse/Tools.h"
#include "fuse/Pipeline/Pipelines.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

using namespace mlir;

int fuse::runFuseLspServer(int argc, char **argv) {
  DialectRegistry registry;
  registerDialects(registry);
  return failed(MlirLspServerMain(argc, argv, registry)) ? 1 : exitRight;
}
