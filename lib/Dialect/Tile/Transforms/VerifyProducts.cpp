//===- VerifyProducts.cpp - products in flight ----------------------------===//
//
// Until a product is done, it reads tiles in shared memory and in registers and
// writes its sum. Products of one role end in the order in which they were set
// off, so it is enough to count them.
//
//===----------------------------------------------------------------------===//

#include "StagedChecks.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

ProductChecker::ProductChecker(Operation *role) {
  role->walk([&](scf::ForOp loop) {
    for (auto [carried, yielded, result] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues(),
                         loop.getResults())) {
      if (!layoutOf(carried.getType()))
        continue;
      registers.unionSets(carried, result);
      // What comes from outside is copied where the round ends.
      if (!loop.isDefinedOutsideOfLoop(yielded))
        registers.unionSets(carried, yielded);
    }
  });
}

ProductChecker::Issue *ProductChecker::borrowerOf(Value value) {
  auto it = borrowers.find(registers.getOrInsertLeaderValue(value));
  bool isBorrowed = it != borrowers.end() && it->second >= numDone;
  return isBorrowed ? &issues[it->second] : nullptr;
}

//===----------------------------------------------------------------------===//
// What is read
//===----------------------------------------------------------------------===//

LogicalResult ProductChecker::visitUses(Operation *op) {
  for (Value operand : op->getOperands()) {
    if (!sharedLayoutOf(operand.getType()))
      continue;
    Origin origin = origins.lookup(operand);
    if (!origin.op)
      return op->emitOpError("reads shared memory that is neither waited for "
                             "nor written in its role");
    if (Operation *release = released.lookup(origin.number))
      return reportBoth(op,
                        "reads number " + Twine(origin.number.second) +
                            " of a ring, which is released",
                        release, "here");
    // The copy engine writes as they read.
    auto ring = dyn_cast<RingOp>(origin.number.first);
    bool needsFence = !ring || ring.getFeed() == Feed::CpAsync;
    if (needsFence && readsAsynchronously(op) &&
        operand.getDefiningOp() != origin.op)
      return reportBoth(op,
                        "reads under another name what needs a fence where it "
                        "is written",
                        origin.op, "only who uses this name is looked for");
  }
  return success();
}

