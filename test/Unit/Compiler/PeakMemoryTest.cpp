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

TEST_F(PeakMemoryTest, ArgumentsAreTheCallers) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<10x10xf32>, %y: tensor<3xi1>) {
      return
    })");
  EXPECT_EQ(peak.bytes, 0u);
  EXPECT_EQ(peak.at, nullptr);
}

TEST_F(PeakMemoryTest, NothingIsFreedWithAnArgument) {
  // A sum that arguments were taken from would be too small, or wrap around.
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<100xi8>, %y: tensor<100xi8>) -> tensor<100xi8> {
      %a = arith.addi %x, %y : tensor<100xi8>
      %b = arith.addi %a, %a : tensor<100xi8>
      return %b : tensor<100xi8>
    })");
  EXPECT_EQ(peak.bytes, 200u);
}

TEST_F(PeakMemoryTest, EveryTypeHasItsSize) {
  PeakMemory peak = find(R"(
    func.func @f() -> (tensor<2xi1>, tensor<2xi8>, tensor<2xi16>,
        tensor<2xi32>, tensor<2xi64>, tensor<2xindex>, tensor<2xf8E4M3FN>,
        tensor<2xbf16>, tensor<2xf16>, tensor<2xf32>, tensor<2xf64>, index,
        tensor<f64>) {
      %a = arith.constant dense<0> : tensor<2xi1>
      %b = arith.constant dense<0> : tensor<2xi8>
      %c = arith.constant dense<0> : tensor<2xi16>
      %d = arith.constant dense<0> : tensor<2xi32>
      %e = arith.constant dense<0> : tensor<2xi64>
      %f = arith.constant dense<0> : tensor<2xindex>
      %g = arith.constant dense<0.0> : tensor<2xf8E4M3FN>
      %h = arith.constant dense<0.0> : tensor<2xbf16>
      %i = arith.constant dense<0.0> : tensor<2xf16>
      %j = arith.constant dense<0.0> : tensor<2xf32>
      %k = arith.constant dense<0.0> : tensor<2xf64>
      %l = arith.constant 0 : index
      %m = arith.constant dense<0.0> : tensor<f64>
      return %a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %k, %l, %m
        : tensor<2xi1>, tensor<2xi8>, tensor<2xi16>, tensor<2xi32>,
          tensor<2xi64>, tensor<2xindex>, tensor<2xf8E4M3FN>, tensor<2xbf16>,
          tensor<2xf16>, tensor<2xf32>, tensor<2xf64>, index, tensor<f64>
    })");
  EXPECT_EQ(peak.bytes, 2u * (1 + 1 + 2 + 4 + 8 + 8 + 1 + 2 + 2 + 4 + 8) + 8u);
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
  EXPECT_EQ(peak.bytes, 200u);
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
  EXPECT_EQ(peak.bytes, 300u);
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
  // %a and %b, and %b and %c, take the same: the first of them is named.
  EXPECT_EQ(peak.at->getName().getStringRef(), "fuse.broadcast");
  EXPECT_EQ(peak.bytes, 4000u + 4u);
}

TEST_F(PeakMemoryTest, WhatNobodyReadsIsFreedAtOnce) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<100xi8>) -> tensor<100xi8> {
      %a = arith.addi %x, %x : tensor<100xi8>
      %b = arith.addi %x, %x : tensor<100xi8>
      %c = arith.addi %x, %x : tensor<100xi8>
      return %c : tensor<100xi8>
    })");
  EXPECT_EQ(peak.bytes, 100u);
}

// A result is written into the memory of its destination.
TEST_F(PeakMemoryTest, DestinationsCountOnce) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<100xi8>) -> tensor<100xi8> {
      %empty = tensor.empty() : tensor<100xi8>
      %zero = arith.constant 0 : i8
      %a = linalg.fill ins(%zero : i8) outs(%empty : tensor<100xi8>) -> tensor<100xi8>
      %b = linalg.generic {
          indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}
          ins(%x : tensor<100xi8>) outs(%a : tensor<100xi8>) {
        ^bb0(%in: i8, %out: i8):
          %sum = arith.addi %in, %out : i8
          linalg.yield %sum : i8
      } -> tensor<100xi8>
      return %b : tensor<100xi8>
    })");
  EXPECT_EQ(peak.bytes, 100u);
}

TEST_F(PeakMemoryTest, EachDestinationIsOne) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<100xi8>) -> (tensor<100xi8>, tensor<10xi64>) {
      %empty = tensor.empty() : tensor<100xi8>
      %wide = tensor.empty() : tensor<10xi64>
      %zero = arith.constant 0 : i8
      %zeros = arith.constant 0 : i64
      %a = linalg.fill ins(%zero : i8) outs(%empty : tensor<100xi8>) -> tensor<100xi8>
      %b = linalg.fill ins(%zeros : i64) outs(%wide : tensor<10xi64>) -> tensor<10xi64>
      return %a, %b : tensor<100xi8>, tensor<10xi64>
    })");
  EXPECT_EQ(peak.bytes, 100u + 80u);
}

// The memory is held as long as anything of it is read, not only until the op
// that writes it, and then it is freed.
TEST_F(PeakMemoryTest, DestinationsLiveAsLongAsTheirResults) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<100xi8>) -> tensor<100xi8> {
      %empty = tensor.empty() : tensor<100xi8>
      %zero = arith.constant 0 : i8
      %a = linalg.fill ins(%zero : i8) outs(%empty : tensor<100xi8>) -> tensor<100xi8>
      %b = arith.addi %x, %x : tensor<100xi8>
      %c = arith.addi %a, %b : tensor<100xi8>
      %d = arith.addi %c, %c : tensor<100xi8>
      return %d : tensor<100xi8>
    })");
  EXPECT_EQ(peak.bytes, 300u);
  ASSERT_NE(peak.at, nullptr);
  EXPECT_EQ(peak.at->getName().getStringRef(), "arith.addi");
}

TEST_F(PeakMemoryTest, AnotherShapeIsTheSameMemory) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<100xi8>) -> tensor<10x10xi8> {
      %a = arith.addi %x, %x : tensor<100xi8>
      %b = tensor.expand_shape %a [[0, 1]] output_shape [10, 10] : tensor<100xi8> into tensor<10x10xi8>
      return %b : tensor<10x10xi8>
    })");
  EXPECT_EQ(peak.bytes, 100u);
}

// What is written into an argument is the caller's, too.
TEST_F(PeakMemoryTest, AnArgumentAsDestination) {
  PeakMemory peak = find(R"(
    func.func @f(%x: tensor<100xi8>) -> tensor<100xi8> {
      %zero = arith.constant 0 : i8
      %a = linalg.fill ins(%zero : i8) outs(%x : tensor<100xi8>) -> tensor<100xi8>
      return %a : tensor<100xi8>
    })");
  EXPECT_EQ(peak.bytes, 0u);
}

TEST_F(PeakMemoryTest, NothingTakesNoMemory) {
  PeakMemory peak = find(R"(
    func.func @f() -> tensor<9223372036854775807x0xf64> {
      %x = tensor.empty() : tensor<9223372036854775807x0xf64>
      return %x : tensor<9223372036854775807x0xf64>
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
