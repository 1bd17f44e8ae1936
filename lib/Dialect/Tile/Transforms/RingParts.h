//===- RingParts.h - what a loop copies ahead -------------------*- C++ -*-===//
//
// Which loads of a loop go through a ring, and how they lie in its slots.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGPARTS_H
#define FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGPARTS_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace fuse::tile {

/// A load, and how it lies in its slot.
struct RingPart {
  LoadOp load;
  /// What rounds the load, if the copy does it.
  RoundOp round;
  mlir::RankedTensorType type;
  /// The tile in shared memory that is all the load is used for; null if
  /// threads read the slot.
  ConvertLayoutOp shared;

  mlir::Value value() { return round ? round.getResult() : load.getResult(); }
};

/// A loop, and what each of its rounds copies.
struct RingLoop {
  mlir::scf::ForOp loop;
  llvm::SmallVector<RingPart> parts;
};

/// What a loop copies ahead. One ring that threads fill makes them fill all, so
/// where the engine copies what inner loops read, threads load the rest
/// themselves: a product of 4 terms before one of 1600, 10000 rows and 2304
/// columns, took 588 us in rings of threads.
llvm::SmallVector<RingPart> ringPartsOf(mlir::scf::ForOp loop, bool hasEngine);

/// Whether there are loops in `loop`, and the copy engine copies all that has
/// or gets a ring there.
bool isForEngine(mlir::scf::ForOp loop, bool hasEngine);

bool isCopiedByEngine(const RingPart &part);

/// Whether loading will become a role of its own, so that nobody fills a ring
/// who also reads it: the engine copies all that has or gets a ring in the
/// kernel, from places that are known without what is read.
bool isLoadedByRole(KernelOp kernel, bool hasEngine);

/// The dots that a tile becomes a factor of, in its block.
llvm::SetVector<mlir::Operation *> dotsFedBy(mlir::Value tile,
                                             mlir::Block *block);

/// Whether a tile is a factor that threads hold in registers for the products
/// by warpgroups of all rounds of a loop in it.
bool isHeld(mlir::Value tile, mlir::Block *block);

llvm::SmallVector<mlir::RankedTensorType>
typesOf(llvm::ArrayRef<RingPart> parts);

/// What reads the slots of parts.
llvm::SmallVector<mlir::Operation *> readersOf(llvm::ArrayRef<RingPart> parts);

/// The layout that a user of a tile in registers wants.
LayoutAttr wantedBy(mlir::Operation *user, mlir::Value tile);

} // namespace fuse::tile

#endif // FUSE_LIB_DIALECT_TILE_TRANSFORMS_RINGPARTS_H
