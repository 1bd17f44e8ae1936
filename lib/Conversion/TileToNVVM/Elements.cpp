//===- Elements.cpp - vectors and their elements --------------------------===//
//
// Small pieces of code on the share of one thread.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"
#include "fuse/Dialect/Tile/Analysis/RoundToTf32.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

VectorType ThreadEmitter::vectorOf(Type tile) {
  auto type = cast<RankedTensorType>(tile);
  return VectorType::get(layoutOf(type).getValue().numRegisters(),
                         type.getElementType());
}

/// Sums in flight are registers as others are; a group, which is only waited
/// for, is a number that nobody reads.
Type ThreadEmitter::typeForThread(Type type) {
  if (auto pending = dyn_cast<PendingType>(type))
    return vectorOf(pending.getTile());
  if (isa<GroupType>(type))
    return b.getI32Type();
  return isa<RankedTensorType>(type) ? Type(vectorOf(type)) : type;
}

Value ThreadEmitter::rounded(Value vector) {
  if (!roundsByInstruction)
    return roundToTf32(b, vector);
  SmallVector<Value> elements;
  for (Value element : elementsOf(vector)) {
    Value bits = NVVM::ConvertFloatToTF32Op::create(b, b.getI32Type(), element,
                                                    NVVM::FPRoundingMode::RN);
    elements.push_back(arith::BitcastOp::create(b, b.getF32Type(), bits));
  }
  return vectorOfElements(elements);
}

Value ThreadEmitter::pick(Value vector, ArrayRef<unsigned> elements) {
  SmallVector<int64_t> mask(elements.begin(), elements.end());
  int64_t count = cast<VectorType>(vector.getType()).getDimSize(0);
  if (llvm::equal(mask, llvm::seq<int64_t>(count)))
    return vector;
  return vector::ShuffleOp::create(b, vector, vector, mask);
}

SmallVector<Value> ThreadEmitter::elementsOf(Value vector) {
  auto results = vector::ToElementsOp::create(b, vector).getResults();
  return SmallVector<Value>(results.begin(), results.end());
}

Value ThreadEmitter::vectorOfElements(ArrayRef<Value> elements) {
  auto type = VectorType::get(elements.size(), elements.front().getType());
  return vector::FromElementsOp::create(b, type, elements);
}

Value ThreadEmitter::splat(Value scalar, unsigned count) {
  return vector::BroadcastOp::create(
      b, VectorType::get(count, scalar.getType()), scalar);
}

Value ThreadEmitter::constant(TypedAttr number, unsigned count) {
  auto type = VectorType::get(count, number.getType());
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, Attribute(number)));
}

Value ThreadEmitter::i32(int64_t number) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(number));
}

Value ThreadEmitter::i64(int64_t number) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(number));
}

Value ThreadEmitter::index(int64_t number) {
  return arith::ConstantIndexOp::create(b, number);
}

Type ThreadEmitter::storedType(Type element) {
  if (element.isInteger(1) || isa<Float8E4M3FNType>(element))
    return b.getI8Type();
  return element.isIndex() ? b.getI64Type() : element;
}

Value ThreadEmitter::toStored(Value vector) {
  auto type = cast<VectorType>(vector.getType());
  Type element = type.getElementType();
  VectorType stored = type.clone(storedType(element));
  if (element.isInteger(1))
    return arith::ExtUIOp::create(b, stored, vector);
  if (element.isIndex())
    return arith::IndexCastOp::create(b, stored, vector);
  if (stored != type)
    return arith::BitcastOp::create(b, stored, vector);
  return vector;
}

Value ThreadEmitter::fromStored(Value vector, Type element) {
  auto type = cast<VectorType>(vector.getType());
  // As numpy reads a bool: whatever is not 0 is true.
  if (element.isInteger(1))
    return arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne, vector,
        constant(b.getI8IntegerAttr(0), type.getDimSize(0)));
  if (element.isIndex())
    return arith::IndexCastOp::create(b, type.clone(element), vector);
  if (type.getElementType() != element)
    return arith::BitcastOp::create(b, type.clone(element), vector);
  return vector;
}

/// One instruction an element, `fma(x, c, -(r * c))`, as long as the rounding
/// of the few products is 2^-18 at most. Where it is not, in any thread of a
/// warp, the difference, which is exact where it counts, is multiplied.
Value ThreadEmitter::emitShifted(Operation *op) {
  constexpr double most = 128;
  constexpr auto wanted =
      arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  auto product = dyn_cast<arith::MulFOp>(op);
  APFloat factor(0.0);
  if (!product || !isa<RankedTensorType>(product.getType()) ||
      !bitEnumContainsAll(product.getFastmath(), wanted) ||
      !matchPattern(product.getRhs(), m_ConstantFloat(&factor)))
    return Value();
  auto difference = product.getLhs().getDefiningOp<arith::SubFOp>();
  auto shift = difference ? difference.getRhs().getDefiningOp<BroadcastOp>()
                          : BroadcastOp();
  Type element = getElementTypeOrSelf(product.getType());
  if (!shift || !element.isF32())
    return Value();
  Value x = vectorFor(difference.getLhs()), r = vectorFor(shift.getSource());
  const Layout &layout = layoutOf(product.getType()).getValue();
  unsigned count = layout.numRegisters(),
           few = cast<VectorType>(r.getType()).getDimSize(0);
  if (2 * few > count)
    return Value();
  auto number = [&](double value, unsigned times) {
    return constant(b.getFloatAttr(element, value), times);
  };
  auto everywhere = [&](Value vector) {
    return pick(vector, layout.slice(shift.getNewAxes()).sliceOf);
  };
  double c = factor.convertToDouble();
  Value products = arith::MulFOp::create(b, r, number(c, few));
  Value small = arith::CmpFOp::create(b, arith::CmpFPredicate::OLE,
                                      math::AbsFOp::create(b, products),
                                      number(most, few));
  Value own;
  for (Value each : elementsOf(small))
    own = own ? arith::AndIOp::create(b, own, each).getResult() : each;
  Value all = NVVM::VoteSyncOp::create(b, b.getI1Type(), i32(-1), own,
                                       NVVM::VoteSyncKind::all);
  auto branch = scf::IfOp::create(b, x.getType(), all, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value minus = everywhere(arith::NegFOp::create(b, products));
  Value fused = math::FmaOp::create(b, x, number(c, count), minus);
  scf::YieldOp::create(b, fused);
  b.setInsertionPointToStart(branch.elseBlock());
  Value exact = arith::SubFOp::create(b, x, everywhere(r));
  Value scaled = arith::MulFOp::create(b, exact, number(c, count));
  scf::YieldOp::create(b, scaled);
  return branch.getResult(0);
}
