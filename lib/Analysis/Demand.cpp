//===- Demand.cpp - what a tensor holds at one index ----------------------===//
//
// One case for each op. Dimensions that a collapse made are run over by the
// variables of the dimensions that it merged: then its index can be taken apart
// again without a division.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Demand.h"
#include "fuse/Analysis/Algebra.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

/// What positions are computed in. Wide enough for any tensor.
static Type positionType(ElementContext &context) {
  return IntegerType::get(context.getContext(), 64);
}

const Element *Demand::asElement(const Index &index) {
  return index.computed ? index.computed
                        : context.position(index.affine, positionType(context));
}

const Element *Demand::integer(int64_t value) {
  return context.constant(IntegerAttr::get(positionType(context), value));
}

const Element *Demand::asElement(Size size) {
  return size.isNumber() ? integer(size.getNumber())
                         : context.extent(size, positionType(context));
}

const Element *Demand::isBelow(const Element *value, const Element *bound) {
  MLIRContext *mlir = context.getContext();
  auto predicate =
      arith::CmpIPredicateAttr::get(mlir, arith::CmpIPredicate::slt);
  return context.pointwise<arith::CmpIOp>(
      IntegerType::get(mlir, 1), {value, bound},
      DictionaryAttr::get(mlir, {NamedAttribute("predicate", predicate)}));
}

Index Demand::add(const Index &a, const Index &b) {
  if (!a.computed && !b.computed)
    return a.affine + b.affine;
  return context.pointwise<arith::AddIOp>(positionType(context),
                                          {asElement(a), asElement(b)});
}

Index Demand::subtract(const Index &a, const Index &b) {
  if (!b.computed)
    return add(a, b.affine * -1);
  return context.pointwise<arith::SubIOp>(positionType(context),
                                          {asElement(a), asElement(b)});
}

Index Demand::multiply(const Index &a, int64_t factor) {
  if (!a.computed)
    return a.affine * factor;
  return context.pointwise<arith::MulIOp>(positionType(context),
                                          {a.computed, integer(factor)});
}

/// The variables that an index varies with.
static void addVars(const Index &index, VarSet &vars) {
  auto insert = [&](const IndexVar &var) {
    if (!llvm::is_contained(vars, var))
      vars.push_back(var);
  };
  for (const auto &term : index.affine.terms)
    insert(term.first);
  if (index.computed)
    llvm::for_each(index.computed->freeVars(), insert);
}

