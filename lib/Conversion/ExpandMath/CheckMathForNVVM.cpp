//===- CheckMathForNVVM.cpp - functions that no GPU computes by itself ----===//
//
// LLVM ends the process at a function that a GPU has no instruction for, since
// there is no library to call. So what is left is looked at before.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/IR/TypeUtilities.h"

namespace fuse {
#define GEN_PASS_DEF_CHECKMATHFORNVVM
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

/// What LLVM makes instructions of, for f32 and f64 or for integers.
static bool isNative(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
             math::IsNaNOp, math::RoundEvenOp, math::RoundOp, math::RsqrtOp,
             math::SqrtOp, math::TruncOp>(op);
}

namespace {

struct CheckMathForNVVMPass final
    : fuse::impl::CheckMathForNVVMBase<CheckMathForNVVMPass> {
  void runOnOperation() final {
    WalkResult walked = getOperation()->walk([](Operation *op) {
      bool isMath = isa_and_present<math::MathDialect>(op->getDialect());
      bool isRemainder = isa<arith::RemFOp>(op);
      if ((!isMath || isNative(op)) && !isRemainder)
        return WalkResult::advance();
      op->emitOpError("of ") << getElementTypeOrSelf(op->getResult(0).getType())
                             << " has no code for GPUs";
      return WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
