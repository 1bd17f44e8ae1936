//===- StreamStores.cpp - writing past the caches -------------------------===//
//
// Such a store has to be aligned, and to fill its line alone or together with
// the next one: a part of a line is written slower than through the caches.
//
//===----------------------------------------------------------------------===//

#include "StreamStores.h"
#include "Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace fuse::tile;

/// Of a line of the caches, and of what buffers are aligned to.
static constexpr int64_t kLineBytes = 64;

/// How many of its lowest bits are certainly 0: up to 62, as for 0 itself.
static int64_t lowZeros(Value index) {
  constexpr int64_t kAll = 62;
  if (std::optional<int64_t> number = getConstantIntValue(index))
    return std::min<int64_t>(kAll, llvm::countr_zero(uint64_t(*number)));
  if (auto loop = scf::getForInductionVarOwner(index))
    return std::min(lowZeros(loop.getLowerBound()), lowZeros(loop.getStep()));
  Operation *op = index.getDefiningOp();
  if (isa_and_present<arith::MulIOp>(op))
    return std::min(kAll,
                    lowZeros(op->getOperand(0)) + lowZeros(op->getOperand(1)));
  if (isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return std::min(lowZeros(op->getOperand(0)), lowZeros(op->getOperand(1)));
  return 0;
}

/// Whether the address is a multiple of the vector's size, where the memory's
/// is.
static bool isAligned(vector::StoreOp store, int64_t elementBytes,
                      int64_t vectorBytes) {
  int64_t wanted = llvm::countr_zero(uint64_t(vectorBytes));
  int64_t stride = elementBytes;
  auto sizes = store.getMemRefType().getShape();
  for (auto [index, size] :
       llvm::reverse(llvm::zip(store.getIndices(), sizes))) {
    if (lowZeros(index) + llvm::countr_zero(uint64_t(stride)) < wanted)
      return false;
    stride *= size;
  }
  return true;
}

static bool fillsLines(vector::StoreOp store, int64_t vectorBytes) {
  if (vectorBytes % kLineBytes == 0)
    return true;
  // The next round of the loop over strips goes on where this one ends.
  auto loop = dyn_cast<scf::ForOp>(store->getParentOp());
  return loop && getConstantIntValue(loop.getStep()) ==
                     store.getVectorType().getNumElements();
}

/// A store that may go past the caches, by what it writes and where.
static bool canStream(vector::StoreOp store, int64_t leastBytes) {
  MemRefType memory = store.getMemRefType();
  if (!isa<BlockArgument>(store.getBase()) || !memory.hasStaticShape())
    return false;
  int64_t elementBytes = storedBytes(memory.getElementType());
  int64_t vectorBytes = store.getVectorType().getNumElements() * elementBytes;
  return memory.getNumElements() * elementBytes >= leastBytes &&
         vectorBytes >= 16 && llvm::isPowerOf2_64(vectorBytes) &&
         isAligned(store, elementBytes, vectorBytes) &&
         fillsLines(store, vectorBytes);
}

void fuse::tile::streamStores(func::FuncOp function, int64_t leastBytes) {
  bool streams = false;
  function.walk([&](vector::StoreOp store) {
    if (!canStream(store, leastBytes))
      return;
    VectorType type = store.getVectorType();
    store.setNontemporal(true);
    store.setAlignment(type.getNumElements() *
                       storedBytes(type.getElementType()));
    streams = true;
  });
  if (!streams)
    return;
  // Nothing but a fence orders these stores: without it, a thread that has
  // waited for this one might still read what was there before.
  Operation *end = function.getBody().front().getTerminator();
  OpBuilder builder(end);
  LLVM::FenceOp::create(builder, end->getLoc(), LLVM::AtomicOrdering::seq_cst);
}
