//===- LaunchPlan.cpp - what a host function does -------------------------===//
//
// One walk from top to bottom. Every scalar is an expression by then, and every
// tensor a buffer. What is wrong for all sizes is found here, the rest when
// sizes are known.
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
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;

namespace {

using Shape = std::vector<SizeExpression>;

class Evaluator {
public:
  Evaluator(func::FuncOp function, LaunchPlan &plan)
      : function(function), plan(plan) {}

  LogicalResult run(const OpenSizes &sizes, ArrayRef<int64_t> scalars);

private:
  LogicalResult bindArguments(const OpenSizes &sizes,
                              ArrayRef<int64_t> numbers);
  LogicalResult evaluate(Operation *op);
  LogicalResult evaluateConstant(arith::ConstantOp op, ElementsAttr elements);
  LogicalResult evaluateDim(tensor::DimOp op);
  LogicalResult evaluateCast(tensor::CastOp op);
  LogicalResult evaluateLaunch(tile::LaunchOp op);
  LogicalResult evaluateReturn(func::ReturnOp op);
  LogicalResult evaluateScalar(Operation *op);
  LogicalResult evaluateNumbers(Operation *op);

  /// The element type of buffers that hold a tensor of this shape.
  FailureOr<ElementType> typeFor(Operation *at, Type type, const Shape &shape);
  /// Whether a tensor may be said to have the type: what is not known yet is
  /// required.
  bool mayBe(Operation *at, ShapedType type, const Shape &shape);
  LogicalResult checkArgument(tile::LaunchOp op, BlockArgument argument,
                              size_t buffer);
  size_t addBuffer(PlanBuffer::Kind kind, size_t number, ElementType type,
                   Shape shape);
  void describe(tile::LaunchOp op, tile::KernelOp kernel);

