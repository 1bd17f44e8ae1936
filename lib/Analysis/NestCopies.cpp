//===- NestCopies.cpp - how what a launch reads lies in memory ------------===//
//
// Whether it can be copied, by whom, and what of it is in pieces.
//
//===----------------------------------------------------------------------===//

#include "NestWalker.h"
#include "fuse/Analysis/RowPitch.h"
#include <numeric>

using namespace mlir;
using namespace fuse;
using namespace fuse::cost;

/// How many elements next to each other a tile has of a dimension.
double Walk::elementsAt(const AffineIndex &index) const {
  double width = 1;
  for (const auto &[var, coefficient] : index.terms)
    if (std::abs(coefficient) == 1)
      width = std::max(width, insideOf(var));
  return width;
}

/// The bytes that a tile has in a row of memory.
double
Walk::runOf(RankedTensorType type,
            llvm::function_ref<const AffineIndex &(int64_t)> indexOf) const {
  double run = widthOf(type.getElementType());
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    double width = elementsAt(indexOf(dim));
    run *= width;
    // Rows that are there whole follow each other.
    if (type.isDynamicDim(dim) || width < type.getDimSize(dim))
      break;
  }
  return run;
}

double Walk::runOf(const Element *load) const {
  return runOf(cast<RankedTensorType>(load->tensor().getType()),
               [&](int64_t dim) -> const AffineIndex & {
                 return load->indices()[dim].affine;
               });
}

/// The bytes of a row of the box that the copy engine takes, which goes on with
/// the next row even where that lies behind it.
double Walk::rowOf(const Element *load) const {
  int64_t rank = cast<RankedTensorType>(load->tensor().getType()).getRank();
  return (rank == 0 ? 1 : elementsAt(load->indices().back().affine)) *
         widthOf(load->type());
}

/// Whether all rows begin at multiples of so many bytes.
bool Walk::haveRowsAt(int64_t bytes, Value tensor) const {
  return fuse::haveRowsAt(bytes, tensor, machine.pitchesRows);
}

/// What part of pieces counts as crossing lines that are no whole number of
/// them, where rows begin with a line. The engine takes as much as a line at a
/// time, and then the rest; what is in two lines is asked for twice: 2048x7168
/// by 7168x640 took 30.9 us in 128 x 96 along k, and 43.7 along n, 256x5120 by
/// 5120x5120 23.7 and 39.7 in 128 x 80.
double Walk::crossingOfPieces(double run) const {
  constexpr double line = 128;
  double rest = std::fmod(run, line);
  if (run <= line || rest == 0)
    return 0;
  auto step = static_cast<double>(
      std::gcd(static_cast<int64_t>(run), static_cast<int64_t>(line)));
  double lines =
      std::floor(run / line) * (2 - step / line) + 1 + (rest - step) / line;
  return std::min(1.0, (lines * line / run - 1) / (machine.crossing - 1));
}

/// What part of the lines that a tensor is read in counts as crossing them.
/// Counters of 3000x3000 by 3000x3000 in 128 x 192 say that a piece of a line
/// takes 3.6 requests where rows begin within sectors, 1.8 where they begin
/// with one, and 1 where they begin with a line: 121 us for 3000 terms and
/// columns, 78.3 for 3024, 77.3 for 3040 and 74.1 for 3008. Of short rows
/// nothing was counted.
double Walk::crossingOf(const Reading &reading) const {
  constexpr int64_t line = 128, sector = 32, shortRow = 8 * line;
  constexpr double ofSectors = 0.3;
  if (haveRowsAt(line, reading.tensor))
    return crossingOfPieces(reading.run);
  auto type = cast<RankedTensorType>(reading.tensor.getType());
  bool isLong =
      type.getShape().back() * widthOf(type.getElementType()) >= shortRow;
  return isLong && haveRowsAt(sector, reading.tensor) ? ofSectors : 1;
}

/// Whether each dimension of a tensor is read along a variable of its own: no
/// gather, and none that is cut into several.
bool Walk::hasOwnVariables(const Element *load) {
  auto type = cast<RankedTensorType>(load->tensor().getType());
  return llvm::all_of(llvm::enumerate(load->indices()), [&](const auto &each) {
    const auto &[dim, at] = each;
    if (at.computed || at.affine.terms.size() > 1)
      return false;
    if (at.affine.terms.empty())
      return type.getDimSize(dim) == 1;
    return at.affine.terms.begin()->second == 1;
  });
}

/// Whether a round can leave it to others to bring this long before: rows have
/// to begin where words do.
bool Walk::canBeCopiedAhead(const Element *load) const {
  constexpr int64_t leastBytes = 4;
  auto type = cast<RankedTensorType>(load->tensor().getType());
  if (haveRowsAt(leastBytes, load->tensor()))
    return true;
  // Rows of one element are a column without gaps, and a single row begins
  // where the memory does.
  int64_t columns = type.getShape().back();
  return ShapedType::isDynamic(columns) || columns == 1 ||
         llvm::all_of(type.getShape().drop_back(),
                      [](int64_t size) { return size == 1; });
}

/// Whether its rows lie in shared memory one behind the other. Longer ones than
/// 128 bytes are cut into pieces of that, each in a column of its own, and
/// where a column begins is found by bits: 512x3072 by 3072x3072 along k took
/// 114 us in 128 x 96 with 128 terms a round, and 16.5 with 64.
bool Walk::fitsInColumns(const Statement &load) const {
  constexpr double column = 128;
  if (!machine.hasGroups || runOf(load.element) <= column)
    return true;
  return llvm::all_of(axesOf(load.result), [&](const IndexVar &var) {
    return load.element->liesAlong(var) ||
           llvm::isPowerOf2_64(static_cast<uint64_t>(windowOf(var)));
  });
}
