//===- Patterns.h - the patterns of the reference lowering ------*- C++ -*-===//
//
// Which file holds which ops, and what the files share: building one loop nest
// over a fresh tensor.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_FUSETOLINALG_PATTERNS_H
#define FUSE_LIB_CONVERSION_FUSETOLINALG_PATTERNS_H

#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuse {

/// matmul and reduce.
void populateContractionPatterns(mlir::RewritePatternSet &patterns);
/// Everything that moves elements without computing, and constants.
void populateMovePatterns(mlir::RewritePatternSet &patterns);

/// Every pointwise op of arith and math on tensors.
void populatePointwisePatterns(mlir::RewritePatternSet &patterns);

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

/// The sizes of `tensor`.
Sizes sizesOf(mlir::OpBuilder &builder, mlir::Value tensor);

/// The sizes of a result of `type` whose dynamic ones are `dynamic`, in order.
Sizes mixSizes(mlir::OpBuilder &builder, mlir::RankedTensorType type,
               mlir::ValueRange dynamic);

/// A tensor of the given sizes in which every element is `value`.
mlir::Value createFilled(mlir::OpBuilder &builder, mlir::Location loc,
                         llvm::ArrayRef<mlir::OpFoldResult> sizes,
                         mlir::TypedAttr value);

/// One loop over every element of a fresh tensor of the given sizes. `inputs`
/// are read through `maps`; `body` makes the element from theirs.
mlir::Value
createMap(mlir::OpBuilder &builder, mlir::Location loc,
          llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type elementType,
          mlir::ValueRange inputs, llvm::ArrayRef<mlir::AffineMap> maps,
          llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                         mlir::ValueRange)>
              body);

} // namespace fuse

#endif // FUSE_LIB_CONVERSION_FUSETOLINALG_PATTERNS_H
