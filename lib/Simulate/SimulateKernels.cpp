//===- SimulateKernels.cpp - kernels that are run where they are ----------===//
//
// A pass that runs the kernels of a module on whole numbers, which no order of
// sums rounds, and compares what comes out.
//
//===----------------------------------------------------------------------===//

#include "Array.h"
#include "fuse/Runtime/Fill.h"
#include "fuse/Simulate/Passes.h"
#include "fuse/Simulate/Simulate.h"

#include <cmath>

namespace fuse {
#define GEN_PASS_DEF_SIMULATEKERNELS
#include "fuse/Simulate/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

namespace {

/// What a kernel has been run on, and what it wrote.
struct KernelRun {
  tile::KernelOp kernel;
  uint64_t seed = 0;
  std::vector<HostBuffer> buffers;
};

} // namespace

/// Memory for every argument: inputs with numbers, outputs without.
static FailureOr<std::vector<HostBuffer>> makeMemory(tile::KernelOp kernel) {
  std::vector<HostBuffer> buffers;
  for (BlockArgument argument : kernel.getMemory()) {
    auto type = cast<MemRefType>(argument.getType());
    if (!type.hasStaticShape())
      return kernel.emitOpError("has an argument of type ")
             << type << ", but needs static sizes to be simulated";
    auto element = simulate::ArrayType::of(type.getElementType());
    auto buffer = HostBuffer::allocate(element->element, type.getShape().vec());
    if (!buffer)
      return kernel.emitOpError(buffer.error().message());
    if (kernel.isOutput(argument)) {
      buffer->poison();
    } else {
      FillSpec spec = FillSpec::defaultFor(buffer->type());
      if (isFloat(buffer->type()))
        spec = {FillSpec::Kind::Integers, -4, 4};
      fill(*buffer, spec, argument.getArgNumber());
    }
    buffers.push_back(std::move(*buffer));
  }
  return buffers;
}

static FailureOr<KernelRun> runOnce(tile::KernelOp kernel,
                                    ArrayRef<int64_t> grid,
                                    const SimulationOptions &options) {
  FailureOr<std::vector<HostBuffer>> buffers = makeMemory(kernel);
  if (failed(buffers))
    return failure();
  std::vector<SimulatedMemory> memory;
  for (HostBuffer &buffer : *buffers)
    memory.push_back({buffer.data(), buffer.type(), buffer.shape(), {}});
  if (failed(simulateKernel(kernel, grid, memory, options)))
    return failure();
  return KernelRun{kernel, options.seed, std::move(*buffers)};
}

/// Equal as numbers: the sign of a zero may depend on an order.
static LogicalResult compare(KernelRun &run, KernelRun &first) {
  for (auto [argument, own, wanted] :
       llvm::zip_equal(run.kernel->getRegion(0).getArguments().take_front(
                           run.buffers.size()),
                       run.buffers, first.buffers))
    for (size_t i = 0, e = own.elementCount(); i < e; ++i) {
      double a = loadAsDouble(own.type(), own.data(), i);
      double b = loadAsDouble(wanted.type(), wanted.data(), i);
      if (a == b || (std::isnan(a) && std::isnan(b)))
        continue;
      InFlightDiagnostic diagnostic =
          run.kernel.emitOpError("writes ")
          << std::to_string(a) << " to element " << i << " of argument #"
          << argument.getArgNumber() << " with seed " << run.seed << ", but "
          << std::to_string(b) << " was wanted";
      diagnostic.attachNote(first.kernel.getLoc())
          << "that is what this kernel writes with seed " << first.seed;
      return diagnostic;
    }
  return success();
}

namespace {

struct SimulateKernelsPass final
    : fuse::impl::SimulateKernelsBase<SimulateKernelsPass> {
  using SimulateKernelsBase::SimulateKernelsBase;

  LogicalResult check(tile::KernelOp kernel, std::optional<KernelRun> &first);
  void runOnOperation() final {
    std::optional<KernelRun> first;
    for (auto kernel : getOperation().getOps<tile::KernelOp>())
      if (failed(check(kernel, first)))
        return signalPassFailure();
  }
};

} // namespace

LogicalResult SimulateKernelsPass::check(tile::KernelOp kernel,
                                         std::optional<KernelRun> &first) {
  if (grid.size() != kernel.getGridRank())
    return kernel.emitOpError("has a grid of ")
           << kernel.getGridRank() << " dimensions, but the option 'grid' "
           << "has " << grid.size();
  if (first && !llvm::equal(ValueRange(kernel.getMemory()).getTypes(),
                            ValueRange(first->kernel.getMemory()).getTypes()))
    return kernel.emitOpError("has other arguments than '")
           << first->kernel.getName() << "', with which it is compared";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    FailureOr<KernelRun> run = runOnce(kernel, grid, {seed, mostWork});
    if (failed(run))
      return failure();
    if (!first)
      first = std::move(*run);
    else if (failed(compare(*run, *first)))
      return failure();
  }
  return success();
}
