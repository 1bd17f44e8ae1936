//===- AssignLayouts.cpp - which thread holds which element ---------------===//
//
// Tiles that have to agree form classes, and each class is placed once, the
// largest first:
//
//   dot      -> as its instruction wants the accumulator
//   neighbour-> a row statistic as the slice of the tile that it was reduced
//               from, or is broadcast to
//   memory   -> 16 bytes a thread, neighbouring threads side by side
//
// Then the types are rewritten, and where an op needs an operand in another
// layout than its class has, a conversion stands before it.
//
//===----------------------------------------------------------------------===//

#include "FactorPlaces.h"
#include "LayoutInMemory.h"
#include "ThreadLimits.h"
#include "TileBlocks.h"
#include "TileClasses.h"
#include "fuse/Dialect/Tile/Analysis/BoxCopy.h"
#include "fuse/Dialect/Tile/Analysis/Collect.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "fuse/Layout/Atoms.h"
#include "fuse/Layout/Conversion.h"
#include "fuse/Layout/RoleRegisters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuse {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static bool isTile(Value value) {
  return isa<RankedTensorType>(value.getType());
}

namespace {

/// What there is for the warps of a block to divide, in numbers of elements.
struct Work {
  /// The largest tile; all sums of products; what products multiply of what is
  /// computed, and of anything.
  int64_t largest = 1, sums = 0, made = 0, factors = 0;
  /// How many warps may do each product as warpgroups, and whether those do.
  int64_t mostInWarpgroups = 8;
  bool inWarpgroups = false;
  /// Whether sums are computed side by side, and whether all are without tensor
  /// cores.
  bool areMany = false, areOuter = true;
};

class Placement {
public:
  Placement(KernelOp kernel, const AssignLayoutsOptions &options)
      : kernel(kernel), hasWarpgroups(options.hasWarpgroups),
        hasClusters(options.hasClusters) {}
  LogicalResult run();

private:
  void chooseBlocks();
  Layout blocked(ArrayRef<int64_t> extents) const;
  Work workForWarps();
  void chooseWarps();
  void chooseCrews();
  LogicalResult chooseAtoms();
  void holdFactors();
  void placeClass(TileClass &c);
  std::optional<Layout> layoutByNeighbours(const TileClass &c);
  std::optional<Layout> layoutByMemory(const TileClass &c,
                                       ArrayRef<Operation *> memory);
  void holdShortRows(TileClass &c);
  void keepRuns(const TileClass &c);
  LogicalResult rewrite();
  void convertResult(Operation *op, const Layout &own);
  void convertFactors(DotOp dot);
  LogicalResult convertSource(ReduceOp reduce);
  LogicalResult convertOperands(Operation *op);

  std::optional<unsigned> fastAxisOf(Value tile);
  FactorAxes axesOf(DotOp dot) {
    return {fastAxisOf(dot.getLhs()), fastAxisOf(dot.getRhs()),
            !classes.of(dot.getLhs())->memory.empty()};
  }
  const Layout *layoutOf(Value value) {
    TileClass *c = classes.of(value);
    return c && c->layout ? &*c->layout : nullptr;
  }
  Attribute encode(const Layout &layout) {
    return LayoutAttr::get(kernel.getContext(), layout);
  }
  void convert(OpOperand &operand, Attribute layout);
  /// Before it is known whether warps share rows.
  DotOptions dotOptions() const { return {/*wholeRows=*/false, hasWarpgroups}; }

  KernelOp kernel;
  bool hasWarpgroups, hasClusters;
  TileClasses classes;
  llvm::DenseMap<DotOp, DotAtom> atoms;
  /// How tiles are read and written, where that is not how they are computed.
  llvm::DenseMap<Operation *, Layout> inMemory;
  /// Dots whose left factor stays in registers while a loop goes round.
  llvm::SmallPtrSet<Operation *, 4> held;
  unsigned numWarps = 1;
  /// How many crews have so many warps each.
  int64_t numCrews = 1;
  TileBlocks blocks;
};

} // namespace

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// The axis along which a tile that comes from memory lies there.
std::optional<unsigned> Placement::fastAxisOf(Value tile) {
  const TileClass &c = *classes.of(tile);
  auto access = widestAccess(c.memory, !c.uses.empty()).access;
  return access ? access->fastAxis() : std::nullopt;
}

