//===- SplitResults.cpp - ops of one element have one result --------------===//
//
// Sums with a carry and products with an upper half are the only pointwise ops
// of two results that are no words for others. As words for others, which have
// one each, nothing behind has to know them.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace fuse {
#define GEN_PASS_DEF_SPLITRESULTS
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

/// Integers of a tensor's shape, by ops of one result.
class Integers {
public:
  Integers(IRRewriter &rewriter, Operation *op)
      : b(op->getLoc(), rewriter), shaped(op->getOperand(0)),
        type(cast<RankedTensorType>(shaped.getType())) {}

  void split(IRRewriter &rewriter, arith::AddUIExtendedOp op);
  template <class Op> void splitProduct(IRRewriter &rewriter, Op op);

private:
  unsigned width() const {
    Type element = type.getElementType();
    return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  }
  Value all(Type element, uint64_t number);
  Value upperHalf(Value a, Value c, bool isSigned);
  Value upperWord(Value a, Value c);

  ImplicitLocOpBuilder b;
  Value shaped;
  RankedTensorType type;
};

} // namespace

/// One number for all elements.
Value Integers::all(Type element, uint64_t number) {
  Attribute attribute = b.getIntegerAttr(element, number);
  if (type.hasStaticShape())
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(type.clone(element), attribute));
  Value constant = arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get({}, element), attribute));
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(b, shaped, dim));
  return BroadcastOp::create(b, cast<RankedTensorType>(type.clone(element)),
                             constant, ArrayRef<int64_t>(), sizes);
}

/// The upper word of a product of words without a sign: by halves, of which no
/// sum of products is too large for a word.
Value Integers::upperWord(Value a, Value c) {
  constexpr unsigned half = 32;
  Type element = type.getElementType();
  Value bits = all(element, half);
  Value mask = all(element, (uint64_t(1) << half) - 1);
  auto lower = [&](Value x) { return arith::AndIOp::create(b, x, mask); };
  auto upper = [&](Value x) { return arith::ShRUIOp::create(b, x, bits); };
  auto times = [&](Value x, Value y) { return arith::MulIOp::create(b, x, y); };
  auto plus = [&](Value x, Value y) { return arith::AddIOp::create(b, x, y); };
  Value low = times(lower(a), lower(c));
  Value first = plus(times(upper(a), lower(c)), upper(low));
  Value second = plus(times(lower(a), upper(c)), lower(first));
  return plus(plus(times(upper(a), upper(c)), upper(first)), upper(second));
}

Value Integers::upperHalf(Value a, Value c, bool isSigned) {
  constexpr unsigned word = 64;
  if (2 * width() > word) {
    Value product = upperWord(a, c);
    // A number that has a sign is less than its word by one of the upper word.
    auto negative = [&](Value sign, Value other) {
      Value zero = all(type.getElementType(), 0);
      Value isNegative =
          arith::CmpIOp::create(b, arith::CmpIPredicate::slt, sign, zero);
      return arith::SelectOp::create(b, isNegative, other, zero);
    };
    if (!isSigned)
      return product;
    product = arith::SubIOp::create(b, product, negative(a, c));
    return arith::SubIOp::create(b, product, negative(c, a));
  }
  // There are integers of whole bytes.
  Type element = b.getIntegerType(std::max(8u, 2 * width()));
  Type wide = type.clone(element);
  auto widened = [&](Value x) -> Value {
    if (isSigned)
      return arith::ExtSIOp::create(b, wide, x);
    return arith::ExtUIOp::create(b, wide, x);
  };
  Value product = arith::MulIOp::create(b, widened(a), widened(c));
  Value upper = arith::ShRUIOp::create(b, product, all(element, width()));
  return arith::TruncIOp::create(b, type, upper);
}

void Integers::split(IRRewriter &rewriter, arith::AddUIExtendedOp op) {
  Value sum = arith::AddIOp::create(b, op.getLhs(), op.getRhs());
  Value isLess =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, sum, op.getLhs());
  rewriter.replaceOp(op, {sum, isLess});
}

template <class Op> void Integers::splitProduct(IRRewriter &rewriter, Op op) {
  Value low = arith::MulIOp::create(b, op.getLhs(), op.getRhs());
  Value high = upperHalf(op.getLhs(), op.getRhs(),
                         std::is_same_v<Op, arith::MulSIExtendedOp>);
  rewriter.replaceOp(op, {low, high});
}

namespace {

struct SplitResultsPass final : fuse::impl::SplitResultsBase<SplitResultsPass> {
  void runOnOperation() final {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() != 2 ||
          !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
        return;
      rewriter.setInsertionPoint(op);
      if (auto sum = dyn_cast<arith::AddUIExtendedOp>(op))
        Integers(rewriter, op).split(rewriter, sum);
      else if (auto product = dyn_cast<arith::MulUIExtendedOp>(op))
        Integers(rewriter, op).splitProduct(rewriter, product);
      else if (auto product = dyn_cast<arith::MulSIExtendedOp>(op))
        Integers(rewriter, op).splitProduct(rewriter, product);
    });
  }
};

} // namespace