Index Demand::bindVars(ArrayRef<Size> factors, VarSet &used, VarSet &bound) {
  SmallVector<IndexVar> fresh;
  for (Size size : factors) {
    IndexVar var;
    var.size = size;
    while (llvm::is_contained(used, var))
      ++var.level;
    used.push_back(var);
    bound.push_back(var);
    fresh.push_back(var);
  }
  AffineIndex index;
  int64_t stride = 1;
  for (const IndexVar &var : llvm::reverse(fresh)) {
    index = index + AffineIndex::of(var, stride);
    // Only the first factor's size may be a symbol, see computeFactors.
    if (var.size.isNumber())
      stride *= var.size.getNumber();
  }
  return index;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

bool Demand::isLeaf(Value value) const {
  return isa<BlockArgument>(value) || leaves.contains(value);
}

Demand::Factors Demand::factorsOf(Value value, int64_t dim) {
  auto known = factorsMemo.find({value, dim});
  if (known != factorsMemo.end())
    return known->second;
  Factors factors = computeFactors(value, dim);
  factorsMemo[{value, dim}] = factors;
  return factors;
}

Demand::Factors Demand::computeFactors(Value value, int64_t dim) {
  Factors whole = {sizes.sizeOf(value, dim)};
  if (isLeaf(value))
    return whole;
  return llvm::TypeSwitch<Operation *, Factors>(value.getDefiningOp())
      .Case([&](CollapseOp op) {
        int64_t first = op.getDims().front(), count = op.getDims().size();
        if (dim < first)
          return factorsOf(op.getSource(), dim);
        if (dim > first)
          return factorsOf(op.getSource(), dim + count - 1);
        Factors all;
        for (int64_t merged : op.getDims())
          llvm::append_range(all, factorsOf(op.getSource(), merged));
        // The strides are products of all factors but the first.
        if (!llvm::all_of(ArrayRef(all).drop_front(),
                          [](Size size) { return size.isNumber(); }))
          return whole;
        return all;
      })
      .Case([&](TransposeOp op) {
        return factorsOf(op.getSource(), op.getPermutation()[dim]);
      })
      .Case([&](BroadcastOp op) {
        const int64_t *from = llvm::find(op.getDims(), dim);
        return from == op.getDims().end()
                   ? whole
                   : factorsOf(op.getSource(), from - op.getDims().begin());
      })
      .Case([&](ReduceOp op) {
        int64_t kept = -1, from = -1;
        while (kept < dim)
          if (!llvm::is_contained(op.getDims(), ++from))
            ++kept;
        return factorsOf(op.getSource(), from);
      })
      .Case([&](MatmulOp op) {
        bool isColumn = dim == op.getResult().getType().getRank() - 1;
        return factorsOf(isColumn ? op.getRhs() : op.getLhs(), dim);
      })
      .Case<tensor::CastOp, CopyOp>(
          [&](auto op) { return factorsOf(op.getSource(), dim); })
      .Default([&](Operation *op) {
        Factors finest = whole;
        if (OpTrait::hasElementwiseMappableTraits(op))
          for (Value operand : op->getOperands())
            if (isa<RankedTensorType>(operand.getType()))
              if (Factors other = factorsOf(operand, dim);
                  other.size() > finest.size())
                finest = other;
        return finest;
      });
}

SmallVector<Index> Demand::outputIndex(Value value) {
  SmallVector<Index> index;
  int32_t place = 0;
  for (int64_t dim = 0; dim < cast<RankedTensorType>(value.getType()).getRank();
       ++dim) {
    Factors factors = factorsOf(value, dim);
    AffineIndex affine;
    int64_t stride = 1;
    int32_t last = place + static_cast<int32_t>(factors.size());
    for (auto [i, size] : llvm::enumerate(llvm::reverse(factors))) {
      IndexVar var;
      var.size = size;
      var.level = IndexVar::kOutput;
      var.place = last - 1 - static_cast<int32_t>(i);
      affine = affine + AffineIndex::of(var, stride);
      if (size.isNumber())
        stride *= size.getNumber();
    }
    place = last;
    index.push_back(affine);
  }
  return index;
}

//===----------------------------------------------------------------------===//
// Demand
//===----------------------------------------------------------------------===//

void Demand::forget() {
  memo.clear();
  memoOf.clear();
}

const Element *Demand::at(Value value, ArrayRef<Index> index) {
  for (size_t entry : memoOf.lookup(value))
    if (ArrayRef(std::get<1>(memo[entry])) == index)
      return std::get<2>(memo[entry]);
  if (needsTooMany())
    return fail(value.getDefiningOp());
  const Element *element = compute(value, index);
  if (!element)
    return nullptr;
  memoOf[value].push_back(memo.size());
  memo.emplace_back(value, llvm::to_vector(index), element);
  return element;
}

const Element *Demand::fail(Operation *op) {
  failed = op;
  return nullptr;
}

const Element *Demand::compute(Value value, ArrayRef<Index> index) {
  if (isLeaf(value))
    return context.load(value, index);
  return llvm::TypeSwitch<Operation *, const Element *>(value.getDefiningOp())
      .Case([&](arith::ConstantOp op) -> const Element * {
        if (auto splat = dyn_cast<SplatElementsAttr>(op.getValue())) {
          // A complex number is two.
          auto number = dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
          return number ? context.constant(number) : fail(op);
        }
        // Numbers that differ are data like any other.
        return context.load(value, index);
      })
      .Case([&](BroadcastOp op) {
        SmallVector<Index> inner;
        for (int64_t dim : op.getDims())
          inner.push_back(index[dim]);
        return at(op.getSource(), inner);
      })
      .Case([&](TransposeOp op) {
        SmallVector<Index> inner(index);
        for (auto [to, from] : llvm::enumerate(op.getPermutation()))
          inner[from] = index[to];
        return at(op.getSource(), inner);
      })
      .Case<tensor::CastOp, CopyOp>(
          [&](auto op) { return at(op.getSource(), index); })
      .Case([&](IotaOp op) { return computeIota(op, index); })
      .Case([&](tensor::FromElementsOp op) { return computeNumber(op); })
      .Case([&](GatherOp op) { return computeGather(op, index); })
      .Case([&](SliceOp op) { return computeSlice(op, index); })
      .Case([&](ExpandOp op) { return computeExpand(op, index); })
      .Case([&](CollapseOp op) { return computeCollapse(op, index); })
      .Case([&](ConcatOp op) { return computeConcat(op, index); })
      .Case([&](MatmulOp op) { return computeMatmul(op, index); })
      .Case([&](ReduceOp op) { return computeReduce(op, index); })
      .Default([&](Operation *op) { return computePointwise(op, index); });
}

const Element *Demand::computeIota(IotaOp op, ArrayRef<Index> index) {
  Type type = op.getResult().getType().getElementType();
  const Index &position = index[op.getDim()];
  if (!position.computed)
    return context.position(position.affine, type);
  const Element *computed = position.computed;
  if (computed->type() == type)
    return computed;
  if (isa<FloatType>(type))
    return context.pointwise<arith::SIToFPOp>(type, {computed});
  if (type.isIndex())
    return context.pointwise<arith::IndexCastOp>(type, {computed});
  // Indices are computed in 64 bits, and no integer is wider.
  return context.pointwise<arith::TruncIOp>(type, {computed});
}

/// A tensor of one element, a number that is made of sizes.
const Element *Demand::computeNumber(tensor::FromElementsOp op) {
  const Element *number =
      op.getElements().size() == 1 ? ofSize(op.getElements().front()) : nullptr;
  if (!number)
    return fail(op);
  Type type = op.getType().getElementType();
  if (number->type() == type)
    return number;
  if (!type.isIndex())
    return fail(op);
  return context.pointwise<arith::IndexCastOp>(type, {number});
}

const Element *Demand::computePointwise(Operation *op, ArrayRef<Index> index) {
  if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1)
    return fail(op);
  SmallVector<const Element *> operands;
  for (Value operand : op->getOperands()) {
    // A select may choose by one number for all elements.
    TypedAttr number;
    if (!isa<RankedTensorType>(operand.getType())) {
      if (!matchPattern(operand, m_Constant(&number)))
        return fail(op);
      operands.push_back(context.constant(number));
      continue;
    }
    const Element *element = at(operand, index);
    if (!element)
      return nullptr;
    operands.push_back(element);
  }
  return context.pointwise(op->getName(), op->getAttrDictionary(),
                           getElementTypeOrSelf(op->getResultTypes().front()),
                           operands);
}

