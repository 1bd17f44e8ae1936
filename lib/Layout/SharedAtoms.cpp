//===- SharedAtoms.cpp - the shared layouts that instructions want --------===//
//
// Copies of boxes with a swizzle, and matrices of 8 rows of 16 bytes.
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/Atoms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace fuse;
using llvm::ArrayRef;
using llvm::SmallVector;

static SmallVector<unsigned> lastAxisFirst(unsigned rank) {
  SmallVector<unsigned> order;
  for (unsigned axis = rank; axis-- != 0;)
    order.push_back(axis);
  return order;
}

SharedLayout fuse::plainShared(ArrayRef<int64_t> extents,
                               ArrayRef<unsigned> order) {
  TileShape shape(extents);
  SmallVector<unsigned> defaultOrder = lastAxisFirst(shape.rank());
  BitVectors offset;
  for (unsigned axis : order.empty() ? ArrayRef(defaultOrder) : order)
    for (unsigned bit = 0; bit != shape.axisBits(axis); ++bit)
      offset.push_back(Bits(1) << (shape.axisShift(axis) + bit));
  return SharedLayout(shape, offset);
}

std::optional<SharedLayout> fuse::swizzledShared(ArrayRef<int64_t> extents,
                                                 unsigned fastAxis,
                                                 unsigned elementBytes,
                                                 unsigned swizzleBytes) {
  constexpr unsigned chunkBytes = 16, rowBytes = 128;
  TileShape shape(extents);
  unsigned perBox = swizzleBytes / elementBytes;
  if (shape.cell(fastAxis) < perBox)
    return std::nullopt;

  // The box, then the boxes along the fast axis.
  BitVectors offset;
  auto fastBit = [&](unsigned bit) {
    return Bits(1) << (shape.axisShift(fastAxis) + bit);
  };
  unsigned boxBits = llvm::Log2_32(perBox);
  for (unsigned bit = 0; bit != boxBits; ++bit)
    offset.push_back(fastBit(bit));
  for (unsigned axis : lastAxisFirst(shape.rank()))
    for (unsigned bit = 0; axis != fastAxis && bit != shape.axisBits(axis);
         ++bit)
      offset.push_back(Bits(1) << (shape.axisShift(axis) + bit));
  for (unsigned bit = boxBits; bit != shape.axisBits(fastAxis); ++bit)
    offset.push_back(fastBit(bit));

  // Address bit 7 + i flips chunk bit i.
  unsigned firstChunk = llvm::Log2_32(chunkBytes / elementBytes);
  unsigned firstRow = llvm::Log2_32(rowBytes / elementBytes);
  for (unsigned i = 0; i != llvm::Log2_32(swizzleBytes / chunkBytes); ++i)
    if (firstRow + i < offset.size())
      offset[firstRow + i] ^= offset[firstChunk + i];
  return SharedLayout(shape, offset);
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

int64_t fuse::wgmmaColumns(int64_t columns, bool isApart) {
  int64_t most = isApart ? 64 : 256;
  while (columns > most)
    columns = columns % 16 == 0 ? columns / 2 : 8;
  return columns;
}

int64_t WgmmaAccess::startBytes(int64_t row, int64_t k) const {
  SmallVector<int64_t> position(memory->tile().rank(), 0);
  position[rowAxis] = row;
  position[kAxis] = k;
  return memory->offset(position) * elementBytes;
}

/// Whether the engine that reads `rows` x 32 bytes by this descriptor finds
/// every element where it is. Its addresses are those of groups of 8, whose
/// chunks of 16 bytes are XORed with the bits of the address above 128 bytes.
static bool describes(const WgmmaAccess &access, int64_t rows) {
  SmallVector<int64_t, 4> extents = access.memory->tile().extents();
  int64_t numRows = extents[access.rowAxis], depth = extents[access.kAxis];
  int64_t step = 32 / access.elementBytes;
  int64_t box = access.swizzleBytes / access.elementBytes;
  int64_t chunkMask = access.swizzleBytes / 16 - 1;
  if (numRows % rows != 0 || depth % step != 0)
    return false;
  for (int64_t row = 0; row != numRows; ++row)
    for (int64_t k = 0; k != depth; ++k) {
      int64_t inRow = row % rows, inK = k % step;
      int64_t fast = access.isKMajor ? inK : inRow;
      int64_t slow = access.isKMajor ? inRow : inK;
      int64_t address =
          access.startBytes(row - inRow, k - inK) +
          fast % box * access.elementBytes + fast / box * access.leadingBytes +
          slow % 8 * access.swizzleBytes + slow / 8 * access.strideBytes;
      address ^= (address >> 7 & chunkMask) << 4;
      if (address != access.startBytes(row, k))
        return false;
    }
  return true;
}

std::optional<WgmmaAccess> fuse::wgmmaAccess(const SharedLayout &memory,
                                             unsigned rowAxis, unsigned kAxis,
                                             unsigned elementBytes,
                                             int64_t rows) {
  SmallVector<int64_t, 4> extents = memory.tile().extents();
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (axis != rowAxis && axis != kAxis && extent != 1)
      return std::nullopt;
  WgmmaAccess access{128, true, 0, 0, &memory, rowAxis, kAxis, elementBytes};
  for (unsigned swizzle : {128, 64, 32})
    for (bool isKMajor : {true, false}) {
      // Other than numbers of 16 bits have to follow each other along k.
      if (!isKMajor && elementBytes != 2)
        continue;
      access.swizzleBytes = swizzle;
      access.isKMajor = isKMajor;
      int64_t box = swizzle / elementBytes;
      auto distance = [&](unsigned axis, int64_t count) -> int64_t {
        if (extents[axis] <= count)
          return 0;
        return axis == rowAxis ? access.startBytes(count, 0)
                               : access.startBytes(0, count);
      };
      access.strideBytes = distance(isKMajor ? rowAxis : kAxis, 8);
      access.leadingBytes = isKMajor ? 0 : distance(rowAxis, box);
      if (describes(access, rows))
        return access;
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

namespace {

/// Looks for the bits that number the elements of a matrix: those inside of a
/// word, the lanes', and those of the matrices of an instruction.
class MatrixSearch {
public:
  MatrixSearch(const Layout &fragment, const SharedLayout &memory,
               unsigned elementBytes, unsigned most)
      : fragment(fragment), elementBytes(elementBytes), most(most),
        address(addressOf(fragment, memory)),
        registers(llvm::map_range(fragment.bases(Place::Register),
                                  memory.toOffset())) {}

  std::optional<MatrixAccess> plain() const;
  std::optional<MatrixAccess> transposed() const;

private:
  /// `order` lists the bits of registers, those of a word first. The offsets
  /// `inRow` are those of the elements in a row of memory, and `rows` those of
  /// the rows.
  std::optional<MatrixAccess> access(ArrayRef<unsigned> order,
                                     ArrayRef<Bits> inRow, BitVectors rows,
                                     bool isTransposed) const;

  static constexpr unsigned wordBytes = 4, matrixRowBytes = 16;
  const Layout &fragment;
  unsigned elementBytes, most;
  SharedAddress address;
  BitVectors registers;
};

} // namespace

std::optional<MatrixAccess> MatrixSearch::access(ArrayRef<unsigned> order,
                                                 ArrayRef<Bits> inRow,
                                                 BitVectors rows,
                                                 bool isTransposed) const {
  unsigned wordBits = llvm::Log2_32(wordBytes / elementBytes);
  Bits inside = matrixRowBytes / elementBytes - 1;
  for (auto [bit, offset] : llvm::enumerate(inRow))
    if (offset != Bits(1) << bit)
      return std::nullopt;
  auto isAligned = [&](Bits offset) { return !(offset & inside); };
  BitVectors others;
  for (unsigned bit : order.drop_front(wordBits))
    others.push_back(registers[bit]);
  if (Bits(1) << inRow.size() != inside + 1 || !llvm::all_of(rows, isAligned) ||
      !llvm::all_of(others, isAligned) ||
      !llvm::all_of(address.warp, isAligned) ||
      !llvm::all_of(address.cta, isAligned))
    return std::nullopt;

  MatrixAccess access{1, isTransposed, rows, address.warp, address.cta, {}, 0};
  SmallVector<int64_t, 8> addresses;
  for (unsigned row = 0; row != 8; ++row)
    addresses.push_back(BitMap(rows)(row) * elementBytes);
  access.conflicts = bankConflicts(addresses, matrixRowBytes);
  // The next register bits number the matrices of an instruction.
  unsigned matrixBits = std::min<unsigned>(llvm::Log2_32(most), others.size());
  access.matrices = 1u << matrixBits;
  for (unsigned bit = 0; bit != 2; ++bit)
    access.lane.push_back(bit < matrixBits ? others[bit] : 0);
  unsigned perInstruction = access.matrices << wordBits;
  for (unsigned first = 0; first != fragment.numRegisters();
       first += perInstruction) {
    MatrixAccess::Instruction instruction{{}, 0, fragment.repeatIndex(first)};
    for (unsigned at = first; at != first + perInstruction; ++at) {
      unsigned reg = instruction.repeat * fragment.numCellRegisters();
      for (auto [bit, to] : llvm::enumerate(order))
        reg += (at >> bit & 1) << to;
      instruction.registers.push_back(reg);
    }
    instruction.offset = address.registers[instruction.registers.front() %
                                           fragment.numCellRegisters()];
    access.instructions.push_back(std::move(instruction));
  }
  return access;
}

/// Neighbours in a word are neighbours in a row.
std::optional<MatrixAccess> MatrixSearch::plain() const {
  unsigned wordBits = llvm::Log2_32(wordBytes / elementBytes);
  if (registers.size() < wordBits)
    return std::nullopt;
  ArrayRef<Bits> lanes = address.lane;
  BitVectors inRow(ArrayRef(registers).take_front(wordBits));
  inRow.append({lanes[0], lanes[1]});
  return access(llvm::to_vector(llvm::seq<unsigned>(registers.size())), inRow,
                BitVectors(lanes.drop_front(2)), /*isTransposed=*/false);
}

/// Pairs of bytes come from neighbouring rows: two elements of 16 bits, or two
/// pairs of 8, which are neighbours in memory.
std::optional<MatrixAccess> MatrixSearch::transposed() const {
  if (elementBytes > 2)
    return std::nullopt;
  ArrayRef<Bits> lanes = address.lane;
  BitVectors inRow(lanes.drop_front(2));
  auto bits = llvm::to_vector(llvm::seq<unsigned>(registers.size()));
  if (elementBytes == 1) {
    auto *pair = llvm::find(registers, Bits(1));
    if (pair == registers.end())
      return std::nullopt;
    inRow.insert(inRow.begin(), *pair);
    bits.erase(bits.begin() + (pair - registers.begin()));
    bits.insert(bits.begin(), pair - registers.begin());
  }
  unsigned next = elementBytes == 1 ? 1 : 0;
  std::optional<MatrixAccess> best;
  // The registers of 16-bit words are as they come.
  unsigned last = elementBytes == 1 ? bits.size() : 1;
  for (unsigned row = next; row < std::min<size_t>(last, bits.size()); ++row) {
    SmallVector<unsigned> order(bits);
    std::rotate(order.begin() + next, order.begin() + row,
                order.begin() + row + 1);
    auto found =
        access(order, inRow, {registers[order[next]], lanes[0], lanes[1]},
               /*isTransposed=*/true);
    if (found && (!best || found->conflicts < best->conflicts))
      best = found;
  }
  return best;
}

std::optional<MatrixAccess> fuse::matrixAccess(const Layout &fragment,
                                               const SharedLayout &memory,
                                               unsigned elementBytes,
                                               unsigned most) {
  if (elementBytes > 4 || fragment.freeMask(Place::Register))
    return std::nullopt;
  MatrixSearch search(fragment, memory, elementBytes, most);
  if (auto access = search.plain())
    return access;
  return search.transposed();
}

//===----------------------------------------------------------------------===//
// Reading by threads
//===----------------------------------------------------------------------===//

/// Passes through the banks and instructions, of one warp.
static unsigned costOfReads(const Layout &fragment, const SharedLayout &memory,
                            unsigned elementBytes) {
  constexpr unsigned rowBytes = 128;
  if (auto matrices = matrixAccess(fragment, memory, elementBytes))
    return matrices->instructions.size() *
           (matrices->matrices * matrices->conflicts + 1);
  unsigned width = maxVectorWidth(fragment, memory, elementBytes);
  unsigned accesses = vectorAccesses(fragment, memory, width)->size();
  unsigned passes = std::max(1u, width * elementBytes * numLanes / rowBytes) *
                    bankConflicts(fragment, memory, elementBytes, width);
  return accesses * (passes + 1);
}

std::optional<SharedLayout> fuse::sharedForReads(const Layout &fragment,
                                                 unsigned fastAxis,
                                                 unsigned elementBytes) {
  // A single row, which the copy engine brings as it lies.
  if (fragment.tile().rank() == 1)
    return plainShared(fragment.tile().extents());
  std::optional<SharedLayout> best;
  unsigned leastCost = 0;
  for (unsigned swizzle : {128, 64, 32}) {
    auto memory = swizzledShared(fragment.tile().extents(), fastAxis,
                                 elementBytes, swizzle);
    if (!memory)
      continue;
    unsigned cost = costOfReads(fragment, *memory, elementBytes);
    if (!best || cost < leastCost) {
      best = memory;
      leastCost = cost;
    }
  }
  return best;
}
