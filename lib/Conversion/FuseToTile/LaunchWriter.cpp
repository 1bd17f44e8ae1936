//===- LaunchWriter.cpp - one launch of a kernel --------------------------===//

#include "LaunchWriter.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace fuse;

LaunchUses::LaunchUses(const KernelNest &kernel, const Nest &nest) {
  collect(nest.body);
  if (kernel.mergesInCluster) {
    collect(kernel.nests.back().body);
    storedParts.clear();
    loadedParts.clear();
  }
}

void LaunchUses::collect(const std::vector<Statement> &statements) {
  for (const Statement &statement : statements) {
    switch (statement.kind) {
    case Statement::Kind::Compute:
      if (statement.element->kind() == ElementKind::Load)
        loads.insert(statement.element->tensor());
      break;
    case Statement::Kind::Store:
      roots.insert(statement.target);
      break;
    case Statement::Kind::StorePart:
      storedParts.insert(statement.target);
      break;
    case Statement::Kind::LoadPart:
      loadedParts.insert(statement.target);
      break;
    case Statement::Kind::Loop:
      collect(statement.loop->body);
      break;
    case Statement::Kind::Mask:
    case Statement::Kind::Reduce:
      break;
    }
  }
}

SmallVector<int64_t> LaunchWriter::Tensor::shape() const {
  return llvm::map_to_vector(sizes, [](Size size) {
    return size.isNumber() ? size.getNumber() : ShapedType::kDynamic;
  });
}

/// A leaf of the kernel outside of it. Constants whose numbers differ are data,
/// and so an input like any other.
Value LaunchWriter::hostValueOf(Value leaf) {
  if (auto argument = dyn_cast<BlockArgument>(leaf))
    return op.getInputs()[argument.getArgNumber()];
  return host.clone(*leaf.getDefiningOp())->getResult(0);
}

/// Types with sizes that are known only here, in the launch.
Value LaunchWriter::castTo(const Tensor &tensor, Value input) {
  return host.createOrFold<tensor::CastOp>(op.getLoc(), tensor.type(), input);
}

/// The arguments, inputs first.
void LaunchWriter::findTensors() {
  for (Value load : uses.loads) {
    tensors.push_back(describe(load));
    inputs.push_back(hostValueOf(load));
  }
  for (unsigned number : uses.loadedParts) {
    tensors.push_back(describePart(number));
    inputs.push_back(parts[number]);
  }
  for (unsigned root : uses.roots)
    tensors.push_back(describe(roots[root]));
  for (unsigned number : uses.storedParts)
    tensors.push_back(describePart(number));
}

LogicalResult LaunchWriter::findResults() {
  for (const Tensor &tensor : ArrayRef(tensors).drop_front(inputs.size())) {
    resultTypes.push_back(tensor.type());
    for (Size size : tensor.sizes) {
      if (size.isNumber())
        continue;
      FailureOr<Value> value = kernelSizes.onHost(size);
      if (failed(value))
        return failure();
      resultSizes.push_back(*value);
    }
  }
  return success();
}

LogicalResult LaunchWriter::findGrid() {
  Location loc = op.getLoc();
  if (nest.chunk)
    grid.push_back(arith::ConstantIndexOp::create(
        host, loc, nest.chunk->size.getNumber()));
  TileSizes windows = kernel.sizesOf(nest);
  for (const IndexVar &var : nest.grid) {
    FailureOr<Value> size = kernelSizes.onHost(var.size);
    if (failed(size))
      return failure();
    Value window =
        arith::ConstantIndexOp::create(host, loc, windows.sizeOf(var));
    grid.push_back(host.createOrFold<arith::CeilDivSIOp>(loc, *size, window));
  }
  return success();
}

/// The kernel without a body, and what is known of it.
void LaunchWriter::createKernel(StringRef name, SymbolTable &symbols) {
  OpBuilder builder(op->getParentOfType<func::FuncOp>());
  auto memory = llvm::map_to_vector(
      tensors, [](const Tensor &tensor) -> Type { return tensor.memory(); });
  tileKernel =
      tile::KernelOp::create(builder, op.getLoc(), name, memory,
                             tensors.size() - inputs.size(), grid.size());
  symbols.insert(tileKernel);
  noteGrid();
  noteOps();
  if (ScheduleAttr schedule = op.getScheduleAttr()) {
    tileKernel->setAttr("schedule", schedule);
    noteSchedule(schedule.getValue());
  }
}

/// Says how many blocks there are, unless only the launch knows.
void LaunchWriter::noteGrid() {
  Builder b(op);
  SmallVector<int64_t> extents;
  int64_t blocks = 1;
  for (Value extent : grid) {
    std::optional<int64_t> number = getConstantIntValue(extent);
    if (!number || llvm::MulOverflow(blocks, *number, blocks))
      return;
    extents.push_back(*number);
  }
  tileKernel->setAttr("tile.blocks", b.getI64IntegerAttr(blocks));
  tileKernel->setAttr("tile.grid", b.getDenseI64ArrayAttr(extents));
}

