//===- PrintCascades.cpp - print how reductions share loops ---------------===//
//
// Shows what the cascade rule makes of a graph. Whoever forms kernels chooses
// loops by more than this; here all reductions over the same variables try to
// be in one.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Demand.h"
#include "fuse/Analysis/LoopBounds.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace fuse {
#define GEN_PASS_DEF_PRINTCASCADES
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

/// All reductions over the same variables, as far as they fit into one loop.
class LoopPrinter {
public:
  LoopPrinter(const Algebra &algebra, const CascadeOptions &options,
              llvm::raw_ostream &os)
      : algebra(algebra), options(options), os(os) {}

  void add(const Element *reduction) {
    unsigned number = numbers.size();
    numbers[reduction] = number;
    os << "reduction " << number << " is\n" << *reduction;
    if (llvm::none_of(loop, [&](const Element *other) {
          return containsAny(reduction, other);
        })) {
      insert(Accumulator::plain(reduction));
      loop.push_back(reduction);
      return;
    }
    OrRefusal<Cascade> cascade =
        deriveCascade(algebra, reduction, loop, cascaded, options);
    if (!cascade) {
      os << "sequential: " << cascade.reason() << "\n";
      return;
    }
    for (auto [statistic, strategy] : cascade->edges)
      os << stringifyCascadeStrategy(strategy) << " wrt "
         << numbers.lookup(statistic) << "\n";
    if (!cascade->note.empty())
      os << cascade->note << "\n";
    for (const Accumulator &accumulator : cascade->accumulators) {
      if (!insert(accumulator))
        continue;
      os << (accumulator.isPlain() ? "plain"
                                   : StringRef(accumulator.correction->name))
         << " accumulator\n"
         << *accumulator.reduction;
    }
    os << "result\n" << *cascade->result;
    loop.push_back(reduction);
    cascaded.push_back(reduction);
  }

  void printConditions(ArrayRef<IndexVar> vars) {
    for (const Element *condition :
         findLoopConditions(algebra, accumulators, vars)) {
      os << "condition\n" << *condition;
      for (const IndexVar &var : vars)
        for (const LoopBound &bound : boundsOf(algebra, condition, var))
          os << "bound " << var << (bound.isUpper ? " <" : " >=") << "\n"
             << *bound.limit;
    }
  }

private:
  bool insert(const Accumulator &accumulator) {
    if (llvm::any_of(accumulators, [&](const Accumulator &known) {
          return known.reduction == accumulator.reduction;
        }))
      return false;
    accumulators.push_back(accumulator);
    return true;
  }

  const Algebra &algebra;
  const CascadeOptions &options;
  llvm::raw_ostream &os;
  llvm::DenseMap<const Element *, unsigned> numbers;
  SmallVector<const Element *> loop, cascaded;
  SmallVector<Accumulator> accumulators;
};

struct PrintCascadesPass final
    : fuse::impl::PrintCascadesBase<PrintCascadesPass> {
  using PrintCascadesBase::PrintCascadesBase;

  void runOnOperation() final {
    func::FuncOp function = getOperation();
    markAllAnalysesPreserved();
    if (function.isExternal())
      return;
    SizeAnalysis sizes(function);
    ElementContext context(&getContext());
    Demand demand(sizes, context);
    Algebra algebra(context);
    // Operands are made before what they are operands of.
    std::map<unsigned, const Element *> reductions;
    for (Value result :
         function.getBody().front().getTerminator()->getOperands()) {
      if (!isa<RankedTensorType>(result.getType()))
        continue;
      const Element *element = demand.at(result, demand.outputIndex(result));
      if (!element) {
        demand.failedOp()->emitOpError(
            "does not make its elements one by one, as kernels need it");
        return signalPassFailure();
      }
      for (const Element *reduction : element->reductions())
        reductions[reduction->id()] = reduction;
    }

    CascadeOptions options;
    options.allowDeferShift = allowDeferShift;
    auto requested = [&](const Element *, const Element *) -> CascadeStrategy {
      return strategy;
    };
    options.requested = requested;
    // Functions are visited in parallel; each prints in one go.
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "@" << function.getName() << "\n";
    llvm::SetVector<const Element *> left;
    for (auto [id, reduction] : reductions)
      left.insert(reduction);
    while (!left.empty()) {
      ArrayRef<IndexVar> vars = left.front()->boundVars();
      os << "loop over ";
      llvm::interleaveComma(vars, os);
      os << "\n";
      LoopPrinter loop(algebra, options, os);
      llvm::SmallVector<const Element *> members;
      for (const Element *reduction : left)
        if (reduction->boundVars() == vars)
          members.push_back(reduction);
      for (const Element *reduction : members) {
        loop.add(reduction);
        left.remove(reduction);
      }
      loop.printConditions(vars);
    }
    llvm::outs() << text;
  }
};

} // namespace
