//===- Products.cpp - products in flight ----------------------------------===//
//
// Groups of one role end in the order in which they were issued, so waiting for
// one is counting: all but the last so many are done.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "TileOps.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

Outcome Interpreter::issue(Strand &strand, tile::DotIssueOp op) {
  auto issue = std::make_shared<Issue>();
  issue->op = op;
  issue->index = strand.issues++;
  issue->lhs = valueOf(strand, op.getLhs());
  issue->rhs = valueOf(strand, op.getRhs());
  if (const auto *before =
          std::get_if<IssuePtr>(&valueOf(strand, op.getAcc()))) {
    issue->before = *before;
    if (Operation *consumer = issue->before->consumer) {
      InFlightDiagnostic diagnostic =
          op.emitOpError("adds onto a sum that is gone");
      diagnostic.attachNote(consumer->getLoc()) << "it was used up here";
      return Outcome::Failed;
    }
    issue->before->consumer = op;
  } else {
    issue->start = arrayOf(op.getAcc(), op, strand);
    if (!issue->start)
      return Outcome::Failed;
  }
  bool readsLate = simulation.timing.readsLate();
  for (auto [factor, array] : {std::pair(&issue->lhs, &issue->left),
                               std::pair(&issue->rhs, &issue->right)}) {
    const auto *tile = std::get_if<SharedTile>(factor);
    if (tile)
      tile->ring->lend(*tile, issue);
    if (tile && readsLate)
      continue;
    *array = arrayOf(*factor, op, strand);
    if (!*array)
      return Outcome::Failed;
  }
  strand.products.push_back(issue);
  if (!set(strand, op.getResult(), issue) || !set(strand, op.getGroup(), issue))
    return Outcome::Failed;
  return Outcome::Done;
}

bool Interpreter::compute(Strand &strand, Issue &issue) {
  if (!issue.left)
    issue.left = arrayOf(issue.lhs, issue.op, strand);
  if (!issue.right)
    issue.right = arrayOf(issue.rhs, issue.op, strand);
  if (!issue.left || !issue.right)
    return false;
  auto sum =
      std::make_shared<Array>(issue.before ? *issue.before->sum : *issue.start);
  Product product{static_cast<unsigned>(issue.op.getBatch()),
                  static_cast<unsigned>(issue.op.getContract()),
                  issue.op.getPrecision()};
  if (!simulation.work(issue.op,
                       addProduct(product, *issue.left, *issue.right, *sum)))
    return false;
  issue.sum = std::move(sum);
  issue.isDone = true;
  for (const SimulatedValue *factor : {&issue.lhs, &issue.rhs})
    if (const auto *tile = std::get_if<SharedTile>(factor))
      tile->ring->markRead(*tile, issue.op, strand);
  // Nobody needs them any more.
  issue.left = issue.right = issue.start = nullptr;
  issue.before = nullptr;
  return true;
}

/// Waits until at most `behind` products are under way, which has to be enough
/// for `issue`.
bool Interpreter::settle(Strand &strand, Issue &issue, Operation *op,
                         uint64_t behind) {
  uint64_t certain = strand.issues - std::min(strand.issues, behind);
  while (!strand.products.empty() && strand.products.front()->index < certain) {
    if (!compute(strand, *strand.products.front()))
      return false;
    strand.products.pop_front();
  }
  if (issue.isDone)
    return true;
  InFlightDiagnostic diagnostic =
      op->emitOpError("lets ")
      << behind << " products be under way, but since its own there were "
      << strand.issues - issue.index - 1;
  diagnostic.attachNote(issue.op.getLoc()) << "it is set off here";
  return false;
}

Outcome Interpreter::start(Strand &strand, tile::StartOp op) {
  auto issue = std::make_shared<Issue>();
  issue->sum = arrayOf(op.getSource(), op, strand);
  issue->isDone = true;
  return issue->sum ? setResult(strand, op, issue) : Outcome::Failed;
}

Outcome Interpreter::take(Strand &strand, tile::TakeOp op) {
  IssuePtr issue = std::get<IssuePtr>(valueOf(strand, op.getPending()));
  if (!settle(strand, *issue, op, op.getBehind()))
    return Outcome::Failed;
  if (issue->consumer) {
    InFlightDiagnostic diagnostic = op.emitOpError("takes a sum that is gone");
    diagnostic.attachNote(issue->consumer->getLoc()) << "it was used up here";
    return Outcome::Failed;
  }
  issue->consumer = op;
  return setResult(strand, op, issue->sum);
}

Outcome Interpreter::retire(Strand &strand, tile::RetireOp op) {
  IssuePtr issue = std::get<IssuePtr>(valueOf(strand, op.getGroup()));
  if (!settle(strand, *issue, op, op.getBehind()))
    return Outcome::Failed;
  return setResult(strand, op, issue);
}
