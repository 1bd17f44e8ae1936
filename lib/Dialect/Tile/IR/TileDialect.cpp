//===- TileDialect.cpp - the dialect and what is a tile -------------------===//
//
// Registration, and the two predicates that say which tensors and which
// memrefs kernels work on.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse::tile;

#include "fuse/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "fuse/Dialect/Tile/IR/TileEnums.cpp.inc"

static ParseResult parseMapOptions(AsmParser &parser, bool &isRounded,
                                   bool &hasStrides, SmallVector<int64_t> &dims,
                                   SmallVector<int64_t> &steps,
                                   SmallVector<int64_t> &ends) {
  auto parseNumbers = [&](SmallVector<int64_t> &numbers) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(numbers.emplace_back());
    });
  };
  auto parseFlag = [&](bool &flag) -> ParseResult {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    flag = word == "true";
    return flag || word == "false"
               ? ParseResult(success())
               : parser.emitError(loc, "expected true or false, but found '")
                     << word << "'";
  };
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    ParseResult parsed = success();
    if (name == "rounded")
      parsed = parseFlag(isRounded);
    else if (name == "strides")
      parsed = parseFlag(hasStrides);
    else if (name == "dims" || name == "steps" || name == "ends")
      parsed = parseNumbers(name == "dims"    ? dims
                            : name == "steps" ? steps
                                              : ends);
    else
      return parser.emitError(loc, "expected rounded, strides, dims, steps or "
                                   "ends, but found '")
             << name << "'";
    if (parsed)
      return failure();
  }
  return success();
}

static void printMapOptions(AsmPrinter &printer, bool isRounded,
                            bool hasStrides, ArrayRef<int64_t> dims,
                            ArrayRef<int64_t> steps, ArrayRef<int64_t> ends) {
  if (isRounded)
    printer << ", rounded = true";
  if (hasStrides)
    printer << ", strides = true";
  auto print = [&](StringRef name, ArrayRef<int64_t> numbers) {
    if (numbers.empty())
      return;
    printer << ", " << name << " = [";
    llvm::interleaveComma(numbers, printer);
    printer << "]";
  };
  print("dims", dims);
  print("steps", steps);
  print("ends", ends);
}

#define GET_ATTRDEF_CLASSES
#include "fuse/Dialect/Tile/IR/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "fuse/Dialect/Tile/IR/TileTypes.cpp.inc"

bool fuse::tile::hasTileShape(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Attribute encoding = tensor.getEncoding();
  return tensor.hasStaticShape() && !llvm::is_contained(tensor.getShape(), 0) &&
         (!encoding || isa<LayoutAttr, SharedLayoutAttr>(encoding));
}

bool fuse::tile::isPlainMemory(Type type) {
  auto memory = cast<MemRefType>(type);
  if (memory.getMemorySpace())
    return false;
  auto strided = dyn_cast<StridedLayoutAttr>(memory.getLayout());
  return strided ? strided.getOffset() == 0 : memory.getLayout().isIdentity();
}

std::optional<ArrayRef<int64_t>> fuse::tile::stridesOf(MemRefType type) {
  auto strided = dyn_cast<StridedLayoutAttr>(type.getLayout());
  if (!strided)
    return std::nullopt;
  return strided.getStrides();
}

bool fuse::tile::hasGapsOfItsOwn(MemRefType type) {
  std::optional<ArrayRef<int64_t>> strides = stridesOf(type);
  return strides && strides->size() > 1 && strides->back() == 1 &&
         llvm::none_of(*strides, ShapedType::isDynamic);
}

int64_t fuse::tile::rowsOfItsOwn(MemRefType type) {
  return stridesOf(type)->drop_back().back();
}

