//===- Demand.h - what a tensor holds at one index --------------*- C++ -*-===//
//
// Algorithm A at the level of elements: demand(value, index) follows the graph
// backwards from one element and gives its expression in terms of the tensors
// at which it stops. Ops that move elements rewrite the index, pointwise ops
// demand the same index of their operands, and reductions demand their operand
// at an index with variables of their own.
//
// Nothing here knows what a graph computes. A split gate becomes two dots that
// share an operand, a chain of matmuls nests dots, and a mask is a select,
// because of what the ops say one by one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_DEMAND_H
#define FUSE_ANALYSIS_DEMAND_H

#include "fuse/Analysis/Element.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::tensor {
class FromElementsOp;
} // namespace mlir::tensor

namespace fuse {

class Demand {
public:
  /// `leaves` are tensors to stop at although an op makes them: what other
  /// kernels store.
  Demand(const SizeAnalysis &sizes, ElementContext &context,
         llvm::DenseSet<mlir::Value> leaves = {})
      : sizes(sizes), context(context), leaves(std::move(leaves)) {}

  /// The element of `value` at `index`; null, with `failedOp` set, where an op
  /// is none that makes elements one by one.
  const Element *at(mlir::Value value, llvm::ArrayRef<Index> index);

  /// The index of any element of `value`: variables of the output, several for
  /// a dimension that collapsed others into one.
  llvm::SmallVector<Index> outputIndex(mlir::Value value);

  /// The sizes of the variables that a dimension is best run over by: several
  /// where others were collapsed into it.
  using Factors = llvm::SmallVector<Size, 1>;
  Factors factorsOf(mlir::Value value, int64_t dim);

  /// The op at which the last demand failed.
  mlir::Operation *failedOp() const { return failed; }
  /// Whether it failed because so many different elements are needed, as where
  /// each op reads what the one before makes at two places.
  bool needsTooMany() const { return memo.size() >= kMostElements; }
  /// Of what is demanded at other indices there may be as much again. Whether
  /// that is too many must not depend on what was demanded before, or a kernel
  /// would be planned that is none where it is written.
  void forget();

private:
  /// Ten times as many as a whole block of a language model needs.
  static constexpr size_t kMostElements = 4096;

  const Element *compute(mlir::Value value, llvm::ArrayRef<Index> index);
  const Element *computePointwise(mlir::Operation *op,
                                  llvm::ArrayRef<Index> index);
  const Element *computeIota(IotaOp op, llvm::ArrayRef<Index> index);
  const Element *computeNumber(mlir::tensor::FromElementsOp op);
  const Element *computeMatmul(MatmulOp op, llvm::ArrayRef<Index> index);
  const Element *computeReduce(ReduceOp op, llvm::ArrayRef<Index> index);
  const Element *reduce(CombineKind kind, llvm::ArrayRef<IndexVar> vars,
                        const Element *body);
  const Element *computeConcat(ConcatOp op, llvm::ArrayRef<Index> index);
  const Element *computeCollapse(CollapseOp op, llvm::ArrayRef<Index> index);
  const Element *computeExpand(ExpandOp op, llvm::ArrayRef<Index> index);
  const Element *computeGather(GatherOp op, llvm::ArrayRef<Index> index);
  const Element *ofSize(mlir::Value number);
  const Element *computeSlice(SliceOp op, llvm::ArrayRef<Index> index);

  /// No element, because of `op`.
  const Element *fail(mlir::Operation *op);
  bool isLeaf(mlir::Value value) const;
  Factors computeFactors(mlir::Value value, int64_t dim);
  /// Fresh variables of the given sizes, and the index that they make.
  Index bindVars(llvm::ArrayRef<Size> factors, VarSet &used, VarSet &bound);

  /// Index arithmetic, affine as long as it can be.
  const Element *asElement(const Index &index);
  const Element *asElement(Size size);
  const Element *integer(int64_t value);
  const Element *isBelow(const Element *value, const Element *bound);
  Index add(const Index &a, const Index &b);
  Index subtract(const Index &a, const Index &b);
  Index multiply(const Index &a, int64_t factor);

  const SizeAnalysis &sizes;
  ElementContext &context;
  llvm::DenseSet<mlir::Value> leaves;
  std::vector<
      std::tuple<mlir::Value, llvm::SmallVector<Index>, const Element *>>
      memo;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<size_t>> memoOf;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Factors> factorsMemo;
  mlir::Operation *failed = nullptr;
};

} // namespace fuse

#endif // FUSE_ANALYSIS_DEMAND_H
