//===- CascadeTest.cpp - which reductions share a loop, and how -----------===//
//
// Strategies and reasons. That the numbers are right is in
// CascadeNumericsTest.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Cascade.h"
#include "GraphTest.h"

#include <gmock/gmock.h>

using namespace mlir;
using namespace fuse;
using testing::HasSubstr;

namespace {

class CascadeTest : public GraphTest {
protected:
  /// The cascade of the last reduction, which joins the loop of the others.
  OrRefusal<Cascade> derive(StringRef text,
                            CascadeStrategy strategy = CascadeStrategy::Auto,
                            bool allowDeferShift = false) {
    loop = loopOf(demand(text));
    CascadeOptions options;
    auto requested = [&](const Element *, const Element *statistic) {
      return !only || statistic == loop[*only] ? strategy
                                               : CascadeStrategy::Auto;
    };
    options.requested = requested;
    options.allowDeferShift = allowDeferShift;
    return deriveCascade(algebra, loop.back(), ArrayRef(loop).drop_back(), {},
                         options);
  }

  /// Of the rows of x : [4, 8], with b the statistic again as a matrix.
  static std::string sumOver(StringRef statistic, StringRef body) {
    return (R"(
      func.func @f(%x: tensor<4x8xf32>) -> tensor<4xf32> {
        %s = fuse.reduce )" +
            statistic + R"( %x dims [1] : tensor<4x8xf32>
        %b = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x8xf32>
        )" + body +
            R"(
        %o = fuse.reduce sum %y dims [1] : tensor<4x8xf32>
        return %o : tensor<4xf32>
      })")
        .str();
  }

  SmallVector<const Element *> loop;
  /// Which statistic is asked about; all if none is said.
  std::optional<unsigned> only;
};

const char *const kAttention = R"(
  func.func @f(%x: tensor<8x8xf32>, %v: tensor<8x8xf16>) -> tensor<8x8xf32> {
    %p = fuse.softmax %x dim 1 : tensor<8x8xf32>
    %h = arith.truncf %p : tensor<8x8xf32> to tensor<8x8xf16>
    %o = fuse.matmul %h, %v : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
    return %o : tensor<8x8xf32>
  })";

const char *const kLayerNormLinear = R"(
  func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x6xbf16>) -> tensor<4x6xf32> {
    %n = fuse.layer_norm %x eps 1.0e-5 : tensor<4x8xf32>
    %h = arith.truncf %n : tensor<4x8xf32> to tensor<4x8xbf16>
    %o = fuse.matmul %h, %w : tensor<4x8xbf16>, tensor<8x6xbf16> -> tensor<4x6xf32>
    return %o : tensor<4x6xf32>
  })";

} // namespace

