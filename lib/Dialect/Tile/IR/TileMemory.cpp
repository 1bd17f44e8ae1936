//===- TileMemory.cpp - between memory and tiles --------------------------===//
//
// Builders, syntax and verifiers of loads, gathers and stores. What all three
// have in common is where in memory an element is, and which elements count.
//
//===----------------------------------------------------------------------===//

#include "AxisLists.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// An identity is never written, so that equal loads look equal.
static AffineMapAttr writtenMap(AffineMap map) {
  bool isPlain = !map || (map.isIdentity() && map.getNumSymbols() == 0);
  return isPlain ? AffineMapAttr() : AffineMapAttr::get(map);
}

ParseResult fuse::tile::parseAxisMap(OpAsmParser &parser,
                                     AffineMapAttr &attribute) {
  AffineMap map;
  if (parser.parseAffineMap(map))
    return failure();
  attribute = writtenMap(map);
  return success();
}

void fuse::tile::printAxisMap(OpAsmPrinter &printer, Operation *,
                              AffineMapAttr attribute) {
  printer << attribute.getValue();
}

AffineMap fuse::tile::axisMap(std::optional<AffineMap> written,
                              RankedTensorType tile) {
  if (written)
    return *written;
  return AffineMap::getMultiDimIdentityMap(tile.getRank(), tile.getContext());
}

AffineMap LoadOp::getAxisMap() {
  return axisMap(getMap(), getResult().getType());
}
AffineMap GatherOp::getAxisMap() {
  return axisMap(getMap(), getResult().getType());
}
AffineMap StoreOp::getAxisMap() {
  return axisMap(getMap(), getSource().getType());
}

/// A sum of axes times numbers, or 0.
static bool isLinear(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() == 0;
  bool isPlain = true;
  auto check = [&](AffineExpr part, auto &&check) -> void {
    switch (part.getKind()) {
    case AffineExprKind::DimId:
      return;
    case AffineExprKind::Add: {
      auto sum = cast<AffineBinaryOpExpr>(part);
      check(sum.getLHS(), check);
      check(sum.getRHS(), check);
      return;
    }
    case AffineExprKind::Mul: {
      auto product = cast<AffineBinaryOpExpr>(part);
      isPlain &= isa<AffineConstantExpr>(product.getRHS()) &&
                 isa<AffineDimExpr>(product.getLHS());
      return;
    }
    default:
      isPlain = false;
    }
  };
  check(expr, check);
  return isPlain;
}

LogicalResult fuse::tile::verifyAccess(Operation *op, Value memory,
                                       ValueRange indices,
                                       std::optional<AffineMap> written,
                                       RankedTensorType tile) {
  auto type = cast<MemRefType>(memory.getType());
  if (type.getElementType() != tile.getElementType())
    return op->emitOpError("has a tile of ")
           << tile.getElementType() << ", but the memory holds "
           << type.getElementType();
  int64_t rank = type.getRank();
  if (static_cast<int64_t>(indices.size()) != rank)
    return op->emitOpError("has ") << indices.size() << " indices, but "
                                   << "the memory has rank " << rank;
  if (!isa<BlockArgument>(memory) ||
      !isa<KernelOp>(memory.getParentBlock()->getParentOp()))
    return op->emitOpError("needs an argument of the kernel as its memory");
  if (!written) {
    if (tile.getRank() != rank)
      return op->emitOpError("has a tile of rank ")
             << tile.getRank() << " for memory of rank " << rank
             << ", which needs a map";
    return success();
  }
  if (written->getNumSymbols() != 0)
    return op->emitOpError("has a map with symbols, but only axes may occur");
  if (written->isIdentity())
    return op->emitOpError("has the identity as its map, which must be left "
                           "out");
  if (written->getNumDims() != tile.getRank() ||
      written->getNumResults() != rank)
    return op->emitOpError("has a map from ")
           << written->getNumDims() << " axes to " << written->getNumResults()
           << " dimensions, but the tile has rank " << tile.getRank()
           << " and the memory rank " << rank;
  for (AffineExpr expr : written->getResults())
    if (!isLinear(expr))
      return op->emitOpError("has the map ")
             << AffineMapAttr::get(*written)
             << ", but only sums of axes times numbers are allowed";
  return success();
}

LogicalResult fuse::tile::verifyInput(Operation *op, Value memory) {
  auto kernel = cast<KernelOp>(memory.getParentBlock()->getParentOp());
  if (kernel.isOutput(memory))
    return op->emitOpError("reads an output of the kernel, but outputs are "
                           "only written");
  return success();
}

