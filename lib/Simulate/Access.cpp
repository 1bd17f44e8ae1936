//===- Access.cpp - between memory and tiles ------------------------------===//
//
// A tile is walked row by row. Along a row every index moves by a constant, so
// whether all of it is inside shows at its ends.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "TileOps.h"
#include <cstring>

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

AccessPlan::AccessPlan(Operation *op) : access(tile::MemoryAccess::of(op)) {
  for (unsigned dim = 0; dim < access.map.getNumResults(); ++dim) {
    auto &row = coefficients.emplace_back();
    for (unsigned axis = 0; axis < access.map.getNumDims(); ++axis)
      row.push_back(access.coefficient(dim, axis));
  }
}

SmallVector<int64_t, 4> Memory::placeOf(int64_t offset) const {
  SmallVector<int64_t, 4> steps = strides(), place(steps.size(), 0);
  // From the longest step on, whichever dimension it is of.
  auto dims = llvm::to_vector(llvm::seq<size_t>(steps.size()));
  llvm::sort(dims, [&](size_t a, size_t b) { return steps[a] > steps[b]; });
  for (size_t dim : dims)
    if (view.shape[dim] > 1) {
      place[dim] = offset / steps[dim];
      offset %= steps[dim];
    }
  return place;
}

int64_t Memory::spannedElements() const {
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip_equal(view.shape, strides())) {
    if (size == 0)
      return 0;
    last += (size - 1) * stride;
  }
  return last + 1;
}

namespace {

/// Elements of a tile that are next to each other there, and equally far apart
/// in memory.
struct Run {
  size_t at;
  int64_t offset, step, count;
};

class Walker {
public:
  Walker(const AccessPlan &plan, const AccessOperands &operands,
         const Memory &memory)
      : plan(plan), operands(operands), memory(memory.view),
        strides(memory.strides()) {}

  /// Calls `function` with all runs of the tile that are in memory.
  template <typename F> LogicalResult walk(ArrayRef<int64_t> shape, F function);

private:
  bool isInside(ArrayRef<int64_t> place) const {
    return llvm::all_of(llvm::zip_equal(place, memory.shape), [](auto each) {
      auto [index, size] = each;
      return index >= 0 && index < size;
    });
  }
  int64_t offsetOf(ArrayRef<int64_t> place) const {
    int64_t offset = 0;
    for (auto [index, stride] : llvm::zip_equal(place, strides))
      offset += index * stride;
    return offset;
  }
  /// The place in memory of the row's element `i`, without positions.
  SmallVector<int64_t, 4> placeOf(ArrayRef<int64_t> origin,
                                  ArrayRef<int64_t> steps, int64_t i) const {
    SmallVector<int64_t, 4> place(origin);
    for (auto [index, step] : llvm::zip_equal(place, steps))
      index += i * step;
    return place;
  }
  template <typename F>
  LogicalResult walkSingly(ArrayRef<int64_t> origin, ArrayRef<int64_t> steps,
                           size_t start, int64_t count, F function);
  LogicalResult complain(ArrayRef<int64_t> place);

  const AccessPlan &plan;
  const AccessOperands &operands;
  const SimulatedMemory &memory;
  SmallVector<int64_t, 4> strides;
};

} // namespace

static void printPlace(InFlightDiagnostic &diagnostic,
                       ArrayRef<int64_t> place) {
  diagnostic << "[";
  llvm::interleave(
      place, [&](int64_t index) { diagnostic << index; },
      [&] { diagnostic << ", "; });
  diagnostic << "]";
}

LogicalResult Walker::complain(ArrayRef<int64_t> place) {
  InFlightDiagnostic diagnostic =
      plan.access.op->emitOpError("touches element ");
  printPlace(diagnostic, place);
  diagnostic << " of a memory of shape ";
  printPlace(diagnostic, memory.shape);
  return diagnostic;
}

