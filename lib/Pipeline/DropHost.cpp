//===- DropHost.cpp - leave the kernels alone in a module -----------------===//
//
// Behind this the module is code for blocks, and the order in which kernels run
// is known to a plan only.
//
//===----------------------------------------------------------------------===//

#include "fuse/Pipeline/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {
#define GEN_PASS_DEF_DROPHOST
#include "fuse/Pipeline/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

struct DropHostPass final : fuse::impl::DropHostBase<DropHostPass> {
  void runOnOperation() final {
    auto functions = getOperation().getOps<func::FuncOp>();
    for (func::FuncOp function : llvm::make_early_inc_range(functions))
      function.erase();
  }
};

} // namespace
