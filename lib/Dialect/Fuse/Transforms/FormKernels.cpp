//===- FormKernels.cpp - group a graph into kernels -----------------------===//
//
// Makes the plan of a FusionPlanner true: one `fuse.kernel` for each group of
// stored values, with the schedule that the search found, and a remark for
// every edge of the graph.
//
//===----------------------------------------------------------------------===//

#include "FusionPlan.h"
#include "FusionReport.h"
#include "FusionRules.h"
#include "KernelMaker.h"
#include "fuse/Analysis/ScheduleOptions.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Runtime/File.h"
#include "fuse/Runtime/ThreadPool.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuse {
#define GEN_PASS_DEF_FORMKERNELS
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// Asks for sizes where they come from. What is fused exists nowhere, and so
/// has no size that could be asked for.
static void askArgumentsForSizes(func::FuncOp function) {
  SizeAnalysis sizes(function);
  SmallVector<tensor::DimOp> dims;
  function.walk([&](tensor::DimOp dim) {
    if (dim->getParentOp() == function)
      dims.push_back(dim);
  });
  for (tensor::DimOp dim : dims) {
    std::optional<int64_t> number = askedDimOf(dim);
    if (!number || isa<BlockArgument>(dim.getSource()))
      continue;
    Size wanted = sizes.sizeOf(dim.getSource(), *number);
    OpBuilder builder(dim);
    Value size;
    if (wanted.isNumber())
      size = arith::ConstantIndexOp::create(builder, dim.getLoc(),
                                            wanted.getNumber());
    for (BlockArgument argument : function.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      for (int64_t i = 0; type && !size && i < type.getRank(); ++i)
        if (sizes.sizeOf(argument, i) == wanted)
          size = tensor::DimOp::create(builder, dim.getLoc(), argument, i);
    }
    if (!size)
      continue;
    dim.replaceAllUsesWith(size);
    dim.erase();
  }
}

namespace {

struct FormKernelsPass final : fuse::impl::FormKernelsBase<FormKernelsPass> {
  using FormKernelsBase::FormKernelsBase;

  void runOnOperation() final {
    if (failed(checkOptions()))
      return signalPassFailure();
    FusionReport collected;
    given.clear();
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (!function.getBody().hasOneBlock()) {
        function.emitOpError("has ") << function.getBody().getBlocks().size()
                                     << " blocks; a graph has one";
        return signalPassFailure();
      }
      askArgumentsForSizes(function);
      for (KernelOp kernel : function.getOps<KernelOp>())
        if (kernel.getScheduleAttr())
          given.insert(kernel);
        else
          scheduleDrawn(kernel);
      if (failed(formKernels(function, collected)))
        return signalPassFailure();
    }
    if (failed(replaceSchedules(collected)) ||
        failed(replaceRejected(collected)))
      return signalPassFailure();
    if (reportText)
      *reportText = collected.text();
    if (!report.empty() && failed(writeReport(collected)))
      signalPassFailure();
  }

  /// Where the report goes in place of a file.
  std::string *reportText = nullptr;

private:
  /// Of no machine a cost would be a number.
  LogicalResult checkOptions() {
    if (threads == 0 || threads > maxThreads)
      return getOperation().emitError("threads is ")
             << threads.getValue() << ", but must be from 1 to " << maxThreads;
    // Which what is no number is not.
    bool isPart = sharedPart > 0 && sharedPart <= 1;
    if (!isPart)
      return getOperation().emitError("shared-part is ")
             << llvm::formatv("{0}", sharedPart.getValue()).str()
             << ", but must be above 0 and at most 1";
    return success();
  }

  Machine getMachine() const {
    switch (machine) {
    case MachineKind::Cpu:
      return Machine::cpu(threads);
    case MachineKind::H200:
      return Machine::h200(sharedBytes, hasWarpgroups, sharedPart);
    }
    llvm_unreachable("all machines are above");
  }

