//===- FuseToTile.cpp - kernels of graph ops to kernels of tiles ----------===//
//
// For each `fuse.kernel`: its results by element, the loop nest that its
// schedule asks for, one `tile.kernel` for each launch of it, and the launches.
//
//===----------------------------------------------------------------------===//

#include "NestWriter.h"
#include "fuse/Analysis/ScheduleOptions.h"
#include "fuse/Conversion/Passes.h"
#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

namespace fuse {
#define GEN_PASS_DEF_CONVERTFUSETOTILE
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// Nothing if it is known only when the kernel is launched.
static std::optional<int64_t> numberOfBlocks(ValueRange grid) {
  int64_t blocks = 1;
  for (Value extent : grid) {
    std::optional<int64_t> number = getConstantIntValue(extent);
    if (!number || llvm::MulOverflow(blocks, *number, blocks))
      return std::nullopt;
  }
  return blocks;
}

namespace {

/// A tensor that one launch reads or writes, and its sizes.
struct LaunchTensor {
  Value tensor;
  Type elementType;
  SmallVector<Size> sizes;

  SmallVector<int64_t> shape() const {
    SmallVector<int64_t> shape;
    for (Size size : sizes)
      shape.push_back(size.isNumber() ? size.getNumber()
                                      : ShapedType::kDynamic);
    return shape;
  }
};

/// What a nest reads and writes.
struct Uses {
  llvm::SetVector<Value> loads;
  llvm::SetVector<unsigned> roots, storedParts, loadedParts;

  void collect(const std::vector<Statement> &statements) {
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
};

/// A size that is the sum or the product of others, or the first of them
/// divided by the rest.
struct MadeSize {
  SmallVector<Size> parts;
  bool isSum = false, isProduct = false, isQuotient = false;
};

/// Where a size is; null if it is not known there.
using SizeFinder = std::function<Value(Size)>;

/// Converts one kernel.
class KernelConverter {
public:
  KernelConverter(KernelOp op, const SizeAnalysis &sizes, SymbolTable &symbols,
                  bool hasClusters)
      : op(op), sizes(sizes), symbols(symbols), hasClusters(hasClusters),
        host(op) {}

  LogicalResult convert();

private:
  LaunchTensor describe(Value tensor) const {
    return {tensor, getElementTypeOrSelf(tensor.getType()),
            sizes.sizesOf(tensor)};
  }
  LogicalResult checkOwned(unsigned numOutputVars);
  LogicalResult checkSchedule(unsigned numOutputVars);
  Value hostValueOf(Value leaf);
  FailureOr<Value> hostSizeOf(Size size);
  Value sizeOfOperand(Size size);
  std::optional<MadeSize> makerOf(Size size);
  Value sizeOnHost(Size size);
  Value numberOf(Size size);
  Value compute(OpBuilder &b, Value number, const SizeFinder &sizeOf);
  tile::OrderAttr orderOf(const Schedule &schedule, const Nest &nest);
  Uses usesOf(const Nest &nest) const;
  FailureOr<tile::LaunchOp> writeLaunch(const Nest &nest, StringRef name);

