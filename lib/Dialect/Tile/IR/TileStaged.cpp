//===- TileStaged.cpp - rings, products in flight, and roles --------------===//
//
// Types, builders, syntax and verifiers of the staged form. What can be seen at
// one op is checked here; tile-verify-staged checks how ops follow each other.
//
//===----------------------------------------------------------------------===//

#include "AxisLists.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include <numeric>

using namespace mlir;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type RingType::parse(AsmParser &parser) {
  int64_t slots = 0;
  SmallVector<RankedTensorType> parts;
  SmallVector<int64_t> kinds;
  auto parsePart = [&] { return parser.parseType(parts.emplace_back()); };
  if (parser.parseLess() || parser.parseInteger(slots) ||
      parser.parseKeyword("x"))
    return {};
  do {
    size_t before = parts.size();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parsePart))
      return {};
    kinds.push_back(parts.size() - before);
  } while (succeeded(parser.parseOptionalKeyword("or")));
  if (parser.parseGreater())
    return {};
  return parser.getChecked<RingType>(parser.getContext(), slots,
                                     ArrayRef(parts), ArrayRef(kinds));
}

void RingType::print(AsmPrinter &printer) const {
  printer << '<' << getSlots() << " x ";
  llvm::interleave(
      llvm::seq(numKinds()), printer,
      [&](int64_t kind) {
        printer << '(';
        llvm::interleaveComma(partsOf(kind), printer);
        printer << ')';
      },
      " or ");
  printer << '>';
}

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t slots, ArrayRef<RankedTensorType> parts,
                               ArrayRef<int64_t> kinds) {
  if (slots < 1)
    return emitError() << "a ring has " << slots << " slots, but needs one";
  size_t numParts = 0;
  for (int64_t kind : kinds) {
    if (kind < 1)
      return emitError() << "a ring has no parts, but needs one";
    numParts += kind;
  }
  if (numParts == 0 || numParts != parts.size())
    return emitError() << "a ring has " << parts.size()
                       << " parts, but its kinds have " << numParts;
  for (RankedTensorType part : parts)
    if (!sharedLayoutOf(part))
      return emitError() << "a ring has a part of type " << part
                         << ", but needs tiles in shared memory";
  return success();
}

int64_t RingType::firstPartOf(int64_t kind) const {
  ArrayRef<int64_t> before = getKinds().take_front(kind);
  return std::accumulate(before.begin(), before.end(), int64_t(0));
}

int64_t RingType::kindOf(int64_t part) const {
  int64_t kind = 0;
  while (part >= firstPartOf(kind + 1))
    ++kind;
  return kind;
}

ArrayRef<RankedTensorType> RingType::partsOf(int64_t kind) const {
  return getParts().slice(firstPartOf(kind), getKinds()[kind]);
}

//===----------------------------------------------------------------------===//
// Copies and waits
//===----------------------------------------------------------------------===//

void CopyOp::build(OpBuilder &builder, OperationState &state, LoadOp load,
                   Value ring, Value number, int64_t part) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.setMap(load.getMapAttr());
  properties.setAxes(load.getAxesAttr());
  properties.setUnused(load.getUnusedAttr());
  properties.setGuarded(load.getGuardedAttr());
  properties.setDisjoint(load.getDisjointAttr());
  properties.setPart(builder.getI64IntegerAttr(part));
  unsigned segment = 0;
  auto add = [&](ValueRange operands) {
    state.addOperands(operands);
    properties.operandSegmentSizes[segment++] = operands.size();
  };
  Value memory = load.getMemory();
  add(memory);
  add(load.getIndices());
  add(load.getLimits());
  add(ring);
  add(number);
}

RankedTensorType CopyOp::getTile() {
  return getRing().getType().getParts()[getPart()];
}

AffineMap CopyOp::getAxisMap() { return axisMap(getMap(), getTile()); }

LogicalResult CopyOp::verify() {
  size_t numParts = getRing().getType().getParts().size();
  if (getPart() >= numParts)
    return emitOpError("fills part ")
           << getPart() << " of a ring with " << numParts << " parts";
  RankedTensorType tile = getTile();
  if (failed(verifyAccess(*this, getMemory(), getIndices(), getMap(), tile)) ||
      failed(verifyInput(*this, getMemory())) ||
      failed(verifyUnused(*this, getUnused(), getAxes())))
    return failure();
  if (getRounded() && !tile.getElementType().isF32())
    return emitOpError("rounds numbers of type ")
           << tile.getElementType() << ", but only f32 can be rounded";
  if (LayoutAttr threads = getThreadsAttr()) {
    auto emitError = [&] { return emitOpError("is divided wrongly: "); };
    if (failed(threads.verifyEncoding(tile.getShape(), tile.getElementType(),
                                      emitError)))
      return failure();
  }
  return verifyLimits(*this, getLimits(), getAxes(), tile.getRank());
}

void WaitOp::build(OpBuilder &builder, OperationState &state, Value ring,
                   Value number, int64_t kind) {
  state.addOperands({ring, number});
  state.getOrAddProperties<Properties>().setKind(
      builder.getI64IntegerAttr(kind));
  llvm::append_range(state.types, cast<RingType>(ring.getType()).partsOf(kind));
}