  LogicalResult writeReport(const FusionReport &collected);
  LogicalResult replaceSchedules(FusionReport &collected);
  LogicalResult replaceRejected(FusionReport &collected);
  void replaceRejected(KernelOp kernel,
                       SmallVector<RejectedSchedule, 2> rejected,
                       FusionReport &collected);
  void scheduleDrawn(KernelOp kernel);
  LogicalResult formKernels(func::FuncOp function, FusionReport &collected);
  void collectEdges(func::FuncOp function, FusionPlanner &planner,
                    FusionReport &collected);

  /// The kernels whose schedules are a user's.
  llvm::DenseSet<Operation *> given;
};

} // namespace

std::unique_ptr<Pass> fuse::createFormKernels(FormKernelsOptions options,
                                              std::string &report) {
  auto pass = std::make_unique<FormKernelsPass>(std::move(options));
  pass->reportText = &report;
  return pass;
}

LogicalResult FormKernelsPass::writeReport(const FusionReport &collected) {
  std::string text = collected.text();
  std::string_view piece(text);
  if (Status status = writeFile(report, {&piece, 1}); !status)
    return getOperation().emitError("cannot write the report: ")
           << status.error().message();
  return success();
}

/// What the model says of a kernel with a schedule, and why there is no code
/// for it if there is none.
static ScheduledKernel rate(KernelOp kernel, ScheduleAttr schedule,
                            const Machine &machine) {
  SizeAnalysis sizes(kernel);
  SmallVector<Value> yielded(kernel.getYielded());
  KernelElements elements(sizes, yielded, {});
  ScheduledKernel scheduled;
  scheduled.schedule = schedule.getValue();
  std::optional<KernelNest> nest =
      buildNest(elements, nestOptionsFor(schedule, elements), scheduled.whyNot);
  if (!nest) {
    scheduled.cost.seconds = std::numeric_limits<double>::infinity();
    scheduled.notes.push_back(scheduled.whyNot);
    return scheduled;
  }
  BlockTruths truths;
  scheduled.cost = costOf(*nest, yielded, sizes, machine, truths);
  scheduled.notes.assign(nest->notes.begin(), nest->notes.end());
  return scheduled;
}

/// The best schedule of a kernel by itself, but for those that were rejected.
static ScheduledKernel findScheduleOf(KernelOp kernel, const Machine &machine,
                                      ArrayRef<Schedule> rejected = {}) {
  SizeAnalysis sizes(kernel);
  SmallVector<Value> yielded(kernel.getYielded());
  KernelElements elements(sizes, yielded, {});
  return findSchedule(elements, yielded, machine, SearchEffort::Thorough,
                      rejected);
}

/// Gives kernels the schedules that a user wants for them.
LogicalResult FormKernelsPass::replaceSchedules(FusionReport &collected) {
  for (const std::string &text : schedules) {
    FailureOr<ScheduleText> parts = parseScheduleText(text, getOperation());
    if (failed(parts))
      return failure();
    FailureOr<ScheduleAttr> schedule = parseScheduleOf(*parts, getOperation());
    if (failed(schedule))
      return failure();
    StringRef name = parts->kernel;
    SmallVector<KernelOp> named;
    SmallVector<std::string> all;
    getOperation().walk([&](KernelOp kernel) {
      all.push_back(("@" + kernel.getName()).str());
      if (kernel.getName() == name)
        named.push_back(kernel);
    });
    if (named.empty())
      return getOperation().emitError("a schedule is for @")
             << name << ", but "
             << (all.empty() ? "there are no kernels"
                             : "the kernels are " + llvm::join(all, ", "));
    for (KernelOp kernel : named) {
      kernel.setScheduleAttr(*schedule);
      given.insert(kernel);
      for (FusionReport::Kernel &known : collected.kernels)
        if (known.op == kernel)
          known.scheduled = rate(kernel, *schedule, getMachine());
    }
  }
  return success();
}

