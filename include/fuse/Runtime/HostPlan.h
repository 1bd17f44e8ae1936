//===- HostPlan.h - which kernels run on which buffers ----------*- C++ -*-===//
//
// What is left of a graph when its kernels are compiled: a list of launches in
// order, and the buffers between them, which share memory where they can.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_HOSTPLAN_H
#define FUSE_RUNTIME_HOSTPLAN_H

#include "fuse/Runtime/Buffer.h"
#include "fuse/Runtime/SizeExpression.h"

#include <memory>

namespace fuse {

/// A compiled kernel. It runs the blocks with the numbers from `begin` to
/// `end`, the last dimension of the grid being the fastest; `arguments` holds
/// pointers to its arguments, in this order:
///   - for each buffer, the address of its memref descriptor: two pointers, an
///     offset, sizes and strides;
///   - `begin` and `end`, as int64_t;
///   - the extents of the grid, as int64_t;
///   - the address of a descriptor of bytes that only this thread uses.
using KernelFunction = void (*)(void **arguments);

/// A buffer that launches read or write.
struct PlanBuffer {
  enum class Kind : uint8_t { Input, Output, Constant, Intermediate };
  Kind kind = Kind::Intermediate;
  /// Which of the inputs, outputs or constants it is.
  size_t number = 0;
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  /// Of an intermediate: where it lies, and the launches between which it does.
  size_t offset = 0, bytes = 0;
  size_t firstUse = 0, lastUse = 0;
  /// Whether a launch of no blocks was to write what it has.
  bool isUnwritten = false;
};

struct PlanLaunch {
  KernelFunction function = nullptr;
  /// Numbers of buffers: what the kernel reads, then what it writes.
  std::vector<size_t> buffers;
  size_t numOutputs = 0;
  std::vector<int64_t> grid;
  size_t workspaceBytes = 0;

  /// How many blocks there are; absent if 64 bits cannot count them.
  std::optional<int64_t> numBlocks() const;
};

/// An output that no launch writes: a constant, an input, or what is another
/// output already.
struct PlanCopy {
  size_t from = 0, output = 0;
};

struct HostPlan {
  std::vector<PlanBuffer> buffers;
  /// Of everyone who has the same code; null where there are none.
  std::shared_ptr<const std::vector<HostBuffer>> constants;
  std::vector<PlanLaunch> launches;
  /// Done when all launches are.
  std::vector<PlanCopy> copies;
  /// What all intermediates take together.
  size_t intermediateBytes = 0;
};

/// Gives every intermediate its place, so that two overlap only if no launch
/// needs both: the largest first, each at the lowest place that is free for as
/// long as it lives. Fails for what no address can count.
Status placeIntermediates(HostPlan &plan);

/// The shape of a buffer for arguments of these sizes; none is below 0.
Result<std::vector<int64_t>>
evaluateShape(std::span<const SizeExpression> shape,
              const SizeBindings &bindings);

/// Appends a launch, unless its grid means nothing or has no blocks to write
/// what it is to write.
Status addLaunch(HostPlan &plan, PlanLaunch launch);

} // namespace fuse

#endif // FUSE_RUNTIME_HOSTPLAN_H
