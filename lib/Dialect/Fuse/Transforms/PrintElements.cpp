//===- PrintElements.cpp - print results as expressions -------------------===//
//
// Shows what the element analysis makes of a graph.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Demand.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

namespace fuse {
#define GEN_PASS_DEF_PRINTELEMENTS
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

struct PrintElementsPass final
    : fuse::impl::PrintElementsBase<PrintElementsPass> {
  void runOnOperation() final {
    func::FuncOp function = getOperation();
    markAllAnalysesPreserved();
    if (function.isExternal())
      return;
    SizeAnalysis sizes(function);
    ElementContext context(&getContext());
    Demand demand(sizes, context);
    Operation *terminator = function.getBody().front().getTerminator();
    // Functions are visited in parallel; each prints in one go.
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "@" << function.getName() << "\n";
    for (auto [i, result] : llvm::enumerate(terminator->getOperands())) {
      if (!isa<RankedTensorType>(result.getType()))
        continue;
      SmallVector<Index> index = demand.outputIndex(result);
      const Element *element = demand.at(result, index);
      if (!element) {
        demand.failedOp()->emitOpError(
            "does not make its elements one by one, as kernels need it");
        return signalPassFailure();
      }
      os << "result " << i << "[";
      llvm::interleaveComma(index, os,
                            [&](const Index &at) { os << at.affine; });
      os << "]\n" << *element;
    }
    llvm::outs() << text;
  }
};

} // namespace
