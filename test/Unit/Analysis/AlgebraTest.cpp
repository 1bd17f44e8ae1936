//===- AlgebraTest.cpp - arithmetic on element expressions ----------------===//
//
// Simplifications, types, and what is bound anew.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Algebra.h"
#include "GraphTest.h"

using namespace mlir;
using namespace fuse;

namespace {

class AlgebraTest : public GraphTest {
protected:
  AlgebraTest()
      : f16(Float16Type::get(&context)), bf16(BFloat16Type::get(&context)),
        f32(Float32Type::get(&context)), j{Size::number(8), 0, 0} {
    sum = demand(R"(
      func.func @f(%x: tensor<4x8xf32>) -> tensor<4xf32> {
        %o = fuse.reduce sum %x dims [1] : tensor<4x8xf32>
        return %o : tensor<4xf32>
      })");
    x = sum->operands()[0];
    i = sum->freeVars()[0];
  }

  Type f16, bf16, f32;
  IndexVar i, j;
  const Element *sum, *x;
};

} // namespace

TEST_F(AlgebraTest, ZerosAndOnesVanish) {
  const Element *zero = algebra.zero(f32), *one = algebra.one(f32);
  EXPECT_EQ(algebra.add(x, zero), x);
  EXPECT_EQ(algebra.sub(x, zero), x);
  EXPECT_EQ(algebra.sub(x, x), zero);
  EXPECT_EQ(algebra.mul(one, x), x);
  EXPECT_EQ(algebra.mul(x, zero), zero);
  EXPECT_EQ(algebra.div(x, one), x);
  EXPECT_EQ(algebra.neg(algebra.neg(x)), x);
  EXPECT_EQ(algebra.mul(nullptr, x), x);
  EXPECT_EQ(algebra.mul(nullptr, nullptr), nullptr);
  EXPECT_EQ(algebra.sub(x, algebra.neg(x)), algebra.add(x, x));
  EXPECT_EQ(algebra.mul(algebra.number(f32, 3), algebra.number(f32, 4)),
            algebra.number(f32, 12));
}

TEST_F(AlgebraTest, WhatAUserWroteIsWhatWeMake) {
  // A graph's ops carry flags that say nothing; expressions do not.
  const Element *doubled = demand(R"(
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %o = arith.addf %x, %x : tensor<4x8xf32>
      return %o : tensor<4x8xf32>
    })");
  const Element *load = doubled->operands()[0];
  EXPECT_EQ(doubled, algebra.add(load, load));
}

TEST_F(AlgebraTest, FloatsMeetInTheWiderType) {
  const Element *narrow = algebra.convert(x, f16);
  EXPECT_EQ(algebra.mul(narrow, x)->type(), f32);
  EXPECT_EQ(algebra.add(narrow, algebra.convert(x, bf16))->type(), f32);
  EXPECT_EQ(algebra.add(narrow, narrow)->type(), f16);
  EXPECT_TRUE(isOp<arith::TruncFOp>(narrow));
  EXPECT_EQ(algebra.convert(narrow, f16), narrow);
}

TEST_F(AlgebraTest, SumsOfWhatDoesNotVaryAreProducts) {
  const Element *row = algebra.rebuild(x, [&](const Element *) {
    return elements.load(x->tensor(),
                         {Index(AffineIndex::of(i)), Index(AffineIndex())});
  });
  EXPECT_EQ(algebra.makeSum(sum, row),
            algebra.mul(algebra.number(f32, 8), row));
  EXPECT_EQ(algebra.makeSum(sum, algebra.zero(f32)), algebra.zero(f32));
  EXPECT_EQ(algebra.makeSum(sum, x), sum);
  const Element *nothing = nullptr;
  EXPECT_EQ(algebra.makeSum(sum, nothing), algebra.number(f32, 8));
  EXPECT_EQ(algebra.makeRunningSum(sum, row),
            algebra.mul(algebra.countOf(sum->boundVars(), f32), row));
}

