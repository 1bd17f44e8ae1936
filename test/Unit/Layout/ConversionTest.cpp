//===- ConversionTest.cpp - plans, executed on arrays ---------------------===//

#include "LayoutTesting.h"

#include "fuse/Layout/Atoms.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace fuse;
using namespace fuse::simulated;

namespace {

ConversionOptions bytes(unsigned elementBytes) {
  ConversionOptions options;
  options.elementBytes = elementBytes;
  return options;
}

/// What a conversion needs, by looking at every thread and element.
ConversionKind kindByEnumeration(const Layout &from, const Layout &to) {
  Machine have = load(from), want = load(to);
  auto registersServe = [&] {
    for (unsigned reg = 0; reg != to.numRegisters(); ++reg) {
      bool isFound = false;
      for (unsigned source = 0; source != from.numRegisters(); ++source) {
        bool isSame = true;
        for (unsigned warp = 0; warp != to.numWarps(); ++warp)
          for (unsigned lane = 0; lane != numLanes; ++lane)
            isSame &= have[0][warp][lane][source] == want[0][warp][lane][reg];
        isFound |= isSame;
      }
      if (!isFound)
        return false;
    }
    return true;
  };
  if (registersServe())
    return ConversionKind::Registers;
  for (unsigned warp = 0; warp != to.numWarps(); ++warp) {
    std::vector<int64_t> inWarp;
    for (const auto &registers : have[0][warp])
      inWarp.insert(inWarp.end(), registers.begin(), registers.end());
    std::sort(inWarp.begin(), inWarp.end());
    for (const auto &registers : want[0][warp])
      for (int64_t element : registers)
        if (!llvm::binary_search(inWarp, element))
          return ConversionKind::Shared;
  }
  return ConversionKind::Shuffles;
}

void expectKindByEnumeration(const Layout &from, const Layout &to) {
  SCOPED_TRACE("from " + from.str() + "\n  to " + to.str());
  ConversionKind kind = kindByEnumeration(from, to);
  EXPECT_EQ(renameRegisters(from, to).has_value(),
            kind == ConversionKind::Registers);
  EXPECT_EQ(planShuffles(from, to, 4).has_value(),
            kind != ConversionKind::Shared);
}

/// All ways to deal the units of a small cell, and zeros, to the places.
std::vector<Layout> allDeals(llvm::ArrayRef<int64_t> extents,
                             unsigned registerBits, unsigned laneBits,
                             unsigned warpBits) {
  TileShape shape(extents);
  unsigned slots = registerBits + laneBits + warpBits;
  BitVectors units(slots, 0);
  for (unsigned bit = 0; bit != shape.numBits(); ++bit)
    units[bit] = Bits(1) << bit;
  std::sort(units.begin(), units.end());
  std::vector<Layout> layouts;
  do {
    llvm::ArrayRef<Bits> all(units);
    BitVectors lanes(all.slice(registerBits, laneBits));
    lanes.resize(numLaneBits);
    layouts.emplace_back(shape, BitVectors(all.take_front(registerBits)), lanes,
                         BitVectors(all.take_back(warpBits)));
  } while (std::next_permutation(units.begin(), units.end()));
  return layouts;
}

TEST(Conversion, AllSmallDeals) {
  // Over two register bits, two lane bits and a warp bit: in so many ways.
  const std::vector<std::pair<Coordinates, size_t>> cells = {
      {{}, 1}, {{2}, 5}, {{6}, 5}, {{2, 2}, 20}, {{2, 4}, 60}};
  for (const auto &[extents, ways] : cells) {
    std::vector<Layout> layouts = allDeals(extents, 2, 2, 1);
    EXPECT_EQ(layouts.size(), ways);
    for (const Layout &from : layouts)
      for (const Layout &to : layouts) {
        checkConversion(from, to, bytes(4));
        expectKindByEnumeration(from, to);
        if (HasFailure())
          return;
      }
  }
}

TEST(Conversion, AllMapsOfFourElements) {
  // Every surjective map of two register, two lane and one warp bit to a cell
  // of four, against a sample of them.
  std::vector<Layout> layouts;
  TileShape shape({4});
  for (unsigned code = 0; code != 1024; ++code) {
    BitVectors bases;
    for (unsigned bit = 0; bit != 5; ++bit)
      bases.push_back(code >> 2 * bit & 3);
    if (Span(bases).rank() == 2)
      layouts.emplace_back(shape, BitVectors{bases[0], bases[1]},
                           BitVectors{bases[2], 0, bases[3], 0, 0},
                           BitVectors{bases[4]});
  }
  EXPECT_EQ(layouts.size(), 1024u - 1 - 3 * 31);
  for (unsigned i = 0; i != layouts.size(); ++i)
    for (unsigned j = i % 211; j < layouts.size(); j += 211) {
      checkConversion(layouts[i], layouts[j], bytes(4));
      expectKindByEnumeration(layouts[i], layouts[j]);
      if (HasFailure())
        return;
    }
}

class RandomConversion : public ::testing::TestWithParam<unsigned> {};

const std::vector<Coordinates> shapes = {
    {},       {1},     {2},      {32},      {3},        {64, 8},
    {16, 16}, {8, 24}, {128, 4}, {4, 8, 8}, {96, 5, 2}, {256}};

TEST_P(RandomConversion, BetweenAny) {
  Random random(GetParam());
  for (unsigned i = 0; i != 200; ++i) {
    const Coordinates &shape = shapes[below(random, shapes.size())];
    RandomLayoutOptions options;
    options.numWarpBits = below(random, 3);
    options.mixed = below(random, 2);
    Layout from = randomLayout(random, shape, options);
    Layout to = randomLayout(random, shape, options);
    checkConversion(from, to, bytes(1u << below(random, 4)));
    expectKindByEnumeration(from, to);
    if (HasFailure())
      return;
  }
}

TEST_P(RandomConversion, InsideOfWarps) {
  Random random(GetParam() + 1000);
  for (unsigned i = 0; i != 200; ++i) {
    const Coordinates &shape = shapes[below(random, shapes.size())];
    RandomLayoutOptions options;
    options.numWarpBits = below(random, 3);
    options.mixed = below(random, 2);
    Layout from = randomLayout(random, shape, options);
    Layout to = shuffledInWarps(random, from);
    EXPECT_TRUE(planShuffles(from, to, 4));
    checkConversion(from, to, bytes(1u << below(random, 4)));
    if (HasFailure())
      return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomConversion, ::testing::Range(0u, 6u));

} // namespace
