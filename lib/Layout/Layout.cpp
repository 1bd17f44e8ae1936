//===- Layout.cpp - where the elements of a tile live ---------------------===//
//
// The map itself, and questions about single bases.
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/Layout.h"

#include "llvm/ADT/STLExtras.h"

using namespace fuse;
using llvm::ArrayRef;

static constexpr std::array<Place, 4> places = {Place::Register, Place::Lane,
                                                Place::Warp, Place::Cta};

Layout::Layout(TileShape shape, BitVectors reg, BitVectors lane,
               BitVectors warp, BitVectors cta)
    : shape(std::move(shape)),
      images{std::move(reg), std::move(lane), std::move(warp), std::move(cta)} {
}

BitMap Layout::map() const {
  BitVectors all;
  for (const BitVectors &bases : images)
    all.append(bases);
  return BitMap(all);
}

Layout::Owner Layout::owner(Bits argument) const {
  auto next = [&](Place place) {
    unsigned number = argument & ((Bits(1) << numBits(place)) - 1);
    argument >>= numBits(place);
    return number;
  };
  Owner owner;
  owner.reg = next(Place::Register);
  owner.lane = next(Place::Lane);
  owner.warp = next(Place::Warp);
  owner.cta = next(Place::Cta);
  return owner;
}

Bits Layout::cellPosition(unsigned reg, unsigned lane, unsigned warp,
                          unsigned cta) const {
  return BitMap(bases(Place::Register))(reg % numCellRegisters()) ^
         BitMap(bases(Place::Lane))(lane) ^ BitMap(bases(Place::Warp))(warp) ^
         BitMap(bases(Place::Cta))(cta);
}

Coordinates Layout::position(unsigned reg, unsigned lane, unsigned warp,
                             unsigned cta) const {
  Coordinates result = shape.unpack(cellPosition(reg, lane, warp, cta));
  for (auto [coordinate, origin] :
       llvm::zip(result, shape.repeatOrigin(repeatIndex(reg))))
    coordinate += origin;
  return result;
}

Layout::RegisterPart Layout::registerPart(unsigned reg) const {
  return {shape.unpack(cellPosition(reg, 0, 0)),
          shape.repeatOrigin(repeatIndex(reg))};
}

Coordinates Layout::threadPart(unsigned lane, unsigned warp,
                               unsigned cta) const {
  return shape.unpack(cellPosition(0, lane, warp, cta));
}

static Bits anyBits(ArrayRef<Bits> bases) {
  Bits any = 0;
  for (Bits basis : bases)
    any |= basis;
  return any;
}

bool Layout::addsRegisters(unsigned axis) const {
  Bits threads = anyBits(bases(Place::Lane)) | anyBits(bases(Place::Warp)) |
                 anyBits(bases(Place::Cta));
  return !(anyBits(bases(Place::Register)) & threads & shape.axisMask(axis));
}

int64_t Layout::leastPosition(unsigned reg, unsigned axis) const {
  RegisterPart part = registerPart(reg);
  return part.offset[axis] + (addsRegisters(axis) ? part.flip[axis] : 0);
}

bool Layout::isInjective() const { return map().isInjective(); }

unsigned Layout::freeMask(Place place) const {
  Span reached;
  for (Place earlier : places) {
    if (earlier == place)
      break;
    reached.add(bases(earlier));
  }
  unsigned mask = 0;
  for (auto [bit, basis] : llvm::enumerate(bases(place)))
    if (!reached.add(basis))
      mask |= 1u << bit;
  return mask;
}

unsigned Layout::original(unsigned reg) const {
  BitMap own(bases(Place::Register));
  unsigned inCell = reg % numCellRegisters();
  return reg - inCell + *own.preimage(own(inCell));
}

unsigned Layout::zeroMask(Place place) const {
  unsigned mask = 0;
  for (auto [bit, basis] : llvm::enumerate(bases(place)))
    if (!basis)
      mask |= 1u << bit;
  return mask;
}

unsigned Layout::movingMask(Place place, ArrayRef<unsigned> axes) const {
  unsigned mask = 0;
  for (auto [bit, basis] : llvm::enumerate(bases(place)))
    if (basis & shape.axesMask(axes))
      mask |= 1u << bit;
  return mask;
}

llvm::SmallVector<unsigned, 4> Layout::vectorBits(unsigned axis) const {
  unsigned shift = shape.axisShift(axis);
  llvm::SmallVector<unsigned, 4> bits;
  for (unsigned i = 0; i != shape.axisBits(axis); ++i) {
    const auto *found =
        llvm::find(bases(Place::Register), Bits(1) << (shift + i));
    if (found == bases(Place::Register).end())
      break;
    // No other bit may move inside of the vector.
    unsigned touching = 0;
    for (const BitVectors &bases : images)
      for (Bits basis : bases)
        touching += basis >> (shift + i) & 1;
    if (touching != 1)
      break;
    bits.push_back(found - bases(Place::Register).begin());
  }
  return bits;
}

unsigned Layout::contiguity(unsigned axis) const {
  unsigned count = 0;
  for (auto [i, bit] : llvm::enumerate(vectorBits(axis))) {
    if (bit != i)
      break;
    ++count;
  }
  return 1u << count;
}

namespace fuse {
llvm::hash_code hash_value(const Layout &layout) {
  llvm::hash_code hash = hash_value(layout.shape);
  for (const BitVectors &bases : layout.images)
    hash = llvm::hash_combine(
        hash, llvm::hash_combine_range(bases.begin(), bases.end()));
  return hash;
}
} // namespace fuse
