//===- LayoutTesting.cpp - layouts to try, and threads to run -------------===//

#include "LayoutTesting.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace fuse;
using namespace fuse::simulated;
using llvm::ArrayRef;
using llvm::StringRef;

Layout simulated::layout(StringRef text) {
  llvm::Expected<Layout> layout = Layout::parse(text);
  if (layout)
    return *layout;
  ADD_FAILURE() << llvm::toString(layout.takeError());
  return Layout();
}

SharedLayout simulated::shared(StringRef text) {
  llvm::Expected<SharedLayout> layout = SharedLayout::parse(text);
  if (layout)
    return *layout;
  ADD_FAILURE() << llvm::toString(layout.takeError());
  return SharedLayout(TileShape(), {});
}

std::string simulated::layoutError(StringRef text) {
  return llvm::toString(Layout::parse(text).takeError());
}

std::string simulated::sharedError(StringRef text) {
  return llvm::toString(SharedLayout::parse(text).takeError());
}

int64_t simulated::elementNumber(const TileShape &tile,
                                 ArrayRef<int64_t> position) {
  int64_t number = 0;
  for (unsigned axis = 0; axis != tile.rank(); ++axis)
    number = number * tile.extent(axis) + position[axis];
  return number;
}

Machine simulated::empty(const Layout &layout) {
  std::vector<int64_t> registers(layout.numRegisters(), garbage);
  std::vector<std::vector<int64_t>> warp(numLanes, registers);
  return Machine(
      layout.numCtas(),
      std::vector<std::vector<std::vector<int64_t>>>(layout.numWarps(), warp));
}

template <typename Fn> static void forEachThread(const Layout &layout, Fn fn) {
  for (unsigned cta = 0; cta != layout.numCtas(); ++cta)
    for (unsigned warp = 0; warp != layout.numWarps(); ++warp)
      for (unsigned lane = 0; lane != numLanes; ++lane)
        fn(cta, warp, lane);
}

Machine simulated::load(const Layout &layout) {
  Machine machine = empty(layout);
  forEachThread(layout, [&](unsigned cta, unsigned warp, unsigned lane) {
    for (unsigned reg = 0; reg != layout.numRegisters(); ++reg)
      machine[cta][warp][lane][reg] =
          elementNumber(layout.tile(), layout.position(reg, lane, warp, cta));
  });
  return machine;
}

Machine simulated::run(ArrayRef<unsigned> sources, const Layout &to,
                       const Machine &from) {
  Machine result = empty(to);
  forEachThread(to, [&](unsigned cta, unsigned warp, unsigned lane) {
    for (auto [reg, source] : llvm::enumerate(sources))
      result[cta][warp][lane][reg] = from[cta][warp][lane][source];
  });
  return result;
}

using Word = std::vector<int64_t>;

static void flip(std::vector<Word> &array, ArrayRef<RegisterFlip> flips,
                 unsigned thread) {
  for (const RegisterFlip &step : flips) {
    if (!parity(thread, step.threadMask))
      continue;
    std::vector<Word> old = array;
    for (unsigned i = 0; i != array.size(); ++i)
      array[i] = old[i ^ step.flip];
  }
}

/// One cell in one warp.
static void runCell(const ShufflePlan &plan, unsigned warp,
                    std::vector<std::vector<Word>> &lanes,
                    std::vector<std::vector<Word>> &results) {
  std::vector<std::vector<Word>> received(numLanes);
  for (unsigned lane = 0; lane != numLanes; ++lane)
    flip(lanes[lane], plan.before, lane + numLanes * warp);
  for (const ShuffleRound &round : plan.rounds)
    for (unsigned lane = 0; lane != numLanes; ++lane) {
      unsigned source =
          plan.sourceLane(lane + numLanes * warp) ^ round.laneMask;
      if (plan.isButterfly) {
        EXPECT_EQ(source, lane ^ round.laneMask);
      }
      received[lane].push_back(lanes[source][round.sent]);
    }
  for (unsigned lane = 0; lane != numLanes; ++lane) {
    flip(received[lane], plan.after, lane + numLanes * warp);
    for (unsigned source : plan.resultOf)
      results[lane].push_back(received[lane][source]);
  }
}

