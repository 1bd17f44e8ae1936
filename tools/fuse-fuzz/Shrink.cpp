//===- Shrink.cpp - the smallest graph that fails -------------------------===//
//
// Every step changes a copy, which takes the graph's place if it is still valid
// and still fails. What a step leaves unused is dropped with it.
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuse;

namespace {

func::FuncOp functionOf(const FuzzGraph &graph) {
  return *ModuleOp(*graph.module).getOps<func::FuncOp>().begin();
}

FuzzGraph copyOf(const FuzzGraph &graph) {
  FuzzGraph copy;
  copy.module = ModuleOp(*graph.module).clone();
  copy.isExact = graph.isExact;
  copy.dataSeed = graph.dataSeed;
  copy.shapes = graph.shapes;
  return copy;
}

void updateType(func::FuncOp function) {
  Block &body = function.getBody().front();
  function.setFunctionType(
      FunctionType::get(function.getContext(), body.getArgumentTypes(),
                        body.getTerminator()->getOperandTypes()));
}

void dropUnused(func::FuncOp function) {
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  (void)function.eraseArguments(unused);
}

class Shrinker {
public:
  Shrinker(FuzzGraph &graph, llvm::function_ref<bool(const FuzzGraph &)> fails,
           std::chrono::steady_clock::time_point end)
      : graph(graph), fails(fails), end(end) {}

  void run() {
    bool hasShrunk = true;
    while (hasShrunk) {
      hasShrunk = dropResults();
      hasShrunk |= replaceOps();
      hasShrunk |= replaceArguments();
      hasShrunk |= shrinkSizes();
    }
  }

private:
  /// Keeps what `change` makes of a copy of the graph, if that still fails.
  bool attempt(llvm::function_ref<bool(FuzzGraph &, func::FuncOp)> change);

  bool dropResults();
  bool replaceOps();
  bool replaceOp(unsigned index, unsigned operand);
  bool replaceArguments();
  bool shrinkSizes();
  bool shrinkSize(int64_t from, int64_t to);

  FuzzGraph &graph;
  llvm::function_ref<bool(const FuzzGraph &)> fails;
  std::chrono::steady_clock::time_point end;
};

} // namespace

bool Shrinker::attempt(
    llvm::function_ref<bool(FuzzGraph &, func::FuncOp)> change) {
  if (std::chrono::steady_clock::now() > end)
    return false;
  FuzzGraph copy = copyOf(graph);
  func::FuncOp function = functionOf(copy);
  // Whether a change makes sense is the verifiers' to say, to nobody.
  ScopedDiagnosticHandler quiet(function.getContext(),
                                [](Diagnostic &) { return success(); });
  if (!change(copy, function))
    return false;
  dropUnused(function);
  updateType(function);
  if (failed(mlir::verify(*copy.module)) || !fails(copy))
    return false;
  graph = std::move(copy);
  return true;
}

bool Shrinker::dropResults() {
  bool isChanged = false;
  for (unsigned i = functionOf(graph).getNumResults(); i-- > 0;)
    isChanged |= attempt([&](FuzzGraph &, func::FuncOp function) {
      if (function.getNumResults() == 1)
        return false;
      function.getBody().front().getTerminator()->eraseOperand(i);
      updateType(function);
      return true;
    });
  return isChanged;
}

/// Whether something is divided by what is made of a value, or its root or
/// logarithm taken: the graph was made so that it is clearly above 0 there.
static bool isKeptAboveZero(Value value) {
  SetVector<Value> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      if (isa<math::LogOp, math::Log2Op, math::Log10Op, math::SqrtOp,
              math::RsqrtOp>(user) ||
          (isa<arith::DivFOp>(user) && use.getOperandNumber() == 1))
        return true;
      reached.insert_range(user->getResults());
    }
  return false;
}

/// Puts one of an op's operands in its place, or, behind the last of them, a
/// new argument.
bool Shrinker::replaceOp(unsigned index, unsigned operand) {
  return attempt([&](FuzzGraph &copy, func::FuncOp function) {
    Operation &op = *std::next(function.getBody().front().begin(), index);
    Value result = op.getResult(0);
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (operand < op.getNumOperands()) {
      Value value = op.getOperand(operand);
      if (value.getType() != result.getType() || isKeptAboveZero(result))
        return false;
      result.replaceAllUsesWith(value);
      return true;
    }
    if (!type || !type.hasStaticShape())
      return false;
    unsigned number = function.getNumArguments();
    Builder builder(function.getContext());
    bool isWhole = copy.isExact || !isa<FloatType>(type.getElementType());
    bool isBool = type.getElementType().isInteger(1);
    bool isAbove = !isWhole && isKeptAboveZero(result);
    auto fill = FillAttr::get(
        function.getContext(), isWhole ? FillKind::Integers : FillKind::Uniform,
        llvm::APFloat(isBool    ? 0.0
                      : isWhole ? -2.0
                      : isAbove ? 0.5
                                : -1.0),
        llvm::APFloat((isWhole && !isBool) || isAbove ? 2.0 : 1.0));
    // A name that no argument has had.
    unsigned name = number;
    for (BlockArgument argument : function.getArguments())
      if (auto taken = function.getArgAttrOfType<StringAttr>(
              argument.getArgNumber(), "fuse.name")) {
        unsigned used = 0;
        if (!taken.getValue().drop_front().getAsInteger(10, used))
          name = std::max(name, used + 1);
      }
    NamedAttribute attributes[] = {
        builder.getNamedAttr("fuse.name",
                             builder.getStringAttr("a" + Twine(name))),
        builder.getNamedAttr("fuse.fill", fill)};
    if (failed(function.insertArgument(number, type,
                                       builder.getDictionaryAttr(attributes),
                                       function.getLoc())))
      return false;
    result.replaceAllUsesWith(function.getArgument(number));
    return true;
  });
}

