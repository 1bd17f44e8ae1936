//===- Positions.cpp - where in its tile a thread's elements are ----------===//
//
// Layouts are linear over bits, so a position is a part that depends on the
// thread, computed once and kept, and a part that is a constant of the
// register.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

Value ThreadEmitter::sumOverBits(Value number, ArrayRef<int64_t> numbers) {
  Value sum;
  int64_t usedBits = 0;
  for (size_t bit = 0; bit < numbers.size();) {
    int64_t moved = numbers[bit];
    if (moved == 0) {
      ++bit;
      continue;
    }
    // A run of bits that move by doubling amounts is a field of the number.
    size_t end = bit + 1;
    while (end < numbers.size() && numbers[end] == moved << (end - bit))
      ++end;
    Value part = number;
    if (bit != 0)
      part = arith::ShRUIOp::create(b, part, i32(bit));
    part = arith::AndIOp::create(b, part, i32((1 << (end - bit)) - 1));
    if (moved != 1)
      part = arith::MulIOp::create(b, part, i32(moved));
    int64_t bits = 0;
    for (size_t i = bit; i < end; ++i)
      bits |= numbers[i];
    if (!sum)
      sum = part;
    else if ((usedBits & bits) == 0)
      sum = arith::OrIOp::create(b, sum, part);
    else
      sum = arith::XOrIOp::create(b, sum, part);
    usedBits |= bits;
    bit = end;
  }
  return sum ? sum : i32(0);
}

Value ThreadEmitter::sumOverThreadBits(ArrayRef<int64_t> numbers) {
  std::vector<int64_t> key(numbers.begin(), numbers.end());
  while (!key.empty() && key.back() == 0)
    key.pop_back();
  Value &known = threadSums[key];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(prologue);
  known = sumOverBits(threadOfTile, key);
  prologue = known.getDefiningOp();
  return known;
}

Value ThreadEmitter::threadPart(const Layout &layout, unsigned axis) {
  SmallVector<int64_t> numbers;
  for (Place place : {Place::Lane, Place::Warp, Place::Cta})
    for (Bits basis : layout.bases(place))
      numbers.push_back(layout.tile().unpack(basis)[axis]);
  return sumOverThreadBits(numbers);
}

Value ThreadEmitter::positions(const Layout &layout, unsigned axis) {
  SmallVector<int32_t> flips, offsets, sums;
  for (unsigned reg = 0; reg < layout.numRegisters(); ++reg) {
    Layout::RegisterPart part = layout.registerPart(reg);
    flips.push_back(part.flip[axis]);
    offsets.push_back(part.offset[axis]);
    sums.push_back(part.flip[axis] + part.offset[axis]);
  }
  unsigned count = flips.size();
  auto numbers = [&](ArrayRef<int32_t> values) -> Value {
    return arith::ConstantOp::create(
        b,
        DenseElementsAttr::get(VectorType::get(count, b.getI32Type()), values));
  };
  Value all = splat(threadPart(layout, axis), count);
  if (layout.addsRegisters(axis))
    return arith::AddIOp::create(b, all, numbers(sums));
  return arith::AddIOp::create(b, arith::XOrIOp::create(b, all, numbers(flips)),
                               numbers(offsets));
}

