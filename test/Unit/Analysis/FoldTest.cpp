//===- FoldTest.cpp - what an expression is under an assumption -----------===//
//
// What folds to a number has to be that number on data.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Fold.h"
#include "Evaluator.h"
#include "GraphTest.h"
#include <cmath>

using namespace mlir;
using namespace fuse;

namespace {

class FoldTest : public GraphTest {
protected:
  FoldTest() : f32(Float32Type::get(&context)) {
    x = demand(R"(
      func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
        return %x : tensor<4x8xf32>
      })");
    y = demand(R"(
      func.func @f(%y: tensor<4x8xf32>) -> tensor<4x8xf32> {
        return %y : tensor<4x8xf32>
      })");
  }

  const Element *number(double value) { return algebra.number(f32, value); }

  /// `element`, if x is this number and nothing else is known.
  TypedAttr foldWith(const Element *element, double value) {
    auto known = [&](const Element *part) {
      return part == x ? makeNumber(f32, value) : TypedAttr();
    };
    return fold(element, known, x->freeVars());
  }

  /// The type of `element` is a float narrower than f32; the cast of a number.
  double castTo(Type type, double value) {
    TypedAttr number = foldWith(algebra.convert(x, type), value);
    return number ? cast<FloatAttr>(number).getValueAsDouble() : NAN;
  }

  Type f32;
  const Element *x, *y;
};

} // namespace

TEST_F(FoldTest, NothingIsKnownWithoutAssumptions) {
  auto nothing = [](const Element *) { return TypedAttr(); };
  EXPECT_FALSE(fold(algebra.add(x, y), nothing, {}));
  EXPECT_FALSE(fold(x, nothing, {}));
}

TEST_F(FoldTest, ZeroTimesUnknownIsZero) {
  EXPECT_TRUE(isNumber(foldWith(algebra.mul(x, y), 0), 0));
  EXPECT_TRUE(isNumber(foldWith(algebra.div(x, y), 0), 0));
  EXPECT_FALSE(foldWith(algebra.div(y, x), 0));
  EXPECT_FALSE(foldWith(algebra.mul(x, y), 1));
  EXPECT_FALSE(foldWith(algebra.add(x, y), 0));
}

TEST_F(FoldTest, MinusInfinitySwallowsWhatIsFinite) {
  double infinity = INFINITY;
  EXPECT_TRUE(isNumber(foldWith(algebra.sub(x, y), -infinity), -infinity));
  EXPECT_TRUE(isNumber(foldWith(algebra.sub(y, x), -infinity), infinity));
  EXPECT_TRUE(isNumber(foldWith(algebra.add(y, x), -infinity), -infinity));
  EXPECT_TRUE(isNumber(
      foldWith(algebra.mul(algebra.exp(algebra.sub(x, y)), y), -infinity), 0));
  EXPECT_FALSE(foldWith(algebra.max(x, y), -infinity));
  EXPECT_TRUE(isNumber(foldWith(algebra.max(x, y), infinity), infinity));
  EXPECT_TRUE(isNumber(foldWith(algebra.min(y, x), -infinity), -infinity));
  // Two infinities are no number.
  TypedAttr none =
      foldWith(algebra.sub(x, algebra.add(x, number(1))), -infinity);
  ASSERT_TRUE(none);
  EXPECT_TRUE(cast<FloatAttr>(none).getValue().isNaN());
}

TEST_F(FoldTest, BranchesThatAgreeNeedNoCondition) {
  const Element *condition =
      algebra.compare(arith::CmpIPredicate::slt, y, number(0));
  EXPECT_TRUE(
      isNumber(foldWith(algebra.select(condition, x, number(2)), 2), 2));
  EXPECT_FALSE(foldWith(algebra.select(condition, x, number(2)), 3));
  const Element *known =
      algebra.compare(arith::CmpIPredicate::slt, x, number(0));
  EXPECT_TRUE(isNumber(foldWith(algebra.select(known, number(5), y), -1), 5));
  EXPECT_FALSE(foldWith(algebra.select(known, number(5), y), 1));
}