/// For plans that people read: what it was made of.
void LaunchWriter::noteOps() {
  llvm::SetVector<StringRef> ops;
  for (Operation &inner : op.getBodyRegion().front().without_terminator())
    if (!inner.hasTrait<OpTrait::ConstantLike>() &&
        isa<RankedTensorType>(inner.getResult(0).getType()))
      ops.insert(inner.getName().getStringRef());
  tileKernel->setAttr("ops", Builder(op).getStrArrayAttr(ops.getArrayRef()));
}

/// What placing and staging read, which know no graph.
void LaunchWriter::noteSchedule(const Schedule &schedule) {
  Builder b(op);
  // Who merges has little to do.
  auto warps = nest.isMerge ? std::nullopt : schedule.warps;
  auto crews = nest.isMerge ? std::nullopt : schedule.crews;
  auto share = nest.isMerge ? std::nullopt : schedule.share;
  for (auto [name, number] : {std::pair("tile.warps", warps),
                              {"tile.crews", crews},
                              {"tile.stages", schedule.stages},
                              {"tile.roles", schedule.roles},
                              {"tile.residents", schedule.residents},
                              {"tile.share", share}})
    if (number)
      tileKernel->setAttr(name, b.getI64IntegerAttr(*number));
  if (!schedule.cluster.empty() && !nest.isMerge) {
    std::vector<int64_t> cluster = schedule.cluster;
    // A grid has chunks before what the schedule knows of.
    if (nest.chunk)
      cluster.insert(cluster.begin(), 1);
    tileKernel->setAttr("tile.cluster", b.getDenseI64ArrayAttr(cluster));
  }
  if (tile::OrderAttr order = orderOf(schedule))
    tileKernel->setAttr("tile.order", order);
}

/// A grid has chunks before what the schedule knows of.
tile::OrderAttr LaunchWriter::orderOf(const Schedule &schedule) {
  if (schedule.order.empty())
    return {};
  SmallVector<int64_t> slowest, down;
  for (const Schedule::Order &order : schedule.order) {
    slowest.push_back(order.place + (nest.chunk ? 1 : 0));
    if (order.isDown)
      down.push_back(slowest.back());
  }
  return tile::OrderAttr::get(tileKernel.getContext(), slowest, down);
}

/// The kernel's arguments, in the order of `findTensors`.
NestWriter::Memory LaunchWriter::memoryOfKernel() {
  NestWriter::Memory memory;
  auto buffers = tileKernel.getMemory();
  unsigned next = 0;
  for (Value load : uses.loads) {
    memory.inputs[load] = buffers[next++];
    memory.sizes[load] = sizes.sizesOf(load);
  }
  for (unsigned number : uses.loadedParts)
    memory.parts[number] = buffers[next++];
  for (unsigned root : uses.roots)
    memory.roots[root] = buffers[next++];
  for (unsigned number : uses.storedParts)
    memory.parts[number] = buffers[next++];
  return memory;
}

/// Reads a size off an argument; null if none has it.
Value LaunchWriter::addSize(Size size, OpBuilder &builder) {
  Location loc = op.getLoc();
  for (auto [tensor, buffer] : llvm::zip(tensors, tileKernel.getMemory()))
    for (auto [dim, own] : llvm::enumerate(tensor.sizes))
      if (own == size)
        return memref::DimOp::create(builder, loc, buffer, dim);
  // Who merges parts reads nothing that has the size of what was split, by
  // which a mean is divided. Then a tensor is there for its size.
  for (BlockArgument argument : op.getBodyRegion().getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()))
      continue;
    Tensor tensor = describe(argument);
    auto *own = llvm::find(tensor.sizes, size);
    if (own == tensor.sizes.end())
      continue;
    int64_t dim = own - tensor.sizes.begin();
    BlockArgument buffer = tileKernel.getBody().insertArgument(
        inputs.size(), tensor.memory(), loc);
    tensors.insert(tensors.begin() + inputs.size(), tensor);
    inputs.push_back(castTo(tensor, hostValueOf(argument)));
    return memref::DimOp::create(builder, loc, buffer, dim);
  }
  return Value();
}

/// The sizes in a kernel's body: each is computed once, at its beginning.
class LaunchWriter::BodySizes {
public:
  BodySizes(LaunchWriter &launch, OpBuilder &builder)
      : launch(launch), builder(builder) {}

  Value operator()(Size size) {
    if (Value value =
            size.isNumber() ? Value() : known.lookup(size.getSymbol()))
      return value;
    OpBuilder::InsertionGuard guard(builder);
    standBehindLast();
    Value value = make(size);
    isMissing |= !value;
    if (!value)
      value = arith::ConstantIndexOp::create(builder, loc(), 0);
    last = value.getDefiningOp();
    if (!size.isNumber())
      known[size.getSymbol()] = value;
    return value;
  }

