//===- GraphTest.h - elements of graphs, for tests --------------*- C++ -*-===//
//
// Makes the element expression of a graph that is written as text.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_UNIT_ANALYSIS_GRAPHTEST_H
#define FUSE_TEST_UNIT_ANALYSIS_GRAPHTEST_H

#include "fuse/Analysis/Algebra.h"
#include "fuse/Analysis/Demand.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Pipeline/Pipelines.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

class GraphTest : public testing::Test {
protected:
  GraphTest() : elements(&context), algebra(elements) {
    mlir::DialectRegistry registry;
    fuse::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<mlir::arith::ArithDialect, mlir::math::MathDialect>();
  }

  /// One element of what the function with this body returns.
  const fuse::Element *demand(llvm::StringRef text) {
    modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(text, &context));
    if (!modules.back())
      std::abort();
    mlir::PassManager passes(&context);
    passes.addNestedPass<mlir::func::FuncOp>(fuse::createDecompose());
    if (mlir::failed(passes.run(*modules.back())))
      std::abort();
    function = *modules.back()->getOps<mlir::func::FuncOp>().begin();
    fuse::SizeAnalysis sizes(function);
    fuse::Demand demand(sizes, elements);
    mlir::Value result =
        function.getBody().front().getTerminator()->getOperand(0);
    const fuse::Element *element =
        demand.at(result, demand.outputIndex(result));
    if (!element)
      std::abort();
    return element;
  }

  /// The reductions in `element` over the variables of the outermost one, in
  /// an order in which each comes behind those that it needs.
  static llvm::SmallVector<const fuse::Element *>
  loopOf(const fuse::Element *element) {
    llvm::SmallVector<const fuse::Element *> loop;
    for (const fuse::Element *reduction : element->reductions())
      if (reduction->boundVars() == element->reductions().back()->boundVars())
        loop.push_back(reduction);
    llvm::sort(loop, [](const fuse::Element *a, const fuse::Element *b) {
      return a->id() < b->id();
    });
    return loop;
  }

  mlir::MLIRContext context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  mlir::func::FuncOp function;
  fuse::ElementContext elements;
  fuse::Algebra algebra;
};

#endif // FUSE_TEST_UNIT_ANALYSIS_GRAPHTEST_H
