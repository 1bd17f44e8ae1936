//===- BoxCopy.cpp - what the copy engine can copy ------------------------===//
//
// First what it asks of the memory, then the size of boxes and their swizzle:
// each candidate is compared with the layout, at as many elements as tell.
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

/// The dimensions of the memory, and those into which one is divided along
/// which several axes of the tile move, or one by more than 1. Nothing if an
/// axis moves along several of them.
static std::optional<SmallVector<BoxCopy::Dim>>
dimensionsOf(const MemoryAccess &access) {
  unsigned rank = access.memory.getType().getRank();
  SmallVector<SmallVector<BoxCopy::Dim>> parts(rank);
  for (unsigned axis = 0; axis < access.tile.getRank(); ++axis) {
    if (access.tile.getDimSize(axis) == 1)
      continue;
    unsigned uses = 0;
    for (unsigned dim = 0; dim < rank; ++dim) {
      int64_t factor = access.coefficient(dim, axis);
      if (factor == 0)
        continue;
      if (factor < 0 || ++uses > 1)
        return std::nullopt;
      parts[dim].push_back({dim, factor, 0, axis, std::nullopt});
    }
    if (uses == 0)
      return std::nullopt;
  }
  SmallVector<BoxCopy::Dim> dims;
  for (unsigned dim = 0; dim < rank; ++dim) {
    llvm::sort(parts[dim], [](const BoxCopy::Dim &a, const BoxCopy::Dim &b) {
      return std::pair(b.step, a.axis) < std::pair(a.step, b.axis);
    });
    if (parts[dim].empty() || parts[dim].back().step != 1)
      parts[dim].push_back({dim, 1, 0, std::nullopt, std::nullopt});
    int64_t size = access.memory.getType().getDimSize(dim);
    for (BoxCopy::Dim &part : parts[dim]) {
      part.size = size;
      // What is divided has no rest.
      if (part.step != 1 || parts[dim].size() != 1) {
        if (!access.isDisjoint || ShapedType::isDynamic(size) ||
            size % part.step != 0 ||
            (stridesOf(access.memory.getType()) &&
             !hasGapsOfItsOwn(access.memory.getType())))
          return std::nullopt;
        part.size = size / part.step;
      }
      size = part.step;
      dims.push_back(part);
    }
  }
  return dims;
}

/// Rows that begin at multiples of 16 bytes. Sizes that are not known are above
/// 0, which whoever launches sees to.
static bool isSuitableMemory(const MemoryAccess &access,
                             ArrayRef<BoxCopy::Dim> dims) {
  MemRefType type = access.memory.getType();
  if (dims.empty() || dims.size() > mostDimensions ||
      type.getElementType().isInteger(1) || type.getElementType().isIndex() ||
      access.alignment() % unitBytes != 0 ||
      access.stride(type.getRank() - 1) != 1)
    return false;
  int64_t bytes = elementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size) && (size <= 0 || !llvm::isInt<31>(size)))
      return false;
  return llvm::all_of(dims.drop_back(), [&](const BoxCopy::Dim &dim) {
    return access.strideDivisor(dim.of) * dim.step * bytes % unitBytes == 0;
  });
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

/// Where a limit is, from the start of the dimension on, if that is a number.
static std::optional<int64_t> positionOf(const MemoryAccess &access,
                                         Value limit, unsigned dim) {
  ElementSum position;
  position.add(access.indices[dim], 1);
  position.add(limit, 1);
  position.terms.remove_if([](const auto &term) { return term.second == 0; });
  if (position.multiple != 0 || !position.terms.empty())
    return std::nullopt;
  return static_cast<int64_t>(position.constant);
}