ParseResult fuse::tile::parseParts(OpAsmParser &parser, IntegerAttr kind,
                                   Type &ring, SmallVectorImpl<Type> &parts) {
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseType(ring))
    return failure();
  auto type = dyn_cast<RingType>(ring);
  if (!type)
    return parser.emitError(start) << "found " << ring << ", but needs a ring";
  int64_t number = kind ? kind.getInt() : 0;
  if (number < 0 || number >= type.numKinds())
    return parser.emitError(start) << "found kind " << number
                                   << ", but the ring has " << type.numKinds();
  llvm::append_range(parts, type.partsOf(number));
  return success();
}

void fuse::tile::printParts(OpAsmPrinter &printer, Operation *, IntegerAttr,
                            Type ring, TypeRange) {
  printer << ring;
}

LogicalResult WaitOp::verify() {
  RingType ring = getRing().getType();
  int64_t kind = getKind();
  if (kind >= ring.numKinds())
    return emitOpError("waits for kind ")
           << kind << " of a ring with " << ring.numKinds() << " kinds";
  if (llvm::equal(getParts().getTypes(), ring.partsOf(kind)))
    return success();
  return emitOpError("has other results than the parts of kind ")
         << kind << " of its ring";
}

//===----------------------------------------------------------------------===//
// Products in flight
//===----------------------------------------------------------------------===//

void DotIssueOp::build(OpBuilder &builder, OperationState &state, DotOp dot) {
  build(builder, state, PendingType::get(builder.getContext(), dot.getType()),
        GroupType::get(builder.getContext()), dot.getLhs(), dot.getRhs(),
        dot.getAcc(), dot.getBatch(), dot.getContract(), dot.getPrecision());
}

static RankedTensorType sumTypeOf(Type type) {
  if (auto pending = dyn_cast<PendingType>(type))
    return pending.getTile();
  return cast<RankedTensorType>(type);
}

LogicalResult DotIssueOp::verify() {
  if (getSumType() != sumTypeOf(getAcc().getType()))
    return emitOpError("makes a sum of type ")
           << getSumType() << " of one of type "
           << sumTypeOf(getAcc().getType());
  return verifyProduct(*this, getLhs().getType(), getRhs().getType(),
                       getSumType(), getBatch(), getContract());
}

ParseResult fuse::tile::parsePendingOf(OpAsmParser &parser, Type &pending) {
  RankedTensorType tile;
  if (parser.parseType(tile))
    return failure();
  pending = PendingType::get(parser.getContext(), tile);
  return success();
}

void fuse::tile::printPendingOf(OpAsmPrinter &printer, Operation *,
                                Type pending) {
  printer << cast<PendingType>(pending).getTile();
}

ParseResult fuse::tile::parseTakenTile(OpAsmParser &parser, Type &pending,
                                       Type &result) {
  if (parsePendingOf(parser, pending))
    return failure();
  result = cast<PendingType>(pending).getTile();
  return success();
}

void fuse::tile::printTakenTile(OpAsmPrinter &printer, Operation *op,
                                Type pending, Type) {
  printPendingOf(printer, op, pending);
}

void StartOp::build(OpBuilder &builder, OperationState &state, Value source) {
  build(builder, state,
        PendingType::get(builder.getContext(),
                         cast<RankedTensorType>(source.getType())),
        source);
}

ParseResult fuse::tile::parseStartedTile(OpAsmParser &parser, Type &source,
                                         Type &result) {
  if (parsePendingOf(parser, result))
    return failure();
  source = cast<PendingType>(result).getTile();
  return success();
}

void fuse::tile::printStartedTile(OpAsmPrinter &printer, Operation *op, Type,
                                  Type result) {
  printPendingOf(printer, op, result);
}

LogicalResult StartOp::verify() {
  if (getType().getTile() == getSource().getType())
    return success();
  return emitOpError("starts ")
         << getType() << " with a tile of type " << getSource().getType();
}

LogicalResult TakeOp::verify() {
  if (getPending().getType().getTile() == getType())
    return success();
  return emitOpError("takes a tile of type ")
         << getType() << " out of " << getPending().getType();
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

LogicalResult RolesOp::verifyRegions() {
  llvm::SmallDenseSet<RoleKind> kinds;
  for (Operation &op : getBody().front()) {
    auto role = dyn_cast<RoleOp>(op);
    if (!role)
      return op.emitOpError("stands in 'tile.roles', but only 'tile.role' may");
    if (!kinds.insert(role.getKind()).second)
      return role.emitOpError("is the second one of kind ")
             << stringifyRoleKind(role.getKind());
  }
  return success();
}

LogicalResult RoleOp::verify() {
  constexpr int64_t mostCrews = 2;
  if (getCrews() == 1)
    return success();
  if (getKind() != RoleKind::Math || getCrews() > mostCrews)
    return emitOpError("has ")
           << getCrews() << " crews, but "
           << (getKind() == RoleKind::Math
                   ? "there are barriers for " + std::to_string(mostCrews)
                   : "only those who compute have several");
  return success();
}

/// Crews are of a role.
static LogicalResult checkHasRole(Operation *op) {
  auto role = op->getParentOfType<RoleOp>();
  if (role && (role.getCrews() != 1 || isa<CrewOp>(op)))
    return success();
  return op->emitOpError("stands in no 'tile.role' that has crews");
}

LogicalResult CrewOp::verify() { return checkHasRole(*this); }
LogicalResult TakeTurnOp::verify() { return checkHasRole(*this); }
LogicalResult GiveTurnOp::verify() { return checkHasRole(*this); }