/// Gives kernels whose schedules were rejected the best of the others. Names of
/// no kernel are let through: who judges code knows kernels by their launches,
/// which have other names where two kernels have one.
LogicalResult FormKernelsPass::replaceRejected(FusionReport &collected) {
  FailureOr<RejectedSchedules> all =
      parseRejectedSchedules(rejected, getOperation());
  if (failed(all))
    return failure();
  getOperation().walk([&](KernelOp kernel) {
    auto named = all->find(kernel.getName());
    if (named != all->end() && kernel.getScheduleAttr())
      replaceRejected(kernel, named->second, collected);
  });
  return success();
}

/// `rejected` has what is least wrong first. That is taken where all others are
/// predicted to take longer than it is thought to.
void FormKernelsPass::replaceRejected(KernelOp kernel,
                                      SmallVector<RejectedSchedule, 2> rejected,
                                      FusionReport &collected) {
  Machine model = getMachine();
  SmallVector<Schedule, 0> schedules;
  for (RejectedSchedule &each : rejected) {
    each.seconds = rate(kernel, each.schedule, model).cost.seconds;
    schedules.push_back(each.schedule.getValue());
  }
  const RejectedSchedule &least = rejected.front();
  double otherSeconds = std::numeric_limits<double>::infinity();
  if (!given.contains(kernel)) {
    ScheduledKernel other = findScheduleOf(kernel, model, schedules);
    if (other.exists())
      otherSeconds = other.cost.seconds;
    bool isBetter = otherSeconds < least.factor * least.seconds;
    kernel.setScheduleAttr(
        isBetter ? ScheduleAttr::get(&getContext(), other.schedule)
                 : least.schedule);
  }
  ScheduledKernel now = rate(kernel, kernel.getScheduleAttr(), model);
  remarkOnRejected(kernel, rejected, now.cost.seconds, otherSeconds);
  for (FusionReport::Kernel &known : collected.kernels)
    if (known.op == kernel) {
      known.scheduled = now;
      known.rejected.assign(rejected.begin(), rejected.end());
    }
}

/// A kernel that a user drew says what is computed together, and need not say
/// how. One that cannot be lowered is reported by whoever lowers it.
void FormKernelsPass::scheduleDrawn(KernelOp kernel) {
  if (kernel.getYielded().empty())
    return;
  ScheduledKernel scheduled = findScheduleOf(kernel, getMachine());
  if (scheduled.exists())
    kernel.setScheduleAttr(
        ScheduleAttr::get(&getContext(), scheduled.schedule));
}

/// Whether `consumer` computes `operand` itself, and why.
static FusionEdge edgeOf(Value operand, Operation *consumer,
                         FusionPlanner &planner, const Machine &model) {
  FusionEdge edge;
  edge.producer = operand.getDefiningOp();
  edge.consumer = consumer;
  edge.isFused = planner.isFused(operand, consumer);
  // It would be written once, and read.
  bool isStored = planner.isStored(operand);
  edge.bytes = (edge.isFused && isStored ? 1 : 2) *
               bytesOf(operand, planner.sizes(), model);
  if (isView(edge.producer))
    edge.bytes = 0;
  if (edge.isFused) {
    const FusionRule &rule = ruleFor(edge.producer, consumer);
    edge.rule = rule.name;
    edge.reason = rule.reason.str();
    if (isStored)
      edge.reason += planner.isRequired(operand)
                         ? "; it is stored as well, since it is a result"
                         : "; it is stored as well, for another kernel";
  } else if (planner.isRequired(operand)) {
    edge.rule = "result";
    edge.reason = "it is a result, or something outside uses it";
  } else {
    edge.rule = "cost";
    edge.reason = llvm::formatv("stored, the graph takes {0:f2} us; "
                                "computed where it is used, {1:f2} us",
                                planner.seconds() * 1e6,
                                planner.secondsWithout(operand) * 1e6)
                      .str();
  }
  return edge;
}

