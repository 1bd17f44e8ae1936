//===- FuseToTile.cpp - kernels of graph ops to kernels of tiles ----------===//
//
// For each `fuse.kernel`: its results by element, the loop nest that its
// schedule asks for, one `tile.kernel` for each launch of it, and the launches.
//
//===----------------------------------------------------------------------===//

#include "LaunchWriter.h"
#include "fuse/Analysis/ScheduleOptions.h"
#include "fuse/Conversion/Passes.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace fuse {
#define GEN_PASS_DEF_CONVERTFUSETOTILE
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

/// Converts one kernel.
class KernelConverter {
public:
  KernelConverter(KernelOp op, const SizeAnalysis &sizes, SymbolTable &symbols,
                  bool hasClusters)
      : op(op), sizes(sizes), symbols(symbols), hasClusters(hasClusters),
        host(op) {}

  LogicalResult convert();

private:
  LogicalResult checkOwned(unsigned numOutputVars);
  LogicalResult checkSchedule(unsigned numOutputVars);
  LogicalResult checkTiles(const Schedule &schedule);
  LogicalResult checkGrids(const Schedule &schedule);
  LogicalResult checkCascades(const Schedule &schedule);
  LogicalResult checkStrategy(const Schedule::Cascade &asked);
  InFlightDiagnostic scheduleError() {
    return op.emitOpError("has a schedule that ");
  }
  void remarkOn(bool wantsCluster);
  LogicalResult writeLaunches();
  void replaceResults();

  KernelOp op;
  const SizeAnalysis &sizes;
  SymbolTable &symbols;
  bool hasClusters;
  OpBuilder host;
  const KernelView *view = nullptr;
  std::optional<KernelNest> kernel;
  llvm::DenseMap<unsigned, Value> results;
};

} // namespace

/// What a block is to own has to be there before anything else is known.
LogicalResult KernelConverter::checkOwned(unsigned numOutputVars) {
  if (!op.getScheduleAttr() || !op.getScheduleAttr().getValue().owned)
    return success();
  const Schedule::Owned &owned = *op.getScheduleAttr().getValue().owned;
  auto error = [&] { return scheduleError() << "lets a block own "; };
  if (owned.last > numOutputVars)
    return error() << owned.last << " variables of its output, but that has "
                   << numOutputVars;
  for (int64_t place : owned.places)
    if (place >= numOutputVars)
      return error() << "variable " << place << " of its output, but that has "
                     << numOutputVars;
  return success();
}

/// The loops to which it gives tiles.
LogicalResult KernelConverter::checkTiles(const Schedule &schedule) {
  SmallVector<LoopName> names;
  for (const IndexVar &var : view->owned)
    names.push_back(loopNameOf(var));
  for (const Element *reduction : view->reductions)
    for (const IndexVar &var : reduction->boundVars())
      names.push_back(loopNameOf(var));
  auto textOf = [](const LoopName &name) {
    std::string text;
    llvm::raw_string_ostream(text) << name;
    return text;
  };
  for (const Schedule::Loop &loop : schedule.sequential) {
    if (llvm::is_contained(names, loop.name))
      continue;
    SmallVector<std::string> known;
    for (const LoopName &name : names)
      if (std::string text = textOf(name); !llvm::is_contained(known, text))
        known.push_back(text);
    return scheduleError() << "gives a tile to " << textOf(loop.name)
                           << ", which no reduction of it runs over; "
                           << (known.empty() ? "it has none"
                                             : "they run over " +
                                                   llvm::join(known, ", "));
  }
  return success();
}

LogicalResult KernelConverter::checkGrids(const Schedule &schedule) {
  for (const Nest &nest : kernel->nests)
    for (const Schedule::Order &order : schedule.order)
      if (order.place >= static_cast<int64_t>(nest.grid.size()))
        return scheduleError()
               << "orders variable " << order.place
               << " of the grid, but that has " << nest.grid.size();
  for (const Nest &nest : kernel->nests)
    if (!schedule.cluster.empty() && !nest.isMerge &&
        schedule.cluster.size() != nest.grid.size())
      return scheduleError()
             << "gives clusters " << schedule.cluster.size()
             << " dimensions, but its grid has " << nest.grid.size();
  return success();
}

/// Whether a pair of reductions has the strategy that it is to have.
LogicalResult KernelConverter::checkStrategy(const Schedule::Cascade &asked) {
  auto error = [&] {
    return scheduleError() << "asks for " << asked.reduction << " wrt "
                           << asked.statistic << " = "
                           << stringifyCascadeStrategy(asked.strategy);
  };
  if (!llvm::is_contained(view->reductions[asked.reduction]->reductions(),
                          view->reductions[asked.statistic]))
    return error() << ", but reduction " << asked.reduction
                   << " does not depend on reduction " << asked.statistic;
  for (const NestCascade &found : kernel->cascades)
    if (found.reduction == asked.reduction &&
        found.statistic == asked.statistic &&
        found.strategy != asked.strategy) {
      InFlightDiagnostic diagnostic =
          error() << ", but it would be "
                  << stringifyCascadeStrategy(found.strategy);
      for (const std::string &note : kernel->notes)
        diagnostic.attachNote() << note;
      return diagnostic;
    }
  return success();
}

