//===- KernelCosts.cpp - what the kernels of a plan would cost ------------===//
//
// The structure of a kernel, and what is known by it.
//
//===----------------------------------------------------------------------===//

#include "KernelCosts.h"
#include "fuse/Analysis/RowPitch.h"

using namespace mlir;
using namespace fuse;

/// Values are numbered in the order in which they are demanded, which is also
/// the order in which everything behind this numbers them. What an op says is
/// unique in the context, and so known by its address. Sizes that are symbols
/// stay as they are: two kernels that run over different ones are no copies.
KernelCosts::Structure
KernelCosts::structureOf(ArrayRef<Value> roots,
                         llvm::function_ref<bool(Value)> isStored) const {
  enum Mark : uintptr_t { Leaf, Op, Root };
  Structure structure;
  llvm::DenseMap<Value, unsigned> numbers;
  auto add = [&](const void *unique) {
    structure.push_back(reinterpret_cast<uintptr_t>(unique));
  };
  auto addType = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    add(type.getAsOpaquePointer());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim)) {
        Size size = graph.sizes().sizeOf(value, dim);
        structure.push_back(size.isNumber());
        structure.push_back(size.isNumber() ? size.getNumber()
                                            : size.getSymbol());
      }
  };
  auto visit = [&](auto &self, Value value) -> void {
    if (numbers.contains(value))
      return;
    if (!graph.isInside(value, roots, isStored)) {
      structure.push_back(Leaf);
      structure.push_back(isSeenByKernelsOnly(value));
      addType(value);
      numbers.try_emplace(value, numbers.size());
      return;
    }
    Operation *op = value.getDefiningOp();
    // What is no tensor is a size, and stands in the result's.
    auto operands = llvm::make_filter_range(op->getOperands(), [](Value value) {
      return isa<RankedTensorType>(value.getType());
    });
    for (Value operand : operands)
      self(self, operand);
    structure.push_back(Op);
    add(op->getName().getAsOpaquePointer());
    add(op->getAttrDictionary().getAsOpaquePointer());
    addType(value);
    structure.push_back(op->getNumOperands());
    for (Value operand : operands)
      structure.push_back(numbers.lookup(operand));
    numbers.try_emplace(value, numbers.size());
  };
  for (Value root : roots) {
    visit(visit, root);
    structure.push_back(Root);
    structure.push_back(isSeenByKernelsOnly(root));
    structure.push_back(numbers.lookup(root));
  }
  return structure;
}

const ScheduledKernel &KernelCosts::of(ArrayRef<Value> roots,
                                       llvm::function_ref<bool(Value)> isStored,
                                       SearchEffort effort) {
  Structure structure = structureOf(roots, isStored);
  structure.push_back(effort == SearchEffort::Quick);
  auto [entry, isNew] = known.try_emplace(std::move(structure));
  if (!isNew)
    return entry->second;
  llvm::SetVector<Value> leaves = graph.leavesOf(roots, isStored);
  KernelElements elements(graph.sizes(), roots, {leaves.begin(), leaves.end()});
  return entry->second = findSchedule(elements, roots, machine, effort);
}
