//===- Collect.cpp - what blocks of a cluster write for each other --------===//
//
// All meet, each writes to where the others will read, and all meet again. So
// a block may end when it has read what is in its own memory.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "ThreadEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// To the same place in another block of the cluster: one element, or several
/// that are words.
void ThreadEmitter::storeElsewhere(Value address, Value block,
                                   ArrayRef<Value> elements, Value condition) {
  unsigned bytes = elementBytes(elements.front().getType());
  Type word = b.getIntegerType(8 * bytes);
  SmallVector<Value> operands{address, block};
  std::string constraints = "r,r", list;
  for (Value element : elements) {
    if (element.getType() != word)
      element = arith::BitcastOp::create(b, word, element);
    if (bytes == 1)
      element = arith::ExtUIOp::create(b, b.getI16Type(), element);
    list += (list.empty() ? "$" : ", $") + std::to_string(operands.size());
    constraints += bytes == 8 ? ",l" : bytes == 4 ? ",r" : ",h";
    operands.push_back(element);
  }
  std::string text = "{\n\t.reg .b32 there;\n\t"
                     "mapa.shared::cluster.u32 there, $0, $1;\n\t";
  if (condition) {
    text += "@$" + std::to_string(operands.size()) + " ";
    constraints += ",b";
    operands.push_back(condition);
  }
  bool isVector = elements.size() != 1;
  text += "st.shared::cluster" +
          (isVector ? ".v" + std::to_string(elements.size()) : std::string()) +
          ".b" + std::to_string(8 * bytes) + " [there], " +
          (isVector ? "{" + list + "}" : list) + ";\n\t}";
  assemble(b, text, constraints + ",~{memory}", operands, 0);
}

/// Writes the shares of a source, each for the block that it is of.
void ThreadEmitter::writeShares(CollectOp op, unsigned source) {
  const CollectPlan &plan = shared.collectOf(op, source);
  SmallVector<Value> elements =
      elementsOf(toStored(vectorFor(op.getSources()[source])));
  unsigned bytes = elementBytes(elements.front().getType());
  int64_t stride = SharedMemory::shareBytes(op, source);
  Value own = b.createOrFold<arith::MulIOp>(rankInCluster(), i32(stride));
  Value base = advance(sharedBase, own);
  SharedAddress address = addressOf(plan.share, plan.memory);
  Value share = threadPart(plan.source, plan.axis);
  Value sends = isFirstCopy(plan.source);
  for (const CollectPlan::Store &store : plan.stores) {
    SmallVector<Value> parts;
    for (unsigned reg : store.registers)
      parts.push_back(elements[reg]);
    Value block = b.createOrFold<arith::XOrIOp>(share, i32(store.share));
    storeElsewhere(
        sharedAddress(base, address, store.offset,
                      shared.collectOf(op) + collectOffset(op, source), bytes),
        block, parts, sends);
  }
}

/// The share of a source that block number `from` has written.
Value ThreadEmitter::readShare(CollectOp op, unsigned source, int64_t from) {
  const CollectPlan &plan = shared.collectOf(op, source);
  auto type = cast<RankedTensorType>((*op.sharesOf(source).begin()).getType());
  const Layout &to = layoutOf(type).getValue();
  SmallVector<Value> results(to.numRegisters());
  int64_t bytes = SharedMemory::shareBytes(op, source);
  SharedRange range{
      shared.collectOf(op) + collectOffset(op, source) + from * bytes, bytes};
  readShared(to, plan.memory, range, storedType(type.getElementType()), 0,
             type.getNumElements(), plan.loadWidth, results);
  return withCopies(to, results, type.getElementType());
}

/// Nobody writes to a block that has not begun, or that still needs the memory
/// for something else.
LogicalResult ThreadEmitter::emitCollect(CollectOp op) {
  unsigned sources = op.getSources().size();
  meetCluster(/*isTogether=*/true);
  for (unsigned source = 0; source < sources; ++source)
    writeShares(op, source);
  meetCluster(/*isTogether=*/true);
  hazards.clear();
  for (unsigned source = 0; source < sources; ++source)
    for (auto [from, share] : llvm::enumerate(op.sharesOf(source)))
      mapping.map(share, readShare(op, source, from));
  hazards.read.push_back({shared.collectOf(op), collectBytes(op)});
  return success();
}
