//===- RingParts.cpp - what a loop copies ahead ---------------------------===//

#include "RingParts.h"
#include "fuse/Dialect/Tile/Analysis/BoxCopy.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Analysis/Rounds.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Layout/Atoms.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Whether `value` can be computed for any round of `loop` at any time, and for
/// rounds that there are not.
static bool isOfRoundOnly(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() && canBeOfAnyRound(op, loop) &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isOfRoundOnly(operand, loop);
         });
}

static bool canCopy(LoadOp load, RankedTensorType shared) {
  return asyncWidth(MemoryAccess::of(load),
                    layoutOf(load.getResult().getType()).getValue(),
                    sharedLayoutOf(shared).getValue()) != 0;
}

SetVector<Operation *> fuse::tile::dotsFedBy(Value tile, Block *block) {
  SetVector<Value> tiles;
  SetVector<Operation *> dots;
  tiles.insert(tile);
  for (unsigned next = 0; next < tiles.size(); ++next)
    for (OpOperand &use : tiles[next].getUses()) {
      Operation *user = use.getOwner();
      if (user->getBlock() != block || user->getNumRegions() != 0)
        continue;
      auto dot = dyn_cast<DotOp>(user);
      if (!dot)
        tiles.insert_range(
            llvm::make_filter_range(user->getResults(), [](Value result) {
              return isa<RankedTensorType>(result.getType());
            }));
      else if (use != dot.getAccMutable())
        dots.insert(dot);
    }
  return dots;
}

/// Whether a tile becomes a factor of a product that four warps do together:
/// what they wait for.
static bool feedsWarpgroups(Value tile, Block *block) {
  return llvm::any_of(dotsFedBy(tile, block), [](Operation *dot) {
    return cast<DotOp>(dot).getAtom() == Atom::Wgmma;
  });
}

bool fuse::tile::isHeld(Value tile, Block *block) {
  if (!tile.hasOneUse())
    return false;
  auto convert = dyn_cast<ConvertLayoutOp>(*tile.user_begin());
  return convert && convert->getBlock() == block &&
         layoutOf(convert.getType()) && !convert->use_empty() &&
         llvm::all_of(convert->getUsers(), [&](Operation *user) {
           auto dot = dyn_cast<DotOp>(user);
           return dot && dot.getAtom() == Atom::Wgmma &&
                  dot->getBlock() != block;
         });
}

LayoutAttr fuse::tile::wantedBy(Operation *user, Value tile) {
  auto convert = dyn_cast<ConvertLayoutOp>(user);
  LayoutAttr wanted = convert ? layoutOf(convert.getType()) : LayoutAttr();
  return wanted ? wanted : layoutOf(tile.getType());
}

SmallVector<RankedTensorType> fuse::tile::typesOf(ArrayRef<RingPart> parts) {
  return llvm::map_to_vector(parts,
                             [](const RingPart &part) { return part.type; });
}

SmallVector<Operation *> fuse::tile::readersOf(ArrayRef<RingPart> parts) {
  SmallVector<Operation *> readers;
  for (RingPart part : parts)
    for (Operation *user : part.value().getUsers())
      if (user == part.shared)
        llvm::append_range(readers, user->getUsers());
      else
        readers.push_back(user);
  return readers;
}

/// How a load lies in a slot that threads read; null if it cannot be copied.
/// The copy engine takes as long for a piece of a line as for all of it, which
/// is more than threads lose where they read from whole lines: 256 heads of 128
/// on 8192 with a bias of f32 took 348 us with boxes of 8 x 128, and 235 with
/// 32 x 128, 512 heads of 577 on 4096 1576 and 1238.
static RankedTensorType typeOfReadSlot(LoadOp load, Value value,
                                       bool hasEngine) {
  constexpr unsigned lineBytes = 128;
  MemoryAccess access = MemoryAccess::of(load);
  std::optional<unsigned> fast = access.fastAxis();
  auto type = cast<RankedTensorType>(value.getType());
  if (!fast || value.use_empty())
    return {};
  const Layout &wanted = wantedBy(*value.user_begin(), value).getValue();
  unsigned bytes = elementBytes(type.getElementType());
  std::optional<SharedLayout> memory;
  if (hasEngine)
    memory = swizzledShared(wanted.tile().extents(), *fast, bytes, lineBytes);
  if (!memory || !boxCopy(access, *memory))
    memory = sharedForReads(wanted, *fast, bytes);
  if (!memory)
    return {};
  return place(type, SharedLayoutAttr::get(load.getContext(), *memory));
}