Machine simulated::run(const ShufflePlan &plan, const Layout &from,
                       const Layout &to, const Machine &machine) {
  Machine result = empty(to);
  unsigned packed = plan.packed;
  for (unsigned cta = 0; cta != from.numCtas(); ++cta)
    for (unsigned warp = 0; warp != from.numWarps(); ++warp)
      for (unsigned cell = 0; cell != from.numRepeats(); ++cell) {
        std::vector<std::vector<Word>> lanes(numLanes), results(numLanes);
        for (unsigned lane = 0; lane != numLanes; ++lane) {
          const int64_t *registers =
              machine[cta][warp][lane].data() + cell * from.numCellRegisters();
          for (unsigned reg = 0; reg != from.numCellRegisters(); reg += packed)
            lanes[lane].emplace_back(registers + reg, registers + reg + packed);
        }
        runCell(plan, warp, lanes, results);
        for (unsigned lane = 0; lane != numLanes; ++lane)
          for (unsigned reg = 0; reg != to.numCellRegisters(); ++reg)
            result[cta][warp][lane][reg + cell * to.numCellRegisters()] =
                results[lane].at(reg / packed).at(reg % packed);
      }
  return result;
}

/// What a thread adds to the offsets of its accesses.
static Bits threadOffset(const SharedAddress &address, unsigned cta,
                         unsigned warp, unsigned lane) {
  return BitMap(address.lane)(lane) ^ BitMap(address.warp)(warp) ^
         BitMap(address.cta)(cta);
}

Machine simulated::run(const SharedPlan &plan, const Layout &from,
                       const Layout &to, const Machine &machine) {
  Machine result = empty(to);
  auto stores = vectorAccesses(from, plan.memory, plan.storeWidth);
  auto loads = vectorAccesses(to, plan.memory, plan.loadWidth);
  if (!stores || !loads) {
    ADD_FAILURE() << "vectors do not fit";
    return result;
  }
  SharedAddress storeTo = addressOf(from, plan.memory);
  SharedAddress loadFrom = addressOf(to, plan.memory);
  for (unsigned cta = 0; cta != from.numCtas(); ++cta)
    for (unsigned round = 0; round != plan.rounds; ++round) {
      int64_t size = plan.roundElements, first = round * size;
      std::vector<int64_t> buffer(size, garbage);
      for (unsigned warp = 0; warp != from.numWarps(); ++warp)
        for (unsigned lane = 0; lane != numLanes; ++lane) {
          if ((lane & from.freeMask(Place::Lane)) ||
              (warp & from.freeMask(Place::Warp)))
            continue;
          Bits thread = threadOffset(storeTo, cta, warp, lane);
          for (const VectorAccess &store : *stores) {
            int64_t offset = store.offset ^ thread;
            EXPECT_EQ(offset % plan.storeWidth, 0);
            if (offset < first || offset >= first + size)
              continue;
            for (auto [i, reg] : llvm::enumerate(store.registers)) {
              int64_t &slot = buffer[offset - first + i];
              EXPECT_EQ(slot, garbage) << "stored twice";
              slot = machine[cta][warp][lane][reg];
            }
          }
        }
      for (unsigned warp = 0; warp != to.numWarps(); ++warp)
        for (unsigned lane = 0; lane != numLanes; ++lane) {
          Bits thread = threadOffset(loadFrom, cta, warp, lane);
          for (const VectorAccess &access : *loads) {
            int64_t offset = access.offset ^ thread;
            EXPECT_EQ(offset % plan.loadWidth, 0);
            if (offset < first || offset >= first + size)
              continue;
            for (auto [i, reg] : llvm::enumerate(access.registers))
              result[cta][warp][lane][reg] = buffer[offset - first + i];
          }
        }
    }
  // Copies in registers of one thread are loaded once.
  forEachThread(to, [&](unsigned cta, unsigned warp, unsigned lane) {
    auto &registers = result[cta][warp][lane];
    for (unsigned reg = 0; reg != to.numRegisters(); ++reg)
      registers[reg] = registers[to.original(reg)];
  });
  return result;
}