  KernelOp op;
  const SizeAnalysis &sizes;
  SymbolTable &symbols;
  bool hasClusters;
  OpBuilder host;
  const KernelView *view = nullptr;
  std::optional<KernelNest> kernel;
  SmallVector<Value> parts;
  llvm::DenseMap<unsigned, Value> results;
  /// What `compute` asks for.
  SmallVector<Size> computing;
};

} // namespace

/// A leaf of the kernel outside of it. Constants whose numbers differ are data,
/// and so an input like any other.
Value KernelConverter::hostValueOf(Value leaf) {
  if (auto argument = dyn_cast<BlockArgument>(leaf))
    return op.getInputs()[argument.getArgNumber()];
  return host.clone(*leaf.getDefiningOp())->getResult(0);
}

Value KernelConverter::sizeOfOperand(Size size) {
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
std::optional<MadeSize> KernelConverter::makerOf(Size size) {
  for (Operation &inner : op.getBodyRegion().front()) {
    MadeSize made;
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

static Value combine(OpBuilder &b, Location loc, const MadeSize &made,
                     ArrayRef<Value> parts) {
  Value all = parts.front();
  for (Value part : parts.drop_front())
    if (made.isSum)
      all = arith::AddIOp::create(b, loc, all, part);
    else if (made.isProduct)
      all = arith::MulIOp::create(b, loc, all, part);
    else
      all = arith::DivSIOp::create(b, loc, all, part);
  return all;
}

/// The index in the kernel that says a size; null if there is none.
Value KernelConverter::numberOf(Size size) {
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
Value KernelConverter::compute(OpBuilder &b, Value number,
                               const SizeFinder &sizeOf) {
  Operation *made = number.getDefiningOp();
  if (!made)
    return Value();
  if (auto dim = dyn_cast<tensor::DimOp>(made)) {
    std::optional<int64_t> place = dim.getConstantIndex();
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
Value KernelConverter::sizeOnHost(Size size) {
  if (size.isNumber())
    return arith::ConstantIndexOp::create(host, op.getLoc(), size.getNumber());
  if (Value known = sizeOfOperand(size))
    return known;
  if (std::optional<MadeSize> made = makerOf(size)) {
    SmallVector<Value> parts;
    for (Size part : made->parts)
      if (!parts.emplace_back(sizeOnHost(part)))
        return Value();
    return combine(host, op.getLoc(), *made, parts);
  }
  Value number = numberOf(size);
  if (auto argument = dyn_cast_or_null<BlockArgument>(number))
    return op.getInputs()[argument.getArgNumber()];
  auto sizeOf = [&](Size size) { return sizeOnHost(size); };
  return number ? compute(host, number, sizeOf) : Value();
}

FailureOr<Value> KernelConverter::hostSizeOf(Size size) {
  if (Value known = sizeOnHost(size))
    return known;
  return op.emitOpError("runs over a size that none of its operands has");
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

/// Says which dynamic sizes are one, as the graph needs them to be.
static void promiseSizes(tile::KernelOp kernel,
                         ArrayRef<LaunchTensor> tensors) {
  Builder b(kernel);
  // What any vector can be loaded from.
  constexpr int64_t anyVector = 16;
  bool hasSymbols = false;
  SmallVector<Attribute> promises;
  for (const LaunchTensor &tensor : tensors) {
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
    kernel.setPromisesAttr(b.getArrayAttr(promises));
}

/// Of one launch. What blocks merge in their cluster is nowhere in memory.
Uses KernelConverter::usesOf(const Nest &nest) const {
  Uses uses;
  uses.collect(nest.body);
  if (kernel->mergesInCluster) {
    uses.collect(kernel->nests.back().body);
    uses.storedParts.clear();
    uses.loadedParts.clear();
  }
  return uses;
}

FailureOr<tile::LaunchOp> KernelConverter::writeLaunch(const Nest &nest,
                                                       StringRef name) {
  Location loc = op.getLoc();
  Uses uses = usesOf(nest);

  // The arguments, inputs first.
  auto part = [&](unsigned number) {
    const PartBuffer &buffer = kernel->parts[number];
    return LaunchTensor{Value(), buffer.type, buffer.shape};
  };
  SmallVector<LaunchTensor> tensors;
  SmallVector<Value> inputs;
  for (Value load : uses.loads) {
    tensors.push_back(describe(load));
    inputs.push_back(hostValueOf(load));
  }
  for (unsigned number : uses.loadedParts) {
    tensors.push_back(part(number));
    inputs.push_back(parts[number]);
  }
  size_t numInputs = tensors.size();
  for (unsigned root : uses.roots)
    tensors.push_back(describe(view->roots[root].value));
  for (unsigned number : uses.storedParts)
    tensors.push_back(part(number));

  SmallVector<Type> memory, resultTypes;
  SmallVector<Value> resultSizes, grid;
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    memory.push_back(MemRefType::get(tensor.shape(), tensor.elementType));
    if (i < numInputs)
      continue;
    resultTypes.push_back(
        RankedTensorType::get(tensor.shape(), tensor.elementType));
    for (Size size : tensor.sizes) {
      if (size.isNumber())
        continue;
      FailureOr<Value> value = hostSizeOf(size);
      if (failed(value))
        return failure();
      resultSizes.push_back(*value);
    }
  }
  if (nest.chunk)
    grid.push_back(arith::ConstantIndexOp::create(
        host, loc, nest.chunk->size.getNumber()));
  TileSizes windows = kernel->sizesOf(nest);
  for (const IndexVar &var : nest.grid) {
    FailureOr<Value> size = hostSizeOf(var.size);
    if (failed(size))
      return failure();
    Value window =
        arith::ConstantIndexOp::create(host, loc, windows.sizeOf(var));
    grid.push_back(host.createOrFold<arith::CeilDivSIOp>(loc, *size, window));
  }
  // Types with sizes that are known only here, in the launch.
  auto castTo = [&](const LaunchTensor &tensor, Value input) -> Value {
    auto type = RankedTensorType::get(tensor.shape(), tensor.elementType);
    return host.createOrFold<tensor::CastOp>(loc, type, input);
  };
  for (auto [input, tensor] : llvm::zip(inputs, tensors))
    input = castTo(tensor, input);

  OpBuilder builder(op->getParentOfType<func::FuncOp>());
  auto tileKernel = tile::KernelOp::create(
      builder, loc, name, memory, tensors.size() - numInputs, grid.size());
  symbols.insert(tileKernel);
  if (std::optional<int64_t> blocks = numberOfBlocks(grid)) {
    tileKernel->setAttr("tile.blocks", builder.getI64IntegerAttr(*blocks));
    auto extents = llvm::map_to_vector(
        grid, [](Value extent) { return *getConstantIntValue(extent); });
    tileKernel->setAttr("tile.grid", builder.getDenseI64ArrayAttr(extents));
  }
  // For plans that people read: what it was made of, and how.
  llvm::SetVector<StringRef> ops;
  for (Operation &inner : op.getBodyRegion().front().without_terminator())
    if (!inner.hasTrait<OpTrait::ConstantLike>() &&
        isa<RankedTensorType>(inner.getResult(0).getType()))
      ops.insert(inner.getName().getStringRef());
  tileKernel->setAttr("ops", builder.getStrArrayAttr(ops.getArrayRef()));
  if (ScheduleAttr schedule = op.getScheduleAttr()) {
    tileKernel->setAttr("schedule", schedule);
    // What placing and staging read, which know no graph.
    const Schedule &value = schedule.getValue();
    // Who merges has little to do.
    auto warps = nest.isMerge ? std::nullopt : value.warps;
    auto crews = nest.isMerge ? std::nullopt : value.crews;
    auto share = nest.isMerge ? std::nullopt : value.share;
    for (auto [name, number] : {std::pair("tile.warps", warps),
                                {"tile.crews", crews},
                                {"tile.stages", value.stages},
                                {"tile.roles", value.roles},
                                {"tile.residents", value.residents},
                                {"tile.share", share}})
      if (number)
        tileKernel->setAttr(name, builder.getI64IntegerAttr(*number));
    if (!value.cluster.empty() && !nest.isMerge) {
      std::vector<int64_t> cluster = value.cluster;
      // A grid has chunks before what the schedule knows of.
      if (nest.chunk)
        cluster.insert(cluster.begin(), 1);
      tileKernel->setAttr("tile.cluster",
                          builder.getDenseI64ArrayAttr(cluster));
    }
    if (tile::OrderAttr order = orderOf(value, nest))
      tileKernel->setAttr("tile.order", order);
  }
  builder.setInsertionPointToStart(&tileKernel.getBody().front());
  NestWriter::Memory arguments;
  auto buffers = tileKernel.getMemory();
  unsigned next = 0;
  for (Value load : uses.loads) {
    arguments.inputs[load] = buffers[next++];
    arguments.sizes[load] = sizes.sizesOf(load);
  }
  for (unsigned number : uses.loadedParts)
    arguments.parts[number] = buffers[next++];
  for (unsigned root : uses.roots)
    arguments.roots[root] = buffers[next++];
  for (unsigned number : uses.storedParts)
    arguments.parts[number] = buffers[next++];

  // Sizes that are symbols are read off the arguments, once.
  llvm::DenseMap<int64_t, Value> known;
  Operation *last = nullptr;
  bool isMissing = false;
  auto readSize = [&](Size size) -> Value {
    for (auto [tensor, buffer] : llvm::zip(tensors, tileKernel.getMemory()))
      for (auto [dim, own] : llvm::enumerate(tensor.sizes))
        if (own == size)
          return memref::DimOp::create(builder, loc, buffer, dim);
    // Who merges parts reads nothing that has the size of what was split, by
    // which a mean is divided. Then a tensor is there for its size.
    for (BlockArgument argument : op.getBodyRegion().getArguments()) {
      if (!isa<RankedTensorType>(argument.getType()))
        continue;
      LaunchTensor tensor = describe(argument);
      auto *own = llvm::find(tensor.sizes, size);
      if (own == tensor.sizes.end())
        continue;
      BlockArgument buffer = tileKernel.getBody().insertArgument(
          inputs.size(), MemRefType::get(tensor.shape(), tensor.elementType),
          loc);
      tensors.insert(tensors.begin() + inputs.size(), tensor);
      inputs.push_back(castTo(tensor, hostValueOf(argument)));
      return memref::DimOp::create(builder, loc, buffer,
                                   own - tensor.sizes.begin());
    }
    return Value();
  };
  SizeFinder sizeOf = [&](Size size) -> Value {
    if (Value value =
            size.isNumber() ? Value() : known.lookup(size.getSymbol()))
      return value;
    OpBuilder::InsertionGuard guard(builder);
    auto standBehindLast = [&] {
      if (last)
        builder.setInsertionPointAfter(last);
      else
        builder.setInsertionPointToStart(&tileKernel.getBody().front());
    };
    standBehindLast();
    Value value;
    if (size.isNumber()) {
      value = arith::ConstantIndexOp::create(builder, loc, size.getNumber());
    } else if (!(value = readSize(size))) {
      SmallVector<Value> parts;
      std::optional<MadeSize> made = makerOf(size);
      if (made)
        parts = llvm::map_to_vector(made->parts, sizeOf);
      standBehindLast();
      if (made)
        value = combine(builder, loc, *made, parts);
      else if (Value number = numberOf(size))
        value = compute(builder, number, sizeOf);
      isMissing |= !value;
      if (!value)
        value = arith::ConstantIndexOp::create(builder, loc, 0);
    }
    last = value.getDefiningOp();
    if (!size.isNumber())
      known[size.getSymbol()] = value;
    return value;
  };
  NestWriter writer(builder, loc, *kernel, nest, arguments, sizeOf);
  writer.write(tileKernel.getPlace());
  int64_t farthest = writer.getFarthest();
  if (kernel->mergesInCluster) {
    NestWriter merge(builder, loc, *kernel, kernel->nests.back(), arguments,
                     sizeOf);
    merge.writeMerge(tileKernel.getPlace(), writer.collectParts());
    farthest = std::max(farthest, merge.getFarthest());
    SmallVector<int64_t> cluster(grid.size(), 1);
    cluster.front() = nest.chunk->size.getNumber();
    tileKernel->setAttr("tile.cluster", builder.getDenseI64ArrayAttr(cluster));
  }
  if (farthest > 0 && farthest <= tile::kFarthestPosition)
    tileKernel->setAttr(tile::farthestAttrName,
                        builder.getI64IntegerAttr(farthest));
  if (isMissing)
    return op.emitOpError("runs over a size that none of its operands has");
  promiseSizes(tileKernel, tensors);
  accumulateInDots(tileKernel);
  return tile::LaunchOp::create(
      host, loc, resultTypes,
      FlatSymbolRefAttr::get(tileKernel.getSymNameAttr()), grid, inputs,
      resultSizes);
}

/// A grid has chunks before what the schedule knows of.
tile::OrderAttr KernelConverter::orderOf(const Schedule &schedule,
                                         const Nest &nest) {
  if (schedule.order.empty())
    return {};
  SmallVector<int64_t> slowest, down;
  for (const Schedule::Order &order : schedule.order) {
    slowest.push_back(order.place + (nest.chunk ? 1 : 0));
    if (order.isDown)
      down.push_back(slowest.back());
  }
  return tile::OrderAttr::get(op.getContext(), slowest, down);
}

/// What a block is to own has to be there before anything else is known.
LogicalResult KernelConverter::checkOwned(unsigned numOutputVars) {
  if (!op.getScheduleAttr() || !op.getScheduleAttr().getValue().owned)
    return success();
  const Schedule::Owned &owned = *op.getScheduleAttr().getValue().owned;
  auto error = [&] {
    return op.emitOpError("has a schedule that lets a block own ");
  };
  if (owned.last > numOutputVars)
    return error() << owned.last << " variables of its output, but that has "
                   << numOutputVars;
  for (int64_t place : owned.places)
    if (place >= numOutputVars)
      return error() << "variable " << place << " of its output, but that has "
                     << numOutputVars;
  return success();
}

/// A schedule says how this kernel is run, so all that it names has to be
/// there, and all that it asks for has to be possible.
LogicalResult KernelConverter::checkSchedule(unsigned numOutputVars) {
  if (!op.getScheduleAttr())
    return success();
  const Schedule &schedule = op.getScheduleAttr().getValue();
  auto error = [&] { return op.emitOpError("has a schedule that "); };
  if (schedule.parallel.size() > numOutputVars)
    return error() << "gives tiles to " << schedule.parallel.size()
                   << " variables of its output, but that has "
                   << numOutputVars;
  SmallVector<LoopName> names;
  for (const IndexVar &var : view->owned)
    names.push_back(loopNameOf(var));
  for (const Element *reduction : view->reductions)
    for (const IndexVar &var : reduction->boundVars())
      names.push_back(loopNameOf(var));
  for (const Schedule::Loop &loop : schedule.sequential)
    if (!llvm::is_contained(names, loop.name)) {
      SmallVector<std::string> known;
      auto textOf = [](const LoopName &name) {
        std::string text;
        llvm::raw_string_ostream(text) << name;
        return text;
      };
      for (const LoopName &name : names)
        if (std::string text = textOf(name); !llvm::is_contained(known, text))
          known.push_back(text);
      return error() << "gives a tile to " << textOf(loop.name)
                     << ", which no reduction of it runs over; "
                     << (known.empty()
                             ? "it has none"
                             : "they run over " + llvm::join(known, ", "));
    }
  for (const Nest &nest : kernel->nests)
    for (const Schedule::Order &order : schedule.order)
      if (order.place >= static_cast<int64_t>(nest.grid.size()))
        return error() << "orders variable " << order.place
                       << " of the grid, but that has " << nest.grid.size();
  for (const Nest &nest : kernel->nests)
    if (!schedule.cluster.empty() && !nest.isMerge &&
        schedule.cluster.size() != nest.grid.size())
      return error() << "gives clusters " << schedule.cluster.size()
                     << " dimensions, but its grid has " << nest.grid.size();
  int64_t count = view->reductions.size();
  for (const Schedule::Cascade &cascade : schedule.cascades) {
    if (std::max(cascade.reduction, cascade.statistic) >= count)
      return error() << "names reduction "
                     << std::max(cascade.reduction, cascade.statistic)
                     << ", but it has " << count;
    // A loop of its own, asked for by one pair, settles the others.
    bool isAlone =
        llvm::any_of(schedule.cascades, [&](const Schedule::Cascade &other) {
          return other.reduction == cascade.reduction &&
                 other.strategy == CascadeStrategy::Sequential;
        });
    if (isAlone || cascade.strategy == CascadeStrategy::Auto)
      continue;
    if (!llvm::is_contained(view->reductions[cascade.reduction]->reductions(),
                            view->reductions[cascade.statistic]))
      return error() << "asks for " << cascade.reduction << " wrt "
                     << cascade.statistic << " = "
                     << stringifyCascadeStrategy(cascade.strategy)
                     << ", but reduction " << cascade.reduction
                     << " does not depend on reduction " << cascade.statistic;
    for (const NestCascade &found : kernel->cascades)
      if (found.reduction == cascade.reduction &&
          found.statistic == cascade.statistic &&
          found.strategy != cascade.strategy) {
        InFlightDiagnostic diagnostic =
            error() << "asks for " << cascade.reduction << " wrt "
                    << cascade.statistic << " = "
                    << stringifyCascadeStrategy(cascade.strategy)
                    << ", but it would be "
                    << stringifyCascadeStrategy(found.strategy);
        for (const std::string &note : kernel->notes)
          diagnostic.attachNote() << note;
        return diagnostic;
      }
  }
  return success();
}

LogicalResult KernelConverter::convert() {
  SmallVector<Value> roots(op.getYielded());
  KernelElements elements(sizes, roots, {});
  if (!elements.whyNot().empty())
    return op.emitOpError() << elements.whyNot();
  if (failed(checkOwned(elements.numOutputVars())))
    return failure();
  std::string whyNot;
  NestOptions options = nestOptionsFor(op.getScheduleAttr(), elements);
  bool wantsCluster = options.mergesInCluster;
  options.mergesInCluster &= hasClusters;
  kernel = buildNest(elements, options, whyNot);
  if (!kernel) {
    InFlightDiagnostic error = op.emitOpError("cannot be one kernel: ")
                               << whyNot;
    if (Operation *failed = elements.failedOp())
      error.attachNote(failed->getLoc()) << "this op";
    return failure();
  }
  std::optional<OwnedVars> owned =
      options.owned ? options.owned : elements.deriveOwned();
  view = elements.view(*owned);
  if (failed(checkSchedule(elements.numOutputVars())))
    return failure();
  for (const std::string &note : kernel->notes)
    remark::analysis(
        op.getLoc(),
        remark::RemarkOpts::name("ConvertFuseToTile").category("schedule"))
        << (op.getName() + ": " + note).str();

  if (wantsCluster && !kernel->mergesInCluster)
    op.emitRemark("merges in a launch of its own: ")
        << (!hasClusters ? "there are no clusters"
            : !kernel->isSplit()
                ? "no loop of it is split"
                : "no window of its grid, whose size is known, has enough for "
                  "each block");
  parts.resize(kernel->parts.size());
  for (auto [i, nest] : llvm::enumerate(kernel->nests)) {
    Uses uses = usesOf(nest);
    FailureOr<tile::LaunchOp> launch = writeLaunch(
        nest, i == 0 ? op.getName() : (op.getName() + "_merge").str());
    if (failed(launch))
      return failure();
    unsigned next = 0;
    for (unsigned root : uses.roots)
      results[root] = launch->getResult(next++);
    for (unsigned number : uses.storedParts)
      parts[number] = launch->getResult(next++);
    // One launch does it all.
    if (kernel->mergesInCluster)
      break;
  }
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Value value = results.lookup(i);
    if (value.getType() != result.getType())
      value =
          tensor::CastOp::create(host, op.getLoc(), result.getType(), value);
    result.replaceAllUsesWith(value);
  }
  op.erase();
  return success();
}

namespace {

struct ConvertFuseToTilePass final
    : fuse::impl::ConvertFuseToTileBase<ConvertFuseToTilePass> {
  using ConvertFuseToTileBase::ConvertFuseToTileBase;

  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isExternal())
        continue;
      SmallVector<KernelOp> kernels;
      function.walk([&](KernelOp kernel) { kernels.push_back(kernel); });
      for (KernelOp kernel : kernels) {
        SizeAnalysis sizes(kernel);
        if (failed(
                KernelConverter(kernel, sizes, symbols, hasClusters).convert()))
          return signalPassFailure();
      }
    }
  }
};

} // namespace