LogicalResult KernelConverter::checkCascades(const Schedule &schedule) {
  int64_t count = view->reductions.size();
  for (const Schedule::Cascade &cascade : schedule.cascades) {
    int64_t last = std::max(cascade.reduction, cascade.statistic);
    if (last >= count)
      return scheduleError()
             << "names reduction " << last << ", but it has " << count;
    // A loop of its own, asked for by one pair, settles the others.
    bool isAlone =
        llvm::any_of(schedule.cascades, [&](const Schedule::Cascade &other) {
          return other.reduction == cascade.reduction &&
                 other.strategy == CascadeStrategy::Sequential;
        });
    if (isAlone || cascade.strategy == CascadeStrategy::Auto)
      continue;
    if (failed(checkStrategy(cascade)))
      return failure();
  }
  return success();
}

/// A schedule says how this kernel is run, so all that it names has to be
/// there, and all that it asks for has to be possible.
LogicalResult KernelConverter::checkSchedule(unsigned numOutputVars) {
  if (!op.getScheduleAttr())
    return success();
  const Schedule &schedule = op.getScheduleAttr().getValue();
  if (schedule.parallel.size() > numOutputVars)
    return scheduleError() << "gives tiles to " << schedule.parallel.size()
                           << " variables of its output, but that has "
                           << numOutputVars;
  if (failed(checkTiles(schedule)) || failed(checkGrids(schedule)))
    return failure();
  return checkCascades(schedule);
}

void KernelConverter::remarkOn(bool wantsCluster) {
  for (const std::string &note : kernel->notes)
    remark::analysis(
        op.getLoc(),
        remark::RemarkOpts::name("ConvertFuseToTile").category("schedule"))
        << (op.getName() + ": " + note).str();
  if (wantsCluster && !kernel->mergesInCluster)
    op.emitRemark("merges in a launch of its own: ")
        << (!hasClusters ? "there are no clusters"
            : !kernel->isSplit()
                ? "no loop of it is split"
                : "no window of its grid, whose size is known, has enough for "
                  "each block");
}

LogicalResult KernelConverter::writeLaunches() {
  auto roots = llvm::map_to_vector(
      view->roots, [](const KernelRoot &root) { return root.value; });
  SmallVector<Value> parts(kernel->parts.size());
  for (auto [i, nest] : llvm::enumerate(kernel->nests)) {
    LaunchWriter writer(op, *kernel, nest, roots, parts, sizes, host);
    std::string suffix = i == 0 ? "" : "_merge";
    FailureOr<tile::LaunchOp> launch =
        writer.write((op.getName() + suffix).str(), symbols);
    if (failed(launch))
      return failure();
    unsigned next = 0;
    for (unsigned root : writer.getUses().roots)
      results[root] = launch->getResult(next++);
    for (unsigned number : writer.getUses().storedParts)
      parts[number] = launch->getResult(next++);
    // One launch does it all.
    if (kernel->mergesInCluster)
      break;
  }
  return success();
}

void KernelConverter::replaceResults() {
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Value value = results.lookup(i);
    if (value.getType() != result.getType())
      value =
          tensor::CastOp::create(host, op.getLoc(), result.getType(), value);
    result.replaceAllUsesWith(value);
  }
  op.erase();
}

LogicalResult KernelConverter::convert() {
  SmallVector<Value> roots(op.getYielded());
  KernelElements elements(sizes, roots, {});
  if (!elements.whyNot().empty())
    return op.emitOpError() << elements.whyNot();
  if (failed(checkOwned(elements.numOutputVars())))
    return failure();
  std::string whyNot;
  NestOptions options = nestOptionsFor(op.getScheduleAttr(), elements);
  bool wantsCluster = options.mergesInCluster;
  options.mergesInCluster &= hasClusters;
  kernel = buildNest(elements, options, whyNot);
  if (!kernel) {
    InFlightDiagnostic error = op.emitOpError("cannot be one kernel: ")
                               << whyNot;
    if (Operation *failed = elements.failedOp())
      error.attachNote(failed->getLoc()) << "this op";
    return failure();
  }
  std::optional<OwnedVars> owned =
      options.owned ? options.owned : elements.deriveOwned();
  view = elements.view(*owned);
  if (failed(checkSchedule(elements.numOutputVars())))
    return failure();
  remarkOn(wantsCluster);
  if (failed(writeLaunches()))
    return failure();
  replaceResults();
  return success();
}

namespace {

struct ConvertFuseToTilePass final
    : fuse::impl::ConvertFuseToTileBase<ConvertFuseToTilePass> {
  using ConvertFuseToTileBase::ConvertFuseToTileBase;

  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isExternal())
        continue;
      SmallVector<KernelOp> kernels;
      function.walk([&](KernelOp kernel) { kernels.push_back(kernel); });
      for (KernelOp kernel : kernels) {
        SizeAnalysis sizes(kernel);
        if (failed(
                KernelConverter(kernel, sizes, symbols, hasClusters).convert()))
          return signalPassFailure();
      }
    }
  }
};

} // namespace
