//===- SeenDigits.cpp - how many digits of a number are seen --------------===//

#include "fuse/Dialect/Tile/Analysis/SeenDigits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

std::optional<APFloat> fuse::tile::numberOf(Value value) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

bool fuse::tile::isPart(Operation *op) {
  return isa<BroadcastOp, TransposeOp, ConvertLayoutOp>(op);
}

bool Signs::visit(Value value) {
  if (std::optional<APFloat> number = numberOf(value))
    return !number->isNegative() || number->isZero();
  if (!assumed.insert(value).second)
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return visitArgument(argument);
  return visitResult(cast<OpResult>(value));
}

bool Signs::visitArgument(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return false;
  unsigned carried = argument.getArgNumber() - loop.getNumInductionVars();
  return visit(loop.getInitArgs()[carried]) &&
         visit(loop.getYieldedValues()[carried]);
}

bool Signs::visitResult(OpResult result) {
  Operation *op = result.getOwner();
  if (isa<math::ExpOp, math::Exp2Op, math::AbsFOp, math::SqrtOp, math::RsqrtOp,
          arith::UIToFPOp>(op))
    return true;
  if (isa<arith::MulFOp>(op) && op->getOperand(0) == op->getOperand(1))
    return true;
  if (isa<arith::AddFOp, arith::MulFOp, arith::DivFOp, arith::MinimumFOp,
          arith::MinNumFOp, arith::ExtFOp, arith::TruncFOp>(op) ||
      isPart(op))
    return visitAll(op->getOperands());
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op)) {
    // What was assumed for the first one does not hold if it failed.
    llvm::DenseSet<Value> before = assumed;
    if (visit(op->getOperand(0)))
      return true;
    assumed = std::move(before);
    return visit(op->getOperand(1));
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return visit(select.getTrueValue()) && visit(select.getFalseValue());
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return visit(reduce.getSource());
  if (auto mask = dyn_cast<MaskOp>(op)) {
    auto otherwise = dyn_cast<FloatAttr>(mask.getOtherwise());
    return otherwise &&
           (!otherwise.getValue().isNegative() ||
            otherwise.getValue().isZero()) &&
           visit(mask.getSource());
  }
  if (isa<DotOp>(op))
    return visitAll(op->getOperands());
  if (auto collect = dyn_cast<CollectOp>(op))
    return visit(
        collect.getSources()[result.getResultNumber() / collect.getBlocks()]);
  if (isa<LoadOp>(op))
    return op->hasAttr(positiveAttrName);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visit(loop.getInitArgs()[result.getResultNumber()]) &&
           visit(loop.getYieldedValues()[result.getResultNumber()]);
  return false;
}

unsigned SeenDigits::visit(Value value) {
  if (!visited.insert(value).second)
    return 0;
  unsigned most = 0;
  for (OpOperand &use : value.getUses())
    most = std::max(most, visitUse(use));
  return most;
}

unsigned SeenDigits::visitYield(OpOperand &use) {
  Operation *parent = use.getOwner()->getParentOp();
  unsigned number = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return std::max(visit(loop.getRegionIterArg(number)),
                    visit(loop.getResult(number)));
  if (isa<scf::IfOp>(parent))
    return visit(parent->getResult(number));
  return all;
}

unsigned SeenDigits::visitUse(OpOperand &use) {
  Operation *op = use.getOwner();
  Value result = op->getNumResults() == 1 ? op->getResult(0) : Value();
  if (auto cast = dyn_cast<arith::TruncFOp>(op)) {
    auto type = mlir::cast<FloatType>(getElementTypeOrSelf(cast.getType()));
    return type.getFPMantissaWidth();
  }
  if (isa<arith::MulFOp, arith::DivFOp, arith::MaximumFOp, arith::MinimumFOp,
          arith::MaxNumFOp, arith::MinNumFOp, arith::NegFOp, MaskOp>(op) ||
      isPart(op))
    return visit(result);
  if (isa<arith::SelectOp>(op))
    return use.getOperandNumber() == 0 ? all : visit(result);
  // Terms of one sign cancel nothing.
  if (isa<arith::AddFOp>(op))
    return llvm::all_of(op->getOperands(),
                        [&](Value term) { return signs.isPositive(term); })
               ? visit(result)
               : all;
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    bool isSum = reduce.getKind() == CombineKind::Sum;
    bool isChoice = reduce.getKind() == CombineKind::Max ||
                    reduce.getKind() == CombineKind::Min;
    return isChoice || (isSum && signs.isPositive(use.get())) ? visit(result)
                                                              : all;
  }
  if (auto dot = dyn_cast<DotOp>(op)) {
    int64_t terms = 1;
    for (int64_t size :
         dot.getLhs().getType().getShape().take_back(dot.getContract()))
      terms *= size;
    bool isSure = terms >= manyTerms ||
                  llvm::all_of(op->getOperands(), [&](Value operand) {
                    return signs.isPositive(operand);
                  });
    return isSure ? visit(result) : all;
  }
  // Zero is zero, but for numbers below all others.
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    std::optional<APFloat> other =
        numberOf(op->getOperand(1 - use.getOperandNumber()));
    return other && other->isZero() ? 0 : all;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (use.getOperandNumber() < loop.getNumControlOperands())
      return all;
    unsigned number = use.getOperandNumber() - loop.getNumControlOperands();
    return std::max(visit(loop.getRegionIterArg(number)),
                    visit(loop.getResult(number)));
  }
  if (isa<scf::YieldOp>(op))
    return visitYield(use);
  if (auto collect = dyn_cast<CollectOp>(op)) {
    int64_t blocks = collect.getBlocks();
    unsigned most = 0;
    for (Value share :
         collect.getShares().slice(use.getOperandNumber() * blocks, blocks))
      most = std::max(most, visit(share));
    return most;
  }
  auto digits = op->getAttrOfType<IntegerAttr>(digitsAttrName);
  bool isStored = isa<StoreOp>(op) && use.getOperandNumber() == 0;
  return isStored && digits ? digits.getInt() : all;
}
