//===- SizeExpressionTest.cpp - numbers that depend on sizes --------------===//
//
// Every operation against what it means, at the limits too; and what cannot be
// evaluated says why.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/SizeExpression.h"
#include "fuse/Runtime/Buffer.h"
#include "fuse/Runtime/Placement.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

using namespace fuse;
using ::testing::HasSubstr;

namespace {

using Expr = SizeExpression;
using Kind = SizeExpression::Kind;
using Step = SizeExpression::Step;

constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
constexpr int64_t highest = std::numeric_limits<int64_t>::max();

const SizeBindings bindings = {{{100, 7}, {-3}}, {5}, 132};

int64_t evaluate(const Expr &expression) {
  Result<int64_t> value = expression.evaluate(bindings);
  EXPECT_TRUE(value) << value.error().message();
  return value ? *value : -999;
}

std::string errorOf(const Expr &expression) {
  Result<int64_t> value = expression.evaluate(bindings);
  EXPECT_FALSE(value);
  return value ? "" : value.error().message();
}

/// Through an input, so that it is not folded.
Expr opaque(int64_t value) { return Expr::scalar(0) * 0 + value; }

TEST(SizeExpressionTest, LeavesAreWhatIsBound) {
  EXPECT_EQ(evaluate(Expr::size(0, 1)), 7);
  EXPECT_EQ(evaluate(Expr::size(1, 0)), -3);
  EXPECT_EQ(evaluate(Expr::scalar(0)), 5);
  EXPECT_EQ(evaluate(Expr::multiprocessors()), 132);
  EXPECT_EQ(evaluate(Expr(42)), 42);
}

TEST(SizeExpressionTest, OperationsRoundAsTheySay) {
  for (int64_t a : {-9, -8, -1, 0, 1, 7, 8, 9})
    for (int64_t b : {-4, -1, 1, 3, 4}) {
      double quotient = double(a) / double(b);
      EXPECT_EQ(evaluate(floorDiv(opaque(a), b)), std::floor(quotient));
      EXPECT_EQ(evaluate(ceilDiv(opaque(a), b)), std::ceil(quotient));
      EXPECT_EQ(evaluate(opaque(a) % b), a - b * std::floor(quotient));
      EXPECT_EQ(evaluate(opaque(a) + b), a + b);
      EXPECT_EQ(evaluate(opaque(a) - b), a - b);
      EXPECT_EQ(evaluate(opaque(a) * b), a * b);
      EXPECT_EQ(evaluate(min(opaque(a), b)), std::min(a, b));
      EXPECT_EQ(evaluate(max(opaque(a), b)), std::max(a, b));
    }
}

TEST(SizeExpressionTest, NothingWraps) {
  EXPECT_EQ(errorOf(opaque(highest) + 1),
            "'scalar0 * 0 + 9223372036854775807 + 1' does not fit 64 bits");
  EXPECT_THAT(errorOf(opaque(lowest) - 1), HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(errorOf(opaque(lowest) * -1), HasSubstr("does not fit"));
  EXPECT_THAT(errorOf(floorDiv(opaque(lowest), -1)), HasSubstr("not fit"));
  EXPECT_THAT(errorOf(ceilDiv(opaque(lowest), -1)), HasSubstr("not fit"));
  EXPECT_EQ(evaluate(opaque(lowest) % -1), 0);
  EXPECT_EQ(evaluate(floorDiv(opaque(lowest), 1)), lowest);
}

TEST(SizeExpressionTest, WhatCannotBeEvaluatedSaysWhy) {
  EXPECT_EQ(errorOf(Expr::size(0, 0) % 0), "'in0.size(0) % 0' divides by zero");
  EXPECT_THAT(errorOf(floorDiv(Expr::size(0, 0), 0)), HasSubstr("by zero"));
  EXPECT_THAT(errorOf(ceilDiv(Expr::size(0, 0), 0)), HasSubstr("by zero"));
  EXPECT_EQ(errorOf(Expr::size(0, 2)), "size 2 of input 0 is not known");
  EXPECT_EQ(errorOf(Expr::size(2, 0)), "size 0 of input 2 is not known");
  EXPECT_EQ(errorOf(Expr::scalar(1)), "scalar argument 1 is not known");
  Result<int64_t> value = Expr::multiprocessors().evaluate({});
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().message(),
            "the number of multiprocessors is not known");
  Expr list[] = {1, Expr::size(9, 9)};
  Result<std::vector<int64_t>> all = evaluateAll(list, bindings);
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().message(), "size 1: size 9 of input 9 is not known");
}

