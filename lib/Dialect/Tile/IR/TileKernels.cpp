//===- TileKernels.cpp - kernels and their launches -----------------------===//
//
// Syntax and verifiers of the ops that frame the others.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     ArrayRef<Type> memory, int64_t outputs, int64_t gridRank) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getOutputsAttrName(state.name),
                     builder.getI64IntegerAttr(outputs));
  Region *body = state.addRegion();
  Block &block = body->emplaceBlock();
  for (Type type : memory)
    block.addArgument(type, state.location);
  for (int64_t dim = 0; dim < gridRank; ++dim)
    block.addArgument(builder.getIndexType(), state.location);
  ensureTerminator(*body, builder, state.location);
}

Block::BlockArgListType KernelOp::getMemory() {
  Block::BlockArgListType all = getBody().getArguments();
  return all.take_while([](BlockArgument argument) {
    return isa<MemRefType>(argument.getType());
  });
}

Block::BlockArgListType KernelOp::getInputMemory() {
  return getMemory().drop_back(getOutputs());
}

Block::BlockArgListType KernelOp::getOutputMemory() {
  return getMemory().take_back(getOutputs());
}

Block::BlockArgListType KernelOp::getPlace() {
  return Block::BlockArgListType(getBody().getArguments())
      .drop_front(getMemory().size());
}

/// What comes before the extents where a kernel walks.
static constexpr unsigned numOfWalk = 2;

unsigned KernelOp::getGridRank() {
  return getPlace().size() - (getWalks() ? numOfWalk : 0);
}

bool KernelOp::isOutput(Value memory) {
  return llvm::is_contained(getOutputMemory(), memory);
}

