//===- SizesTest.cpp - tests of which sizes are the same ------------------===//
//
// Sizes go into kernels and come out of them, and a kernel on its own has
// symbols of its own.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Sizes.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace fuse;

static constexpr llvm::StringLiteral graph = R"(
func.func @f(%v: tensor<?xf32>, %x: tensor<?x4xf32>, %n: index) -> tensor<?x?xf32> {
  %y:2 = fuse.kernel @k(%a = %x, %m = %n) : (tensor<?x4xf32>, index) -> (tensor<?xf32>, tensor<?x?xf32>) {
    %s = fuse.reduce sum %a dims [1] : tensor<?x4xf32>
    %r = fuse.broadcast %s dims [1] sizes [%m] : tensor<?xf32> -> tensor<?x?xf32>
    fuse.yield %s, %r : tensor<?xf32>, tensor<?x?xf32>
  }
  %b = fuse.broadcast %v dims [1] sizes [%n] : tensor<?xf32> -> tensor<?x?xf32>
  return %y#1 : tensor<?x?xf32>
})";

namespace {

class SizesTest : public testing::Test {
protected:
  SizesTest() {
    context.loadDialect<FuseDialect, func::FuncDialect>();
    module = parseSourceString<ModuleOp>(graph, &context);
    function = *module->getOps<func::FuncOp>().begin();
    kernel = *function.getOps<KernelOp>().begin();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  KernelOp kernel;
};

TEST_F(SizesTest, GoThroughKernels) {
  SizeAnalysis sizes(function);
  Size rows = sizes.sizeOf(function.getArgument(1), 0);
  EXPECT_EQ(rows, Size::symbol(1));
  EXPECT_EQ(sizes.sizeOf(kernel.getBody()->getArgument(0), 0), rows);
  EXPECT_EQ(sizes.sizeOf(kernel.getOutputs()[0], 0), rows);
  EXPECT_EQ(sizes.sizeOf(kernel.getOutputs()[1], 1), rows);
  EXPECT_NE(sizes.sizeOf(kernel.getOutputs()[1], 0), rows);
  // Inside and outside of the kernel one index gives a size.
  BroadcastOp outside = *function.getOps<BroadcastOp>().begin();
  EXPECT_EQ(sizes.sizeOf(kernel.getOutputs()[1], 0),
            sizes.sizeOf(outside.getResult(), 0));
}

TEST_F(SizesTest, AKernelOnItsOwnCountsFromItsArguments) {
  SizeAnalysis sizes(kernel);
  EXPECT_EQ(sizes.sizeOf(kernel.getBody()->getArgument(0), 0), Size::symbol(0));
  BroadcastOp inside = *kernel.getBody()->getOps<BroadcastOp>().begin();
  EXPECT_EQ(sizes.sizeOf(inside.getResult(), 1), Size::symbol(0));
  EXPECT_NE(sizes.sizeOf(inside.getResult(), 0), Size::symbol(0));
}

} // namespace
