//===- DropPromises.cpp - integers are what they are ----------------------===//
//
// To LLVM a number for which a promise does not hold is none, and a comparison
// with it need not be made: a gather would read beside its table.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace fuse {
#define GEN_PASS_DEF_DROPPROMISES
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

struct DropPromisesPass final : fuse::impl::DropPromisesBase<DropPromisesPass> {
  void runOnOperation() final {
    auto none = arith::IntegerOverflowFlagsAttr::get(
        &getContext(), arith::IntegerOverflowFlags::none);
    getOperation()->walk([&](Operation *op) {
      if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
        op->setAttr(flags.getIntegerOverflowAttrName(), none);
      if (isa<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
              op))
        op->removeAttr("isExact");
    });
  }
};

} // namespace
