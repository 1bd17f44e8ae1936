//===- BoxCopy.cpp - what the copy engine can copy ------------------------===//
//
// First what it asks of the memory, then the size of boxes and their swizzle:
// each candidate is compared with the layout element by element.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/BoxCopy.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static constexpr int64_t mostDimensions = 5, mostInBox = 256, unitBytes = 16;

namespace {

/// Which axis of the tile moves along each dimension of the memory.
using AxisOfDim = SmallVector<std::optional<unsigned>>;

} // namespace

/// Nothing if an axis moves along several dimensions, or by other than 1.
static std::optional<AxisOfDim> axesOf(const MemoryAccess &access) {
  AxisOfDim axes(access.memory.getType().getRank());
  for (unsigned axis = 0, rank = access.tile.getRank(); axis < rank; ++axis) {
    if (access.tile.getDimSize(axis) == 1)
      continue;
    unsigned uses = 0;
    for (unsigned dim = 0; dim < axes.size(); ++dim) {
      int64_t factor = access.coefficient(dim, axis);
      if (factor == 0)
        continue;
      if (factor != 1 || axes[dim] || ++uses > 1)
        return std::nullopt;
      axes[dim] = axis;
    }
    if (uses == 0)
      return std::nullopt;
  }
  return axes;
}

/// Rows that begin at multiples of 16 bytes. Sizes that are not known are above
/// 0, which whoever launches sees to.
static bool isSuitableMemory(const MemoryAccess &access) {
  MemRefType type = access.memory.getType();
  int64_t rank = type.getRank();
  if (rank == 0 || rank > mostDimensions ||
      type.getElementType().isInteger(1) || type.getElementType().isIndex() ||
      access.alignment() % unitBytes != 0 || access.stride(rank - 1) != 1)
    return false;
  int64_t bytes = elementBytes(type.getElementType());
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = type.getDimSize(dim);
    if (!ShapedType::isDynamic(size) && (size <= 0 || !llvm::isInt<31>(size)))
      return false;
    if (dim + 1 < rank && access.strideDivisor(dim) * bytes % unitBytes != 0)
      return false;
  }
  return true;
}

/// Whether two sizes, both dynamic, are promised to be one.
static bool areOne(Value a, unsigned dimA, Value b, unsigned dimB) {
  if (a == b && dimA == dimB)
    return true;
  auto kernel = cast<KernelOp>(a.getParentBlock()->getParentOp());
  ArrayRef<int64_t> own = kernel.promiseOf(a).getSizes(),
                    other = kernel.promiseOf(b).getSizes();
  return !own.empty() && !other.empty() && own[dimA] != -1 &&
         own[dimA] == other[dimB];
}

/// Whether `limit` is where the memory ends, or beyond the tile.
static bool isNatural(const MemoryAccess &access, Value limit, unsigned axis,
                      const AxisOfDim &axes) {
  APInt number;
  bool isNumber = matchPattern(limit, m_ConstantInt(&number));
  if (isNumber && number.getSExtValue() >= access.tile.getDimSize(axis))
    return true;
  const auto *at = llvm::find(axes, std::optional(axis));
  if (at == axes.end())
    return false;
  unsigned dim = at - axes.begin();
  int64_t size = access.memory.getType().getDimSize(dim);
  APInt start;
  Value index = access.indices[dim];
  if (isNumber && matchPattern(index, m_ConstantInt(&start)))
    return (start + number).getSExtValue() == size;
  auto difference = limit.getDefiningOp<arith::SubIOp>();
  if (!difference || difference.getRhs() != index)
    return false;
  APInt total;
  if (matchPattern(difference.getLhs(), m_ConstantInt(&total)))
    return total.getSExtValue() == size;
  auto asked = difference.getLhs().getDefiningOp<memref::DimOp>();
  return asked && asked.getConstantIndex() &&
         areOne(asked.getSource(), *asked.getConstantIndex(), access.memory,
                dim);
}

