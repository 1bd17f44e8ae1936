//===- Cluster.cpp - blocks that run together -----------------------------===//
//
// Strands take turns, of lengths that the timing chooses, whichever block they
// are of.
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

Cluster::Cluster(Simulation &simulation, ArrayRef<SmallVector<int64_t>> places,
                 uint64_t number)
    : simulation(simulation) {
  simulation.kernel.walk([&](tile::RingOp ring) {
    rings[ring].resize(places.size());
    isShared |= Ring::isFilledByOthers(ring, places.size());
  });
  for (auto [rank, place] : llvm::enumerate(places))
    blocks.push_back(std::make_unique<Interpreter>(simulation, *this, rank,
                                                   place, number + rank));
}

MutableArrayRef<Ring *> Cluster::ringsOf(tile::RingOp op) {
  return rings.find(op)->second;
}

bool Cluster::haveAllReachedRoles() const {
  return !isShared ||
         llvm::all_of(blocks, [](const std::unique_ptr<Interpreter> &block) {
           return block->isAtRoles();
         });
}

bool Cluster::isReady(const Strand &strand) const {
  if (strand.hasEnded() || strand.openRoles != 0)
    return false;
  // Nobody leaves while others still fill its slots, or tell it that they have
  // read theirs.
  return !isShared || !strand.hasBegunRoles ||
         llvm::all_of(blocks, [](const std::unique_ptr<Interpreter> &block) {
           return block->isBehindRoles();
         });
}

SmallVector<Cluster::Place> Cluster::findReady() const {
  SmallVector<Place> ready;
  for (const std::unique_ptr<Interpreter> &block : blocks)
    for (const std::unique_ptr<Strand> &strand : block->allStrands())
      if (isReady(*strand))
        ready.push_back({block.get(), strand.get()});
  return ready;
}

/// What somebody waits for at `op`.
static std::string awaitedAt(Interpreter &block, Strand &strand) {
  Operation *op = &*strand.frames.back().next;
  if (isa<tile::RolesOp, tile::CollectOp>(op))
    return "the other blocks of its cluster";
  if (isa<tile::TakeTurnOp>(op))
    return "the turn of crew " + std::to_string(strand.crew);
  return "number " + std::to_string(block.integerOf(strand, op->getOperand(1)));
}

LogicalResult Cluster::reportDeadlock() {
  SmallVector<Place> standing = findReady();
  auto opOf = [](const Place &place) {
    return &*place.strand->frames.back().next;
  };
  const Place &first = standing.front();
  simulation.enter(first.block->place());
  InFlightDiagnostic diagnostic =
      opOf(first)->emitOpError("waits for ever, for ")
      << awaitedAt(*first.block, *first.strand);
  for (const Place &other : ArrayRef(standing).drop_front()) {
    Diagnostic &note = diagnostic.attachNote(opOf(other)->getLoc());
    note << "and '" << opOf(other)->getName() << "' waits here";
    if (blocks.size() != 1)
      note << " in block " << other.block->rankInCluster() << " of the cluster";
    note << ", for " << awaitedAt(*other.block, *other.strand);
  }
  return diagnostic;
}

bool Cluster::landOne() {
  return llvm::any_of(blocks, [](const std::unique_ptr<Interpreter> &block) {
    return llvm::any_of(
        block->allRings(),
        [](const std::unique_ptr<Ring> &ring) { return ring->landOne(); });
  });
}

LogicalResult Cluster::run() {
  Timing &timing = simulation.timing;
  for (SmallVector<Place> ready = findReady(); !ready.empty();
       ready = findReady()) {
    std::swap(ready.front(), ready[timing.below(ready.size())]);
    bool hasMoved = false;
    for (auto [block, strand] : ready) {
      simulation.enter(block->place());
      for (uint64_t turn = timing.turn(); turn != 0 && isReady(*strand);
           --turn) {
        Outcome outcome = block->step(*strand);
        if (outcome == Outcome::Failed)
          return failure();
        if (outcome == Outcome::Blocked)
          break;
        timing.advance();
        hasMoved = true;
      }
      if (hasMoved)
        break;
    }
    // Nobody waits for these copies in particular; they arrive some time.
    if (!hasMoved && !landOne())
      return reportDeadlock();
  }
  for (const std::unique_ptr<Interpreter> &block : blocks) {
    simulation.enter(block->place());
    for (const std::unique_ptr<Ring> &ring : block->allRings())
      if (failed(ring->finish()))
        return failure();
  }
  return success();
}