/// A number that is made of sizes, all in 64 bits; null if it is another one.
const Element *Demand::ofSize(Value number) {
  Type wide = positionType(context);
  if (IntegerAttr known; matchPattern(number, m_Constant(&known)))
    return integer(known.getInt());
  Operation *op = number.getDefiningOp();
  if (auto dim = dyn_cast_or_null<tensor::DimOp>(op)) {
    std::optional<int64_t> place = askedDimOf(dim);
    if (!place)
      return nullptr;
    return asElement(sizes.sizeOf(dim.getSource(), *place));
  }
  if (isa_and_nonnull<arith::IndexCastOp>(op) &&
      (number.getType().isIndex() || number.getType().isInteger(64)))
    return ofSize(op->getOperand(0));
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp,
                       arith::MaxSIOp, arith::MinSIOp>(op))
    return nullptr;
  const Element *a = ofSize(op->getOperand(0)), *b = ofSize(op->getOperand(1));
  return a && b ? context.pointwise(op->getName(), op->getAttrDictionary(),
                                    wide, {a, b})
                : nullptr;
}

/// Ops of one element each commute with a look-up, so a table need not exist.
const Element *Demand::computeGather(GatherOp op, ArrayRef<Index> index) {
  int64_t numIndices = op.getIndices().getType().getRank();
  const Element *row = at(op.getIndices(), index.take_front(numIndices));
  if (!row)
    return nullptr;
  // Indices are computed in one type, whatever the table of rows has.
  Type wide = positionType(context);
  if (row->type().isIndex())
    row = context.pointwise<arith::IndexCastOp>(wide, {row});
  else if (row->type() != wide)
    row = context.pointwise<arith::ExtSIOp>(wide, {row});
  SmallVector<Index> inner = {row};
  llvm::append_range(inner, index.drop_front(numIndices));
  const Element *value = at(op.getSource(), inner);
  // A table that does exist reads 0 outside. One that is computed has numbers
  // there, too, and they are no rows of it.
  if (!value ||
      (value->kind() == ElementKind::Load && value->tensor() == op.getSource()))
    return value;
  const Element *numRows = asElement(sizes.sizeOf(op.getSource(), 0));
  MLIRContext *mlir = context.getContext();
  // Negative rows are large ones.
  auto predicate =
      arith::CmpIPredicateAttr::get(mlir, arith::CmpIPredicate::ult);
  const Element *isRow = context.pointwise<arith::CmpIOp>(
      IntegerType::get(mlir, 1), {row, numRows},
      DictionaryAttr::get(mlir, {NamedAttribute("predicate", predicate)}));
  const Element *zero = context.constant(
      cast<TypedAttr>(::mlir::Builder(mlir).getZeroAttr(value->type())));
  return context.pointwise<arith::SelectOp>(value->type(),
                                            {isRow, value, zero});
}