TEST(SizeExpressionTest, ConstantsAreFolded) {
  EXPECT_EQ(ceilDiv(Expr(100) * 3, 128), Expr(3));
  EXPECT_EQ(Expr(1) * (Expr::size(0, 0) + 0) * 1, Expr::size(0, 0));
  EXPECT_EQ((Expr::size(0, 0) + 1).constant(), std::nullopt);
  // Not what cannot be said.
  EXPECT_EQ((Expr(highest) + 1).constant(), std::nullopt);
  EXPECT_EQ(floorDiv(Expr(1), 0).constant(), std::nullopt);
  EXPECT_TRUE(Expr::size(3, 4).isSize(3, 4));
  EXPECT_FALSE(Expr::size(3, 4).isSize(4, 3));
}

TEST(SizeExpressionTest, TextHasTheParenthesesItNeeds) {
  Expr a = Expr::size(0, 0), b = Expr::scalar(1), c = Expr::multiprocessors();
  EXPECT_EQ(((a + b) * c).str(), "(in0.size(0) + scalar1) * multiprocessors");
  EXPECT_EQ((a + b * c).str(), "in0.size(0) + scalar1 * multiprocessors");
  EXPECT_EQ((a - (b - c)).str(), "in0.size(0) - (scalar1 - multiprocessors)");
  EXPECT_EQ((a - b - c).str(), "in0.size(0) - scalar1 - multiprocessors");
  EXPECT_EQ((ceilDiv(a, 128) * min(b, 2)).str(),
            "ceildiv(in0.size(0), 128) * min(scalar1, 2)");
  EXPECT_EQ((max(a, b) % floorDiv(c, 2)).str(),
            "max(in0.size(0), scalar1) % floordiv(multiprocessors, 2)");
  Expr shape[] = {a, 512, a + 1};
  EXPECT_EQ(formatShape(shape), "in0.size(0)x512x(in0.size(0) + 1)");
  EXPECT_EQ(formatShape(std::span<const Expr>()), "scalar");
}

std::string stepsError(std::vector<Step> steps) {
  Result<Expr> made = Expr::fromSteps(std::move(steps));
  EXPECT_FALSE(made);
  return made ? "" : made.error().message();
}

TEST(SizeExpressionTest, StepsHaveToLeaveOneNumber) {
  Step leaf{Kind::Constant, 0, 0, 1}, add{Kind::Add, 0, 0, 0};
  Result<Expr> made = Expr::fromSteps({leaf, leaf, add});
  ASSERT_TRUE(made);
  EXPECT_EQ(evaluate(*made), 2);
  EXPECT_EQ(stepsError({}),
            "an expression leaves 0 numbers, but one is needed");
  EXPECT_THAT(stepsError({leaf, leaf}), HasSubstr("leaves 2 numbers"));
  EXPECT_EQ(stepsError({leaf, add}),
            "an expression has an operation without operands");
  EXPECT_EQ(stepsError({{static_cast<Kind>(99), 0, 0, 0}}),
            "an expression has a step of the unknown kind 99");
  EXPECT_EQ(stepsError(std::vector<Step>(4097, leaf)),
            "an expression has 4097 steps, but at most 4096 are supported");
}

TEST(PlacementTest, AlignmentIsKept) {
  Placement buffers[] = {{10, 0, 0, 0}, {300, 0, 1, 0}, {10, 1, 1, 0}};
  Result<size_t> total = placeBuffers(buffers, 256);
  ASSERT_TRUE(total);
  EXPECT_EQ(*total, 768u);
  EXPECT_EQ(buffers[1].offset, 0u);
  EXPECT_EQ(buffers[0].offset, 512u);
  EXPECT_EQ(buffers[2].offset, 512u);
}

} // namespace
