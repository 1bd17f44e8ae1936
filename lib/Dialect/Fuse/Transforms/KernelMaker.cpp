//===- KernelMaker.cpp - a kernel of a part of a graph --------------------===//
//
// A kernel takes tensors from outside, and makes numbers that are made of sizes
// itself, of whichever of its inputs has them.
//
//===----------------------------------------------------------------------===//

#include "KernelMaker.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuse;

namespace {

class KernelMaker {
public:
  KernelMaker(ArrayRef<Value> roots, const llvm::SetVector<Value> &leaves,
              const SizeAnalysis &sizes)
      : sizes(sizes), roots(roots), inputs(leaves.begin(), leaves.end()) {
    for (Value root : roots)
      visit(root);
  }

  KernelOp make(OpBuilder &builder, StringRef name, ScheduleAttr schedule,
                IRMapping &stored);

private:
  void visit(Value value);
  void addSized(Value size);
  void addAsked(Value size);
  bool comesFromInputs(Value size) const;
  void fill(KernelOp kernel);

  const SizeAnalysis &sizes;
  ArrayRef<Value> roots;
  /// What is copied, and the tensors and sizes that come from outside.
  llvm::SetVector<Operation *> inside;
  llvm::SetVector<Value> inputs;
};

} // namespace

/// Adds the tensors whose sizes `size` is made of.
void KernelMaker::addSized(Value size) {
  Operation *op = size.getDefiningOp();
  if (auto dim = dyn_cast_or_null<tensor::DimOp>(op))
    inputs.insert(dim.getSource());
  else if (op && isa<arith::ArithDialect>(op->getDialect()))
    for (Value operand : op->getOperands())
      addSized(operand);
}

/// A size that nothing has which is read is that of an argument, which is there
/// for its size.
void KernelMaker::addAsked(Value size) {
  Operation *op = size.getDefiningOp();
  auto dim = dyn_cast_or_null<tensor::DimOp>(op);
  if (op && isa<arith::ArithDialect>(op->getDialect()))
    for (Value operand : op->getOperands())
      addAsked(operand);
  if (!dim || !askedDimOf(dim) || !isa<BlockArgument>(dim.getSource()))
    return;
  Size wanted = sizes.sizeOf(dim.getSource(), *askedDimOf(dim));
  if (llvm::none_of(inputs, [&](Value input) {
        return isa<RankedTensorType>(input.getType()) &&
               llvm::is_contained(sizes.sizesOf(input), wanted);
      }))
    inputs.insert(dim.getSource());
}

/// A kernel on its own knows sizes that it asks its inputs for.
bool KernelMaker::comesFromInputs(Value size) const {
  Operation *op = size.getDefiningOp();
  if (auto dim = dyn_cast_or_null<tensor::DimOp>(op))
    return inputs.contains(dim.getSource()) && askedDimOf(dim);
  return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                (isa<arith::ArithDialect>(op->getDialect()) &&
                 llvm::all_of(op->getOperands(), [&](Value operand) {
                   return comesFromInputs(operand);
                 })));
}

void KernelMaker::visit(Value value) {
  Operation *op = value.getDefiningOp();
  if (inputs.contains(value))
    return;
  bool isSize = !isa<RankedTensorType>(value.getType());
  if (isSize)
    addAsked(value);
  if (!op || (isSize && !comesFromInputs(value))) {
    inputs.insert(value);
    return;
  }
  if (inside.contains(op))
    return;
  if (isa<tensor::FromElementsOp>(op))
    for (Value operand : op->getOperands())
      addSized(operand);
  for (Value operand : op->getOperands())
    visit(operand);
  inside.insert(op);
}

void KernelMaker::fill(KernelOp kernel) {
  Block &body = kernel.getBodyRegion().front();
  IRMapping mapping;
  mapping.map(inputs.getArrayRef(), body.getArguments());
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  SmallVector<Operation *> sorted(inside.getArrayRef());
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : sorted) {
    // One that is not stored is nothing.
    if (auto copy = dyn_cast<CopyOp>(op);
        copy && !llvm::is_contained(roots, copy.getResult()))
      mapping.map(copy.getResult(), mapping.lookup(copy.getSource()));
    else
      inner.clone(*op, mapping);
  }
  SmallVector<Value> yielded;
  for (Value root : roots)
    yielded.push_back(mapping.lookup(root));
  YieldOp::create(inner, kernel.getLoc(), yielded);
}

KernelOp KernelMaker::make(OpBuilder &builder, StringRef name,
                           ScheduleAttr schedule, IRMapping &stored) {
  SmallVector<Location> locations;
  SmallVector<Type> types;
  SmallVector<Value> operands;
  for (Value root : roots) {
    types.push_back(root.getType());
    locations.push_back(root.getLoc());
  }
  for (Value input : inputs)
    operands.push_back(stored.lookupOrDefault(input));
  auto kernel = KernelOp::create(builder, builder.getFusedLoc(locations), name,
                                 types, operands, schedule);
  fill(kernel);
  for (auto [root, result] : llvm::zip(roots, kernel.getResults()))
    stored.map(root, result);
  return kernel;
}

KernelOp fuse::makeKernel(OpBuilder &builder, StringRef name,
                          ArrayRef<Value> roots,
                          const llvm::SetVector<Value> &leaves,
                          const SizeAnalysis &sizes, ScheduleAttr schedule,
                          IRMapping &stored) {
  return KernelMaker(roots, leaves, sizes)
      .make(builder, name, schedule, stored);
}
