//===- NestBuilder.h - derive a kernel's loop nest --------------*- C++ -*-===//
//
// Algorithm A at the level of tiles. An element is made in the innermost scope
// that opens a variable which it varies with; a reduction opens a loop over its
// variables, or joins one. From these two rules a prologue lands inside of the
// k loop and an epilogue behind it, products that share an operand share the
// loop, a product of a product nests, and the rows of a softmax are walked by
// the block that owns them.
//
// A reduction that uses another one over the same variables joins its loop if
// the cascade rule allows it, see Cascade.h.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_NESTBUILDER_H
#define FUSE_ANALYSIS_NESTBUILDER_H

#include "fuse/Analysis/KernelElements.h"
#include "fuse/Analysis/Nest.h"

namespace fuse {

struct NestOptions {
  TileSizes sizes;
  /// Which output variables a block owns; derived if absent.
  std::optional<OwnedVars> owned;
  /// In how many chunks blocks share the outermost reduction.
  int64_t split = 1;
  /// Whether they merge what they have in a cluster, if they can.
  bool mergesInCluster = false;
  /// For cascades that are not asked for one by one: a loop of its own for
  /// every reduction that depends on another, or means frozen early.
  bool preferSequential = false, preferPilot = false;
  llvm::SmallVector<NestCascade> cascades;
};

/// Derives the nest of a kernel. If there is none, `whyNot` says why.
std::optional<KernelNest> buildNest(KernelElements &kernel,
                                    const NestOptions &options,
                                    std::string &whyNot);

} // namespace fuse

#endif // FUSE_ANALYSIS_NESTBUILDER_H
