//===- Evaluator.cpp - what an element is on data -------------------------===//
//
// Plain recursion; tests are small.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace fuse;

static int64_t valueOf(const AffineIndex &index, const Evaluator::Point &at) {
  int64_t value = index.constant;
  for (auto [var, coefficient] : index.terms)
    value += coefficient * at.at(var);
  return value;
}

double Evaluator::identityOf(CombineKind kind) {
  switch (kind) {
  case CombineKind::Max:
    return -INFINITY;
  case CombineKind::Min:
    return INFINITY;
  case CombineKind::Prod:
    return 1;
  default:
    return 0;
  }
}

double Evaluator::combine(CombineKind kind, double a, double b) {
  switch (kind) {
  case CombineKind::Max:
    return std::max(a, b);
  case CombineKind::Min:
    return std::min(a, b);
  case CombineKind::Prod:
    return a * b;
  default:
    return a + b;
  }
}

std::vector<Evaluator::Point> Evaluator::pointsOf(ArrayRef<IndexVar> vars) {
  std::vector<Point> points(1);
  for (const IndexVar &var : vars) {
    std::vector<Point> longer;
    for (const Point &point : points)
      for (int64_t i = 0; i < var.size.getNumber(); ++i) {
        longer.push_back(point);
        longer.back()[var] = i;
      }
    points = std::move(longer);
  }
  return points;
}

double Evaluator::reduceOver(const Element *reduction, const Element *body,
                             ArrayRef<Point> points, double start,
                             const Point &at) {
  double result = start;
  for (const Point &point : points) {
    Point inner = at;
    for (auto [var, value] : point)
      inner[var] = value;
    result = combine(combineOf(reduction), result, evaluate(body, inner));
  }
  return result;
}

double Evaluator::load(const Element *element, const Point &at) {
  auto type = cast<RankedTensorType>(element->tensor().getType());
  std::vector<double> &numbers = data[element->tensor()];
  if (numbers.empty()) {
    std::uniform_real_distribution<double> distribution(-1, 1.6);
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      double number = distribution(random);
      // Integers are 0 to 3.
      if (isa<IntegerType>(type.getElementType()))
        number = std::floor((number + 1) * 1.5);
      numbers.push_back(number);
    }
  }
  int64_t offset = 0;
  for (auto [index, size] : llvm::zip(element->indices(), type.getShape())) {
    int64_t i = index.computed
                    ? static_cast<int64_t>(evaluate(index.computed, at))
                    : valueOf(index.affine, at);
    if (i < 0 || i >= size)
      return 0;
    offset = offset * size + i;
  }
  return numbers[offset];
}

double Evaluator::applyOp(const Element *element, ArrayRef<double> x) {
  if (isOp<arith::AddFOp, arith::AddIOp>(element))
    return x[0] + x[1];
  if (isOp<arith::SubFOp, arith::SubIOp>(element))
    return x[0] - x[1];
  if (isOp<arith::MulFOp, arith::MulIOp>(element))
    return x[0] * x[1];
  if (isOp<arith::DivFOp>(element))
    return x[0] / x[1];
  if (isOp<arith::NegFOp>(element))
    return -x[0];
  if (isOp<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(element))
    return std::max(x[0], x[1]);
  if (isOp<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(element))
    return std::min(x[0], x[1]);
  if (isOp<arith::SelectOp>(element))
    return x[0] != 0 ? x[1] : x[2];
  if (isOp<arith::AndIOp>(element))
    return x[0] != 0 && x[1] != 0;
  if (isOp<arith::OrIOp>(element))
    return x[0] != 0 || x[1] != 0;
  if (isOp<arith::XOrIOp>(element))
    return (x[0] != 0) != (x[1] != 0);
  if (isOp<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
           arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp, arith::TruncIOp>(
          element))
    return x[0];
  if (isOp<math::ExpOp>(element))
    return std::exp(x[0]);
  if (isOp<math::Exp2Op>(element))
    return std::exp2(x[0]);
  if (isOp<math::TanhOp>(element))
    return std::tanh(x[0]);
  if (isOp<math::SqrtOp>(element))
    return std::sqrt(x[0]);
  if (isOp<math::RsqrtOp>(element))
    return 1 / std::sqrt(x[0]);
  if (isOp<arith::FloorDivSIOp>(element))
    return std::floor(x[0] / x[1]);
  if (isOp<arith::CeilDivSIOp>(element))
    return std::ceil(x[0] / x[1]);
  if (isOp<arith::CmpIOp>(element))
    switch (cast<arith::CmpIPredicateAttr>(
                element->pointwiseAttributes().get("predicate"))
                .getValue()) {
    case arith::CmpIPredicate::eq:
      return x[0] == x[1];
    case arith::CmpIPredicate::ne:
      return x[0] != x[1];
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::ult:
      return x[0] < x[1];
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::ule:
      return x[0] <= x[1];
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::ugt:
      return x[0] > x[1];
    case arith::CmpIPredicate::sge:
    case arith::CmpIPredicate::uge:
      return x[0] >= x[1];
    }
  if (isOp<arith::CmpFOp>(element))
    switch (cast<arith::CmpFPredicateAttr>(
                element->pointwiseAttributes().get("predicate"))
                .getValue()) {
    case arith::CmpFPredicate::OEQ:
      return x[0] == x[1];
    case arith::CmpFPredicate::OLT:
      return x[0] < x[1];
    case arith::CmpFPredicate::OGT:
      return x[0] > x[1];
    default:
      break;
    }
  llvm::errs() << "the tests know no " << element->pointwise() << "\n";
  std::abort();
}

double Evaluator::evaluate(const Element *element, const Point &at) {
  auto given = known.find(element);
  if (given != known.end())
    return given->second;
  switch (element->kind()) {
  case ElementKind::Load:
    return load(element, at);
  case ElementKind::Constant:
    if (auto number = dyn_cast<FloatAttr>(element->constant()))
      return number.getValueAsDouble();
    if (element->type().isInteger(1))
      return isNumber(element, 1);
    return cast<IntegerAttr>(element->constant()).getInt();
  case ElementKind::Position:
    return valueOf(element->position(), at);
  case ElementKind::Extent:
    return element->extent().getNumber();
  case ElementKind::Slot:
    llvm::errs() << "a slot without a value\n";
    std::abort();
  case ElementKind::Pointwise: {
    SmallVector<double> operands;
    for (const Element *operand : element->operands())
      operands.push_back(evaluate(operand, at));
    return applyOp(element, operands);
  }
  case ElementKind::Reduce:
    return reduceOver(element, element->operands()[0],
                      pointsOf(element->boundVars()),
                      identityOf(element->combine()), at);
  case ElementKind::Dot: {
    double sum = 0;
    for (const Point &point : pointsOf(element->boundVars())) {
      Point inner = at;
      for (auto [var, value] : point)
        inner[var] = value;
      sum += evaluate(element->operands()[0], inner) *
             evaluate(element->operands()[1], inner);
    }
    return sum;
  }
  }
  llvm_unreachable("all kinds are listed");
}
