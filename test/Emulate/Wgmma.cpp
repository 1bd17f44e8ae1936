//===- Wgmma.cpp - products by four warps ---------------------------------===//
//
// Each warp has sixteen rows of a product, and does them at some time between
// the instruction and its wait. Registers that are written meanwhile hold NaNs
// that name them, so that whoever computes with them too early gets no number,
// and a wait knows what to put in their place.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "Product.h"

#include <algorithm>
#include <optional>

using namespace fuse;
using namespace fuse::emulate;

static constexpr unsigned warpsOfGroup = 4, rowsOfWarp = 16;
/// What an instruction takes of k.
static constexpr unsigned stepBytes = 32, unitBytes = 16;

static unsigned bytesOf(ProductType type) {
  return type == ProductType::TF32 ? 4 : type == ProductType::E4M3 ? 1 : 2;
}

static float numberOf(ProductType type, uint32_t word) {
  switch (type) {
  case ProductType::F16:
    return ofF16(word);
  case ProductType::BF16:
    return ofBF16(word);
  case ProductType::TF32:
    return ofTf32(word);
  case ProductType::E4M3:
    return ofE4M3(word);
  }
  __builtin_unreachable();
}

/// The elements of some bytes.
static void unpack(ProductType type, const void *bytes, unsigned count,
                   float *to, unsigned apart) {
  unsigned width = bytesOf(type);
  for (unsigned i = 0; i < count; ++i) {
    uint32_t word = 0;
    std::memcpy(&word, static_cast<const char *>(bytes) + i * width, width);
    to[i * apart] = numberOf(type, word);
  }
}

//===----------------------------------------------------------------------===//
// Factors in shared memory
//===----------------------------------------------------------------------===//

DescribedMatrix::DescribedMatrix(const Block &block, uint64_t descriptor,
                                 bool isTransposed)
    : isTransposed(isTransposed), window(block.window) {
  auto field = [&](unsigned at) {
    return (descriptor >> at & 0x3FFF) * unitBytes;
  };
  start = field(0);
  leading = field(16);
  stride = field(32);
  span = unitBytes << (4 - (descriptor >> 62)) % 4;
  auto failIf = [&](bool isBad, const char *what) {
    if (isBad)
      failOf("block " + std::to_string(block.number),
             std::string("a descriptor of wgmma ") + what);
  };
  failIf(descriptor >> 46 & 0xFFFF,
         "has bits between 46 and 61, which are not emulated");
  // Where parts of it begin is behind that in the first row only.
  failIf(span > unitBytes && start % (8 * span) >= span,
         "says that a matrix begins where the pattern of its swizzle does, and "
         "it begins elsewhere");
}

// The canonical layouts of the ISA's chapter on wgmma. Units lie in atoms of 8
// by as many as are swizzled; addresses are mixed when all is added up.
char *DescribedMatrix::unit(unsigned along, unsigned across) const {
  unsigned perAtom = span / unitBytes;
  uint64_t at = start + across % 8 * span;
  if (!isTransposed)
    // Rows are 8 to an atom; only one atom lies along k unless it is a unit.
    at += across / 8 * stride +
          (perAtom == 1 ? along * leading : along * uint64_t(unitBytes));
  else if (perAtom == 1)
    at += across / 8 * leading + along * stride;
  else
    at += across / 8 * stride + along / perAtom * leading +
          along % perAtom * unitBytes;
  return window + swizzled(at, span) % windowBytes;
}

/// All 16 bytes of a factor that an instruction reads.
template <class Visit>
static void visitUnits(const DescribedMatrix &matrix, unsigned rows,
                       unsigned bytes, bool isTransposed, Visit visit) {
  unsigned depth = stepBytes / bytes;
  unsigned along = isTransposed ? rows : depth;
  for (unsigned across = 0; across < rows + depth - along; ++across)
    for (unsigned unit = 0; unit < along * bytes / unitBytes; ++unit)
      visit(matrix.unit(unit, across), unit * unitBytes / bytes, across);
}

