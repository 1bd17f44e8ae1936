//===- Swizzle.cpp - shared memory between two layouts --------------------===//
//
// Derives offsets from two access patterns. Offsets are coordinates in a basis
// of the positions, which is put together from the lowest bit up:
//   common   what one vector of either side covers
//   wide     what only the vectors of one side cover as well
//   word     up to 4 bytes, where vectors are narrower
//   banks    the rest of 128 bytes
//   high     differences that share a bank
//   rounds   what both sides hold in registers, if the tile is stored in parts
// For vectors to stay whole, threads must not move inside of them: the bases of
// both sides' threads lie in the span of all but `common`, and those of the
// wide side in the span of all but `common` and `wide`, called the plane.
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/Conversion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace fuse;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr unsigned wordBytes = 4, rowBytes = 128;

static void append(BitVectors &vectors, ArrayRef<Bits> more) {
  vectors.append(more.begin(), more.end());
}

static BitVectors joined(std::initializer_list<ArrayRef<Bits>> parts) {
  BitVectors all;
  for (ArrayRef<Bits> part : parts)
    append(all, part);
  return all;
}

namespace {

/// One side of the trip.
struct Side {
  const Layout &layout;
  bool stores;

  /// All bits that address memory other than registers.
  BitVectors threads() const {
    return joined({layout.bases(Place::Lane), layout.bases(Place::Warp),
                   layout.bases(Place::Cta)});
  }
  /// The lanes that are served together in accesses of so many bytes. Lanes
  /// that hold copies do not store.
  BitVectors phase(unsigned accessBytes) const {
    unsigned lanes =
        std::min(numLanes, rowBytes / std::max(accessBytes, wordBytes));
    unsigned leftOut = stores ? layout.freeMask(Place::Lane) : 0;
    BitVectors bases;
    for (unsigned bit = 0; bit != llvm::Log2_32(lanes); ++bit)
      if (!(leftOut >> bit & 1))
        bases.push_back(layout.bases(Place::Lane)[bit]);
    return bases;
  }
};

struct Derivation {
  const Side &wideSide, &narrowSide;
  unsigned elementBytes;
  unsigned numBits;
  BitVectors common, wide, rounds;

  unsigned log2Elements(unsigned bytes) const {
    return llvm::Log2_32(std::max(1u, bytes / elementBytes));
  }
  /// The offset bits of one access, or of a word if that is more.
  unsigned lowBits(bool isWide) const {
    unsigned bits = common.size() + (isWide ? wide.size() : 0);
    return std::max(bits, log2Elements(wordBytes));
  }
  BitVectors phase(bool isWide) const {
    unsigned bits = common.size() + (isWide ? wide.size() : 0);
    return (isWide ? wideSide : narrowSide).phase(elementBytes << bits);
  }

  std::optional<BitVectors> plane() const;
  std::optional<BitVectors> offsets() const;
};

} // namespace

/// A complement of the vectors that holds the threads of the wide side. Where
/// there is a choice, the narrow side's lanes differ in `wide`, whose bits are
/// banks to them.
std::optional<BitVectors> Derivation::plane() const {
  BitVectors threads = wideSide.threads();
  Span bothThreads(joined({threads, narrowSide.threads(), wide}));
  BitVectors inBoth = joined({common, rounds});
  if (independent(bothThreads, inBoth).size() != inBoth.size() ||
      independent(Span(threads), joined({inBoth, wide})).size() !=
          inBoth.size() + wide.size())
    return std::nullopt;

  BitVectors plane = independent(Span(), threads);
  // Coordinates along `wide` that the narrow side's lanes have so far.
  Span reached;
  for (Bits lane : phase(/*isWide=*/false)) {
    BitMap coordinates(joined({wide, plane}));
    if (std::optional<Bits> known = coordinates.preimage(lane)) {
      reached.add(*known & ((Bits(1) << wide.size()) - 1));
      continue;
    }
    Bits shift = 0;
    for (auto [bit, vector] : llvm::enumerate(wide))
      if (!shift && reached.add(Bits(1) << bit))
        shift = vector;
    plane.push_back(lane ^ shift);
  }
  BitVectors rest = narrowSide.threads();
  for (unsigned bit = 0; bit != numBits; ++bit)
    rest.push_back(Bits(1) << bit);
  append(plane, independent(Span(joined({inBoth, wide, plane})), rest));
  return plane;
}