/// Element by element, where positions come in or an edge goes through.
template <typename F>
LogicalResult Walker::walkSingly(ArrayRef<int64_t> origin,
                                 ArrayRef<int64_t> steps, size_t start,
                                 int64_t count, F function) {
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<int64_t, 4> place = placeOf(origin, steps, i);
    for (auto [dim, positions] :
         llvm::zip(plan.access.gathered, operands.positions)) {
      int64_t position = positions->get<int64_t>()[start + i];
      // What no index can be is outside for certain.
      if (llvm::AddOverflow(place[dim], position, place[dim]))
        place[dim] = -1;
    }
    if (isInside(place)) {
      if (failed(function(Run{start + i, offsetOf(place), 1, 1})))
        return failure();
    } else if (!plan.access.isGuarded) {
      return complain(place);
    }
  }
  return success();
}

template <typename F>
LogicalResult Walker::walk(ArrayRef<int64_t> shape, F function) {
  unsigned rank = shape.size(), last = rank - 1;
  SmallVector<int64_t, 4> steps;
  int64_t step = 0;
  for (auto [row, stride] : llvm::zip_equal(plan.coefficients, strides)) {
    steps.push_back(rank == 0 ? 0 : row[last]);
    step += steps.back() * stride;
  }
  LogicalResult result = success();
  forEachRow(shape, [&](ArrayRef<int64_t> indices, size_t start) {
    int64_t count = rowLength(shape);
    for (auto [axis, limit] :
         llvm::zip_equal(plan.access.axes, operands.limits))
      if (axis == last)
        count = std::clamp<int64_t>(limit, 0, count);
      else if (indices[axis] >= limit)
        count = 0;
    int64_t first = 0;
    for (auto [begin, axis] :
         llvm::zip_first(operands.starts, plan.access.axes))
      if (axis == last)
        first = std::clamp<int64_t>(begin, 0, count);
      else if (indices[axis] < begin)
        count = 0;
    count -= first;
    if (count <= 0 || failed(result))
      return;
    SmallVector<int64_t, 4> origin(operands.indices);
    for (auto [index, row] : llvm::zip_equal(origin, plan.coefficients))
      for (auto [at, coefficient] : llvm::zip(indices, row))
        index += at * coefficient;
    origin = placeOf(origin, steps, first);
    start += first;
    if (operands.positions.empty() && isInside(origin) &&
        isInside(placeOf(origin, steps, count - 1)))
      result = function(Run{start, offsetOf(origin), step, count});
    else
      result = walkSingly(origin, steps, start, count, function);
  });
  return result;
}

LogicalResult simulate::read(const AccessPlan &plan,
                             const AccessOperands &operands,
                             const Memory &memory, Array &result) {
  return Walker(plan, operands, memory)
      .walk(result.shape(), [&](const Run &run) {
        loadRun(result, run.at, memory.view.data, run.offset, run.step,
                run.count);
        return success();
      });
}

/// What several blocks write to one element has to be the same.
static LogicalResult checkWriter(const AccessPlan &plan, int64_t offset,
                                 const Array &source, size_t at, uint64_t block,
                                 Memory &memory) {
  uint64_t &writer = memory.writers[offset];
  if (writer != 0 && writer != block) {
    size_t bytes = byteSize(source.type());
    uint64_t wanted = 0, present = 0;
    storeRun(source, at, &wanted, 0, 1, 1);
    std::memcpy(&present,
                static_cast<const char *>(memory.view.data) + offset * bytes,
                bytes);
    if (wanted != present) {
      SmallVector<int64_t, 4> place = memory.placeOf(offset);
      InFlightDiagnostic diagnostic =
          plan.access.op->emitOpError("writes element ");
      printPlace(diagnostic, place);
      return diagnostic << " in block #" << block - 1 << ", where block #"
                        << writer - 1 << " has written something else";
    }
  }
  writer = block;
  return success();
}

LogicalResult simulate::write(const AccessPlan &plan,
                              const AccessOperands &operands,
                              const Array &source, uint64_t block,
                              Memory &memory) {
  return Walker(plan, operands, memory)
      .walk(source.shape(), [&](const Run &run) -> LogicalResult {
        for (int64_t i = 0; i < run.count; ++i)
          if (failed(checkWriter(plan, run.offset + i * run.step, source,
                                 run.at + i, block, memory)))
            return failure();
        storeRun(source, run.at, memory.view.data, run.offset, run.step,
                 run.count);
        return success();
      });
}
