//===- Conversion.cpp - from one layout to another ------------------------===//
//
// The kind of a conversion, and the choice between shuffles and memory.
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/Conversion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace fuse;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;

template <typename... Parts> static Error fail(Parts &&...parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  (os << ... << parts);
  return llvm::createStringError(text);
}

static std::string text(const TileShape &shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape.extents(), os);
  os << ']';
  return text;
}

static Error check(const Layout &from, const Layout &to) {
  if (!(from.tile() == to.tile()))
    return fail("the tile has shape ", text(from.tile()),
                ", but is wanted in a layout of ", text(to.tile()));
  if (from.numWarps() != to.numWarps())
    return fail("the tile is held by ", from.numWarps(),
                " warps, but is wanted by ", to.numWarps());
  if (from.numCtas() != to.numCtas())
    return fail("the tile is held by ", from.numCtas(),
                " CTAs, but is wanted by ", to.numCtas());
  Span inCta;
  for (Place place : {Place::Register, Place::Lane, Place::Warp})
    inCta.add(from.bases(place));
  bool staysInCta = true;
  for (Place place : {Place::Register, Place::Lane, Place::Warp})
    staysInCta &= inCta.containsAll(to.bases(place));
  for (auto [a, b] : llvm::zip(from.bases(Place::Cta), to.bases(Place::Cta)))
    staysInCta &= inCta.contains(a ^ b);
  if (!staysInCta)
    return fail("some CTA wants elements that only another one holds");
  return Error::success();
}

std::optional<SmallVector<unsigned>> fuse::renameRegisters(const Layout &from,
                                                           const Layout &to) {
  for (Place place : {Place::Lane, Place::Warp, Place::Cta})
    if (from.bases(place) != to.bases(place))
      return std::nullopt;
  if (!(from.tile() == to.tile()))
    return std::nullopt;
  BitMap own(from.bases(Place::Register)), wanted(to.bases(Place::Register));
  SmallVector<unsigned> sources;
  for (unsigned reg = 0; reg != to.numRegisters(); ++reg) {
    std::optional<Bits> source =
        own.preimage(wanted(reg % to.numCellRegisters()));
    if (!source)
      return std::nullopt;
    sources.push_back(*source + to.repeatIndex(reg) * from.numCellRegisters());
  }
  return sources;
}

/// In the unit of `SharedPlan::cost`: a word's shuffle passes through the
/// banks' crossbar once, four selects take the time of a pass.
static unsigned cost(const ShufflePlan &plan, unsigned elementBytes) {
  unsigned words = llvm::divideCeil(elementBytes * plan.packed, 4u);
  return words * (3 * plan.numShuffles + plan.numSelects / 2);
}

Expected<Conversion> fuse::planConversion(const Layout &from, const Layout &to,
                                          const ConversionOptions &options) {
  if (Error error = check(from, to))
    return std::move(error);
  Conversion conversion;
  if (auto sources = renameRegisters(from, to)) {
    conversion.kind = ConversionKind::Registers;
    conversion.sources = std::move(*sources);
    return conversion;
  }
  SharedPlan memory = planShared(from, to, options);
  if (auto shuffles = planShuffles(from, to, options.elementBytes)) {
    // A barrier of the warp, and the latency of memory.
    constexpr unsigned waiting = 40;
    if (cost(*shuffles, options.elementBytes) * from.numRepeats() <=
        memory.cost + waiting) {
      conversion.kind = ConversionKind::Shuffles;
      conversion.shuffles = std::move(*shuffles);
      return conversion;
    }
  }
  conversion.kind = ConversionKind::Shared;
  conversion.memory = std::move(memory);
  return conversion;
}

std::optional<ConversionKind> fuse::classifyConversion(const Layout &from,
                                                       const Layout &to,
                                                       unsigned elementBytes) {
  ConversionOptions options;
  options.elementBytes = elementBytes;
  Expected<Conversion> conversion = planConversion(from, to, options);
  if (conversion)
    return conversion->kind;
  llvm::consumeError(conversion.takeError());
  return std::nullopt;
}
