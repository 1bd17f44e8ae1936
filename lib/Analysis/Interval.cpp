//===- Interval.cpp - predicates over a block of indices ------------------===//
//
// Intervals are of 64 bits. Whatever may leave its type's range is unknown:
// integers wrap, and an index that has wrapped is none.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Interval.h"
#include "fuse/Analysis/Algebra.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;

using MaybeInterval = std::optional<Interval>;

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// All numbers of a type, as the signed ones that they are compared as; an i1
/// is 0 or 1.
static MaybeInterval rangeOf(Type type) {
  if (!type.isIntOrIndex() || widthOf(type) > 64)
    return std::nullopt;
  if (type.isInteger(1))
    return Interval{0, 1};
  return Interval{llvm::minIntN(widthOf(type)), llvm::maxIntN(widthOf(type))};
}

/// The interval, if numbers of this type hold all of it.
static MaybeInterval inType(MaybeInterval interval, Type type) {
  MaybeInterval range = rangeOf(type);
  if (!interval || !range || !range->contains(*interval))
    return std::nullopt;
  return interval;
}

static MaybeInterval between(std::optional<int64_t> low,
                             std::optional<int64_t> high) {
  if (!low || !high)
    return std::nullopt;
  return Interval{*low, *high};
}

static MaybeInterval addIntervals(const Interval &a, const Interval &b) {
  return between(llvm::checkedAdd(a.low, b.low),
                 llvm::checkedAdd(a.high, b.high));
}

static MaybeInterval mulIntervals(const Interval &a, const Interval &b) {
  Interval product{INT64_MAX, INT64_MIN};
  for (int64_t x : {a.low, a.high})
    for (int64_t y : {b.low, b.high}) {
      std::optional<int64_t> corner = llvm::checkedMul(x, y);
      if (!corner)
        return std::nullopt;
      product.low = std::min(product.low, *corner);
      product.high = std::max(product.high, *corner);
    }
  return product;
}

/// 1 where it always holds, 0 where it never does, and both where it may.
static Interval compareIntervals(arith::CmpIPredicate predicate, Interval a,
                                 Interval b) {
  auto truth = [](bool always, bool sometimes) {
    return Interval{always, always || sometimes};
  };
  switch (predicate) {
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::slt:
    return truth(a.high < b.low, a.low < b.high);
  case arith::CmpIPredicate::ule:
  case arith::CmpIPredicate::sle:
    return truth(a.high <= b.low, a.low <= b.high);
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::sgt:
    return truth(a.low > b.high, a.high > b.low);
  case arith::CmpIPredicate::uge:
  case arith::CmpIPredicate::sge:
    return truth(a.low >= b.high, a.high >= b.low);
  case arith::CmpIPredicate::eq:
    return truth(a.low == a.high && a == b, a.low <= b.high && b.low <= a.high);
  case arith::CmpIPredicate::ne:
    return truth(a.high < b.low || b.high < a.low,
                 !(a.low == a.high && a == b));
  }
  llvm_unreachable("all predicates are listed");
}

static arith::CmpIPredicate predicateOf(const Element *comparison) {
  return cast<arith::CmpIPredicateAttr>(
             comparison->pointwiseAttributes().get("predicate"))
      .getValue();
}

static bool isUnsigned(arith::CmpIPredicate predicate) {
  return predicate >= arith::CmpIPredicate::ult;
}

static MaybeInterval intervalOfLogic(const Element *element, MaybeInterval a,
                                     MaybeInterval b) {
  const Interval unknown{0, 1};
  Interval x = a.value_or(unknown), y = b.value_or(unknown);
  if (isOp<arith::AndIOp>(element))
    return Interval{x.low & y.low, x.high & y.high};
  if (isOp<arith::OrIOp>(element))
    return Interval{x.low | y.low, x.high | y.high};
  if (isNumber(element->operands()[1], 1))
    return Interval{1 - x.high, 1 - x.low};
  return unknown;
}

/// Of an op whose operands are known.
static MaybeInterval apply(const Element *element, ArrayRef<Interval> of) {
  if (isOp<arith::AddIOp>(element))
    return addIntervals(of[0], of[1]);
  if (isOp<arith::SubIOp>(element))
    return between(llvm::checkedSub(of[0].low, of[1].high),
                   llvm::checkedSub(of[0].high, of[1].low));
  if (isOp<arith::MulIOp>(element))
    return mulIntervals(of[0], of[1]);
  if (isOp<arith::MaxSIOp>(element))
    return Interval{std::max(of[0].low, of[1].low),
                    std::max(of[0].high, of[1].high)};
  if (isOp<arith::MinSIOp>(element))
    return Interval{std::min(of[0].low, of[1].low),
                    std::min(of[0].high, of[1].high)};
  if (isOp<arith::ExtSIOp>(element))
    // The one i1 that is not 0 is -1 to this op.
    return element->operands()[0]->type().isInteger(1)
               ? Interval{-of[0].high, -of[0].low}
               : of[0];
  if (isOp<arith::ExtUIOp, arith::IndexCastUIOp>(element))
    return of[0].low >= 0 ? MaybeInterval(of[0]) : std::nullopt;
  if (isOp<arith::TruncIOp, arith::IndexCastOp>(element))
    return of[0];
  bool isPositive = of.size() == 2 && of[0].low >= 0 && of[1].low > 0;
  if (isPositive &&
      isOp<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(element))
    return Interval{of[0].low / of[1].high, of[0].high / of[1].low};
  if (isPositive && isOp<arith::RemSIOp, arith::RemUIOp>(element))
    return Interval{0, std::min(of[0].high, of[1].high - 1)};
  return std::nullopt;
}

