//===- LoopBoundsTest.cpp - predicates that end loops ---------------------===//
//
// Bounds are compared with their predicate at every point of a small space,
// so that no rounding or sign can be wrong.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/LoopBounds.h"
#include "Evaluator.h"
#include "GraphTest.h"
#include "fuse/Analysis/Cascade.h"

using namespace mlir;
using namespace fuse;

namespace {

class LoopBoundsTest : public GraphTest {
protected:
  /// A graph that sums x[i, j] over j where `keep`, made by `text`, holds.
  const Element *demandMasked(StringRef text) {
    return demand((R"(
      func.func @f(%x: tensor<7x9xf32>, %p: tensor<7xi32>, %r: tensor<9xi32>,
                   %far: tensor<7xi64>) -> tensor<7xf32> {
        %i = fuse.iota dim 0 : tensor<7x9xi32>
        %j = fuse.iota dim 1 : tensor<7x9xi32>
        %load = fuse.broadcast %p dims [0] : tensor<7xi32> -> tensor<7x9xi32>
        %row = fuse.broadcast %r dims [1] : tensor<9xi32> -> tensor<7x9xi32>
        %wide = fuse.broadcast %far dims [0] : tensor<7xi64> -> tensor<7x9xi64>
        %c0 = arith.constant dense<0> : tensor<7x9xi32>
        %c2 = arith.constant dense<2> : tensor<7x9xi32>
        %c3 = arith.constant dense<3> : tensor<7x9xi32>
        %m3 = arith.constant dense<-3> : tensor<7x9xi32>
        )" + text + R"(
        %zero = arith.constant dense<0.0> : tensor<7x9xf32>
        %kept = arith.select %keep, %x, %zero : tensor<7x9xi1>, tensor<7x9xf32>
        %o = fuse.reduce sum %kept dims [1] : tensor<7x9xf32>
        return %o : tensor<7xf32>
      })")
                      .str());
  }

  /// The bounds of the mask, which are checked to be what it says.
  SmallVector<LoopBound> solve(StringRef text) {
    const Element *sum = demandMasked(text);
    IndexVar j = sum->boundVars()[0];
    const Element *keep = sum->operands()[0]->operands()[0];
    SmallVector<LoopBound> bounds;
    for (const Element *conjunct : conjuncts(keep))
      llvm::append_range(bounds, boundsOf(algebra, conjunct, j));
    if (bounds.empty())
      return bounds;
    Evaluator evaluator(3);
    for (const Evaluator::Point &row : Evaluator::pointsOf(sum->freeVars()))
      for (int64_t at = 0; at < j.size.getNumber(); ++at) {
        Evaluator::Point point = row;
        point[j] = at;
        bool isInside = true;
        for (const LoopBound &bound : bounds) {
          EXPECT_FALSE(bound.limit->variesWith(j));
          double limit = evaluator.evaluate(bound.limit, row);
          isInside &= bound.isUpper ? at < limit : at >= limit;
        }
        EXPECT_EQ(isInside, evaluator.evaluate(keep, point) != 0)
            << text.str() << " at " << at;
      }
    return bounds;
  }

  SmallVector<const Element *> conditionsOf(const Element *element) {
    SmallVector<const Element *> loop = loopOf(element), cascaded;
    SmallVector<Accumulator> accumulators;
    for (auto [i, reduction] : llvm::enumerate(loop)) {
      if (i == 0) {
        accumulators.push_back(Accumulator::plain(reduction));
        continue;
      }
      auto cascade = deriveCascade(algebra, reduction,
                                   ArrayRef(loop).take_front(i), cascaded);
      if (!cascade)
        std::abort();
      llvm::append_range(accumulators, cascade->accumulators);
    }
    return findLoopConditions(algebra, accumulators, loop[0]->boundVars());
  }
};

} // namespace

