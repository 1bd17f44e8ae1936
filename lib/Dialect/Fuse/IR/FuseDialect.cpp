//===- FuseDialect.cpp - the dialect and its attributes -------------------===//
//
// Registration, constants, and the attributes that arguments may carry.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

#include "fuse/Dialect/Fuse/IR/FuseDialect.cpp.inc"
#include "fuse/Dialect/Fuse/IR/FuseEnums.cpp.inc"
#include "fuse/Dialect/Fuse/IR/FuseInterfaces.cpp.inc"

/// Reads a number with or without a point.
static ParseResult parseNumber(AsmParser &parser, FailureOr<APFloat> &number) {
  // The parser reads whole numbers and others by different functions, and
  // neither gives back the sign that it has read. As an attribute it is both.
  Attribute attribute;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(attribute))
    return failure();
  if (auto whole = dyn_cast<IntegerAttr>(attribute);
      whole && whole.getType().isInteger(64))
    number = APFloat(static_cast<double>(whole.getInt()));
  else if (auto real = dyn_cast<FloatAttr>(attribute);
           real && real.getType().isF64())
    number = real.getValue();
  else
    return parser.emitError(loc, "expected a number");
  return success();
}

/// Prints whole numbers without a point, and nothing in hexadecimal: that reads
/// as an integer.
static void printNumber(AsmPrinter &printer, const APFloat &number) {
  if (number.isInteger() && !number.isNegZero() &&
      abs(number) < APFloat(0x1p53)) {
    printer << static_cast<int64_t>(number.convertToDouble());
    return;
  }
  SmallString<32> digits;
  number.toString(digits);
  StringRef text = digits;
  // Without a point it would not be a float.
  auto [mantissa, exponent] = text.split('E');
  printer << mantissa << (mantissa.contains('.') ? "" : ".0");
  if (!exponent.empty())
    printer << "E" << exponent;
}

#define GET_ATTRDEF_CLASSES
#include "fuse/Dialect/Fuse/IR/FuseAttrs.cpp.inc"

namespace {

/// No op of ours has an effect, so that all of them can stand anywhere.
struct FuseInliner final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

void FuseDialect::initialize() {
  addInterfaces<FuseInliner>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fuse/Dialect/Fuse/IR/FuseAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuse/Dialect/Fuse/IR/FuseOps.cpp.inc"
      >();
}

Operation *FuseDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult FillAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               FillKind kind, APFloat low, APFloat high) {
  double first = low.convertToDouble(), second = high.convertToDouble();
  if (!low.isFinite() || !high.isFinite())
    return emitError() << "a fill needs finite numbers, but has " << first
                       << " and " << second;
  switch (kind) {
  case FillKind::Integers:
    if (!low.isInteger() || !high.isInteger())
      return emitError() << "a fill of integers needs whole numbers, but has "
                         << first << " and " << second;
    [[fallthrough]];
  case FillKind::Uniform:
    if (first <= second && std::isfinite(second - first))
      return success();
    if (first <= second)
      return emitError() << "the bounds " << first << " and " << second
                         << " of a fill differ by more than a double can hold";
    return emitError() << "the lower bound " << first
                       << " of a fill is above the upper bound " << second;
  case FillKind::Normal:
    if (second >= 0)
      return success();
    return emitError() << "the standard deviation of a fill is " << second
                       << ", but must not be negative";
  case FillKind::Constant:
    if (first == second)
      return success();
    return emitError() << "a constant fill gives its number twice, but "
                       << first << " and " << second << " differ";
  }
  llvm_unreachable("every kind of fill is handled above");
}

LogicalResult FuseDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  return op->emitOpError("has attribute '")
         << attribute.getName().getValue()
         << "', but the fuse dialect only knows attributes of arguments";
}

/// Checks the name of `what` number `index`, and that none before it has it.
static LogicalResult verifyName(Operation *op, StringRef what, unsigned index,
                                Attribute name,
                                function_ref<Attribute(unsigned)> nameOf) {
  auto text = dyn_cast<StringAttr>(name);
  if (!text || !isPlainName(text.getValue()))
    return op->emitOpError("'fuse.name' of ")
           << what << " #" << index << " must be " << plainNameRule
           << ", but is " << name;
  for (unsigned other = 0; other < index; ++other)
    if (nameOf(other) == text)
      return op->emitOpError("names both ")
             << what << " #" << other << " and " << what << " #" << index << " "
             << text;
  return success();
}

LogicalResult
FuseDialect::verifyRegionResultAttribute(Operation *op, unsigned /*region*/,
                                         unsigned result,
                                         NamedAttribute attribute) {
  if (attribute.getName() != "fuse.name")
    return op->emitOpError("has unknown attribute '")
           << attribute.getName().getValue() << "' on result #" << result
           << "; 'fuse.name' is known";
  auto function = dyn_cast<FunctionOpInterface>(op);
  return verifyName(
      op, "result", result, attribute.getValue(), [&](unsigned other) {
        return function ? function.getResultAttr(other, "fuse.name")
                        : Attribute();
      });
}

LogicalResult FuseDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned /*region*/,
                                                    unsigned argument,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == "fuse.fill") {
    if (isa<FillAttr>(attribute.getValue()))
      return success();
    return op->emitOpError("'fuse.fill' of argument #")
           << argument << " must be a '#fuse.fill' attribute, but is "
           << attribute.getValue();
  }
  if (name == "fuse.size_hints") {
    auto function = dyn_cast<FunctionOpInterface>(op);
    auto type =
        function
            ? dyn_cast<RankedTensorType>(function.getArgumentTypes()[argument])
            : RankedTensorType();
    auto hints = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    // Where arguments are memory, or addresses, the graph is behind.
    bool isLowered = !isa_and_nonnull<func::FuncDialect>(op->getDialect()) ||
                     (function && isa<BaseMemRefType>(
                                      function.getArgumentTypes()[argument]));
    auto isSize = [](int64_t hint) { return hint >= 0; };
    if (isLowered)
      return success();
    if (!hints || !type || hints.size() != type.getRank() ||
        !llvm::all_of(hints.asArrayRef(), isSize))
      return op->emitOpError("'fuse.size_hints' of argument #")
             << argument
             << " must be a size for each dimension of a tensor, but is "
             << attribute.getValue();
    if (failed(verifyCompatibleShape(type.getShape(), hints.asArrayRef())))
      return op->emitOpError("'fuse.size_hints' of argument #")
             << argument << " must have the sizes that " << type
             << " says, but is " << attribute.getValue();
    return success();
  }
  if (name != "fuse.name")
    return op->emitOpError("has unknown attribute '")
           << name << "' on argument #" << argument
           << "; 'fuse.name', 'fuse.fill' and 'fuse.size_hints' are known";
  auto function = dyn_cast<FunctionOpInterface>(op);
  return verifyName(
      op, "argument", argument, attribute.getValue(), [&](unsigned other) {
        return function ? function.getArgAttr(other, "fuse.name") : Attribute();
      });
}
