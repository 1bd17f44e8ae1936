//===- TileOps.cpp - from tile to tile ------------------------------------===//
//
// Builders, syntax and verifiers of the ops that do not touch memory. All
// definitions that are generated from the op definitions are in this file, too.
//
//===----------------------------------------------------------------------===//

#include "AxisLists.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace fuse::tile;

LogicalResult fuse::tile::verifyIncreasing(Operation *op, StringRef list,
                                           ArrayRef<int64_t> numbers,
                                           int64_t rank) {
  int64_t last = -1;
  for (int64_t number : numbers) {
    if (number < 0 || number >= rank)
      return op->emitOpError("has ")
             << number << " in '" << list << "', but the rank is " << rank;
    if (number <= last)
      return op->emitOpError("has ") << number << " behind " << last << " in '"
                                     << list << "', which must increase";
    last = number;
  }
  return success();
}

LogicalResult fuse::tile::verifyLimits(Operation *op, ValueRange limits,
                                       ArrayRef<int64_t> axes, int64_t rank,
                                       ValueRange starts) {
  if (limits.size() != axes.size())
    return op->emitOpError("has ")
           << limits.size() << " limits, but " << axes.size() << " axes";
  if (!starts.empty() && starts.size() != axes.size())
    return op->emitOpError("has ")
           << starts.size() << " starts, but " << axes.size() << " axes";
  return verifyIncreasing(op, "axes", axes, rank);
}

SmallVector<unsigned> fuse::tile::toUnsigned(ArrayRef<int64_t> axes) {
  return SmallVector<unsigned>(axes.begin(), axes.end());
}

//===----------------------------------------------------------------------===//
// DotOp
//===----------------------------------------------------------------------===//

/// A float accumulator holds every operand, an integer one wraps.
static bool canAccumulate(Type element, Type acc) {
  if (isa<FloatType>(element))
    return isa<FloatType>(acc) &&
           acc.getIntOrFloatBitWidth() >= element.getIntOrFloatBitWidth();
  return !isa<FloatType>(acc);
}

LogicalResult fuse::tile::verifyProduct(Operation *op, RankedTensorType lhs,
                                        RankedTensorType rhs,
                                        RankedTensorType acc, int64_t batch,
                                        int64_t contract) {
  if (lhs.getElementType() != rhs.getElementType())
    return op->emitOpError("multiplies ")
           << lhs.getElementType() << " with " << rhs.getElementType()
           << ", but both operands need one element type";
  if (!canAccumulate(lhs.getElementType(), acc.getElementType()))
    return op->emitOpError("cannot add products of ")
           << lhs.getElementType() << " to " << acc.getElementType();
  int64_t rows = lhs.getRank() - batch - contract;
  int64_t columns = rhs.getRank() - batch - contract;
  if (rows < 0 || columns < 0)
    return op->emitOpError("has ") << batch << " batch and " << contract
                                   << " contracted axes, but operands of rank "
                                   << lhs.getRank() << " and " << rhs.getRank();
  auto differ = [&](StringRef which, ArrayRef<int64_t> a, StringRef of,
                    ArrayRef<int64_t> b, StringRef other) -> LogicalResult {
    if (a == b)
      return success();
    InFlightDiagnostic diagnostic = op->emitOpError("has ")
                                    << which << " axes [";
    llvm::interleaveComma(a, diagnostic);
    diagnostic << "] in " << of << ", but [";
    llvm::interleaveComma(b, diagnostic);
    return diagnostic << "] in " << other;
  };
  ArrayRef<int64_t> l = lhs.getShape(), r = rhs.getShape(), c = acc.getShape();
  if (acc.getRank() != batch + rows + columns)
    return op->emitOpError("has an accumulator of rank ")
           << acc.getRank() << ", but " << batch << " batch, " << rows
           << " row and " << columns << " column axes";
  if (failed(differ("batch", l.take_front(batch), "the left operand",
                    r.take_front(batch), "the right one")) ||
      failed(differ("contracted", l.take_back(contract), "the left operand",
                    r.slice(batch, contract), "the right one")) ||
      failed(differ("batch", l.take_front(batch), "the operands",
                    c.take_front(batch), "the accumulator")) ||
      failed(differ("row", l.slice(batch, rows), "the left operand",
                    c.slice(batch, rows), "the accumulator")))
    return failure();
  return differ("column", r.take_back(columns), "the right operand",
                c.take_back(columns), "the accumulator");
}

