//===- NestTest.cpp - how chunks divide a loop ----------------------------===//

#include "fuse/Analysis/Nest.h"
#include <gmock/gmock.h>

using namespace fuse;
using testing::ElementsAre;

namespace {

/// A kernel with one split loop over variables of these sizes and windows.
class NestTest : public testing::Test {
protected:
  NestLoop &loopOver(llvm::ArrayRef<std::pair<int64_t, int64_t>> windows,
                     int64_t chunks) {
    kernel = {};
    auto loop = std::make_unique<NestLoop>();
    for (auto [place, window] : llvm::enumerate(windows)) {
      IndexVar var;
      var.size = Size::number(window.first);
      var.place = static_cast<int32_t>(place);
      kernel.sizes.set(var, window.second);
      loop->vars.push_back(var);
    }
    loop->chunks = chunks;
    kernel.nests.emplace_back();
    Statement statement;
    statement.kind = Statement::Kind::Loop;
    statement.loop = std::move(loop);
    kernel.nests.back().body.push_back(std::move(statement));
    return *kernel.nests.back().body.back().loop;
  }
  std::vector<int64_t>
  partsOf(llvm::ArrayRef<std::pair<int64_t, int64_t>> windows, int64_t chunks) {
    auto parts = loopOver(windows, chunks).partsOf(kernel.sizes);
    return {parts.begin(), parts.end()};
  }
  int64_t fit(llvm::ArrayRef<std::pair<int64_t, int64_t>> windows,
              int64_t chunks) {
    loopOver(windows, 2);
    return kernel.fittingChunks(chunks);
  }

  KernelNest kernel;
};

TEST_F(NestTest, ChunksDivideTheFirstVariableFirst) {
  EXPECT_THAT(partsOf({{432, 32}}, 4), ElementsAre(4));
  EXPECT_THAT(partsOf({{432, 32}}, 100), ElementsAre(100));
  EXPECT_THAT(partsOf({{432, 32}, {432, 1}}, 4), ElementsAre(4, 1));
  EXPECT_THAT(partsOf({{432, 32}, {432, 1}}, 14), ElementsAre(14, 1));
  EXPECT_THAT(partsOf({{432, 32}, {432, 1}}, 28), ElementsAre(14, 2));
  EXPECT_THAT(partsOf({{432, 32}, {432, 1}}, 41), ElementsAre(14, 2));
  EXPECT_THAT(partsOf({{4, 4}, {8, 2}, {9, 3}}, 24), ElementsAre(1, 4, 6));
}

TEST_F(NestTest, OneChunkDividesNothing) {
  EXPECT_THAT(partsOf({{432, 32}, {432, 1}}, 1), ElementsAre(1, 1));
}

TEST_F(NestTest, WhatFitsLeavesNoChunkWithoutARound) {
  EXPECT_EQ(fit({{432, 32}, {432, 1}}, 32), 28);
  EXPECT_EQ(fit({{432, 32}, {432, 1}}, 64), 56);
  EXPECT_EQ(fit({{432, 32}, {432, 1}}, 16), 14);
  // 13 would get 2 rounds each but for the last: 7 do the same.
  EXPECT_EQ(fit({{432, 32}, {432, 1}}, 13), 7);
  EXPECT_EQ(fit({{432, 1}, {432, 1}}, 256), 216);
}

TEST_F(NestTest, ManyChunksAreMergedSeveralAtATime) {
  // 17 rounds, and nothing else to divide by.
  EXPECT_EQ(chunksAtOnce(17), 1);
  EXPECT_EQ(fit({{17, 1}, {3, 4}}, 32), 32);
}

TEST_F(NestTest, ChunksOfASingleVariableStay) {
  EXPECT_EQ(fit({{432, 32}}, 16), 16);
}

/// Merges `chunks` of a tile that has `rows` rows of 16.
class MergeTest : public testing::Test {
protected:
  MergeTest() {
    rows.level = columns.level = IndexVar::kOutput;
    columns.place = 1;
    columns.size = Size::number(16);
  }
  const Nest &merge(int64_t numRows, int64_t chunks) {
    kernel = {};
    rows.size = Size::number(numRows);
    kernel.sizes.set(rows, 128);
    kernel.sizes.set(columns, 16);
    IndexVar chunk;
    chunk.size = Size::number(chunks);
    kernel.nests.resize(2);
    kernel.nests[0].chunk = chunk;
    kernel.nests[1].grid = {rows, columns};
    kernel.nests[1].isMerge = true;
    kernel.parts.emplace_back();
    kernel.parts.back().axes = {rows, columns};
    return kernel.nests[1];
  }

  IndexVar rows, columns;
  KernelNest kernel;
};

TEST_F(MergeTest, FewChunksAreMergedInLargeTiles) {
  const Nest &nest = merge(128, 16);
  EXPECT_EQ(kernel.sizesOf(nest).sizeOf(rows), 16);
  EXPECT_EQ(kernel.chunksAtOnce(nest), 16);
}

TEST_F(MergeTest, ManyChunksAreAskedForTogetherBySmallTiles) {
  const Nest &nest = merge(128, 252);
  EXPECT_EQ(kernel.sizesOf(nest).sizeOf(rows), 2);
  EXPECT_EQ(kernel.chunksAtOnce(nest), 126);
}

TEST_F(MergeTest, ThereIsNoCrowdOfBlocks) {
  const Nest &nest = merge(4096, 252);
  EXPECT_EQ(kernel.sizesOf(nest).sizeOf(rows), 16);
  EXPECT_EQ(kernel.chunksAtOnce(nest), 14);
}

} // namespace
