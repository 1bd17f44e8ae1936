//===- Issue.h - a product in flight ----------------------------*- C++ -*-===//
//
// What `tile.dot_issue` sets off. It is computed when somebody waits for it;
// its factors are read then or when it began, as the timing has it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_ISSUE_H
#define FUSE_LIB_SIMULATE_ISSUE_H

#include "Strand.h"
#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse::simulate {

struct Issue {
  tile::DotIssueOp op;
  /// How many products of its strand came before.
  uint64_t index = 0;
  SimulatedValue lhs, rhs;
  /// The factors, once they have been read.
  ArrayPtr left, right;
  /// What it is added to: a tile, or a product that is done before.
  ArrayPtr start;
  IssuePtr before;
  /// Null until it is computed.
  ArrayPtr sum;
  bool isDone = false;
  /// What adds onto its sum in place, or has taken it.
  mlir::Operation *consumer = nullptr;
};

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_ISSUE_H