TEST_F(FoldTest, CastsRound) {
  EXPECT_EQ(castTo(Float16Type::get(&context), 1 + 1.0 / 4096), 1);
  EXPECT_EQ(castTo(Float16Type::get(&context), 65504), 65504);
  EXPECT_EQ(castTo(Float16Type::get(&context), 1e6), INFINITY);
  EXPECT_EQ(castTo(BFloat16Type::get(&context), 1 + 1.0 / 512), 1);
  EXPECT_EQ(castTo(Float8E4M3FNType::get(&context), 17), 16);
  // Casts to this type saturate.
  EXPECT_EQ(castTo(Float8E4M3FNType::get(&context), 1e6), 448);
  EXPECT_EQ(castTo(Float8E4M3FNType::get(&context), -INFINITY), -448);
}

TEST_F(FoldTest, ReductionsOfIdentitiesAreIdentities) {
  IndexVar var{Size::number(8), 0, 0};
  EXPECT_TRUE(isNumber(
      foldWith(elements.reduce(CombineKind::Sum, var, algebra.mul(x, y)), 0),
      0));
  EXPECT_FALSE(foldWith(elements.reduce(CombineKind::Sum, var, x), 1));
  EXPECT_TRUE(
      isNumber(foldWith(elements.reduce(CombineKind::Max, var, x), -INFINITY),
               -INFINITY));
  EXPECT_FALSE(foldWith(elements.reduce(CombineKind::Max, var, x), 0));
  EXPECT_TRUE(
      isNumber(foldWith(elements.dot(var, y, x, f32, Precision::Ieee), 0), 0));
}

TEST_F(FoldTest, WhoBindsTheVariableIsUnknown) {
  // Inside of the sum x is another element of x.
  IndexVar var = x->freeVars()[1];
  const Element *sum = elements.reduce(CombineKind::Sum, var, x);
  EXPECT_FALSE(foldWith(sum, 0));
}

TEST_F(FoldTest, IntegersWrapAndDivisionsByZeroAreUnknown) {
  Type i8 = IntegerType::get(&context, 8);
  const Element *large = algebra.number(i8, 127), *one = algebra.one(i8);
  EXPECT_TRUE(isNumber(algebra.add(large, one), -128));
  const Element *quotient =
      elements.pointwise<arith::DivSIOp>(i8, {one, algebra.zero(i8)});
  EXPECT_FALSE(
      evaluate(quotient, {one->constant(), algebra.zero(i8)->constant()}));
}

TEST_F(FoldTest, AgreesWithEvaluation) {
  // Whatever folds when x is known is that number for every y.
  std::mt19937 random(1);
  auto grow = [&](auto &self, unsigned depth) -> const Element * {
    if (depth == 0)
      switch (random() % 4) {
      case 0:
        return number(static_cast<int>(random() % 5) - 2);
      case 1:
        return y;
      default:
        return x;
      }
    const Element *a = self(self, depth - 1), *b = self(self, random() % depth);
    switch (random() % 9) {
    case 0:
      return algebra.add(a, b);
    case 1:
      return algebra.sub(a, b);
    case 2:
    case 3:
      return algebra.mul(a, b);
    case 4:
      return algebra.exp(a);
    case 5:
      return algebra.max(a, b);
    case 6:
      return algebra.min(a, b);
    case 7:
      return algebra.div(a, algebra.add(algebra.mul(b, b), number(1)));
    default:
      return algebra.select(algebra.compare(arith::CmpIPredicate::slt, a, b), b,
                            a);
    }
  };
  unsigned numFolded = 0, numWithUnknown = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    const Element *element = grow(grow, 1 + random() % 4);
    double value = static_cast<int>(random() % 3) - 1;
    TypedAttr folded = foldWith(element, value);
    if (!folded)
      continue;
    ++numFolded;
    numWithUnknown += contains(element, y);
    Evaluator evaluator(i);
    evaluator.known[x] = value;
    Evaluator::Point at;
    for (const IndexVar &var : x->freeVars())
      at[var] = random() % var.size.getNumber();
    double wanted = evaluator.evaluate(element, at),
           got = cast<FloatAttr>(folded).getValueAsDouble();
    if (std::isfinite(wanted) && std::abs(wanted) < 1e6)
      ASSERT_NEAR(got, wanted, 1e-4 * (1 + std::abs(wanted))) << [&] {
        std::string text;
        llvm::raw_string_ostream(text) << *element;
        return text;
      }();
  }
  EXPECT_GT(numFolded, 300u);
  EXPECT_GT(numWithUnknown, 30u);
}