/// Blocks of a cluster can tell each other what they reduce. Nothing else goes
/// from one to another, so they do not share what products are made of.
void Placement::chooseBlocks() {
  int64_t asked = blocksOfTile(kernel);
  kernel->removeAttr("tile.share");
  if (asked == 1)
    return;
  bool hasDots = llvm::any_of(classes.all(),
                              [](const auto &c) { return !c->sums.empty(); });
  if (!hasClusters || hasDots) {
    kernel.emitRemark("has blocks that share no tiles: ")
        << (hasDots ? "it has products"
                    : "the code for this chip has no clusters");
    return;
  }
  blocks = TileBlocks(kernel, asked);
  kernel->setAttr("tile.share", Builder(kernel).getI64IntegerAttr(asked));
}

/// Neighbouring elements of the last axis in neighbouring threads.
Layout Placement::blocked(ArrayRef<int64_t> extents) const {
  return blocks.together(blockedLayout(blocks.partOf(extents), 1, numWarps),
                         extents);
}

/// A crew is four warps that multiply together what the copy engine brings, at
/// every second place of a block: elsewhere other numbers of warps are better.
void Placement::chooseCrews() {
  numCrews = crewsOf(kernel);
  if (numCrews == 1)
    return;
  StringRef why;
  bool hasSums = false;
  for (const std::unique_ptr<TileClass> &c : classes.all()) {
    for (DotOp dot : c->sums) {
      hasSums = true;
      if (!hasWarpgroups || DotAtom::mostInWarpgroups(dot, axesOf(dot)) == 0)
        why = "not all of its products are done by warpgroups";
    }
    for (Operation *op : c->memory)
      if (!c->uses.empty() && !isa<StoreOp>(op) &&
          !isMadeOfBoxes(MemoryAccess::of(op)))
        why = "the copy engine cannot bring all that it multiplies";
  }
  if (!hasSums)
    why = "it has no products";
  else if (why.empty() && hasFewBlocks(kernel))
    why = "each of its blocks has one place";
  if (why.empty())
    return;
  numCrews = 1;
  kernel->removeAttr("tile.crews");
  kernel->removeAttr("tile.warps");
  kernel.emitRemark("has one crew: ") << why;
}

Work Placement::workForWarps() {
  auto isForTensorCores = [&](DotOp dot) {
    return DotAtom::isForTensorCores(dot, dotOptions());
  };
  Work work;
  work.inWarpgroups = hasWarpgroups;
  for (const std::unique_ptr<TileClass> &c : classes.all()) {
    work.largest = std::max(work.largest, c->numElements());
    for (DotOp use : c->uses)
      for (Value factor : {use.getLhs(), use.getRhs()})
        if (classes.of(factor) == c.get() && !factor.getDefiningOp<LoadOp>())
          work.made = std::max(work.made, c->numElements());
    if (c->sums.empty())
      continue;
    // A dot that adds to what another has made needs no registers of its own.
    int64_t own = llvm::count_if(c->sums, [](DotOp dot) {
      return !dot.getAcc().getDefiningOp<DotOp>();
    });
    work.sums += own * c->numElements();
    for (DotOp dot : c->sums)
      work.factors =
          std::max({work.factors, dot.getLhs().getType().getNumElements(),
                    dot.getRhs().getType().getNumElements()});
    work.areMany |= own > 1;
    work.areOuter &= llvm::none_of(c->sums, isForTensorCores);
    for (DotOp dot : c->sums) {
      int64_t most = DotAtom::mostInWarpgroups(dot, axesOf(dot));
      work.inWarpgroups &= most != 0;
      work.mostInWarpgroups = std::min(work.mostInWarpgroups, most);
    }
  }
  return work;
}