LogicalResult ProductChecker::visitDefinitions(Operation *op) {
  for (Value result : op->getResults()) {
    if (!layoutOf(result.getType()) || op->hasTrait<OpTrait::ConstantLike>())
      continue;
    if (Issue *issue = borrowerOf(result))
      return reportBoth(op,
                        "computes registers anew that a product in flight "
                        "still reads",
                        issue->op, "this one");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult ProductChecker::consume(Operation *op, Value pending) {
  auto it = pendings.find(pending);
  if (it == pendings.end())
    return op->emitOpError("needs a sum that its role has set off");
  if (it->second == started) {
    pendings.erase(it);
    return success();
  }
  Issue &issue = issues[it->second];
  if (issue.consumer)
    return reportBoth(op,
                      "goes on with a sum that is taken or added to already",
                      issue.consumer, "here");
  issue.consumer = op;
  return success();
}

LogicalResult ProductChecker::visitIssue(DotIssueOp op) {
  unsigned number = issues.size();
  if (isa<PendingType>(op.getAcc().getType()) &&
      failed(consume(op, op.getAcc())))
    return failure();
  for (Value operand : op->getOperands()) {
    if (layoutOf(operand.getType())) {
      Operation *made = operand.getDefiningOp();
      if (!made || !made->hasTrait<OpTrait::ConstantLike>())
        borrowers[registers.getOrInsertLeaderValue(operand)] = number;
    } else if (sharedLayoutOf(operand.getType())) {
      Origin origin = origins.lookup(operand);
      readers[origin.number] = number;
    }
  }
  issues.push_back({op});
  pendings[op.getResult()] = number;
  groups[op.getGroup()] = number;
  return success();
}

LogicalResult ProductChecker::retire(Operation *op, unsigned issue,
                                     int64_t behind) {
  int64_t since = issues.size() - 1 - issue;
  // What is done already, any wait is long enough for.
  if (issue >= numDone && behind > since)
    return reportBoth(op,
                      "lets " + Twine(behind) +
                          " products be under way, but since the one that it "
                          "waits for there were only " +
                          Twine(since),
                      issues[issue].op, "this one");
  numDone = std::max<int64_t>(numDone, issues.size() - behind);
  return success();
}

LogicalResult ProductChecker::visitRelease(ReleaseOp op, int64_t number) {
  for (Value value : op.getGroups()) {
    auto it = groups.find(value);
    if (it == groups.end())
      return op.emitOpError("comes after a product that its role has not set "
                            "off");
    if (it->second >= numDone)
      return reportBoth(op, "comes after a product that is not retired",
                        issues[it->second].op, "this one");
  }
  Number key(op.getRing().getDefiningOp(), number);
  if (auto reader = readers.find(key); reader != readers.end()) {
    // Also where no token tells: what was retired in a loop in between is done.
    if (reader->second >= numDone)
      return reportBoth(op,
                        "releases number " + Twine(number) +
                            " without waiting for a product that reads it",
                        issues[reader->second].op, "this one");
    readers.erase(reader);
  }
  released[key] = op;
  return success();
}

//===----------------------------------------------------------------------===//
// Op by op
//===----------------------------------------------------------------------===//

LogicalResult ProductChecker::visit(Operation *op,
                                    const ControlNumbers &numbers) {
  // What an op waits for is done when it computes its result.
  return failure(failed(visitUses(op)) || failed(visitOp(op, numbers)) ||
                 failed(visitDefinitions(op)));
}

LogicalResult ProductChecker::visitOp(Operation *op,
                                      const ControlNumbers &numbers) {
  if (auto wait = dyn_cast<WaitOp>(op)) {
    Number number(wait.getRing().getDefiningOp(),
                  numbers.get(wait.getNumber())->getSExtValue());
    for (Value part : wait.getParts())
      origins[part] = {wait, number};
    return success();
  }
  if (auto convert = dyn_cast<ConvertLayoutOp>(op);
      convert && sharedLayoutOf(convert.getType())) {
    Number buffer(convert, 0);
    auto reader = readers.find(buffer);
    if (reader != readers.end() && reader->second >= numDone)
      return reportBoth(op,
                        "writes shared memory that a product in flight still "
                        "reads",
                        issues[reader->second].op, "this one");
    origins[convert.getResult()] = {convert, buffer};
    return success();
  }
  if (auto issue = dyn_cast<DotIssueOp>(op))
    return visitIssue(issue);
  if (auto start = dyn_cast<StartOp>(op)) {
    pendings[start.getResult()] = started;
    return success();
  }
  if (auto take = dyn_cast<TakeOp>(op)) {
    unsigned issue = pendings.lookup(take.getPending());
    if (failed(consume(take, take.getPending())))
      return failure();
    return issue == started ? success() : retire(take, issue, take.getBehind());
  }
  if (auto wait = dyn_cast<RetireOp>(op)) {
    auto it = groups.find(wait.getGroup());
    if (it == groups.end())
      return op->emitOpError("waits for a product that its role has not set "
                             "off");
    unsigned issue = it->second;
    groups[wait.getDone()] = issue;
    return retire(wait, issue, wait.getBehind());
  }
  if (auto release = dyn_cast<ReleaseOp>(op))
    return visitRelease(release,
                        numbers.get(release.getNumber())->getSExtValue());
  return success();
}

template <typename T>
static void renameIn(DenseMap<Value, T> &map, ValueRange from, ValueRange to) {
  SmallVector<std::pair<Value, T>> found;
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (auto it = map.find(source); it != map.end())
      found.push_back({target, it->second});
  for (auto &[target, state] : found)
    map[target] = state;
}

LogicalResult ProductChecker::rename(ValueRange from, ValueRange to,
                                     Operation *yield) {
  renameIn(pendings, from, to);
  renameIn(groups, from, to);
  renameIn(origins, from, to);
  if (!yield)
    return success();
  for (auto [source, target] : llvm::zip_equal(from, to)) {
    if (source == target || !layoutOf(target.getType()))
      continue;
    if (Issue *issue = borrowerOf(target))
      return reportBoth(yield,
                        "carries new values into registers that a product in "
                        "flight still reads",
                        issue->op, "this one");
  }
  return success();
}

LogicalResult ProductChecker::finish() {
  for (Issue &issue : issues)
    if (!issue.consumer)
      return issue.op.emitOpError("sets off a sum that nobody takes");
  return success();
}