/// Reads `factor[k * rows + row]`.
static void readFactor(const DescribedMatrix &matrix, ProductType type,
                       unsigned rows, bool isTransposed, float *factor) {
  unsigned bytes = bytesOf(type);
  visitUnits(matrix, rows, bytes, isTransposed,
             [&](const char *unit, unsigned first, unsigned across) {
               if (isTransposed)
                 unpack(type, unit, unitBytes / bytes,
                        factor + across * rows + first, 1);
               else
                 unpack(type, unit, unitBytes / bytes,
                        factor + first * rows + across, rows);
             });
}

static void checkFactor(const Block &block, uint64_t descriptor,
                        ProductType type, unsigned rows, bool isTransposed) {
  DescribedMatrix matrix(block, descriptor, isTransposed);
  visitUnits(matrix, rows, bytesOf(type), isTransposed,
             [&](const char *unit, unsigned, unsigned) {
               checkShared(unit, unitBytes, "wgmma");
               checkFenced(unit, unitBytes, "wgmma");
             });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// A lane has rows `lane / 4` and 8 behind it, in words by turns; of k it has
/// what lies in a word, and the same number of words on.
static void readWords(const Product &product, unsigned depth, float *left) {
  ProductType type = product.step.type;
  unsigned perWord = 4 / bytesOf(type);
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned word = 0; word < 4; ++word) {
      unsigned row = lane / 4 + word % 2 * 8;
      unsigned k = (lane % 4 + word / 2 * 4) * perWord;
      unpack(type, &product.words[lane][word], perWord, left + row * depth + k,
             1);
    }
}

static void perform(const Block &block, unsigned warp, const Product &product) {
  const Step &step = product.step;
  unsigned depth = stepBytes / bytesOf(step.type), columns = step.columns;
  constexpr unsigned mostDepth = 32, mostColumns = 256;
  constexpr unsigned rows = rowsOfWarp * warpsOfGroup;
  static float left[rowsOfWarp * mostDepth], right[mostDepth * mostColumns];
  if (step.leftWords >= 0) {
    readWords(product, depth, left);
  } else {
    static float all[mostDepth * rows];
    bool isTransposed = step.isLeftTransposed != 0;
    readFactor(DescribedMatrix(block, product.left, isTransposed), step.type,
               rows, isTransposed, all);
    for (unsigned row = 0; row < rowsOfWarp; ++row)
      for (unsigned k = 0; k < depth; ++k)
        left[row * depth + k] =
            all[k * rows + warp % warpsOfGroup * rowsOfWarp + row];
  }
  bool isTransposed = step.isRightTransposed != 0;
  readFactor(DescribedMatrix(block, product.right, isTransposed), step.type,
             columns, isTransposed, right);
  for (unsigned row = 0; row < rowsOfWarp; ++row) {
    double sums[mostColumns];
    auto sumAt = [&](unsigned column) -> float & {
      unsigned lane = row % 8 * 4 + column % 8 / 2;
      return product.pending->sums[lane][step.firstSum + column / 8 * 4 +
                                         row / 8 * 2 + column % 2];
    };
    for (unsigned column = 0; column < columns; ++column)
      sums[column] = step.isFresh ? 0 : sumAt(column);
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned column = 0; column < columns; ++column)
        sums[column] +=
            double(left[row * depth + k]) * double(right[k * columns + column]);
    for (unsigned column = 0; column < columns; ++column)
      sumAt(column) = static_cast<float>(sums[column]);
  }
}

static void performFirst(Block &block, unsigned warp) {
  Warp &own = block.warps[warp];
  perform(block, warp, own.products.front());
  own.products.pop_front();
}

bool emulate::stepProducts() {
  bool isOpen = false;
  for (Block &block : cluster->blocks)
    for (unsigned warp = 0; warp < block.warps.size(); ++warp) {
      Warp &own = block.warps[warp];
      // Those that are late hold up what is behind them.
      if (own.products.empty() || own.products.front().isLate)
        continue;
      isOpen = true;
      if (draw() % 4 == 0)
        performFirst(block, warp);
    }
  return isOpen;
}

void emulate::endProducts() {
  Warp &warp = currentWarp();
  if (warp.issued != 0 && warp.lastGroup >= warp.waited)
    fail("its warp ends and has not waited for its products");
}

