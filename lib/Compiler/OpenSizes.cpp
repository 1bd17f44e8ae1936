//===- OpenSizes.cpp - sizes that are known when a graph is run -----------===//
//
// The size analysis says which sizes are one. Each gets an expression where it
// appears first; what an op says about it later is required to agree.
//
//===----------------------------------------------------------------------===//

#include "OpenSizes.h"
#include "Entry.h"
#include "fuse/Analysis/Sizes.h"

using namespace mlir;
using namespace fuse;

namespace {

class Finder {
public:
  explicit Finder(func::FuncOp function) : sizes(function) {}

  FailureOr<OpenSizes> find(func::FuncOp function);

private:
  SizeExpression of(Value tensor, int64_t dim);
  /// A dimension that an op makes of others.
  void define(Operation *op, Value tensor, int64_t dim,
              const SizeExpression &value);
  void require(Operation *op, Condition condition, const Twine &what);
  LogicalResult visit(Operation *op);
  LogicalResult visitExpand(ExpandOp op);
  void visitSlice(SliceOp op);

  SizeAnalysis sizes;
  llvm::DenseMap<int64_t, SizeExpression> symbols;
  OpenSizes found;
};

} // namespace

/// Every symbol is that of an input, or was defined by an op before.
SizeExpression Finder::of(Value tensor, int64_t dim) {
  Size size = sizes.sizeOf(tensor, dim);
  return size.isNumber() ? SizeExpression(size.getNumber())
                         : symbols.lookup(size.getSymbol());
}

void Finder::require(Operation *op, Condition condition, const Twine &what) {
  // Numbers were compared when the graph was read.
  if (condition.lhs.constant() && condition.rhs.constant())
    return;
  std::string at = locationText(op);
  found.requirements.push_back(
      {std::move(condition), (op->getName().getStringRef() +
                              (at.empty() ? "" : " at " + at) + " " + what)
                                 .str()});
}

void Finder::define(Operation *op, Value tensor, int64_t dim,
                    const SizeExpression &value) {
  Size size = sizes.sizeOf(tensor, dim);
  if (!size.isNumber() && !symbols.contains(size.getSymbol())) {
    symbols[size.getSymbol()] = value;
    return;
  }
  SizeExpression known = of(tensor, dim);
  if (known != value)
    require(op, Condition::equal(value, known),
            "makes a size that something else needs to be another");
}

LogicalResult Finder::visitExpand(ExpandOp op) {
  int64_t dim = op.getDim();
  SizeExpression source = of(op.getSource(), dim), product = 1;
  std::optional<int64_t> unknown;
  for (int64_t i = 0, e = op.getFactors().size(); i < e; ++i) {
    Size size = sizes.sizeOf(op.getResult(), dim + i);
    if (size.isNumber() || symbols.contains(size.getSymbol()))
      product = product * of(op.getResult(), dim + i);
    else if (unknown)
      return op.emitOpError("has several factors that do not follow from the "
                            "sizes of arguments; bind them");
    else
      unknown = i;
  }
  if (!unknown) {
    require(op, Condition::equal(product, source),
            "needs factors whose product is the size");
    return success();
  }
  require(op, Condition::divisible(source, product),
          "needs a size that its factors divide");
  symbols[sizes.sizeOf(op.getResult(), dim + *unknown).getSymbol()] =
      floorDiv(source, product);
  return success();
}

void Finder::visitSlice(SliceOp op) {
  for (auto [dim, start, stop, step] :
       llvm::enumerate(op.getStarts(), op.getStops(), op.getSteps())) {
    if (start == 0 && stop == SliceOp::kEnd && step == 1)
      continue;
    SizeExpression source = of(op.getSource(), dim),
                   end = stop == SliceOp::kEnd ? source : SizeExpression(stop);
    require(op,
            Condition::lessEqual(stop == SliceOp::kEnd ? start : stop, source),
            "takes a part of a dimension that is shorter");
    define(op, op.getResult(), dim, ceilDiv(end - start, step));
  }
}

LogicalResult Finder::visit(Operation *op) {
  if (auto expand = dyn_cast<ExpandOp>(op)) {
    if (failed(visitExpand(expand)))
      return failure();
  } else if (auto slice = dyn_cast<SliceOp>(op)) {
    visitSlice(slice);
  } else if (auto concat = dyn_cast<ConcatOp>(op)) {
    SizeExpression sum = 0;
    for (Value source : concat.getSources())
      sum = sum + of(source, concat.getDim());
    define(op, concat.getResult(), concat.getDim(), sum);
  } else if (auto collapse = dyn_cast<CollapseOp>(op)) {
    SizeExpression product = 1;
    for (int64_t dim : collapse.getDims())
      product = product * of(collapse.getSource(), dim);
    define(op, collapse.getResult(), collapse.getDims().front(), product);
  }
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      Size size = sizes.sizeOf(result, dim);
      if (!size.isNumber() && !symbols.contains(size.getSymbol()))
        return op->emitOpError("has a result of type ")
               << type << ", whose sizes do not follow from those of arguments "
               << "before it is run";
    }
  }
  return success();
}

FailureOr<OpenSizes> Finder::find(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto type = cast<RankedTensorType>(argument.getType());
    uint32_t input = found.inputs.size();
    std::vector<SizeExpression> &shape = found.inputs.emplace_back();
    for (uint32_t dim = 0; dim < type.getRank(); ++dim) {
      Size size = sizes.sizeOf(argument, dim);
      if (!size.isNumber())
        symbols.try_emplace(size.getSymbol(), SizeExpression::size(input, dim));
      shape.push_back(of(argument, dim));
    }
  }
  WalkResult walked = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    return WalkResult(visit(op));
  });
  if (walked.wasInterrupted())
    return failure();
  return std::move(found);
}

FailureOr<OpenSizes> fuse::findOpenSizes(func::FuncOp function) {
  return Finder(function).find(function);
}
