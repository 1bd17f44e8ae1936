//===- AlignRows.cpp - tiles that begin before their rows -----------------===//
//
// A row of 50257 numbers of 2 bytes begins at any multiple of 2 bytes, and its
// tile where no vector may. With s = row * 50257 mod 8 the tile
//
//   tile.load %x[%row, %c0] limits(%c50257)
//   -> tile.load %x[%row, 0 - s] from(s) limits(50257 + s)
//
// begins at a multiple of 16 bytes. All tiles that have to agree with it along
// that axis move along.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace fuse {
#define GEN_PASS_DEF_ALIGNROWS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static constexpr int64_t chunkBytes = 16;

namespace {

/// An axis of a tile.
using Axis = std::pair<const void *, unsigned>;

/// Axes that have to agree.
struct Together {
  int64_t size = 0;
  /// Whether something depends on positions in a way that is not known here.
  bool isFixed = false;
  /// Loads, stores and masks that have an edge along it, and which of their
  /// axes that is; and what counts positions, as a tile.
  SmallVector<std::pair<Operation *, unsigned>> limited, counting;
};

/// By how much tiles move.
struct Shift {
  ElementSum phase;
  int64_t chunk;
};

class RowAligner {
public:
  RowAligner(KernelOp kernel, int64_t shortTile)
      : kernel(kernel), shortTile(shortTile) {}
  void run();

private:
  void collect(Operation *op);
  void agree(Value a, unsigned axisOfA, Value c, unsigned axisOfC) {
    sets.unionSets({a.getAsOpaquePointer(), axisOfA},
                   {c.getAsOpaquePointer(), axisOfC});
  }
  void agree(Value a, Value c);
  Together &axesLike(Value tile, unsigned axis) {
    return byLeader[sets.getOrInsertLeaderValue(
        {tile.getAsOpaquePointer(), axis})];
  }
  void note(Operation *op);
  std::optional<Shift> shiftOf(const Together &axes);
  bool hasRoom(const Together &axes, int64_t chunk);
  bool isOnlyForLimits(Value counter, const Together &axes);
  Value write(const Shift &shift);
  void move(const Together &axes, const Shift &shift);

  KernelOp kernel;
  int64_t shortTile;
  llvm::EquivalenceClasses<Axis> sets;
  llvm::MapVector<Axis, Together> byLeader;
};

} // namespace

static unsigned rankOf(Value tile) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  return type ? type.getRank() : 0;
}

//===----------------------------------------------------------------------===//
// What has to agree
//===----------------------------------------------------------------------===//

void RowAligner::agree(Value a, Value c) {
  for (unsigned axis = 0, rank = rankOf(a); axis < rank; ++axis)
    agree(a, axis, c, axis);
}

void RowAligner::collect(Operation *op) {
  if (isa<MaskOp>(op) || OpTrait::hasElementwiseMappableTraits(op)) {
    for (Value operand : op->getOperands())
      if (rankOf(operand) != 0)
        agree(op->getResult(0), operand);
  } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    for (auto [axis, dim] : llvm::enumerate(broadcast.getDims()))
      agree(broadcast.getSource(), axis, broadcast.getResult(), dim);
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    for (auto [axis, from] : llvm::enumerate(transpose.getPermutation()))
      agree(transpose.getSource(), from, transpose.getResult(), axis);
  } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
    unsigned kept = 0;
    for (unsigned axis = 0, rank = rankOf(reduce.getSource()); axis < rank;
         ++axis)
      if (!llvm::is_contained(reduce.getDims(), static_cast<int64_t>(axis)))
        agree(reduce.getSource(), axis, reduce.getResult(), kept++);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, argument, yielded, result] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                         loop.getYieldedValues(), loop.getResults())) {
      agree(init, argument);
      agree(argument, yielded);
      agree(yielded, result);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : branch->getRegions())
      if (!region.empty())
        for (auto [result, yielded] :
             llvm::zip_equal(branch.getResults(),
                             region.front().getTerminator()->getOperands()))
          agree(result, yielded);
  }
}

