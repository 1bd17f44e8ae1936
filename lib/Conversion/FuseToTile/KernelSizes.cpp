//===- KernelSizes.cpp - where the sizes of a kernel come from ------------===//

#include "KernelSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace fuse;

Value KernelSizes::sizeOfOperand(Size size) {
  for (BlockArgument argument : op.getBodyRegion().getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (sizes.sizeOf(argument, dim) == size)
        return tensor::DimOp::create(
            host, op.getLoc(), op.getInputs()[argument.getArgNumber()], dim);
  }
  return Value();
}

/// How an op of the kernel makes a size: as that of pieces behind each other,
/// of several dimensions that are one, or of what one is split into.
std::optional<KernelSizes::Made> KernelSizes::makerOf(Size size) {
  for (Operation &inner : op.getBodyRegion().front()) {
    Made made;
    if (auto concat = dyn_cast<ConcatOp>(inner)) {
      int64_t dim = concat.getDim();
      made.isSum = sizes.sizeOf(concat.getResult(), dim) == size;
      for (Value piece : concat.getSources())
        made.parts.push_back(sizes.sizeOf(piece, dim));
    }
    if (auto collapse = dyn_cast<CollapseOp>(inner)) {
      ArrayRef<int64_t> dims = collapse.getDims();
      made.isProduct = sizes.sizeOf(collapse.getResult(), dims.front()) == size;
      for (int64_t dim : dims)
        made.parts.push_back(sizes.sizeOf(collapse.getSource(), dim));
    }
    // Others say their sizes.
    if (auto expand = dyn_cast<ExpandOp>(inner);
        expand && expand.getSizes().empty()) {
      int64_t dim = expand.getDim(), count = expand.getFactors().size();
      made.parts = {sizes.sizeOf(expand.getSource(), dim)};
      for (int64_t i = dim; i < dim + count; ++i)
        if (Size part = sizes.sizeOf(expand.getResult(), i);
            part == size && !made.isQuotient)
          made.isQuotient = true;
        else
          made.parts.push_back(part);
    }
    if ((made.isSum || made.isProduct || made.isQuotient) &&
        !llvm::is_contained(made.parts, size))
      return made;
  }
  return std::nullopt;
}

Value KernelSizes::Made::combine(OpBuilder &b, Location loc,
                                 ArrayRef<Value> parts) const {
  Value all = parts.front();
  for (Value part : parts.drop_front())
    if (isSum)
      all = arith::AddIOp::create(b, loc, all, part);
    else if (isProduct)
      all = arith::MulIOp::create(b, loc, all, part);
    else
      all = arith::DivSIOp::create(b, loc, all, part);
  return all;
}

Value KernelSizes::numberOf(Size size) {
  Block &body = op.getBodyRegion().front();
  for (BlockArgument argument : body.getArguments())
    if (sizes.valueOf(argument) == size)
      return argument;
  for (Operation &inner : body)
    for (Value result : inner.getResults())
      if (!isa<tensor::DimOp>(inner) && sizes.valueOf(result) == size)
        return result;
  return Value();
}

/// Computes an index of the kernel elsewhere, of sizes; null where one of them
/// is not known, or it is made of something else.
Value KernelSizes::compute(OpBuilder &b, Value number, Finder sizeOf) {
  Operation *made = number.getDefiningOp();
  if (!made)
    return Value();
  if (auto dim = dyn_cast<tensor::DimOp>(made)) {
    std::optional<int64_t> place = askedDimOf(dim);
    if (!place)
      return Value();
    // What a size is made of may have to be equal to it.
    Size size = sizes.sizeOf(dim.getSource(), *place);
    if (llvm::is_contained(computing, size))
      return Value();
    computing.push_back(size);
    Value value = sizeOf(size);
    computing.pop_back();
    return value;
  }
  bool isSimple = made->getNumResults() == 1 &&
                  isa<arith::ArithDialect>(made->getDialect());
  IRMapping operands;
  for (Value operand : made->getOperands())
    if (Value there = isSimple ? compute(b, operand, sizeOf) : Value())
      operands.map(operand, there);
    else
      return Value();
  return isSimple ? b.clone(*made, operands)->getResult(0) : Value();
}

/// Null if it is made of nothing that an operand has.
Value KernelSizes::findOnHost(Size size) {
  if (size.isNumber())
    return arith::ConstantIndexOp::create(host, op.getLoc(), size.getNumber());
  if (Value known = sizeOfOperand(size))
    return known;
  if (std::optional<Made> made = makerOf(size)) {
    SmallVector<Value> parts;
    for (Size part : made->parts)
      if (!parts.emplace_back(findOnHost(part)))
        return Value();
    return made->combine(host, op.getLoc(), parts);
  }
  Value number = numberOf(size);
  if (auto argument = dyn_cast_or_null<BlockArgument>(number))
    return op.getInputs()[argument.getArgNumber()];
  auto sizeOf = [&](Size size) { return findOnHost(size); };
  return number ? compute(host, number, sizeOf) : Value();
}

FailureOr<Value> KernelSizes::onHost(Size size) {
  if (Value known = findOnHost(size))
    return known;
  return op.emitOpError("runs over a size that none of its operands has");
}
