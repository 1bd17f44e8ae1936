//===- SwizzleTest.cpp - derived shared memory ----------------------------===//

#include "LayoutTesting.h"

#include "fuse/Layout/Atoms.h"

using namespace fuse;
using namespace fuse::simulated;

namespace {

Layout rows(llvm::ArrayRef<int64_t> extents, int64_t vector,
            unsigned numWarps) {
  return blockedLayout(extents, vector, numWarps);
}
Layout columns(llvm::ArrayRef<int64_t> extents, int64_t vector,
               unsigned numWarps) {
  return blockedLayout(extents, vector, {0, 1}, numWarps, numWarps);
}

struct Pair {
  const char *name;
  Layout from, to;
  unsigned elementBytes;
  /// The least width, in bytes, of the wider side's vectors.
  unsigned wideBytes;
};

std::vector<Pair> realPairs() {
  Layout acc = *wgmmaAccumulator({64, 64}, 1);
  std::vector<Pair> pairs = {
      {"f32 accumulator to rows", acc, rows({64, 64}, 4, 4), 4, 16},
      {"f32 accumulator to rows of 8 bytes", acc, rows({64, 64}, 2, 4), 4, 16},
      {"bf16 accumulator to rows", acc, rows({64, 64}, 8, 4), 2, 16},
      {"f32 accumulator to columns", acc, columns({64, 64}, 4, 4), 4, 16},
      {"mma accumulator to rows", *mmaAccumulator({128, 128}, {2, 2}),
       rows({128, 128}, 4, 4), 4, 16},
      {"f16 mma accumulator to rows", *mmaAccumulator({128, 192}, {2, 2}),
       rows({128, 192}, 8, 4), 2, 16},
      {"f16 rows to A", rows({64, 64}, 8, 4), *mmaOperandA({64, 64}, {2, 2}, 2),
       2, 16},
      {"f16 rows to B", rows({64, 64}, 8, 4), *mmaOperandB({64, 64}, {2, 2}, 2),
       2, 16},
      {"f32 rows to A", rows({64, 32}, 4, 4), *mmaOperandA({64, 32}, {4, 1}, 4),
       4, 16},
      {"f32 rows to B", rows({32, 64}, 4, 4), *mmaOperandB({32, 64}, {1, 4}, 4),
       4, 16},
      {"8-bit rows to A", rows({64, 128}, 16, 4),
       *mmaOperandA({64, 128}, {4, 1}, 1), 1, 16},
      {"f32 transpose 32x32, one warp", rows({32, 32}, 4, 1),
       columns({32, 32}, 4, 1), 4, 16},
      {"f32 transpose 32x32, by elements", rows({32, 32}, 1, 4),
       columns({32, 32}, 1, 4), 4, 4},
      {"f32 transpose 64x64", rows({64, 64}, 4, 8), columns({64, 64}, 4, 8), 4,
       16},
      {"f16 transpose 64x64", rows({64, 64}, 8, 4), columns({64, 64}, 8, 4), 2,
       16},
      {"8-bit transpose 64x64", rows({64, 64}, 16, 4), columns({64, 64}, 16, 4),
       1, 16},
      {"f64 transpose 32x32", rows({32, 32}, 2, 4), columns({32, 32}, 2, 4), 8,
       16},
      {"f16 transpose 96x64", rows({96, 64}, 8, 4), columns({96, 64}, 8, 4), 2,
       16},
      {"bias to accumulator", rows({64}, 1, 4), acc.slice({0}).layout, 4, 4},
      {"row statistics to one per thread", acc.slice({1}).layout,
       rows({64}, 1, 4), 4, 4},
  };
  return pairs;
}

TEST(Swizzle, RealPairsAreFreeOfConflicts) {
  for (const Pair &pair : realPairs()) {
    SCOPED_TRACE(pair.name);
    ConversionOptions options;
    options.elementBytes = pair.elementBytes;
    checkConversion(pair.from, pair.to, options);
    SharedPlan plan = planShared(pair.from, pair.to, options);
    EXPECT_EQ(plan.storeConflicts, 1u) << plan.memory.str();
    EXPECT_EQ(plan.loadConflicts, 1u) << plan.memory.str();
    EXPECT_GE(std::max(plan.storeWidth, plan.loadWidth) * pair.elementBytes,
              pair.wideBytes);
    EXPECT_EQ(bankConflicts(pair.from, plan.memory, pair.elementBytes,
                            plan.storeWidth, /*copies=*/false),
              1u);
    EXPECT_EQ(
        bankConflicts(pair.to, plan.memory, pair.elementBytes, plan.loadWidth),
        1u);
  }
}

TEST(Swizzle, WithoutItThereAreConflicts) {
  // So that the test above says something.
  Layout from = rows({32, 32}, 1, 1), to = columns({32, 32}, 1, 1);
  SharedLayout plain = plainShared({32, 32});
  EXPECT_EQ(bankConflicts(from, plain, 4, 1), 1u);
  EXPECT_EQ(bankConflicts(to, plain, 4, 1), 32u);
  EXPECT_EQ(
      bankConflicts(rows({64, 64}, 8, 4), plainShared({64, 64}, {0, 1}), 2, 1),
      8u);
}

TEST(Swizzle, RandomPairsAreFreeOfConflicts) {
  const std::vector<Coordinates> shapes = {{64, 64},  {16, 16}, {8, 24},
                                           {128, 32}, {4},      {32, 2, 32}};
  Random random(30);
  for (unsigned i = 0; i != 1000; ++i) {
    const Coordinates &shape = shapes[below(random, shapes.size())];
    RandomLayoutOptions layouts;
    layouts.numWarpBits = below(random, 4);
    layouts.mixed = below(random, 2);
    ConversionOptions options;
    options.elementBytes = 1u << below(random, 4);
    Layout from = randomLayout(random, shape, layouts);
    Layout to = randomLayout(random, shape, layouts);
    SharedPlan plan = planShared(from, to, options);
    EXPECT_EQ(plan.storeConflicts, 1u);
    EXPECT_EQ(plan.loadConflicts, 1u);
    if (HasFailure()) {
      ADD_FAILURE() << "from " << from.str() << "\n  to " << to.str();
      return;
    }
  }
}

TEST(Swizzle, RoundsOfCells) {
  Layout from = *mmaAccumulator({32, 320}, {2, 1}); // 5 cells of 8 KiB
  Layout to = rows({32, 320}, 4, 2);
  ConversionOptions options;
  for (auto [maxBytes, cells, rounds] :
       {std::tuple(1 << 18, 5, 1u), std::tuple(1 << 14, 2, 3u),
        std::tuple(25000, 3, 2u), std::tuple(1 << 13, 1, 5u)}) {
    options.maxBytes = maxBytes;
    SharedPlan plan = planShared(from, to, options);
    EXPECT_EQ(plan.rounds, rounds);
    EXPECT_EQ(plan.bytes, cells * 32 * 64 * 4);
    checkConversion(from, to, options);
  }
}

TEST(Swizzle, RoundsOfPartsOfACell) {
  // Both sides have rows 16 and 32 in registers, and cells.
  Layout from = *mmaAccumulator({64, 192}, {1, 4});
  Layout to = rows({64, 192}, 4, 4);
  ConversionOptions options;
  for (auto [maxBytes, rounds] :
       {std::tuple(1 << 14, 3u), std::tuple(1 << 13, 6u),
        std::tuple(1 << 12, 12u)}) {
    options.maxBytes = maxBytes;
    SharedPlan plan = planShared(from, to, options);
    EXPECT_EQ(plan.rounds, rounds);
    EXPECT_EQ(plan.bytes, maxBytes);
    EXPECT_EQ(plan.storeConflicts * plan.loadConflicts, 1u);
    checkConversion(from, to, options);
  }
  // No more is common to both.
  options.maxBytes = 1;
  checkConversion(from, to, options);
  EXPECT_GT(planShared(from, to, options).bytes, 1);
}

TEST(Swizzle, RandomRounds) {
  Random random(31);
  unsigned numSplit = 0;
  for (unsigned i = 0; i != 200; ++i) {
    RandomLayoutOptions layouts;
    layouts.numWarpBits = below(random, 2);
    layouts.mixed = below(random, 2);
    Layout from = randomLayout(random, {16, 96}, layouts);
    Layout to = i % 2 ? shuffledInWarps(random, from)
                      : randomLayout(random, {16, 96}, layouts);
    ConversionOptions options;
    options.maxBytes = 64 << below(random, 6);
    SharedPlan plan = planShared(from, to, options);
    numSplit += plan.roundElements < 16 * 32;
    EXPECT_EQ(plan.storeConflicts * plan.loadConflicts, 1u);
    checkConversion(from, to, options);
  }
  EXPECT_GT(numSplit, 50u);
}

TEST(Swizzle, WarpsThatReadOnlyTheirOwn) {
  Layout from = rows({32, 32}, 4, 1), to = columns({32, 32}, 4, 1);
  EXPECT_TRUE(planShared(from, to, {}).staysInWarp);
  EXPECT_FALSE(planShared(rows({32, 32}, 4, 4), columns({32, 32}, 4, 4), {})
                   .staysInWarp);
  // Copies are stored by one warp only, for all.
  Layout copied = *mmaOperandA({16, 8}, {1, 2}, 4);
  EXPECT_FALSE(planShared(copied,
                          *mmaAccumulator({16, 8}, {})
                               .value()
                               .insertAxis(0, 1)
                               .layout.reshape({16, 8}),
                          {})
                   .staysInWarp);
}

TEST(Swizzle, NarrowVectorsWhereAsked) {
  ConversionOptions options;
  options.maxVectorBytes = 8;
  SharedPlan plan =
      planShared(rows({64, 64}, 4, 4), columns({64, 64}, 4, 4), options);
  EXPECT_EQ(std::max(plan.storeWidth, plan.loadWidth), 2u);
  EXPECT_EQ(plan.storeConflicts * plan.loadConflicts, 1u);
}

TEST(Swizzle, CtasKeepTheirOwn) {
  // Two CTAs, each with its half of the rows.
  Layout from = layout("cell=[4, 8] reg=[[0, 1], [0, 2], [0, 4]] "
                       "lane=[[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]] "
                       "cta=[[2, 0]]");
  Layout to = layout("cell=[4, 8] reg=[[1, 0], [0, 4]] "
                     "lane=[[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]] "
                     "cta=[[2, 0]]");
  checkConversion(from, to, {});
}

TEST(Conversion, Errors) {
  auto error = [](const Layout &from, const Layout &to) {
    return llvm::toString(planConversion(from, to, {}).takeError());
  };
  EXPECT_EQ(error(rows({8, 8}, 1, 1), rows({8, 4}, 1, 1)),
            "the tile has shape [8, 8], but is wanted in a layout of [8, 4]");
  EXPECT_EQ(error(rows({8, 8}, 1, 2), rows({8, 8}, 1, 4)),
            "the tile is held by 2 warps, but is wanted by 4");
  Layout own = layout("cell=[2] cta=[[1]]");
  EXPECT_EQ(error(own, layout("cell=[2] reg=[[1]]")),
            "the tile is held by 2 CTAs, but is wanted by 1");
  EXPECT_EQ(error(own, layout("cell=[2] reg=[[1]] cta=[[0]]")),
            "some CTA wants elements that only another one holds");
  EXPECT_FALSE(classifyConversion(rows({8}, 1, 1), rows({4}, 1, 1)));
}

TEST(Conversion, SwapOfARegisterAndALane) {
  Layout from = layout("cell=[4] reg=[[1]] lane=[[2], [0], [0], [0], [0]]");
  Layout to = layout("cell=[4] reg=[[2]] lane=[[1], [0], [0], [0], [0]]");
  ShufflePlan plan = *planShuffles(from, to, 4);
  EXPECT_TRUE(plan.isButterfly);
  EXPECT_EQ(plan.numShuffles, 1u);
  EXPECT_EQ(plan.numSelects, 4u);
  EXPECT_EQ(run(plan, from, to, load(from)), load(to));
}

TEST(Conversion, WarpsThatAskInAnotherOrder) {
  // Warp 1 wants what the other half of its lanes has. It asks for its
  // registers in the other order, so that the mask is the same in both warps.
  Layout from = layout("cell=[2, 4] reg=[[0, 1]] "
                       "lane=[[0, 2], [0, 0], [0, 0], [0, 0], [0, 0]] "
                       "warp=[[1, 0]]");
  Layout to = layout("cell=[2, 4] reg=[[0, 2]] "
                     "lane=[[0, 1], [0, 0], [0, 0], [0, 0], [0, 0]] "
                     "warp=[[1, 2]]");
  ShufflePlan plan = *planShuffles(from, to, 4);
  EXPECT_TRUE(plan.isButterfly);
  EXPECT_EQ(plan.numShuffles, 1u);
  checkConversion(from, to, {});
}

TEST(Conversion, HalvesOfAWordTravelTogether) {
  // The pair of columns stays a pair.
  Layout from = *mmaAccumulator({16, 16}, {});
  Layout to = layout("cell=[16, 16] reg=[[0, 1], [0, 2], [0, 8]] "
                     "lane=[[8, 0], [0, 4], [1, 0], [2, 0], [4, 0]]");
  EXPECT_EQ(planShuffles(from, to, 2)->packed, 2u);
  EXPECT_EQ(planShuffles(from, to, 4)->packed, 1u);
  EXPECT_EQ(2 * planShuffles(from, to, 2)->numShuffles,
            planShuffles(from, to, 4)->numShuffles);
  ConversionOptions options;
  options.elementBytes = 2;
  checkConversion(from, to, options);
}

} // namespace