bool Shrinker::replaceOps() {
  bool isChanged = false;
  auto numOps = [&] {
    return functionOf(graph).getBody().front().getOperations().size();
  };
  for (size_t index = numOps(); index-- > 0;) {
    // A step that succeeded may have dropped many.
    index = std::min(index, numOps() - 1);
    Operation &op =
        *std::next(functionOf(graph).getBody().front().begin(), index);
    if (op.getNumResults() != 1 || op.hasTrait<OpTrait::ConstantLike>())
      continue;
    unsigned numOperands = op.getNumOperands();
    for (unsigned operand = 0; operand <= numOperands; ++operand)
      if (replaceOp(index, operand)) {
        isChanged = true;
        break;
      }
  }
  return isChanged;
}

bool Shrinker::replaceArguments() {
  bool isChanged = false;
  for (unsigned i = functionOf(graph).getNumArguments(); i-- > 0;) {
    if (i >= functionOf(graph).getNumArguments())
      continue;
    // All its elements 1, and then no argument at all.
    isChanged |= attempt([&](FuzzGraph &, func::FuncOp function) {
      auto type = dyn_cast<RankedTensorType>(function.getArgument(i).getType());
      if (!type || !type.hasStaticShape())
        return false;
      OpBuilder builder(function.getBody());
      TypedAttr one = builder.getOneAttr(type.getElementType());
      Value constant = arith::ConstantOp::create(
          builder, function.getLoc(), type,
          DenseElementsAttr::get(type, ArrayRef<Attribute>(one)));
      function.getArgument(i).replaceAllUsesWith(constant);
      return true;
    });
    // All its sizes known.
    if (i >= functionOf(graph).getNumArguments())
      continue;
    isChanged |= attempt([&](FuzzGraph &copy, func::FuncOp function) {
      auto name = function.getArgAttrOfType<StringAttr>(i, "fuse.name");
      if (!name || !copy.shapes.contains(name.getValue()))
        return false;
      Value argument = function.getArgument(i);
      auto type = cast<RankedTensorType>(argument.getType())
                      .clone(copy.shapes[name.getValue()]);
      argument.setType(type);
      copy.shapes.erase(name.getValue());
      for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
        if (auto cast = dyn_cast<tensor::CastOp>(user);
            cast && cast.getType() == type) {
          cast.replaceAllUsesWith(argument);
          cast.erase();
        }
      return true;
    });
  }
  return isChanged;
}

/// Takes ranges back into dimensions that have become smaller.
static void clampRanges(SliceOp slice) {
  Builder builder(slice.getContext());
  SmallVector<int64_t> starts(slice.getStarts()), stops(slice.getStops());
  for (auto [dim, size] :
       llvm::enumerate(slice.getSource().getType().getShape())) {
    starts[dim] = std::min(starts[dim], size);
    if (stops[dim] != SliceOp::kEnd)
      stops[dim] = std::min(stops[dim], size);
  }
  slice.setStarts(starts);
  slice.setStops(stops);
}

bool Shrinker::shrinkSize(int64_t from, int64_t to) {
  return attempt([&](FuzzGraph &copy, func::FuncOp function) {
    auto resized = [&](RankedTensorType type) {
      SmallVector<int64_t> shape(type.getShape());
      llvm::replace(shape, from, to);
      return type.clone(shape);
    };
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](RankedTensorType type) -> std::optional<Type> {
      return resized(type);
    });
    replacer.addReplacement(
        [&](DenseElementsAttr attribute)
            -> std::optional<std::pair<Attribute, WalkResult>> {
          auto type = dyn_cast<RankedTensorType>(attribute.getType());
          if (!type || !attribute.isSplat())
            return std::nullopt;
          return std::pair<Attribute, WalkResult>(
              attribute.resizeSplat(resized(type)), WalkResult::skip());
        });
    replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    for (auto &entry : copy.shapes)
      llvm::replace(entry.second, from, to);
    for (Operation &op : function.getBody().front()) {
      if (auto expand = dyn_cast<ExpandOp>(op)) {
        SmallVector<int64_t> factors(expand.getFactors());
        llvm::replace(factors, from, to);
        expand.setFactors(factors);
      }
      if (auto slice = dyn_cast<SliceOp>(op))
        clampRanges(slice);
      auto inferred = dyn_cast<InferTypeOpInterface>(op);
      if (!inferred || !isa<FuseDialect>(op.getDialect()))
        continue;
      SmallVector<Type> types;
      if (failed(inferred.inferReturnTypes(
              op.getContext(), op.getLoc(), op.getOperands(),
              op.getAttrDictionary(), op.getPropertiesStorage(),
              op.getRegions(), types)))
        return false;
      for (auto [result, type] : llvm::zip_equal(op.getResults(), types))
        result.setType(type);
    }
    return true;
  });
}

bool Shrinker::shrinkSizes() {
  llvm::SetVector<int64_t> sizes;
  functionOf(graph).walk([&](Operation *op) {
    for (Type type : op->getOperandTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        sizes.insert_range(tensor.getShape());
  });
  bool isChanged = false;
  for (int64_t size : sizes)
    for (int64_t smaller : {int64_t(1), int64_t(2), size / 2, size - 1})
      if (smaller > 0 && smaller < size && shrinkSize(size, smaller)) {
        isChanged = true;
        break;
      }
  return isChanged;
}

void fuse::shrinkGraph(FuzzGraph &graph,
                       llvm::function_ref<bool(const FuzzGraph &)> fails,
                       std::chrono::steady_clock::time_point end) {
  Shrinker(graph, fails, end).run();
}
