//===- Algebra.cpp - arithmetic on element expressions --------------------===//
//
// Every op is folded if its operands are numbers; what else is simplified are
// the 0s and 1s that separating and differentiating leave behind.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Algebra.h"
#include "fuse/Analysis/Fold.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <map>

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

bool fuse::isFloatCast(const Element *element) {
  return isOp<arith::ExtFOp, arith::TruncFOp>(element);
}

bool fuse::isNarrowingCast(const Element *element) {
  return isOp<arith::TruncFOp>(element);
}

CombineKind fuse::combineOf(const Element *reduction) {
  return reduction->kind() == ElementKind::Dot ? CombineKind::Sum
                                               : reduction->combine();
}

TypedAttr fuse::identityOf(CombineKind kind, Type type) {
  switch (kind) {
  case CombineKind::Sum:
  case CombineKind::Mean:
    return makeNumber(type, 0);
  case CombineKind::Prod:
    return makeNumber(type, 1);
  case CombineKind::Max:
  case CombineKind::Min:
    break;
  }
  bool isMax = kind == CombineKind::Max;
  if (auto floats = dyn_cast<FloatType>(type))
    return FloatAttr::get(
        type, APFloat::getInf(floats.getFloatSemantics(), /*Negative=*/isMax));
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, isMax ? APInt::getSignedMinValue(width)
                                      : APInt::getSignedMaxValue(width));
}

bool fuse::isNumber(TypedAttr attribute, double value) {
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return number.getValueAsDouble() == value;
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute)) {
    const APInt &bits = number.getValue();
    double found = bits.getBitWidth() == 1
                       ? static_cast<double>(bits.getZExtValue())
                       : static_cast<double>(bits.getSExtValue());
    return found == value;
  }
  return false;
}

bool fuse::isNumber(const Element *element, double value) {
  return element->kind() == ElementKind::Constant &&
         isNumber(element->constant(), value);
}

bool fuse::containsAny(const Element *element,
                       ArrayRef<const Element *> among) {
  return llvm::any_of(among, [&](const Element *reduction) {
    return llvm::is_contained(element->reductions(), reduction);
  });
}

bool fuse::variesWithAny(const Element *element, ArrayRef<IndexVar> vars) {
  return llvm::any_of(
      vars, [&](const IndexVar &var) { return element->variesWith(var); });
}

static bool contains(const Element *element, const Element *part,
                     llvm::DenseSet<const Element *> &seen) {
  if (element == part)
    return true;
  if (!seen.insert(element).second ||
      (element->isReduction() && variesWithAny(part, element->boundVars())))
    return false;
  return llvm::any_of(element->operands(), [&](const Element *operand) {
    return contains(operand, part, seen);
  });
}

