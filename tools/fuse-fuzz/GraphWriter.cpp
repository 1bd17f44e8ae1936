//===- GraphWriter.cpp - values, and what is known of them ----------------===//
//
// What all kinds of ops need: values to work on, and the bookkeeping that says
// whether a result can be judged.
//
//===----------------------------------------------------------------------===//

#include "GraphWriter.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

using namespace mlir;
using namespace fuse;

static func::FuncOp makeFunction(FuzzGraph &graph,
                                 ImplicitLocOpBuilder &builder) {
  graph.module = ModuleOp::create(builder.getLoc());
  builder.setInsertionPointToEnd(graph.module->getBody());
  auto function =
      func::FuncOp::create(builder, "graph", builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  return function;
}

GraphWriter::GraphWriter(FuzzGraph &graph, MLIRContext &context, Random &random)
    : random(random), graph(graph),
      builder(UnknownLoc::get(&context), &context),
      function(makeFunction(graph, builder)),
      entry(function.getBody().front()) {
  graph.isExact = random.chance(45);
  graph.dataSeed = random.below(1000);
  isDynamic = random.chance(25);
  mainFloat = builder.getF32Type();
  if (random.chance(30))
    mainFloat = drawFloat();
  static constexpr int64_t small[] = {1, 2, 3, 4, 5, 7, 8};
  static constexpr int64_t large[] = {9, 13, 16, 17, 24, 31, 32, 33, 48, 65};
  unsigned count = random.between(1, 4);
  for (unsigned i = 0; i < count; ++i)
    sizes.push_back(random.chance(60)
                        ? random.pick(llvm::ArrayRef<int64_t>(small))
                        : random.pick(llvm::ArrayRef<int64_t>(large)));
  if (random.chance(4))
    sizes.push_back(0);
}

RankedTensorType GraphWriter::typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}
Type GraphWriter::elementOf(Value value) {
  return typeOf(value).getElementType();
}
llvm::ArrayRef<int64_t> GraphWriter::shapeOf(Value value) {
  return typeOf(value).getShape();
}
bool GraphWriter::isFloatTensor(Value value) {
  // Of 8-bit floats only products, moves and casts can be made.
  return isa<FloatType>(elementOf(value)) &&
         elementOf(value).getIntOrFloatBitWidth() > 8;
}
bool GraphWriter::isIntTensor(Value value) {
  return elementOf(value).isInteger() && !elementOf(value).isInteger(1);
}
bool GraphWriter::isBoolTensor(Value value) {
  return elementOf(value).isInteger(1);
}

/// What runs at once, also where every road runs it, and is still read by
/// people.
bool GraphWriter::isSmall(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return shape.size() <= 4 && count <= 5000;
}

double GraphWriter::limitOf(Type type) const {
  if (type.isInteger())
    return 0x1p31;
  if (!graph.isExact)
    return type.isF16() || type.isBF16() ? 200 : 1e4;
  if (type.isF64())
    return 0x1p45;
  if (type.isF32())
    return 0x1p24;
  if (type.isF16())
    return 0x1p11;
  return type.isBF16() ? 0x1p8 : 16;
}

Value GraphWriter::keep(Value value, const Facts &known) {
  Facts entered = known;
  if (isa<FloatType>(elementOf(value))) {
    if (!(known.bound <= limitOf(elementOf(value)))) {
      value.getDefiningOp()->erase();
      return {};
    }
  } else {
    // Integers wrap around, in the same way on all roads.
    unsigned width = elementOf(value).getIntOrFloatBitWidth();
    entered.bound = std::min(entered.bound, std::ldexp(1.0, width - 1));
    entered.isPure = true;
  }
  // Only what moves elements leaves them as large as they were.
  if (!isa_and_nonnull<BroadcastOp, TransposeOp, SliceOp, CollapseOp, ExpandOp>(
          value.getDefiningOp()))
    entered.least = 0;
  facts[value] = entered;
  values.push_back(value);
  return value;
}

Value GraphWriter::keepRounded(Value value, Facts known) {
  known.isPure = graph.isExact;
  return keep(value, known);
}

Type GraphWriter::drawFloat() {
  switch (random.below(8)) {
  case 0:
    return builder.getF64Type();
  case 1:
  case 2:
    return builder.getF16Type();
  case 3:
  case 4:
    return builder.getBF16Type();
  default:
    return builder.getF32Type();
  }
}

int64_t GraphWriter::drawSize() {
  return random.pick(llvm::ArrayRef<int64_t>(sizes));
}

Shape GraphWriter::drawShape(unsigned minRank, unsigned maxRank) {
  unsigned rank = random.between(minRank, maxRank);
  // Two dimensions are what most is about.
  if (random.chance(50) && minRank <= 2 && maxRank >= 2)
    rank = 2;
  Shape shape;
  for (unsigned i = 0; i < rank; ++i)
    shape.push_back(drawSize());
  while (!isSmall(shape))
    *llvm::max_element(shape) = random.between(1, 4);
  return shape;
}