/// Whether `limit` is where a dimension that is not divided ends, or can be
/// made to: the engine may be told of less than there is.
static bool isEndOf(const MemoryAccess &access, Value limit,
                    BoxCopy::Dim &own) {
  unsigned dim = own.of;
  int64_t size = access.memory.getType().getDimSize(dim);
  if (std::optional<int64_t> position = positionOf(access, limit, dim)) {
    if (ShapedType::isDynamic(size) || *position < 1 || *position > size ||
        own.end.value_or(*position) != *position)
      return false;
    if (*position < size)
      own.end = *position;
    return true;
  }
  Value index = access.indices[dim];
  auto difference = limit.getDefiningOp<arith::SubIOp>();
  if (!difference || difference.getRhs() != index)
    return false;
  auto asked = difference.getLhs().getDefiningOp<memref::DimOp>();
  return asked && asked.getConstantIndex() &&
         areOne(asked.getSource(), *asked.getConstantIndex(), access.memory,
                dim);
}

/// Without what `number` divides.
static ElementSum withoutMultiples(ElementSum sum, uint64_t number) {
  // What is subtracted counts below 0.
  auto rest = [&](uint64_t factor) {
    return llvm::mod(static_cast<int64_t>(factor),
                     static_cast<int64_t>(number));
  };
  sum.terms.remove_if([&](const auto &term) { return rest(term.second) == 0; });
  sum.constant = static_cast<uint64_t>(rest(sum.constant));
  return sum;
}

/// The same for a part of a dimension: `limit` steps from the start on the part
/// ends, but for what smaller digits add.
static bool isEndOfPart(const MemoryAccess &access, Value limit,
                        const BoxCopy::Dim &part) {
  ElementSum start;
  start.add(access.indices[part.of], 1);
  uint64_t end = part.size * part.step;
  if (part.size * part.step != access.memory.getType().getDimSize(part.of))
    start = withoutMultiples(start, end);
  ElementSum last = start;
  last.add(limit, part.step);
  last.constant -= end;
  last.terms.remove_if([](const auto &term) { return term.second == 0; });
  return start.multiple == 0 && last == withoutMultiples(start, part.step);
}

/// Whether `limit` is where the memory ends for the engine, or beyond the tile.
static bool isNatural(const MemoryAccess &access, Value limit, unsigned axis,
                      MutableArrayRef<BoxCopy::Dim> dims) {
  APInt number;
  if (matchPattern(limit, m_ConstantInt(&number)) &&
      number.getSExtValue() >= access.tile.getDimSize(axis))
    return true;
  auto *at = llvm::find_if(
      dims, [&](const BoxCopy::Dim &dim) { return dim.axis == axis; });
  if (at == dims.end())
    return false;
  return at->isPart(access.memory.getType()) ? isEndOfPart(access, limit, *at)
                                             : isEndOf(access, limit, *at);
}

/// Where an element of a box lies in the tile.
static Coordinates positionIn(const BoxCopy &copy, ArrayRef<int64_t> start,
                              int64_t element, unsigned rank) {
  Coordinates position(rank, 0);
  for (auto [extent, dim, first] :
       llvm::reverse(llvm::zip_equal(copy.extents, copy.dims, start))) {
    if (dim.axis)
      position[*dim.axis] = first + element % extent;
    element /= extent;
  }
  return position;
}

/// Whether the engine leaves a box as the layout does if it leaves each bit of
/// an element's number so. Both are linear over bits in a box that is a part of
/// a cell, as long as where it begins has none of its bits.
static bool isLinear(const BoxCopy &copy, const SharedLayout &shared,
                     ArrayRef<int64_t> start) {
  for (auto [extent, dim] : llvm::zip_equal(copy.extents, copy.dims))
    if (!llvm::isPowerOf2_64(extent) ||
        (dim.axis && shared.tile().cell(*dim.axis) % extent != 0))
      return false;
  unsigned rank = shared.tile().rank();
  SmallVector<int64_t> none(start.size(), 0);
  int64_t first = shared.offset(positionIn(copy, start, 0, rank));
  int64_t elements = llvm::product_of(copy.extents);
  for (int64_t bit = 1; bit < elements; bit *= 2)
    if (first & shared.offset(positionIn(copy, none, bit, rank)))
      return false;
  return true;
}