/// Positions as f32, if that holds all of them: one conversion for a thread,
/// and a constant for each of its registers. A conversion takes as long as an
/// exponential. Null if it may not.
Value ThreadEmitter::emitFloatPositions(arith::SIToFPOp op) {
  constexpr int64_t exact = 1 << 24;
  auto iota = op.getIn().getDefiningOp<IotaOp>();
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!iota || !type || !type.getElementType().isF32())
    return Value();
  // Narrower numbers wrap.
  Type counted = iota.getType().getElementType();
  if (!counted.isInteger(32) && !counted.isInteger(64))
    return Value();
  const Layout &layout = layoutOf(type).getValue();
  int64_t least = leastOf(iota.getBase()), most = mostOf(iota.getBase());
  if (least < -exact || most > exact)
    return Value();
  SmallVector<int64_t> own(layout.numRegisters(), 0);
  Value base = arith::IndexCastOp::create(b, b.getI32Type(),
                                          mapping.lookup(iota.getBase()));
  for (auto [axis, factor] : llvm::enumerate(iota.getCoefficients())) {
    int64_t size = type.getDimSize(axis);
    if (factor == 0 || size == 1)
      continue;
    if (!layout.addsRegisters(axis) || std::abs(factor) > exact / size)
      return Value();
    (factor < 0 ? least : most) += factor * (size - 1);
    for (auto [reg, constant] : llvm::enumerate(own)) {
      Layout::RegisterPart part = layout.registerPart(reg);
      constant += factor * (part.flip[axis] + part.offset[axis]);
    }
    Value at = threadPart(layout, axis);
    if (factor != 1)
      at = arith::MulIOp::create(b, at, i32(factor));
    base = arith::AddIOp::create(b, base, at);
  }
  if (least <= -exact || most >= exact)
    return Value();
  VectorType result = vectorOf(type);
  Value real =
      splat(arith::SIToFPOp::create(b, b.getF32Type(), base), own.size());
  auto constants = llvm::map_to_vector(
      own, [](int64_t constant) { return static_cast<float>(constant); });
  return arith::AddFOp::create(
      b, real,
      arith::ConstantOp::create(
          b, DenseElementsAttr::get(result, ArrayRef<float>(constants))));
}

Value ThreadEmitter::position(const Layout &layout, unsigned axis,
                              unsigned reg) {
  Layout::RegisterPart part = layout.registerPart(reg);
  Value at = threadPart(layout, axis);
  if (part.flip[axis] != 0)
    at = layout.addsRegisters(axis)
             ? b.createOrFold<arith::AddIOp>(at, i32(part.flip[axis]))
             : b.createOrFold<arith::XOrIOp>(at, i32(part.flip[axis]));
  if (part.offset[axis] != 0)
    at = b.createOrFold<arith::AddIOp>(at, i32(part.offset[axis]));
  return at;
}

Value ThreadEmitter::isFrom(const Layout &layout, unsigned axis, unsigned reg,
                            Value start, int64_t most) {
  if (layout.leastPosition(reg, axis) >= most)
    return Value();
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge,
                                       position(layout, axis, reg), start);
}

/// From the iota's base, with what this thread's group of warps has of it.
FailureOr<Value> ThreadEmitter::emitBound(Operation *op, bool isLeast) {
  auto iota = op->getOperand(0).getDefiningOp<IotaOp>();
  if (!iota)
    return op->emitOpError("needs what 'tile.iota' counts");
  const Layout &layout = layoutOf(iota.getType()).getValue();
  Value bound = mapping.lookup(iota.getBase());
  for (auto [axis, factor] : llvm::enumerate(iota.getCoefficients())) {
    SmallVector<int64_t> shares = sharesOfGroups(layout, axis);
    int64_t last = 0;
    for (int64_t share : shares)
      last |= share;
    int64_t own = iota.getType().getDimSize(axis) - 1 - last;
    if ((factor < 0) == isLeast)
      bound = b.createOrFold<arith::AddIOp>(bound, index(factor * own));
    if (shares.empty() || factor == 0)
      continue;
    Value first = arith::IndexCastUIOp::create(
        b, b.getIndexType(), sumOverBits(warpgroup(), shares));
    bound = b.createOrFold<arith::AddIOp>(
        bound, b.createOrFold<arith::MulIOp>(first, index(factor)));
  }
  return bound;
}

Value ThreadEmitter::limit32(Value limit) {
  Value mapped = mapping.lookup(limit);
  // No tile has so many elements along an axis.
  Value most = index(1 << 30), least = index(-(1 << 30));
  Value clamped = b.createOrFold<arith::MaxSIOp>(
      b.createOrFold<arith::MinSIOp>(mapped, most), least);
  return b.createOrFold<arith::IndexCastOp>(b.getI32Type(), clamped);
}