Value GraphWriter::pickValue(llvm::function_ref<bool(Value)> suits) {
  SmallVector<Value> found = llvm::filter_to_vector(values, suits);
  if (found.empty())
    return {};
  // Chains are what is fused, so the last values come first.
  if (random.chance(60))
    return found[found.size() - 1 -
                 random.below(std::min<size_t>(3, found.size()))];
  return random.pick(llvm::ArrayRef<Value>(found));
}

Value GraphWriter::newArgument(Type element, ArrayRef<int64_t> shape) {
  if (element.isInteger(1))
    return newArgument(element, shape, FillKind::Integers, 0, 1);
  if (element.isInteger())
    return newArgument(element, shape, FillKind::Integers, -4, 9);
  if (graph.isExact)
    return newArgument(element, shape, FillKind::Integers, -3, 3);
  if (random.chance(30))
    return newArgument(element, shape, FillKind::Uniform, 0.5, 1.5);
  return newArgument(element, shape, FillKind::Uniform, -1, 1);
}

Value GraphWriter::newArgument(Type element, ArrayRef<int64_t> shape,
                               FillKind kind, double low, double high) {
  auto type = RankedTensorType::get(shape, element);
  unsigned number = function.getNumArguments();
  std::string name = "a" + std::to_string(number);
  SmallVector<NamedAttribute> attributes = {
      builder.getNamedAttr("fuse.name", builder.getStringAttr(name)),
      builder.getNamedAttr("fuse.fill",
                           FillAttr::get(builder.getContext(), kind,
                                         APFloat(low), APFloat(high)))};
  auto written = type;
  if (isDynamic && !shape.empty() && random.chance(60)) {
    Shape open(shape);
    for (int64_t &size : open)
      if (random.chance(60))
        size = ShapedType::kDynamic;
    written = type.clone(open);
  }
  (void)function.insertArgument(
      number, written, builder.getDictionaryAttr(attributes), builder.getLoc());
  Value value = function.getArgument(number);
  if (written != type) {
    graph.shapes[name] = ArgumentShape(shape);
    value = tensor::CastOp::create(builder, type, value);
  }
  Facts known;
  known.bound = std::max(std::abs(low), std::abs(high));
  known.least = std::max(low, 0.0);
  facts[value] = known;
  values.push_back(value);
  return value;
}

Value GraphWriter::valueOf(Type element, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, element);
  if (random.chance(55))
    if (Value found =
            pickValue([&](Value value) { return value.getType() == type; }))
      return found;
  return newArgument(element, shape);
}

Value GraphWriter::constant(Type element, ArrayRef<int64_t> shape,
                            double number) {
  auto type = RankedTensorType::get(shape, element);
  Attribute splat;
  if (isa<FloatType>(element))
    splat = builder.getFloatAttr(element, number);
  else
    splat = builder.getIntegerAttr(element, static_cast<int64_t>(number));
  Value value = arith::ConstantOp::create(
      builder, type, DenseElementsAttr::get(type, ArrayRef<Attribute>(splat)));
  Facts known;
  known.hasInfinity = std::isinf(number);
  known.bound = known.hasInfinity ? 0 : std::abs(number);
  // A constant that its type rounds is another number when floats are wide.
  facts[value] = known;
  return value;
}

Value GraphWriter::anyFloat(unsigned minRank) {
  if (random.chance(75))
    if (Value found = pickValue([&](Value value) {
          return isFloatTensor(value) && rankOf(value) >= minRank;
        }))
      return found;
  Type element = random.chance(80) ? mainFloat : drawFloat();
  return newArgument(element, drawShape(minRank, 4));
}

void GraphWriter::finish() {
  // What nobody uses is a result, as far as there is room.
  SmallVector<Value> results;
  auto isUnused = [](Value value) {
    return value.use_empty() && value.getDefiningOp();
  };
  for (Value value : llvm::reverse(values))
    if (isUnused(value) && results.size() < 3 &&
        elementOf(value).getIntOrFloatBitWidth() != 0)
      results.push_back(value);
  if (random.chance(30) || results.empty())
    if (Value used = pickValue(
            [&](Value value) { return !llvm::is_contained(results, value); }))
      results.push_back(used);
  if (random.chance(4))
    results.push_back(results.front());
  if (results.empty())
    results.push_back(newArgument(mainFloat, drawShape(0, 2)));
  func::ReturnOp::create(builder, results);
  function.setFunctionType(builder.getFunctionType(
      entry.getArgumentTypes(), ValueRange(results).getTypes()));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(entry)))
    if (isOpTriviallyDead(&op))
      op.erase();
}