/// Whether the engine leaves every element where the layout has it; fills
/// `boxes`.
static bool agrees(BoxCopy &copy, const SharedLayout &shared, unsigned bytes) {
  unsigned rank = copy.dims.size();
  int64_t chunkMask =
      copy.swizzleBytes == 0 ? 0 : copy.swizzleBytes / unitBytes - 1;
  int64_t alignment =
      copy.swizzleBytes == 0 ? 128 : int64_t(8) * copy.swizzleBytes;
  Coordinates extents = shared.tile().extents();
  int64_t boxElements = llvm::product_of(copy.extents);

  // Boxes in row-major order of where they start.
  SmallVector<int64_t> start(rank, 0);
  auto next = [&] {
    for (unsigned dim = rank; dim-- > 0;) {
      std::optional<unsigned> axis = copy.dims[dim].axis;
      if (!axis)
        continue;
      start[dim] += copy.extents[dim];
      if (start[dim] < extents[*axis])
        return true;
      start[dim] = 0;
    }
    return false;
  };
  do {
    auto offsetAt = [&](int64_t element) {
      return shared.offset(positionIn(copy, start, element, extents.size())) *
             bytes;
    };
    int64_t base = offsetAt(0);
    if (base % alignment != 0)
      return false;
    bool isTold = isLinear(copy, shared, start);
    for (int64_t element = 1; element < boxElements;
         element = isTold ? 2 * element : element + 1) {
      int64_t address = base + element * bytes;
      address ^= (address >> 7 & chunkMask) << 4;
      if (offsetAt(element) != address)
        return false;
    }
    copy.boxes.push_back({start, base});
  } while (next());
  return true;
}

/// Along which dimensions boxes of a tile lie; nothing if its memory has none.
static std::optional<SmallVector<BoxCopy::Dim>>
boxDimensionsOf(const MemoryAccess &access) {
  if (!access.gathered.empty() || access.memory.getType().getRank() == 0)
    return std::nullopt;
  std::optional<SmallVector<BoxCopy::Dim>> dims = dimensionsOf(access);
  if (!dims || !dims->back().axis || !isSuitableMemory(access, *dims))
    return std::nullopt;
  for (auto [limit, axis] : llvm::zip_equal(access.limits, access.axes))
    if (!isNatural(access, limit, axis, *dims))
      return std::nullopt;
  return dims;
}

bool fuse::tile::isMadeOfBoxes(const MemoryAccess &access) {
  return boxDimensionsOf(access).has_value();
}