/// So many that a thread holds 32 numbers of the largest tile, 64 if blocks
/// share it, since more of them are then there at a time to wait for each other
/// (softmax of 128256 columns took 177 us with 32 and 155 with 64), or if warps
/// wait for each other, or 128 of sums of products: the more of a product a
/// warp has, the less often its factors are read. It holds 64 of sums that are
/// computed side by side, since the factors of each take registers, too; of
/// those by wgmma, which reads factors itself, where each four warps need 64
/// rows of every product; and of those without tensor cores, which need many
/// threads. What these multiply with is in registers where it is computed, 64
/// numbers of it. Where few rows are multiplied with much, it is that which is
/// divided.
void Placement::chooseWarps() {
  if (auto asked = kernel->getAttrOfType<IntegerAttr>("tile.warps")) {
    numWarps = llvm::bit_floor(
        static_cast<uint64_t>(std::clamp<int64_t>(asked.getInt(), 1, 16)));
    return;
  }
  Work work = workForWarps();
  bool areWaiting = waitsForWarps(kernel);
  int64_t wanted, held = blocks.number() == 1 && !areWaiting ? 32 : 64;
  // With 16 warps 128 numbers a thread would be 64: softmax along the second of
  // 197x384x512 bf16 took 65 us so, and 41 with eight. In rounds more of them
  // ask for what comes next.
  bool hasRounds =
      kernel.walk([](scf::ForOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  int64_t most = areWaiting && !hasRounds ? 8 : 16;
  if (work.sums == 0)
    wanted = std::clamp<int64_t>(work.largest / blocks.number() / (32 * held),
                                 1, most);
  else if (work.inWarpgroups &&
           (numCrews != 1 || isForOneGroup(kernel, work.sums)))
    wanted = 4;
  else if (work.inWarpgroups)
    wanted =
        std::clamp<int64_t>(work.sums / (32 * 32), 4, work.mostInWarpgroups);
  else if (work.areMany || work.areOuter)
    wanted = std::clamp<int64_t>(
        std::max(work.sums, work.areOuter ? work.made : 0) / (32 * 64), 1,
        work.areMany ? 16 : 8);
  else
    // Few warps wait for each other's memory, so small sums have some, too.
    wanted = std::max(std::clamp<int64_t>(work.sums / (32 * 128), 1, 8),
                      std::clamp<int64_t>(work.sums / (32 * 64), 1, 4));
  if (work.sums != 0 && !work.inWarpgroups)
    wanted =
        std::max(wanted, std::clamp<int64_t>(work.factors / (32 * 64), 1, 8));
  numWarps = llvm::bit_floor(static_cast<uint64_t>(wanted));
}

/// Whether columns of a sum of products are combined, or it is a factor of
/// another product: then a warp should have its rows as a whole.
static bool needsWholeRows(const TileClass &c) {
  for (DotOp use : c.uses)
    if (llvm::is_contained(c.members, use.getLhs()))
      return true;
  for (Value member : c.members)
    for (Operation *user : member.getUsers())
      if (auto reduce = dyn_cast<ReduceOp>(user))
        if (llvm::is_contained(reduce.getDims(), c.type.getRank() - 1))
          return true;
  return false;
}

LogicalResult Placement::chooseAtoms() {
  SmallVector<DotOp> dots;
  DotOptions options = dotOptions();
  auto isForTensorCores = [&](DotOp dot) {
    return DotAtom::isForTensorCores(dot, options);
  };
  for (const std::unique_ptr<TileClass> &c : classes.all())
    if (!c->sums.empty()) {
      llvm::append_range(dots, c->sums);
      options.wholeRows |= needsWholeRows(*c);
    }
  // What no instruction can divide is divided less. Of few rows warps share
  // columns: what they then tell each other takes less than a warp alone. So
  // they do without tensor cores, whose factors come from shared memory anyway:
  // of a square part of a product a warp reads least.
  constexpr unsigned fewWarps = 4;
  auto mostWarps = [&] {
    unsigned most = dots.empty() ? numWarps : 1;
    for (DotOp dot : dots)
      most = std::max(most, DotAtom::maxWarps(dot, options));
    return std::min(most, numWarps);
  };
  if (mostWarps() < std::min(numWarps, fewWarps) ||
      llvm::none_of(dots, isForTensorCores))
    options.wholeRows = false;
  numWarps = mostWarps();
  for (DotOp dot : dots) {
    FailureOr<DotAtom> atom =
        DotAtom::choose(dot, numWarps, options, axesOf(dot));
    if (failed(atom))
      return failure();
    atoms.insert({dot, *atom});
  }
  return success();
}

/// An instruction of wgmma reads its left factor from shared memory, or from
/// registers, which takes less power and leaves memory to others. A factor that
/// stays the same is read into registers once, if they have room for it beside
/// sums and what is computed between products. With heads of 128, attention to
/// 8192 keys took 1740 us and then 1722.
void Placement::holdFactors() {
  constexpr int64_t others = 36;
  int64_t registers = others, beside = 0;
  llvm::SmallPtrSet<const void *, 4> counted;
  for (auto &[dot, atom] : atoms) {
    if (atom.kind != Atom::Wgmma || atom.isTransposed || atom.isSplit ||
        !atom.lhs || dot.getLhs().getType().getElementTypeBitWidth() != 16) {
      held.clear();
      return;
    }
    if (counted.insert(classes.of(dot.getResult())).second)
      registers += atom.accumulator.numRegisters();
    // What it is made of is a sum, and has registers of its own.
    const void *left = dot.getLhs().getAsOpaquePointer();
    bool isMade = !dot.getLhs().getDefiningOp<LoadOp>();
    bool isKept = hasSameLeft(dot);
    if (isKept)
      held.insert(dot);
    beside = std::max(beside, elementsBesideProducts(dot));
    if ((isKept || isMade) && counted.insert(left).second)
      registers += atom.lhs->numRegisters() / 2;
  }
  registers += beside / (numWarps * numLanes);
  auto residents = kernel->getAttrOfType<IntegerAttr>("tile.residents");
  // It may be that blocks walk.
  auto most = RoleRegisters::of(
      numWarps * numCrews, residents ? residents.getInt() : 1,
      kernel->hasAttr("tile.order") && !kernel->hasAttr("tile.grid"));
  if (registers > most.math)
    held.clear();
}

/// What the layouts that are known already imply through an op that changes the
/// shape.
std::optional<Layout> Placement::layoutByNeighbours(const TileClass &c) {
  for (Value member : c.members) {
    Operation *op = member.getDefiningOp();
    if (auto reduce = dyn_cast_or_null<ReduceOp>(op))
      if (const Layout *source = layoutOf(reduce.getSource()))
        if (auto found = source->reduction(toUnsigned(reduce.getDims())))
          return found->layout;
    if (auto transpose = dyn_cast_or_null<TransposeOp>(op))
      if (const Layout *source = layoutOf(transpose.getSource()))
        return source->transpose(toUnsigned(transpose.getPermutation())).layout;
  }
  for (Value member : c.members)
    for (Operation *user : member.getUsers()) {
      if (auto broadcast = dyn_cast<BroadcastOp>(user))
        if (const Layout *result = layoutOf(broadcast.getResult()))
          return result->slice(broadcast.getNewAxes()).layout;
      if (auto transpose = dyn_cast<TransposeOp>(user))
        if (const Layout *result = layoutOf(transpose.getResult())) {
          SmallVector<unsigned> inverse(c.type.getRank());
          for (auto [axis, from] : llvm::enumerate(transpose.getPermutation()))
            inverse[from] = axis;
          return result->transpose(inverse).layout;
        }
    }
  return std::nullopt;
}

/// For whichever access moves the widest vectors.
std::optional<Layout> Placement::layoutByMemory(const TileClass &c,
                                                ArrayRef<Operation *> memory) {
  // Lanes next to each other read 16 bytes each of the widest type, at most:
  // scales of f32 for rows of 16 bits would come in twice as many steps else.
  constexpr int64_t mostBytes = 16;
  int64_t mostVector = std::numeric_limits<int64_t>::max();
  if (c.uses.empty())
    for (Value member : c.members) {
      Type element = cast<RankedTensorType>(member.getType()).getElementType();
      if (isa<FloatType>(element))
        mostVector = std::min(mostVector, mostBytes / elementBytes(element));
    }
  std::optional<Layout> part =
      layoutInMemory(memory, blocks.partOf(c.type.getShape()), !c.uses.empty(),
                     mostVector, numWarps);
  if (part)
    return blocks.together(*part, c.type.getShape());
  return std::nullopt;
}

/// What is computed in the order of other tiles goes through memory in its own,
/// where a warp would else move a few bytes in many rows: 4096x4096 bf16 took
/// 117 us to transpose without an exchange. Of what tensor cores have summed
/// only rows that the copy engine cannot store are stored so: 96 products of
/// 197x64 by 64x197 took 28 us, and 11 so, 20000x333 by 333x500 48 and 33. What
/// is small beside other tiles may come as it likes.
void Placement::keepRuns(const TileClass &c) {
  constexpr int64_t enough = 64, engineBytes = 16;
  bool isLarge = llvm::all_of(classes.all(), [&](const auto &other) {
    return other->numElements() <= c.numElements();
  });
  bool hasOuter = llvm::any_of(
      atoms, [](auto &atom) { return atom.second.kind == Atom::Outer; });
  if (blocks.number() != 1 || !isLarge || hasOuter)
    return;
  for (Operation *op : c.memory) {
    if (!isa<LoadOp, StoreOp>(op) || inMemory.contains(op))
      continue;
    MemoryAccess access = MemoryAccess::of(op);
    bool isByEngine =
        access.vectorWidth() * elementBytes(access.tile.getElementType()) >=
        engineBytes;
    if (!atoms.empty() && (isa<LoadOp>(op) || isByEngine))
      continue;
    int64_t run = bytesInRow(*c.layout, access);
    std::optional<Layout> own = layoutByMemory(c, op);
    if (own && run < enough && 2 * run <= bytesInRow(*own, access))
      inMemory.insert({op, *own});
  }
}

/// Where several short rows lie in a warp side by side, what is reduced of each
/// goes through all of its lanes, and all of them compute with it. Then threads
/// read and write as memory likes it, and in between exchange what they have,
/// so that each computes with more of fewer rows.
void Placement::holdShortRows(TileClass &c) {
  constexpr int64_t few = 2, enough = 16;
  std::optional<unsigned> axis;
  for (Value member : c.members)
    for (Operation *user : member.getUsers())
      if (auto reduce = dyn_cast<ReduceOp>(user))
        if (reduce.getDims().size() == 1)
          axis = reduce.getDims().front();
  bool isPlain = llvm::all_of(
      c.memory, [](Operation *op) { return isa<LoadOp, StoreOp>(op); });
  if (!axis || !isPlain || blocks.number() != 1 || !atoms.empty())
    return;
  Layout::Bases bases = c.layout->bases();
  auto isAlong = [&](const Coordinates &basis) { return basis[*axis] != 0; };
  bool hasLanes = llvm::any_of(bases.lane, isAlong);
  bool isFew = (int64_t(1) << llvm::count_if(bases.reg, isAlong)) <= few;
  bool isInWarp = llvm::none_of(bases.warp, isAlong);
  if (!hasLanes || !isFew || !isInWarp || bases.repeat[*axis] != 1)
    return;
  Layout longer = withLongerRows(*c.layout, *axis, enough);
  if (longer == *c.layout)
    return;
  for (Operation *op : c.memory)
    inMemory.insert({op, *c.layout});
  c.layout = longer;
}

void Placement::placeClass(TileClass &c) {
  if (!c.sums.empty())
    c.layout = atoms.find(c.sums.front())->second.accumulator;
  if (!c.layout)
    c.layout = layoutByNeighbours(c);
  if (!c.layout && c.memory.empty() && !c.uses.empty()) {
    DotOp dot = c.uses.front();
    const DotAtom &atom = atoms.find(dot)->second;
    c.layout = classes.of(dot.getLhs()) == &c ? atom.lhs : atom.rhs;
  }
  if (!c.layout) {
    c.layout = layoutByMemory(c, c.memory);
    if (c.layout)
      holdShortRows(c);
  }
  if (!c.layout)
    c.layout = c.type.getRank() == 0
                   ? blocks.together(replicatedLayout({}, numWarps), {})
                   : blocked(c.type.getShape());
  keepRuns(c);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void Placement::convert(OpOperand &operand, Attribute layout) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  if (type.getEncoding() == layout)
    return;
  OpBuilder b(operand.getOwner());
  operand.set(ConvertLayoutOp::create(b, operand.getOwner()->getLoc(),
                                      place(type, layout), operand.get()));
}

/// A result that comes in a layout of its own is converted behind.
void Placement::convertResult(Operation *op, const Layout &own) {
  Value result = op->getResult(0);
  Attribute wanted = cast<RankedTensorType>(result.getType()).getEncoding();
  if (encode(own) == wanted)
    return;
  auto type = cast<RankedTensorType>(result.getType());
  result.setType(place(type, encode(own)));
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  auto converted = ConvertLayoutOp::create(b, op->getLoc(), type, result);
  result.replaceAllUsesExcept(converted, converted);
}

void Placement::convertFactors(DotOp dot) {
  const DotAtom &atom = atoms.find(dot)->second;
  for (OpOperand *operand : {&dot.getLhsMutable(), &dot.getRhsMutable()}) {
    bool isLeft = operand == &dot.getLhsMutable();
    convert(*operand,
            factorPlace(dot.getContext(),
                        cast<RankedTensorType>(operand->get().getType()), atom,
                        isLeft, isCopiedAhead(operand->get(), dot),
                        isLeft && held.contains(dot)));
  }
  // Sums of dots that are done with different instructions may have met.
  convert(dot.getAccMutable(), encode(atom.accumulator));
  convertResult(dot, atom.accumulator);
  dot.setAtom(atom.kind);
  if (atom.apart)
    dot->setAttr("tile.apart", Builder(dot).getI64IntegerAttr(*atom.apart));
}

LogicalResult Placement::convertSource(ReduceOp reduce) {
  SmallVector<unsigned> axes = toUnsigned(reduce.getDims());
  auto type = reduce.getSource().getType();
  auto reduction = tile::layoutOf(type).getValue().reduction(axes);
  if (!reduction) {
    // Rows by threads can always be reduced.
    Layout plain = blocked(type.getShape());
    convert(reduce.getSourceMutable(), encode(plain));
    reduction = plain.reduction(axes);
    if (!reduction)
      return reduce.emitOpError("cannot be laid out: no layout of its source "
                                "can be reduced");
  }
  convertResult(reduce, reduction->layout);
  return success();
}

LogicalResult Placement::convertOperands(Operation *op) {
  if (auto dot = dyn_cast<DotOp>(op)) {
    convertFactors(dot);
    return success();
  }
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    const Layout &result = tile::layoutOf(broadcast.getType()).getValue();
    convert(broadcast.getSourceMutable(),
            encode(result.slice(broadcast.getNewAxes()).layout));
    return success();
  }
  if (auto reduce = dyn_cast<ReduceOp>(op))
    if (failed(convertSource(reduce)))
      return failure();
  if (auto collect = dyn_cast<CollectOp>(op))
    for (OpOperand &source : collect.getSourcesMutable())
      // Lanes and registers of plain rows keep shares apart.
      if (!planCollect(collect, source.getOperandNumber()))
        convert(
            source,
            encode(blocked(
                cast<RankedTensorType>(source.get().getType()).getShape())));
  if (auto own = inMemory.find(op); own != inMemory.end()) {
    if (auto store = dyn_cast<StoreOp>(op))
      convert(store.getSourceMutable(), encode(own->second));
    else
      convertResult(op, own->second);
  }
  if (auto transpose = dyn_cast<TransposeOp>(op))
    convertResult(op, tile::layoutOf(transpose.getSource().getType())
                          .getValue()
                          .transpose(toUnsigned(transpose.getPermutation()))
                          .layout);
  return success();
}

LogicalResult Placement::rewrite() {
  for (const std::unique_ptr<TileClass> &c : classes.all())
    for (Value member : c->members)
      member.setType(place(member.getType(), encode(*c->layout)));
  WalkResult walked = kernel.walk([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op);
        constant && isTile(constant.getResult())) {
      auto elements = dyn_cast<SplatElementsAttr>(constant.getValue());
      if (!elements) {
        op->emitOpError("has several numbers, but constants of a kernel have "
                        "one; pass it as an input");
        return WalkResult::interrupt();
      }
      constant.setValueAttr(
          elements.resizeSplat(cast<ShapedType>(constant.getType())));
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (failed(convertOperands(op)))
      return failure();
  return success();
}

LogicalResult Placement::run() {
  WalkResult placed = kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isTile(result) &&
          cast<RankedTensorType>(result.getType()).getEncoding()) {
        op->emitOpError("has a layout already, but layouts are assigned once");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  if (placed.wasInterrupted())
    return failure();
  separateFreeOps(kernel);
  classes.collect(kernel);
  chooseBlocks();
  chooseCrews();
  chooseWarps();
  if (failed(chooseAtoms()))
    return failure();
  holdFactors();
  SmallVector<TileClass *> order(
      llvm::map_range(classes.all(), [](auto &c) { return c.get(); }));
  llvm::sort(order, [](TileClass *a, TileClass *b) {
    return std::tuple(a->sums.empty(), -a->numElements(), a->number) <
           std::tuple(b->sums.empty(), -b->numElements(), b->number);
  });
  for (TileClass *c : order)
    placeClass(*c);
  if (failed(rewrite()) || failed(checkThreads(kernel)))
    return failure();
  kernel->setAttr("tile.warps", Builder(kernel).getI64IntegerAttr(numWarps));
  limitResidents(kernel, numWarps);
  return success();
}

namespace {

struct AssignLayoutsPass final
    : fuse::impl::AssignLayoutsBase<AssignLayoutsPass> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() final {
    KernelOp kernel = getOperation();
    if (!hasClusters && collects(kernel)) {
      kernel.emitOpError("collects what the blocks of a cluster have, but the "
                         "code for this chip has no clusters");
      return signalPassFailure();
    }
    if (blocksOfTile(kernel) != 1 && !mayShareTiles(kernel)) {
      kernel->removeAttr("tile.share");
      kernel.emitRemark("has blocks that share no tiles: one would need what "
                        "another one holds");
    }
    if (failed(Placement(kernel, {hasWarpgroups, hasClusters}).run()))
      signalPassFailure();
  }

private:
  /// Whether nothing but reductions goes from block to block.
  bool mayShareTiles(KernelOp kernel) {
    OwningOpRef<KernelOp> trial(kernel.clone());
    ScopedDiagnosticHandler quiet(&getContext(),
                                  [](Diagnostic &) { return success(); });
    if (failed(Placement(*trial, {hasWarpgroups, hasClusters}).run()))
      return false;
    bool isClosed = true;
    trial->walk([&](ConvertLayoutOp convert) {
      LayoutAttr from = layoutOf(convert.getSource().getType());
      LayoutAttr to = layoutOf(convert.getType());
      unsigned bytes = elementBytes(convert.getType().getElementType());
      if (from && to)
        isClosed &= classifyConversion(from.getValue(), to.getValue(), bytes)
                        .has_value();
    });
    return isClosed;
  }
};

} // namespace