  /// Whether one was asked for that nobody knows.
  bool isAnyMissing() const { return isMissing; }

private:
  Location loc() const { return launch.op.getLoc(); }

  void standBehindLast() {
    if (last)
      builder.setInsertionPointAfter(last);
    else
      builder.setInsertionPointToStart(&launch.tileKernel.getBody().front());
  }

  Value make(Size size) {
    if (size.isNumber())
      return arith::ConstantIndexOp::create(builder, loc(), size.getNumber());
    if (Value value = launch.addSize(size, builder))
      return value;
    KernelSizes &sizes = launch.kernelSizes;
    if (std::optional<KernelSizes::Made> made = sizes.makerOf(size)) {
      SmallVector<Value> parts;
      for (Size part : made->parts)
        parts.push_back((*this)(part));
      standBehindLast();
      return made->combine(builder, loc(), parts);
    }
    Value number = sizes.numberOf(size);
    return number ? sizes.compute(builder, number, *this) : Value();
  }

  LaunchWriter &launch;
  OpBuilder &builder;
  llvm::DenseMap<int64_t, Value> known;
  Operation *last = nullptr;
  bool isMissing = false;
};

void LaunchWriter::writeNest(OpBuilder &builder, BodySizes &bodySizes) {
  Location loc = op.getLoc();
  NestWriter::Memory memory = memoryOfKernel();
  NestWriter writer(builder, loc, kernel, nest, memory, bodySizes);
  writer.write(tileKernel.getPlace());
  int64_t farthest = writer.getFarthest();
  if (kernel.mergesInCluster) {
    NestWriter merge(builder, loc, kernel, kernel.nests.back(), memory,
                     bodySizes);
    merge.writeMerge(tileKernel.getPlace(), writer.collectParts());
    farthest = std::max(farthest, merge.getFarthest());
    SmallVector<int64_t> cluster(grid.size(), 1);
    cluster.front() = nest.chunk->size.getNumber();
    tileKernel->setAttr("tile.cluster", builder.getDenseI64ArrayAttr(cluster));
  }
  if (farthest > 0 && farthest <= tile::kFarthestPosition)
    tileKernel->setAttr(tile::farthestAttrName,
                        builder.getI64IntegerAttr(farthest));
}

/// Says which dynamic sizes are one, as the graph needs them to be.
void LaunchWriter::promiseSizes() {
  Builder b(op);
  // What any vector can be loaded from.
  constexpr int64_t anyVector = 16;
  bool hasSymbols = false;
  SmallVector<Attribute> promises;
  for (const Tensor &tensor : tensors) {
    SmallVector<int64_t> symbols;
    for (Size size : tensor.sizes) {
      symbols.push_back(size.isNumber() ? -1 : size.getSymbol());
      hasSymbols |= !size.isNumber();
    }
    SmallVector<int64_t> multiples(symbols.size(), 1);
    promises.push_back(
        tile::PromiseAttr::get(b.getContext(), anyVector, symbols, multiples));
  }
  if (hasSymbols)
    tileKernel.setPromisesAttr(b.getArrayAttr(promises));
}

/// Sums a product into what it is added to, where nothing else uses it: then it
/// accumulates in place.
static void accumulateInDots(tile::KernelOp kernel) {
  SmallVector<tile::DotOp> dots;
  kernel.walk([&](tile::DotOp dot) { dots.push_back(dot); });
  for (tile::DotOp dot : dots) {
    if (!dot->hasOneUse())
      continue;
    Operation *sum = *dot->user_begin();
    bool isZero = matchPattern(dot.getAcc(), m_AnyZeroFloat()) ||
                  matchPattern(dot.getAcc(), m_Zero());
    if (!isZero || !isa<arith::AddFOp, arith::AddIOp>(sum) ||
        sum->getBlock() != dot->getBlock())
      continue;
    Value other = sum->getOperand(sum->getOperand(0) == dot.getResult());
    dot->moveBefore(sum);
    dot.getAccMutable().assign(other);
    sum->getResult(0).replaceAllUsesWith(dot.getResult());
    sum->erase();
  }
}

FailureOr<tile::LaunchOp> LaunchWriter::write(StringRef name,
                                              SymbolTable &symbols) {
  findTensors();
  if (failed(findResults()) || failed(findGrid()))
    return failure();
  for (auto [input, tensor] : llvm::zip(inputs, tensors))
    input = castTo(tensor, input);
  createKernel(name, symbols);
  OpBuilder builder = OpBuilder::atBlockBegin(&tileKernel.getBody().front());
  BodySizes bodySizes(*this, builder);
  writeNest(builder, bodySizes);
  if (bodySizes.isAnyMissing())
    return op.emitOpError("runs over a size that none of its operands has");
  promiseSizes();
  accumulateInDots(tileKernel);
  return tile::LaunchOp::create(
      host, op.getLoc(), resultTypes,
      FlatSymbolRefAttr::get(tileKernel.getSymNameAttr()), grid, inputs,
      resultSizes);
}
