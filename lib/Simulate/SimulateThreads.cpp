//===- SimulateThreads.cpp - a cluster of threads that is run -------------===//
//
// Blocks do the same, so a few of them are enough: those that begin the grid
// and those that end it.
//
//===----------------------------------------------------------------------===//

#include "ThreadRun.h"
#include "fuse/Simulate/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace fuse {
#define GEN_PASS_DEF_SIMULATETHREADS
#include "fuse/Simulate/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

static int64_t numberOf(LLVM::LLVMFuncOp function, StringRef name,
                        int64_t otherwise) {
  auto number = function->getAttrOfType<IntegerAttr>(name);
  return number ? number.getInt() : otherwise;
}

/// Whether as many sizes are given as there are, or none.
static LogicalResult checkSizes(LLVM::LLVMFuncOp function,
                                ArrayRef<int64_t> given) {
  int64_t count = llvm::count_if(function.getArgumentTypes(),
                                 [](Type type) { return type.isInteger(64); });
  if (given.empty() || static_cast<int64_t>(given.size()) == count)
    return success();
  return function.emitOpError("has ")
         << count << " sizes and strides as parameters, but the option 'sizes' "
         << "has " << given.size();
}

/// As many blocks as there are places; half of them where they walk, so that
/// each goes on to another place.
static FailureOr<GridNumbers> gridOf(LLVM::LLVMFuncOp function,
                                     ArrayRef<int64_t> given) {
  bool walks = function->hasAttr("tile.walks");
  // The first one is a parameter only where it is needed.
  unsigned left = walks ? 0 : 1;
  unsigned rank =
      left + llvm::count_if(function.getArgumentTypes(),
                            [](Type type) { return type.isInteger(32); });
  constexpr int64_t otherwise = 2;
  SmallVector<int64_t> extents(given);
  if (given.empty())
    extents.assign(rank, otherwise);
  if (extents.size() != rank)
    return function.emitOpError("has a grid of ")
           << rank << " dimensions, but the option 'grid' has "
           << extents.size();
  int64_t together = numberOf(function, "tile.cluster", 1);
  int64_t blocks = numberOf(function, "tile.blocks", llvm::product_of(extents));
  if (walks)
    blocks /= 2;
  GridNumbers grid;
  grid.blocks = std::max<int64_t>(blocks / together, 1) * together;
  grid.extents.assign(extents.begin() + left, extents.end());
  return grid;
}

namespace {

struct SimulateThreadsPass final
    : fuse::impl::SimulateThreadsBase<SimulateThreadsPass> {
  using SimulateThreadsBase::SimulateThreadsBase;

  LogicalResult check(LLVM::LLVMFuncOp function) {
    if (!function->hasAttrOfType<DenseI32ArrayAttr>(
            NVVM::NVVMDialect::getReqntidAttrName()))
      return function.emitOpError("does not say how many threads it has");
    ThreadCode code(function);
    if (failed(code.analyse()))
      return failure();
    FailureOr<GridNumbers> numbers = gridOf(function, grid);
    if (failed(numbers) || failed(checkSizes(function, sizes)))
      return failure();
    numbers->sizes.assign(sizes.begin(), sizes.end());
    int64_t last = numbers->blocks - numberOf(function, "tile.cluster", 1);
    for (uint64_t seed = 0; seed < seeds; ++seed)
      if (failed(ThreadRun(function, code, *numbers, seed % 2 ? last : 0, seed)
                     .run()))
        return failure();
    return success();
  }

  void runOnOperation() final {
    markAllAnalysesPreserved();
    WalkResult walked = getOperation().walk([&](LLVM::LLVMFuncOp function) {
      bool isKernel =
          function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
      return isKernel && failed(check(function)) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
