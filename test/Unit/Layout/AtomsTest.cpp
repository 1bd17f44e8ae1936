//===- AtomsTest.cpp - the layouts that instructions want -----------------===//
//
// Against the formulas of the PTX ISA's figures, element by element.
//
//===----------------------------------------------------------------------===//

#include "LayoutTesting.h"

#include "fuse/Layout/Atoms.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace fuse;
using namespace fuse::simulated;

namespace {

TEST(Atoms, WgmmaAccumulator) {
  for (int64_t n : {64, 128, 192}) {
    Layout acc = *wgmmaAccumulator({64, n}, 1);
    EXPECT_TRUE(acc.isInjective());
    for (unsigned i = 0; i != n / 2; ++i)
      for (unsigned lane = 0; lane != 32; ++lane)
        for (unsigned warp = 0; warp != 4; ++warp)
          EXPECT_EQ(acc.position(i, lane, warp),
                    Coordinates({16 * warp + lane / 4 + 8 * (i >> 1 & 1),
                                 8 * (i >> 2) + 2 * (lane % 4) + (i & 1)}));
  }
}

/// The row that row `row` of an instruction is, where a thread's two rows are
/// neighbours.
int64_t pairedRow(int64_t row, bool areWords) {
  int64_t lane = row % 8, half = row / 8 % 2, warp = row / 16 % 4;
  if (!areWords)
    return row / 64 * 64 + 16 * warp + 2 * lane + half;
  return row / 64 * 64 + half + 2 * (lane % 2) + 16 * (lane / 2 % 2) +
         4 * (lane / 4) + 8 * (warp % 2) + 32 * (warp / 2);
}

TEST(Atoms, PairedRowsOfWgmma) {
  for (auto [bytes, rows] :
       {std::pair(1u, WgmmaRows::Paired), {4u, WgmmaRows::PairedWords}}) {
    EXPECT_EQ(wgmmaRowsInMemory(bytes), rows);
    int64_t k = 64 / bytes;
    for (const auto &[plain, paired] :
         {std::pair(*wgmmaAccumulator({256, 24}, 2),
                    *wgmmaAccumulator({256, 24}, 2, rows)),
          {*wgmmaOperandA({256, k}, 2, bytes),
           *wgmmaOperandA({256, k}, 2, bytes, rows)}}) {
      EXPECT_TRUE(paired.isInjective());
      // Registers may be numbered in another order.
      for (unsigned warp = 0; warp != 8; ++warp)
        for (unsigned lane = 0; lane != 32; ++lane) {
          std::set<std::pair<int64_t, int64_t>> wanted, found;
          for (unsigned reg = 0; reg != plain.numRegisters(); ++reg) {
            Coordinates from = plain.position(reg, lane, warp);
            Coordinates to = paired.position(reg, lane, warp);
            wanted.emplace(pairedRow(from[0], bytes == 4), from[1]);
            found.emplace(to[0], to[1]);
          }
          EXPECT_EQ(wanted, found);
        }
    }
  }
}

TEST(Atoms, AccumulatorIsTheNextOperand) {
  for (int64_t k : {16, 64, 128}) {
    EXPECT_EQ(*wgmmaAccumulator({64, k}, 1), *wgmmaOperandA({64, k}, 1, 2));
    EXPECT_EQ(*wgmmaAccumulator({128, k}, 2), *wgmmaOperandA({128, k}, 2, 2));
    EXPECT_EQ(*mmaAccumulator({16, k}, {}), *mmaOperandA({16, k}, {}, 2));
  }
  EXPECT_EQ(*wgmmaAccumulator({64, 64}, 1), *mmaAccumulator({64, 64}, {4, 1}));
  // Words are, if their k are paired.
  for (int64_t k : {8, 24, 64})
    for (WarpGrid grid : {WarpGrid{}, WarpGrid{2, 1}})
      EXPECT_EQ(*mmaAccumulator({64, k}, grid),
                *mmaOperandA({64, k}, grid, 4, MmaDepth::Paired));
}

TEST(Atoms, FragmentsOfMma) {
  Layout c = *mmaAccumulator({16, 8}, {});
  Layout a16 = *mmaOperandA({16, 16}, {}, 2),
         b16 = *mmaOperandB({16, 8}, {}, 2);
  Layout a32 = *mmaOperandA({16, 8}, {}, 4), b32 = *mmaOperandB({8, 8}, {}, 4);
  Layout paired = *mmaOperandA({16, 8}, {}, 4, MmaDepth::Paired),
         pairedB = *mmaOperandB({8, 8}, {}, 4, MmaDepth::Paired);
  Layout a8 = *mmaOperandA({16, 32}, {}, 1), b8 = *mmaOperandB({32, 8}, {}, 1);
  for (unsigned lane = 0; lane != 32; ++lane) {
    int64_t group = lane / 4, in = lane % 4;
    for (int64_t i = 0; i != 4; ++i)
      EXPECT_EQ(c.position(i, lane, 0),
                Coordinates({group + 8 * (i / 2), in * 2 + i % 2}));
    for (int64_t i = 0; i != 8; ++i)
      EXPECT_EQ(
          a16.position(i, lane, 0),
          Coordinates({group + 8 * (i / 2 % 2), in * 2 + i % 2 + 8 * (i / 4)}));
    for (int64_t i = 0; i != 4; ++i)
      EXPECT_EQ(b16.position(i, lane, 0),
                Coordinates({in * 2 + i % 2 + 8 * (i / 2), group}));
    for (int64_t i = 0; i != 4; ++i)
      EXPECT_EQ(a32.position(i, lane, 0),
                Coordinates({group + 8 * (i % 2), in + 4 * (i / 2)}));
    for (int64_t i = 0; i != 2; ++i)
      EXPECT_EQ(b32.position(i, lane, 0), Coordinates({in + 4 * i, group}));
    for (int64_t i = 0; i != 4; ++i)
      EXPECT_EQ(paired.position(i, lane, 0),
                Coordinates({group + 8 * (i / 2), 2 * in + i % 2}));
    for (int64_t i = 0; i != 2; ++i)
      EXPECT_EQ(pairedB.position(i, lane, 0), Coordinates({2 * in + i, group}));
    for (int64_t i = 0; i != 16; ++i)
      EXPECT_EQ(a8.position(i, lane, 0),
                Coordinates(
                    {group + 8 * (i / 4 % 2), in * 4 + i % 4 + 16 * (i / 8)}));
    for (int64_t i = 0; i != 8; ++i)
      EXPECT_EQ(b8.position(i, lane, 0),
                Coordinates({in * 4 + i % 4 + 16 * (i / 4), group}));
  }
}

TEST(Atoms, GridsOfWarps) {
  WarpGrid grid{2, 4};
  Layout acc = *mmaAccumulator({64, 96}, grid);
  Layout a = *mmaOperandA({64, 32}, grid, 2);
  Layout b = *mmaOperandB({32, 96}, grid, 2);
  EXPECT_EQ(acc.numWarps(), 8u);
  EXPECT_EQ(a.freeMask(Place::Warp), 0b110u);
  EXPECT_EQ(b.freeMask(Place::Warp), 0b001u);
  EXPECT_TRUE(acc.isInjective());
  // Each warp has the rows of A and the columns of B of its part of the
  // accumulator, register for register.
  for (unsigned warp = 0; warp != 8; ++warp)
    for (unsigned lane = 0; lane < 32; lane += 31) {
      std::set<int64_t> rowsOfA, columnsOfB;
      for (unsigned reg = 0; reg != a.numRegisters(); ++reg)
        for (unsigned l = 0; l != 32; ++l)
          rowsOfA.insert(a.position(reg, l, warp)[0]);
      for (unsigned reg = 0; reg != b.numRegisters(); ++reg)
        for (unsigned l = 0; l != 32; ++l)
          columnsOfB.insert(b.position(reg, l, warp)[1]);
      for (unsigned reg = 0; reg != acc.numRegisters(); ++reg) {
        Coordinates position = acc.position(reg, lane, warp);
        EXPECT_TRUE(rowsOfA.count(position[0]));
        EXPECT_TRUE(columnsOfB.count(position[1]));
      }
      EXPECT_EQ(rowsOfA.size(), 32u);
      EXPECT_EQ(columnsOfB.size(), 24u);
    }
  EXPECT_FALSE(mmaAccumulator({16, 8}, {2, 1}));
  EXPECT_FALSE(mmaAccumulator({24, 8}, {}));
  EXPECT_FALSE(mmaAccumulator({16}, {}));
  EXPECT_FALSE(mmaOperandA({16, 8}, {}, 2));
  EXPECT_FALSE(mmaOperandB({16, 8}, {1, 2}, 2));
  EXPECT_FALSE(wgmmaAccumulator({64, 64}, 2));
}

TEST(Atoms, BatchesOfMatrices) {
  Layout one = *mmaAccumulator({16, 8}, {});
  Layout batch = *mmaAccumulator({6, 16, 8}, {});
  EXPECT_EQ(batch, one.insertAxis(0, 6).layout);
}

TEST(Atoms, ConversionsBetweenThem) {
  Layout acc = *wgmmaAccumulator({64, 64}, 1);
  auto kind = [](const Layout &from, const Layout &to) {
    return *classifyConversion(from, to);
  };
  EXPECT_EQ(kind(acc, *wgmmaOperandA({64, 64}, 1, 2)),
            ConversionKind::Registers);
  EXPECT_EQ(kind(acc, *wgmmaOperandA({64, 64}, 1, 4)),
            ConversionKind::Shuffles);
  EXPECT_EQ(kind(acc, blockedLayout({64, 64}, 4, 4)), ConversionKind::Shared);
  EXPECT_EQ(kind(*mmaAccumulator({16, 8}, {}), *mmaOperandA({16, 8}, {}, 4)),
            ConversionKind::Shuffles);
  // Statistics of rows meet the rows of other dots in place.
  EXPECT_EQ(kind(acc.slice({1}).layout,
                 wgmmaOperandA({64, 64}, 1, 2)->slice({1}).layout),
            ConversionKind::Registers);
  EXPECT_EQ(kind(wgmmaAccumulator({64, 128}, 1)->slice({1}).layout,
                 acc.slice({1}).layout),
            ConversionKind::Registers);
  EXPECT_EQ(kind(blockedLayout({64}, 1, 4), acc.slice({0}).layout),
            ConversionKind::Shared);
}

TEST(Atoms, PermutedContractionIsFree) {
  // tf32: if k is renamed, the accumulator is the A operand as it is. Bits
  // 0, 1, 2 of the operand's k are bits 1, 2, 0 of the accumulator's column.
  Layout a = *mmaOperandA({16, 8}, {}, 4);
  Layout::Bases bases = a.bases();
  auto rename = [](llvm::MutableArrayRef<Coordinates> all) {
    for (Coordinates &basis : all)
      basis[1] = (basis[1] & 1) << 1 | (basis[1] & 2) << 1 | basis[1] >> 2;
  };
  rename(bases.reg);
  rename(bases.lane);
  EXPECT_TRUE(
      renameRegisters(*mmaAccumulator({16, 8}, {}), *Layout::get(bases)));
}

TEST(Atoms, ReductionsOfTheAccumulator) {
  Layout acc = *wgmmaAccumulator({64, 128}, 1);
  Reduction rows = *acc.reduction({1});
  EXPECT_EQ(rows.laneMask, 0b00011u);
  EXPECT_EQ(rows.warpMask, 0u);
  EXPECT_EQ(rows.layout.numRegisters(), 2u);
  Reduction columns = *acc.reduction({0});
  EXPECT_EQ(columns.laneMask, 0b11100u);
  EXPECT_EQ(columns.warpMask, 0b11u);
  EXPECT_EQ(columns.groups.front().size(), 2u);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(Atoms, BlockedFillsRowsFirst) {
  EXPECT_EQ(blockedLayout({8, 64}, 4, 4).str(),
            "cell=[8, 64] reg=[[0, 1], [0, 2]] "
            "lane=[[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]] "
            "warp=[[2, 0], [4, 0]] repeat=[1, 1]");
  // The other way around.
  EXPECT_EQ(blockedLayout({64, 8}, 4, {0, 1}, 4, 4),
            blockedLayout({8, 64}, 4, 4).transpose({1, 0}).layout);
  // Threads that find no work hold copies.
  Layout small = blockedLayout({4}, 2, 4);
  EXPECT_EQ(small.freeMask(Place::Lane), 0b11110u);
  EXPECT_EQ(small.freeMask(Place::Warp), 0b11u);
  EXPECT_EQ(blockedLayout({}, 4, 4).numRegisters(), 1u);
}

TEST(Atoms, LongerRowsStayInTheirWarps) {
  // Two rows of 16 side by side, and then a thread has a row.
  Layout side = blockedLayout({128, 16}, 1, 2);
  EXPECT_EQ(side.str(), "cell=[128, 16] "
                        "reg=[[4, 0], [8, 0], [16, 0], [32, 0], [64, 0]] "
                        "lane=[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]] "
                        "warp=[[2, 0]] repeat=[1, 1]");
  Layout rows = withLongerRows(side, 1, 16);
  EXPECT_EQ(rows.str(), "cell=[128, 16] "
                        "reg=[[0, 1], [0, 2], [0, 4], [0, 8], [64, 0]] "
                        "lane=[[4, 0], [8, 0], [16, 0], [32, 0], [1, 0]] "
                        "warp=[[2, 0]] repeat=[1, 1]");
  // A part of a longer one, and no more than registers had rows.
  EXPECT_EQ(withLongerRows(blockedLayout({64, 64}, 1, 2), 1, 16).str(),
            "cell=[64, 64] "
            "reg=[[0, 1], [0, 2], [0, 4], [0, 8], [16, 0], [32, 0]] "
            "lane=[[1, 0], [2, 0], [4, 0], [8, 0], [0, 16]] "
            "warp=[[0, 32]] repeat=[1, 1]");
  Layout few = blockedLayout({2, 32}, 1, 1);
  EXPECT_EQ(withLongerRows(few, 1, 16).str(),
            "cell=[2, 32] reg=[[0, 1]] "
            "lane=[[1, 0], [0, 2], [0, 4], [0, 8], [0, 16]] "
            "warp=[] repeat=[1, 1]");
  EXPECT_EQ(withLongerRows(few, 1, 1), few);
}

TEST(Atoms, BlocksDivideAnAxis) {
  for (unsigned axis : {0u, 1u})
    for (int64_t last : {64, 96, 128})
      for (unsigned blocks : {2u, 8u}) {
        Coordinates shape{16, last}, own = shape;
        own[axis] /= blocks;
        Layout part = blockedLayout(own, 4, 4);
        Layout whole = dividedAmongBlocks(part, axis, blocks);
        EXPECT_EQ(whole.tile(), TileShape(shape));
        EXPECT_EQ(whole.numCtas(), blocks);
        EXPECT_EQ(whole.numRegisters(), part.numRegisters());
        EXPECT_EQ(whole.isInjective(), part.isInjective());
        EXPECT_EQ(whole.freeMask(Place::Cta), 0u);
        auto sums = whole.reduction({axis});
        ASSERT_TRUE(sums);
        EXPECT_EQ(sums->ctaMask, blocks - 1);
        EXPECT_EQ(sums->layout.zeroMask(Place::Cta), blocks - 1);
      }
}

TEST(Atoms, BlocksHaveCopies) {
  Layout copied = copiedToBlocks(blockedLayout({8, 64}, 4, 4), 4);
  EXPECT_EQ(copied.freeMask(Place::Cta), 0b11u);
  EXPECT_EQ(copied.reduction({1})->ctaMask, 0u);
  EXPECT_EQ(copiedToBlocks(Layout(), 2).numCtas(), 2u);
}

TEST(Atoms, BlockedOwnsRows) {
  // 4 rows of 1024 in 4 warps: one each, 8 vectors of 16 bytes per thread.
  Layout owned = blockedLayout({4, 1024}, 4, {1, 0}, 4, 1);
  EXPECT_EQ(owned.str(),
            "cell=[4, 1024] reg=[[0, 1], [0, 2], [0, 128], [0, 256], [0, 512]] "
            "lane=[[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]] "
            "warp=[[1, 0], [2, 0]] repeat=[1, 1]");
  EXPECT_EQ(owned.reduction({1})->warpMask, 0u);
  // One row in 8 warps.
  Layout row = blockedLayout({1, 4096}, 8, {1, 0}, 8, 8);
  EXPECT_EQ(row.reduction({1})->laneMask, 31u);
  EXPECT_EQ(row.reduction({1})->warpMask, 7u);
  // Two warps per row.
  EXPECT_EQ(blockedLayout({4, 1024}, 4, {1, 0}, 8, 2).reduction({1})->warpMask,
            0b001u);
}

TEST(Atoms, Replicated) {
  Layout everywhere = replicatedLayout({3, 4}, 4);
  EXPECT_EQ(everywhere.numRegisters(), 12u);
  EXPECT_EQ(everywhere.zeroMask(Place::Lane), 31u);
  EXPECT_EQ(everywhere.zeroMask(Place::Warp), 3u);
}

TEST(Atoms, OuterProducts) {
  Layout acc = outerAccumulator({96, 192}, {2, 2}, 4, 4);
  Layout a = outerOperandA(acc, 8), b = outerOperandB(acc, 8);
  EXPECT_EQ(a.tile().extents(), Coordinates({96, 8}));
  EXPECT_EQ(b.tile().extents(), Coordinates({8, 192}));
  EXPECT_TRUE(acc.isInjective());
  EXPECT_EQ(acc.contiguity(1), 4u);
  // A thread has all that its products need.
  for (unsigned warp = 0; warp != 4; ++warp)
    for (unsigned lane = 0; lane != 32; ++lane) {
      std::set<std::pair<int64_t, int64_t>> ofA, ofB;
      for (unsigned reg = 0; reg != a.numRegisters(); ++reg) {
        Coordinates p = a.position(reg, lane, warp);
        ofA.emplace(p[0], p[1]);
      }
      for (unsigned reg = 0; reg != b.numRegisters(); ++reg) {
        Coordinates p = b.position(reg, lane, warp);
        ofB.emplace(p[0], p[1]);
      }
      for (unsigned reg = 0; reg != acc.numRegisters(); ++reg)
        for (int64_t k = 0; k != 8; ++k) {
          Coordinates p = acc.position(reg, lane, warp);
          ASSERT_TRUE(ofA.count({p[0], k}));
          ASSERT_TRUE(ofB.count({k, p[1]}));
        }
    }
  // Narrow tiles leave lanes to the other axis, or idle.
  EXPECT_EQ(outerAccumulator({128, 4}, {1, 1}, 4, 4).freeMask(Place::Lane), 0u);
  EXPECT_EQ(outerAccumulator({4, 4}, {2, 1}, 4, 4).freeMask(Place::Lane), 31u);
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

/// Reads matrices as the instruction does; conflicts are counted here again.
void checkMatrixAccess(const Layout &fragment, const SharedLayout &memory,
                       unsigned elementBytes, const MatrixAccess &access) {
  unsigned perWord = 4 / elementBytes, perRow = 16 / elementBytes;
  int64_t cellSize = int64_t(1) << memory.tile().numBits();
  unsigned worst = 1, numRegisters = 0;
  for (unsigned warp = 0; warp != fragment.numWarps(); ++warp)
    for (const MatrixAccess::Instruction &instruction : access.instructions) {
      std::vector<int64_t> rows; // by lane
      for (unsigned lane = 0; lane != 32; ++lane)
        rows.push_back(instruction.repeat * cellSize +
                       int64_t(instruction.offset ^ BitMap(access.lane)(lane) ^
                               BitMap(access.warp)(warp)));
      ASSERT_EQ(instruction.registers.size(), access.matrices * perWord);
      numRegisters += instruction.registers.size();
      for (unsigned matrix = 0; matrix != access.matrices; ++matrix) {
        std::vector<int64_t> addresses;
        for (unsigned row = 0; row != 8; ++row) {
          addresses.push_back(rows[8 * matrix + row] * elementBytes);
          EXPECT_EQ(addresses.back() % 16, 0);
        }
        worst = std::max(worst, bankConflicts(addresses, 16));
        for (unsigned lane = 0; lane != 32; ++lane)
          for (unsigned i = 0; i != perWord; ++i) {
            // Transposed are elements of 16 bits, which may be two.
            unsigned unit = access.transposed ? 2 / elementBytes : 1;
            unsigned row = lane / 4,
                     column = perWord / unit * (lane % 4) + i / unit;
            if (access.transposed)
              std::swap(row, column);
            column = column * unit + i % unit;
            ASSERT_LT(column, perRow);
            unsigned reg = instruction.registers[matrix * perWord + i];
            EXPECT_EQ(rows[8 * matrix + row] + column,
                      memory.offset(fragment.position(reg, lane, warp)));
          }
      }
    }
  EXPECT_EQ(numRegisters, fragment.numRegisters() * fragment.numWarps());
  EXPECT_EQ(access.conflicts, worst);
}

TEST(Atoms, MatrixAccess) {
  struct Case {
    Layout fragment;
    SharedLayout memory;
    unsigned elementBytes;
    bool transposed;
    unsigned matrices, conflicts;
  };
  Layout b = *mmaOperandB({64, 64}, {1, 2}, 2);
  const Case cases[] = {
      {*mmaOperandA({64, 64}, {4, 1}, 2), *swizzledShared({64, 64}, 1, 2, 128),
       2, false, 4, 1},
      {*mmaOperandA({64, 64}, {4, 1}, 2), plainShared({64, 64}), 2, false, 4,
       8},
      {*mmaOperandA({64, 192}, {2, 2}, 2),
       *swizzledShared({64, 192}, 1, 2, 128), 2, false, 4, 1},
      // [K, N] as stored, and N-major.
      {b, *swizzledShared({64, 64}, 1, 2, 128), 2, true, 4, 1},
      {b, *swizzledShared({64, 64}, 0, 2, 128), 2, false, 4, 1},
      {b, *swizzledShared({64, 64}, 1, 2, 64), 2, true, 4, 1},
      // A is stored transposed.
      {*mmaOperandA({64, 64}, {4, 1}, 2), *swizzledShared({64, 64}, 0, 2, 128),
       2, true, 4, 1},
      {*mmaOperandA({64, 32}, {4, 1}, 4), *swizzledShared({64, 32}, 1, 4, 128),
       4, false, 4, 1},
      {*mmaOperandA({64, 128}, {4, 1}, 1),
       *swizzledShared({64, 128}, 1, 1, 128), 1, false, 4, 1},
      {*mmaOperandB({16, 8}, {}, 2), plainShared({16, 8}), 2, true, 2, 1},
      {*mmaOperandB({8, 8}, {}, 4), plainShared({8, 8}, {0, 1}), 4, false, 2,
       2},
      // Bytes that run along the rows of A, of which threads have pairs.
      {*wgmmaOperandA({64, 128}, 1, 1, WgmmaRows::Paired),
       *swizzledShared({64, 128}, 0, 1, 64), 1, true, 4, 2},
      {*wgmmaOperandA({128, 64}, 1, 1, WgmmaRows::Paired),
       *swizzledShared({128, 64}, 0, 1, 128), 1, true, 4, 2},
      // The packed accumulator, by stmatrix.
      {*wgmmaAccumulator({64, 64}, 1), *swizzledShared({64, 64}, 1, 2, 128), 2,
       false, 4, 1},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.fragment.str() + "\n" + c.memory.str());
    auto access = matrixAccess(c.fragment, c.memory, c.elementBytes);
    ASSERT_TRUE(access);
    EXPECT_EQ(access->transposed, c.transposed);
    EXPECT_EQ(access->matrices, c.matrices);
    EXPECT_EQ(access->conflicts, c.conflicts);
    checkMatrixAccess(c.fragment, c.memory, c.elementBytes, *access);
  }
}

TEST(Atoms, ReadsOfRowsInMemory) {
  // Bytes by ldmatrix, words in twos without a conflict; the rows of memory are
  // as long as the copy engine's swizzle allows.
  Layout bytes = *wgmmaOperandA({128, 64}, 2, 1, WgmmaRows::Paired);
  EXPECT_EQ(*sharedForReads(bytes, 0, 1),
            *swizzledShared({128, 64}, 0, 1, 128));
  Layout words = *wgmmaOperandA({128, 64}, 2, 4, WgmmaRows::PairedWords);
  SharedLayout memory = *sharedForReads(words, 0, 4);
  EXPECT_EQ(memory, *swizzledShared({128, 64}, 0, 4, 128));
  EXPECT_EQ(maxVectorWidth(words, memory, 4), 2u);
  EXPECT_EQ(bankConflicts(words, memory, 4, 2), 1u);
  // Other rows would meet in banks.
  Layout paired = *wgmmaOperandA({128, 64}, 2, 4, WgmmaRows::Paired);
  EXPECT_EQ(bankConflicts(paired, memory, 4, 2), 2u);
  EXPECT_EQ(*sharedForReads(paired, 0, 4),
            *swizzledShared({128, 64}, 0, 4, 32));
  // Narrower than 32 bytes.
  EXPECT_FALSE(sharedForReads(blockedLayout({64, 4}, 4, 4), 1, 4));
}

TEST(Atoms, MatrixAccessThatDoesNotFit) {
  Layout a = *mmaOperandA({64, 32}, {4, 1}, 4);
  // 32-bit elements cannot be transposed on the way.
  EXPECT_FALSE(matrixAccess(a, *swizzledShared({64, 32}, 0, 4, 128), 4));
  EXPECT_FALSE(
      matrixAccess(blockedLayout({64, 64}, 8, 4), plainShared({64, 64}), 2));
  // Warps, or further registers, that start inside of a row.
  SharedLayout plain = plainShared({8, 16});
  std::string lanes = "lane=[[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] ";
  EXPECT_TRUE(matrixAccess(
      layout("cell=[8, 16] reg=[[0, 1]] warp=[[0, 8]]" + lanes), plain, 2));
  EXPECT_FALSE(matrixAccess(
      layout("cell=[8, 16] reg=[[0, 1]] warp=[[0, 9]]" + lanes), plain, 2));
  EXPECT_FALSE(matrixAccess(
      layout("cell=[8, 16] reg=[[0, 1], [0, 9]] " + lanes), plain, 2));
  // Rows of 8 bytes.
  EXPECT_FALSE(matrixAccess(*mmaOperandA({16, 16}, {}, 2),
                            shared("cell=[16, 16] offset=[[0, 1], [0, 2], "
                                   "[1, 0], [0, 4], [0, 8], [2, 0], [4, 0], "
                                   "[8, 0]]"),
                            2));
}

TEST(Atoms, HandMadeAddressesOfMatrices) {
  // row * 128 + ((chunk ^ (row & 7)) << 4)
  auto access = *matrixAccess(*mmaOperandA({64, 64}, {4, 1}, 2),
                              *swizzledShared({64, 64}, 1, 2, 128), 2);
  for (int64_t kk = 0; kk != 4; ++kk)
    for (int64_t lane = 0; lane != 32; ++lane) {
      int64_t row = (lane & 7) + 8 * (lane >> 3 & 1);
      int64_t chunk = (lane >> 4) + 2 * kk;
      EXPECT_EQ(
          2 * (access.instructions[kk].offset ^ BitMap(access.lane)(lane)),
          Bits(row * 128 + ((chunk ^ (row & 7)) << 4)));
    }
}

TEST(Atoms, FewerMatricesAtOnce) {
  Layout sums = *wgmmaAccumulator({64, 64}, 1);
  SharedLayout memory = *swizzledShared({64, 64}, 1, 2, 128);
  auto all = *matrixAccess(sums, memory, 2);
  auto few = *matrixAccess(sums, memory, 2, /*most=*/2);
  EXPECT_EQ(all.matrices, 4u);
  EXPECT_EQ(few.matrices, 2u);
  EXPECT_EQ(few.conflicts, 1u);
  ASSERT_EQ(few.instructions.size(), 2 * all.instructions.size());
  // Both write each row to the same place.
  std::set<Bits> places, rows;
  for (const auto &instruction : all.instructions)
    for (int64_t lane = 0; lane != 32; ++lane)
      places.insert(instruction.offset ^ BitMap(all.lane)(lane));
  for (const auto &instruction : few.instructions)
    for (int64_t lane = 0; lane != 16; ++lane)
      rows.insert(instruction.offset ^ BitMap(few.lane)(lane));
  EXPECT_EQ(places, rows);
}

TEST(Atoms, WeightsFromRegistersAsStored) {
  // W^T as A operand from [K, N] of 32-bit elements. A thread's rows g and g +
  // 8 of two blocks stand for the features 4g .. 4g+3, so it loads vectors
  // of 4.
  Layout fragment =
      layout("cell=[32, 128] reg=[[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]] "
             "lane=[[1, 0], [2, 0], [0, 4], [0, 8], [0, 16]] "
             "warp=[[0, 32], [0, 64]]");
  SharedLayout stored = *swizzledShared({32, 128}, 1, 4, 128);
  EXPECT_EQ(maxVectorWidth(fragment, stored, 4), 4u);
  EXPECT_EQ(bankConflicts(fragment, stored, 4, 4), 2u);
  // Bits 0, 1, 2 of k on bits 1, 2, 0 of the row, which a copy can do.
  SharedLayout::Bases bases = stored.bases();
  for (Coordinates &basis : bases.offset) {
    int64_t row = basis[0];
    basis[0] = (row & ~7) | (row >> 1 & 3) | (row & 1) << 2;
  }
  SharedLayout permuted = *SharedLayout::get(bases);
  EXPECT_EQ(maxVectorWidth(fragment, permuted, 4), 4u);
  EXPECT_EQ(bankConflicts(fragment, permuted, 4, 4), 1u);
}

TEST(Atoms, StagingOf32BitAccumulators) {
  Layout acc = *wgmmaAccumulator({64, 32}, 1);
  // 8-byte stores of two columns: boxes of 32 bytes are free.
  auto conflicts = [&](unsigned swizzleBytes) {
    SharedLayout memory = *swizzledShared({64, 32}, 1, 4, swizzleBytes);
    EXPECT_EQ(maxVectorWidth(acc, memory, 4), 2u);
    return bankConflicts(acc, memory, 4, 2);
  };
  EXPECT_EQ(conflicts(128), 2u);
  EXPECT_EQ(conflicts(64), 2u);
  EXPECT_EQ(conflicts(32), 1u);
  // [n / 8][rows][8], without a swizzle.
  EXPECT_EQ(bankConflicts(acc,
                          shared("cell=[64, 32] offset=[[0, 1], [0, 2], "
                                 "[0, 4], [1, 0], [2, 0], [4, 0], [8, 0], "
                                 "[16, 0], [32, 0], [0, 8], [0, 16]]"),
                          4, 2),
            1u);
}

} // namespace