std::optional<BitVectors> Derivation::offsets() const {
  std::optional<BitVectors> plane = this->plane();
  if (!plane)
    return std::nullopt;
  Span planeSpan(*plane);
  BitVectors vector = joined({common, wide});

  // What lies in the plane of the lanes that are served together, where lanes
  // that differ within a word count as one.
  auto inPlane = [&](bool isWide, ArrayRef<Bits> low) {
    unsigned count = std::min<unsigned>(lowBits(isWide), low.size());
    return intersection(Span(joined({phase(isWide), low.take_front(count)})),
                        planeSpan);
  };
  // Lanes that share words take up fewer banks: fill words with what both have.
  Span wideLanes(inPlane(true, vector)), narrowLanes(inPlane(false, vector));
  BitVectors word = independent(
      Span(), joined({intersection(wideLanes, narrowLanes), wideLanes.basis(),
                      narrowLanes.basis(), *plane}));
  word.truncate(std::min<size_t>(
      word.size(),
      log2Elements(wordBytes) -
          std::min<unsigned>(log2Elements(wordBytes), vector.size())));
  BitVectors low = joined({vector, word});

  Span s(inPlane(true, low)), d(inPlane(false, low));
  unsigned below = std::max<unsigned>(log2Elements(rowBytes), low.size());
  unsigned used = below + rounds.size();
  unsigned numHigh = numBits > used ? numBits - used : 0;
  Span both(intersection(s, d));
  BitVectors onlyS = independent(both, s.basis());
  BitVectors onlyD = independent(both, d.basis());
  BitVectors high = independent(Span(joined({s.basis(), d.basis()})), *plane);
  for (auto [x, y] : llvm::zip(onlyS, onlyD))
    high.push_back(x ^ y);
  // More than that costs conflicts.
  append(high, independent(Span(joined({word, high})), *plane));
  high.truncate(numHigh);

  BitVectors banks = independent(Span(joined({word, high})),
                                 joined({s.basis(), d.basis(), *plane}));
  return joined({low, banks, high, rounds});
}

//===----------------------------------------------------------------------===//
// The choice of vectors
//===----------------------------------------------------------------------===//

/// Vectors that both, or one of the sides, can access: bases of registers
/// before their sums.
static BitVectors commonRegisters(const Layout &from, const Layout &to) {
  ArrayRef<Bits> a = from.bases(Place::Register);
  ArrayRef<Bits> b = to.bases(Place::Register);
  BitVectors candidates;
  for (Bits basis : b)
    if (llvm::is_contained(a, basis))
      candidates.push_back(basis);
  append(candidates, intersection(Span(a), Span(b)));
  return candidates;
}

/// Relative time: passes through the banks count twice as much as instructions.
static unsigned cost(unsigned numAccesses, unsigned accessBytes,
                     unsigned conflicts) {
  unsigned passes = std::max(1u, accessBytes / wordBytes) * conflicts;
  return numAccesses * (2 * passes + 1);
}

/// The plan of a derivation, if there is one; how large its rounds are is not
/// in it yet.
static std::optional<SharedPlan> planOf(const Derivation &derivation) {
  std::optional<BitVectors> offsets = derivation.offsets();
  if (!offsets)
    return std::nullopt;
  const Side &wide = derivation.wideSide, &narrow = derivation.narrowSide;
  const Layout &from = (wide.stores ? wide : narrow).layout,
               &to = (wide.stores ? narrow : wide).layout;
  SharedPlan plan(SharedLayout(from.tile(), *offsets));
  plan.storeWidth = plan.loadWidth = 1u << derivation.common.size();
  (wide.stores ? plan.storeWidth : plan.loadWidth) <<= derivation.wide.size();
  auto stores = vectorAccesses(from, plan.memory, plan.storeWidth);
  auto loads = vectorAccesses(to, plan.memory, plan.loadWidth);
  if (!stores || !loads)
    return std::nullopt;
  unsigned elementBytes = derivation.elementBytes;
  plan.storeConflicts =
      bankConflicts(from, plan.memory, elementBytes, plan.storeWidth, false);
  plan.loadConflicts =
      bankConflicts(to, plan.memory, elementBytes, plan.loadWidth);
  plan.cost =
      cost(stores->size(), elementBytes * plan.storeWidth,
           plan.storeConflicts) +
      cost(loads->size(), elementBytes * plan.loadWidth, plan.loadConflicts);
  return plan;
}

