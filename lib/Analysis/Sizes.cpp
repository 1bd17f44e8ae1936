//===- Sizes.cpp - which sizes of a graph are the same --------------------===//
//
// One walk that unifies what each op needs to be equal.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Sizes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

llvm::raw_ostream &fuse::operator<<(llvm::raw_ostream &os, Size size) {
  if (size.isNumber())
    return os << size.getNumber();
  return os << "s" << size.getSymbol();
}

std::optional<int64_t> fuse::askedDimOf(tensor::DimOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  std::optional<int64_t> dim = op.getConstantIndex();
  if (!type || !dim || *dim < 0 || *dim >= type.getRank())
    return std::nullopt;
  return dim;
}

/// The dimension under which the value of an index itself is known.
static constexpr int64_t kValue = -1;

SizeAnalysis::SizeAnalysis(func::FuncOp function) {
  visitGraph(function);
  for (BlockArgument argument : function.getArguments()) {
    auto likely = function.getArgAttrOfType<DenseI64ArrayAttr>(
        argument.getArgNumber(), sizeHintsName);
    for (int64_t dim = 0; likely && dim < likely.size(); ++dim)
      if (Size size = sizeOf(argument, dim); !size.isNumber())
        hints.try_emplace(size.getSymbol(), likely[dim]);
  }
}

static bool hasHints(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, sizeHintsName))
      return true;
  return false;
}

SizeAnalysis::SizeAnalysis(KernelOp kernel) {
  visitGraph(kernel);
  auto function = kernel->getParentOfType<func::FuncOp>();
  if (!function || !hasHints(function))
    return;
  SizeAnalysis around(function);
  for (auto [input, argument] :
       llvm::zip_equal(kernel.getInputs(), kernel.getBody()->getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (Size size = sizeOf(argument, dim); !size.isNumber())
        if (auto likely = around.likely(around.sizeOf(input, dim)))
          hints.try_emplace(size.getSymbol(), *likely);
  }
}

std::optional<int64_t> SizeAnalysis::likely(Size size) const {
  if (size.isNumber())
    return size.getNumber();
  auto known = hints.find(size.getSymbol());
  if (known == hints.end())
    return std::nullopt;
  return known->second;
}

void SizeAnalysis::visitGraph(Operation *graph) {
  visitArguments(graph->getRegion(0).front());
  // A kernel comes before its body, so that its symbols are those of what it
  // reads.
  graph->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != graph)
      visit(op);
  });
}

void SizeAnalysis::visitArguments(Block &body) {
  for (BlockArgument argument : body.getArguments())
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        idOf({argument, dim});
}

int64_t SizeAnalysis::idOf(Place place) {
  auto [entry, isNew] = ids.try_emplace(place, ids.size());
  int64_t id = entry->second;
  if (!isNew)
    return id;
  classes.insert(id);
  std::optional<int64_t> number;
  if (place.second == kValue) {
    llvm::APInt constant;
    if (matchPattern(place.first, m_ConstantInt(&constant)))
      number = constant.getSExtValue();
  } else {
    auto type = cast<RankedTensorType>(place.first.getType());
    if (!type.isDynamicDim(place.second))
      number = type.getDimSize(place.second);
  }
  if (number)
    numbers[id] = *number;
  return id;
}

void SizeAnalysis::unify(Place a, Place b) {
  int64_t leaderA = classes.getLeaderValue(idOf(a));
  int64_t leaderB = classes.getLeaderValue(idOf(b));
  if (leaderA == leaderB)
    return;
  auto known = numbers.find(leaderA);
  if (known == numbers.end())
    known = numbers.find(leaderB);
  std::optional<int64_t> number;
  if (known != numbers.end())
    number = known->second;
  // The first place of a class stays its leader: symbols are then numbered by
  // where they appear first.
  int64_t leader = *classes.unionSets(std::min(leaderA, leaderB),
                                      std::max(leaderA, leaderB));
  if (number)
    numbers[leader] = *number;
}

