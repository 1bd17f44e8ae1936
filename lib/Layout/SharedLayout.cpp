//===- SharedLayout.cpp - tiles in shared memory --------------------------===//
//
// Addresses, vectors and banks.
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/SharedLayout.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace fuse;
using llvm::ArrayRef;
using llvm::SmallVector;

SharedLayout::SharedLayout(TileShape shape, BitVectors offset)
    : shape(std::move(shape)), images(std::move(offset)) {
  inverse = *BitMap(images).rightInverse(this->shape.numBits());
}

Coordinates SharedLayout::position(int64_t offset) const {
  int64_t cellSize = int64_t(1) << shape.numBits();
  Coordinates result = shape.unpack(toPosition()(offset % cellSize));
  for (auto [coordinate, origin] :
       llvm::zip(result, shape.repeatOrigin(offset / cellSize)))
    coordinate += origin;
  return result;
}

int64_t SharedLayout::offset(ArrayRef<int64_t> position) const {
  Bits inCell = 0;
  int64_t repeat = 0;
  unsigned numBits = 0;
  for (unsigned axis = 0; axis != shape.rank(); ++axis) {
    unsigned bits = shape.axisBits(axis);
    numBits += bits;
    inCell = inCell << bits | (position[axis] & (shape.cell(axis) - 1));
    repeat = repeat * shape.repeat(axis) + (position[axis] >> bits);
  }
  return (repeat << numBits) + inverse(inCell);
}

std::optional<SharedLayout>
SharedLayout::transpose(ArrayRef<unsigned> permutation) const {
  Coordinates extents;
  SmallVector<unsigned> repeated;
  for (unsigned axis : permutation) {
    extents.push_back(shape.extent(axis));
    if (shape.repeat(axis) != 1)
      repeated.push_back(axis);
  }
  if (!llvm::is_sorted(repeated))
    return std::nullopt;
  TileShape target(extents);
  BitVectors moved;
  for (Bits basis : images) {
    Coordinates from = shape.unpack(basis), to;
    for (unsigned axis : permutation)
      to.push_back(from[axis]);
    moved.push_back(target.pack(to));
  }
  return SharedLayout(target, moved);
}

SharedAddress fuse::addressOf(const Layout &layout,
                              const SharedLayout &memory) {
  const BitMap &offset = memory.toOffset();
  SharedAddress address{{}, {}, {}, {}, 0};
  for (Bits basis : layout.bases(Place::Lane))
    address.lane.push_back(offset(basis));
  for (Bits basis : layout.bases(Place::Warp))
    address.warp.push_back(offset(basis));
  for (Bits basis : layout.bases(Place::Cta))
    address.cta.push_back(offset(basis));
  for (unsigned reg = 0; reg != layout.numCellRegisters(); ++reg)
    address.registers.push_back(offset(layout.cellPosition(reg, 0, 0)));
  for (Bits bit : llvm::concat<Bits>(address.lane, address.warp, address.cta))
    address.threadBits |= bit;
  return address;
}

std::optional<SmallVector<VectorAccess>>
fuse::vectorAccesses(const Layout &layout, const SharedLayout &memory,
                     unsigned width) {
  SharedAddress address = addressOf(layout, memory);
  Bits inside = width - 1;
  if (address.threadBits & inside)
    return std::nullopt;

  unsigned copies = layout.freeMask(Place::Register);
  constexpr unsigned missing = ~0u;
  std::map<Bits, SmallVector<unsigned, 8>> vectors; // by offset
  for (auto [reg, offset] : llvm::enumerate(address.registers)) {
    if (reg & copies)
      continue;
    auto &vector = vectors[offset & ~inside];
    vector.resize(width, missing);
    vector[offset & inside] = reg;
  }

  SmallVector<VectorAccess> accesses;
  for (unsigned repeat = 0; repeat != layout.numRepeats(); ++repeat)
    for (auto &[offset, vector] : vectors) {
      if (llvm::is_contained(vector, missing))
        return std::nullopt;
      VectorAccess access{{},
                          offset + (Bits(repeat) << memory.tile().numBits())};
      for (unsigned reg : vector)
        access.registers.push_back(reg + repeat * layout.numCellRegisters());
      accesses.push_back(std::move(access));
    }
  return accesses;
}

unsigned fuse::maxVectorWidth(const Layout &layout, const SharedLayout &memory,
                              unsigned elementBytes, unsigned maxBytes) {
  unsigned width = 1;
  while (width * 2 * elementBytes <= maxBytes &&
         vectorAccesses(layout, memory, width * 2))
    width *= 2;
  return width;
}

unsigned fuse::bankConflicts(ArrayRef<int64_t> addresses,
                             unsigned accessBytes) {
  constexpr unsigned wordBytes = 4, numBanks = 32;
  unsigned words = std::max(1u, accessBytes / wordBytes);
  unsigned together = std::max(1u, numBanks / words);
  unsigned worst = 1;
  for (; !addresses.empty(); addresses = addresses.drop_front(std::min<size_t>(
                                 together, addresses.size()))) {
    SmallVector<int64_t, 32> wanted;
    for (int64_t address : addresses.take_front(together))
      for (unsigned word = 0; word != words && address >= 0; ++word)
        wanted.push_back(address / wordBytes + word);
    llvm::sort(wanted);
    wanted.erase(llvm::unique(wanted), wanted.end());
    std::array<unsigned, numBanks> passes{};
    for (int64_t word : wanted)
      worst = std::max(worst, ++passes[word % numBanks]);
  }
  return worst;
}

unsigned fuse::bankConflicts(const Layout &layout, const SharedLayout &memory,
                             unsigned elementBytes, unsigned width,
                             bool copies) {
  BitMap lanes(addressOf(layout, memory).lane);
  unsigned leftOut = copies ? 0 : layout.freeMask(Place::Lane);
  SmallVector<int64_t, 32> addresses;
  for (unsigned lane = 0; lane != numLanes; ++lane)
    addresses.push_back(lane & leftOut ? -1
                                       : int64_t(lanes(lane)) * elementBytes);
  return bankConflicts(addresses, elementBytes * width);
}

namespace fuse {
llvm::hash_code hash_value(const SharedLayout &layout) {
  return llvm::hash_combine(
      hash_value(layout.shape),
      llvm::hash_combine_range(layout.images.begin(), layout.images.end()));
}
} // namespace fuse
