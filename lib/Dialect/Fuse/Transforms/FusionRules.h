//===- FusionRules.h - why an edge of a graph costs nothing -----*- C++ -*-===//
//
// Every edge of a graph, from the op that makes a value to one that uses it, is
// either fused or stored. What is fused has a rule that says how the value
// comes to the op without memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONRULES_H
#define FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONRULES_H

#include "mlir/IR/Operation.h"

namespace fuse {

struct FusionRule {
  llvm::StringLiteral name;
  bool (*accepts)(mlir::Operation *producer, mlir::Operation *consumer);
  llvm::StringLiteral reason;
};

/// The first of them that accepts an edge explains it; the last accepts all.
llvm::ArrayRef<FusionRule> getFusionRules();

const FusionRule &ruleFor(mlir::Operation *producer, mlir::Operation *consumer);

/// Ops that only say where an element is: they cost nothing in a kernel.
bool isView(mlir::Operation *op);
/// Ops that combine elements.
bool isReducing(mlir::Operation *op);
/// Ops of one element each.
bool isPointwise(mlir::Operation *op);

} // namespace fuse

#endif // FUSE_LIB_DIALECT_FUSE_TRANSFORMS_FUSIONRULES_H