const Element *Demand::computeSlice(SliceOp op, ArrayRef<Index> index) {
  SmallVector<Index> inner;
  for (auto [at, start, step] :
       llvm::zip(index, op.getStarts(), op.getSteps())) {
    AffineIndex offset;
    offset.constant = start;
    inner.push_back(add(multiply(at, step), offset));
  }
  return at(op.getSource(), inner);
}

const Element *Demand::computeExpand(ExpandOp op, ArrayRef<Index> index) {
  int64_t dim = op.getDim(), count = op.getFactors().size();
  Index merged = AffineIndex();
  for (int64_t i = 0; i < count; ++i) {
    // The stride of the first factor is made of the others' sizes.
    if (i > 0) {
      Size size = sizes.sizeOf(op.getResult(), dim + i);
      merged = size.isNumber() ? multiply(merged, size.getNumber())
                               : Index(context.pointwise<arith::MulIOp>(
                                     positionType(context),
                                     {asElement(merged), asElement(size)}));
    }
    merged = add(merged, index[dim + i]);
  }
  SmallVector<Index> inner(index.take_front(dim));
  inner.push_back(merged);
  llvm::append_range(inner, index.drop_front(dim + count));
  return at(op.getSource(), inner);
}

const Element *Demand::computeCollapse(CollapseOp op, ArrayRef<Index> index) {
  int64_t first = op.getDims().front(), count = op.getDims().size();
  SmallVector<Index> parts;
  Index rest = index[first];
  for (int64_t i = count - 1; i > 0; --i) {
    Size size = sizes.sizeOf(op.getSource(), first + i);
    // Of nothing nobody asks for an element.
    int64_t number =
        size.isNumber() ? std::max<int64_t>(size.getNumber(), 1) : 1;
    bool isAffine = size.isNumber() && !rest.computed;
    if (auto split = isAffine ? rest.affine.split(number) : std::nullopt) {
      parts.push_back(split->second);
      rest = split->first;
      continue;
    }
    Type type = positionType(context);
    const Element *divisor = integer(number);
    if (!size.isNumber())
      divisor =
          context.pointwise<arith::MaxSIOp>(type, {asElement(size), divisor});
    // A seam, or an index that depends on data or on a size: right, but not
    // affine.
    const Element *whole = asElement(rest);
    parts.push_back(context.pointwise<arith::RemUIOp>(type, {whole, divisor}));
    rest = context.pointwise<arith::DivUIOp>(type, {whole, divisor});
  }
  parts.push_back(rest);
  SmallVector<Index> inner(index.take_front(first));
  llvm::append_range(inner, llvm::reverse(parts));
  llvm::append_range(inner, index.drop_front(first + 1));
  return at(op.getSource(), inner);
}

