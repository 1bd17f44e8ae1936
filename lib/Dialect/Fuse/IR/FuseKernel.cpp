//===- FuseKernel.cpp - groups of ops that are run as one -----------------===//
//
// Format and verifier of the kernel. What may stand in a kernel is said here
// and nowhere else.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "Shapes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace fuse;

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     TypeRange resultTypes, ValueRange inputs,
                     ScheduleAttr schedule) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.name = builder.getStringAttr(name);
  properties.schedule = schedule;
  state.addTypes(resultTypes);
  state.addOperands(inputs);
  Block &body = state.addRegion()->emplaceBlock();
  for (Value input : inputs)
    body.addArgument(input.getType(), input.getLoc());
}

OperandRange KernelOp::getYielded() {
  return getBody()->getTerminator()->getOperands();
}

//===----------------------------------------------------------------------===//
// Format
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  if (parser.parseSymbolName(properties.name) ||
      parser.parseAssignmentList(arguments, operands))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("schedule")))
    if (parser.parseLParen() || parser.parseAttribute(properties.schedule) ||
        parser.parseRParen())
      return failure();
  FunctionType type;
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseColonType(type))
    return failure();
  if (type.getNumInputs() != operands.size())
    return parser.emitError(loc, "expected one type for each of ")
           << countText(operands.size(), "operand") << ", but found "
           << type.getNumInputs();
  for (auto [argument, input] : llvm::zip_equal(arguments, type.getInputs()))
    argument.type = input;
  result.addTypes(type.getResults());
  // What is in the body is named in a space of its own: nothing of what is
  // around the kernel can be seen in it.
  return failure(parser.resolveOperands(operands, type.getInputs(), loc,
                                        result.operands) ||
                 parser.parseRegion(*result.addRegion(), arguments,
                                    /*enableNameShadowing=*/true));
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getName());
  printer << "(";
  llvm::interleaveComma(llvm::zip_equal(getBody()->getArguments(), getInputs()),
                        printer, [&](auto pair) {
                          printer << std::get<0>(pair) << " = "
                                  << std::get<1>(pair);
                        });
  printer << ")";
  if (ScheduleAttr schedule = getScheduleAttr())
    printer << " schedule(" << schedule << ")";
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getNameAttrName(), getScheduleAttrName()});
  printer << " : ";
  printer.printFunctionalType(*this);
  printer << " ";
  printer.printRegion(getBodyRegion(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Checks that no two kernels of a block have one name. Only the first of them
/// does, so that it takes no longer than one walk.
static LogicalResult verifyNames(KernelOp first) {
  for (Operation *op = first->getPrevNode(); op; op = op->getPrevNode())
    if (isa<KernelOp>(op))
      return success();
  llvm::StringMap<KernelOp> kernels;
  for (Operation *op = first; op; op = op->getNextNode())
    if (auto kernel = dyn_cast<KernelOp>(op)) {
      // The others have not been verified yet.
      if (!kernel.getNameAttr())
        continue;
      auto [other, isNew] = kernels.try_emplace(kernel.getName(), kernel);
      if (isNew)
        continue;
      InFlightDiagnostic diag = kernel.emitOpError("has the name @")
                                << kernel.getName()
                                << ", which another kernel has already";
      diag.attachNote(other->second.getLoc()) << "the other kernel is here";
      return diag;
    }
  return success();
}

LogicalResult KernelOp::verify() {
  if (!isPlainName(getName()))
    return emitOpError("has the name '")
           << getName() << "', but a name is " << plainNameRule;
  if (getOutputs().empty())
    return emitOpError("has no result, but a kernel is run for its results");
  return verifyNames(*this);
}

/// Whether graphs have values of this type: plain tensors, and scalars from
/// which sizes are made.
static bool isGraphType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (tensor.getEncoding())
      return false;
    type = tensor.getElementType();
  }
  return type.isIntOrIndexOrFloat();
}

static LogicalResult verifyBodyOp(KernelOp kernel, Operation *op) {
  auto refuse = [&](const Twine &why) -> LogicalResult {
    InFlightDiagnostic diag = op->emitOpError(why);
    diag.attachNote(kernel.getLoc()) << "the kernel is here";
    return diag;
  };
  if (isa<KernelOp>(op))
    return refuse("stands in another kernel, but kernels cannot be nested");
  if (isa<CompositeOpInterface>(op))
    return refuse("is a composite, which must be decomposed before it can "
                  "stand in a kernel");
  bool isPointwise = isa_and_present<arith::ArithDialect, math::MathDialect>(
                         op->getDialect()) &&
                     OpTrait::hasElementwiseMappableTraits(op);
  if (!isPointwise && !isa_and_present<FuseDialect>(op->getDialect()) &&
      !isa<arith::ConstantOp, tensor::DimOp, tensor::CastOp,
           tensor::FromElementsOp>(op))
    return refuse("cannot stand in a kernel, which holds plain ops of a graph "
                  "only");
  for (Type type : op->getResultTypes())
    if (!isGraphType(type))
      return refuse("has a value of type '" + debugString(type) +
                    "', but a kernel works on ranked tensors and scalars of "
                    "integers, floats and index");
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  Block &body = *getBody();
  if (body.getNumArguments() != getInputs().size())
    return emitOpError("has operands of number ")
           << getInputs().size() << ", but arguments of its body of number "
           << body.getNumArguments();
  for (auto [i, argument, input] :
       llvm::enumerate(body.getArguments(), getInputs()))
    if (argument.getType() != input.getType())
      return emitOpError("has operand #")
             << i << " of type " << input.getType()
             << ", but its body has an argument of type " << argument.getType();
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield)
    return emitOpError("ends with '")
           << body.back().getName() << "', but needs a 'fuse.yield'";
  if (yield.getValues().size() != getOutputs().size()) {
    InFlightDiagnostic diag = emitOpError("has results of number ")
                              << getOutputs().size() << ", but yields "
                              << yield.getValues().size();
    diag.attachNote(yield.getLoc()) << "they are yielded here";
    return diag;
  }
  for (auto [i, value, result] :
       llvm::enumerate(yield.getValues(), getOutputs()))
    if (value.getType() != result.getType()) {
      InFlightDiagnostic diag = emitOpError("has result #")
                                << i << " of type " << result.getType()
                                << ", but yields " << value.getType();
      diag.attachNote(yield.getLoc()) << "it is yielded here";
      return diag;
    }
  for (Operation &op : body)
    if (failed(verifyBodyOp(*this, &op)))
      return failure();
  return success();
}
