//===- FuseSchedule.h - how a kernel is run ---------------------*- C++ -*-===//
//
// What `#fuse.schedule` holds, as a value that can be made, changed and
// compared. A schedule says how a kernel is run and never what it computes:
// leaving any part of it out gives the same results, perhaps more slowly.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_IR_FUSESCHEDULE_H
#define FUSE_DIALECT_FUSE_IR_FUSESCHEDULE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "fuse/Dialect/Fuse/IR/FuseEnums.h.inc"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace fuse {

class ScheduleAttr;

/// The canonical name of a variable that reductions bind: `r64_0` runs over a
/// size of 64, `rs3_1` over the size with symbol 3, one level further in.
struct LoopName {
  /// A number, or the number of a symbol.
  int64_t size = 0;
  bool isSymbol = false;
  int32_t level = 0;

  bool operator==(const LoopName &) const = default;
  friend llvm::hash_code hash_value(const LoopName &name) {
    return llvm::hash_combine(name.size, name.isSymbol, name.level);
  }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const LoopName &name);

struct Schedule {
  /// How many elements one step of a reduction loop takes.
  struct Loop {
    LoopName name;
    int64_t tile = 1;
    bool operator==(const Loop &) const = default;
  };
  /// How one reduction shares the loop of another on whose result it depends.
  struct Cascade {
    int64_t reduction = 0;
    int64_t statistic = 0;
    CascadeStrategy strategy = CascadeStrategy::Sequential;
    bool operator==(const Cascade &) const = default;
  };
  /// A variable of the grid, and whether its blocks are run from the last on.
  struct Order {
    int64_t place = 0;
    bool isDown = false;
    bool operator==(const Order &) const = default;
  };

  /// The output's variables that a block walks itself: the last so many, or
  /// those with these places.
  struct Owned {
    int64_t last = 0;
    std::vector<int64_t> places;
    bool operator==(const Owned &) const = default;
  };

  std::vector<int64_t> parallel;
  std::vector<Loop> sequential;
  /// Derived from the kernel where it is not given.
  std::optional<Owned> owned;
  std::vector<Cascade> cascades;
  int64_t split = 1;
  MergePlace merge = MergePlace::Launch;
  /// What the chip is best at where they are not given.
  std::optional<int64_t> warps, crews, stages, roles, residents, share;
  std::vector<int64_t> cluster;
  std::vector<Order> order;

  bool operator==(const Schedule &) const = default;

  /// The tile size of a reduction's variable, if it is given.
  std::optional<int64_t> tileOf(const LoopName &name) const {
    const auto *loop =
        llvm::find_if(llvm::ArrayRef(sequential),
                      [&](const Loop &l) { return l.name == name; });
    if (loop == llvm::ArrayRef(sequential).end())
      return std::nullopt;
    return loop->tile;
  }

  /// The strategy of a pair, if it is given.
  std::optional<CascadeStrategy> strategyOf(int64_t reduction,
                                            int64_t statistic) const {
    for (const Cascade &cascade : cascades)
      if (cascade.reduction == reduction && cascade.statistic == statistic)
        return cascade.strategy;
    return std::nullopt;
  }
};

llvm::hash_code hash_value(const Schedule &schedule);

/// Reads `#fuse.schedule<...>`, or only what stands between the brackets, as it
/// comes from a command line. The error says what is wrong and in which column.
llvm::Expected<ScheduleAttr> parseSchedule(llvm::StringRef text,
                                           mlir::MLIRContext *context);

} // namespace fuse

#endif // FUSE_DIALECT_FUSE_IR_FUSESCHEDULE_H
