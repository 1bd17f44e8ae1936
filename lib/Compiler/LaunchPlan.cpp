//===- LaunchPlan.cpp - what a host function does -------------------------===//
//
// One walk from top to bottom. Every scalar is a number by then, and every
// tensor a buffer of a known shape.
//
//===----------------------------------------------------------------------===//

#include "LaunchPlan.h"
#include "Constants.h"
#include "Entry.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuse;

namespace {

class Evaluator {
public:
  Evaluator(func::FuncOp function, LaunchPlan &plan)
      : function(function), plan(plan) {}

  LogicalResult run(ArrayRef<ArgumentShape> shapes);

private:
  LogicalResult bindArguments(ArrayRef<ArgumentShape> shapes);
  LogicalResult evaluate(Operation *op);
  LogicalResult evaluateConstant(arith::ConstantOp op, ElementsAttr elements);
  LogicalResult evaluateDim(tensor::DimOp op);
  LogicalResult evaluateCast(tensor::CastOp op);
  LogicalResult evaluateLaunch(tile::LaunchOp op);
  LogicalResult evaluateReturn(func::ReturnOp op);
  LogicalResult evaluateScalar(Operation *op);

  /// The signature of `type` with the sizes of `shape`.
  FailureOr<TensorSignature> sign(Operation *at, Type type,
                                  ArrayRef<int64_t> shape);
  LogicalResult checkArgument(tile::LaunchOp op, BlockArgument argument,
                              size_t buffer);
  size_t addBuffer(PlanBuffer::Kind kind, size_t number,
                   const TensorSignature &signature);
  int64_t numberOf(Value scalar) const {
    return cast<IntegerAttr>(scalars.lookup(scalar)).getInt();
  }
  void describe(tile::LaunchOp op, tile::KernelOp kernel);

  func::FuncOp function;
  LaunchPlan &plan;
  llvm::DenseMap<Value, Attribute> scalars;
  /// By tensor: the number of its buffer.
  llvm::DenseMap<Value, size_t> buffers;
};

size_t Evaluator::addBuffer(PlanBuffer::Kind kind, size_t number,
                            const TensorSignature &signature) {
  PlanBuffer &buffer = plan.host.buffers.emplace_back();
  buffer.kind = kind;
  buffer.number = number;
  buffer.type = signature.type;
  buffer.shape = signature.shape;
  return plan.host.buffers.size() - 1;
}

FailureOr<TensorSignature> Evaluator::sign(Operation *at, Type type,
                                           ArrayRef<int64_t> shape) {
  for (int64_t size : shape)
    if (size < 0)
      return at->emitOpError("makes a tensor of type ")
             << type << " with the size " << size;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    if (std::optional<TensorSignature> signature =
            signatureOf(tensor.clone(shape)))
      return *signature;
  return at->emitOpError("has a value of type ")
         << type << ", which no buffer can hold";
}

LogicalResult Evaluator::bindArguments(ArrayRef<ArgumentShape> shapes) {
  if (shapes.size() != function.getNumArguments())
    return function.emitOpError("has ")
           << function.getNumArguments() << " arguments, but got "
           << shapes.size() << " shapes";
  for (auto [argument, shape] :
       llvm::zip_equal(function.getArguments(), shapes)) {
    Type type = argument.getType();
    if (type.isIndex()) {
      if (shape.size() != 1)
        return function.emitOpError("needs one value for argument #")
               << argument.getArgNumber() << ", but got " << shape.size();
      scalars[argument] = IntegerAttr::get(type, shape.front());
      continue;
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && failed(verifyCompatibleShape(tensor.getShape(), shape)))
      return function.emitOpError("has argument #")
             << argument.getArgNumber() << " of type " << type
             << ", which cannot have the shape "
             << formatShape({shape.begin(), shape.end()});
    FailureOr<TensorSignature> signature = sign(function, type, shape);
    if (failed(signature))
      return failure();
    buffers[argument] =
        addBuffer(PlanBuffer::Kind::Input, plan.inputs.size(), *signature);
    plan.inputs.push_back(std::move(*signature));
  }
  return success();
}

LogicalResult Evaluator::evaluateConstant(arith::ConstantOp op,
                                          ElementsAttr elements) {
  FailureOr<TensorSignature> signature =
      sign(op, elements.getType(), elements.getShapedType().getShape());
  if (failed(signature))
    return failure();
  Result<HostBuffer> data = bufferOf(elements, *signature);
  if (!data)
    return op.emitOpError(data.error().message());
  buffers[op.getResult()] = addBuffer(PlanBuffer::Kind::Constant,
                                      plan.host.constants.size(), *signature);
  plan.host.constants.push_back(std::move(*data));
  return success();
}

LogicalResult Evaluator::evaluateDim(tensor::DimOp op) {
  const auto &shape = plan.host.buffers[buffers.lookup(op.getSource())].shape;
  int64_t dim = numberOf(op.getIndex());
  if (dim < 0 || dim >= static_cast<int64_t>(shape.size()))
    return op.emitOpError("asks for dimension ")
           << dim << " of a tensor that has " << shape.size();
  scalars[op.getResult()] = IntegerAttr::get(op.getType(), shape[dim]);
  return success();
}

LogicalResult Evaluator::evaluateCast(tensor::CastOp op) {
  size_t buffer = buffers.lookup(op.getSource());
  ArrayRef<int64_t> shape = plan.host.buffers[buffer].shape;
  auto claimed = dyn_cast<RankedTensorType>(op.getType());
  if (claimed && failed(verifyCompatibleShape(shape, claimed.getShape())))
    return op.emitOpError("claims type ")
           << claimed << " for a tensor of shape " << formatShape(shape);
  buffers[op.getResult()] = buffer;
  return success();
}

/// A kernel relies on the sizes that its memrefs say, and reads beside a buffer
/// that is smaller.
LogicalResult Evaluator::checkArgument(tile::LaunchOp op,
                                       BlockArgument argument, size_t buffer) {
  ArrayRef<int64_t> shape = plan.host.buffers[buffer].shape;
  auto type = cast<MemRefType>(argument.getType());
  if (succeeded(verifyCompatibleShape(type.getShape(), shape)))
    return success();
  InFlightDiagnostic diagnostic = op.emitOpError("passes a tensor of shape ")
                                  << formatShape(shape) << " for argument #"
                                  << argument.getArgNumber()
                                  << ", which needs to be " << type;
  diagnostic.attachNote(argument.getLoc()) << "the argument is here";
  return diagnostic;
}

LogicalResult Evaluator::evaluateLaunch(tile::LaunchOp op) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(
      op, op.getKernelAttr());
  PlanLaunch launch;
  for (Value extent : op.getGrid()) {
    int64_t size = numberOf(extent);
    if (size < 0)
      return op.emitOpError("has a grid with the extent ") << size;
    launch.grid.push_back(size);
  }
  std::optional<int64_t> numBlocks = launch.numBlocks();
  if (!numBlocks)
    return op.emitOpError("has a grid of ")
           << formatShape(launch.grid)
           << ", more blocks than 64 bits can count";

