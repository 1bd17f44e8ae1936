//===- TileDialect.cpp - the dialect and what is a tile -------------------===//
//
// Registration, and the two predicates that say which tensors and which
// memrefs kernels work on.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse::tile;

#include "fuse/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "fuse/Dialect/Tile/IR/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fuse/Dialect/Tile/IR/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "fuse/Dialect/Tile/IR/TileTypes.cpp.inc"

bool fuse::tile::hasTileShape(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Attribute encoding = tensor.getEncoding();
  return tensor.hasStaticShape() && !llvm::is_contained(tensor.getShape(), 0) &&
         (!encoding || isa<LayoutAttr, SharedLayoutAttr>(encoding));
}

bool fuse::tile::isPlainMemory(Type type) {
  auto memory = cast<MemRefType>(type);
  return memory.getLayout().isIdentity() && !memory.getMemorySpace();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fuse/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "fuse/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuse/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}
