//===- Sizes.h - which sizes of a graph are the same ------------*- C++ -*-===//
//
// A dynamic dimension is `?` in a type, and two of them may or may not have one
// size. This analysis gives every dimension of every tensor a size that can be
// compared: a number, or a symbol.
//
// Sizes are unified where an op needs them to be equal; whoever runs the graph
// checks that they are. Nothing is said about dimensions: that two of them have
// one size does not mean that they are one dimension. In self-attention queries
// and keys come from one dimension of one tensor and are still two.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_SIZES_H
#define FUSE_ANALYSIS_SIZES_H

#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::tensor {
class DimOp;
} // namespace mlir::tensor

namespace fuse {

/// A number or a symbol. Two sizes are equal at run time if they are equal
/// here; two symbols may be equal without being so here.
class Size {
public:
  static Size number(int64_t value) { return Size(false, value); }
  static Size symbol(int64_t id) { return Size(true, id); }

  bool isNumber() const { return !isSymbol; }
  int64_t getNumber() const { return value; }
  int64_t getSymbol() const { return value; }

  friend bool operator==(Size a, Size b) {
    return a.isSymbol == b.isSymbol && a.value == b.value;
  }
  friend bool operator!=(Size a, Size b) { return !(a == b); }
  friend bool operator<(Size a, Size b) {
    return std::pair(a.isSymbol, a.value) < std::pair(b.isSymbol, b.value);
  }
  friend llvm::hash_code hash_value(Size size) {
    return llvm::hash_combine(size.isSymbol, size.value);
  }

private:
  Size(bool isSymbol, int64_t value) : isSymbol(isSymbol), value(value) {}

  bool isSymbol;
  int64_t value;
};

/// Prints `128`, or `s3` for a symbol.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Size size);

/// The dimension that is asked for, if it is a constant, of a ranked tensor,
/// and one that there is.
std::optional<int64_t> askedDimOf(mlir::tensor::DimOp op);

/// What a function's argument is likely to be like, where its sizes are not
/// known: an array of them.
inline constexpr llvm::StringLiteral sizeHintsName = "fuse.size_hints";

/// The sizes of a graph: a walk over its ops unifies what each needs to be
/// equal.
class SizeAnalysis {
public:
  explicit SizeAnalysis(mlir::func::FuncOp function);
  /// Of a kernel on its own: its symbols do not depend on what is around it,
  /// and so a schedule may name them.
  explicit SizeAnalysis(KernelOp kernel);

  Size sizeOf(mlir::Value tensor, int64_t dim) const;
  llvm::SmallVector<Size> sizesOf(mlir::Value tensor) const;

  /// What an index is as the size of something; none if it is of nothing.
  std::optional<Size> valueOf(mlir::Value number) const;

  /// The number, or what a symbol is likely to be, if anybody said so.
  std::optional<int64_t> likely(Size size) const;

private:
  /// Dimensions, and index values (dimension -1), that have a size.
  using Place = std::pair<mlir::Value, int64_t>;

  void visitGraph(mlir::Operation *graph);
  void visitArguments(mlir::Block &body);
  void visit(mlir::Operation *op);
  void unifySizes(MatmulOp op);
  void unifySizes(ReduceOp op);
  void unifySizes(BroadcastOp op);
  void unifySizes(TransposeOp op);
  void unifySizes(SliceOp op);
  void unifySizes(ExpandOp op);
  void unifySizes(CollapseOp op);
  void unifySizes(ConcatOp op);
  void unifySizes(IotaOp op);
  void unifySizes(GatherOp op);
  void unifySizes(KernelOp op);
  void unifySizes(mlir::tensor::DimOp op);
  void unify(Place a, Place b);
  void unifyShapes(mlir::Value a, mlir::Value b);
  /// Those among `values` that are tensors have one shape.
  void unifyTensors(mlir::ValueRange values);
  int64_t idOf(Place place);
  Size sizeOfId(int64_t id) const;

  llvm::DenseMap<Place, int64_t> ids;
  llvm::EquivalenceClasses<int64_t> classes;
  /// Of a class, by its leader: the number, where one is known, or likely.
  llvm::DenseMap<int64_t, int64_t> numbers, hints;
};

} // namespace fuse

#endif // FUSE_ANALYSIS_SIZES_H
