//===- LayoutText.cpp - layouts as text -----------------------------------===//
//
// `key=list` pairs, where a list holds numbers or lists. The checks are here
// too: what comes from text or from an attribute may be wrong.
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/SharedLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"

using namespace fuse;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Print
//===----------------------------------------------------------------------===//

static void print(llvm::raw_ostream &os, const Coordinates &list) {
  os << '[';
  llvm::interleaveComma(list, os);
  os << ']';
}

static void print(llvm::raw_ostream &os, ArrayRef<Coordinates> bases) {
  os << '[';
  llvm::interleaveComma(bases, os, [&](auto &basis) { ::print(os, basis); });
  os << ']';
}

static SmallVector<Coordinates> unpackAll(const TileShape &shape,
                                          ArrayRef<Bits> positions) {
  return SmallVector<Coordinates>(llvm::map_range(
      positions, [&](Bits position) { return shape.unpack(position); }));
}

Layout::Bases Layout::bases() const {
  return {shape.cell(),
          unpackAll(shape, images[0]),
          unpackAll(shape, images[1]),
          unpackAll(shape, images[2]),
          unpackAll(shape, images[3]),
          shape.repeat()};
}

void Layout::print(llvm::raw_ostream &os) const {
  Bases written = bases();
  os << "cell=";
  ::print(os, written.cell);
  os << " reg=";
  ::print(os, written.reg);
  os << " lane=";
  ::print(os, written.lane);
  os << " warp=";
  ::print(os, written.warp);
  if (!written.cta.empty()) {
    os << " cta=";
    ::print(os, written.cta);
  }
  os << " repeat=";
  ::print(os, written.repeat);
}

std::string Layout::str() const {
  std::string text;
  llvm::raw_string_ostream(text) << *this;
  return text;
}

SharedLayout::Bases SharedLayout::bases() const {
  return {shape.cell(), unpackAll(shape, images), shape.repeat()};
}

void SharedLayout::print(llvm::raw_ostream &os) const {
  Bases written = bases();
  os << "cell=";
  ::print(os, written.cell);
  os << " offset=";
  ::print(os, written.offset);
  os << " repeat=";
  ::print(os, written.repeat);
}

std::string SharedLayout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

//===----------------------------------------------------------------------===//
// Check
//===----------------------------------------------------------------------===//

template <typename... Parts> static Error fail(Parts &&...parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  (os << ... << parts);
  return llvm::createStringError(text);
}

static std::string text(const Coordinates &list) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ::print(os, list);
  return text;
}

/// The shape, once `repeat` is filled in.
static Expected<TileShape> checkShape(const Coordinates &cell,
                                      Coordinates &repeat) {
  if (repeat.empty())
    repeat.assign(cell.size(), 1);
  if (repeat.size() != cell.size())
    return fail("repeat has ", repeat.size(), " axes, but the cell has ",
                cell.size());
  Coordinates extents;
  int64_t elements = 1;
  for (auto [axis, extent, count] : llvm::enumerate(cell, repeat)) {
    if (extent <= 0 || !llvm::has_single_bit(uint64_t(extent)))
      return fail("the cell's extent along axis ", axis, " is ", extent,
                  ", expected a power of two");
    if (count <= 0)
      return fail("the repeat along axis ", axis, " is ", count,
                  ", expected a positive number");
    int64_t limit = maxTileElements / elements;
    if (extent > limit || count > limit / extent)
      return fail("a tile has at most ", maxTileElements, " elements");
    extents.push_back(extent * count);
    elements *= extents.back();
  }
  return TileShape(extents);
}

/// Packs the bases of one place; `cell` is the cell as written, which repeats
/// may have grown in `shape`.
static Expected<BitVectors> checkBases(StringRef place,
                                       ArrayRef<Coordinates> bases,
                                       const Coordinates &cell,
                                       const TileShape &shape) {
  BitVectors packed;
  for (auto [bit, basis] : llvm::enumerate(bases)) {
    if (basis.size() != cell.size())
      return fail(place, " basis ", bit, " has ", basis.size(),
                  " coordinates, but the cell has ", cell.size(), " axes");
    for (auto [axis, coordinate] : llvm::enumerate(basis))
      if (coordinate < 0 || coordinate >= cell[axis])
        return fail(place, " basis ", bit, " moves by ", coordinate,
                    " along axis ", axis, ", out of the cell's ", cell[axis],
                    " positions");
    packed.push_back(shape.pack(basis));
  }
  return packed;
}

/// Bases that count the powers of two in `repeat`, last axis first.
static void appendRepeats(BitVectors &bases, const Coordinates &cell,
                          const TileShape &shape) {
  for (unsigned axis = shape.rank(); axis-- != 0;)
    for (int64_t step = cell[axis]; step != shape.cell(axis); step *= 2)
      bases.push_back(Bits(step) << shape.axisShift(axis));
}

/// A position that sums of `bases` do not reach.
static std::optional<Coordinates> unreached(const TileShape &shape,
                                            const Span &span) {
  for (unsigned bit = 0; bit != shape.numBits(); ++bit)
    if (!span.contains(Bits(1) << bit))
      return shape.unpack(Bits(1) << bit);
  return std::nullopt;
}