void SizeAnalysis::unifyShapes(Value a, Value b) {
  auto type = cast<RankedTensorType>(a.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    unify({a, dim}, {b, dim});
}

void SizeAnalysis::unifyTensors(ValueRange values) {
  Value first;
  for (Value value : values)
    if (isa<RankedTensorType>(value.getType())) {
      if (first)
        unifyShapes(first, value);
      else
        first = value;
    }
}

void SizeAnalysis::visit(Operation *op) {
  for (Value result : op->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        idOf({result, dim});
  llvm::TypeSwitch<Operation *>(op)
      .Case<MatmulOp, ReduceOp, BroadcastOp, TransposeOp, SliceOp, ExpandOp,
            CollapseOp, ConcatOp, IotaOp, GatherOp, KernelOp, tensor::DimOp>(
          [&](auto known) { unifySizes(known); })
      // Composites of one tensor, casts that only know more, and pointwise ops.
      .Case<tensor::CastOp, CopyOp>([&](auto same) {
        unifyTensors({same.getSource(), same.getResult()});
      })
      .Default([&](Operation *other) {
        if (!OpTrait::hasElementwiseMappableTraits(other))
          return;
        SmallVector<Value> values(other->getOperands());
        llvm::append_range(values, other->getResults());
        unifyTensors(values);
      });
}

//===----------------------------------------------------------------------===//
// What ops need to be equal
//===----------------------------------------------------------------------===//

void SizeAnalysis::unifySizes(MatmulOp op) {
  int64_t rank = op.getResult().getType().getRank();
  Value lhs = op.getLhs(), rhs = op.getRhs(), result = op.getResult();
  for (int64_t dim = 0; dim < rank - 2; ++dim) {
    unify({lhs, dim}, {rhs, dim});
    unify({lhs, dim}, {result, dim});
  }
  unify({lhs, rank - 1}, {rhs, rank - 2});
  unify({lhs, rank - 2}, {result, rank - 2});
  unify({rhs, rank - 1}, {result, rank - 1});
}

void SizeAnalysis::unifySizes(ReduceOp op) {
  int64_t kept = 0;
  for (int64_t dim = 0; dim < op.getSource().getType().getRank(); ++dim)
    if (!llvm::is_contained(op.getDims(), dim))
      unify({op.getSource(), dim}, {op.getResult(), kept++});
}

void SizeAnalysis::unifySizes(BroadcastOp op) {
  for (auto [from, to] : llvm::enumerate(op.getDims()))
    unify({op.getSource(), from}, {op.getResult(), to});
  unsigned next = 0;
  for (int64_t dim : op.getRepeatedDims())
    if (op.getResult().getType().isDynamicDim(dim))
      unify({op.getResult(), dim}, {op.getSizes()[next++], kValue});
}

void SizeAnalysis::unifySizes(TransposeOp op) {
  for (auto [to, from] : llvm::enumerate(op.getPermutation()))
    unify({op.getSource(), from}, {op.getResult(), to});
}

void SizeAnalysis::unifySizes(SliceOp op) {
  for (auto [dim, start, stop, step] :
       llvm::enumerate(op.getStarts(), op.getStops(), op.getSteps()))
    if (start == 0 && stop == SliceOp::kEnd && step == 1)
      unify({op.getSource(), dim}, {op.getResult(), dim});
}

void SizeAnalysis::unifySizes(ExpandOp op) {
  int64_t dim = op.getDim(), count = op.getFactors().size();
  for (int64_t from = 0; from < op.getSource().getType().getRank(); ++from)
    if (from != dim)
      unify({op.getSource(), from},
            {op.getResult(), from < dim ? from : from + count - 1});
  if (count == 1)
    unify({op.getSource(), dim}, {op.getResult(), dim});
  unsigned next = 0;
  for (auto [i, factor] : llvm::enumerate(op.getFactors()))
    if (ShapedType::isDynamic(factor) && !op.getSizes().empty())
      unify({op.getResult(), dim + static_cast<int64_t>(i)},
            {op.getSizes()[next++], kValue});
}

void SizeAnalysis::unifySizes(CollapseOp op) {
  int64_t dim = op.getDims().front(), count = op.getDims().size();
  for (int64_t from = 0; from < op.getSource().getType().getRank(); ++from)
    if (from < dim || from >= dim + count)
      unify({op.getSource(), from},
            {op.getResult(), from < dim ? from : from - count + 1});
  if (count == 1)
    unify({op.getSource(), dim}, {op.getResult(), dim});
}

void SizeAnalysis::unifySizes(ConcatOp op) {
  int64_t joined = op.getDim();
  for (Value source : op.getSources())
    for (int64_t dim = 0; dim < op.getResult().getType().getRank(); ++dim)
      if (dim != joined)
        unify({source, dim}, {op.getResult(), dim});
}

void SizeAnalysis::unifySizes(IotaOp op) {
  unsigned next = 0;
  RankedTensorType type = op.getResult().getType();
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      unify({op.getResult(), dim}, {op.getSizes()[next++], kValue});
}

void SizeAnalysis::unifySizes(GatherOp op) {
  int64_t numIndices = op.getIndices().getType().getRank();
  for (int64_t dim = 0; dim < numIndices; ++dim)
    unify({op.getIndices(), dim}, {op.getResult(), dim});
  for (int64_t dim = 1; dim < op.getSource().getType().getRank(); ++dim)
    unify({op.getSource(), dim}, {op.getResult(), numIndices + dim - 1});
}

void SizeAnalysis::unifySizes(KernelOp op) {
  auto unifyValues = [&](Value a, Value b) {
    if (isa<RankedTensorType>(a.getType()))
      unifyShapes(a, b);
    else
      unify({a, kValue}, {b, kValue});
  };
  for (auto [input, argument] :
       llvm::zip_equal(op.getInputs(), op.getBody()->getArguments()))
    unifyValues(input, argument);
  for (auto [result, value] : llvm::zip_equal(op.getOutputs(), op.getYielded()))
    unifyValues(result, value);
}

void SizeAnalysis::unifySizes(tensor::DimOp op) {
  if (std::optional<int64_t> dim = askedDimOf(op))
    unify({op.getResult(), kValue}, {op.getSource(), *dim});
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

Size SizeAnalysis::sizeOf(Value tensor, int64_t dim) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return Size::number(type.getDimSize(dim));
  return sizeOfId(ids.at({tensor, dim}));
}

std::optional<Size> SizeAnalysis::valueOf(Value number) const {
  auto known = ids.find({number, kValue});
  if (known == ids.end())
    return std::nullopt;
  return sizeOfId(known->second);
}

Size SizeAnalysis::sizeOfId(int64_t id) const {
  int64_t leader = classes.getLeaderValue(id);
  auto known = numbers.find(leader);
  if (known != numbers.end())
    return Size::number(known->second);
  return Size::symbol(leader);
}

SmallVector<Size> SizeAnalysis::sizesOf(Value tensor) const {
  SmallVector<Size> sizes;
  for (int64_t dim = 0;
       dim < cast<RankedTensorType>(tensor.getType()).getRank(); ++dim)
    sizes.push_back(sizeOf(tensor, dim));
  return sizes;
}