void RowAligner::note(Operation *op) {
  auto noteEdges = [&](Value tile, ArrayRef<int64_t> axes) {
    for (int64_t axis : axes)
      axesLike(tile, axis).limited.push_back({op, axis});
  };
  auto noteAccess = [&](Value tile) {
    MemoryAccess access = MemoryAccess::of(op);
    noteEdges(tile, access.axes);
    for (unsigned axis = 0, rank = rankOf(tile); axis < rank; ++axis) {
      // What has no edge may not be read in front of the row.
      bool moves = false;
      for (unsigned dim = 0; dim < access.indices.size(); ++dim)
        moves |= access.coefficient(dim, axis) != 0;
      if (moves && !llvm::is_contained(access.axes, static_cast<int64_t>(axis)))
        axesLike(tile, axis).isFixed = true;
      if (!access.starts.empty())
        axesLike(tile, axis).isFixed = true;
    }
  };
  auto noteSizes = [&](Value tile, bool isFixed) {
    for (unsigned axis = 0, rank = rankOf(tile); axis < rank; ++axis) {
      Together &axes = axesLike(tile, axis);
      axes.size = cast<RankedTensorType>(tile.getType()).getDimSize(axis);
      axes.isFixed |= isFixed;
    }
  };
  bool isKnown = isa<LoadOp, StoreOp, MaskOp, IotaOp, BroadcastOp, TransposeOp,
                     ReduceOp, scf::ForOp, scf::IfOp, scf::YieldOp>(op) ||
                 op->hasTrait<OpTrait::ConstantLike>() ||
                 OpTrait::hasElementwiseMappableTraits(op);
  for (Value operand : op->getOperands())
    noteSizes(operand, !isKnown);
  for (Value result : op->getResults())
    noteSizes(result, !isKnown);
  if (auto load = dyn_cast<LoadOp>(op)) {
    noteAccess(load.getResult());
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    noteAccess(store.getSource());
  } else if (auto mask = dyn_cast<MaskOp>(op)) {
    noteEdges(mask.getResult(), mask.getAxes());
  } else if (auto iota = dyn_cast<IotaOp>(op)) {
    for (auto [axis, factor] : llvm::enumerate(iota.getCoefficients()))
      if (factor != 0)
        axesLike(iota.getResult(), axis).counting.push_back({op, axis});
  }
}

//===----------------------------------------------------------------------===//
// By how much they move
//===----------------------------------------------------------------------===//

/// Absent if the memory is not known to be aligned, nor where the tile is in
/// it, or if there are several rows, which begin at different places.
static std::optional<ElementSum> originOf(Operation *op, unsigned axis) {
  if (!isa<LoadOp, StoreOp>(op))
    return std::nullopt;
  MemoryAccess access = MemoryAccess::of(op);
  int64_t chunk = chunkBytes / elementBytes(access.tile.getElementType());
  if (access.fastAxis() != axis || access.isGuarded || chunk < 2 ||
      access.alignment() < chunkBytes || stridesOf(access.memory.getType()))
    return std::nullopt;
  for (unsigned other = 0; other < access.tile.getRank(); ++other)
    if (other != axis && access.tile.getDimSize(other) != 1 &&
        access.stepDivisor(other) % chunk != 0)
      return std::nullopt;
  return access.origin();
}

static Value limitOf(Operation *op, unsigned axis) {
  auto limitIn = [&](auto access) {
    return access.getLimits()[llvm::find(access.getAxes(), axis) -
                              access.getAxes().begin()];
  };
  if (auto mask = dyn_cast<MaskOp>(op))
    return limitIn(mask);
  if (auto load = dyn_cast<LoadOp>(op))
    return limitIn(load);
  return limitIn(cast<StoreOp>(op));
}