TEST_F(LoopBoundsTest, ComparisonsAreSolved) {
  struct {
    const char *keep;
    size_t numBounds;
  } cases[] = {
      {"%keep = arith.cmpi sle, %j, %i : tensor<7x9xi32>", 1},
      {"%keep = arith.cmpi slt, %j, %i : tensor<7x9xi32>", 1},
      {"%keep = arith.cmpi sgt, %i, %j : tensor<7x9xi32>", 1},
      {"%keep = arith.cmpi sge, %j, %load : tensor<7x9xi32>", 1},
      {"%keep = arith.cmpi sgt, %j, %load : tensor<7x9xi32>", 1},
      {"%keep = arith.cmpi eq, %i, %j : tensor<7x9xi32>", 2},
      // A window, with the sum on either side.
      {"%e = arith.addi %j, %c3 : tensor<7x9xi32>\n"
       "%keep = arith.cmpi sgt, %e, %i : tensor<7x9xi32>",
       1},
      {"%e = arith.subi %i, %j : tensor<7x9xi32>\n"
       "%keep = arith.cmpi slt, %e, %c3 : tensor<7x9xi32>",
       1},
      // Factors, of both signs.
      {"%e = arith.muli %j, %c2 : tensor<7x9xi32>\n"
       "%keep = arith.cmpi slt, %e, %i : tensor<7x9xi32>",
       1},
      {"%e = arith.muli %j, %c2 : tensor<7x9xi32>\n"
       "%keep = arith.cmpi sle, %e, %i : tensor<7x9xi32>",
       1},
      {"%e = arith.muli %c2, %j : tensor<7x9xi32>\n"
       "%keep = arith.cmpi eq, %e, %i : tensor<7x9xi32>",
       2},
      {"%e = arith.muli %j, %m3 : tensor<7x9xi32>\n"
       "%f = arith.addi %e, %i : tensor<7x9xi32>\n"
       "%keep = arith.cmpi sgt, %f, %m3 : tensor<7x9xi32>",
       1},
      {"%e = arith.muli %j, %m3 : tensor<7x9xi32>\n"
       "%f = arith.addi %e, %i : tensor<7x9xi32>\n"
       "%keep = arith.cmpi sge, %f, %m3 : tensor<7x9xi32>",
       1},
      // Casts around positions.
      {"%e = arith.extsi %j : tensor<7x9xi32> to tensor<7x9xi64>\n"
       "%keep = arith.cmpi slt, %e, %wide : tensor<7x9xi64>",
       1},
      {"%e = arith.trunci %j : tensor<7x9xi32> to tensor<7x9xi8>\n"
       "%f = arith.trunci %i : tensor<7x9xi32> to tensor<7x9xi8>\n"
       "%keep = arith.cmpi slt, %e, %f : tensor<7x9xi8>",
       1},
      // Arithmetic with what is in memory may wrap, but not on its own side.
      {"%e = arith.addi %load, %c2 : tensor<7x9xi32>\n"
       "%keep = arith.cmpi slt, %j, %e : tensor<7x9xi32>",
       1},
      // Unsigned, of what is never negative.
      {"%keep = arith.cmpi ult, %j, %i : tensor<7x9xi32>", 1},
      // Two at once.
      {"%a = arith.cmpi sle, %j, %i : tensor<7x9xi32>\n"
       "%b = arith.cmpi sge, %j, %load : tensor<7x9xi32>\n"
       "%keep = arith.andi %a, %b : tensor<7x9xi1>",
       2},
  };
  for (const auto &[keep, numBounds] : cases)
    EXPECT_EQ(solve(keep).size(), numBounds) << keep;
}

TEST_F(LoopBoundsTest, WhatCannotBeSolvedIsNot) {
  for (const char *keep : {
           "%keep = arith.cmpi ne, %j, %i : tensor<7x9xi32>",
           // A load that varies with the loop.
           "%keep = arith.cmpi eq, %row, %load : tensor<7x9xi32>",
           "%keep = arith.cmpi slt, %j, %row : tensor<7x9xi32>",
           // What is in memory may be negative, or wrap the difference.
           "%keep = arith.cmpi ult, %j, %load : tensor<7x9xi32>",
           "%e = arith.subi %j, %load : tensor<7x9xi32>\n"
           "%keep = arith.cmpi sge, %e, %c0 : tensor<7x9xi32>",
           // Not linear.
           "%e = arith.muli %j, %j : tensor<7x9xi32>\n"
           "%keep = arith.cmpi slt, %e, %i : tensor<7x9xi32>",
           // The variable is gone.
           "%e = arith.subi %j, %j : tensor<7x9xi32>\n"
           "%keep = arith.cmpi sge, %e, %i : tensor<7x9xi32>",
       })
    EXPECT_EQ(solve(keep).size(), 0u) << keep;
}