LogicalResult
TensorMapAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                      int64_t, Type, ArrayRef<int64_t> box, int64_t, bool,
                      bool hasStrides, ArrayRef<int64_t> dims,
                      ArrayRef<int64_t> steps, ArrayRef<int64_t> ends) {
  if (dims.size() != steps.size())
    return emitError() << "has " << dims.size() << " dimensions, but "
                       << steps.size() << " steps";
  if (!dims.empty() && dims.size() != box.size())
    return emitError() << "has " << dims.size() << " dimensions, but a box of "
                       << box.size();
  if (!ends.empty() && ends.size() != box.size())
    return emitError() << "has " << ends.size() << " ends, but a box of "
                       << box.size();
  for (auto [i, end] : llvm::enumerate(ends)) {
    if (end < 1 && end != -1)
      return emitError() << "ends at " << end
                         << ", but 1 or more, or -1, is needed";
    if (end != -1 && llvm::count(dims, dims.empty() ? 0 : dims[i]) > 1)
      return emitError() << "ends at " << end << " along dimension " << dims[i]
                         << ", which is divided";
  }
  if (!dims.empty() && hasStrides)
    return emitError() << "has the strides of whoever launches, but those of "
                          "divided dimensions have to be known";
  for (int64_t step : steps)
    if (step < 1)
      return emitError() << "has a step of " << step
                         << ", but 1 or more is "
                            "needed";
  if (!dims.empty() && dims.front() < 0)
    return emitError() << "has dimension " << dims.front()
                       << ", but 0 or more is needed";
  for (size_t i = 0; i < dims.size(); ++i) {
    bool isLast = i + 1 == dims.size() || dims[i + 1] != dims[i];
    if (i != 0 && dims[i] < dims[i - 1])
      return emitError() << "has dimension " << dims[i] << " behind "
                         << dims[i - 1] << ", but they have to be in order";
    if (isLast ? steps[i] != 1 : steps[i] % steps[i + 1] != 0)
      return emitError() << "moves along dimension " << dims[i] << " by "
                         << steps[i] << ", but "
                         << (isLast ? "the last step has to be 1"
                                    : "each step has to be a multiple of the "
                                      "next");
  }
  return success();
}

LogicalResult
PromiseAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    int64_t alignment, ArrayRef<int64_t> sizes,
                    ArrayRef<int64_t> multiples) {
  if (sizes.size() != multiples.size())
    return emitError() << "promises " << sizes.size() << " sizes, but "
                       << multiples.size() << " multiples";
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment))
    return emitError() << "promises an alignment to " << alignment
                       << " bytes, but a power of two is needed";
  for (int64_t multiple : multiples)
    if (multiple < 1)
      return emitError() << "promises a multiple of " << multiple
                         << ", but a number above 0 is needed";
  return success();
}

LogicalResult
OrderAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  ArrayRef<int64_t> slowest, ArrayRef<int64_t> down) {
  for (auto [name, dims] : {std::pair("slowest", slowest), {"down", down}})
    for (auto [i, dim] : llvm::enumerate(dims))
      if (dim < 0 || llvm::is_contained(dims.take_front(i), dim))
        return emitError() << "has " << dim << " in '" << name
                           << "', but dimensions count from 0 and stand there "
                              "once";
  return success();
}

/// Of a kernel these are divided by, and asked for by one type.
LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (!isa<KernelOp>(op))
    return success();
  StringRef name = attribute.getName().getValue();
  Attribute value = attribute.getValue();
  auto fail = [&](StringRef needed) {
    return op->emitOpError("has attribute '")
           << name << "' = " << value << ", but needs " << needed;
  };
  static constexpr StringLiteral counts[] = {
      "tile.crews", "tile.parts",  "tile.residents", "tile.roles",
      "tile.share", "tile.stages", "tile.together",  "tile.warps"};
  if (llvm::is_contained(counts, name)) {
    auto number = dyn_cast<IntegerAttr>(value);
    if (!number || !number.getType().isInteger(64) || number.getInt() < 1 ||
        !llvm::isInt<32>(number.getInt()))
      return fail("an i64 above 0 that fits 32 bits");
  }
  auto isArrayFrom = [&](int64_t least) {
    auto numbers = dyn_cast<DenseI64ArrayAttr>(value);
    return numbers && llvm::all_of(numbers.asArrayRef(), [&](int64_t number) {
             return number >= least;
           });
  };
  if (name == "tile.cluster" && !isArrayFrom(1))
    return fail("an array of i64 above 0");
  // A result without elements has no blocks.
  if (name == "tile.grid" && !isArrayFrom(0))
    return fail("an array of i64, none below 0");
  if (name == "tile.order" && !isa<OrderAttr>(value))
    return fail("a #tile.order");
  return success();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fuse/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "fuse/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuse/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}
