//===- ExpandDivisions.cpp - integer divisions that cannot trap -----------===//
//
// Divisors that a processor traps on are replaced by 1.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDDIVISIONS
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

/// The number, or a vector of it.
Value makeConstant(OpBuilder &b, Location loc, Type type, const APInt &number) {
  TypedAttr value = b.getIntegerAttr(getElementTypeOrSelf(type), number);
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, value);
  return arith::ConstantOp::create(b, loc, value);
}

/// Whether `lhs` divided by `rhs` traps: by zero, or overflowing.
Value isTrap(OpBuilder &b, Operation *op, bool isSigned) {
  Location loc = op->getLoc();
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  Type type = rhs.getType();
  Type element = getElementTypeOrSelf(type);
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  auto isEqual = [&](Value value, const APInt &number) -> Value {
    Value constant = makeConstant(b, loc, type, number);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value,
                                 constant);
  };
  Value isZero = isEqual(rhs, APInt(width, 0));
  if (!isSigned)
    return isZero;
  Value overflows =
      arith::AndIOp::create(b, loc, isEqual(rhs, APInt::getAllOnes(width)),
                            isEqual(lhs, APInt::getSignedMinValue(width)));
  return arith::OrIOp::create(b, loc, isZero, overflows);
}

struct ExpandDivisionsPass final
    : fuse::impl::ExpandDivisionsBase<ExpandDivisionsPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));

    getOperation()->walk([](Operation *op) {
      bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
      if (!isSigned && !isa<arith::DivUIOp, arith::RemUIOp>(op))
        return;
      Type type = op->getOperand(1).getType();
      if (isa<TensorType>(type))
        return;
      OpBuilder b(op);
      Type element = getElementTypeOrSelf(type);
      unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
      Value one = makeConstant(b, op->getLoc(), type, APInt(width, 1));
      op->setOperand(1, arith::SelectOp::create(b, op->getLoc(),
                                                isTrap(b, op, isSigned), one,
                                                op->getOperand(1)));
    });
  }
};

} // namespace