TEST_F(LoopBoundsTest, LimitsDoNotWrap) {
  // j <= p is j < p + 1, also for the largest p.
  const Element *sum =
      demandMasked("%e = arith.extsi %j : tensor<7x9xi32> to tensor<7x9xi64>\n"
                   "%keep = arith.cmpi sle, %e, %wide : tensor<7x9xi64>");
  SmallVector<LoopBound, 2> bounds =
      boundsOf(algebra, sum->operands()[0]->operands()[0], sum->boundVars()[0]);
  ASSERT_EQ(bounds.size(), 1u);
  Windows windows;
  auto ofVar = [](const IndexVar &) { return std::optional(Interval{0, 6}); };
  windows.ofVar = ofVar;
  auto limitOf = [&](int64_t load) {
    auto ofLeaf = [&](const Element *) {
      return std::optional(Interval{load, load});
    };
    windows.ofLeaf = ofLeaf;
    return intervalOf(bounds[0].limit, windows);
  };
  EXPECT_EQ(limitOf(4), (Interval{5, 5}));
  EXPECT_GT(limitOf(INT64_MAX)->low, int64_t(1) << 60);
  EXPECT_LT(limitOf(INT64_MIN)->high, -(int64_t(1) << 60));
}

static const char *const kAttention = R"(
  func.func @f(%s: tensor<9x9xf32>, %v: tensor<9x9xf32>, %seg: tensor<9xi32>) -> tensor<9x9xf32> {
    %i = fuse.iota dim 0 : tensor<9x9xi32>
    %j = fuse.iota dim 1 : tensor<9x9xi32>
    %a = fuse.broadcast %seg dims [0] : tensor<9xi32> -> tensor<9x9xi32>
    %b = fuse.broadcast %seg dims [1] : tensor<9xi32> -> tensor<9x9xi32>
    MASK
    %p = fuse.softmax %m dim 1 : tensor<9x9xf32>
    %o = fuse.matmul %p, %v : tensor<9x9xf32>, tensor<9x9xf32> -> tensor<9x9xf32>
    return %o : tensor<9x9xf32>
  })";

static std::string withMask(StringRef mask) {
  std::string text = kAttention;
  return text.replace(text.find("MASK"), 4, mask.str());
}