LogicalResult DotOp::verify() {
  return verifyProduct(*this, getLhs().getType(), getRhs().getType(),
                       getAcc().getType(), getBatch(), getContract());
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> keptSizes(RankedTensorType source,
                                      ArrayRef<int64_t> dims) {
  SmallVector<int64_t> sizes;
  for (auto [axis, size] : llvm::enumerate(source.getShape()))
    if (!llvm::is_contained(dims, static_cast<int64_t>(axis)))
      sizes.push_back(size);
  return sizes;
}

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     CombineKind kind, Value source, ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(source.getType());
  build(builder, state,
        RankedTensorType::get(keptSizes(type, dims), type.getElementType()),
        kind, source, dims);
}

LogicalResult ReduceOp::verify() {
  RankedTensorType source = getSource().getType();
  if (failed(verifyIncreasing(*this, "dims", getDims(), source.getRank())))
    return failure();
  auto wanted = RankedTensorType::get(keptSizes(source, getDims()),
                                      source.getElementType());
  if (LayoutAttr layout = layoutOf(source)) {
    auto reduction = layout.getValue().reduction(toUnsigned(getDims()));
    if (!reduction)
      return emitOpError("has a source whose threads hold several elements of "
                         "what is left, which needs another layout first");
    wanted = place(wanted, LayoutAttr::get(getContext(), reduction->layout));
  }
  if (getResult().getType() != wanted)
    return emitOpError("has a result of type ")
           << getResult().getType() << ", but what is left is " << wanted;
  return success();
}

//===----------------------------------------------------------------------===//
// CollectOp
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> shareSizes(RankedTensorType source, int64_t axis,
                                       int64_t blocks) {
  SmallVector<int64_t> sizes(source.getShape());
  sizes[axis] /= blocks;
  return sizes;
}

void CollectOp::build(OpBuilder &builder, OperationState &state,
                      ValueRange sources, ArrayRef<int64_t> axes,
                      int64_t blocks) {
  SmallVector<Type> types;
  for (auto [source, axis] : llvm::zip_equal(sources, axes)) {
    auto type = cast<RankedTensorType>(source.getType());
    types.append(blocks, RankedTensorType::get(shareSizes(type, axis, blocks),
                                               type.getElementType()));
  }
  build(builder, state, types, sources, axes, blocks);
}