std::optional<Shift> RowAligner::shiftOf(const Together &axes) {
  int64_t chunk = 0;
  for (auto [op, axis] : axes.limited)
    if (originOf(op, axis))
      chunk = std::max(
          chunk, chunkBytes /
                     elementBytes(MemoryAccess::of(op).tile.getElementType()));
  // What is short comes in one trip to memory either way, and masking what is
  // in front of the row takes instructions.
  if (chunk == 0 || axes.size * chunkBytes / chunk <= shortTile)
    return std::nullopt;
  // What is read by all blocks comes from near by, so that the size of a memory
  // says how much of it goes by.
  SmallVector<std::pair<ElementSum, int64_t>> phases;
  for (auto [op, axis] : axes.limited) {
    std::optional<ElementSum> origin = originOf(op, axis);
    if (!origin)
      continue;
    ElementSum phase = origin->modulo(chunk);
    auto *it = llvm::find_if(
        phases, [&](const auto &other) { return other.first == phase; });
    if (it == phases.end())
      it = phases.insert(it, {phase, 0});
    MemRefType memory = MemoryAccess::of(op).memory.getType();
    it->second +=
        memory.hasStaticShape()
            ? memory.getNumElements() * elementBytes(memory.getElementType())
            : 1;
  }
  auto *largest = llvm::max_element(
      phases, [](const auto &a, const auto &c) { return a.second < c.second; });
  const ElementSum &phase = largest->first;
  if (phase.terms.empty() && phase.constant == 0)
    return std::nullopt;
  // It is computed once, in front of everything.
  for (auto [value, factor] : phase.terms)
    if (value.getParentBlock() != &kernel.getBody().front())
      return std::nullopt;
  return Shift{phase, chunk};
}

/// Whether nothing but limits, and where tiles are, depends on a loop's
/// counter.
bool RowAligner::isOnlyForLimits(Value counter, const Together &axes) {
  auto isOwn = [&](Operation *op) {
    return llvm::any_of(axes.limited,
                        [&](auto own) { return own.first == op; }) ||
           llvm::any_of(axes.counting,
                        [&](auto own) { return own.first == op; });
  };
  return llvm::all_of(counter.getUsers(), [&](Operation *user) {
    return isOwn(user) ||
           (isa<arith::SubIOp>(user) && llvm::all_of(user->getUsers(), isOwn));
  });
}

/// Whether rows still fit in where their tiles are.
bool RowAligner::hasRoom(const Together &axes, int64_t chunk) {
  return llvm::all_of(axes.limited, [&](auto own) {
    Value limit = limitOf(own.first, own.second);
    APInt size;
    if (matchPattern(limit, m_ConstantInt(&size)))
      return size.getSExtValue() + chunk - 1 <= axes.size;
    // Of rows that are walked loops see to it.
    auto left = limit.getDefiningOp<arith::SubIOp>();
    scf::ForOp loop =
        left ? scf::getForInductionVarOwner(left.getRhs()) : scf::ForOp();
    APInt step;
    return loop && left.getLhs() == loop.getUpperBound() &&
           matchPattern(left.getLhs(), m_ConstantInt(&size)) &&
           matchPattern(loop.getLowerBound(), m_Zero()) &&
           matchPattern(loop.getStep(), m_ConstantInt(&step)) &&
           step.getSExtValue() == axes.size &&
           isOnlyForLimits(left.getRhs(), axes);
  });
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

/// The number of elements, in front of everything that needs it.
Value RowAligner::write(const Shift &shift) {
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPointToStart(&kernel.getBody().front());
  for (auto [value, factor] : shift.phase.terms)
    if (Operation *op = value.getDefiningOp();
        op && (b.getInsertionPoint() == b.getBlock()->end() ||
               !op->isBeforeInBlock(&*b.getInsertionPoint())))
      b.setInsertionPointAfter(op);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value sum = number(shift.phase.constant);
  for (auto [value, factor] : shift.phase.terms)
    sum = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(value, number(factor)), sum);
  return arith::RemUIOp::create(b, sum, number(shift.chunk));
}