static void remarkOn(const FusionEdge &edge) {
  remark::RemarkOpts options =
      remark::RemarkOpts::name("FormKernels").category("fusion");
  Location loc = edge.consumer->getLoc();
  OperationName from = edge.producer->getName(), to = edge.consumer->getName();
  if (edge.isFused)
    remark::passed(loc, options)
        << llvm::formatv("fused {0} into {1} ({2}): {3}; {4:f0} bytes saved",
                         from, to, edge.rule, edge.reason, edge.bytes)
               .str();
  else
    remark::missed(loc, options)
        << llvm::formatv("not fused {0} into {1}: {2}", from, to, edge.reason)
               .str();
}

void FormKernelsPass::collectEdges(func::FuncOp function,
                                   FusionPlanner &planner,
                                   FusionReport &collected) {
  Machine model = getMachine();
  for (Operation &op : function.getBody().front()) {
    if (!isReducing(&op) && !isPointwise(&op) && !isView(&op) &&
        !isa<ConcatOp, GatherOp>(op))
      continue;
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || !isa<RankedTensorType>(operand.getType()) ||
          isa<arith::ConstantOp, KernelOp>(producer))
        continue;
      FusionEdge edge = edgeOf(operand, &op, planner, model);
      remarkOn(edge);
      collected.addEdge(edge);
    }
  }
}

/// Erases what nobody reads, but for kernels that a user drew.
static void eraseUnread(func::FuncOp function) {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isOpTriviallyDead(&op) && !isa<KernelOp>(op))
      op.erase();
}

LogicalResult FormKernelsPass::formKernels(func::FuncOp function,
                                           FusionReport &collected) {
  Machine model = getMachine();
  // A plan is about what is stored in the end: no kernel has the rest.
  eraseUnread(function);
  FusionPlanner planner(function, model);
  if (failed(planner.plan(mostKernels)))
    return failure();
  collectEdges(function, planner, collected);
  numCosted += planner.numCosted();

  Operation *terminator = function.getBody().front().getTerminator();
  IRMapping stored;
  SmallVector<KernelOp> kernels;
  for (auto [i, roots] : llvm::enumerate(planner.kernels())) {
    ScheduledKernel scheduled = planner.scheduleOf(roots);
    OpBuilder builder(terminator);
    KernelOp kernel = makeKernel(
        builder,
        ((prefix.empty() ? function.getName() : StringRef(prefix)) + "_" +
         Twine(i))
            .str(),
        roots, planner.leavesOf(roots), planner.sizes(),
        ScheduleAttr::get(&getContext(), scheduled.schedule), stored);
    kernels.push_back(kernel);
    // Sizes that are symbols have other numbers in the kernel than in the
    // function around it.
    if (llvm::any_of(
            scheduled.schedule.sequential,
            [](const Schedule::Loop &loop) { return loop.name.isSymbol; })) {
      scheduled = findScheduleOf(kernel, model);
      kernel.setScheduleAttr(
          ScheduleAttr::get(&getContext(), scheduled.schedule));
    }
    ++numKernels;
    collected.kernels.push_back({kernel, scheduled});
    for (const std::string &note : scheduled.notes)
      remark::analysis(
          kernel.getLoc(),
          remark::RemarkOpts::name("FormKernels").category("schedule"))
          << (kernel.getName() + ": " + note).str();
  }
  collected.addPlan(function, planner);
  for (auto [roots, kernel] : llvm::zip(planner.kernels(), kernels))
    for (auto [value, result] : llvm::zip(roots, kernel.getResults()))
      Value(value).replaceUsesWithIf(result, [&](OpOperand &use) {
        return use.getOwner() == terminator || isa<KernelOp>(use.getOwner());
      });
  // Kernels that were there before may read what the new ones store.
  sortTopologically(&function.getBody().front());
  // What is left is in no kernel any more.
  eraseUnread(function);
  return success();
}
