//===- SplitVectors.cpp - arithmetic of a few elements at a time ----------===//
//
// A thread has up to hundreds of elements of a tile. If all of them took one
// step of their arithmetic at a time, every step would need registers for all.
// In short parts, one part can go all the way before the next one starts; a few
// elements at a time still keep a processor busy.
//
//===----------------------------------------------------------------------===//

#include "OrderParts.h"
#include "fuse/Conversion/PartsPass.h"
#include "fuse/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fuse {
#define GEN_PASS_DEF_SPLITVECTORS
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// The type of what is split; null if the op stays as it is.
static VectorType splitType(Operation *op, int64_t elements) {
  if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1)
    return {};
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!type || type.getRank() != 1 || type.isScalable() ||
      type.getDimSize(0) <= elements)
    return {};
  return type;
}

static VectorType partOf(Type type, int64_t count) {
  return VectorType::get(count, cast<VectorType>(type).getElementType());
}

namespace {

class Splitter {
public:
  explicit Splitter(int64_t elements) : elements(elements) {}
  void split(Operation *op, VectorType type);
  /// Elements that are known are not put together to be taken apart again.
  void forward(vector::ToElementsOp op);
  /// Loads that may move, and what only takes them apart, are parts.
  void addLoads(Operation *root);
  void order(Operation *root);

private:
  ArrayRef<Value> elementsOf(Value vector);
  SmallVector<Value> findElements(Value vector);
  Value part(OpBuilder &b, Location loc, Value vector, int64_t first,
             int64_t count);

  int64_t elements;
  llvm::DenseMap<Value, SmallVector<Value>> known;
  llvm::DenseSet<Operation *> parts;
};

} // namespace

SmallVector<Value> Splitter::findElements(Value vector) {
  if (auto made = vector.getDefiningOp<vector::FromElementsOp>())
    return SmallVector<Value>(made.getElements());
  if (auto picked = vector.getDefiningOp<vector::ShuffleOp>();
      picked && picked.getV1VectorType().getRank() == 1) {
    SmallVector<Value> sources(elementsOf(picked.getV1()));
    llvm::append_range(sources, elementsOf(picked.getV2()));
    SmallVector<Value> result;
    for (int64_t at : picked.getMask())
      if (at >= 0)
        result.push_back(sources[at]);
    if (result.size() == picked.getMask().size())
      return result;
  }
  OpBuilder b(vector.getContext());
  b.setInsertionPointAfterValue(vector);
  return SmallVector<Value>(
      vector::ToElementsOp::create(b, vector.getLoc(), vector).getResults());
}

ArrayRef<Value> Splitter::elementsOf(Value vector) {
  if (auto found = known.find(vector); found != known.end())
    return found->second;
  SmallVector<Value> found = findElements(vector);
  return known[vector] = std::move(found);
}

Value Splitter::part(OpBuilder &b, Location loc, Value vector, int64_t first,
                     int64_t count) {
  VectorType type = partOf(vector.getType(), count);
  if (auto constant = vector.getDefiningOp<arith::ConstantOp>())
    if (auto number = dyn_cast<SplatElementsAttr>(constant.getValue()))
      return arith::ConstantOp::create(b, loc, number.resizeSplat(type));
  if (auto repeated = vector.getDefiningOp<vector::BroadcastOp>();
      repeated && !isa<VectorType>(repeated.getSourceType()))
    return vector::BroadcastOp::create(b, loc, type, repeated.getSource());
  ArrayRef<Value> own = elementsOf(vector).slice(first, count);
  // Of what was split before, a part is there.
  if (auto apart = own.front().getDefiningOp<vector::ToElementsOp>())
    if (llvm::equal(own, apart.getResults()))
      return apart.getSource();
  auto whole = vector::FromElementsOp::create(b, loc, type, own);
  parts.insert(whole);
  return whole;
}

void Splitter::split(Operation *op, VectorType type) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  SmallVector<Value> results;
  for (int64_t first = 0; first < type.getDimSize(0); first += elements) {
    int64_t count = std::min(elements, type.getDimSize(0) - first);
    OperationState state(loc, op->getName());
    for (Value operand : op->getOperands())
      state.operands.push_back(isa<VectorType>(operand.getType())
                                   ? part(b, loc, operand, first, count)
                                   : operand);
    state.addTypes(partOf(type, count));
    state.addAttributes(op->getAttrs());
    Operation *made = b.create(state);
    auto apart = vector::ToElementsOp::create(b, loc, made->getResult(0));
    parts.insert(made);
    parts.insert(apart);
    llvm::append_range(results, apart.getResults());
  }
  auto whole = vector::FromElementsOp::create(b, loc, type, results);
  parts.insert(whole);
  op->getResult(0).replaceAllUsesWith(whole);
  op->erase();
}

void Splitter::addLoads(Operation *root) {
  llvm::DenseSet<Operation *> moving;
  root->walk([&](Operation *op) {
    auto moves = [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      return source && source->getBlock() == op->getBlock() &&
             moving.contains(source);
    };
    bool takesApart = op->getNumOperands() != 0 && op->getNumRegions() == 0 &&
                      isPure(op) && llvm::all_of(op->getOperands(), moves);
    if (op->hasAttr(aheadAttr) || takesApart)
      moving.insert(op);
  });
  parts.insert(moving.begin(), moving.end());
}

void Splitter::order(Operation *root) {
  // What was put together for users that have parts of it by now.
  root->walk([&](Block *block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
      if (parts.contains(&op) && isOpTriviallyDead(&op)) {
        parts.erase(&op);
        op.erase();
      }
  });
  root->walk([&](Block *block) {
    orderParts(*block, parts);
    orderLoads(*block);
  });
}

void Splitter::forward(vector::ToElementsOp op) {
  Value source = op.getSource();
  if (!known.contains(source) &&
      !source.getDefiningOp<vector::FromElementsOp>() &&
      !source.getDefiningOp<vector::ShuffleOp>())
    return;
  op->replaceAllUsesWith(SmallVector<Value>(elementsOf(source)));
  op->erase();
}

namespace {

struct SplitVectorsPass final : fuse::impl::SplitVectorsBase<SplitVectorsPass> {
  using SplitVectorsBase::SplitVectorsBase;

  void runOnOperation() final {
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (splitType(op, elements) || isa<vector::ToElementsOp>(op))
        ops.push_back(op);
    });
    Splitter splitter(elements);
    for (Operation *op : ops) {
      if (auto apart = dyn_cast<vector::ToElementsOp>(op))
        splitter.forward(apart);
      else
        splitter.split(op, splitType(op, elements));
    }
    splitter.addLoads(getOperation());
    splitter.order(getOperation());
  }
};

} // namespace
