//===- Pointwise.cpp - lower pointwise math, op by op ---------------------===//
//
// One pattern for every op of arith and math. Not upstream's, which names an
// operand as the destination: that operand's memory would be counted once for
// both, although the result gets memory of its own.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;

namespace {

struct ConvertPointwise final : RewritePattern {
  explicit ConvertPointwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const final {
    // A scalar among the operands chooses between whole tensors.
    if (!OpTrait::hasElementwiseMappableTraits(op) ||
        op->getNumOperands() == 0 ||
        !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
      return rewriter.notifyMatchFailure(op, "not pointwise on tensors");
    Location loc = op->getLoc();
    Sizes sizes = sizesOf(rewriter, op->getOperand(0));
    SmallVector<Value> fresh;
    SmallVector<Type> types, elementTypes;
    for (Type type : op->getResultTypes()) {
      elementTypes.push_back(cast<RankedTensorType>(type).getElementType());
      fresh.push_back(
          tensor::EmptyOp::create(rewriter, loc, sizes, elementTypes.back()));
      types.push_back(fresh.back().getType());
    }
    unsigned numInputs = op->getNumOperands();
    SmallVector<AffineMap> maps(numInputs + fresh.size(),
                                rewriter.getMultiDimIdentityMap(sizes.size()));
    SmallVector<utils::IteratorType> iterators(sizes.size(),
                                               utils::IteratorType::parallel);
    auto build = [&](OpBuilder &b, Location at, ValueRange elements) {
      Operation *scalar = b.create(at, op->getName().getIdentifier(),
                                   elements.take_front(numInputs), elementTypes,
                                   op->getAttrs());
      linalg::YieldOp::create(b, at, scalar->getResults());
    };
    auto loops = linalg::GenericOp::create(
        rewriter, loc, types, op->getOperands(), fresh, maps, iterators, build);
    // A result's type may know more or fewer sizes than an operand's.
    SmallVector<Value> results;
    for (auto [value, type] :
         llvm::zip_equal(loops.getResults(), op->getResultTypes()))
      results.push_back(
          value.getType() == type
              ? Value(value)
              : tensor::CastOp::create(rewriter, loc, type, value).getResult());
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void fuse::populatePointwisePatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertPointwise>(patterns.getContext());
}