  for (Value input : op.getInputs())
    launch.buffers.push_back(buffers.lookup(input));
  auto nextSize = op.getSizes().begin();
  for (Value output : op.getOutputs()) {
    auto type = cast<RankedTensorType>(output.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size))
        size = numberOf(*nextSize++);
    FailureOr<TensorSignature> signature = sign(op, type, shape);
    if (failed(signature))
      return failure();
    if (*numBlocks == 0 && !llvm::is_contained(shape, 0))
      return op.emitOpError("runs no blocks, but has an output of shape ")
             << formatShape(shape) << " to write";
    buffers[output] = addBuffer(PlanBuffer::Kind::Intermediate, 0, *signature);
    launch.buffers.push_back(buffers.lookup(output));
  }
  launch.numOutputs = op.getOutputs().size();
  for (auto [argument, buffer] :
       llvm::zip_equal(kernel.getMemory(), launch.buffers))
    if (failed(checkArgument(op, argument, buffer)))
      return failure();
  plan.host.launches.push_back(std::move(launch));
  plan.kernels.push_back(kernel);
  describe(op, kernel);
  return success();
}

/// The names of the ops that make tiles or store them, each once.
std::vector<std::string> opsOf(tile::KernelOp kernel) {
  llvm::SetVector<StringRef> names;
  kernel.getBody().walk([&](Operation *op) {
    bool makesTile = llvm::any_of(op->getResultTypes(), [](Type type) {
      return isa<RankedTensorType>(type);
    });
    if ((makesTile && !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<scf::SCFDialect>(op->getDialect())) ||
        isa<tile::StoreOp>(op))
      names.insert(op->getName().getStringRef());
  });
  return {names.begin(), names.end()};
}

void Evaluator::describe(tile::LaunchOp op, tile::KernelOp kernel) {
  const PlanLaunch &launch = plan.host.launches.back();
  PlanStep &step = plan.steps.emplace_back();
  step.kernel = kernel.getName().str();
  if (auto ops = kernel->getAttrOfType<ArrayAttr>("ops"))
    for (StringAttr op : ops.getAsRange<StringAttr>())
      step.ops.push_back(op.str());
  else
    step.ops = opsOf(kernel);
  step.location = locationText(kernel);
  step.grid = launch.grid;
  if (Attribute schedule = kernel->getAttr("schedule"))
    llvm::raw_string_ostream(step.schedule) << schedule;

  size_t numInputs = launch.buffers.size() - launch.numOutputs;
  llvm::SmallSet<size_t, 8> counted;
  for (auto [i, number] : llvm::enumerate(launch.buffers)) {
    const PlanBuffer &buffer = plan.host.buffers[number];
    Result<size_t> bytes = requiredBytes(buffer.type, buffer.shape);
    // What cannot be counted cannot run either, and is refused later.
    if (!bytes || !counted.insert(number).second)
      continue;
    (i < numInputs ? step.bytesRead : step.bytesWritten) += *bytes;
  }
  llvm::raw_string_ostream result(step.result);
  llvm::ListSeparator separator;
  for (auto [type, number] :
       llvm::zip_equal(op.getResultTypes(),
                       ArrayRef(launch.buffers).drop_front(numInputs))) {
    const PlanBuffer &buffer = plan.host.buffers[number];
    result << separator << cast<RankedTensorType>(type).clone(buffer.shape);
    step.stored.push_back({{buffer.type, buffer.shape}});
  }

  std::optional<uint64_t> flops = countDotFlops(kernel);
  if (flops)
    step.dotFlops = llvm::SaturatingMultiply<uint64_t>(
        *flops, static_cast<uint64_t>(*launch.numBlocks()));
}

