//===- PeakMemoryTest.cpp - how much memory a graph takes -----------------===//
//
// Sums that can be done in one's head.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/PeakMemory.h"
#include "fuse/Pipeline/Pipelines.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace fuse;

namespace {

class PeakMemoryTest : public testing::Test {
protected:
  PeakMemoryTest() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// The peak of the only function of `text`.
  PeakMemory find(llvm::StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      std::abort();
    return findPeakMemory(*module->getOps<func::FuncOp>().begin());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(PeakMemoryTest, ArgumentsAreAliveFromTheStart) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<10x10xf32>, %y: tensor<3xi1>) {
      return
    })");
  EXPECT_EQ(peak.bytes, 400u + 3u);
  EXPECT_EQ(peak.at, nullptr);
}

TEST_F(PeakMemoryTest, EveryTypeHasItsSize) {
  PeakMemory peak = find(R"(
    func.func @f(%a: tensor<2xi1>, %b: tensor<2xi8>, %c: tensor<2xi16>,
                 %d: tensor<2xi32>, %e: tensor<2xi64>, %f: tensor<2xindex>,
                 %g: tensor<2xf8E4M3FN>, %h: tensor<2xbf16>, %i: tensor<2xf16>,
                 %j: tensor<2xf32>, %k: tensor<2xf64>, %l: index, %m: tensor<f64>) {
      return
    })");
  EXPECT_EQ(peak.bytes,
            2u * (1 + 1 + 2 + 4 + 8 + 8 + 1 + 2 + 2 + 4 + 8) + 8u);
}

TEST_F(PeakMemoryTest, FreesAfterTheLastRead) {
  // %a is gone when %c is made; the arguments are the caller's.
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<100xi8>) -> tensor<100xi8> {
      %a = arith.addi %x, %x : tensor<100xi8>
      %b = arith.addi %a, %a : tensor<100xi8>
      %c = arith.addi %b, %b : tensor<100xi8>
      %d = arith.addi %c, %c : tensor<100xi8>
      return %d : tensor<100xi8>
    })");
  EXPECT_EQ(peak.bytes, 300u);
}

TEST_F(PeakMemoryTest, HoldsWhatIsReadLater) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<100xi8>) -> tensor<100xi8> {
      %a = arith.addi %x, %x : tensor<100xi8>
      %b = arith.addi %a, %a : tensor<100xi8>
      %c = arith.addi %b, %b : tensor<100xi8>
      %d = arith.addi %c, %a : tensor<100xi8>
      return %d : tensor<100xi8>
    })");
  EXPECT_EQ(peak.bytes, 400u);
}

TEST_F(PeakMemoryTest, NamesTheWorstOp) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %a = arith.negf %x : tensor<f32>
      %b = fuse.broadcast %a dims [] : tensor<f32> -> tensor<1000xf32>
      %c = fuse.reduce sum %b dims [0] : tensor<1000xf32>
      return %c : tensor<f32>
    })");
  ASSERT_NE(peak.at, nullptr);
  EXPECT_TRUE(peak.at->getName().getStringRef() == "fuse.broadcast" ||
              peak.at->getName().getStringRef() == "fuse.reduce");
  EXPECT_GE(peak.bytes, 4000u + 4u);
  EXPECT_LE(peak.bytes, 4000u + 12u);
}

TEST_F(PeakMemoryTest, WhatNobodyReadsIsFreedAtOnce) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<100xi8>) -> tensor<100xi8> {
      %a = arith.addi %x, %x : tensor<100xi8>
      %b = arith.addi %x, %x : tensor<100xi8>
      %c = arith.addi %x, %x : tensor<100xi8>
      return %c : tensor<100xi8>
    })");
  EXPECT_EQ(peak.bytes, 200u);
}

TEST_F(PeakMemoryTest, NothingTakesNoMemory) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<9223372036854775807x0xf64>) {
      return
    })");
  EXPECT_EQ(peak.bytes, 0u);
}

TEST_F(PeakMemoryTest, Saturates) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %a = fuse.broadcast %x dims [] : tensor<f32> -> tensor<4294967296x4294967296xf32>
      %b = fuse.broadcast %x dims [] : tensor<f32> -> tensor<4294967296x4294967296xf32>
      %c = arith.addf %a, %b : tensor<4294967296x4294967296xf32>
      %d = fuse.reduce sum %c dims [0, 1] : tensor<4294967296x4294967296xf32>
      return %d : tensor<f32>
    })");
  EXPECT_EQ(peak.bytes, std::numeric_limits<uint64_t>::max());
  ASSERT_NE(peak.at, nullptr);
  EXPECT_EQ(peak.at->getName().getStringRef(), "fuse.broadcast");
}
