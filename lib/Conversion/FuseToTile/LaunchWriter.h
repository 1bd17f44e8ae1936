//===- LaunchWriter.h - one launch of a kernel ------------------*- C++ -*-===//
//
// A nest of a kernel becomes a `tile.kernel`, and a `tile.launch` of it in
// front of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_FUSETOTILE_LAUNCHWRITER_H
#define FUSE_LIB_CONVERSION_FUSETOTILE_LAUNCHWRITER_H

#include "KernelSizes.h"
#include "NestWriter.h"

namespace fuse {

/// What a nest reads and writes: tensors, results by their numbers, and parts
/// that one launch leaves for another.
struct LaunchUses {
  llvm::SetVector<mlir::Value> loads;
  llvm::SetVector<unsigned> roots, storedParts, loadedParts;

  /// Of one launch of a kernel. What blocks merge in their cluster is nowhere
  /// in memory.
  LaunchUses(const KernelNest &kernel, const Nest &nest);

private:
  void collect(const std::vector<Statement> &statements);
};

class LaunchWriter {
public:
  /// `roots` are what the kernel yields, and `parts` what launches before this
  /// one have left.
  LaunchWriter(KernelOp op, const KernelNest &kernel, const Nest &nest,
               llvm::ArrayRef<mlir::Value> roots,
               llvm::ArrayRef<mlir::Value> parts, const SizeAnalysis &sizes,
               mlir::OpBuilder &host)
      : op(op), kernel(kernel), nest(nest), roots(roots), parts(parts),
        sizes(sizes), kernelSizes(op, sizes, host), host(host),
        uses(kernel, nest) {}

  /// Its results are the roots that the nest writes, and then its parts.
  llvm::FailureOr<tile::LaunchOp> write(llvm::StringRef name,
                                        mlir::SymbolTable &symbols);

  const LaunchUses &getUses() const { return uses; }

private:
  /// A tensor that the launch reads or writes, and its sizes.
  struct Tensor {
    mlir::Type elementType;
    llvm::SmallVector<Size> sizes;

    llvm::SmallVector<int64_t> shape() const;
    mlir::MemRefType memory() const {
      return mlir::MemRefType::get(shape(), elementType);
    }
    mlir::RankedTensorType type() const {
      return mlir::RankedTensorType::get(shape(), elementType);
    }
  };
  class BodySizes;

  Tensor describe(mlir::Value tensor) const {
    return {mlir::getElementTypeOrSelf(tensor.getType()),
            sizes.sizesOf(tensor)};
  }
  Tensor describePart(unsigned number) const {
    return {kernel.parts[number].type, kernel.parts[number].shape};
  }
  mlir::Value hostValueOf(mlir::Value leaf);
  mlir::Value castTo(const Tensor &tensor, mlir::Value input);
  void findTensors();
  llvm::LogicalResult findResults();
  llvm::LogicalResult findGrid();
  void createKernel(llvm::StringRef name, mlir::SymbolTable &symbols);
  void noteGrid();
  void noteOps();
  void noteSchedule(const Schedule &schedule);
  tile::OrderAttr orderOf(const Schedule &schedule);
  NestWriter::Memory memoryOfKernel();
  mlir::Value addSize(Size size, mlir::OpBuilder &builder);
  void writeNest(mlir::OpBuilder &builder, BodySizes &bodySizes);
  void promiseSizes();

  KernelOp op;
  const KernelNest &kernel;
  const Nest &nest;
  llvm::ArrayRef<mlir::Value> roots, parts;
  const SizeAnalysis &sizes;
  KernelSizes kernelSizes;
  mlir::OpBuilder &host;
  LaunchUses uses;
  /// What the launch reads, which has a value, and then what it writes.
  llvm::SmallVector<Tensor> tensors;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::SmallVector<mlir::Value> resultSizes, grid;
  tile::KernelOp tileKernel;
};

} // namespace fuse

#endif // FUSE_LIB_CONVERSION_FUSETOTILE_LAUNCHWRITER_H