void RowAligner::move(const Together &axes, const Shift &shift) {
  Value by = write(shift);
  llvm::MapVector<Value, std::pair<Value, Value>> edges;
  /// Where an edge starts and ends then, next to where it was computed.
  auto edgesFor = [&](Value limit) {
    auto [it, isNew] = edges.try_emplace(limit);
    if (!isNew)
      return it->second;
    ImplicitLocOpBuilder b(limit.getLoc(), kernel.getContext());
    b.setInsertionPointAfter(by.getDefiningOp());
    // Constants may stand behind what is computed first.
    auto moved = [&](Value constant) -> Value {
      APInt size;
      matchPattern(constant, m_ConstantInt(&size));
      return arith::AddIOp::create(
          b, arith::ConstantIndexOp::create(b, size.getSExtValue()), by);
    };
    auto left = limit.getDefiningOp<arith::SubIOp>();
    if (!left)
      return it->second = {by, moved(limit)};
    Value counter = left.getRhs();
    scf::ForOp loop = scf::getForInductionVarOwner(counter);
    // The row's end, which the loop goes on to.
    Value end = moved(left.getLhs());
    loop.getUpperBoundMutable().assign(end);
    b.setInsertionPoint(left);
    Value start = arith::SubIOp::create(b, by, counter);
    return it->second = {start, arith::SubIOp::create(b, end, counter)};
  };
  auto moveEdges = [&](auto op, unsigned axis) {
    if (op.getStarts().empty()) {
      OpBuilder b(op);
      Value none = arith::ConstantIndexOp::create(b, op.getLoc(), 0);
      SmallVector<Value> starts(op.getAxes().size(), none);
      op.getStartsMutable().assign(starts);
    }
    unsigned number = llvm::find(op.getAxes(), axis) - op.getAxes().begin();
    auto [start, limit] = edgesFor(op.getLimits()[number]);
    op.getStartsMutable()[number].assign(start);
    op.getLimitsMutable()[number].assign(limit);
  };
  auto back = [&](OpOperand &position, int64_t factor) {
    ImplicitLocOpBuilder b(position.getOwner()->getLoc(), position.getOwner());
    Value distance = by;
    if (factor != 1)
      distance = arith::MulIOp::create(
          b, by, arith::ConstantIndexOp::create(b, factor));
    position.set(arith::SubIOp::create(b, position.get(), distance));
  };
  auto moveAccess = [&](auto op, unsigned axis) {
    MemoryAccess access = MemoryAccess::of(op);
    SmallVector<int64_t> factors;
    for (unsigned dim = 0; dim < access.indices.size(); ++dim)
      factors.push_back(access.coefficient(dim, axis));
    for (auto [dim, factor] : llvm::enumerate(factors))
      if (factor != 0)
        back(op.getIndicesMutable()[dim], factor);
    moveEdges(op, axis);
  };
  for (auto [op, axis] : axes.limited) {
    if (auto load = dyn_cast<LoadOp>(op))
      moveAccess(load, axis);
    else if (auto store = dyn_cast<StoreOp>(op))
      moveAccess(store, axis);
    else
      moveEdges(cast<MaskOp>(op), axis);
  }
  for (auto [op, axis] : axes.counting) {
    auto iota = cast<IotaOp>(op);
    back(iota.getBaseMutable(), iota.getCoefficients()[axis]);
  }
}

void RowAligner::run() {
  kernel.walk([&](Operation *op) { collect(op); });
  kernel.walk([&](Operation *op) { note(op); });
  auto numberOf = [&](StringRef name) {
    auto number = kernel->getAttrOfType<IntegerAttr>(name);
    return number ? number.getInt() : 1;
  };
  int64_t threads = 32 * numberOf("tile.warps") * numberOf("tile.share");
  for (auto &[leader, axes] : byLeader) {
    if (axes.isFixed || axes.limited.empty())
      continue;
    std::optional<Shift> shift = shiftOf(axes);
    // Threads with few elements have them next to those of others.
    if (!shift || axes.size / threads < 4 || !hasRoom(axes, shift->chunk))
      continue;
    move(axes, *shift);
  }
}

namespace {

struct AlignRowsPass final : fuse::impl::AlignRowsBase<AlignRowsPass> {
  using AlignRowsBase::AlignRowsBase;

  void runOnOperation() final { RowAligner(getOperation(), shortTile).run(); }
};

} // namespace
