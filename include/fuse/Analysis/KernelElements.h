//===- KernelElements.h - what a kernel computes, by element ----*- C++ -*-===//
//
// The results of one kernel, each as the expression of any of its elements,
// over index variables that all results share. Which variables those are
// depends on who walks them: blocks of a grid, or every block for itself.
//
// An output variable is *owned* if a block walks all of it. Then it carries the
// canonical name that a reduction over it would bind, so that a row's
// statistics and the row itself are runs over one variable.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_KERNELELEMENTS_H
#define FUSE_ANALYSIS_KERNELELEMENTS_H

#include "fuse/Analysis/Cascade.h"
#include "fuse/Analysis/Demand.h"
#include <map>

namespace fuse {

/// One result of a kernel.
struct KernelRoot {
  mlir::Value value;
  llvm::SmallVector<Index> index;
  const Element *element = nullptr;
};

/// Which output variables a block owns: a bit for each, by its place. What is
/// behind the last bit is not owned.
using OwnedVars = uint64_t;
inline bool owns(OwnedVars owned, size_t place) {
  constexpr size_t bits = 64;
  return place < bits && (owned >> place & 1) != 0;
}

/// A kernel's results for one choice of owned variables.
struct KernelView {
  /// Those that blocks share, in order of the outputs' dimensions.
  llvm::SmallVector<IndexVar> grid;
  VarSet owned;
  llvm::SmallVector<KernelRoot> roots;
  /// Every reduction in the results, in order of demand. Schedules number them.
  llvm::SmallVector<const Element *> reductions;
};

class KernelElements {
public:
  /// The results `roots`, computed from what `stored` holds and from the
  /// arguments of the function. Of the roots, those that another root needs
  /// are computed and not read back.
  KernelElements(const SizeAnalysis &sizes, llvm::ArrayRef<mlir::Value> roots,
                 llvm::DenseSet<mlir::Value> stored);

  /// Why these results cannot be one kernel; empty if they can.
  llvm::StringRef whyNot() const { return reason; }
  /// The op at fault, where it is one.
  mlir::Operation *failedOp() const { return failed; }

  /// The number of output variables.
  unsigned numOutputVars() const { return parts.size(); }
  /// Those that a block should own: over which the outputs' own statistics run.
  /// Null if an op cannot be taken apart.
  std::optional<OwnedVars> deriveOwned();
  /// The last so many.
  OwnedVars lastVars(size_t count) const;
  /// The results with these variables owned; null likewise.
  const KernelView *view(OwnedVars owned);

  ElementContext &context() { return elements; }
  const SizeAnalysis &sizes() const { return sizeAnalysis; }

  /// Kept from one nest of this kernel to the next: the conditions that end a
  /// loop which accumulates these reductions, see findLoopConditions.
  std::map<std::vector<const Element *>, llvm::SmallVector<const Element *>>
      loopConditions;
  /// The same for how a reduction joins a loop: by what it is asked about (see
  /// NestEmitter::join).
  std::map<std::vector<const void *>, OrRefusal<Cascade>> cascades;

private:
  /// One output variable: the dimension that it is in, and its size.
  struct Part {
    int64_t dim;
    Size size;
  };

  bool build(OwnedVars owned, mlir::ArrayRef<mlir::Value> values,
             KernelView &view);
  std::optional<OwnedVars> ownedOf(mlir::Value root);

  const SizeAnalysis &sizeAnalysis;
  ElementContext elements;
  llvm::SmallVector<mlir::Value> values;
  mlir::Value main;
  Demand demand;
  llvm::SmallVector<Part> parts;
  std::map<OwnedVars, std::unique_ptr<KernelView>> views;
  std::string reason;
  mlir::Operation *failed = nullptr;
};

} // namespace fuse

#endif // FUSE_ANALYSIS_KERNELELEMENTS_H
