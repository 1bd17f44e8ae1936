//===- Simulate.cpp - run kernels on the CPU, op by op --------------------===//
//
// The grid.
//
//===----------------------------------------------------------------------===//

#include "fuse/Simulate/Simulate.h"
#include "Interpreter.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"

using namespace mlir;
using namespace fuse;

LogicalResult fuse::simulateKernel(tile::KernelOp kernel,
                                   ArrayRef<int64_t> grid,
                                   ArrayRef<SimulatedMemory> memory,
                                   const SimulationOptions &options) {
  simulate::Interpreter interpreter(kernel, memory, options);
  SmallVector<int64_t> place(grid.size());
  // What goes wrong says where, and how it is seen again.
  ScopedDiagnosticHandler handler(
      kernel.getContext(), [&](Diagnostic &diagnostic) {
        std::string block;
        llvm::raw_string_ostream stream(block);
        llvm::interleaveComma(place, stream);
        diagnostic.attachNote(kernel.getLoc())
            << "seen in block [" << block << "] of '" << kernel.getName()
            << "' with seed " << options.seed;
        return failure();
      });
  if (kernel.getWalks()) {
    // As many blocks as there are items at most, and fewer with most seeds.
    int64_t items = 1;
    for (int64_t extent : grid)
      items *= extent;
    int64_t fewer = items == 0 ? 0
                               : static_cast<int64_t>(options.seed) *
                                     (items / 3 + 1) % items;
    // Blocks of a cluster are there together.
    int64_t together = tile::blocksOfCluster(kernel);
    int64_t blocks = std::max((items - fewer) / together * together,
                              std::min(items, together));
    place = {0, blocks};
    place.append(grid.begin(), grid.end());
    for (; place[0] < place[1]; ++place[0])
      if (failed(interpreter.runBlock(place, place[0] + 1)))
        return failure();
  } else if (!llvm::is_contained(grid, 0)) {
    uint64_t number = 0;
    bool isLast = false;
    while (!isLast) {
      if (failed(interpreter.runBlock(place, ++number)))
        return failure();
      size_t dim = grid.size();
      while (dim > 0 && ++place[dim - 1] == grid[dim - 1])
        place[--dim] = 0;
      isLast = dim == 0;
    }
  }
  return interpreter.checkWritten();
}
