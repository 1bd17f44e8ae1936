//===- FreezeUndefined.cpp - some number where LLVM has none --------------===//
//
// What a shift or a cast leaves undefined is some number, and one number.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

namespace fuse {
#define GEN_PASS_DEF_FREEZEUNDEFINED
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

/// A type with other elements.
Type withElements(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// Whether every element of the value is a constant below the bound.
bool isBelow(Value value, uint64_t bound) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.ult(bound);
  DenseIntElementsAttr numbers;
  return matchPattern(value, m_Constant(&numbers)) &&
         llvm::all_of(numbers.getValues<APInt>(),
                      [&](const APInt &element) { return element.ult(bound); });
}

/// All users see one number, though LLVM may choose which.
void freeze(Value value) {
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  auto frozen = LLVM::FreezeOp::create(b, value.getLoc(), value);
  value.replaceAllUsesExcept(frozen, frozen);
}

/// LLVM's backends take a cast to a narrow type as a promise that the number is
/// in its range: they compute in a wider register, of which they then know the
/// upper bits, frozen or not. Numbers of fewer than 32 bits, of either sign,
/// are among those of 32.
Value castByWay(Operation *cast) {
  constexpr unsigned wideBits = 32;
  OpBuilder b(cast);
  Type type = cast->getResult(0).getType();
  Type wideType = withElements(type, b.getIntegerType(wideBits));
  Value wide =
      LLVM::FPToSIOp::create(b, cast->getLoc(), wideType, cast->getOperand(0));
  Value narrow = LLVM::TruncOp::create(b, cast->getLoc(), type, wide);
  cast->getResult(0).replaceAllUsesWith(narrow);
  cast->erase();
  return wide;
}

unsigned widthOf(Value value) {
  return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
}

struct FreezeUndefinedPass final
    : fuse::impl::FreezeUndefinedBase<FreezeUndefinedPass> {
  void runOnOperation() final {
    getOperation()->walk([](Operation *op) {
      if (isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(op)) {
        if (!isBelow(op->getOperand(1), widthOf(op->getResult(0))))
          freeze(op->getResult(0));
      } else if (isa<LLVM::FPToSIOp, LLVM::FPToUIOp>(op)) {
        bool isNarrow = widthOf(op->getResult(0)) < 32;
        freeze(isNarrow ? castByWay(op) : op->getResult(0));
      }
    });
  }
};

} // namespace
