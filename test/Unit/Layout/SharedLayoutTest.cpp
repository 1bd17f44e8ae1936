//===- SharedLayoutTest.cpp - tiles in shared memory ----------------------===//

#include "LayoutTesting.h"

#include "fuse/Layout/Atoms.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace fuse;
using namespace fuse::simulated;

namespace {

TEST(SharedLayout, TextRoundTrips) {
  const char *text = "cell=[2, 4] offset=[[0, 1], [0, 2], [1, 1]] "
                     "repeat=[1, 3]";
  SharedLayout memory = shared(text);
  EXPECT_EQ(memory.str(), text);
  EXPECT_EQ(*SharedLayout::get(memory.bases()), memory);
  EXPECT_EQ(hash_value(shared(text)), hash_value(memory));
  EXPECT_EQ(memory.position(4 + 8), Coordinates({1, 5}));
  EXPECT_EQ(memory.offset({1, 5}), 12);
}

TEST(SharedLayout, Errors) {
  EXPECT_EQ(sharedError("cell=[6] offset=[[1]]"),
            "the cell's extent along axis 0 is 6, expected a power of two");
  EXPECT_EQ(sharedError("cell=[4] offset=[[1], [4]]"),
            "offset basis 1 moves by 4 along axis 0, out of the cell's 4 "
            "positions");
  EXPECT_EQ(sharedError("cell=[4] offset=[[1], [2], [3]]"),
            "offset basis 2 adds no position: two offsets would hold the same "
            "element");
  EXPECT_EQ(sharedError("cell=[4, 2] offset=[[1, 0], [2, 0]]"),
            "no offset holds the element at [0, 1]");
  EXPECT_EQ(sharedError("cell=[2] reg=[[1]]"), "a shared layout has no 'reg'");
}

TEST(SharedLayout, OffsetsAndPositionsAreInverse) {
  for (auto &memory : {plainShared({6, 8}), plainShared({6, 8}, {0, 1}),
                       *swizzledShared({64, 192}, 1, 2, 128),
                       *swizzledShared({96, 64}, 0, 4, 64)}) {
    std::set<int64_t> offsets;
    const TileShape &tile = memory.tile();
    for (int64_t offset = 0; offset != tile.numElements(); ++offset) {
      Coordinates position = memory.position(offset);
      EXPECT_EQ(memory.offset(position), offset);
      offsets.insert(elementNumber(tile, position));
    }
    EXPECT_EQ(int64_t(offsets.size()), tile.numElements());
  }
}

TEST(SharedLayout, Transposes) {
  SharedLayout memory = *swizzledShared({64, 192}, 1, 2, 128);
  SharedLayout transposed = *memory.transpose({1, 0});
  for (int64_t row = 0; row != 64; ++row)
    for (int64_t column = 0; column != 192; ++column)
      EXPECT_EQ(transposed.offset({column, row}), memory.offset({row, column}));
  // The repeats would have to change places.
  EXPECT_FALSE(plainShared({6, 10}).transpose({1, 0}));
  EXPECT_TRUE(plainShared({6, 10, 2}).transpose({0, 2, 1}));
}

TEST(SharedLayout, PlainIsRowMajorInTheCell) {
  SharedLayout rows = plainShared({8, 16});
  SharedLayout columns = plainShared({8, 16}, {0, 1});
  for (int64_t row = 0; row != 8; ++row)
    for (int64_t column = 0; column != 16; ++column) {
      EXPECT_EQ(rows.offset({row, column}), 16 * row + column);
      EXPECT_EQ(columns.offset({row, column}), 8 * column + row);
    }
}

/// The XOR of address bits that the copy engine does.
int64_t swizzled(int64_t address, int64_t swizzleBytes) {
  return address ^ ((address >> 7 & (swizzleBytes / 16 - 1)) << 4);
}

TEST(SharedLayout, SwizzlesOfTheCopyEngine) {
  for (int64_t swizzleBytes : {32, 64, 128})
    for (int64_t elementBytes : {1, 2, 4}) {
      // 3 boxes wide, K-major.
      int64_t rows = 32, perBox = swizzleBytes / elementBytes;
      SharedLayout memory =
          *swizzledShared({rows, 3 * perBox}, 1, elementBytes, swizzleBytes);
      // 2 boxes high, MN-major.
      SharedLayout turned =
          *swizzledShared({2 * perBox, rows}, 0, elementBytes, swizzleBytes);
      for (int64_t row = 0; row != rows; ++row)
        for (int64_t column = 0; column != 3 * perBox; ++column) {
          int64_t inBox =
              swizzled(row * swizzleBytes + column % perBox * elementBytes,
                       swizzleBytes);
          int64_t address = column / perBox * rows * swizzleBytes + inBox;
          EXPECT_EQ(memory.offset({row, column}) * elementBytes, address);
          if (column < 2 * perBox) {
            EXPECT_EQ(turned.offset({column, row}) * elementBytes, address);
          }
        }
    }
  EXPECT_FALSE(swizzledShared({64, 32}, 1, 2, 128));
}

TEST(SharedLayout, DescriptorsWalkTheBoxes) {
  // K-major: rows in groups of 8, a step of k moves by 32 bytes.
  for (int64_t swizzleBytes : {32, 64, 128}) {
    SharedLayout memory =
        *swizzledShared({128, swizzleBytes / 2}, 1, 2, swizzleBytes);
    for (int64_t row = 0; row != 128; ++row)
      for (int64_t byte = 0; byte != swizzleBytes; byte += 2) {
        int64_t start = byte / 32 * 32;
        int64_t address = swizzled(start + row / 8 * 8 * swizzleBytes +
                                       row % 8 * swizzleBytes + byte % 32,
                                   swizzleBytes);
        EXPECT_EQ(memory.offset({row, byte / 2}) * 2, address);
      }
  }
  // MN-major: [k][n] in chunks of 64 columns, a step of 16 k is 2048 bytes.
  SharedLayout values = *swizzledShared({128, 128}, 1, 2, 128);
  for (int64_t k = 0; k != 128; ++k)
    for (int64_t n = 0; n != 128; ++n)
      EXPECT_EQ(values.offset({k, n}) * 2,
                swizzled(k / 16 * 2048 + n / 64 * 128 * 128 +
                             k % 16 / 8 * 1024 + k % 8 * 128 + n % 64 * 2,
                         128));
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

/// Where the PTX ISA says that an instruction finds each element of its factor
/// of `rows` x 32 bytes: matrices of 8 rows of 16 bytes, in swizzled memory.
/// K-major, the rows of a matrix are those of the factor, and the second
/// matrix follows 16 bytes behind the first; `strideBytes` leads to the next 8
/// rows. Otherwise rows are k and run along m or n, `swizzleBytes` long before
/// `leadingBytes` lead on, and `strideBytes` leads to the next 8 k.
void checkElements(const WgmmaAccess &access, int64_t rows) {
  Coordinates extents = access.memory->tile().extents();
  int64_t bytes = access.elementBytes, matrixRow = 16 / bytes;
  int64_t depth = 32 / bytes, perBox = access.swizzleBytes / bytes;
  for (int64_t row = 0; row != extents[access.rowAxis]; ++row)
    for (int64_t k = 0; k != extents[access.kAxis]; ++k) {
      int64_t inRow = row % rows, inK = k % depth;
      int64_t start = access.startBytes(row - inRow, k - inK);
      int64_t address;
      if (access.isKMajor)
        address = start + inRow / 8 * access.strideBytes +
                  inRow % 8 * access.swizzleBytes + inK / matrixRow * 16 +
                  inK % matrixRow * bytes;
      else
        address = start + inRow / perBox * access.leadingBytes +
                  inK / 8 * access.strideBytes + inK % 8 * access.swizzleBytes +
                  inRow % perBox * bytes;
      Coordinates position(extents.size(), 0);
      position[access.rowAxis] = row;
      position[access.kAxis] = k;
      EXPECT_EQ(swizzled(address, access.swizzleBytes),
                access.memory->offset(position) * bytes)
          << "row " << row << " k " << k;
      // What is left out of a descriptor.
      EXPECT_EQ(start % 16, 0);
    }
}

TEST(WgmmaAccess, KMajor) {
  for (unsigned swizzleBytes : {32, 64, 128})
    for (unsigned elementBytes : {1, 2, 4})
      for (int64_t rows : {8, 64, 128}) {
        // Two boxes along k.
        int64_t perBox = swizzleBytes / elementBytes;
        SharedLayout memory =
            *swizzledShared({128, 2 * perBox}, 1, elementBytes, swizzleBytes);
        auto access = wgmmaAccess(memory, 0, 1, elementBytes, rows);
        ASSERT_TRUE(access);
        EXPECT_TRUE(access->isKMajor);
        EXPECT_EQ(access->swizzleBytes, swizzleBytes);
        EXPECT_EQ(access->strideBytes, 8 * swizzleBytes);
        EXPECT_EQ(access->leadingBytes, 0);
        EXPECT_EQ(access->startBytes(0, perBox), 128 * swizzleBytes);
        checkElements(*access, rows);
      }
}

TEST(WgmmaAccess, MnMajor) {
  for (unsigned swizzleBytes : {32, 64, 128})
    for (int64_t boxes : {1, 3}) {
      // The right factor is [k][n].
      int64_t perBox = swizzleBytes / 2, columns = boxes * perBox;
      SharedLayout memory = *swizzledShared({64, columns}, 1, 2, swizzleBytes);
      auto access = wgmmaAccess(memory, 1, 0, 2, columns);
      ASSERT_TRUE(access);
      EXPECT_FALSE(access->isKMajor);
      EXPECT_EQ(access->swizzleBytes, swizzleBytes);
      EXPECT_EQ(access->strideBytes, 8 * swizzleBytes);
      EXPECT_EQ(access->leadingBytes, boxes == 1 ? 0 : 64 * swizzleBytes);
      checkElements(*access, columns);
    }
}

TEST(WgmmaAccess, ColumnsThatRepeat) {
  // 192 columns are three cells of 64, and one instruction takes all or 96.
  SharedLayout memory = *swizzledShared({64, 192}, 1, 2, 128);
  auto access = wgmmaAccess(memory, 1, 0, 2, 192);
  ASSERT_TRUE(access);
  EXPECT_EQ(access->leadingBytes, 64 * 128);
  checkElements(*access, 192);
  SharedLayout along = *swizzledShared({64, 192}, 0, 2, 128);
  for (int64_t columns : {96, 192}) {
    auto onK = wgmmaAccess(along, 1, 0, 2, columns);
    ASSERT_TRUE(onK);
    EXPECT_TRUE(onK->isKMajor);
    checkElements(*onK, columns);
  }
  // No instruction can start in the middle of a box.
  EXPECT_FALSE(wgmmaAccess(memory, 1, 0, 2, 96));
  // Of two boxes along k, those of a cell of 64 rows come first.
  SharedLayout cells = *swizzledShared({192, 128}, 1, 2, 128);
  EXPECT_FALSE(wgmmaAccess(cells, 0, 1, 2, 192));
  auto inCell = wgmmaAccess(cells, 0, 1, 2, 64);
  ASSERT_TRUE(inCell);
  checkElements(*inCell, 64);
}

TEST(WgmmaAccess, FurtherAxesHaveNoExtent) {
  SharedLayout one = *swizzledShared({1, 64, 64}, 2, 2, 128);
  auto access = wgmmaAccess(one, 1, 2, 2, 64);
  ASSERT_TRUE(access);
  checkElements(*access, 64);
  SharedLayout two = *swizzledShared({2, 64, 64}, 2, 2, 128);
  EXPECT_FALSE(wgmmaAccess(two, 1, 2, 2, 64));
}

TEST(WgmmaAccess, Refused) {
  // Without a swizzle.
  EXPECT_FALSE(wgmmaAccess(plainShared({64, 64}), 0, 1, 2, 64));
  EXPECT_FALSE(wgmmaAccess(plainShared({64, 16}), 0, 1, 2, 64));
  EXPECT_FALSE(wgmmaAccess(plainShared({64, 64}, {0, 1}), 0, 1, 2, 64));
  // Rows of 128 bytes, with fewer chunks changing places.
  SharedLayout narrow = shared(
      "cell=[64, 64] offset=[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], "
      "[1, 8], [2, 16], [4, 0], [8, 0], [16, 0], [32, 0]]");
  EXPECT_FALSE(wgmmaAccess(narrow, 0, 1, 2, 64));
  // Chunks that change places with other rows than the engine's.
  SharedLayout turned = shared(
      "cell=[64, 64] offset=[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], "
      "[1, 32], [2, 16], [4, 8], [8, 0], [16, 0], [32, 0]]");
  EXPECT_FALSE(wgmmaAccess(turned, 0, 1, 2, 64));
  // Other than 16 bits, and not along k.
  for (unsigned elementBytes : {1, 4}) {
    int64_t perBox = 128 / elementBytes;
    SharedLayout memory = *swizzledShared({64, perBox}, 1, elementBytes, 128);
    EXPECT_FALSE(wgmmaAccess(memory, 1, 0, elementBytes, perBox));
    EXPECT_TRUE(wgmmaAccess(memory, 0, 1, elementBytes, 64));
  }
  // Not whole instructions.
  SharedLayout memory = *swizzledShared({64, 64}, 1, 2, 128);
  EXPECT_FALSE(wgmmaAccess(memory, 0, 1, 2, 48));
  EXPECT_FALSE(wgmmaAccess(*swizzledShared({64, 8}, 0, 2, 128), 0, 1, 2, 64));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

TEST(SharedLayout, BankConflictsOfAddresses) {
  auto ways = [](auto address, unsigned bytes) {
    llvm::SmallVector<int64_t> addresses;
    for (int64_t lane = 0; lane != 32; ++lane)
      addresses.push_back(address(lane));
    return bankConflicts(addresses, bytes);
  };
  EXPECT_EQ(ways([](int64_t l) { return 4 * l; }, 4), 1u);
  EXPECT_EQ(ways([](int64_t l) { return 8 * l; }, 4), 2u);
  EXPECT_EQ(ways([](int64_t l) { return 128 * l; }, 4), 32u);
  EXPECT_EQ(ways([](int64_t) { return 64; }, 4), 1u);
  EXPECT_EQ(ways([](int64_t l) { return 2 * l; }, 2), 1u);
  EXPECT_EQ(ways([](int64_t l) { return 128 * (l / 2) + 2 * (l % 2); }, 2),
            16u);
  // Half warps and quarters go one after another.
  EXPECT_EQ(ways([](int64_t l) { return 8 * l; }, 8), 1u);
  EXPECT_EQ(ways([](int64_t l) { return 16 * l; }, 8), 2u);
  EXPECT_EQ(ways([](int64_t l) { return 16 * l; }, 16), 1u);
  EXPECT_EQ(ways([](int64_t l) { return l % 8 * 16 + l / 8 * 4096; }, 16), 1u);
  EXPECT_EQ(ways([](int64_t l) { return 128 * l; }, 16), 8u);
  // Lanes that take no part.
  EXPECT_EQ(ways([](int64_t l) { return l % 2 ? -1 : 128 * l; }, 4), 16u);
}

/// All accesses one by one; `bankConflicts` looks at a single one.
unsigned worstOfAll(const Layout &layout, const SharedLayout &memory,
                    unsigned elementBytes, unsigned width) {
  unsigned worst = 1;
  auto accesses = *vectorAccesses(layout, memory, width);
  for (unsigned warp = 0; warp != layout.numWarps(); ++warp)
    for (const VectorAccess &access : accesses) {
      llvm::SmallVector<int64_t> addresses;
      for (unsigned lane = 0; lane != numLanes; ++lane) {
        int64_t first =
            memory.offset(layout.position(access.registers[0], lane, warp));
        for (auto [i, reg] : llvm::enumerate(access.registers))
          EXPECT_EQ(memory.offset(layout.position(reg, lane, warp)),
                    first + int64_t(i));
        addresses.push_back(first * elementBytes);
      }
      worst = std::max(worst, bankConflicts(addresses, elementBytes * width));
    }
  return worst;
}

TEST(SharedLayout, OneAccessSpeaksForAll) {
  Random random(20);
  unsigned numVectors = 0, numConflicts = 0;
  for (unsigned i = 0; i != 300; ++i) {
    Layout any = randomLayout(random, {16, 24}, {1, 1, i % 4 == 0});
    SharedLayout memory =
        i % 2 ? plainShared({16, 24}) : plainShared({16, 24}, {0, 1});
    unsigned elementBytes = 1u << i % 3;
    unsigned widest = maxVectorWidth(any, memory, elementBytes);
    for (unsigned width = 1; width <= widest; width *= 2) {
      unsigned conflicts = bankConflicts(any, memory, elementBytes, width);
      EXPECT_EQ(conflicts, worstOfAll(any, memory, elementBytes, width));
      numConflicts += conflicts > 1;
    }
    numVectors += widest > 1;
  }
  EXPECT_GT(numVectors, 20u);
  EXPECT_GT(numConflicts, 20u);
}

TEST(SharedLayout, AddressesAreXorOfParts) {
  Layout fragment = *mmaOperandA({64, 64}, {2, 2}, 2);
  SharedLayout memory = *swizzledShared({64, 64}, 1, 2, 128);
  SharedAddress address = addressOf(fragment, memory);
  for (unsigned warp = 0; warp != 4; ++warp)
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned reg = 0; reg != fragment.numRegisters(); ++reg) {
        Bits thread = BitMap(address.lane)(lane) ^ BitMap(address.warp)(warp);
        EXPECT_EQ(thread & ~address.threadBits, 0u);
        EXPECT_EQ(memory.offset(fragment.position(reg, lane, warp)),
                  int64_t(thread ^ address.registers[reg]));
      }
}

TEST(SharedLayout, VectorsThatSomeThreadWouldPermute) {
  SharedLayout memory = plainShared({4});
  Layout straight = layout("cell=[4] reg=[[1]] "
                           "lane=[[2], [0], [0], [0], [0]]");
  Layout turned = layout("cell=[4] reg=[[1]] "
                         "lane=[[3], [0], [0], [0], [0]]");
  EXPECT_EQ(maxVectorWidth(straight, memory, 4), 2u);
  EXPECT_EQ(maxVectorWidth(turned, memory, 4), 1u);
  // Registers may come in any order.
  Layout backwards = layout("cell=[4] reg=[[2], [3]]");
  auto accesses = *vectorAccesses(backwards, memory, 4);
  ASSERT_EQ(accesses.size(), 1u);
  EXPECT_TRUE(
      llvm::equal(accesses[0].registers, llvm::ArrayRef({0u, 3u, 1u, 2u})));
  EXPECT_EQ(maxVectorWidth(backwards, memory, 8), 2u);
}

} // namespace
