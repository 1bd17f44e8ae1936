//===- FactorPlaces.cpp - where factors of products are -------------------===//
//
// In registers, or in shared memory as the instruction reads it.
//
//===----------------------------------------------------------------------===//

#include "FactorPlaces.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Analysis/Rounds.h"
#include "fuse/Layout/Atoms.h"
#include "fuse/Layout/Conversion.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

bool fuse::tile::hasSameLeft(DotOp dot) {
  // Nothing has been taken out of loops yet.
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  return loop && dot.getLhs().getDefiningOp<LoadOp>() &&
         isSameInAllRounds(dot.getLhs(), loop);
}

int64_t fuse::tile::elementsBesideProducts(DotOp dot) {
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  if (!loop)
    return 0;
  // What comes from the round before has a product in it.
  SetVector<Value> products;
  for (Value carried : loop.getRegionIterArgs())
    if (isa<RankedTensorType>(carried.getType()))
      products.insert(carried);
  int64_t most = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isOfProduct =
        isa<DotOp>(op) || llvm::any_of(op.getOperands(), [&](Value operand) {
          return products.contains(operand);
        });
    for (Value result : op.getResults()) {
      if (isOfProduct)
        products.insert(result);
      auto tile = dyn_cast<RankedTensorType>(result.getType());
      if (!isOfProduct && tile && isa<FloatType>(tile.getElementType()) &&
          OpTrait::hasElementwiseMappableTraits(&op))
        most = std::max(most, tile.getNumElements());
    }
  }
  return most;
}

bool fuse::tile::isCopiedAhead(Value factor, DotOp dot) {
  Operation *load = factor.getDefiningOp<LoadOp>();
  return load && load->getBlock() == dot->getBlock() &&
         isa<scf::ForOp>(load->getParentOp());
}

/// How a factor lies in shared memory: so that whole matrices are read at once,
/// where the instruction for that gives the threads what they need, and else so
/// that neither side waits for banks.
static SharedLayout memoryForFactor(const Layout &from, const Layout &fragment,
                                    const ConversionOptions &options) {
  Coordinates extents = from.tile().extents();
  for (unsigned axis = from.rank(); axis-- > 0;) {
    // Written in vectors, it has to be along an axis where threads have some.
    if (from.contiguity(axis) == 1)
      continue;
    for (unsigned swizzle : {128, 64, 32})
      if (auto memory =
              swizzledShared(extents, axis, options.elementBytes, swizzle))
        if (auto matrices =
                matrixAccess(fragment, *memory, options.elementBytes);
            matrices && matrices->conflicts == 1)
          return *memory;
  }
  return planShared(from, fragment, options).memory;
}

/// The same for wgmma, which reads memory by a descriptor: with the longest
/// rows that it can describe, along the axis where threads have vectors.
static SharedLayout memoryForWgmma(const Layout &from, unsigned rowAxis,
                                   unsigned kAxis, int64_t rows,
                                   unsigned elementBytes) {
  Coordinates extents = from.tile().extents();
  std::optional<SharedLayout> found;
  for (unsigned axis : {kAxis, rowAxis})
    for (unsigned swizzle : {128, 64, 32}) {
      if (found && from.contiguity(axis) == 1)
        continue;
      auto memory = swizzledShared(extents, axis, elementBytes, swizzle);
      if (memory && wgmmaAccess(*memory, rowAxis, kAxis, elementBytes, rows)) {
        found = *memory;
        if (from.contiguity(axis) > 1)
          return *found;
      }
    }
  return *found;
}

/// The same for products by single numbers of a factor that lies along k in
/// memory, if each is used often: across, so that a thread reads what it needs
/// of one k at once. With vectors along k it would hold several k of one factor
/// and one of the other, and multiplications would come in an order in which
/// few of them find a factor where the last one had it.
static std::optional<SharedLayout> memoryForOuter(const Layout &from,
                                                  const DotAtom &atom,
                                                  bool isLeft,
                                                  unsigned elementBytes) {
  // Copied one by one, they cost more than fewer products gain.
  constexpr unsigned fewestSums = 32, swizzleBytes = 128;
  // A vector has nothing across.
  if (from.rank() < 2)
    return std::nullopt;
  const Layout &fragment = isLeft ? *atom.lhs : *atom.rhs;
  unsigned last = from.rank() - 1;
  unsigned rowAxis = isLeft ? last - 1 : last, kAxis = isLeft ? last : last - 1;
  if (elementBytes < 4 || atom.accumulator.numRegisters() < fewestSums ||
      from.contiguity(kAxis) == 1 || from.contiguity(rowAxis) != 1 ||
      fragment.contiguity(rowAxis) * elementBytes < 16)
    return std::nullopt;
  return swizzledShared(from.tile().extents(), rowAxis, elementBytes,
                        swizzleBytes);
}

Attribute fuse::tile::factorPlace(MLIRContext *context, RankedTensorType type,
                                  const DotAtom &atom, bool isLeft,
                                  bool isCopied, bool isHeld) {
  const Layout &from = tile::layoutOf(type).getValue();
  const std::optional<Layout> &fragment = isLeft ? atom.lhs : atom.rhs;
  ConversionOptions options;
  options.elementBytes = elementBytes(type.getElementType());
  options.maxBytes = std::numeric_limits<int64_t>::max();
  if (fragment && atom.isSplit) {
    unsigned last = type.getRank() - 1;
    unsigned fastAxis =
        from.contiguity(last) > 1 || from.contiguity(last - 1) == 1 ? last
                                                                    : last - 1;
    if (auto memory = sharedForReads(*fragment, fastAxis, options.elementBytes))
      return SharedLayoutAttr::get(context, *memory);
    return SharedLayoutAttr::get(context,
                                 plainShared(fragment->tile().extents()));
  }
  if (fragment && (atom.readsRegisters || isHeld ||
                   classifyConversion(from, *fragment, options.elementBytes) ==
                       ConversionKind::Registers))
    return LayoutAttr::get(context, *fragment);
  if (atom.kind == Atom::Outer && isCopied)
    if (auto memory = memoryForOuter(from, atom, isLeft, options.elementBytes))
      return SharedLayoutAttr::get(context, *memory);
  if (atom.kind != Atom::Wgmma)
    return SharedLayoutAttr::get(context,
                                 memoryForFactor(from, *fragment, options));
  unsigned last = type.getRank() - 1;
  unsigned rowAxis = isLeft ? last - 1 : last, kAxis = isLeft ? last : last - 1;
  constexpr int64_t blockRows = 64;
  bool givesRows = isLeft != atom.isTransposed;
  return SharedLayoutAttr::get(
      context,
      memoryForWgmma(from, rowAxis, kAxis, givesRows ? blockRows : atom.columns,
                     options.elementBytes));
}