TEST_F(CascadeTest, TheSumOfASoftmaxFollowsTheMaximum) {
  auto cascade = derive(sumOver("max", R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %y = math.exp %d : tensor<4x8xf32>)"));
  ASSERT_TRUE(cascade) << cascade.reason();
  EXPECT_EQ(cascade->strategyOf(loop[0]), CascadeStrategy::Rescale);
  ASSERT_EQ(cascade->accumulators.size(), 1u);
  EXPECT_EQ(cascade->accumulators[0].correction->name, "exponential");
  EXPECT_EQ(
      directionOf(cascade->accumulators[0].factors[0]->operands()[0], loop[0]),
      -1);
}

TEST_F(CascadeTest, AttentionHasTwoStrategies) {
  auto cascade = derive(kAttention);
  ASSERT_TRUE(cascade) << cascade.reason();
  ASSERT_EQ(loop.size(), 3u);
  EXPECT_EQ(cascade->strategyOf(loop[0]), CascadeStrategy::Rescale);
  EXPECT_EQ(cascade->strategyOf(loop[1]), CascadeStrategy::Defer);
  EXPECT_EQ(cascade->moving(), SmallVector<const Element *>{loop[0]});
  EXPECT_EQ(cascade->note, "casts moved below a factor");
  // What the product reads is as narrow as the user wrote it.
  ASSERT_EQ(cascade->accumulators.size(), 1u);
  const Element *product = cascade->accumulators[0].reduction;
  ASSERT_EQ(product->kind(), ElementKind::Dot);
  EXPECT_TRUE(product->operands()[0]->type().isF16());
  EXPECT_FALSE(containsAny(product, loop[1]));
}

TEST_F(CascadeTest, AnExponentialMustShrink) {
  EXPECT_THAT(derive(sumOver("min", R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %y = math.exp %d : tensor<4x8xf32>)"))
                  .reason(),
              HasSubstr("exponential of a running min may grow"));
  EXPECT_TRUE(derive(sumOver("min", R"(
    %d = arith.subf %b, %x : tensor<4x8xf32>
    %y = math.exp %d : tensor<4x8xf32>)")));
  // Deferring a mean is no matter of range, but of digits.
  EXPECT_FALSE(derive(sumOver("mean", R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %y = math.exp %d : tensor<4x8xf32>)")));
}

TEST_F(CascadeTest, AMaximumIsNotLinear) {
  EXPECT_EQ(derive(R"(
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4xf32> {
      %p = fuse.softmax %x dim 1 : tensor<4x8xf32>
      %o = fuse.reduce max %p dims [1] : tensor<4x8xf32>
      return %o : tensor<4xf32>
    })")
                .reason(),
            "a max is not linear in its body");
}

TEST_F(CascadeTest, AVarianceIsChans) {
  auto cascade = derive(sumOver("mean", R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %y = arith.mulf %d, %d : tensor<4x8xf32>)"));
  ASSERT_TRUE(cascade) << cascade.reason();
  EXPECT_EQ(cascade->strategyOf(loop[0]), CascadeStrategy::Rescale);
  const Accumulator &squares = cascade->accumulators.back();
  EXPECT_EQ(squares.reduction, loop[1]);
  EXPECT_EQ(squares.correction->name, "polynomial");
  ASSERT_EQ(squares.companions.size(), 2u);
  // The second derivative is 2: twice the number of elements.
  const Element *count = algebra.countOf(loop[1]->boundVars(), loop[1]->type());
  EXPECT_EQ(squares.companions[1],
            algebra.mul(count, algebra.number(count->type(), 2)));
  EXPECT_TRUE(llvm::any_of(cascade->accumulators, [&](const Accumulator &a) {
    return a.reduction == count && a.isPlain();
  }));
}

TEST_F(CascadeTest, DistancesFromAMeanOfFewDigitsAreNothing) {
  auto first = [&](StringRef type, StringRef statistic, StringRef body,
                   CascadeStrategy strategy = CascadeStrategy::Auto) {
    std::string text = R"(
      func.func @f(%n: tensor<4x8xT>) -> tensor<4xf32> {
        %x = arith.extf %n : tensor<4x8xT> to tensor<4x8xf32>
        %s = fuse.reduce S %x dims [1] : tensor<4x8xf32>
        %b = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x8xf32>
        BODY
        %o = fuse.reduce sum %y dims [1] : tensor<4x8xf32>
        return %o : tensor<4xf32>
      })";
    auto put = [&](StringRef name, StringRef by) {
      for (size_t at; (at = text.find(name)) != std::string::npos;)
        text.replace(at, name.size(), by);
    };
    put("BODY", body);
    put("xT>", ("x" + type + ">").str());
    put("reduce S", ("reduce " + statistic).str());
    if (type == "f32")
      put("arith.extf %n : tensor<4x8xf32> to tensor<4x8xf32>",
          "arith.negf %n : tensor<4x8xf32>");
    auto cascade = derive(text, strategy);
    EXPECT_TRUE(cascade) << cascade.reason();
    return cascade->accumulators.back().companions.front();
  };
  const char *squares = R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %y = arith.mulf %d, %d : tensor<4x8xf32>)";
  EXPECT_TRUE(isNumber(first("bf16", "mean", squares), 0));
  EXPECT_TRUE(isNumber(first("f16", "mean", squares), 0));
  // What a mean of many digits is rounded by counts.
  EXPECT_TRUE(first("f32", "mean", squares)->isReduction());
  // A mean that is frozen is not that of what was seen.
  EXPECT_TRUE(
      first("bf16", "mean", squares, CascadeStrategy::Pilot)->isReduction());
  // Others are weighted, or are around something else.
  EXPECT_TRUE(first("bf16", "mean", R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %q = arith.mulf %d, %d : tensor<4x8xf32>
    %y = arith.mulf %q, %x : tensor<4x8xf32>)")
                  ->isReduction());
  EXPECT_TRUE(first("bf16", "mean", R"(
    %two = arith.constant dense<2.0> : tensor<4x8xf32>
    %t = arith.mulf %b, %two : tensor<4x8xf32>
    %d = arith.subf %x, %t : tensor<4x8xf32>
    %y = arith.mulf %d, %d : tensor<4x8xf32>)")
                  ->isReduction());
  EXPECT_TRUE(
      first("bf16", "sum", squares, CascadeStrategy::Rescale)->isReduction());
}

TEST_F(CascadeTest, LayerNormAndLinear) {
  auto cascade = derive(kLayerNormLinear);
  ASSERT_TRUE(cascade) << cascade.reason();
  ASSERT_EQ(loop.size(), 3u);
  EXPECT_EQ(cascade->strategyOf(loop[0]), CascadeStrategy::Rescale);
  EXPECT_EQ(cascade->strategyOf(loop[1]), CascadeStrategy::Defer);

  only = 0;
  auto pilot = derive(kLayerNormLinear, CascadeStrategy::Pilot);
  ASSERT_TRUE(pilot) << pilot.reason();
  EXPECT_EQ(pilot->strategyOf(loop[0]), CascadeStrategy::Pilot);
  EXPECT_EQ(findPilots(algebra, pilot->accumulators, pilot->moving()),
            SmallVector<const Element *>{loop[0]});
}

TEST_F(CascadeTest, ACastToFewerExponentsWaitsForItsFactor) {
  auto ofHalves = [](std::string source) {
    for (size_t at = 0; (at = source.find("bf16", at)) != std::string::npos;)
      source.erase(at, 1);
    return source;
  };
  EXPECT_THAT(derive(ofHalves(kLayerNormLinear)).reason(),
              HasSubstr("a type of fewer exponents"));
}

TEST_F(CascadeTest, AShiftIsNotTakenFromUnderACast) {
  only = 0;
  EXPECT_THAT(derive(kLayerNormLinear, CascadeStrategy::Defer).reason(),
              HasSubstr("between a deferred shift and the sum"));
  auto allowed = derive(kLayerNormLinear, CascadeStrategy::Auto,
                        /*allowDeferShift=*/true);
  ASSERT_TRUE(allowed) << allowed.reason();
  EXPECT_EQ(allowed->strategyOf(loop[0]), CascadeStrategy::Defer);
  EXPECT_THAT(allowed->note, HasSubstr("below a shift"));
}

TEST_F(CascadeTest, RequestsAreHeardOrRefused) {
  std::string variance = sumOver("mean", R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %y = arith.mulf %d, %d : tensor<4x8xf32>)");
  std::string softmax = sumOver("max", R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %y = math.exp %d : tensor<4x8xf32>)");
  std::string scaled = sumOver("sum", R"(
    %y = arith.divf %x, %b : tensor<4x8xf32>)");
  EXPECT_EQ(derive(variance, CascadeStrategy::Sequential).reason(),
            "the schedule says sequential");
  EXPECT_EQ(derive(variance, CascadeStrategy::Defer)->strategyOf(loop[0]),
            CascadeStrategy::Defer);
  EXPECT_EQ(derive(softmax, CascadeStrategy::Defer).reason(),
            "a max bounds the range of the sum and cannot be deferred");
  EXPECT_EQ(derive(softmax, CascadeStrategy::Pilot).reason(),
            "only a mean can be a pilot, but this is a max");
  EXPECT_EQ(derive(scaled)->strategyOf(loop[0]), CascadeStrategy::Defer);
  EXPECT_THAT(derive(scaled, CascadeStrategy::Rescale).reason(),
              HasSubstr("neither a polynomial nor an exponential"));
}

TEST_F(CascadeTest, OnlyAMeanCanBeFrozen) {
  // Around the sum itself: legal, but not what a first block can tell.
  EXPECT_THAT(derive(sumOver("sum", R"(
    %y = arith.subf %x, %b : tensor<4x8xf32>)"),
                     CascadeStrategy::Pilot)
                  .reason(),
              HasSubstr("only a mean can be a pilot"));
}

TEST_F(CascadeTest, BodiesOfNoKindAreRefused) {
  EXPECT_THAT(derive(sumOver("sum", R"(
    %d = arith.addf %x, %b : tensor<4x8xf32>
    %y = math.tanh %d : tensor<4x8xf32>)"))
                  .reason(),
              HasSubstr("not separable"));
  EXPECT_THAT(derive(sumOver("max", R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %y = arith.mulf %d, %d : tensor<4x8xf32>)"))
                  .reason(),
              HasSubstr("no finite value before the first block"));
  EXPECT_THAT(derive(sumOver("mean", R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %c2 = arith.mulf %d, %d : tensor<4x8xf32>
    %c4 = arith.mulf %c2, %c2 : tensor<4x8xf32>
    %y = arith.mulf %c4, %d : tensor<4x8xf32>)"))
                  .reason(),
              HasSubstr("degree above 4"));
  EXPECT_THAT(derive(R"(
    func.func @f(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> tensor<4xf32> {
      %s = fuse.reduce mean %x dims [1] : tensor<4x8xf32>
      %t = fuse.reduce mean %z dims [1] : tensor<4x8xf32>
      %a = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x8xf32>
      %b = fuse.broadcast %t dims [0] : tensor<4xf32> -> tensor<4x8xf32>
      %c = arith.subf %x, %a : tensor<4x8xf32>
      %d = arith.subf %z, %b : tensor<4x8xf32>
      %y = arith.mulf %c, %d : tensor<4x8xf32>
      %o = fuse.reduce sum %y dims [1] : tensor<4x8xf32>
      return %o : tensor<4xf32>
    })")
                  .reason(),
              HasSubstr("several expressions of statistics"));
  EXPECT_THAT(derive(R"(
    func.func @f(%t: tensor<8xf32>, %a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
      %m = fuse.reduce mean %t dims [0] : tensor<8xf32>
      %left = fuse.broadcast %m dims [] : tensor<f32> -> tensor<4x8xf32>
      %right = fuse.broadcast %m dims [] : tensor<f32> -> tensor<8x6xf32>
      %c = arith.subf %a, %left : tensor<4x8xf32>
      %d = arith.subf %b, %right : tensor<8x6xf32>
      %o = fuse.matmul %c, %d : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
      return %o : tensor<4x6xf32>
    })")
                  .reason(),
              HasSubstr("both operands"));
}

TEST_F(CascadeTest, WhatIsCorrectedDoesNotMoveOthers) {
  SmallVector<const Element *> all = loopOf(demand(sumOver("mean", R"(
    %d = arith.subf %x, %b : tensor<4x8xf32>
    %q = arith.mulf %d, %d : tensor<4x8xf32>
    %t = fuse.reduce sum %q dims [1] : tensor<4x8xf32>
    %c = fuse.broadcast %t dims [0] : tensor<4xf32> -> tensor<4x8xf32>
    %y = arith.subf %x, %c : tensor<4x8xf32>)")));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(deriveCascade(algebra, all[2], {all[0], all[1]}, {all[1]}).reason(),
            "a statistic that moves is itself corrected");
}

TEST_F(CascadeTest, IntegersAreExact) {
  // A shift of integers cancels nothing, and may come late.
  auto cascade = derive(R"(
    func.func @f(%x: tensor<4x8xi32>) -> tensor<4xi32> {
      %s = fuse.reduce sum %x dims [1] : tensor<4x8xi32>
      %b = fuse.broadcast %s dims [0] : tensor<4xi32> -> tensor<4x8xi32>
      %d = arith.subi %x, %b : tensor<4x8xi32>
      %y = arith.muli %d, %x : tensor<4x8xi32>
      %o = fuse.reduce sum %y dims [1] : tensor<4x8xi32>
      return %o : tensor<4xi32>
    })");
  ASSERT_TRUE(cascade) << cascade.reason();
  EXPECT_EQ(cascade->strategyOf(loop[0]), CascadeStrategy::Defer);
  for (const Accumulator &accumulator : cascade->accumulators)
    EXPECT_TRUE(accumulator.isPlain());
}

TEST_F(CascadeTest, MeansAreRecognised) {
  const Element *sum = demand(R"(
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4xf32> {
      %o = fuse.reduce sum %x dims [1] : tensor<4x8xf32>
      return %o : tensor<4xf32>
    })");
  Type f32 = sum->type();
  auto match = [&](const Element *element) {
    return matchMean(algebra, element, sum, sum->boundVars());
  };
  EXPECT_EQ(match(algebra.div(sum, algebra.number(f32, 8))), sum);
  EXPECT_EQ(match(algebra.mul(algebra.number(f32, 0.125), sum)), sum);
  EXPECT_EQ(match(algebra.div(sum, algebra.number(f32, 9))), nullptr);
  EXPECT_EQ(match(algebra.mul(sum, algebra.number(f32, 8))), nullptr);
}
