//===- MemoryAccess.h - how a tile lies in memory ---------------*- C++ -*-===//
//
// What loads, gathers and stores have in common, seen as one sum: element `a`
// of the tile is at `base + sum of steps[i] * a[i]` elements from the start of
// the memory. From it follows how many neighbours one instruction may move.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_ANALYSIS_MEMORYACCESS_H
#define FUSE_DIALECT_TILE_ANALYSIS_MEMORYACCESS_H

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/MapVector.h"
#include <limits>

namespace fuse::tile {

/// A number that divides `index` whatever runs; 0 is divided by all, for which
/// `maxDivisor` stands.
int64_t divisorOf(mlir::Value index);
inline constexpr int64_t maxDivisor = int64_t(1) << 30;

/// What `index` is at most, if that is known, else the largest number.
int64_t mostOf(mlir::Value index);
/// The least, or what no position is less than.
int64_t leastOf(mlir::Value index);

/// Of a kernel, how far from 0 any `tile.iota` along an axis counts, if that is
/// known and no more than what leaves room in 32 bits for sums of some.
constexpr llvm::StringLiteral farthestAttrName = "tile.farthest";
constexpr int64_t kFarthestPosition = int64_t(1) << 28;

/// A number of elements, as a sum of values times factors. Everything is modulo
/// 2^64, and a multiple of `multiple`, a power of two, may be missing.
struct ElementSum {
  llvm::MapVector<mlir::Value, uint64_t> terms;
  uint64_t constant = 0;
  /// 0 if nothing is missing.
  uint64_t multiple = 0;

  /// Adds `index` times `factor`. The rest of a division by a power of two is
  /// what is divided, but for a multiple of that.
  void add(mlir::Value index, uint64_t factor);
  /// Modulo a power of two that divides `multiple`: without the terms that are
  /// divided by it.
  ElementSum modulo(uint64_t power) const;
  /// The largest power of two that is known to divide it; 0 if it is 0.
  uint64_t power() const;
  bool operator==(const ElementSum &other) const;
};

/// The bytes that an element takes in memory: 1 for i1, 8 for index.
unsigned elementBytes(mlir::Type element);

/// Whether all elements of a tile that differ along `axis` only are known to be
/// equal.
bool isConstantAlong(mlir::Value tile, unsigned axis);

struct MemoryAccess {
  mlir::Operation *op = nullptr;
  mlir::TypedValue<mlir::MemRefType> memory;
  mlir::ValueRange indices;
  mlir::AffineMap map;
  mlir::ValueRange starts, limits;
  llvm::ArrayRef<int64_t> axes;
  mlir::RankedTensorType tile;
  /// Elements outside of the memory are left out, too.
  bool isGuarded = false;
  /// The dimensions to which a gather adds positions.
  llvm::ArrayRef<int64_t> gathered;
  /// Axes that move along one dimension are its digits.
  bool isDisjoint = false;

  static MemoryAccess of(LoadOp op);
  static MemoryAccess of(GatherOp op);
  static MemoryAccess of(StoreOp op);
  static MemoryAccess of(CopyOp op);
  /// Of any of these.
  static MemoryAccess of(mlir::Operation *op);

  /// The coefficient of `axis` in dimension `dim` of the memory.
  int64_t coefficient(unsigned dim, unsigned axis) const;
  /// How far apart neighbours in a dimension are, in elements; absent where it
  /// is not known before the kernel runs.
  std::optional<int64_t> stride(unsigned dim) const;
  /// A number that divides it in any case.
  int64_t strideDivisor(unsigned dim) const;
  /// The step of an axis, in elements; absent as above.
  std::optional<int64_t> step(unsigned axis) const;
  int64_t stepDivisor(unsigned axis) const;

  /// By how many bytes the memory's address is divisible.
  int64_t alignment() const;
  /// A number that divides a size of the memory.
  int64_t sizeDivisor(unsigned dim) const;

  /// Where element 0 of the tile is, in elements from the start of the memory;
  /// absent if a stride is not known before the kernel runs.
  std::optional<ElementSum> origin() const;

  /// The axis along which elements follow each other in memory, if there is
  /// one.
  std::optional<unsigned> fastAxis() const;
  /// The axes from the one with the smallest steps on; those that do not move
  /// come last.
  llvm::SmallVector<unsigned> order() const;
  /// The most elements along `fastAxis`, a power of two, such that a vector
  /// that starts at a multiple of it is aligned in memory and inside or outside
  /// as a whole.
  int64_t vectorWidth() const;
  /// The same for vectors of which parts may be in front of the start, or
  /// behind the limit, along `fastAxis`; `most` elements, where a thread has no
  /// more next to each other.
  int64_t raggedWidth(int64_t most = std::numeric_limits<int64_t>::max()) const;
  /// The same for what is read as a whole even if a part is behind the limit,
  /// and then counts as 0.
  int64_t copyWidth() const;
  /// Whether the tile is a part of one row of memory without gaps.
  bool isOneRow() const;
  /// How many elements are left at the end of memory without gaps when it is
  /// divided into vectors of so many, a power of two; absent if nobody knows.
  std::optional<int64_t> restOf(int64_t width) const;
  /// How many elements along `fastAxis`, wherever they start, can be cut out of
  /// two neighbouring chunks of 16 bytes; 0 if a chunk with one of them might
  /// reach beyond the memory.
  int64_t cutWidth() const;

private:
  bool isPlain() const;
  int64_t alignedWidth() const;
};

/// How many elements one `cp.async` moves between memory and a tile in shared
/// memory, if `threads` says who copies what; 0 where it cannot.
int64_t asyncWidth(const MemoryAccess &access, const Layout &threads,
                   const SharedLayout &shared);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_ANALYSIS_MEMORYACCESS_H
