//===- RingSlots.h - how many slots a ring has ------------------*- C++ -*-===//
//
// Slots take shared memory from other loops, other blocks and the first cache.
// How many a loop gets is weighed here.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGSLOTS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGSLOTS_H

#include "RingParts.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"

namespace fuse::tile {

class RingSlots {
public:
  RingSlots(KernelOp kernel, const FormRingsOptions &options)
      : kernel(kernel), options(options) {}

  /// Other loops, which are to have the same slots.
  void share(llvm::ArrayRef<RingLoop> loops) { others = loops; }
  /// Loops that are to have rings of their own, of so many slots.
  void leaveRoomFor(llvm::ArrayRef<RingLoop> loops, int64_t slots);

  /// As many as are asked for, if two blocks still fit on a processor with
  /// them; fewer else, one only for what others are part of, and 0 if there
  /// should be no ring. Where the kernel says how many share a processor, or
  /// its blocks have one for themselves, their part of it is filled.
  int64_t slotsFor(mlir::scf::ForOp loop, llvm::ArrayRef<RingPart> parts);

private:
  int64_t bytesWith(mlir::scf::ForOp loop, llvm::ArrayRef<RingPart> parts,
                    int64_t slots);
  int64_t bytesForInner(mlir::scf::ForOp loop);
  int64_t bytesForBlock();
  bool isAlone(mlir::scf::ForOp loop, llvm::ArrayRef<RingPart> parts);
  int64_t slotsOfOuter(mlir::scf::ForOp loop, llvm::ArrayRef<RingPart> parts,
                       int64_t cycles);
  int64_t usualSlots(mlir::scf::ForOp loop, llvm::ArrayRef<RingPart> parts);
  int64_t mostNeeded(mlir::scf::ForOp loop);
  std::optional<int64_t> roundsOf(mlir::scf::ForOp loop);

  KernelOp kernel;
  const FormRingsOptions &options;
  llvm::ArrayRef<RingLoop> others, apart;
  int64_t reserved = 0;
};

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGSLOTS_H