bool fuse::contains(const Element *element, const Element *part) {
  llvm::DenseSet<const Element *> seen;
  return ::contains(element, part, seen);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

const Element *Algebra::number(Type type, double value) const {
  return context.constant(makeNumber(type, value));
}

const Element *Algebra::sizeOf(ArrayRef<IndexVar> vars, Type type) const {
  int64_t known = 1;
  for (const IndexVar &var : vars)
    if (var.size.isNumber())
      known *= var.size.getNumber();
  const Element *size = number(type, static_cast<double>(known));
  Type integers = IntegerType::get(context.getContext(), 64);
  for (const IndexVar &var : vars)
    if (!var.size.isNumber())
      size = mul(size, convert(context.extent(var.size, integers), type));
  return size;
}

const Element *Algebra::position(const IndexVar &var) const {
  return context.position(AffineIndex::of(var),
                          IntegerType::get(context.getContext(), 64));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isConstant(const Element *element) {
  return element->kind() == ElementKind::Constant;
}

/// An op on scalars, or the number that it gives.
template <typename OpTy>
static const Element *build(ElementContext &context, Type type,
                            ArrayRef<const Element *> operands,
                            DictionaryAttr attributes = {}) {
  const Element *element = context.pointwise<OpTy>(type, operands, attributes);
  if (!llvm::all_of(operands, isConstant))
    return element;
  SmallVector<TypedAttr> numbers;
  for (const Element *operand : operands)
    numbers.push_back(operand->constant());
  TypedAttr folded = evaluate(element, numbers);
  return folded ? context.constant(folded) : element;
}

const Element *Algebra::convert(const Element *a, Type type) const {
  Type from = a->type();
  if (from == type)
    return a;
  MLIRContext *mlir = context.getContext();
  if (isa<FloatType>(from) && isa<FloatType>(type)) {
    unsigned width = from.getIntOrFloatBitWidth(),
             wanted = type.getIntOrFloatBitWidth();
    if (width < wanted)
      return build<arith::ExtFOp>(context, type, {a});
    if (width > wanted)
      return build<arith::TruncFOp>(context, type, {a});
    return convert(convert(a, Float32Type::get(mlir)), type);
  }
  if (isa<FloatType>(from))
    return build<arith::FPToSIOp>(context, type, {a});
  if (from.isIndex())
    return convert(
        build<arith::IndexCastOp>(context, IntegerType::get(mlir, 64), {a}),
        type);
  if (isa<FloatType>(type))
    return from.isInteger(1) ? build<arith::UIToFPOp>(context, type, {a})
                             : build<arith::SIToFPOp>(context, type, {a});
  if (type.isIndex())
    return build<arith::IndexCastOp>(context, type,
                                     {convert(a, IntegerType::get(mlir, 64))});
  if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return build<arith::TruncIOp>(context, type, {a});
  return from.isInteger(1) ? build<arith::ExtUIOp>(context, type, {a})
                           : build<arith::ExtSIOp>(context, type, {a});
}

/// The type in which operands of two types are computed with.
static Type joinTypes(Type a, Type b) {
  if (a == b)
    return a;
  if (isa<FloatType>(a) != isa<FloatType>(b))
    return isa<FloatType>(a) ? a : b;
  if (a.isIndex() || b.isIndex())
    return IntegerType::get(a.getContext(), 64);
  unsigned widthA = a.getIntOrFloatBitWidth(),
           widthB = b.getIntOrFloatBitWidth();
  if (widthA != widthB)
    return widthA > widthB ? a : b;
  // f16 and bf16, or two floats of 8 bits: neither holds the other.
  return Float32Type::get(a.getContext());
}

std::pair<const Element *, const Element *>
Algebra::meet(const Element *a, const Element *b) const {
  Type type = joinTypes(a->type(), b->type());
  return {convert(a, type), convert(b, type)};
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Positions and integers are affine, and so are their sums.
static std::optional<AffineIndex> asAffine(const Element *element) {
  if (element->kind() == ElementKind::Position)
    return element->position();
  if (!isConstant(element))
    return std::nullopt;
  AffineIndex index;
  index.constant = cast<IntegerAttr>(element->constant()).getInt();
  return index;
}

/// a + sign * b, if that is a position.
static const Element *addPositions(ElementContext &context, const Element *a,
                                   const Element *b, int64_t sign) {
  if (isa<FloatType>(a->type()) || (isConstant(a) && isConstant(b)))
    return nullptr;
  std::optional<AffineIndex> first = asAffine(a), second = asAffine(b);
  if (!first || !second)
    return nullptr;
  return context.position(*first + *second * sign, a->type());
}

const Element *Algebra::add(const Element *a, const Element *b) const {
  std::tie(a, b) = meet(a, b);
  if (const Element *position = addPositions(context, a, b, 1))
    return position;
  if (isNumber(a, 0))
    return b;
  if (isNumber(b, 0))
    return a;
  if (!isa<FloatType>(a->type()))
    return build<arith::AddIOp>(context, a->type(), {a, b});
  if (isOp<arith::NegFOp>(b))
    return sub(a, b->operands()[0]);
  return build<arith::AddFOp>(context, a->type(), {a, b});
}

const Element *Algebra::sub(const Element *a, const Element *b) const {
  std::tie(a, b) = meet(a, b);
  if (isNumber(b, 0))
    return a;
  if (a == b)
    return zero(a->type());
  if (const Element *position = addPositions(context, a, b, -1))
    return position;
  if (!isa<FloatType>(a->type()))
    return build<arith::SubIOp>(context, a->type(), {a, b});
  if (isNumber(a, 0))
    return neg(b);
  if (isOp<arith::NegFOp>(b))
    return add(a, b->operands()[0]);
  return build<arith::SubFOp>(context, a->type(), {a, b});
}

const Element *Algebra::mul(const Element *a, const Element *b) const {
  if (!a || !b)
    return a ? a : b;
  std::tie(a, b) = meet(a, b);
  if (isNumber(a, 1) || isNumber(b, 0))
    return b;
  if (isNumber(b, 1) || isNumber(a, 0))
    return a;
  if (!isa<FloatType>(a->type()))
    return build<arith::MulIOp>(context, a->type(), {a, b});
  if (isNumber(a, -1))
    return neg(b);
  if (isNumber(b, -1))
    return neg(a);
  return build<arith::MulFOp>(context, a->type(), {a, b});
}

const Element *Algebra::div(const Element *a, const Element *b) const {
  if (!b)
    return a;
  if (!a)
    a = one(b->type());
  std::tie(a, b) = meet(a, b);
  if (isNumber(b, 1) || isNumber(a, 0))
    return a;
  return build<arith::DivFOp>(context, a->type(), {a, b});
}

const Element *Algebra::neg(const Element *a) const {
  if (!isa<FloatType>(a->type()))
    return sub(zero(a->type()), a);
  if (isOp<arith::NegFOp>(a))
    return a->operands()[0];
  return build<arith::NegFOp>(context, a->type(), {a});
}

const Element *Algebra::exp(const Element *a) const {
  return build<math::ExpOp>(context, a->type(), {a});
}

const Element *Algebra::max(const Element *a, const Element *b) const {
  std::tie(a, b) = meet(a, b);
  if (a == b)
    return a;
  return isa<FloatType>(a->type())
             ? build<arith::MaximumFOp>(context, a->type(), {a, b})
             : build<arith::MaxSIOp>(context, a->type(), {a, b});
}

const Element *Algebra::min(const Element *a, const Element *b) const {
  std::tie(a, b) = meet(a, b);
  if (a == b)
    return a;
  return isa<FloatType>(a->type())
             ? build<arith::MinimumFOp>(context, a->type(), {a, b})
             : build<arith::MinSIOp>(context, a->type(), {a, b});
}

const Element *Algebra::select(const Element *condition, const Element *a,
                               const Element *b) const {
  std::tie(a, b) = meet(a, b);
  if (isNumber(condition, 1) || a == b)
    return a;
  if (isNumber(condition, 0))
    return b;
  return context.pointwise<arith::SelectOp>(a->type(), {condition, a, b});
}

const Element *Algebra::logicalAnd(const Element *a, const Element *b) const {
  if (a == b || isNumber(a, 0) || isNumber(b, 1))
    return a;
  if (isNumber(b, 0) || isNumber(a, 1))
    return b;
  return context.pointwise<arith::AndIOp>(a->type(), {a, b});
}

static arith::CmpFPredicate orderedOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return arith::CmpFPredicate::OEQ;
  case arith::CmpIPredicate::ne:
    // What is not equal, NaN included.
    return arith::CmpFPredicate::UNE;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return arith::CmpFPredicate::OLT;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return arith::CmpFPredicate::OLE;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return arith::CmpFPredicate::OGT;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("all predicates are listed");
}

static DictionaryAttr withPredicate(MLIRContext *context, Attribute predicate) {
  return DictionaryAttr::get(context, {NamedAttribute("predicate", predicate)});
}

const Element *Algebra::compare(arith::CmpIPredicate predicate,
                                const Element *a, const Element *b) const {
  std::tie(a, b) = meet(a, b);
  MLIRContext *mlir = context.getContext();
  Type type = IntegerType::get(mlir, 1);
  if (isa<FloatType>(a->type()))
    return build<arith::CmpFOp>(
        context, type, {a, b},
        withPredicate(
            mlir, arith::CmpFPredicateAttr::get(mlir, orderedOf(predicate))));
  return build<arith::CmpIOp>(
      context, type, {a, b},
      withPredicate(mlir, arith::CmpIPredicateAttr::get(mlir, predicate)));
}

const Element *Algebra::logicalNot(const Element *condition) const {
  MLIRContext *mlir = context.getContext();
  Type type = condition->type();
  if (isOp<arith::CmpIOp>(condition)) {
    auto predicate = cast<arith::CmpIPredicateAttr>(
        condition->pointwiseAttributes().get("predicate"));
    return context.pointwise<arith::CmpIOp>(
        type, condition->operands(),
        withPredicate(mlir,
                      arith::CmpIPredicateAttr::get(
                          mlir, arith::invertPredicate(predicate.getValue()))));
  }
  if (isOp<arith::XOrIOp>(condition) && isNumber(condition->operands()[1], 1))
    return condition->operands()[0];
  return build<arith::XOrIOp>(context, type, {condition, one(type)});
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

const Element *Algebra::bodyOf(const Element *reduction) const {
  if (reduction->kind() == ElementKind::Reduce)
    return reduction->operands()[0];
  return mul(convert(reduction->operands()[0], reduction->type()),
             convert(reduction->operands()[1], reduction->type()));
}

const Element *Algebra::countOf(ArrayRef<IndexVar> vars, Type floatType) const {
  const Element *isInside = nullptr;
  for (const IndexVar &var : vars) {
    const Element *index = position(var);
    const Element *below = compare(arith::CmpIPredicate::slt, index,
                                   sizeOf(ArrayRef(var), index->type()));
    isInside = isInside ? logicalAnd(isInside, below) : below;
  }
  return context.reduce(CombineKind::Sum, vars,
                        select(isInside, one(floatType), zero(floatType)));
}

const Element *Algebra::takeOut(const Element *like,
                                ArrayRef<const Element *> bodies,
                                const Element *count) const {
  const Element *product = count;
  for (const Element *body : bodies) {
    if (!body)
      continue;
    if (variesWithAny(body, like->boundVars()))
      return nullptr;
    product = mul(product, convert(body, like->type()));
  }
  return product;
}

const Element *Algebra::makeSum(const Element *like,
                                ArrayRef<const Element *> bodies) const {
  Type type = like->type();
  auto isZero = [](const Element *body) { return body && isNumber(body, 0); };
  if (llvm::any_of(bodies, isZero))
    return zero(type);
  bool isKnown = llvm::all_of(like->boundVars(), [](const IndexVar &var) {
    return var.size.isNumber();
  });
  const Element *count = isKnown ? sizeOf(like->boundVars(), type)
                                 : countOf(like->boundVars(), type);
  if (const Element *outside = takeOut(like, bodies, count))
    return outside;

  bool isProduct = bodies.size() == 2 && bodies[0] && bodies[1] &&
                   !llvm::any_of(bodies, isConstant);
  if (like->kind() == ElementKind::Dot && isProduct) {
    auto [a, b] = meet(bodies[0], bodies[1]);
    return context.dot(like->boundVars(), a, b, type, like->precision());
  }
  const Element *body = nullptr;
  for (const Element *factor : bodies)
    if (factor)
      body = mul(body, convert(factor, type));
  return context.reduce(CombineKind::Sum, like->boundVars(), body);
}

const Element *Algebra::makeRunningSum(const Element *like,
                                       ArrayRef<const Element *> bodies) const {
  if (!llvm::any_of(bodies, [](const Element *body) {
        return body && isNumber(body, 0);
      }))
    if (const Element *outside =
            takeOut(like, bodies, countOf(like->boundVars(), like->type())))
      return outside;
  return makeSum(like, bodies);
}

//===----------------------------------------------------------------------===//
// Rebuilding
//===----------------------------------------------------------------------===//

namespace {

class Rebuilder {
public:
  Rebuilder(ElementContext &context, Algebra::Replace replace)
      : context(context), replace(replace) {}

  /// `bound`: the variables bound around `element`, since we began.
  const Element *rebuild(const Element *element, const VarSet &bound) {
    auto &memo = memos[bound];
    if (const Element *known = memo.lookup(element))
      return known;
    const Element *result =
        variesWithAny(element, bound) ? nullptr : replace(element);
    if (!result) {
      VarSet inner = bound;
      if (element->isReduction())
        for (const IndexVar &var : element->boundVars())
          if (!llvm::is_contained(inner, var))
            inner.insert(llvm::lower_bound(inner, var), var);
      SmallVector<const Element *> operands;
      for (const Element *operand : element->operands())
        operands.push_back(rebuild(operand, inner));
      result = context.withOperands(element, operands);
    }
    // Rebuilding operands may have moved the memo.
    memos[bound][element] = result;
    return result;
  }

private:
  ElementContext &context;
  Algebra::Replace replace;
  /// What becomes of an element depends on what is bound around it.
  std::map<VarSet, llvm::DenseMap<const Element *, const Element *>> memos;
};

} // namespace

const Element *Algebra::rebuild(const Element *element, Replace replace) const {
  return Rebuilder(context, replace).rebuild(element, {});
}

const Element *Algebra::substitute(
    const Element *element,
    const llvm::DenseMap<const Element *, const Element *> &table) const {
  return rebuild(element, [&](const Element *part) -> const Element * {
    if (const Element *value = table.lookup(part))
      return value;
    return part->isReduction() ? part : nullptr;
  });
}
