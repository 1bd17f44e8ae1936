//===- StreamStores.cpp - writing what no cache holds ---------------------===//
//
// A loop that reads memory as well writes past the caches: it moves a third
// less than if lines were read before they are written. Such a store has to be
// aligned, and to fill its line alone or together with the next one: a part of
// a line is written slower than through the caches.
//
// A loop that reads caches only would wait for each of those stores. It asks
// for the lines before it comes to them, which is as fast on some processors,
// and half as long on others.
//
//===----------------------------------------------------------------------===//

#include "StreamStores.h"
#include "Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

/// Whether the next round of the loop goes on where this one ends.
static bool isStripLoop(scf::ForOp loop, vector::StoreOp store) {
  return getConstantIntValue(loop.getStep()) ==
         store.getVectorType().getNumElements();
}

/// Whether the loop around a store reads what a kernel was given, and not only
/// what is in its workspace.
static bool readsMemory(scf::ForOp loop) {
  return loop
      .walk([](Operation *op) {
        bool reads = isa<vector::LoadOp, vector::MaskedLoadOp, vector::GatherOp,
                         memref::LoadOp>(op) &&
                     isa<BlockArgument>(op->getOperand(0));
        return reads ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Asks for a line that a later round of the loop writes. Behind the last one
/// there may be no memory, which is no fault.
static void prefetchAhead(vector::StoreOp store) {
  // As far as memory is behind: some hundred nanoseconds.
  constexpr int64_t kAheadBytes = 2048;
  VectorType type = store.getVectorType();
  OpBuilder b(store);
  Location loc = store.getLoc();
  SmallVector<Value> ahead(store.getIndices());
  ahead.back() = arith::AddIOp::create(
      b, loc, ahead.back(),
      arith::ConstantIndexOp::create(
          b, loc, kAheadBytes / storedBytes(type.getElementType())));
  memref::PrefetchOp::create(b, loc, store.getBase(), ahead, /*isWrite=*/true,
                             /*localityHint=*/3, /*isDataCache=*/true);
}

static bool fillsLines(vector::StoreOp store, int64_t vectorBytes) {
  if (vectorBytes % kLineBytes == 0)
    return true;
  auto loop = dyn_cast<scf::ForOp>(store->getParentOp());
  return loop && isStripLoop(loop, store);
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
    if (auto loop = dyn_cast<scf::ForOp>(store->getParentOp());
        loop && isStripLoop(loop, store) && !readsMemory(loop)) {
      prefetchAhead(store);
      return;
    }
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
