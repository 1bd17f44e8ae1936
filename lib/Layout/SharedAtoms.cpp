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

int64_t fuse::wgmmaColumns(int64_t columns) {
  constexpr int64_t most = 256;
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

std::optional<MatrixAccess> fuse::matrixAccess(const Layout &fragment,
                                               const SharedLayout &memory,
                                               unsigned elementBytes) {
  constexpr unsigned wordBytes = 4, matrixRowBytes = 16;
  if (elementBytes > wordBytes || fragment.freeMask(Place::Register))
    return std::nullopt;
  unsigned wordBits = llvm::Log2_32(wordBytes / elementBytes);
  unsigned rowBits = llvm::Log2_32(matrixRowBytes / elementBytes);
  SharedAddress address = addressOf(fragment, memory);
  BitVectors registers = BitVectors(
      llvm::map_range(fragment.bases(Place::Register), memory.toOffset()));
  if (registers.size() < wordBits)
    return std::nullopt;

  // The five lane bits and those inside of a word number the elements of a
  // matrix: `inRow` those of a row of memory, `rows` the rows.
  ArrayRef<Bits> word = ArrayRef(registers).take_front(wordBits);
  ArrayRef<Bits> lanes = address.lane;
  auto tryOrder = [&](BitVectors inRow, BitVectors rows,
                      bool transposed) -> std::optional<MatrixAccess> {
    for (auto [bit, offset] : llvm::enumerate(inRow))
      if (offset != Bits(1) << bit)
        return std::nullopt;
    Bits inside = (Bits(1) << rowBits) - 1;
    auto isAligned = [&](Bits offset) { return !(offset & inside); };
    ArrayRef<Bits> others = ArrayRef(registers).drop_front(wordBits);
    if (inRow.size() != rowBits || !llvm::all_of(rows, isAligned) ||
        !llvm::all_of(others, isAligned) ||
        !llvm::all_of(address.warp, isAligned) ||
        !llvm::all_of(address.cta, isAligned))
      return std::nullopt;

    MatrixAccess access{1, transposed, rows, address.warp, address.cta, {}, 0};
    SmallVector<int64_t, 8> addresses;
    for (unsigned row = 0; row != 8; ++row)
      addresses.push_back(BitMap(rows)(row) * elementBytes);
    access.conflicts = bankConflicts(addresses, matrixRowBytes);
    // The next register bits number the matrices of an instruction.
    unsigned matrixBits = std::min<unsigned>(2, others.size());
    access.matrices = 1u << matrixBits;
    for (unsigned bit = 0; bit != 2; ++bit)
      access.lane.push_back(bit < matrixBits ? others[bit] : 0);
    unsigned perInstruction = access.matrices << wordBits;
    for (unsigned first = 0; first != fragment.numRegisters();
         first += perInstruction) {
      MatrixAccess::Instruction instruction{
          {},
          address.registers[first % fragment.numCellRegisters()],
          fragment.repeatIndex(first)};
      for (unsigned reg = first; reg != first + perInstruction; ++reg)
        instruction.registers.push_back(reg);
      access.instructions.push_back(std::move(instruction));
    }
    return access;
  };

  BitVectors inRow(word), rows(lanes.drop_front(2));
  inRow.append({lanes[0], lanes[1]});
  if (auto access = tryOrder(inRow, rows, /*transposed=*/false))
    return access;
  // Transposed, neighbours in a word come from neighbouring rows; elements have
  // 16 bits.
  if (elementBytes != 2)
    return std::nullopt;
  return tryOrder(BitVectors(lanes.drop_front(2)),
                  {word[0], lanes[0], lanes[1]}, /*transposed=*/true);
}