/// Whether what moves between the layouts moves between lanes of one warp.
static bool staysInWarp(const Layout &from, const Layout &to) {
  Span inWarp(joined({from.bases(Place::Register), from.bases(Place::Lane)}));
  if (from.freeMask(Place::Warp) ||
      !inWarp.containsAll(to.bases(Place::Register)) ||
      !inWarp.containsAll(to.bases(Place::Lane)) ||
      from.bases(Place::Cta) != to.bases(Place::Cta))
    return false;
  return llvm::all_of(llvm::zip(from.bases(Place::Warp), to.bases(Place::Warp)),
                      [&](auto pair) {
                        return inWarp.contains(std::get<0>(pair) ^
                                               std::get<1>(pair));
                      });
}

SharedPlan fuse::planShared(const Layout &from, const Layout &to,
                            const ConversionOptions &options) {
  Side store{from, true}, load{to, false};
  const TileShape &tile = from.tile();
  unsigned elementBytes = options.elementBytes;
  unsigned maxBits =
      llvm::Log2_32(std::max(1u, options.maxVectorBytes / elementBytes));
  BitVectors anyThread = joined({store.threads(), load.threads()});
  BitVectors common = independent(Span(anyThread), commonRegisters(from, to));
  // A cell that is too large is stored in parts that both sides have in
  // registers, the last that vectors would take.
  int64_t cellBytes = int64_t(elementBytes) << tile.numBits();
  BitVectors rounds;
  while (!common.empty() && cellBytes >> rounds.size() > options.maxBytes)
    rounds.push_back(common.pop_back_val());
  common.truncate(std::min<size_t>(common.size(), maxBits));

  std::optional<SharedPlan> best;
  auto consider = [&](const Side &wideSide, const Side &narrowSide,
                      unsigned numCommon, unsigned numWide) {
    BitVectors inBoth(ArrayRef(common).take_front(numCommon));
    BitVectors wide =
        independent(Span(joined({wideSide.threads(), inBoth, rounds})),
                    wideSide.layout.bases(Place::Register));
    if (wide.size() < numWide)
      return;
    wide.truncate(numWide);
    std::optional<SharedPlan> plan =
        planOf({wideSide, narrowSide, elementBytes, tile.numBits(), inBoth,
                wide, rounds});
    if (plan && (!best || plan->cost < best->cost))
      best = std::move(plan);
  };
  for (unsigned numCommon = common.size() + 1; numCommon-- != 0;) {
    consider(store, load, numCommon, 0);
    for (unsigned numWide = 1; numWide <= maxBits - numCommon; ++numWide) {
      consider(store, load, numCommon, numWide);
      consider(load, store, numCommon, numWide);
    }
  }

  // Without vectors there is always a plan.
  SharedPlan plan = std::move(*best);
  int64_t repeats = tile.numRepeats();
  int64_t fitting =
      std::clamp<int64_t>(options.maxBytes / cellBytes, 1, repeats);
  // Rounds of equal size need no more memory.
  int64_t cellRounds = llvm::divideCeil(repeats, fitting);
  int64_t cellsPerRound = llvm::divideCeil(repeats, cellRounds);
  plan.rounds = cellRounds << rounds.size();
  plan.roundElements = (cellsPerRound << tile.numBits()) >> rounds.size();
  plan.bytes = plan.roundElements * elementBytes;
  plan.staysInWarp = staysInWarp(from, to);
  return plan;
}