void emulate::endGroups(const Block &block) {
  for (const auto &[group, told] : block.told)
    if (!told.second.empty())
      failOf("block " + std::to_string(block.number),
             "not all warps of warpgroup " + std::to_string(group) +
                 " have come to each wgmma");
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

// A NaN that no instruction makes: its first bit says that it is none.
static constexpr uint32_t nameBits = 0x7F800000, numberBits = 8,
                          mostPending = 1 << 14;

static float nameOf(uint32_t pending, unsigned number) {
  return as<float>(nameBits | pending << numberBits | number);
}
/// Which sums in flight a register is of, and its number there.
static std::optional<std::pair<uint32_t, unsigned>> named(float value) {
  auto bits = as<uint32_t>(value);
  uint32_t rest = bits & 0x3FFFFF;
  if ((bits & ~0x3FFFFFU) != nameBits || rest >> numberBits == 0)
    return std::nullopt;
  return std::pair(rest >> numberBits, rest & ((1U << numberBits) - 1));
}

namespace {

/// What the lanes of a warp bring to a piece of assembly.
class Piece {
public:
  Piece(const std::array<Words, lanes> &all) : all(all) {}

  float *sums(unsigned lane) const { return pointerOf<float>(all[lane], 2); }
  const uint32_t *words(unsigned lane) const {
    return pointerOf<const uint32_t>(all[lane], 4);
  }
  uint64_t descriptor(unsigned number) const;
  unsigned numSteps() const { return all[0][8]; }
  unsigned numSums() const { return all[0][9]; }
  const Step &step(unsigned number) const {
    return pointerOf<const Step>(all[0], 0)[number];
  }
  /// The sums in flight that all registers are of.
  std::optional<uint32_t> inFlight() const;

private:
  const std::array<Words, lanes> &all;
};

} // namespace

uint64_t Piece::descriptor(unsigned number) const {
  uint64_t first = pointerOf<const uint64_t>(all[0], 6)[number];
  for (const Words &own : all)
    if (pointerOf<const uint64_t>(own, 6)[number] != first)
      fail("lanes of a warp have different descriptors");
  return first;
}

std::optional<uint32_t> Piece::inFlight() const {
  auto first = named(sums(0)[0]);
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < numSums(); ++i) {
      auto own = named(sums(lane)[i]);
      if (own.has_value() != first.has_value() ||
          (own && *own != std::pair(first->first, i)))
        fail("wgmma adds to registers that were moved while another one wrote "
             "them");
    }
  if (!first)
    return std::nullopt;
  if (!currentWarp().pending.count(first->first))
    fail("wgmma adds to registers that another one has gone on with");
  return first->first;
}

/// The four warps do the same ones, in the same order.
static void tellGroup(uint64_t sum) {
  Warp &warp = currentWarp();
  unsigned group = current->number / lanes / warpsOfGroup;
  auto &[first, told] = current->block->told[group];
  uint64_t at = warp.issued++ - first;
  if (at == told.size())
    told.push_back(sum);
  else if (told[at] != sum)
    fail("warps of a warpgroup come to different products");
  auto *own = &current->block->warps[group * warpsOfGroup];
  while (!told.empty() && std::all_of(own, own + warpsOfGroup, [&](auto &each) {
    return each.issued > first;
  })) {
    told.pop_front();
    ++first;
  }
}

static void issue(const Piece &piece, const Step &step,
                  std::shared_ptr<Pending> pending) {
  Warp &warp = currentWarp();
  Product product{step, 0, 0, {}, pending, warp.groups, draw() % 2 == 0};
  const Block &block = *current->block;
  if (step.leftWords < 0) {
    product.left = piece.descriptor(step.left) + step.leftOffset;
    checkFactor(block, product.left, step.type, rowsOfWarp * warpsOfGroup,
                step.isLeftTransposed != 0);
  } else {
    for (unsigned lane = 0; lane < lanes; ++lane)
      std::copy_n(piece.words(lane) + step.leftWords, 4,
                  product.words[lane].begin());
  }
  product.right = piece.descriptor(step.right) + step.rightOffset;
  checkFactor(block, product.right, step.type, step.columns,
              step.isRightTransposed != 0);
  tellGroup((product.left * 3 + product.right) * 5 +
            reinterpret_cast<uintptr_t>(&step));
  pending->group = warp.lastGroup = warp.groups;
  warp.products.push_back(std::move(product));
}