PromiseAttr KernelOp::promiseOf(Value memory) {
  if (std::optional<ArrayAttr> promises = getPromises())
    return cast<PromiseAttr>(
        (*promises)[cast<BlockArgument>(memory).getArgNumber()]);
  // What any vector can be loaded from.
  constexpr int64_t anyVector = 16;
  return PromiseAttr::get(getContext(), anyVector, {}, {});
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, isa<IndexType>(argument.getType()) ? "block" : "memory");
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes))
    return failure();
  SmallVector<OpAsmParser::Argument> arguments, place;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true, /*allowAttrs=*/false))
    return failure();
  IntegerAttr outputs;
  Builder &builder = parser.getBuilder();
  if (parser.parseKeyword("outputs") ||
      parser.parseAttribute(outputs, builder.getI64Type(),
                            getOutputsAttrName(result.name),
                            result.attributes) ||
      parser.parseKeyword("blocks") ||
      parser.parseArgumentList(place, AsmParser::Delimiter::Paren))
    return failure();
  for (OpAsmParser::Argument &argument : place) {
    argument.type = builder.getIndexType();
    arguments.push_back(argument);
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(getMemory(), printer, [&](BlockArgument argument) {
    printer.printRegionArgument(argument);
  });
  printer << ") outputs " << getOutputs() << " blocks(";
  llvm::interleaveComma(getPlace(), printer);
  printer << ')';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getOutputsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Upstream takes a size of a dimension that there is not.
static LogicalResult verifySizes(KernelOp kernel) {
  auto walked = kernel.walk([](memref::DimOp size) {
    std::optional<int64_t> dim = size.getConstantIndex();
    auto type = dyn_cast<MemRefType>(size.getSource().getType());
    if (!dim || !type || (*dim >= 0 && *dim < type.getRank()))
      return WalkResult::advance();
    size.emitOpError("asks for dimension ")
        << *dim << " of a memref that has " << type.getRank();
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

LogicalResult KernelOp::verifyRegions() {
  int64_t memory = getMemory().size();
  for (BlockArgument argument : getMemory()) {
    auto type = cast<MemRefType>(argument.getType());
    if (!isPlainMemory(type))
      return emitOpError("argument #")
             << argument.getArgNumber() << " has type " << type
             << ", but memory must be row-major or have strides from its "
             << "start on, and be in the default memory space";
  }
  for (BlockArgument argument : getPlace())
    if (!isa<IndexType>(argument.getType()))
      return emitOpError("argument #")
             << argument.getArgNumber() << " has type " << argument.getType()
             << ", but memrefs come first and indices follow";
  if (getWalks() && getPlace().size() < numOfWalk)
    return emitOpError("walks, and has ")
           << getPlace().size() << " indices, but the number of the block and "
           << "how many there are come before the extents of the grid";
  if (std::optional<ArrayAttr> promises = getPromises()) {
    if (static_cast<int64_t>(promises->size()) != memory)
      return emitOpError("has ")
             << promises->size() << " promises for " << memory << " memrefs";
    for (auto [argument, promise] :
         llvm::zip_equal(getMemory(), promises->getAsRange<PromiseAttr>())) {
      int64_t rank = cast<MemRefType>(argument.getType()).getRank();
      ArrayRef<int64_t> sizes = promise.getSizes();
      if (!sizes.empty() && static_cast<int64_t>(sizes.size()) != rank)
        return emitOpError("promises ")
               << sizes.size() << " sizes of argument #"
               << argument.getArgNumber() << ", which has rank " << rank;
    }
  }
  if (static_cast<int64_t>(getOutputs()) > memory)
    return emitOpError("has ")
           << getOutputs() << " outputs, but only " << memory << " memrefs";
  return verifySizes(*this);
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

LogicalResult LaunchOp::verify() {
  if (getOutputs().empty())
    return emitOpError("has no results, but only results make it useful");
  int64_t dynamic = 0;
  for (Type type : getOutputs().getTypes())
    dynamic += cast<RankedTensorType>(type).getNumDynamicDims();
  if (dynamic != static_cast<int64_t>(getSizes().size()))
    return emitOpError("has ")
           << getSizes().size() << " sizes, but its results have " << dynamic
           << " dynamic dimensions";
  return success();
}

/// Whether a tensor may be where a kernel has the memory.
static bool agree(RankedTensorType tensor, MemRefType memory) {
  if (tensor.getElementType() != memory.getElementType() ||
      tensor.getRank() != memory.getRank())
    return false;
  for (auto [given, wanted] :
       llvm::zip_equal(tensor.getShape(), memory.getShape()))
    if (!ShapedType::isDynamic(given) && !ShapedType::isDynamic(wanted) &&
        given != wanted)
      return false;
  return true;
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("launches ")
           << getKernelAttr() << ", which is no kernel of this module";
  auto complain = [&](const Twine &message) {
    InFlightDiagnostic diagnostic = emitOpError(message);
    diagnostic.attachNote(kernel.getLoc()) << "the kernel is here";
    return diagnostic;
  };
  auto checkCount = [&](size_t given, size_t wanted,
                        StringRef what) -> LogicalResult {
    if (given == wanted)
      return success();
    return complain("has " + Twine(given) + " " + what +
                    ", but the kernel needs " + Twine(wanted));
  };
  if (failed(checkCount(getGrid().size(), kernel.getGridRank(),
                        "dimensions of the grid")) ||
      failed(checkCount(getInputs().size(), kernel.getInputMemory().size(),
                        "inputs")) ||
      failed(checkCount(getOutputs().size(), kernel.getOutputMemory().size(),
                        "results")))
    return failure();
  auto checkTypes = [&](TypeRange given, Block::BlockArgListType wanted,
                        StringRef what) -> LogicalResult {
    for (auto [number, type, argument] : llvm::enumerate(given, wanted))
      if (!agree(cast<RankedTensorType>(type),
                 cast<MemRefType>(argument.getType())))
        return complain(what + Twine(" #") + Twine(number) + " is ")
               << type << ", but the kernel needs " << argument.getType();
    return success();
  };
  if (failed(
          checkTypes(getInputs().getTypes(), kernel.getInputMemory(), "input")))
    return failure();
  return checkTypes(getOutputs().getTypes(), kernel.getOutputMemory(),
                    "result");
}