  func::FuncOp function;
  LaunchPlan &plan;
  llvm::DenseMap<Value, SizeExpression> scalars;
  /// By tensor: the number of its buffer.
  llvm::DenseMap<Value, size_t> buffers;
};

/// The numbers of a shape, if all are known.
std::optional<std::vector<int64_t>> numbersOf(const Shape &shape) {
  std::vector<int64_t> numbers;
  for (const SizeExpression &size : shape) {
    std::optional<int64_t> number = size.constant();
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

size_t Evaluator::addBuffer(PlanBuffer::Kind kind, size_t number,
                            ElementType type, Shape shape) {
  plan.buffers.push_back({kind, number, type, std::move(shape)});
  return plan.buffers.size() - 1;
}

FailureOr<ElementType> Evaluator::typeFor(Operation *at, Type type,
                                          const Shape &shape) {
  for (const SizeExpression &size : shape)
    if (std::optional<int64_t> number = size.constant(); number && *number < 0)
      return at->emitOpError("makes a tensor of type ")
             << type << " with the size " << *number;
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<ElementType> element;
  if (tensor && !tensor.getEncoding())
    element = elementTypeFor(tensor.getElementType());
  if (!element)
    return at->emitOpError("has a value of type ")
           << type << ", which no buffer can hold";
  return *element;
}

bool Evaluator::mayBe(Operation *at, ShapedType type, const Shape &shape) {
  if (type.getRank() != static_cast<int64_t>(shape.size()))
    return false;
  for (auto [wanted, size] : llvm::zip_equal(type.getShape(), shape)) {
    if (ShapedType::isDynamic(wanted) || size == SizeExpression(wanted))
      continue;
    if (size.constant())
      return false;
    std::string where = locationText(at);
    plan.requirements.push_back(
        {Condition::equal(size, wanted),
         (at->getName().getStringRef() + (where.empty() ? "" : " at " + where) +
          " needs a size")
             .str()});
  }
  return true;
}

LogicalResult Evaluator::bindArguments(const OpenSizes &sizes,
                                       ArrayRef<int64_t> numbers) {
  plan.requirements = sizes.requirements;
  auto isTensor = [](Value argument) { return !argument.getType().isIndex(); };
  size_t numInputs = llvm::count_if(function.getArguments(), isTensor);
  if (numInputs != sizes.inputs.size() ||
      numInputs + numbers.size() != function.getNumArguments())
    return function.emitOpError("has ")
           << function.getNumArguments() << " arguments, but got "
           << sizes.inputs.size() + numbers.size() << " shapes";
  size_t nextInput = 0;
  for (BlockArgument argument : function.getArguments()) {
    Type type = argument.getType();
    if (!isTensor(argument)) {
      scalars[argument] = numbers.front();
      numbers = numbers.drop_front();
      continue;
    }
    const Shape &shape = sizes.inputs[nextInput];
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && !mayBe(function, tensor, shape))
      return function.emitOpError("has argument #")
             << argument.getArgNumber() << " of type " << type
             << ", which cannot have the shape " << formatShape(shape);
    FailureOr<ElementType> element = typeFor(function, type, shape);
    if (failed(element))
      return failure();
    buffers[argument] =
        addBuffer(PlanBuffer::Kind::Input, nextInput++, *element, shape);
  }
  return success();
}

LogicalResult Evaluator::evaluateConstant(arith::ConstantOp op,
                                          ElementsAttr elements) {
  std::optional<TensorSignature> signature = signatureOf(elements.getType());
  if (!signature)
    return op.emitOpError("has a value of type ")
           << elements.getType() << ", which no buffer can hold";
  Result<HostBuffer> data = bufferOf(elements, *signature);
  if (!data)
    return op.emitOpError(data.error().message());
  buffers[op.getResult()] = addBuffer(
      PlanBuffer::Kind::Constant, plan.constants.size(), signature->type,
      Shape(signature->shape.begin(), signature->shape.end()));
  plan.constants.push_back(std::move(*data));
  return success();
}

LogicalResult Evaluator::evaluateDim(tensor::DimOp op) {
  const Shape &shape = plan.buffers[buffers.lookup(op.getSource())].shape;
  std::optional<int64_t> dim = scalars.lookup(op.getIndex()).constant();
  if (!dim)
    return op.emitOpError("asks for a dimension that is not known");
  if (*dim < 0 || *dim >= static_cast<int64_t>(shape.size()))
    return op.emitOpError("asks for dimension ")
           << *dim << " of a tensor that has " << shape.size();
  scalars[op.getResult()] = shape[*dim];
  return success();
}

LogicalResult Evaluator::evaluateCast(tensor::CastOp op) {
  size_t buffer = buffers.lookup(op.getSource());
  const Shape &shape = plan.buffers[buffer].shape;
  auto claimed = dyn_cast<RankedTensorType>(op.getType());
  if (claimed && !mayBe(op, claimed, shape))
    return op.emitOpError("claims type ")
           << claimed << " for a tensor of shape " << formatShape(shape);
  buffers[op.getResult()] = buffer;
  return success();
}

/// A kernel relies on the sizes that its memrefs say, and reads beside a buffer
/// that is smaller.
LogicalResult Evaluator::checkArgument(tile::LaunchOp op,
                                       BlockArgument argument, size_t buffer) {
  const Shape &shape = plan.buffers[buffer].shape;
  auto type = cast<MemRefType>(argument.getType());
  // What lies between rows would be read as if it belonged to nobody else.
  if (tile::hasGapsOfItsOwn(type)) {
    InFlightDiagnostic diagnostic =
        op.emitOpError("passes a tensor without gaps for argument #")
        << argument.getArgNumber() << ", whose rows are "
        << tile::rowsOfItsOwn(type) << " elements apart";
    diagnostic.attachNote(argument.getLoc()) << "the argument is here";
    return diagnostic;
  }
  if (mayBe(op, type, shape))
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
  LaunchPlan::Launch launch;
  for (Value extent : op.getGrid()) {
    SizeExpression size = scalars.lookup(extent);
    if (size.constant().value_or(0) < 0)
      return op.emitOpError("has a grid with the extent ") << size.str();
    launch.grid.push_back(std::move(size));
  }
  SizeExpression numBlocks = launch.numBlocks();
  if (std::optional<std::vector<int64_t>> grid = numbersOf(launch.grid);
      grid && !numBlocks.constant())
    return op.emitOpError("has a grid of ")
           << formatShape(*grid) << ", more blocks than 64 bits can count";

  for (Value input : op.getInputs())
    launch.buffers.push_back(buffers.lookup(input));
  auto nextSize = op.getSizes().begin();
  for (Value output : op.getOutputs()) {
    auto type = cast<RankedTensorType>(output.getType());
    Shape shape;
    for (int64_t size : type.getShape())
      shape.push_back(ShapedType::isDynamic(size) ? scalars.lookup(*nextSize++)
                                                  : SizeExpression(size));
    FailureOr<ElementType> element = typeFor(op, type, shape);
    if (failed(element))
      return failure();
    // Of what launches read addLaunch sees whether any block does.
    bool isRead =
        !llvm::all_of(output.getUsers(), llvm::IsaPred<tile::LaunchOp>);
    if (isRead && numBlocks == SizeExpression(0) &&
        !llvm::is_contained(shape, SizeExpression(0)))
      return op.emitOpError("runs no blocks, but has an output of shape ")
             << formatShape(shape) << " to write";
    buffers[output] = addBuffer(PlanBuffer::Kind::Intermediate, 0, *element,
                                std::move(shape));
    launch.buffers.push_back(buffers.lookup(output));
  }
  launch.numOutputs = op.getOutputs().size();
  for (auto [argument, buffer] :
       llvm::zip_equal(kernel.getMemory(), launch.buffers))
    if (failed(checkArgument(op, argument, buffer)))
      return failure();
  plan.launches.push_back(std::move(launch));
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
  PlanStep &step = plan.steps.emplace_back();
  step.kernel = kernel.getName().str();
  if (auto ops = kernel->getAttrOfType<ArrayAttr>("ops"))
    for (StringAttr op : ops.getAsRange<StringAttr>())
      step.ops.push_back(op.str());
  else
    step.ops = opsOf(kernel);
  step.location = locationText(kernel);
  if (Attribute schedule = kernel->getAttr("schedule"))
    llvm::raw_string_ostream(step.schedule) << schedule;
  plan.blockFlops.push_back(countDotFlops(kernel));
}

LogicalResult Evaluator::evaluateReturn(func::ReturnOp op) {
  for (auto [index, operand] : llvm::enumerate(op.getOperands())) {
    auto found = buffers.find(operand);
    if (found == buffers.end())
      return op.emitOpError("returns a value of type ")
             << operand.getType() << ", but only tensors can be returned";
    LaunchPlan::Buffer &buffer = plan.buffers[found->second];
    plan.outputs.push_back(found->second);
    // What is returned twice, or was not made here, is copied.
    if (buffer.kind != PlanBuffer::Kind::Intermediate) {
      plan.copies.push_back({found->second, index});
      continue;
    }
    buffer.kind = PlanBuffer::Kind::Output;
    buffer.number = index;
  }
  return success();
}

/// Numbers are computed as MLIR does it.
LogicalResult Evaluator::evaluateNumbers(Operation *op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(IntegerAttr::get(operand.getType(),
                                        *scalars.lookup(operand).constant()));
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) ||
      results.size() != op->getNumResults())
    return op->emitOpError("gives no number for these sizes");
  for (auto [result, folded] : llvm::zip_equal(op->getResults(), results)) {
    if (auto value = dyn_cast<Value>(folded)) {
      scalars[result] = scalars.lookup(value);
      continue;
    }
    auto number = dyn_cast<IntegerAttr>(cast<Attribute>(folded));
    if (!number)
      return op->emitOpError("gives no number for these sizes");
    scalars[result] = number.getValue().getSExtValue();
  }
  return success();
}