/// The registers of a piece go on under another name, so that it is seen if
/// somebody else goes on with them, too.
static std::shared_ptr<Pending>
take(const Piece &piece, std::optional<uint32_t> inFlight, bool isFresh) {
  Warp &warp = currentWarp();
  std::shared_ptr<Pending> pending;
  if (inFlight) {
    pending = warp.pending[*inFlight];
    warp.pending.erase(*inFlight);
  }
  if (!pending || isFresh) {
    pending = std::make_shared<Pending>();
    for (unsigned lane = 0; lane < lanes; ++lane)
      pending->sums[lane].assign(piece.sums(lane),
                                 piece.sums(lane) + piece.numSums());
  }
  do
    warp.lastPending = warp.lastPending % (mostPending - 1) + 1;
  while (warp.pending.count(warp.lastPending));
  warp.pending[warp.lastPending] = pending;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < piece.numSums(); ++i)
      piece.sums(lane)[i] = nameOf(warp.lastPending, i);
  return pending;
}

static void run(const Piece &piece) {
  Warp &warp = currentWarp();
  std::shared_ptr<Pending> pending;
  bool isFenced = false;
  for (unsigned number = 0; number < piece.numSteps(); ++number) {
    const Step &step = piece.step(number);
    if (step.kind == Step::Fence) {
      isFenced = warp.isFenced = true;
      continue;
    }
    if (step.kind == Step::Commit) {
      ++warp.groups;
      warp.isFenced = false;
      continue;
    }
    unsigned numSums = step.columns / 2;
    if (step.firstSum + numSums > piece.numSums() ||
        piece.numSums() % numSums != 0)
      fail("wgmma has another number of sums than its shape");
    if (!pending) {
      std::optional<uint32_t> inFlight = piece.inFlight();
      // One fence does for a group, but for what may be moved behind it.
      bool isWritten = step.isFresh != 0 && warp.isFenced;
      if (!isFenced && ((!inFlight && !isWritten) || step.leftWords >= 0))
        fail("wgmma takes registers, and there is no wgmma.fence before");
      pending = take(piece, inFlight, step.isFresh != 0);
    }
    issue(piece, step, pending);
  }
}

/// Puts sums in the place of their names, where these have been waited for.
static void resolve(Warp &warp, float *values, unsigned count, unsigned lane) {
  for (unsigned i = 0; i < count; ++i) {
    auto name = named(values[i]);
    if (!name)
      continue;
    auto found = warp.pending.find(name->first);
    if (found == warp.pending.end() || found->second->group >= warp.waited)
      continue;
    Pending &pending = *found->second;
    values[i] = pending.sums[lane][name->second];
    if (++pending.taken == lanes * pending.sums[lane].size())
      warp.pending.erase(found);
  }
}

extern "C" {

void emuWgmma(const Step *steps, uint32_t numSteps, float *sums,
              uint32_t numSums, const uint32_t *words,
              const uint64_t *descriptors) {
  meetWarp("wgmma",
           {lowOf(steps), highOf(steps), lowOf(sums), highOf(sums),
            lowOf(words), highOf(words), lowOf(descriptors),
            highOf(descriptors), numSteps, numSums},
           [](const auto &all) {
             for (const Words &own : all)
               if (own[0] != all[0][0] || own[1] != all[0][1])
                 fail("lanes of a warp come to different products");
             run(Piece(all));
           });
}

/// Until all groups but the last `most` are done.
void emuWgmmaWait(uint32_t most, float *values, uint32_t count) {
  meetWarp(
      "wgmma.wait_group", {lowOf(values), highOf(values), count, most},
      [](const auto &all) {
        Warp &warp = currentWarp();
        uint32_t most = all[0][3];
        warp.waited = std::max(
            warp.waited, warp.groups - std::min<uint64_t>(most, warp.groups));
        while (!warp.products.empty() &&
               warp.products.front().group < warp.waited)
          performFirst(*current->block, current->number / lanes);
        for (unsigned lane = 0; lane < lanes; ++lane)
          resolve(warp, pointerOf<float>(all[lane], 0), all[lane][2], lane);
      });
}

} // extern "C"