static std::optional<RingPart> partOf(LoadOp load, RoundOp round,
                                      bool hasEngine) {
  Block *block = load->getBlock();
  RingPart part{load, round, {}, {}};
  Value value = part.value();
  if (value.hasOneUse())
    part.shared = dyn_cast<ConvertLayoutOp>(*value.user_begin());
  if (part.shared && (part.shared->getBlock() != block ||
                      !sharedLayoutOf(part.shared.getType())))
    part.shared = nullptr;
  if (part.shared)
    part.type = part.shared.getType();
  else if (feedsWarpgroups(value, block) || isHeld(value, block))
    part.type = typeOfReadSlot(load, value, hasEngine);
  if (!part.type || !canCopy(load, part.type))
    return std::nullopt;
  // The slot is released at the end of the round.
  if (part.shared &&
      llvm::is_contained(part.shared->getUsers(), block->getTerminator()))
    return std::nullopt;
  // What the copy engine does not copy there it does not round, either, and
  // warpgroups need the engine for the other factor. Who multiplies without
  // them rounds what it has copied: 48x640 by 640x2560 took 91 us where each
  // load was rounded before the next one was asked for.
  if (round && hasEngine && feedsWarpgroups(value, block) &&
      !boxCopy(MemoryAccess::of(load), sharedLayoutOf(part.type).getValue()))
    return std::nullopt;
  return part;
}

static SmallVector<RingPart> candidatesOf(scf::ForOp loop, bool hasEngine) {
  SmallVector<RingPart> parts;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>()) {
    auto isFree = [&](Value value) { return isOfRoundOnly(value, loop); };
    // What begins before its row is aligned for the threads that hold it.
    if (!llvm::all_of(load.getIndices(), isFree) ||
        !llvm::all_of(load.getLimits(), isFree) || !load.getStarts().empty())
      continue;
    std::optional<RingPart> part;
    if (load->hasOneUse())
      if (auto round = dyn_cast<RoundOp>(*load->user_begin());
          round && round->getBlock() == loop.getBody())
        part = partOf(load, round, hasEngine);
    if (!part)
      part = partOf(load, RoundOp(), hasEngine);
    if (part)
      parts.push_back(*part);
  }
  return parts;
}

bool fuse::tile::isCopiedByEngine(const RingPart &part) {
  return boxCopy(MemoryAccess::of(part.load),
                 sharedLayoutOf(part.type).getValue())
      .has_value();
}

bool fuse::tile::isForEngine(scf::ForOp loop, bool hasEngine) {
  bool isAny = false, isAll = hasEngine;
  loop.getBody()->walk([&](Operation *op) {
    if (auto copy = dyn_cast<CopyOp>(op)) {
      isAny = true;
      isAll &= boxCopy(copy).has_value();
    }
    if (auto inner = dyn_cast<scf::ForOp>(op))
      for (const RingPart &part : ringPartsOf(inner, hasEngine)) {
        isAny = true;
        isAll &= isCopiedByEngine(part);
      }
  });
  return isAny && isAll;
}

SmallVector<RingPart> fuse::tile::ringPartsOf(scf::ForOp loop, bool hasEngine) {
  SmallVector<RingPart> parts = candidatesOf(loop, hasEngine);
  if (!llvm::all_of(parts, isCopiedByEngine) && isForEngine(loop, hasEngine))
    llvm::erase_if(
        parts, [](const RingPart &part) { return !isCopiedByEngine(part); });
  return parts;
}

/// Whether numbers are known to who has no tiles: not even what a loop or a
/// branch leaves, which might come from there.
static bool areKnownAhead(ValueRange values) {
  SetVector<Value> numbers(values.begin(), values.end());
  for (unsigned next = 0; next < numbers.size(); ++next) {
    Value number = numbers[next];
    auto tile = dyn_cast<RankedTensorType>(number.getType());
    if (tile && tile.getRank() != 0)
      return false;
    if (Operation *made = number.getDefiningOp()) {
      if (made->getNumRegions() != 0)
        return false;
      numbers.insert_range(made->getOperands());
      continue;
    }
    auto loop = dyn_cast<scf::ForOp>(number.getParentBlock()->getParentOp());
    if (loop && number != loop.getInductionVar())
      return false;
  }
  return true;
}

bool fuse::tile::isLoadedByRole(KernelOp kernel, bool hasEngine) {
  auto numberOf = [&](StringRef name) {
    auto given = kernel->getAttrOfType<IntegerAttr>(name);
    return given ? given.getInt() : 0;
  };
  constexpr int64_t groupWarps = 4;
  if (!hasEngine || !multipliesByWarpgroups(kernel) ||
      numberOf("tile.roles") == 1 || numberOf("tile.warps") == 0 ||
      numberOf("tile.warps") % groupWarps != 0)
    return false;
  WalkResult walked = kernel.walk([&](Operation *op) {
    bool isKnown = true;
    if (auto copy = dyn_cast<CopyOp>(op))
      isKnown = boxCopy(copy).has_value();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      isKnown = areKnownAhead(
          {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
      for (const RingPart &part : ringPartsOf(loop, hasEngine))
        isKnown &= isCopiedByEngine(part) &&
                   areKnownAhead(LoadOp(part.load).getIndices()) &&
                   areKnownAhead(LoadOp(part.load).getLimits());
    }
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}