/// Whether the engine leaves every element where the layout has it; fills
/// `boxes`.
static bool agrees(BoxCopy &copy, const AxisOfDim &axes,
                   const SharedLayout &shared, unsigned bytes) {
  unsigned rank = axes.size();
  int64_t rowBytes = copy.extents.back() * bytes;
  int64_t chunkMask =
      copy.swizzleBytes == 0 ? 0 : copy.swizzleBytes / unitBytes - 1;
  int64_t alignment =
      copy.swizzleBytes == 0 ? 128 : int64_t(8) * copy.swizzleBytes;
  Coordinates extents = shared.tile().extents();
  int64_t boxElements = 1;
  for (int64_t extent : copy.extents)
    boxElements *= extent;

  // Boxes in row-major order of where they start.
  SmallVector<int64_t> start(rank, 0);
  auto next = [&] {
    for (unsigned dim = rank; dim-- > 0;) {
      if (!axes[dim])
        continue;
      start[dim] += copy.extents[dim];
      if (start[dim] < extents[*axes[dim]])
        return true;
      start[dim] = 0;
    }
    return false;
  };
  do {
    auto offsetAt = [&](int64_t element) {
      Coordinates position(extents.size(), 0);
      for (unsigned dim = rank; dim-- > 0;) {
        int64_t inBox = element % copy.extents[dim];
        element /= copy.extents[dim];
        if (axes[dim])
          position[*axes[dim]] = start[dim] + inBox;
      }
      return shared.offset(position) * bytes;
    };
    int64_t base = offsetAt(0);
    if (base % alignment != 0)
      return false;
    for (int64_t element = 0; element < boxElements; ++element) {
      int64_t address = base + element / copy.extents.back() * rowBytes +
                        element % copy.extents.back() * bytes;
      address ^= (address >> 7 & chunkMask) << 4;
      if (offsetAt(element) != address)
        return false;
    }
    copy.boxes.push_back({start, base});
  } while (next());
  return true;
}

/// Along which dimensions boxes of a tile lie; nothing if its memory has none.
static std::optional<AxisOfDim> boxAxesOf(const MemoryAccess &access) {
  std::optional<AxisOfDim> axes = axesOf(access);
  if (!axes || !axes->back() || !isSuitableMemory(access) ||
      !access.gathered.empty())
    return std::nullopt;
  for (auto [limit, axis] : llvm::zip_equal(access.limits, access.axes))
    if (!isNatural(access, limit, axis, *axes))
      return std::nullopt;
  return axes;
}

bool fuse::tile::isMadeOfBoxes(const MemoryAccess &access) {
  return boxAxesOf(access).has_value();
}

std::optional<BoxCopy> fuse::tile::boxCopy(const MemoryAccess &access,
                                           const SharedLayout &shared,
                                           int64_t shares) {
  MemRefType memory = access.memory.getType();
  unsigned bytes = elementBytes(memory.getElementType());
  std::optional<AxisOfDim> axes = boxAxesOf(access);
  if (!axes)
    return std::nullopt;
  unsigned fast = *axes->back();
  for (unsigned swizzle : {128, 64, 32, 0}) {
    BoxCopy copy;
    copy.swizzleBytes = swizzle;
    for (std::optional<unsigned> axis : *axes)
      copy.extents.push_back(axis ? shared.tile().extent(*axis) : 1);
    if (swizzle != 0)
      copy.extents.back() = swizzle / bytes;
    if (shared.tile().extent(fast) % copy.extents.back() != 0 ||
        copy.extents.back() * bytes % unitBytes != 0)
      continue;
    // Of long axes a part that divides them, at most a cell.
    for (auto [extent, axis] : llvm::zip_equal(copy.extents, *axes))
      if (extent > mostInBox)
        extent = std::min<int64_t>(mostInBox, shared.tile().cell(*axis));
    // Of the slowest ones halves, until there are enough.
    auto numBoxes = [&] {
      int64_t number = 1;
      for (auto [extent, axis] : llvm::zip_equal(copy.extents, *axes))
        if (axis)
          number *= shared.tile().extent(*axis) / extent;
      return number;
    };
    for (int64_t &extent : MutableArrayRef(copy.extents).drop_back())
      while (numBoxes() % shares != 0 && extent % 2 == 0)
        extent /= 2;
    if (numBoxes() % shares != 0)
      continue;
    if (agrees(copy, *axes, shared, bytes))
      return copy;
  }
  return std::nullopt;
}

std::optional<BoxCopy> fuse::tile::boxCopy(CopyOp copy) {
  int64_t shares = copy.getMulticast()
                       ? blocksOfCluster(copy->getParentOfType<KernelOp>())
                       : 1;
  return boxCopy(MemoryAccess::of(copy),
                 sharedLayoutOf(copy.getTile()).getValue(), shares);
}
