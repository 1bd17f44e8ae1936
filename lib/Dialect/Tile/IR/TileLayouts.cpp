//===- TileLayouts.cpp - layouts in the types of tiles --------------------===//
//
// Syntax of the encodings, and the op that goes from one to another.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

LayoutAttr tile::layoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding())
                : LayoutAttr();
}

SharedLayoutAttr tile::sharedLayoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<SharedLayoutAttr>(tensor.getEncoding())
                : SharedLayoutAttr();
}

RankedTensorType tile::place(Type type, Attribute layout) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               layout);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

static ParseResult parseNumbers(AsmParser &parser, Coordinates &numbers) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(numbers.emplace_back());
  });
}

static ParseResult parsePositions(AsmParser &parser,
                                  SmallVectorImpl<Coordinates> &positions) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parseNumbers(parser, positions.emplace_back());
  });
}

static void printNumbers(AsmPrinter &printer, ArrayRef<int64_t> numbers) {
  printer << '[';
  llvm::interleaveComma(numbers, printer);
  printer << ']';
}

static void printPositions(AsmPrinter &printer, StringRef name,
                           ArrayRef<Coordinates> positions) {
  printer << ' ' << name << " = [";
  llvm::interleaveComma(positions, printer, [&](const Coordinates &position) {
    printNumbers(printer, position);
  });
  printer << ']';
}

static void printRepeat(AsmPrinter &printer, ArrayRef<int64_t> repeat) {
  if (llvm::all_of(repeat, [](int64_t count) { return count == 1; }))
    return;
  printer << " repeat = ";
  printNumbers(printer, repeat);
}

/// Lists of positions by their names; those that are left out are empty.
using Lists = ArrayRef<std::pair<StringRef, SmallVectorImpl<Coordinates> *>>;

static ParseResult parseBases(AsmParser &parser, Coordinates &cell, Lists lists,
                              Coordinates &repeat) {
  if (parser.parseLess() || parser.parseKeyword("cell") ||
      parser.parseEqual() || parseNumbers(parser, cell))
    return failure();
  for (auto [name, positions] : lists)
    if (succeeded(parser.parseOptionalKeyword(name)) &&
        (parser.parseEqual() || parsePositions(parser, *positions)))
      return failure();
  if (succeeded(parser.parseOptionalKeyword("repeat")) &&
      (parser.parseEqual() || parseNumbers(parser, repeat)))
    return failure();
  return parser.parseGreater();
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  Layout::Bases bases;
  if (parseBases(parser, bases.cell,
                 {{"reg", &bases.reg},
                  {"lane", &bases.lane},
                  {"warp", &bases.warp},
                  {"cta", &bases.cta}},
                 bases.repeat))
    return {};
  llvm::Expected<Layout> layout = Layout::get(bases);
  if (!layout) {
    parser.emitError(start) << llvm::toString(layout.takeError());
    return {};
  }
  return LayoutAttr::get(parser.getContext(), *layout);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  Layout::Bases bases = getValue().bases();
  printer << "<cell = ";
  printNumbers(printer, bases.cell);
  for (auto [name, positions] :
       {std::pair<StringRef, ArrayRef<Coordinates>>{"reg", bases.reg},
        {"lane", bases.lane},
        {"warp", bases.warp},
        {"cta", bases.cta}})
    if (!positions.empty())
      printPositions(printer, name, positions);
  printRepeat(printer, bases.repeat);
  printer << '>';
}

Attribute SharedLayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  SharedLayout::Bases bases;
  if (parseBases(parser, bases.cell, {{"offset", &bases.offset}}, bases.repeat))
    return {};
  llvm::Expected<SharedLayout> layout = SharedLayout::get(bases);
  if (!layout) {
    parser.emitError(start) << llvm::toString(layout.takeError());
    return {};
  }
  return SharedLayoutAttr::get(parser.getContext(), *layout);
}

void SharedLayoutAttr::print(AsmPrinter &printer) const {
  SharedLayout::Bases bases = getValue().bases();
  printer << "<cell = ";
  printNumbers(printer, bases.cell);
  printPositions(printer, "offset", bases.offset);
  printRepeat(printer, bases.repeat);
  printer << '>';
}

/// Every tensor type with a layout asks this.
static LogicalResult verifyShape(const TileShape &laidOut,
                                 ArrayRef<int64_t> shape,
                                 function_ref<InFlightDiagnostic()> emitError) {
  Coordinates extents = laidOut.extents();
  if (ArrayRef<int64_t>(extents) == shape)
    return success();
  InFlightDiagnostic diagnostic = emitError() << "a tile of shape [";
  llvm::interleaveComma(shape, diagnostic);
  diagnostic << "] has a layout for [";
  llvm::interleaveComma(extents, diagnostic);
  return diagnostic << "]";
}

LogicalResult
LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                           function_ref<InFlightDiagnostic()> emitError) const {
  return verifyShape(getValue().tile(), shape, emitError);
}

LogicalResult SharedLayoutAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type,
    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyShape(getValue().tile(), shape, emitError);
}

//===----------------------------------------------------------------------===//
// ConvertLayoutOp
//===----------------------------------------------------------------------===//

LogicalResult ConvertLayoutOp::verify() {
  RankedTensorType source = getSource().getType(),
                   result = getResult().getType();
  if (source.getShape() != result.getShape() ||
      source.getElementType() != result.getElementType())
    return emitOpError("makes ")
           << result << " of " << source
           << ", but can change nothing except the layout";
  for (RankedTensorType type : {source, result})
    if (!type.getEncoding())
      return emitOpError("needs tiles with layouts, but has ") << type;
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return {};
}
