//===- Tile.h - the dialect of kernels --------------------------*- C++ -*-===//
//
// The dialect, its attributes and its ops. Include this and nothing below it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_IR_TILE_H
#define FUSE_DIALECT_TILE_IR_TILE_H

#include "fuse/Layout/SharedLayout.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuse::tile {

/// Whether a tensor has static sizes above 0, and no encoding but a layout.
bool hasTileShape(mlir::Type type);
/// Whether a memref is row-major, or has strides from its start on, and is in
/// the default memory space.
bool isPlainMemory(mlir::Type type);
/// The strides of a memref that is not row-major, in elements.
std::optional<llvm::ArrayRef<int64_t>> stridesOf(mlir::MemRefType type);

/// Whether rows of known length have gaps between them that belong to the
/// memory: what is there may be read, and written, and is nothing.
bool hasGapsOfItsOwn(mlir::MemRefType type);
/// How many elements such rows have together with the gaps.
int64_t rowsOfItsOwn(mlir::MemRefType type);

} // namespace fuse::tile

#include "fuse/Dialect/Tile/IR/TileDialect.h.inc"
#include "fuse/Dialect/Tile/IR/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fuse/Dialect/Tile/IR/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fuse/Dialect/Tile/IR/TileTypes.h.inc"

#define GET_OP_CLASSES
#include "fuse/Dialect/Tile/IR/TileOps.h.inc"

namespace fuse::tile {

/// Where the elements of a placed tile are; null if it is not placed, or lies
/// in shared memory.
LayoutAttr layoutOf(mlir::Type type);
/// Axes as layouts count them.
llvm::SmallVector<unsigned> toUnsigned(llvm::ArrayRef<int64_t> axes);
SharedLayoutAttr sharedLayoutOf(mlir::Type type);
/// The same tile in another place.
mlir::RankedTensorType place(mlir::Type type, mlir::Attribute layout);

} // namespace fuse::tile

#endif // FUSE_DIALECT_TILE_IR_TILE_H