void simulated::checkConversion(const Layout &from, const Layout &to,
                                const ConversionOptions &options) {
  SCOPED_TRACE("from " + from.str() + "\n  to " + to.str());
  Machine source = load(from), wanted = load(to);
  llvm::Expected<Conversion> chosen = planConversion(from, to, options);
  if (!chosen) {
    ADD_FAILURE() << llvm::toString(chosen.takeError());
    return;
  }
  EXPECT_EQ(chosen->shuffles.has_value(),
            chosen->kind == ConversionKind::Shuffles);
  EXPECT_EQ(chosen->memory.has_value(), chosen->kind == ConversionKind::Shared);

  auto renamed = renameRegisters(from, to);
  EXPECT_EQ(renamed.has_value(), chosen->kind == ConversionKind::Registers);
  if (renamed) {
    EXPECT_EQ(run(*renamed, to, source), wanted);
  }
  auto shuffles = planShuffles(from, to, options.elementBytes);
  if (shuffles) {
    EXPECT_EQ(run(*shuffles, from, to, source), wanted);
  }
  SharedPlan memory = planShared(from, to, options);
  EXPECT_EQ(run(memory, from, to, source), wanted);
  EXPECT_EQ(memory.bytes, memory.roundElements * options.elementBytes);
  EXPECT_GE(memory.roundElements * memory.rounds, from.tile().numElements());
}

Layout simulated::randomLayout(Random &random, ArrayRef<int64_t> extents,
                               const RandomLayoutOptions &options) {
  TileShape shape(extents);
  unsigned numBits = shape.numBits();
  BitVectors basis;
  for (unsigned bit = 0; bit != numBits; ++bit)
    basis.push_back(Bits(1) << bit);
  std::shuffle(basis.begin(), basis.end(), random);
  if (options.mixed)
    for (unsigned step = 0; step != 2 * numBits; ++step) {
      unsigned a = below(random, numBits), b = below(random, numBits);
      if (a != b)
        basis[a] ^= basis[b];
    }

  // Deal the basis out to slots, threads' and registers', so that each basis
  // finds one.
  unsigned threadBits = numLaneBits + options.numWarpBits;
  unsigned usedThreadBits =
      std::min(numBits, threadBits - std::min(threadBits, below(random, 3)));
  unsigned registerBits = numBits - usedThreadBits +
                          below(random, options.maxSpareRegisterBits + 1);
  BitVectors slots(threadBits + registerBits);
  std::vector<unsigned> threadSlots(threadBits);
  std::vector<unsigned> registerSlots(registerBits);
  for (unsigned i = 0; i != threadBits; ++i)
    threadSlots[i] = i;
  for (unsigned i = 0; i != registerBits; ++i)
    registerSlots[i] = threadBits + i;
  std::shuffle(threadSlots.begin(), threadSlots.end(), random);
  std::shuffle(registerSlots.begin(), registerSlots.end(), random);
  std::vector<bool> isDealt(slots.size());
  for (unsigned i = 0; i != numBits; ++i) {
    unsigned slot =
        i < usedThreadBits ? threadSlots[i] : registerSlots[i - usedThreadBits];
    slots[slot] = basis[i];
    isDealt[slot] = true;
  }
  for (unsigned slot = 0; slot != slots.size(); ++slot)
    if (!isDealt[slot] && numBits && below(random, 4) == 0)
      slots[slot] = basis[below(random, numBits)];

  ArrayRef<Bits> all(slots);
  return Layout(shape, BitVectors(all.drop_front(threadBits)),
                BitVectors(all.take_front(numLaneBits)),
                BitVectors(all.slice(numLaneBits, options.numWarpBits)));
}

Layout simulated::shuffledInWarps(Random &random, const Layout &layout) {
  // Warps move along with an own combination of what lies inside.
  Span inside(layout.bases(Place::Register));
  inside.add(layout.bases(Place::Lane));
  BitVectors basis(inside.basis());
  auto any = [&] {
    Bits sum = 0;
    for (Bits vector : basis)
      if (below(random, 2))
        sum ^= vector;
    return sum;
  };
  for (;;) {
    unsigned extra = below(random, 2);
    unsigned needed =
        basis.size() > numLaneBits ? basis.size() - numLaneBits : 0;
    BitVectors lanes, registers, warps;
    for (unsigned bit = 0; bit != numLaneBits; ++bit)
      lanes.push_back(below(random, 5) ? any() : 0);
    for (unsigned bit = 0; bit != needed + extra; ++bit)
      registers.push_back(any());
    Span reached(lanes);
    reached.add(registers);
    if (reached.rank() != inside.rank())
      continue;
    for (Bits basis : layout.bases(Place::Warp))
      warps.push_back(below(random, 2) ? basis ^ any() : basis);
    return Layout(layout.tile(), registers, lanes, warps,
                  BitVectors(layout.bases(Place::Cta)));
  }
}