/// Nested selects at the seams. A seam is an affine predicate like a mask's:
/// blocks that do not straddle it need no select.
const Element *Demand::computeConcat(ConcatOp op, ArrayRef<Index> index) {
  int64_t dim = op.getDim();
  // Where each piece begins.
  SmallVector<Index> begins;
  Index end = AffineIndex();
  for (Value source : op.getSources()) {
    begins.push_back(end);
    // Behind the last piece there is no seam.
    if (begins.size() == op.getSources().size())
      break;
    Size size = sizes.sizeOf(source, dim);
    AffineIndex number;
    number.constant = size.isNumber() ? size.getNumber() : 0;
    end = add(end, size.isNumber() ? Index(number) : Index(asElement(size)));
  }
  const Element *result = nullptr;
  for (int64_t i = begins.size() - 1; i >= 0; --i) {
    SmallVector<Index> inner(index);
    inner[dim] = subtract(index[dim], begins[i]);
    const Element *piece = at(op.getSources()[i], inner);
    if (!piece)
      return nullptr;
    result =
        result ? context.pointwise<arith::SelectOp>(
                     piece->type(),
                     {isBelow(asElement(index[dim]), asElement(begins[i + 1])),
                      piece, result})
               : piece;
  }
  return result;
}

const Element *Demand::computeMatmul(MatmulOp op, ArrayRef<Index> index) {
  int64_t rank = index.size();
  Factors factors = factorsOf(op.getLhs(), rank - 1);
  Factors others = factorsOf(op.getRhs(), rank - 2);
  if (others.size() > factors.size())
    factors = others;
  VarSet used, bound;
  for (const Index &i : index)
    addVars(i, used);
  Index k = bindVars(factors, used, bound);

  SmallVector<Index> lhs(index.drop_back()), rhs(index.drop_back(2));
  lhs.push_back(k);
  rhs.push_back(k);
  rhs.push_back(index.back());
  const Element *a = at(op.getLhs(), lhs), *b = a ? at(op.getRhs(), rhs) : a;
  if (!b)
    return nullptr;
  return context.dot(bound, a, b, op.getResult().getType().getElementType(),
                     op.getPrecision());
}

/// What `fuse.reduce` says of its accumulator becomes plain casts, and a mean a
/// sum divided by a number. So a reduction has the type that it is done in.
const Element *Demand::reduce(CombineKind kind, ArrayRef<IndexVar> vars,
                              const Element *body) {
  Type type = body->type(), sumType = type;
  if (type.isF16() || type.isBF16())
    if (kind != CombineKind::Max && kind != CombineKind::Min)
      sumType = Float32Type::get(context.getContext());
  if (sumType != type)
    body = context.pointwise<arith::ExtFOp>(sumType, {body});
  bool isMean = kind == CombineKind::Mean;
  const Element *result =
      context.reduce(isMean ? CombineKind::Sum : kind, vars, body);
  if (isMean)
    result = context.pointwise<arith::DivFOp>(
        sumType, {result, Algebra(context).sizeOf(vars, sumType)});
  if (sumType != type)
    result = context.pointwise<arith::TruncFOp>(type, {result});
  return result;
}

const Element *Demand::computeReduce(ReduceOp op, ArrayRef<Index> index) {
  VarSet used, bound;
  for (const Index &i : index)
    addVars(i, used);
  SmallVector<Index> inner;
  const Index *next = index.begin();
  for (int64_t dim = 0; dim < op.getSource().getType().getRank(); ++dim) {
    if (!llvm::is_contained(op.getDims(), dim))
      inner.push_back(*next++);
    else
      inner.push_back(bindVars(factorsOf(op.getSource(), dim), used, bound));
  }
  const Element *body = at(op.getSource(), inner);
  return body ? reduce(op.getKind(), bound, body) : nullptr;
}
