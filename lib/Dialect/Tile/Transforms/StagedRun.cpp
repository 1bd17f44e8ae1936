//===- StagedRun.cpp - what a role does, op by op -------------------------===//
//
// Of loops and branches in which nothing matters only the results count.
//
//===----------------------------------------------------------------------===//

#include "StagedRun.h"

using namespace mlir;
using namespace fuse::tile;

LogicalResult StagedRun::rename(ValueRange from, ValueRange to,
                                Operation *yield, RunListener &listener) {
  numbers.assign(from, to);
  return listener.rename(from, to, yield);
}

LogicalResult StagedRun::runLoop(scf::ForOp loop, RunListener &listener) {
  // Where a loop matters, its bounds are numbers.
  APInt lower = *numbers.get(loop.getLowerBound());
  APInt upper = *numbers.get(loop.getUpperBound());
  APInt step = *numbers.get(loop.getStep());
  if (failed(rename(loop.getInitArgs(), loop.getRegionIterArgs(), nullptr,
                    listener)))
    return failure();
  ValueRange last = loop.getInitArgs();
  auto isThere = [&](const APInt &at) {
    return loop.getUnsignedCmp() ? at.ult(upper) : at.slt(upper);
  };
  for (APInt at = lower; isThere(at) && !isCut(); at += step) {
    // A step of 0 was tried only because nothing is known of it.
    if (step.isZero())
      break;
    numbers.set(loop.getInductionVar(), at);
    if (failed(run(*loop.getBody(), listener)))
      return failure();
    // Of a round that was not gone through to its end, nothing is known.
    if (isCut())
      return success();
    if (failed(rename(loop.getYieldedValues(), loop.getRegionIterArgs(),
                      loop.getBody()->getTerminator(), listener)))
      return failure();
    last = loop.getRegionIterArgs();
  }
  return rename(last, loop.getResults(), nullptr, listener);
}

LogicalResult StagedRun::runBranch(scf::IfOp branch, RunListener &listener) {
  bool isTaken = !numbers.get(branch.getCondition())->isZero();
  Region &region = isTaken ? branch.getThenRegion() : branch.getElseRegion();
  if (region.empty())
    return success();
  Block &block = region.front();
  if (failed(run(block, listener)))
    return failure();
  if (isCut())
    return success();
  return rename(block.getTerminator()->getOperands(), branch.getResults(),
                nullptr, listener);
}

LogicalResult StagedRun::runOp(Operation *op, RunListener &listener) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return numbers.matters(op) ? runLoop(loop, listener) : listener.visit(op);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (numbers.matters(op) && failed(runBranch(branch, listener)))
      return failure();
    return isCut() ? success() : listener.visit(op);
  }
  if (op->getNumRegions() != 0 && !isa<RolesOp>(op) && numbers.matters(op))
    return op->emitOpError("decides what is done to rings, but only "
                           "'scf.for', 'scf.if' and roles can be followed");
  numbers.evaluate(op);
  return listener.visit(op);
}

LogicalResult StagedRun::run(Block &block, RunListener &listener) {
  for (Operation &op : block) {
    if (isCut() || op.hasTrait<OpTrait::IsTerminator>())
      return success();
    --steps;
    if (failed(runOp(&op, listener)))
      return failure();
  }
  return success();
}
