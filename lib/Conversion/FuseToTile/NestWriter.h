//===- NestWriter.h - write a nest down as tile ops -------------*- C++ -*-===//
//
// One launch of a kernel becomes one `tile.kernel`. Axes get an order here:
// loads take the order of memory, so that what is contiguous stays so, and
// everything else follows its largest operand.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_FUSETOTILE_NESTWRITER_H
#define FUSE_LIB_CONVERSION_FUSETOTILE_NESTWRITER_H

#include "fuse/Analysis/NestBuilder.h"
#include "fuse/Dialect/Tile/IR/Tile.h"

namespace fuse {

class NestWriter {
  /// A tile, and what its axes are. Windows of one element are no axes.
  struct Tile {
    mlir::Value value;
    llvm::SmallVector<IndexVar> axes;
  };

public:
  /// What the blocks of a cluster have of this one's share, for each part one
  /// tile of every block.
  using Parts = llvm::DenseMap<unsigned, llvm::SmallVector<Tile>>;

  /// Memory that a nest reads and writes: the arguments of its kernel.
  struct Memory {
    llvm::MapVector<mlir::Value, mlir::Value> inputs;
    /// Of tensors that are read.
    llvm::DenseMap<mlir::Value, llvm::SmallVector<Size>> sizes;
    llvm::DenseMap<unsigned, mlir::Value> roots, parts;
  };

  /// `builder` stands in the body of `op`. `sizeOf` gives sizes that are
  /// symbols.
  NestWriter(mlir::OpBuilder &builder, mlir::Location loc,
             const KernelNest &kernel, const Nest &nest, const Memory &memory,
             llvm::function_ref<mlir::Value(Size)> sizeOf)
      : builder(builder), loc(loc), kernel(kernel), nest(nest),
        sizes(kernel.sizesOf(nest)), memory(memory), symbolOf(sizeOf) {}

  /// `place` are the arguments that say which block this is.
  void write(mlir::ValueRange place);
  /// The same for blocks that merge in a cluster: what they have of the parts,
  /// behind the rest of the first nest, and the second one.
  Parts collectParts();
  void writeMerge(mlir::ValueRange place, Parts collected);
  /// How far from 0 positions that were written as numbers may be.
  int64_t getFarthest() const { return farthest; }

private:
  /// Where a tile is in memory.
  struct Access {
    llvm::SmallVector<mlir::Value> indices;
    mlir::AffineMap map;
    llvm::SmallVector<mlir::Value> limits;
    llvm::SmallVector<int64_t> limited;
    /// The limited axes along which blocks have shares of the results.
    llvm::SmallVector<int64_t> shared;
  };

  mlir::Value index(int64_t value);
  mlir::Value sizeValue(Size size);
  mlir::Value baseOf(const IndexVar &var);
  mlir::Value baseOf(const AffineIndex &index);
  int64_t windowOf(const IndexVar &var) const { return sizes.sizeOf(var); }
  bool isAxis(const IndexVar &var) const { return windowOf(var) > 1; }
  int64_t boundOf(const AffineIndex &position) const;
  /// A share of a window may be behind the end where the window is.
  bool isRagged(const IndexVar &var) const {
    return sizes.isRagged(var) ||
           (kernel.mergesInCluster && kernel.sizes.isRagged(var));
  }
  mlir::RankedTensorType typeOf(llvm::ArrayRef<IndexVar> axes,
                                mlir::Type elementType) const;
  llvm::SmallVector<IndexVar> axesIn(llvm::ArrayRef<Index> indices) const;
  Access accessOf(llvm::ArrayRef<Index> indices, llvm::ArrayRef<IndexVar> axes);

  Tile align(Tile tile, llvm::ArrayRef<IndexVar> axes);
  llvm::SmallVector<IndexVar> commonAxes(llvm::ArrayRef<TileId> tiles,
                                         llvm::ArrayRef<IndexVar> more = {});
  mlir::Value splat(mlir::TypedAttr number, llvm::ArrayRef<IndexVar> axes);

  void write(const std::vector<Statement> &statements);
  Tile writeCompute(const Statement &statement);
  Tile writeLoad(const Statement &statement);
  Tile writePointwise(const Statement &statement);
  Tile writeMask(const Statement &statement);
  Tile writeReduce(const Statement &statement);
  Tile writeDot(const Statement &statement);
  void writeStore(const Statement &statement, mlir::Value target);
  void writeLoop(const NestLoop &loop);
  mlir::Value writeBound(const NestBound &bound);
  /// One of `count` parts of a range.
  struct Part {
    mlir::Value number;
    int64_t count;
  };
  std::optional<Part> partOf(const NestLoop &loop, const IndexVar &var);
  bool hasOneRound(const NestLoop &loop, const IndexVar &var) const;
  std::pair<mlir::Value, mlir::Value> writeRange(const NestLoop &loop,
                                                 const IndexVar &var);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const KernelNest &kernel;
  const Nest &nest;
  TileSizes sizes;
  const Memory &memory;
  llvm::function_ref<mlir::Value(Size)> symbolOf;
  llvm::DenseMap<TileId, Tile> tiles;
  /// What a block has of each part, and what it has got of all blocks'.
  llvm::MapVector<unsigned, Tile> ownParts;
  Parts parts;
  /// Where the windows of the variables begin; inner ones hide outer ones.
  llvm::SmallVector<std::pair<IndexVar, mlir::Value>> bases;
  int64_t farthest = 0;
};

} // namespace fuse

#endif // FUSE_LIB_CONVERSION_FUSETOTILE_NESTWRITER_H