std::optional<BoxCopy> fuse::tile::boxCopy(const MemoryAccess &access,
                                           const SharedLayout &shared,
                                           int64_t shares) {
  MemRefType memory = access.memory.getType();
  unsigned bytes = elementBytes(memory.getElementType());
  std::optional<SmallVector<BoxCopy::Dim>> dims = boxDimensionsOf(access);
  if (!dims)
    return std::nullopt;
  unsigned fast = *dims->back().axis;
  for (unsigned swizzle : {128, 64, 32, 0}) {
    BoxCopy copy;
    copy.dims = *dims;
    copy.swizzleBytes = swizzle;
    for (const BoxCopy::Dim &dim : *dims)
      copy.extents.push_back(dim.axis ? shared.tile().extent(*dim.axis) : 1);
    if (swizzle != 0)
      copy.extents.back() = swizzle / bytes;
    if (shared.tile().extent(fast) % copy.extents.back() != 0 ||
        copy.extents.back() * bytes % unitBytes != 0)
      continue;
    // Of long axes a part that divides them, at most a cell.
    for (auto [extent, dim] : llvm::zip_equal(copy.extents, *dims))
      if (extent > mostInBox)
        extent = std::min<int64_t>(mostInBox, shared.tile().cell(*dim.axis));
    // Of the slowest ones halves, until there are enough.
    auto numBoxes = [&] {
      int64_t number = 1;
      for (auto [extent, dim] : llvm::zip_equal(copy.extents, *dims))
        if (dim.axis)
          number *= shared.tile().extent(*dim.axis) / extent;
      return number;
    };
    for (int64_t &extent : MutableArrayRef(copy.extents).drop_back())
      while (numBoxes() % shares != 0 && extent % 2 == 0)
        extent /= 2;
    if (numBoxes() % shares != 0)
      continue;
    if (agrees(copy, shared, bytes))
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

static int64_t elementsIn(size_t boxes, ArrayRef<int64_t> extents) {
  return static_cast<int64_t>(boxes) * llvm::product_of(extents);
}

int64_t BoxRest::lessThan(const BoxCopy &whole) const {
  return elementsIn(whole.boxes.size(), whole.extents) -
         elementsIn(boxes.size(), extents);
}

/// How many elements the last tile along an axis has; 0 if all are whole, or if
/// nobody knows.
static int64_t restAlong(const MemoryAccess &access, const BoxCopy::Dim &dim,
                         int64_t tile) {
  MemRefType memory = access.memory.getType();
  if (dim.isPart(memory) || ShapedType::isDynamic(dim.size))
    return 0;
  APInt start;
  Value index = access.indices[dim.of];
  bool beginsAtTile = matchPattern(index, m_ConstantInt(&start))
                          ? start.getSExtValue() % tile == 0
                          : divisorOf(index) % tile == 0;
  return beginsAtTile ? dim.seenSize() % tile : 0;
}

/// Whether what says how many bytes are coming is in front of it, in its block.
static bool isBehindAcquire(CopyOp copy) {
  for (Operation *op = copy->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto commit = dyn_cast<CommitOp>(op);
        commit && commit.getRing() == copy.getRing())
      return false;
    if (auto acquire = dyn_cast<AcquireOp>(op);
        acquire && acquire.getRing() == copy.getRing())
      return true;
  }
  return false;
}

std::optional<BoxRest> fuse::tile::boxRest(CopyOp copy, const BoxCopy &whole) {
  // Blocks that copy for each other have the same limit, but not the same
  // boxes.
  if (copy.getMulticast())
    return std::nullopt;
  // What is copied once costs little, and where nothing was copied rows are not
  // alike, which those of an attention have reason to be: their maxima move.
  auto loop = copy->getParentOfType<scf::ForOp>();
  if (!loop || !isBehindAcquire(copy))
    return std::nullopt;
  MemoryAccess access = MemoryAccess::of(copy);
  for (int64_t axis : copy.getUnused().value_or(ArrayRef<int64_t>())) {
    const auto *at = llvm::find_if(
        whole.dims, [&](const BoxCopy::Dim &dim) { return dim.axis == axis; });
    if (at == whole.dims.end())
      continue;
    unsigned dim = at - whole.dims.begin();
    int64_t size = access.tile.getDimSize(axis);
    int64_t left = restAlong(access, *at, size);
    if (left == 0)
      continue;
    Value limit =
        access.limits[llvm::find(access.axes, axis) - access.axes.begin()];
    if (!loop.isDefinedOutsideOfLoop(limit) &&
        !matchPattern(limit, m_Constant()))
      continue;
    BoxRest rest{limit, size, whole.extents, {}};
    for (const BoxCopy::Box &box : whole.boxes)
      if (box.start[dim] < left)
        rest.boxes.push_back(box);
    // Rows of one box follow each other in shared memory.
    bool isSlowest = llvm::all_of(ArrayRef(whole.extents).take_front(dim),
                                  [](int64_t extent) { return extent == 1; });
    if (isSlowest && dim + 1 != whole.dims.size() && whole.extents[dim] == size)
      rest.extents[dim] = left;
    if (rest.lessThan(whole) > 0)
      return rest;
  }
  return std::nullopt;
}
