//===- Shapes.h - arithmetic on sizes that may be unknown -------*- C++ -*-===//
//
// Private to the dialect: what its verifiers and its type inference say about
// sizes, in one place so that all of them say the same.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_DIALECT_FUSE_IR_SHAPES_H
#define FUSE_LIB_DIALECT_FUSE_IR_SHAPES_H

#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

namespace fuse {

/// Two sizes of which at least one may be dynamic can turn out to be equal.
inline bool mayBeEqual(int64_t a, int64_t b) {
  return a == b || mlir::ShapedType::isDynamic(a) ||
         mlir::ShapedType::isDynamic(b);
}

/// The one of two equal sizes that is known, if any is.
inline int64_t knownSize(int64_t a, int64_t b) {
  return mlir::ShapedType::isDynamic(a) ? b : a;
}

/// A size as types spell it.
inline std::string sizeText(int64_t size) {
  return mlir::ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

inline std::optional<int64_t> checkedProduct(llvm::ArrayRef<int64_t> sizes) {
  // A zero makes the product small however large the others are.
  if (llvm::is_contained(sizes, 0))
    return 0;
  std::optional<int64_t> product = 1;
  for (int64_t size : sizes)
    if (product)
      product = llvm::checkedMul(*product, size);
  return product;
}

/// How many of the dimensions `dims` of `type` are dynamic.
inline int64_t countDynamic(mlir::RankedTensorType type,
                            llvm::ArrayRef<int64_t> dims) {
  return llvm::count_if(dims,
                        [&](int64_t dim) { return type.isDynamicDim(dim); });
}

/// `1 size`, `2 sizes`, `? sizes`.
inline std::string countText(int64_t count, llvm::StringRef what) {
  return (llvm::Twine(sizeText(count)) + " " + what + (count == 1 ? "" : "s"))
      .str();
}

/// Checks that `op` has one size per dynamic dimension that needs one.
inline mlir::LogicalResult verifySizes(mlir::Operation *op,
                                       mlir::ValueRange sizes, int64_t needed) {
  if (static_cast<int64_t>(sizes.size()) == needed)
    return mlir::success();
  return op->emitOpError("has ")
         << countText(sizes.size(), "size") << ", but the result has "
         << countText(needed, "dynamic dimension") << " that "
         << (needed == 1 ? "needs one" : "need one");
}

/// The value of a size operand, if it is constant and can be a size.
inline std::optional<int64_t> constantSize(mlir::Value size) {
  llvm::APInt value;
  if (matchPattern(size, mlir::m_ConstantInt(&value)) && !value.isNegative())
    return value.getSExtValue();
  return std::nullopt;
}

/// `sizes` has one operand for each of the dimensions `dims` of `shape` that is
/// dynamic. Writes the constant ones into `shape` and returns the others.
inline llvm::SmallVector<mlir::Value>
takeConstantSizes(llvm::MutableArrayRef<int64_t> shape,
                  llvm::ArrayRef<int64_t> dims, mlir::ValueRange sizes) {
  llvm::SmallVector<mlir::Value> others;
  unsigned next = 0;
  for (int64_t dim : dims) {
    if (!mlir::ShapedType::isDynamic(shape[dim]))
      continue;
    mlir::Value size = sizes[next++];
    if (std::optional<int64_t> known = constantSize(size))
      shape[dim] = *known;
    else
      others.push_back(size);
  }
  return others;
}

/// Takes the constant sizes of an op that has one for each dynamic dimension.
template <typename OpTy> void refineResultOf(OpTy op) {
  mlir::RankedTensorType result = op.getResult().getType();
  llvm::SmallVector<int64_t> shape(result.getShape());
  auto every = llvm::to_vector(llvm::seq<int64_t>(0, result.getRank()));
  op.getSizesMutable().assign(takeConstantSizes(shape, every, op.getSizes()));
  op.getResult().setType(result.clone(shape));
}

/// Whether matrices of element types `lhs` and `rhs` multiply to `result`.
mlir::LogicalResult verifyProductTypes(mlir::Operation *op, mlir::Type lhs,
                                       mlir::Type rhs, mlir::Type result,
                                       Precision precision);

} // namespace fuse

#endif // FUSE_LIB_DIALECT_FUSE_IR_SHAPES_H