LogicalResult Evaluator::evaluateScalar(Operation *op) {
  if (llvm::all_of(op->getOperands(), [&](Value operand) {
        return scalars.lookup(operand).constant().has_value();
      }))
    return evaluateNumbers(op);
  using Kind = SizeExpression::Kind;
  // Sizes are not negative, so that rounding down is rounding to zero.
  std::optional<Kind> kind =
      llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
          .Case([](arith::AddIOp) { return Kind::Add; })
          .Case([](arith::SubIOp) { return Kind::Sub; })
          .Case([](arith::MulIOp) { return Kind::Mul; })
          .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
              [](auto) { return Kind::FloorDiv; })
          .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
              [](auto) { return Kind::CeilDiv; })
          .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return Kind::Mod; })
          .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return Kind::Min; })
          .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return Kind::Max; })
          .Default(std::nullopt);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    scalars[op->getResult(0)] = scalars.lookup(op->getOperand(0));
  else if (kind)
    scalars[op->getResult(0)] =
        SizeExpression::combine(*kind, scalars.lookup(op->getOperand(0)),
                                scalars.lookup(op->getOperand(1)));
  else
    return op->emitOpError("computes a size that is not known yet, in a way "
                           "that only known ones can be");
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

LogicalResult Evaluator::run(const OpenSizes &sizes,
                             ArrayRef<int64_t> numbers) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has several blocks; which kernels run must "
                                "not depend on data");
  if (failed(bindArguments(sizes, numbers)))
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
                                      const OpenSizes &sizes,
                                      ArrayRef<int64_t> scalars) {
  LaunchPlan plan;
  if (failed(Evaluator(function, plan).run(sizes, scalars)))
    return RuntimeError(ErrorCode::BadInput, "the launches of '" +
                                                 function.getName().str() +
                                                 "' cannot be planned");
  return plan;
}