TEST_F(AlgebraTest, SizesThatAreSymbolsAreCounted) {
  const Element *open = demand(R"(
    func.func @f(%x: tensor<4x?xf32>) -> tensor<4xf32> {
      %o = fuse.reduce mean %x dims [1] : tensor<4x?xf32>
      return %o : tensor<4xf32>
    })");
  ASSERT_TRUE(isOp<arith::DivFOp>(open));
  const Element *total = open->operands()[0], *size = open->operands()[1];
  EXPECT_EQ(size->operands()[0]->kind(), ElementKind::Extent);
  EXPECT_EQ(algebra.makeSum(total, algebra.one(f32)),
            algebra.countOf(total->boundVars(), f32));
}

TEST_F(AlgebraTest, DotsWithANumberAreSums) {
  const Element *dot = elements.dot(j, x, algebra.exp(x), f32, Precision::Ieee);
  EXPECT_EQ(algebra.makeSum(dot, {x, algebra.number(f32, 1)}), sum);
  EXPECT_EQ(algebra.makeSum(dot, {nullptr, x}), sum);
  EXPECT_EQ(algebra.makeSum(dot, dot->operands()), dot);
}

TEST_F(AlgebraTest, NarrowSumsAreDoneInTheWideType) {
  // What fuse.reduce says of its accumulator is in the expression.
  const Element *narrow = demand(R"(
    func.func @f(%x: tensor<4x8xbf16>) -> tensor<4xbf16> {
      %o = fuse.reduce mean %x dims [1] : tensor<4x8xbf16>
      return %o : tensor<4xbf16>
    })");
  ASSERT_TRUE(isOp<arith::TruncFOp>(narrow));
  const Element *mean = narrow->operands()[0];
  ASSERT_TRUE(isOp<arith::DivFOp>(mean));
  EXPECT_EQ(mean->operands()[0]->type(), f32);
  EXPECT_TRUE(isNumber(mean->operands()[1], 8));
}

TEST_F(AlgebraTest, BoundVariablesAreNotReplaced) {
  // x(i, j) inside of a sum over j is another element than outside of it.
  auto replace = [&](const Element *part) {
    return part == x ? algebra.one(f32) : nullptr;
  };
  EXPECT_EQ(algebra.rebuild(x, replace), algebra.one(f32));
  EXPECT_EQ(algebra.rebuild(sum, replace), sum);
  const Element *both = algebra.rebuild(algebra.mul(sum, x), replace);
  EXPECT_EQ(both->operands()[0], sum);
  EXPECT_EQ(both->operands()[1], algebra.one(f32));
  EXPECT_FALSE(contains(sum, x));
  EXPECT_TRUE(contains(algebra.mul(sum, x), x));
  // Over another variable it is the same.
  IndexVar other{Size::number(8), 1, 0};
  const Element *around = elements.reduce(CombineKind::Max, other, x);
  EXPECT_NE(algebra.rebuild(around, replace), around);
}

TEST_F(AlgebraTest, ReductionsAreAtomsToASubstitution) {
  llvm::DenseMap<const Element *, const Element *> table;
  table[x] = algebra.one(f32);
  IndexVar other{Size::number(8), 1, 0};
  const Element *around = elements.reduce(CombineKind::Max, other, x);
  EXPECT_EQ(algebra.substitute(around, table), around);
  table[around] = x;
  EXPECT_EQ(algebra.substitute(algebra.exp(around), table), algebra.exp(x));
}

TEST_F(AlgebraTest, ConditionsAreInverted) {
  using Predicate = arith::CmpIPredicate;
  const Element *index = algebra.position(j),
                *two = algebra.number(index->type(), 2);
  EXPECT_EQ(algebra.logicalNot(algebra.compare(Predicate::slt, index, two)),
            algebra.compare(Predicate::sge, index, two));
  // A comparison of floats has no such inverse for NaN.
  const Element *isLess = algebra.compare(Predicate::slt, x, algebra.zero(f32));
  const Element *inverse = algebra.logicalNot(isLess);
  EXPECT_TRUE(isOp<arith::XOrIOp>(inverse));
  EXPECT_EQ(algebra.logicalNot(inverse), isLess);
}

TEST_F(AlgebraTest, SlotsAreAllDifferent) {
  const Element *a = elements.slot(f32, i), *b = elements.slot(f32, i);
  EXPECT_NE(a, b);
  EXPECT_TRUE(a->variesWith(i));
  EXPECT_FALSE(a->variesWith(j));
}