LogicalResult fuse::tile::verifyUnused(Operation *op,
                                       std::optional<ArrayRef<int64_t>> unused,
                                       ArrayRef<int64_t> axes) {
  for (int64_t axis : unused.value_or(ArrayRef<int64_t>()))
    if (!llvm::is_contained(axes, axis))
      return op->emitOpError("does not use what is behind the limit of axis ")
             << axis << ", which has none";
  return success();
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

template <typename OpTy>
static void addOperands(OperationState &state, ArrayRef<ValueRange> groups) {
  auto &properties = state.getOrAddProperties<typename OpTy::Properties>();
  for (auto [number, group] : llvm::enumerate(groups)) {
    state.addOperands(group);
    properties.operandSegmentSizes[number] = group.size();
  }
}

template <typename OpTy>
static void addAttributes(OpBuilder &builder, OperationState &state,
                          AffineMap map, ArrayRef<int64_t> axes) {
  auto &properties = state.getOrAddProperties<typename OpTy::Properties>();
  properties.setMap(writtenMap(map));
  properties.setAxes(builder.getDenseI64ArrayAttr(axes));
}

//===----------------------------------------------------------------------===//
// LoadOp
//===----------------------------------------------------------------------===//

void LoadOp::build(OpBuilder &builder, OperationState &state,
                   RankedTensorType type, Value memory, ValueRange indices,
                   AffineMap map, ValueRange limits, ArrayRef<int64_t> axes,
                   bool isGuarded, ValueRange starts, bool isDisjoint,
                   ArrayRef<int64_t> unused) {
  addOperands<LoadOp>(state, {memory, indices, starts, limits});
  addAttributes<LoadOp>(builder, state, map, axes);
  if (isGuarded)
    state.getOrAddProperties<Properties>().setGuarded(builder.getUnitAttr());
  if (isDisjoint)
    state.getOrAddProperties<Properties>().setDisjoint(builder.getUnitAttr());
  if (!unused.empty())
    state.getOrAddProperties<Properties>().setUnused(
        builder.getDenseI64ArrayAttr(unused));
  state.addTypes(type);
}

LogicalResult LoadOp::verify() {
  RankedTensorType tile = getResult().getType();
  if (failed(verifyAccess(*this, getMemory(), getIndices(), getMap(), tile)) ||
      failed(verifyInput(*this, getMemory())) ||
      failed(verifyUnused(*this, getUnused(), getAxes())))
    return failure();
  return verifyLimits(*this, getLimits(), getAxes(), tile.getRank(),
                      getStarts());
}

//===----------------------------------------------------------------------===//
// GatherOp
//===----------------------------------------------------------------------===//

void GatherOp::build(OpBuilder &builder, OperationState &state,
                     RankedTensorType type, Value memory, ValueRange indices,
                     ValueRange positions, ArrayRef<int64_t> dims,
                     AffineMap map, ValueRange limits, ArrayRef<int64_t> axes) {
  addOperands<GatherOp>(state, {memory, indices, positions, limits});
  addAttributes<GatherOp>(builder, state, map, axes);
  state.getOrAddProperties<Properties>().setDims(
      builder.getDenseI64ArrayAttr(dims));
  state.addTypes(type);
}

LogicalResult GatherOp::verify() {
  RankedTensorType tile = getResult().getType();
  if (failed(verifyAccess(*this, getMemory(), getIndices(), getMap(), tile)) ||
      failed(verifyInput(*this, getMemory())))
    return failure();
  if (getPositions().empty())
    return emitOpError("has no positions, which makes it a load");
  if (failed(verifyIncreasing(*this, "dims", getDims(),
                              getMemory().getType().getRank())))
    return failure();
  if (getPositions().size() != getDims().size())
    return emitOpError("has ") << getPositions().size() << " positions, but "
                               << getDims().size() << " dims";
  for (Value position : getPositions()) {
    auto type = cast<RankedTensorType>(position.getType());
    if (type.getShape() != tile.getShape())
      return emitOpError("has positions of type ")
             << type << ", but they need the shape of the result " << tile;
  }
  return verifyLimits(*this, getLimits(), getAxes(), tile.getRank());
}

//===----------------------------------------------------------------------===//
// StoreOp
//===----------------------------------------------------------------------===//

void StoreOp::build(OpBuilder &builder, OperationState &state, Value source,
                    Value memory, ValueRange indices, AffineMap map,
                    ValueRange limits, ArrayRef<int64_t> axes,
                    ValueRange starts) {
  addOperands<StoreOp>(state, {source, memory, indices, starts, limits});
  addAttributes<StoreOp>(builder, state, map, axes);
}

LogicalResult StoreOp::verify() {
  RankedTensorType tile = getSource().getType();
  if (failed(verifyAccess(*this, getMemory(), getIndices(), getMap(), tile)))
    return failure();
  auto kernel = cast<KernelOp>(getMemory().getParentBlock()->getParentOp());
  if (!kernel.isOutput(getMemory()))
    return emitOpError("writes an input of the kernel, but inputs are only "
                       "read");
  AffineMap map = getAxisMap();
  for (auto [axis, size] : llvm::enumerate(tile.getShape()))
    if (size != 1 && !map.isFunctionOfDim(axis))
      return emitOpError("does not use axis ")
             << axis << " of size " << size
             << " in its map, so that several elements go to one place";
  if (getStaged() && !layoutOf(tile))
    return emitOpError("is staged, but a tile of type ")
           << tile << " is in nobody's registers";
  return verifyLimits(*this, getLimits(), getAxes(), tile.getRank(),
                      getStarts());
}
