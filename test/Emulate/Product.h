//===- Product.h - a wgmma that has not been done ---------------*- C++ -*-===//

#ifndef FUSE_TEST_EMULATE_PRODUCT_H
#define FUSE_TEST_EMULATE_PRODUCT_H

#include "Emulator.h"

namespace fuse::emulate {

enum class ProductType : int32_t { F16, BF16, TF32, E4M3 };

/// What fuse-run writes for each line of a piece of assembly.
struct Step {
  enum Kind : int32_t { Fence, Commit, Multiply };
  Kind kind;
  int32_t columns;
  /// Where its sums begin among those of the piece.
  int32_t firstSum;
  ProductType type;
  /// Whether the sums start at 0.
  int32_t isFresh;
  /// Whether a factor in shared memory lies along its rows, or columns.
  int32_t isLeftTransposed, isRightTransposed;
  /// Which four words the left factor is, or -1: then there is a descriptor.
  int32_t leftWords;
  /// Which descriptor, and what is added to it.
  int32_t left, leftOffset, right, rightOffset;
};

/// The sums of each lane while they are computed.
struct Pending {
  std::array<std::vector<float>, lanes> sums;
  /// The group that has to be waited for.
  uint64_t group = 0;
  /// How many of them have been read.
  size_t taken = 0;
};

struct Product {
  Step step;
  uint64_t left, right;
  std::array<std::array<uint32_t, 4>, lanes> words;
  std::shared_ptr<Pending> pending;
  uint64_t group;
  /// Whether it is done when somebody waits for it, and not before.
  bool isLate;
};

/// One factor in shared memory, as the PTX ISA describes it.
class DescribedMatrix {
public:
  /// A factor is transposed that lies along its rows, not along k.
  DescribedMatrix(const Block &block, uint64_t descriptor, bool isTransposed);
  /// Where a unit of 16 bytes is: its number in the direction in which it lies,
  /// and the element's number in the other one.
  char *unit(unsigned along, unsigned across) const;

private:
  bool isTransposed;
  char *window;
  unsigned span;
  uint64_t start, leading, stride;
};

} // namespace fuse::emulate

#endif // FUSE_TEST_EMULATE_PRODUCT_H