Expected<Layout> Layout::get(const Bases &given) {
  Coordinates repeat = given.repeat;
  Expected<TileShape> shape = checkShape(given.cell, repeat);
  if (!shape)
    return shape.takeError();
  if (!given.lane.empty() && given.lane.size() != numLaneBits)
    return fail("lane has ", given.lane.size(), " bases, expected ",
                numLaneBits);
  if (std::max({given.reg.size(), given.warp.size(), given.cta.size()}) >
      maxPlaceBits)
    return fail("a place has at most ", maxPlaceBits, " bases");

  auto reg = checkBases("reg", given.reg, given.cell, *shape);
  if (!reg)
    return reg.takeError();
  auto lane = checkBases("lane", given.lane, given.cell, *shape);
  if (!lane)
    return lane.takeError();
  auto warp = checkBases("warp", given.warp, given.cell, *shape);
  if (!warp)
    return warp.takeError();
  auto cta = checkBases("cta", given.cta, given.cell, *shape);
  if (!cta)
    return cta.takeError();
  appendRepeats(*reg, given.cell, *shape);
  lane->resize(numLaneBits);

  Layout layout(*shape, *reg, *lane, *warp, *cta);
  Span reached;
  for (const BitVectors &bases : layout.images)
    reached.add(bases);
  if (std::optional<Coordinates> position = unreached(*shape, reached))
    return fail("no thread holds the element at ", text(*position));
  return layout;
}

Expected<SharedLayout> SharedLayout::get(const Bases &given) {
  Coordinates repeat = given.repeat;
  Expected<TileShape> shape = checkShape(given.cell, repeat);
  if (!shape)
    return shape.takeError();
  auto offset = checkBases("offset", given.offset, given.cell, *shape);
  if (!offset)
    return offset.takeError();
  appendRepeats(*offset, given.cell, *shape);

  Span reached;
  for (auto [bit, basis] : llvm::enumerate(*offset))
    if (!reached.add(basis))
      return fail("offset basis ", bit,
                  " adds no position: two offsets would "
                  "hold the same element");
  if (std::optional<Coordinates> position = unreached(*shape, reached))
    return fail("no offset holds the element at ", text(*position));
  return SharedLayout(*shape, *offset);
}

//===----------------------------------------------------------------------===//
// Parse
//===----------------------------------------------------------------------===//

namespace {

class Parser {
public:
  explicit Parser(StringRef text) : whole(text), rest(text) {}

  /// Calls `field` with each key; it reads the value.
  Error parse(llvm::function_ref<Error(StringRef)> field) {
    SmallVector<StringRef> seen;
    for (rest = rest.ltrim(); !rest.empty(); rest = rest.ltrim()) {
      StringRef key =
          rest.take_while([](char c) { return c >= 'a' && c <= 'z'; });
      rest = rest.drop_front(key.size());
      if (key.empty() || !consume("="))
        return expected("'key='");
      if (llvm::is_contained(seen, key))
        return fail("'", key, "' is given twice");
      seen.push_back(key);
      if (Error error = field(key))
        return error;
    }
    if (!llvm::is_contained(seen, "cell"))
      return fail("expected 'cell='");
    return Error::success();
  }

  Error read(Coordinates &list) {
    return readList([&]() -> Error {
      int64_t number;
      if (rest.consumeInteger(10, number))
        return expected("a number");
      list.push_back(number);
      return Error::success();
    });
  }

  Error read(SmallVector<Coordinates> &bases) {
    return readList([&] { return read(bases.emplace_back()); });
  }

private:
  Error readList(llvm::function_ref<Error()> element) {
    if (!consume("["))
      return expected("'['");
    if (consume("]"))
      return Error::success();
    do {
      rest = rest.ltrim();
      if (Error error = element())
        return error;
    } while (consume(","));
    return consume("]") ? Error::success() : expected("']'");
  }

  bool consume(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  Error expected(StringRef what) {
    return fail("expected ", what, " at column ",
                whole.size() - rest.size() + 1);
  }

  StringRef whole, rest;
};

} // namespace

Expected<Layout> Layout::parse(StringRef text) {
  Bases bases;
  Parser parser(text);
  if (Error error = parser.parse([&](StringRef key) -> Error {
        if (key == "cell")
          return parser.read(bases.cell);
        if (key == "reg")
          return parser.read(bases.reg);
        if (key == "lane")
          return parser.read(bases.lane);
        if (key == "warp")
          return parser.read(bases.warp);
        if (key == "cta")
          return parser.read(bases.cta);
        if (key == "repeat")
          return parser.read(bases.repeat);
        return fail("a layout has no '", key, "'");
      }))
    return std::move(error);
  return get(bases);
}

Expected<SharedLayout> SharedLayout::parse(StringRef text) {
  Bases bases;
  Parser parser(text);
  if (Error error = parser.parse([&](StringRef key) -> Error {
        if (key == "cell")
          return parser.read(bases.cell);
        if (key == "offset")
          return parser.read(bases.offset);
        if (key == "repeat")
          return parser.read(bases.repeat);
        return fail("a shared layout has no '", key, "'");
      }))
    return std::move(error);
  return get(bases);
}