LogicalResult Evaluator::evaluateReturn(func::ReturnOp op) {
  for (auto [index, operand] : llvm::enumerate(op.getOperands())) {
    auto found = buffers.find(operand);
    if (found == buffers.end())
      return op.emitOpError("returns a value of type ")
             << operand.getType() << ", but only tensors can be returned";
    PlanBuffer &buffer = plan.host.buffers[found->second];
    plan.outputs.push_back({buffer.type, buffer.shape});
    // What is returned twice, or was not made here, is copied.
    if (buffer.kind != PlanBuffer::Kind::Intermediate) {
      plan.host.copies.push_back({found->second, index});
      continue;
    }
    buffer.kind = PlanBuffer::Kind::Output;
    buffer.number = index;
  }
  for (auto [step, launch] : llvm::zip_equal(plan.steps, plan.host.launches))
    for (auto [stored, number] :
         llvm::zip_equal(step.stored,
                         ArrayRef(launch.buffers).take_back(launch.numOutputs)))
      stored.isOutput =
          plan.host.buffers[number].kind == PlanBuffer::Kind::Output;
  return success();
}

LogicalResult Evaluator::evaluateScalar(Operation *op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(scalars.lookup(operand));
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) ||
      results.size() != op->getNumResults())
    return op->emitOpError("gives no number for these sizes");
  for (auto [result, folded] : llvm::zip_equal(op->getResults(), results)) {
    auto value = dyn_cast<Value>(folded);
    scalars[result] = value ? scalars.lookup(value) : cast<Attribute>(folded);
    if (!isa_and_present<IntegerAttr>(scalars[result]))
      return op->emitOpError("gives no number for these sizes");
  }
  return success();
}

LogicalResult Evaluator::evaluate(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto elements = dyn_cast<ElementsAttr>(constant.getValue()))
      return evaluateConstant(constant, elements);
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return evaluateDim(dim);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return evaluateCast(cast);
  if (auto launch = dyn_cast<tile::LaunchOp>(op))
    return evaluateLaunch(launch);
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return evaluateReturn(end);
  return evaluateScalar(op);
}

LogicalResult Evaluator::run(ArrayRef<ArgumentShape> shapes) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has several blocks; which kernels run must "
                                "not depend on data");
  if (failed(bindArguments(shapes)))
    return failure();
  for (Operation &op : function.getBody().front())
    if (failed(evaluate(&op)))
      return failure();
  return success();
}

} // namespace

/// How often the body of a loop runs, if that is known.
static std::optional<uint64_t> tripCount(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  return *upper <= *lower ? 0
                          : llvm::divideCeil(uint64_t(*upper - *lower), *step);
}

static std::optional<uint64_t> countDotFlopsIn(Block &block);

/// What the regions of `op` do, all together.
static std::optional<uint64_t> countDotFlopsIn(Operation &op) {
  if (auto dot = dyn_cast<tile::DotOp>(op)) {
    auto type = cast<RankedTensorType>(dot.getLhs().getType());
    uint64_t flops = 2 * cast<RankedTensorType>(dot.getType()).getNumElements();
    for (int64_t size : type.getShape().take_back(dot.getContract()))
      flops *= size;
    return flops;
  }
  uint64_t sum = 0;
  for (Region &region : op.getRegions())
    for (Block &block : region) {
      std::optional<uint64_t> flops = countDotFlopsIn(block);
      if (!flops)
        return std::nullopt;
      sum += *flops;
    }
  if (sum == 0)
    return 0;
  auto loop = dyn_cast<scf::ForOp>(op);
  std::optional<uint64_t> trips = loop ? tripCount(loop) : std::nullopt;
  if (!trips)
    return std::nullopt;
  return sum * *trips;
}

static std::optional<uint64_t> countDotFlopsIn(Block &block) {
  uint64_t sum = 0;
  for (Operation &op : block) {
    std::optional<uint64_t> flops = countDotFlopsIn(op);
    if (!flops)
      return std::nullopt;
    sum += *flops;
  }
  return sum;
}

std::optional<uint64_t> fuse::countDotFlops(tile::KernelOp kernel) {
  return countDotFlopsIn(kernel.getBody().front());
}

Result<LaunchPlan> fuse::planLaunches(func::FuncOp function,
                                      ArrayRef<ArgumentShape> shapes) {
  LaunchPlan plan;
  if (failed(Evaluator(function, plan).run(shapes)))
    return RuntimeError(ErrorCode::BadInput, "the launches of '" +
                                                 function.getName().str() +
                                                 "' cannot be planned");
  if (Status status = placeIntermediates(plan.host); !status)
    return status.takeError();
  return plan;
}
