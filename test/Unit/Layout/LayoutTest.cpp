//===- LayoutTest.cpp - where the elements of a tile live -----------------===//

#include "LayoutTesting.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>
#include <set>

using namespace fuse;
using namespace fuse::simulated;

namespace {

constexpr const char *accumulator =
    "cell=[16, 8] reg=[[0, 1], [8, 0]] "
    "lane=[[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp=[] repeat=[1, 1]";

TEST(Layout, WorkedExample) {
  Layout acc = layout(accumulator);
  EXPECT_EQ(acc.position(3, 6, 0), Coordinates({9, 5}));
  EXPECT_EQ(acc.numRegisters(), 4u);
  EXPECT_EQ(acc.numWarps(), 1u);
  EXPECT_TRUE(acc.isInjective());
  EXPECT_EQ(acc.threadPart(6, 0), Coordinates({1, 4}));
  EXPECT_EQ(acc.registerPart(3).flip, Coordinates({8, 1}));
  EXPECT_TRUE(acc.addsRegisters(0));
  EXPECT_TRUE(acc.addsRegisters(1));
}

TEST(Layout, TextRoundTrips) {
  EXPECT_EQ(layout(accumulator).str(), accumulator);
  EXPECT_EQ(Layout().str(),
            "cell=[] reg=[] lane=[[], [], [], [], []] warp=[] repeat=[]");
  Random random(3);
  for (unsigned i = 0; i != 200; ++i) {
    Layout original = randomLayout(random, {12, 1, 40}, {2, 2, true});
    Layout parsed = layout(original.str());
    EXPECT_EQ(parsed, original);
    EXPECT_EQ(hash_value(parsed), hash_value(original));
    EXPECT_EQ(*Layout::get(original.bases()), original);
  }
}

TEST(Layout, DefaultsOfText) {
  EXPECT_EQ(layout("cell=[2] reg=[[1]]"),
            layout("cell=[2] reg=[[1]] lane=[[0],[0],[0],[0],[0]] warp=[] "
                   "cta=[] repeat=[1]"));
}

TEST(Layout, EvenRepeatsJoinTheCell) {
  Layout folded = layout("cell=[2, 4] reg=[[0, 1]] "
                         "lane=[[1, 0], [0, 2], [0, 0], [0, 0], [0, 0]] "
                         "repeat=[2, 6]");
  EXPECT_EQ(folded.str(), "cell=[4, 8] reg=[[0, 1], [0, 4], [2, 0]] "
                          "lane=[[1, 0], [0, 2], [0, 0], [0, 0], [0, 0]] "
                          "warp=[] repeat=[1, 3]");
  EXPECT_EQ(folded.position(1 + 2 + 4 + 8 * 2, 3, 0), Coordinates({3, 23}));
}

TEST(Layout, Errors) {
  EXPECT_EQ(layoutError("cell=[3] reg=[[1]]"),
            "the cell's extent along axis 0 is 3, expected a power of two");
  EXPECT_EQ(layoutError("cell=[0]"),
            "the cell's extent along axis 0 is 0, expected a power of two");
  EXPECT_EQ(layoutError("cell=[2] repeat=[0]"),
            "the repeat along axis 0 is 0, expected a positive number");
  EXPECT_EQ(layoutError("cell=[2, 2] repeat=[1]"),
            "repeat has 1 axes, but the cell has 2");
  EXPECT_EQ(layoutError("cell=[2, 2] reg=[[1]]"),
            "reg basis 0 has 1 coordinates, but the cell has 2 axes");
  EXPECT_EQ(layoutError("cell=[2, 2] reg=[[0, 1], [0, 2]]"),
            "reg basis 1 moves by 2 along axis 1, out of the cell's 2 "
            "positions");
  EXPECT_EQ(layoutError("cell=[2] reg=[[1]] warp=[[-1]]"),
            "warp basis 0 moves by -1 along axis 0, out of the cell's 2 "
            "positions");
  EXPECT_EQ(layoutError("cell=[2, 4] reg=[[1, 0], [0, 1], [1, 1]]"),
            "no thread holds the element at [0, 2]");
  EXPECT_EQ(layoutError("cell=[4] reg=[[1]] cta=[[4]]"),
            "cta basis 0 moves by 4 along axis 0, out of the cell's 4 "
            "positions");
  EXPECT_EQ(layoutError("cell=[2] lane=[[1]]"), "lane has 1 bases, expected 5");
  EXPECT_EQ(layoutError("cell=[2] warp=[[1],[0],[0],[0],[0],[0],[0],[0],[0],"
                        "[0],[0],[0],[0],[0],[0],[0],[0]]"),
            "a place has at most 16 bases");
  EXPECT_EQ(layoutError("cell=[65536, 65536] repeat=[1, 3]"),
            "a tile has at most 4294967296 elements");
  EXPECT_EQ(layoutError("reg=[[1]]"), "expected 'cell='");
  EXPECT_EQ(layoutError("cell=[2] cell=[2]"), "'cell' is given twice");
  EXPECT_EQ(layoutError("cell=[2] offset=[[1]]"), "a layout has no 'offset'");
  EXPECT_EQ(layoutError("cell=[x]"), "expected a number at column 7");
  EXPECT_EQ(layoutError("cell=[1 2]"), "expected ']' at column 9");
  EXPECT_EQ(layoutError("cell=2"), "expected '[' at column 6");
  EXPECT_EQ(layoutError("cell"), "expected 'key=' at column 5");
}

TEST(Layout, PartsAddUpToPositions) {
  Random random(4);
  for (unsigned i = 0; i != 100; ++i) {
    Layout any = randomLayout(random, {24, 16}, {1, 1, bool(i % 2)});
    for (unsigned reg = 0; reg != any.numRegisters(); ++reg) {
      unsigned lane = below(random, 32), warp = below(random, 2);
      Coordinates position = any.position(reg, lane, warp);
      Coordinates thread = any.threadPart(lane, warp);
      Layout::RegisterPart part = any.registerPart(reg);
      for (unsigned axis = 0; axis != 2; ++axis) {
        EXPECT_EQ(position[axis],
                  (thread[axis] ^ part.flip[axis]) + part.offset[axis]);
        if (any.addsRegisters(axis)) {
          EXPECT_EQ(position[axis],
                    thread[axis] + part.flip[axis] + part.offset[axis]);
        }
      }
    }
  }
}

TEST(Layout, OwnersAreTheLeast) {
  Layout acc = layout(accumulator);
  BitMap inverse = *acc.map().rightInverse(acc.tile().numBits());
  Layout::Owner owner = acc.owner(inverse(acc.tile().pack({9, 5})));
  EXPECT_EQ(owner.reg, 3u);
  EXPECT_EQ(owner.lane, 6u);
  EXPECT_EQ(owner.warp, 0u);
  // Everything is in registers, so no thread bits are needed.
  Layout copies = layout("cell=[4] reg=[[1], [2]] "
                         "lane=[[1], [2], [0], [0], [0]] warp=[[3]]");
  EXPECT_EQ(*copies.map().rightInverse(2), BitMap({1, 2}));
}

TEST(Layout, FreeBitsLeaveEachElementOnce) {
  Random random(5);
  for (unsigned i = 0; i != 200; ++i) {
    Layout any = randomLayout(random, {8, 12}, {2, 2, true});
    Machine machine = load(any);
    std::map<int64_t, unsigned> stored;
    for (unsigned warp = 0; warp != any.numWarps(); ++warp)
      for (unsigned lane = 0; lane != numLanes; ++lane)
        for (unsigned reg = 0; reg != any.numRegisters(); ++reg)
          if (!(reg % any.numCellRegisters() & any.freeMask(Place::Register)) &&
              !(lane & any.freeMask(Place::Lane)) &&
              !(warp & any.freeMask(Place::Warp)))
            ++stored[machine[0][warp][lane][reg]];
    EXPECT_EQ(stored.size(), 96u);
    for (auto [element, times] : stored)
      EXPECT_EQ(times, 1u);
    EXPECT_EQ(any.isInjective(), !any.freeMask(Place::Register) &&
                                     !any.freeMask(Place::Lane) &&
                                     !any.freeMask(Place::Warp));
  }
}

TEST(Layout, CopiesInRegisters) {
  // Bit 1 of the register is a copy of bit 0, in each of three cells.
  Layout copies = layout("cell=[2] reg=[[1], [1]] repeat=[3]");
  EXPECT_EQ(copies.freeMask(Place::Register), 0b10u);
  for (unsigned reg = 0; reg != copies.numRegisters(); ++reg) {
    EXPECT_EQ(copies.original(reg) & 0b10u, 0u);
    EXPECT_EQ(copies.position(copies.original(reg), 0, 0),
              copies.position(reg, 0, 0));
  }
}

TEST(Layout, ContiguousRegisters) {
  Layout acc = layout(accumulator);
  EXPECT_EQ(acc.contiguity(1), 2u);
  EXPECT_EQ(acc.contiguity(0), 1u);
  Layout split = layout("cell=[2, 4] reg=[[0, 2], [1, 0], [0, 1]]");
  EXPECT_EQ(split.contiguity(1), 1u);
  EXPECT_EQ(split.contiguity(0), 1u);
  EXPECT_TRUE(llvm::equal(split.vectorBits(1), llvm::ArrayRef({2u, 0u})));
  EXPECT_TRUE(llvm::equal(split.vectorBits(0), llvm::ArrayRef({1u})));
  // A lane that moves by 3 turns the order around.
  EXPECT_EQ(
      layout("cell=[4] reg=[[1]] lane=[[3], [0], [0], [0], [0]]").contiguity(0),
      1u);

  Random random(6);
  unsigned numVectors = 0;
  for (unsigned i = 0; i != 300; ++i) {
    Layout any = randomLayout(random, {4, 8}, {0, 1, false});
    unsigned width = any.contiguity(1);
    numVectors += width > 1;
    auto holds = [&](unsigned width) {
      for (unsigned lane = 0; lane != numLanes; ++lane)
        for (unsigned reg = 0; reg != any.numRegisters(); ++reg) {
          Coordinates first = any.position(reg - reg % width, lane, 0);
          if (first[1] % width)
            return false;
          first[1] += reg % width;
          if (any.position(reg, lane, 0) != first)
            return false;
        }
      return true;
    };
    EXPECT_TRUE(holds(width));
    if (2 * width <= any.numRegisters()) {
      EXPECT_FALSE(holds(2 * width)) << any.str();
    }
  }
  EXPECT_GT(numVectors, 0u);
}

TEST(Layout, MovingBits) {
  Layout acc = layout(accumulator);
  EXPECT_EQ(acc.movingMask(Place::Lane, {0}), 0b11100u);
  EXPECT_EQ(acc.movingMask(Place::Lane, {1}), 0b00011u);
  EXPECT_EQ(acc.movingMask(Place::Lane, {0, 1}), 0b11111u);
  EXPECT_EQ(acc.movingMask(Place::Register, {0}), 0b10u);
  EXPECT_EQ(acc.slice({1}).layout.zeroMask(Place::Lane), 0b00011u);
}

//===----------------------------------------------------------------------===//
// Related tiles
//===----------------------------------------------------------------------===//

/// `position` without the coordinates along `dropped`.
Coordinates without(Coordinates position, llvm::ArrayRef<unsigned> dropped) {
  for (unsigned axis : llvm::reverse(dropped))
    position.erase(position.begin() + axis);
  return position;
}

template <typename Fn> void forEachRegister(const Layout &layout, Fn fn) {
  for (unsigned warp = 0; warp != layout.numWarps(); ++warp)
    for (unsigned lane = 0; lane < numLanes; lane += 5)
      for (unsigned reg = 0; reg != layout.numRegisters(); ++reg)
        fn(reg, lane, warp);
}

/// `numbers` in the order of `permutation`.
Coordinates permuted(llvm::ArrayRef<int64_t> numbers,
                     llvm::ArrayRef<unsigned> permutation) {
  Coordinates result;
  for (unsigned axis : permutation)
    result.push_back(numbers[axis]);
  return result;
}

void checkTranspose(const Layout &any, llvm::ArrayRef<unsigned> permutation) {
  Moved moved = any.transpose(permutation);
  EXPECT_EQ(moved.layout.tile().extents(),
            permuted(any.tile().extents(), permutation));
  forEachRegister(moved.layout, [&](unsigned reg, unsigned l, unsigned w) {
    EXPECT_EQ(moved.layout.position(reg, l, w),
              permuted(any.position(moved.sources[reg], l, w), permutation))
        << any.str();
  });
}

TEST(Layout, Transposes) {
  Random random(7);
  for (unsigned i = 0; i != 50; ++i)
    checkTranspose(randomLayout(random, {6, 4, 20}, {1, 1, true}), {2, 0, 1});
}

void checkSlice(const Layout &any, llvm::ArrayRef<unsigned> dropped) {
  Slice slice = any.slice(dropped);
  EXPECT_EQ(slice.layout.tile().extents(),
            without(any.tile().extents(), dropped));
  EXPECT_EQ(slice.layout.freeMask(Place::Register), 0u);
  forEachRegister(slice.layout, [&](unsigned reg, unsigned l, unsigned w) {
    EXPECT_EQ(slice.layout.position(reg, l, w),
              without(any.position(slice.sources[reg], l, w), dropped))
        << any.str();
  });
  forEachRegister(any, [&](unsigned reg, unsigned l, unsigned w) {
    EXPECT_EQ(slice.layout.position(slice.sliceOf[reg], l, w),
              without(any.position(reg, l, w), dropped))
        << any.str();
  });
}

TEST(Layout, Slices) {
  Random random(8);
  const std::vector<std::vector<unsigned>> choices = {{},  {0},    {1},
                                                      {2}, {0, 2}, {0, 1, 2}};
  for (unsigned i = 0; i != 60; ++i)
    checkSlice(randomLayout(random, {6, 4, 12}, {1, 1, true}),
               choices[i % choices.size()]);
}

TEST(Layout, ReductionOfRows) {
  Reduction rows = *layout(accumulator).reduction({1});
  EXPECT_EQ(rows.layout, layout("cell=[16] reg=[[8]] "
                                "lane=[[0], [0], [1], [2], [4]]"));
  EXPECT_EQ(rows.laneMask, 0b11u);
  EXPECT_EQ(rows.warpMask, 0u);
  ASSERT_EQ(rows.groups.size(), 2u);
  EXPECT_TRUE(llvm::equal(rows.groups[0], llvm::ArrayRef({0u, 1u})));
  EXPECT_TRUE(llvm::equal(rows.groups[1], llvm::ArrayRef({2u, 3u})));
  // A lane that moves along both axes meets results of another row.
  EXPECT_FALSE(layout("cell=[2, 2] reg=[[1, 0]] "
                      "lane=[[1, 1], [0, 0], [0, 0], [0, 0], [0, 0]]")
                   .reduction({1}));
  // Copies that are not marked by a zero would count twice.
  EXPECT_FALSE(layout("cell=[2] reg=[[1]] lane=[[1], [0], [0], [0], [0]]")
                   .reduction({0}));
}

/// False if there is no reduction without a conversion.
bool checkReduction(const Layout &any, llvm::ArrayRef<unsigned> dropped) {
  std::optional<Reduction> reduction = any.reduction(dropped);
  if (!reduction)
    return false;
  // Registers, lanes, warps: sums of sets of elements.
  const Layout &result = reduction->layout;
  using Elements = std::multiset<int64_t>;
  Machine machine = load(any);
  std::vector<std::vector<Elements>> sums;
  for (unsigned thread = 0; thread != numLanes * any.numWarps(); ++thread) {
    sums.emplace_back();
    for (const auto &group : reduction->groups) {
      Elements &sum = sums.back().emplace_back();
      for (unsigned reg : group)
        sum.insert(machine[0][thread / 32][thread % 32][reg]);
    }
  }
  unsigned mask = reduction->laneMask | reduction->warpMask * numLanes;
  for (unsigned bit = 0; bit != 16; ++bit) {
    if (!(mask >> bit & 1))
      continue;
    auto before = sums;
    for (unsigned thread = 0; thread != sums.size(); ++thread)
      for (unsigned reg = 0; reg != result.numRegisters(); ++reg)
        for (int64_t element : before[thread ^ 1u << bit][reg])
          sums[thread][reg].insert(element);
  }
  std::map<int64_t, Elements> wanted; // by number of the result
  const Coordinates extents = any.tile().extents();
  for (int64_t number = 0; number != any.tile().numElements(); ++number) {
    Coordinates position(extents.size());
    int64_t rest = number;
    for (unsigned axis = extents.size(); axis-- != 0; rest /= extents[axis])
      position[axis] = rest % extents[axis];
    wanted[elementNumber(result.tile(), without(position, dropped))].insert(
        number);
  }
  forEachRegister(result, [&](unsigned reg, unsigned lane, unsigned warp) {
    EXPECT_EQ(
        sums[lane + numLanes * warp][reg],
        wanted[elementNumber(result.tile(), result.position(reg, lane, warp))])
        << any.str();
  });
  return true;
}

TEST(Layout, ReductionsSumEachElementOnce) {
  Random random(9);
  unsigned numReductions = 0;
  for (unsigned i = 0; i != 300; ++i) {
    Layout any = randomLayout(random, {6, 8, 4}, {2, 2, i % 3 == 0});
    std::vector<unsigned> dropped = {i % 3};
    if (i % 2)
      dropped = {0, 2};
    numReductions += checkReduction(any, dropped);
  }
  EXPECT_GT(numReductions, 50u);
}

void checkInsertedAxis(const Layout &any, unsigned axis, int64_t extent) {
  Moved moved = any.insertAxis(axis, extent);
  EXPECT_EQ(moved.layout.numRegisters(), any.numRegisters() * extent);
  forEachRegister(moved.layout, [&](unsigned reg, unsigned l, unsigned w) {
    Coordinates position = moved.layout.position(reg, l, w);
    EXPECT_LT(position[axis], extent);
    EXPECT_EQ(without(position, {axis}), any.position(moved.sources[reg], l, w))
        << any.str();
  });
  // Every thread has the whole axis.
  EXPECT_EQ(moved.layout.slice({axis}).layout.numRegisters(),
            any.slice({}).layout.numRegisters());
}

TEST(Layout, InsertedAxes) {
  Random random(10);
  for (unsigned i = 0; i != 60; ++i)
    checkInsertedAxis(randomLayout(random, {6, 12}, {1, 1, true}), i % 3,
                      std::array<int64_t, 4>{1, 2, 3, 12}[i % 4]);
}

TEST(Layout, Reshapes) {
  Random random(11);
  struct Case {
    Coordinates from, to;
    bool fits;
  };
  const Case cases[] = {
      {{8, 16}, {128}, true},     {{128}, {2, 4, 16}, true},
      {{12, 8}, {96}, true},      {{96}, {3, 32}, true},
      {{96}, {24, 4}, true},      {{4, 3}, {12}, false},
      {{2, 12}, {24}, false},     {{8, 6}, {4, 2, 6}, true},
      {{8, 6}, {4, 12}, false},   {{3, 5, 4}, {60}, true},
      {{3, 20}, {15, 4}, true},   {{1}, {}, true},
      {{}, {1, 1}, true},         {{6, 8}, {6, 1, 2, 4}, true},
      {{8, 6, 8}, {8, 48}, true}, {{8, 6, 8}, {8, 3, 16}, true},
      {{8, 8}, {32}, false},      {{4, 1, 8}, {4, 8}, true},
  };
  for (const Case &c : cases) {
    Layout any = randomLayout(random, c.from, {1, 1, true});
    std::optional<Layout> reshaped = any.reshape(c.to);
    ASSERT_EQ(reshaped.has_value(), c.fits) << any.str();
    if (!reshaped)
      continue;
    EXPECT_EQ(reshaped->tile().extents(), c.to);
    EXPECT_EQ(load(*reshaped), load(any));
  }
}

void checkRepeat(const Layout &any, unsigned axis, int64_t count) {
  Layout::Repeated repeated = any.repeat(axis, count);
  EXPECT_EQ(repeated.layout.numRegisters(), any.numRegisters() * count);
  forEachRegister(repeated.layout, [&](unsigned reg, unsigned l, unsigned w) {
    auto [copy, source] = repeated.sources[reg];
    Coordinates position = any.position(source, l, w);
    position[axis] += copy * any.tile().extent(axis);
    EXPECT_EQ(repeated.layout.position(reg, l, w), position) << any.str();
  });
}

TEST(Layout, Repeats) {
  Random random(12);
  for (int64_t count : {1, 2, 3, 4, 6})
    for (unsigned axis : {0u, 1u})
      for (unsigned i = 0; i != 10; ++i)
        checkRepeat(randomLayout(random, {6, 8}, {1, 1, true}), axis, count);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// That every register of a thread is found by its element.
void checkInverse(const Layout &any) {
  std::optional<BitMap> inverse = any.map().rightInverse(any.tile().numBits());
  ASSERT_TRUE(inverse) << any.str();
  for (Bits element = 0; element < Bits(1) << any.tile().numBits();
       element = element + 1 + element / 64) {
    EXPECT_EQ(any.map().after(*inverse)(element), element);
    Layout::Owner owner = any.owner((*inverse)(element));
    EXPECT_EQ(any.cellPosition(owner.reg, owner.lane, owner.warp, owner.cta),
              element)
        << any.str();
  }
}

TEST(Layout, AllSmallMaps) {
  // Every surjective map of two register bits, a lane bit and a warp bit to a
  // cell of 2x2, which is there once or three times along either axis.
  unsigned numLayouts = 0, numReductions = 0;
  for (const Coordinates &extents :
       {Coordinates{2, 2}, Coordinates{6, 2}, Coordinates{2, 6}}) {
    TileShape shape(extents);
    for (unsigned code = 0; code != 256; ++code) {
      BitVectors bases;
      for (unsigned bit = 0; bit != 4; ++bit)
        bases.push_back(code >> 2 * bit & 3);
      if (Span(bases).rank() != 2)
        continue;
      ++numLayouts;
      Layout any(shape, {bases[0], bases[1]}, {0, bases[2], 0, 0, 0},
                 {bases[3]});
      checkInverse(any);
      for (const std::vector<unsigned> &axes :
           {std::vector<unsigned>{}, {0}, {1}, {0, 1}}) {
        checkSlice(any, axes);
        numReductions += checkReduction(any, axes);
      }
      checkTranspose(any, {0, 1});
      checkTranspose(any, {1, 0});
      for (unsigned axis : {0u, 1u, 2u})
        for (int64_t extent : {1, 2, 3})
          checkInsertedAxis(any, axis, extent);
      for (unsigned axis : {0u, 1u})
        for (int64_t count : {1, 2, 3})
          checkRepeat(any, axis, count);
      if (HasFailure())
        return;
    }
  }
  EXPECT_EQ(numLayouts, 3 * (256u - 1 - 3 * 15));
  EXPECT_GT(numReductions, numLayouts / 2);
}

TEST(Layout, LargeAtRandom) {
  Random random(13);
  unsigned numReductions = 0;
  for (const Coordinates &extents :
       {Coordinates{128, 192}, Coordinates{256, 128}, Coordinates{4, 64, 80}})
    for (unsigned i = 0; i != 4; ++i) {
      Layout any = randomLayout(random, extents, {3, 1, i % 2 == 0});
      checkInverse(any);
      checkSlice(any, {0});
      checkSlice(any, {1});
      numReductions += checkReduction(any, {1});
      std::vector<unsigned> permutation(extents.size());
      std::iota(permutation.rbegin(), permutation.rend(), 0);
      checkTranspose(any, permutation);
      checkInsertedAxis(any, 1, 3);
      checkRepeat(any, 0, 2);
      if (HasFailure())
        return;
    }
  EXPECT_GT(numReductions, 0u);
}

TEST(Layout, Scalars) {
  Layout scalar;
  EXPECT_EQ(scalar.numRegisters(), 1u);
  EXPECT_EQ(scalar.position(0, 17, 0), Coordinates());
  EXPECT_EQ(scalar.freeMask(Place::Lane), 31u);
  EXPECT_EQ(scalar.insertAxis(0, 1).layout.slice({0}).layout, scalar);
  Reduction all = *layout(accumulator).reduction({0, 1});
  EXPECT_EQ(all.layout, scalar);
  EXPECT_EQ(all.laneMask, 31u);
  EXPECT_EQ(all.groups[0].size(), 4u);
}

} // namespace