TEST_F(LoopBoundsTest, ACausalMaskEndsTheLoop) {
  const Element *element = demand(withMask(R"(
    %keep = arith.cmpi sle, %j, %i : tensor<9x9xi32>
    %never = arith.constant dense<0xFF800000> : tensor<9x9xf32>
    %m = arith.select %keep, %s, %never : tensor<9x9xi1>, tensor<9x9xf32>)"));
  SmallVector<const Element *> conditions = conditionsOf(element);
  ASSERT_EQ(conditions.size(), 1u);
  IndexVar j = element->reductions().back()->boundVars()[0];
  SmallVector<LoopBound, 2> bounds = boundsOf(algebra, conditions[0], j);
  ASSERT_EQ(bounds.size(), 1u);
  EXPECT_TRUE(bounds[0].isUpper);

  // Below, on, and above the diagonal.
  Windows windows;
  Interval rows{4, 5}, columns{0, 0};
  auto ofVar = [&](const IndexVar &var) {
    return std::optional(var == j ? columns : rows);
  };
  windows.ofVar = ofVar;
  columns = {0, 4};
  EXPECT_EQ(classify(conditions[0], windows), Truth::Always);
  columns = {5, 8};
  EXPECT_EQ(classify(conditions[0], windows), Truth::Mixed);
  columns = {6, 8};
  EXPECT_EQ(classify(conditions[0], windows), Truth::Never);
}

TEST_F(LoopBoundsTest, AMaskThatSaysWhatToDropDoesSo) {
  const Element *element = demand(withMask(R"(
    %later = arith.cmpi sgt, %j, %i : tensor<9x9xi32>
    %other = arith.cmpi ne, %a, %b : tensor<9x9xi32>
    %drop = arith.ori %later, %other : tensor<9x9xi1>
    %never = arith.constant dense<0xFF800000> : tensor<9x9xf32>
    %m = arith.select %drop, %never, %s : tensor<9x9xi1>, tensor<9x9xf32>)"));
  SmallVector<const Element *> conditions = conditionsOf(element);
  ASSERT_EQ(conditions.size(), 2u);
  IndexVar j = element->reductions().back()->boundVars()[0];
  EXPECT_EQ(boundsOf(algebra, conditions[0], j).size(), 1u);
  // Which segments are equal is data.
  EXPECT_EQ(boundsOf(algebra, conditions[1], j).size(), 0u);
  Windows windows;
  auto ofVar = [](const IndexVar &) { return std::optional(Interval{0, 0}); };
  windows.ofVar = ofVar;
  EXPECT_EQ(classify(conditions[1], windows), Truth::Mixed);
}

TEST_F(LoopBoundsTest, ALargeNegativeNumberIsNoMask) {
  // exp(-1e9 - m) is not 0 for every m.
  EXPECT_TRUE(conditionsOf(demand(withMask(R"(
    %keep = arith.cmpi sle, %j, %i : tensor<9x9xi32>
    %never = arith.constant dense<-1.0e9> : tensor<9x9xf32>
    %m = arith.select %keep, %s, %never : tensor<9x9xi1>, tensor<9x9xf32>)")))
                  .empty());
}

TEST_F(LoopBoundsTest, ACountRefusesTheBound) {
  // The mean of what is kept: its sum could stop early, but not the count that
  // the variance's correction needs.
  EXPECT_TRUE(conditionsOf(demand(R"(
    func.func @f(%x: tensor<9x9xf32>) -> tensor<9xf32> {
      %i = fuse.iota dim 0 : tensor<9x9xi32>
      %j = fuse.iota dim 1 : tensor<9x9xi32>
      %keep = arith.cmpi sle, %j, %i : tensor<9x9xi32>
      %zero = arith.constant dense<0.0> : tensor<9x9xf32>
      %k = arith.select %keep, %x, %zero : tensor<9x9xi1>, tensor<9x9xf32>
      %m = fuse.reduce mean %k dims [1] : tensor<9x9xf32>
      %b = fuse.broadcast %m dims [0] : tensor<9xf32> -> tensor<9x9xf32>
      %d = arith.subf %k, %b : tensor<9x9xf32>
      %q = arith.mulf %d, %d : tensor<9x9xf32>
      %o = fuse.reduce sum %q dims [1] : tensor<9x9xf32>
      return %o : tensor<9xf32>
    })"))
                  .empty());
}

TEST_F(LoopBoundsTest, IntervalsKnowTheirTypes) {
  const Element *sum =
      demandMasked("%e = arith.trunci %j : tensor<7x9xi32> to tensor<7x9xi8>\n"
                   "%f = arith.muli %e, %e : tensor<7x9xi8>\n"
                   "%g = arith.trunci %i : tensor<7x9xi32> to tensor<7x9xi8>\n"
                   "%keep = arith.cmpi slt, %f, %g : tensor<7x9xi8>");
  const Element *square = sum->operands()[0]->operands()[0]->operands()[0];
  Interval window{0, 8};
  auto ofVar = [&](const IndexVar &) { return std::optional(window); };
  Windows windows{ofVar, {}};
  EXPECT_EQ(intervalOf(square, windows), (Interval{0, 64}));
  // 12 * 12 does not fit into an i8: any number of the type may come out.
  window = {0, 12};
  EXPECT_EQ(intervalOf(square, windows), (Interval{-128, 127}));
}
