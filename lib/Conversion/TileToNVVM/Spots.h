//===- Spots.h - registers by where their elements are ----------*- C++ -*-===//
//
// Which registers an instruction takes is looked up by position: the element at
// row 8, column 1 of a block is the register whose constant part is there. So
// no instruction knows in which order a layout numbers its registers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETONVVM_SPOTS_H
#define FUSE_LIB_CONVERSION_TILETONVVM_SPOTS_H

#include "fuse/Layout/Layout.h"
#include <map>

namespace fuse::tile {

/// Where a register is: which batch, row and column.
using Spot = std::vector<int64_t>;

inline Spot spotOf(const Layout &layout, unsigned reg) {
  Layout::RegisterPart part = layout.registerPart(reg);
  Spot spot;
  for (unsigned axis = 0; axis < layout.rank(); ++axis)
    spot.push_back(part.flip[axis] + part.offset[axis]);
  return spot;
}

inline Spot moved(Spot spot, int64_t rows, int64_t columns) {
  spot[spot.size() - 2] += rows;
  spot[spot.size() - 1] += columns;
  return spot;
}

class SpotTable {
public:
  explicit SpotTable(const Layout &layout) {
    // Of copies the first.
    for (unsigned reg = layout.numRegisters(); reg-- > 0;)
      registers[spotOf(layout, reg)] = reg;
  }

  unsigned registerAt(const Spot &spot) const { return registers.at(spot); }

  /// The spots whose row and column are multiples of these, in order.
  llvm::SmallVector<Spot> multiplesOf(int64_t rows, int64_t columns) const {
    llvm::SmallVector<Spot> found;
    for (const auto &[spot, reg] : registers)
      if (spot[spot.size() - 2] % rows == 0 && spot.back() % columns == 0)
        found.push_back(spot);
    return found;
  }

private:
  std::map<Spot, unsigned> registers;
};

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETONVVM_SPOTS_H