static MaybeInterval intervalOfPosition(const AffineIndex &index,
                                        const Windows &windows) {
  MaybeInterval sum = Interval{index.constant, index.constant};
  for (auto [var, coefficient] : index.terms) {
    MaybeInterval window = windows.ofVar(var);
    if (!window)
      return std::nullopt;
    MaybeInterval term = mulIntervals(*window, {coefficient, coefficient});
    sum = term ? addIntervals(*sum, *term) : std::nullopt;
    if (!sum)
      return std::nullopt;
  }
  return sum;
}

namespace {

/// Looks at each element once, however many ways lead to it.
class Finder {
public:
  explicit Finder(const Windows &windows) : windows(windows) {}

  MaybeInterval find(const Element *element);

private:
  MaybeInterval findPointwise(const Element *element);

  const Windows &windows;
  llvm::SmallDenseMap<const Element *, MaybeInterval, 8> found;
};

} // namespace

MaybeInterval Finder::find(const Element *element) {
  Type type = element->type();
  if (!type.isIntOrIndex())
    return std::nullopt;
  switch (element->kind()) {
  case ElementKind::Constant: {
    APInt bits = cast<IntegerAttr>(element->constant()).getValue();
    if (bits.getSignificantBits() > 64)
      return std::nullopt;
    int64_t number =
        type.isInteger(1) ? bits.getZExtValue() : bits.getSExtValue();
    return Interval{number, number};
  }
  case ElementKind::Position:
    return inType(intervalOfPosition(element->position(), windows), type);
  case ElementKind::Load:
  case ElementKind::Extent:
  case ElementKind::Slot:
  case ElementKind::Reduce:
  case ElementKind::Dot:
    if (windows.ofLeaf)
      if (MaybeInterval known = windows.ofLeaf(element))
        return known;
    return rangeOf(type);
  case ElementKind::Pointwise:
    break;
  }
  if (auto known = found.find(element); known != found.end())
    return known->second;
  MaybeInterval interval = findPointwise(element);
  found[element] = interval;
  return interval;
}

MaybeInterval Finder::findPointwise(const Element *element) {
  Type type = element->type();
  SmallVector<MaybeInterval> operands;
  for (const Element *operand : element->operands())
    operands.push_back(find(operand));
  if (isOp<arith::CmpIOp>(element)) {
    arith::CmpIPredicate predicate = predicateOf(element);
    if (!operands[0] || !operands[1] ||
        (isUnsigned(predicate) &&
         (operands[0]->low < 0 || operands[1]->low < 0)))
      return rangeOf(type);
    return compareIntervals(predicate, *operands[0], *operands[1]);
  }
  if (type.isInteger(1) &&
      isOp<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(element))
    return intervalOfLogic(element, operands[0], operands[1]);
  if (isOp<arith::SelectOp>(element)) {
    if (!operands[1] || !operands[2])
      return rangeOf(type);
    if (operands[0] && operands[0]->low == operands[0]->high)
      return operands[operands[0]->low == 1 ? 1 : 2];
    return Interval{std::min(operands[1]->low, operands[2]->low),
                    std::max(operands[1]->high, operands[2]->high)};
  }
  SmallVector<Interval> known;
  for (MaybeInterval operand : operands)
    if (operand)
      known.push_back(*operand);
  MaybeInterval result = known.size() == operands.size()
                             ? inType(apply(element, known), type)
                             : std::nullopt;
  // Whatever it is, it is a number of its type.
  return result ? result : rangeOf(type);
}

MaybeInterval fuse::intervalOf(const Element *element, const Windows &windows) {
  return Finder(windows).find(element);
}

Truth fuse::classify(const Element *predicate, const Windows &windows) {
  MaybeInterval interval = intervalOf(predicate, windows);
  if (!interval || interval->low != interval->high)
    return Truth::Mixed;
  return interval->low == 1 ? Truth::Always : Truth::Never;
}

bool fuse::cannotWrap(const Element *op, const Windows &windows) {
  Finder finder(windows);
  SmallVector<Interval> operands;
  for (const Element *operand : op->operands()) {
    MaybeInterval interval = finder.find(operand);
    if (!interval)
      return false;
    operands.push_back(*interval);
  }
  return inType(apply(op, operands), op->type()).has_value();
}
