//===- FuseOps.cpp - types and verifiers of the plain ops -----------------===//
//
// What each op accepts and what type it gives. LLVM's packages have assertions
// off, so nothing may be assumed here about operands: these functions are the
// only guard that everything after them has.
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fuse;

namespace {

/// Emits errors of type inference, which has a location but no op yet.
class InferenceErrors {
public:
  InferenceErrors(std::optional<Location> loc, StringRef opName)
      : loc(loc), opName(opName) {}
  template <typename... Args> LogicalResult operator()(Args &&...args) const {
    return emitOptionalError(loc, "'", opName, "' op ",
                             std::forward<Args>(args)...);
  }
  /// The operand as what it must be: inference runs before the verifier.
  RankedTensorType tensor(Value operand) const {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      (void)(*this)("needs a ranked tensor, but got ", operand.getType());
    return type;
  }

private:
  std::optional<Location> loc;
  StringRef opName;
};

/// Whether `dims` are increasing and name dimensions of a tensor of `rank`.
LogicalResult checkDims(ArrayRef<int64_t> dims, int64_t rank, StringRef what,
                        function_ref<LogicalResult(const Twine &)> error) {
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return error("dims names dimension " + Twine(dim) + ", but " + what +
                   " has rank " + Twine(rank));
    if (i && dims[i - 1] >= dim)
      return error("dims must increase, but has " + Twine(dim) + " behind " +
                   Twine(dims[i - 1]));
  }
  return success();
}

} // namespace

//===----------------------------------------------------------------------===//
// gelu
//===----------------------------------------------------------------------===//

/// Upstream's parser of an enum says of a word that is missing only that it is.
static ParseResult parseGeluForm(OpAsmParser &parser, GeluFormAttr &form) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  std::optional<GeluForm> known;
  if (succeeded(parser.parseOptionalKeyword(&word)))
    known = symbolizeGeluForm(word);
  if (!known)
    return parser.emitError(loc, "expected 'erf' or 'tanh'");
  form = GeluFormAttr::get(parser.getContext(), *known);
  return success();
}

static void printGeluForm(OpAsmPrinter &printer, Operation *,
                          GeluFormAttr form) {
  printer << stringifyGeluForm(form.getValue());
}

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

LogicalResult fuse::verifyProductTypes(Operation *op, Type lhs, Type rhs,
                                       Type result, Precision precision) {
  if (lhs != rhs)
    return op->emitOpError("multiplies ")
           << lhs << " by " << rhs << ", but both sides need one element type";
  if (lhs.isF64() && !result.isF64())
    return op->emitOpError("accumulates f64 operands in ")
           << result << ", but needs an f64 result";
  if (precision != Precision::Ieee && !(lhs.isF32() && result.isF32()))
    return op->emitOpError("has precision ")
           << stringifyPrecision(precision)
           << ", which needs f32 operands and an f32 result, but got " << lhs
           << " and " << result;
  return success();
}

LogicalResult MatmulOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType(),
                   result = getResult().getType();
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() != rank || result.getRank() != rank)
    return emitOpError("needs operands and a result of one rank, at least 2, "
                       "but got ranks ")
           << rank << ", " << rhs.getRank() << " and " << result.getRank();
  if (failed(verifyProductTypes(*this, lhs.getElementType(),
                                rhs.getElementType(), result.getElementType(),
                                getPrecision())))
    return failure();
  for (int64_t dim = 0; dim < rank - 2; ++dim) {
    int64_t l = lhs.getDimSize(dim), r = rhs.getDimSize(dim);
    if (!mayBeEqual(l, r))
      return emitOpError("has batch dimension ")
             << dim << " of size " << sizeText(l) << " in lhs, but "
             << sizeText(r) << " in rhs";
    if (!mayBeEqual(l, result.getDimSize(dim)) ||
        !mayBeEqual(r, result.getDimSize(dim)))
      return emitOpError("has batch dimension ")
             << dim << " of size " << sizeText(knownSize(l, r))
             << ", but the result has " << sizeText(result.getDimSize(dim));
  }
  int64_t lhsK = lhs.getDimSize(rank - 1), rhsK = rhs.getDimSize(rank - 2);
  if (!mayBeEqual(lhsK, rhsK)) {
    InFlightDiagnostic diag = emitOpError("contracts ")
                              << countText(lhsK, "column") << " of lhs with "
                              << countText(rhsK, "row") << " of rhs";
    diag.attachNote(getRhs().getLoc()) << "rhs comes from here";
    return diag;
  }
  int64_t m = lhs.getDimSize(rank - 2), n = rhs.getDimSize(rank - 1);
  if (!mayBeEqual(m, result.getDimSize(rank - 2)) ||
      !mayBeEqual(n, result.getDimSize(rank - 1)))
    return emitOpError("gives ")
           << countText(m, "row") << " and " << countText(n, "column")
           << ", but the result has " << sizeText(result.getDimSize(rank - 2))
           << " and " << sizeText(result.getDimSize(rank - 1));
  return success();
}