LogicalResult CollectOp::verify() {
  // More blocks form a cluster on some chips only.
  if (!llvm::is_contained({2, 4, 8}, getBlocks()))
    return emitOpError("collects from ")
           << getBlocks() << " blocks, but needs 2, 4 or 8";
  if (getAxes().size() != getSources().size())
    return emitOpError("has ") << getAxes().size() << " axes for "
                               << getSources().size() << " sources";
  if (getShares().size() != getSources().size() * getBlocks())
    return emitOpError("has ")
           << getShares().size() << " results, but needs one of each of "
           << getBlocks() << " blocks for each of " << getSources().size()
           << " sources";
  for (auto [number, source] : llvm::enumerate(getSources())) {
    auto type = cast<RankedTensorType>(source.getType());
    int64_t axis = getAxes()[number];
    if (axis < 0 || axis >= type.getRank())
      return emitOpError("cuts axis ")
             << axis << " of a source of rank " << type.getRank();
    if (type.getDimSize(axis) % getBlocks() != 0)
      return emitOpError("cuts an axis of ")
             << type.getDimSize(axis) << " elements into " << getBlocks()
             << " shares";
    SmallVector<int64_t> wanted = shareSizes(type, axis, getBlocks());
    for (Value share : sharesOf(number)) {
      auto own = cast<RankedTensorType>(share.getType());
      if (own.getShape() != ArrayRef(wanted) ||
          own.getElementType() != type.getElementType() ||
          own != (*sharesOf(number).begin()).getType())
        return emitOpError("has a result of type ")
               << own << ", but a share is "
               << RankedTensorType::get(wanted, type.getElementType());
    }
  }
  Operation *parent = (*this)->getParentOp();
  auto role = dyn_cast<RoleOp>(parent);
  if (!isa<KernelOp>(parent) && !(role && role.getKind() == RoleKind::Math))
    return emitOpError("is where not all blocks come once: it stands in a "
                       "kernel, or in the role that computes");
  return success();
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

SmallVector<unsigned> BroadcastOp::getNewAxes() {
  SmallVector<unsigned> axes;
  for (unsigned axis = 0, rank = getResult().getType().getRank(); axis < rank;
       ++axis)
    if (!llvm::is_contained(getDims(), axis))
      axes.push_back(axis);
  return axes;
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = getSource().getType(),
                   result = getResult().getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("makes ")
           << result.getElementType() << " of " << source.getElementType();
  if (static_cast<int64_t>(getDims().size()) != source.getRank())
    return emitOpError("has ") << getDims().size() << " dims for a source of "
                               << "rank " << source.getRank();
  if (failed(verifyIncreasing(*this, "dims", getDims(), result.getRank())))
    return failure();
  for (auto [axis, dim] : llvm::enumerate(getDims()))
    if (source.getDimSize(axis) != result.getDimSize(dim))
      return emitOpError("axis ")
             << axis << " of the source has size " << source.getDimSize(axis)
             << ", but axis " << dim << " of the result has size "
             << result.getDimSize(dim);
  Attribute wanted;
  if (LayoutAttr layout = layoutOf(result))
    wanted = LayoutAttr::get(getContext(),
                             layout.getValue().slice(getNewAxes()).layout);
  if (source.getEncoding() != wanted)
    return emitOpError("has a source of type ")
           << source << ", but the result's layout needs "
           << place(source, wanted);
  return success();
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

void TransposeOp::build(OpBuilder &builder, OperationState &state, Value source,
                        ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> sizes;
  for (int64_t axis : permutation)
    sizes.push_back(type.getDimSize(axis));
  build(builder, state, RankedTensorType::get(sizes, type.getElementType()),
        source, permutation);
}

LogicalResult TransposeOp::verify() {
  RankedTensorType source = getSource().getType(),
                   result = getResult().getType();
  SmallVector<int64_t> sorted(getPermutation());
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, source.getRank()))) {
    InFlightDiagnostic diagnostic = emitOpError("has permutation [");
    llvm::interleaveComma(getPermutation(), diagnostic);
    return diagnostic << "], but needs each axis of the source of rank "
                      << source.getRank() << " once";
  }
  SmallVector<int64_t> sizes;
  for (int64_t axis : getPermutation())
    sizes.push_back(source.getDimSize(axis));
  auto wanted = RankedTensorType::get(sizes, source.getElementType());
  if (LayoutAttr layout = layoutOf(source))
    wanted = place(
        wanted,
        LayoutAttr::get(
            getContext(),
            layout.getValue().transpose(toUnsigned(getPermutation())).layout));
  if (result != wanted)
    return emitOpError("has a result of type ")
           << result << ", but the permuted source is " << wanted;
  return success();
}

//===----------------------------------------------------------------------===//
// IotaOp
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  int64_t rank = getResult().getType().getRank();
  if (static_cast<int64_t>(getCoefficients().size()) != rank)
    return emitOpError("has ") << getCoefficients().size()
                               << " coefficients for a tile of rank " << rank;
  return success();
}

//===----------------------------------------------------------------------===//
// LeastOp and MostOp
//===----------------------------------------------------------------------===//

/// Elements as narrow as they are may wrap, and then they are not in order.
static LogicalResult verifyBound(Operation *op, Value source) {
  if (source.getDefiningOp<IotaOp>())
    return success();
  return op->emitOpError("needs what 'tile.iota' counts, which is in order");
}

LogicalResult LeastOp::verify() { return verifyBound(*this, getSource()); }
LogicalResult MostOp::verify() { return verifyBound(*this, getSource()); }

//===----------------------------------------------------------------------===//
// MaskOp
//===----------------------------------------------------------------------===//

static ParseResult parseElement(OpAsmParser &parser, TypedAttr &number,
                                Type tile) {
  auto type = dyn_cast<RankedTensorType>(tile);
  if (!type)
    return parser.emitError(parser.getNameLoc(), "needs a tile to mask");
  return parser.parseAttribute(number, type.getElementType());
}

static void printElement(OpAsmPrinter &printer, Operation *, TypedAttr number,
                         Type) {
  printer.printAttributeWithoutType(number);
}

LogicalResult MaskOp::verify() {
  Type element = getSource().getType().getElementType();
  if (getOtherwise().getType() != element ||
      !isa<FloatAttr, IntegerAttr>(getOtherwise()))
    return emitOpError("has the number ")
           << getOtherwise() << " for a tile of " << element;
  if (getAxes().empty())
    return emitOpError("has no limits, which makes it the identity");
  return verifyLimits(*this, getLimits(), getAxes(),
                      getSource().getType().getRank(), getStarts());
}

#define GET_OP_CLASSES
#include "fuse/Dialect/Tile/IR/TileOps.cpp.inc"
