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

} // namespace
