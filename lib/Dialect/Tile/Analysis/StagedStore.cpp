//===- StagedStore.cpp - tiles that the copy engine stores ----------------===//
//
// Offsets in shared memory are linear over the bits of a thread's number, so a
// piece is what some lowest bits of an offset number: those that lanes and the
// warps of a team set, and no others.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/StagedStore.h"
#include "fuse/Layout/Atoms.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Four warps write a piece together, if there are so many.
static constexpr unsigned mostTeamBits = 2;
/// And what pieces of all teams may take.
static constexpr int64_t mostBytes = 16384;

/// The piece with the lowest offsets: nothing if it is no box.
static std::optional<SharedLayout> pieceOf(const SharedLayout &memory,
                                           int64_t elements) {
  SharedLayout::Bases bases;
  bases.cell.assign(memory.tile().rank(), 1);
  bases.repeat = bases.cell;
  unsigned bits = llvm::Log2_64(elements);
  if (bits > memory.offsetBases().size())
    return std::nullopt;
  for (Bits basis : memory.offsetBases().take_front(bits)) {
    bases.offset.push_back(memory.tile().unpack(basis));
    for (auto [extent, at] : llvm::zip_equal(bases.cell, bases.offset.back()))
      extent = std::max<int64_t>(extent, llvm::NextPowerOf2(at));
  }
  llvm::Expected<SharedLayout> piece = SharedLayout::get(bases);
  if (piece)
    return *piece;
  llvm::consumeError(piece.takeError());
  return std::nullopt;
}

/// Fills `store.pieces` and `store.box`; false if pieces of this size are no
/// boxes, or other teams fill other places of them.
static bool divide(StagedStore &store, const MemoryAccess &access,
                   const Layout &layout, Bits ofTeams) {
  if ((ofTeams & (store.pieceElements - 1)) != 0)
    return false;
  auto accesses = vectorAccesses(layout, store.memory, store.width);
  if (!accesses)
    return false;
  std::map<int64_t, int64_t> written;
  for (const VectorAccess &vector : *accesses) {
    // Teams have pieces of their own, at a distance that is the same for all.
    if (vector.offset & ofTeams)
      return false;
    written[vector.offset / store.pieceElements] +=
        vector.registers.size() * numLanes << store.teamBit;
  }
  store.pieces.clear();
  for (auto [number, elements] : written) {
    if (elements != store.pieceElements)
      return false;
    store.pieces.push_back(number * store.pieceElements);
  }
  std::optional<SharedLayout> piece =
      pieceOf(store.memory, store.pieceElements);
  std::optional<BoxCopy> box;
  if (piece)
    box = boxCopy(access, *piece);
  if (!box || box->boxes.size() != 1)
    return false;
  store.box = std::move(*box);
  return true;
}

static std::optional<StagedStore>
stagedStore(const MemoryAccess &access, const Layout &layout, unsigned fastAxis,
            unsigned swizzleBytes, unsigned teamBit) {
  unsigned bytes = elementBytes(access.tile.getElementType());
  auto memory =
      swizzledShared(layout.tile().extents(), fastAxis, bytes, swizzleBytes);
  if (!memory)
    return std::nullopt;
  StagedStore store{*memory, 0, 0, {}, teamBit, 0, {}};
  store.width = maxVectorWidth(layout, *memory, bytes);
  store.numTeams = 1u << (layout.numBits(Place::Warp) - teamBit);
  if (store.numTeams > mostTeams)
    return std::nullopt;

  SharedAddress address = addressOf(layout, *memory);
  Bits inPiece = 0, ofTeams = 0;
  for (Bits offset : address.lane)
    inPiece |= offset;
  for (auto [bit, offset] : llvm::enumerate(address.warp))
    (bit < teamBit ? inPiece : ofTeams) |= offset;
  // At least one row of the box. The largest pieces that there is room for.
  inPiece |= swizzleBytes / bytes - 1;
  std::optional<StagedStore> best;
  for (store.pieceElements = llvm::NextPowerOf2(inPiece);
       store.pieceElements * bytes * store.numTeams <= mostBytes;
       store.pieceElements *= 2)
    if (divide(store, access, layout, ofTeams))
      best = store;
  return best;
}

/// Whether what the engine leaves out is left out to the element: it writes 16
/// bytes that lie together or none of them, so that rows have to end where such
/// chunks do. Behind others that are longer is somebody else's memory.
static bool endsWithChunk(const MemoryAccess &access, unsigned fastAxis) {
  constexpr int64_t chunkBytes = 16;
  int64_t bytes = elementBytes(access.tile.getElementType());
  auto dims = llvm::seq<unsigned>(access.memory.getType().getRank());
  return llvm::all_of(dims, [&](unsigned dim) {
    return access.coefficient(dim, fastAxis) == 0 ||
           access.sizeDivisor(dim) * bytes % chunkBytes == 0;
  });
}

std::optional<StagedStore> fuse::tile::stagedStore(const MemoryAccess &access,
                                                   const Layout &layout) {
  std::optional<unsigned> fast = access.fastAxis();
  // Copies would write twice.
  if (!fast || !layout.isInjective() || !endsWithChunk(access, *fast))
    return std::nullopt;
  unsigned warpBits = layout.numBits(Place::Warp);
  for (unsigned swizzle : {128, 64, 32})
    for (unsigned bits = std::min(mostTeamBits, warpBits) + 1; bits-- > 0;)
      if (auto store = ::stagedStore(access, layout, *fast, swizzle, bits))
        return store;
  return std::nullopt;
}

StoringTeams fuse::tile::storingTeams(KernelOp kernel) {
  StoringTeams teams;
  std::optional<unsigned> teamBit;
  kernel.walk([&](StoreOp op) {
    if (!op.getStaged())
      return;
    auto store = stagedStore(MemoryAccess::of(op),
                             layoutOf(op.getSource().getType()).getValue());
    if (!store)
      return;
    teams.most = std::max(teams.most, store->numTeams);
    teams.areMixed |= teamBit && *teamBit != store->teamBit;
    teamBit = store->teamBit;
  });
  return teams;
}

int64_t fuse::tile::stagedBytes(StoreOp op) {
  if (!op.getStaged())
    return 0;
  auto store = stagedStore(MemoryAccess::of(op),
                           layoutOf(op.getSource().getType()).getValue());
  if (!store)
    return 0;
  return *op.getStaged() * store->numTeams * store->pieceElements *
         elementBytes(op.getSource().getType().getElementType());
}
