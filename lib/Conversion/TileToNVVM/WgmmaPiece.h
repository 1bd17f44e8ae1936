//===- WgmmaPiece.h - products by four warps, in pieces ---------*- C++ -*-===//
//
// What all products by warpgroups are put together from: how an accumulator is
// laid out, what instructions take of the factors, and pieces of assembly.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETONVVM_WGMMAPIECE_H
#define FUSE_LIB_CONVERSION_TILETONVVM_WGMMAPIECE_H

#include "Spots.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Layout/Atoms.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse::tile {

/// The rows that four warps have of a block.
constexpr int64_t wgmmaBlockRows = 64;

/// How a product is done. Where its columns are the instruction's rows, spots
/// are (column, row).
struct ProductForm : WgmmaForm {
  /// The row of a thread's second half of a block.
  int64_t nextRow() const { return rows == WgmmaRows::InOrder ? 8 : 1; }
  size_t rowAxis(const Spot &spot) const {
    return spot.size() - (isTransposed ? 1 : 2);
  }
  size_t columnAxis(const Spot &spot) const {
    return spot.size() - (isTransposed ? 2 : 1);
  }
  int64_t rowOf(const Spot &spot) const { return spot[rowAxis(spot)]; }
  int64_t columnOf(const Spot &spot) const { return spot[columnAxis(spot)]; }
  Spot moved(Spot spot, int64_t row, int64_t column) const {
    spot[rowAxis(spot)] += row;
    spot[columnAxis(spot)] += column;
    return spot;
  }
  /// Those that an instruction on `columns` adds to, in its order.
  llvm::SmallVector<unsigned> registersOf(const SpotTable &spots, Spot block,
                                          int64_t columns) const;
};

/// A factor in registers.
struct HeldFactor {
  SpotTable spots;
  llvm::SmallVector<mlir::Value> elements;
};

/// A product as one of matrices, whose axes are rows, columns and k alone.
struct MatrixProduct {
  /// Nothing if the sum is not laid out for wgmma. `lhs` and `rhs` are those of
  /// the op, whether or not it is done transposed.
  static std::optional<MatrixProduct> of(mlir::RankedTensorType lhs,
                                         mlir::RankedTensorType sum);

  /// The extents of the factor that gives an instruction its rows, in the order
  /// of its axes in memory.
  llvm::SmallVector<int64_t> leftExtents() const {
    return form.isTransposed ? llvm::SmallVector<int64_t>{depth, rows}
                             : llvm::SmallVector<int64_t>{rows, depth};
  }

  ProductForm form;
  /// Of the sum.
  Layout sum;
  /// What an instruction takes as its rows and columns.
  int64_t rows, columns, depth;
};

/// What an instruction takes of the left factor in registers: four words.
llvm::SmallVector<mlir::Value> leftWords(mlir::ImplicitLocOpBuilder &b,
                                         const HeldFactor &factor,
                                         const ProductForm &form,
                                         unsigned elementBytes, Spot block,
                                         int64_t k);

/// Registers that a piece of assembly has under the same constraint.
void repeatConstraint(std::string &constraints, llvm::StringRef constraint,
                      unsigned count);
/// Those operands that are results, too.
void tieConstraints(std::string &constraints, unsigned count);

/// A factor that a descriptor describes.
struct DescribedFactor {
  WgmmaAccess access;
  mlir::Value descriptor;

  /// What is added to the descriptor for another part of the tile.
  int64_t offset(int64_t row, int64_t k) const {
    return access.startBytes(row, k) >> 4;
  }
};

/// A piece of assembly: instructions on some blocks, between which nothing
/// comes.
class WgmmaPiece {
public:
  /// Each block has `numSums` sums, in the order of the blocks. They take the
  /// registers of `written`, and new ones otherwise. Those that are `isFresh`
  /// start at 0, whatever is written over.
  WgmmaPiece(unsigned numBlocks, unsigned numSums, int64_t columns,
             mlir::Type element, llvm::ArrayRef<mlir::Value> written,
             bool isFresh)
      : numSums(numSums), columns(columns), element(element),
        operands(written.begin(), written.end()), isFresh(numBlocks, isFresh) {
    // Written while factors are still read.
    repeatConstraint(constraints, written.empty() ? "=&f" : "=f", numAll());
    if (!written.empty())
      tieConstraints(constraints, numAll());
  }

  void setLeft(const DescribedFactor &factor) {
    left = &factor;
    firstLeft = add("l", factor.descriptor);
  }
  /// Four words for each of the next steps.
  void setLeft(llvm::ArrayRef<mlir::Value> words) {
    left = nullptr;
    firstLeft = numAll() + operands.size();
    for (mlir::Value word : words)
      add("r", word);
  }
  void setRight(const DescribedFactor &factor) {
    right = &factor;
    rightNumber = add("l", factor.descriptor);
  }

  /// The next instruction of a block, which starts at a row and a column of the
  /// factors.
  void step(unsigned block, int64_t row, int64_t column, int64_t k);
  void commit() { text += "wgmma.commit_group.sync.aligned;\n\t"; }
  llvm::SmallVector<mlir::Value> emit(mlir::ImplicitLocOpBuilder &b);

private:
  unsigned numAll() const { return numSums * isFresh.size(); }
  unsigned add(llvm::StringRef constraint, mlir::Value operand) {
    constraints += "," + constraint.str();
    operands.push_back(operand);
    return numAll() + operands.size() - 1;
  }

  unsigned numSums;
  int64_t columns;
  mlir::Type element;
  llvm::SmallVector<mlir::Value> operands;
  std::string constraints;
  std::string text = "{\n\t.reg .b64 left, right;\n\t"
                     "wgmma.fence.sync.aligned;\n\t";
  const DescribedFactor *left = nullptr, *right = nullptr;
  unsigned firstLeft = 0, rightNumber = 0;
  /// Of each block whether its next instruction starts the sums.
  llvm::SmallVector<bool> isFresh;
};

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETONVVM_WGMMAPIECE_H