void MatmulOp::refineSizes() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType(),
                   result = getResult().getType();
  SmallVector<int64_t> shape(result.getShape());
  int64_t rank = result.getRank();
  for (int64_t dim = 0; dim < rank - 1; ++dim)
    shape[dim] = knownSize(shape[dim], lhs.getDimSize(dim));
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != rank - 2)
      shape[dim] = knownSize(shape[dim], rhs.getDimSize(dim));
  getResult().setType(result.clone(shape));
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  InferenceErrors error(loc, getOperationName());
  RankedTensorType source = error.tensor(adaptor.getSource());
  if (!source)
    return failure();
  ArrayRef<int64_t> dims = adaptor.getDims();
  if (failed(checkDims(dims, source.getRank(), "the source",
                       [&](const Twine &text) { return error(text); })))
    return failure();
  if (adaptor.getKind() == CombineKind::Mean &&
      !isa<FloatType>(source.getElementType()))
    return error("takes the mean of ", source.getElementType(),
                 " elements, but a mean needs floats");
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(source.getShape()))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      shape.push_back(size);
  types.push_back(RankedTensorType::get(shape, source.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

SmallVector<int64_t> BroadcastOp::getRepeatedDims() {
  SmallVector<int64_t> repeated;
  for (int64_t dim = 0, e = getResult().getType().getRank(); dim < e; ++dim)
    if (!llvm::is_contained(getDims(), dim))
      repeated.push_back(dim);
  return repeated;
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = getSource().getType(),
                   result = getResult().getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("has element type ")
           << source.getElementType() << " in the source, but "
           << result.getElementType() << " in the result";
  ArrayRef<int64_t> dims = getDims();
  if (static_cast<int64_t>(dims.size()) != source.getRank())
    return emitOpError("has ") << countText(dims.size(), "dim")
                               << " for a source of rank " << source.getRank();
  if (failed(checkDims(dims, result.getRank(), "the result",
                       [&](const Twine &text) { return emitOpError(text); })))
    return failure();
  for (auto [from, to] : llvm::enumerate(dims))
    if (!mayBeEqual(source.getDimSize(from), result.getDimSize(to)))
      return emitOpError("puts dimension ")
             << from << " of the source, of size "
             << sizeText(source.getDimSize(from)) << ", into dimension " << to
             << " of the result, of size " << sizeText(result.getDimSize(to));
  return verifySizes(*this, getSizes(),
                     countDynamic(result, getRepeatedDims()));
}

void BroadcastOp::refineSizes() {
  RankedTensorType source = getSource().getType(),
                   result = getResult().getType();
  SmallVector<int64_t> shape(result.getShape());
  for (auto [from, to] : llvm::enumerate(getDims()))
    shape[to] = knownSize(shape[to], source.getDimSize(from));
  getSizesMutable().assign(
      takeConstantSizes(shape, getRepeatedDims(), getSizes()));
  getResult().setType(result.clone(shape));
}

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  InferenceErrors error(loc, getOperationName());
  RankedTensorType source = error.tensor(adaptor.getSource());
  if (!source)
    return failure();
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  if (static_cast<int64_t>(permutation.size()) != source.getRank())
    return error("permutes ", permutation.size(),
                 " dimensions of a source of rank ", source.getRank());
  if (!isPermutationVector(permutation))
    return error("needs a permutation of the numbers from 0 to ",
                 source.getRank() - 1, ", but got [", permutation, "]");
  types.push_back(
      RankedTensorType::get(applyPermutation(source.getShape(), permutation),
                            source.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  InferenceErrors error(loc, getOperationName());
  RankedTensorType source = error.tensor(adaptor.getSource());
  if (!source)
    return failure();
  ArrayRef<int64_t> starts = adaptor.getStarts(), stops = adaptor.getStops(),
                    steps = adaptor.getSteps();
  size_t rank = source.getRank();
  if (starts.size() != rank || stops.size() != rank || steps.size() != rank)
    return error("has ", countText(starts.size(), "range"),
                 " for a source of rank ", rank);

  SmallVector<int64_t> shape;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t start = starts[dim], stop = stops[dim], step = steps[dim];
    int64_t size = source.getDimSize(dim);
    if (step < 1)
      return error("has step ", step, " in dimension ", dim,
                   ", but a step must be at least 1");
    if (start < 0 || (stop != kEnd && stop < start))
      return error("takes ", start, ":", sizeText(stop == kEnd ? size : stop),
                   " of dimension ", dim, ", but needs 0 <= start <= stop");
    if (!ShapedType::isDynamic(size) && (stop == kEnd ? start : stop) > size)
      return error("takes ", start, ":", stop == kEnd ? size : stop,
                   " of dimension ", dim, ", which has size ", size);
    int64_t end = stop == kEnd ? size : stop;
    // No sum here that could overflow.
    shape.push_back(ShapedType::isDynamic(end)
                        ? ShapedType::kDynamic
                        : (end - start) / step + ((end - start) % step != 0));
  }
  types.push_back(RankedTensorType::get(shape, source.getElementType()));
  return success();
}

/// Reads `start:stop:step, ...`; every part may be missing, and a list of
/// nothing at all belongs to a tensor of rank 0.
static ParseResult parseSliceRanges(OpAsmParser &parser,
                                    DenseI64ArrayAttr &starts,
                                    DenseI64ArrayAttr &stops,
                                    DenseI64ArrayAttr &steps) {
  SmallVector<int64_t> start, stop, step;
  do {
    int64_t from = 0, to = SliceOp::kEnd, by = 1;
    OptionalParseResult first = parser.parseOptionalInteger(from);
    if (first.has_value() && failed(*first))
      return failure();
    if (failed(parser.parseOptionalColon())) {
      if (start.empty() && !first.has_value())
        break;
      return parser.emitError(parser.getCurrentLocation(),
                              "expected a range 'start:stop:step'");
    }
    OptionalParseResult second = parser.parseOptionalInteger(to);
    if (second.has_value() && failed(*second))
      return failure();
    if (succeeded(parser.parseOptionalColon()) && parser.parseInteger(by))
      return failure();
    start.push_back(from);
    stop.push_back(to);
    step.push_back(by);
  } while (succeeded(parser.parseOptionalComma()));
  starts = parser.getBuilder().getDenseI64ArrayAttr(start);
  stops = parser.getBuilder().getDenseI64ArrayAttr(stop);
  steps = parser.getBuilder().getDenseI64ArrayAttr(step);
  return success();
}

static void printSliceRanges(OpAsmPrinter &printer, Operation *,
                             DenseI64ArrayAttr starts, DenseI64ArrayAttr stops,
                             DenseI64ArrayAttr steps) {
  auto printRange = [&](auto range) {
    auto [start, stop, step] = range;
    if (start != 0)
      printer << start;
    printer << ":";
    if (stop != SliceOp::kEnd)
      printer << stop;
    if (step != 1)
      printer << ":" << step;
  };
  llvm::interleaveComma(
      llvm::zip(starts.asArrayRef(), stops.asArrayRef(), steps.asArrayRef()),
      printer, printRange);
}

//===----------------------------------------------------------------------===//
// expand
//===----------------------------------------------------------------------===//

LogicalResult ExpandOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  InferenceErrors error(loc, getOperationName());
  RankedTensorType source = error.tensor(adaptor.getSource());
  if (!source)
    return failure();
  int64_t dim = adaptor.getDim();
  if (dim < 0 || dim >= source.getRank())
    return error("expands dimension ", dim, " of a source of rank ",
                 source.getRank());
  int64_t size = source.getDimSize(dim);
  SmallVector<int64_t> factors(adaptor.getFactors());
  int64_t numDynamic = llvm::count_if(factors, ShapedType::isDynamic);
  int64_t numSizes = adaptor.getSizes().size();
  if (numSizes != numDynamic && (numSizes != 0 || numDynamic > 1))
    return error("has ", numDynamic, " dynamic factors, but ", numSizes,
                 " sizes");

  SmallVector<int64_t> known;
  for (int64_t factor : factors) {
    if (ShapedType::isDynamic(factor))
      continue;
    if (factor < 0)
      return error("has a negative factor, ", factor);
    known.push_back(factor);
  }
  std::optional<int64_t> product = checkedProduct(known);
  if (!product)
    return error("has factors whose product exceeds 64 bits");
  if (numDynamic == 1 && numSizes == 0 && *product == 0)
    return error("has a factor to compute beside a factor 0, but any number "
                 "would do; give its size");
  if (!ShapedType::isDynamic(size) && numDynamic == 0 && *product != size)
    return error("expands dimension ", dim, ", of size ", size,
                 ", into factors of product ", *product);
  if (!ShapedType::isDynamic(size) && numDynamic == 1 && numSizes == 0) {
    if (size % *product != 0)
      return error("expands dimension ", dim, ", of size ", size,
                   ", which the factors' product ", *product,
                   " does not divide");
    *llvm::find_if(factors, ShapedType::isDynamic) = size / *product;
  }
  SmallVector<int64_t> shape(source.getShape().take_front(dim));
  llvm::append_range(shape, factors);
  llvm::append_range(shape, source.getShape().drop_front(dim + 1));
  types.push_back(RankedTensorType::get(shape, source.getElementType()));
  return success();
}

void ExpandOp::refineSizes() {
  SmallVector<int64_t> factors(getFactors()), every;
  SmallVector<Value> sizes(getSizes());
  llvm::append_range(every, llvm::seq<int64_t>(0, factors.size()));
  if (!sizes.empty())
    sizes = takeConstantSizes(factors, every, sizes);

  SmallVector<Value> operands = {getSource()};
  llvm::append_range(operands, sizes);
  Properties properties = getProperties();
  properties.factors = DenseI64ArrayAttr::get(getContext(), factors);
  SmallVector<Type> types;
  // What contradicts itself stays as it is.
  if (failed(inferReturnTypes(getContext(), std::nullopt,
                              Adaptor(operands, DictionaryAttr(), properties),
                              types)))
    return;
  setFactors(factors);
  getSizesMutable().assign(sizes);
  getResult().setType(cast<RankedTensorType>(types.front()));
}

static ParseResult parseFactors(OpAsmParser &parser,
                                DenseI64ArrayAttr &factors) {
  SmallVector<int64_t> list;
  do {
    if (succeeded(parser.parseOptionalQuestion())) {
      list.push_back(ShapedType::kDynamic);
      continue;
    }
    int64_t factor;
    OptionalParseResult parsed = parser.parseOptionalInteger(factor);
    if (!parsed.has_value()) {
      if (list.empty())
        break;
      return parser.emitError(parser.getCurrentLocation(),
                              "expected a factor or '?'");
    }
    if (failed(*parsed))
      return failure();
    list.push_back(factor);
  } while (succeeded(parser.parseOptionalComma()));
  factors = parser.getBuilder().getDenseI64ArrayAttr(list);
  return success();
}

static void printFactors(OpAsmPrinter &printer, Operation *,
                         DenseI64ArrayAttr factors) {
  llvm::interleaveComma(factors.asArrayRef(), printer,
                        [&](int64_t factor) { printer << sizeText(factor); });
}

//===----------------------------------------------------------------------===//
// collapse
//===----------------------------------------------------------------------===//

LogicalResult CollapseOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  InferenceErrors error(loc, getOperationName());
  RankedTensorType source = error.tensor(adaptor.getSource());
  if (!source)
    return failure();
  ArrayRef<int64_t> dims = adaptor.getDims();
  if (dims.empty())
    return error("collapses no dimension, but needs at least one");
  if (failed(checkDims(dims, source.getRank(), "the source",
                       [&](const Twine &text) { return error(text); })))
    return failure();
  if (dims.back() - dims.front() + 1 != static_cast<int64_t>(dims.size()))
    return error("collapses dimensions [", dims, "], which are not neighbours");
  ArrayRef<int64_t> sizes = source.getShape().slice(dims.front(), dims.size());
  int64_t merged = ShapedType::kDynamic;
  if (llvm::none_of(sizes, ShapedType::isDynamic)) {
    std::optional<int64_t> product = checkedProduct(sizes);
    if (!product)
      return error("collapses dimensions whose product exceeds 64 bits");
    merged = *product;
  }
  SmallVector<int64_t> shape(source.getShape().take_front(dims.front()));
  shape.push_back(merged);
  llvm::append_range(shape, source.getShape().drop_front(dims.back() + 1));
  types.push_back(RankedTensorType::get(shape, source.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  InferenceErrors error(loc, getOperationName());
  if (adaptor.getSources().empty())
    return error("joins nothing, but needs at least one source");
  RankedTensorType first = error.tensor(adaptor.getSources().front());
  if (!first)
    return failure();
  int64_t joined = adaptor.getDim();
  if (joined < 0 || joined >= first.getRank())
    return error("joins along dimension ", joined, " sources of rank ",
                 first.getRank());
  SmallVector<int64_t> shape(first.getShape());
  for (auto [i, source] :
       llvm::drop_begin(llvm::enumerate(adaptor.getSources()))) {
    RankedTensorType type = error.tensor(source);
    if (!type)
      return failure();
    if (type.getElementType() != first.getElementType())
      return error("joins ", first.getElementType(), " and ",
                   type.getElementType(), " elements");
    if (type.getRank() != first.getRank())
      return error("joins a source of rank ", first.getRank(),
                   " and one of rank ", type.getRank());
    for (int64_t dim = 0; dim < first.getRank(); ++dim) {
      int64_t size = type.getDimSize(dim);
      if (dim != joined) {
        if (!mayBeEqual(shape[dim], size))
          return error("joins along dimension ", joined,
                       " sources whose dimension ", dim, " has sizes ",
                       shape[dim], " and ", size);
        shape[dim] = knownSize(shape[dim], size);
        continue;
      }
      if (ShapedType::isDynamic(size) || ShapedType::isDynamic(shape[dim])) {
        shape[dim] = ShapedType::kDynamic;
        continue;
      }
      std::optional<int64_t> sum = llvm::checkedAdd(shape[dim], size);
      if (!sum)
        return error("joins dimensions whose sum exceeds 64 bits");
      shape[dim] = *sum;
    }
  }
  types.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// iota
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  RankedTensorType result = getResult().getType();
  int64_t dim = getDim();
  if (dim >= result.getRank())
    return emitOpError("counts along dimension ")
           << dim << " of a result of rank " << result.getRank();
  return verifySizes(*this, getSizes(), result.getNumDynamicDims());
}

void IotaOp::refineSizes() { refineResultOf(*this); }

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  InferenceErrors error(loc, getOperationName());
  RankedTensorType source = error.tensor(adaptor.getSource());
  RankedTensorType indices = error.tensor(adaptor.getIndices());
  if (!source || !indices)
    return failure();
  if (source.getRank() == 0)
    return error("looks up rows of a source of rank 0, but needs at least 1");
  SmallVector<int64_t> shape(indices.getShape());
  llvm::append_range(shape, source.getShape().drop_front());
  types.push_back(RankedTensorType::get(shape, source.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// layer_norm: only its format, which the generated code below calls
//===----------------------------------------------------------------------===//

using OptionalOperand = std::optional<OpAsmParser::UnresolvedOperand>;

/// Reads a scale and a shift, either of which may be missing, but not only the
/// scale: the types behind the colon could not tell.
static ParseResult parseScaleAndShift(OpAsmParser &parser,
                                      OptionalOperand &scale,
                                      OptionalOperand &shift) {
  if (succeeded(parser.parseOptionalKeyword("scale")))
    if (parser.parseOperand(scale.emplace()))
      return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword("shift")))
    return success();
  if (!scale)
    return parser.emitError(
        loc, "found a shift without a scale, but a shift needs one");
  return parser.parseOperand(shift.emplace());
}

static void printScaleAndShift(OpAsmPrinter &printer, LayerNormOp, Value scale,
                               Value shift) {
  if (scale)
    printer << " scale " << scale;
  if (shift)
    printer << " shift " << shift;
}

#define GET_OP_CLASSES
#include "fuse/Dialect/Fuse/IR/FuseOps.cpp.inc"
