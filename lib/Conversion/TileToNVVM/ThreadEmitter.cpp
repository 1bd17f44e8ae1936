//===- ThreadEmitter.cpp - one thread's share of a kernel -----------------===//
//
// Ops in their order: what is pointwise, what counts, and control flow.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static bool isTile(Value value) {
  return isa<RankedTensorType>(value.getType());
}

ThreadEmitter::ThreadEmitter(ImplicitLocOpBuilder &builder,
                             const SharedMemory &shared, Value thread,
                             Value sharedBase)
    : b(builder), shared(shared), thread(thread), sharedBase(sharedBase),
      blockBase(sharedBase), threadOfTile(thread),
      prologue(sharedBase.getDefiningOp()) {}

void ThreadEmitter::shareTiles(int64_t blocks, int64_t threads) {
  if (blocks == 1)
    return;
  haveToMeet = true;
  Value rank = rankInCluster();
  threadOfTile = arith::OrIOp::create(
      b, thread, arith::ShLIOp::create(b, rank, i32(llvm::Log2_64(threads))));
  prologue = threadOfTile.getDefiningOp();
}

LogicalResult ThreadEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emit(&op)))
      return failure();
  return success();
}

/// The same op on vectors, or on scalars where it is one of them.
void ThreadEmitter::emitElementwise(Operation *op) {
  OperationState state(op->getLoc(), op->getName());
  unsigned count = 0;
  for (Value operand : op->getOperands())
    if (isTile(operand))
      count = vectorOf(operand.getType()).getDimSize(0);
  for (Value operand : op->getOperands()) {
    Value mapped = mapping.lookup(operand);
    // A condition of a select may be one number for all.
    if (count != 0 && !isTile(operand) && !isa<arith::SelectOp>(op))
      mapped = splat(mapped, count);
    state.operands.push_back(mapped);
  }
  for (Value result : op->getResults())
    state.types.push_back(isTile(result) ? Type(vectorOf(result.getType()))
                                         : result.getType());
  state.addAttributes(op->getAttrs());
  Operation *made = b.create(state);
  for (auto [result, vector] :
       llvm::zip_equal(op->getResults(), made->getResults()))
    mapping.map(result, vector);
}

void ThreadEmitter::emitConstant(arith::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements || !isTile(op.getResult())) {
    mapping.map(op.getResult(), arith::ConstantOp::create(b, op.getValue()));
    return;
  }
  mapping.map(op.getResult(),
              arith::ConstantOp::create(
                  b, elements.resizeSplat(vectorOf(op.getType()))));
}

Value ThreadEmitter::emitIota(IotaOp op) {
  RankedTensorType type = op.getResult().getType();
  const Layout &layout = layoutOf(type).getValue();
  unsigned count = layout.numRegisters();
  Type element = type.getElementType();
  // Integers wrap, so they may as well be counted in their own type.
  bool isNarrow =
      element.isSignlessInteger() && element.getIntOrFloatBitWidth() <= 32;
  Type counted = isNarrow ? b.getI32Type() : b.getI64Type();
  Value base =
      arith::IndexCastOp::create(b, counted, mapping.lookup(op.getBase()));
  Value sum = splat(base, count);
  for (auto [axis, factor] : llvm::enumerate(op.getCoefficients())) {
    if (factor == 0 || type.getDimSize(axis) == 1)
      continue;
    Value at = positions(layout, axis);
    auto countedType = VectorType::get(count, counted);
    if (!isNarrow)
      at = arith::ExtSIOp::create(b, countedType, at);
    if (factor != 1)
      at = arith::MulIOp::create(
          b, at, constant(b.getIntegerAttr(counted, factor), count));
    sum = arith::AddIOp::create(b, sum, at);
  }
  VectorType result = vectorOf(type);
  if (element == counted)
    return sum;
  if (element.isIndex())
    return arith::IndexCastOp::create(b, result, sum);
  if (isa<FloatType>(element))
    return arith::SIToFPOp::create(b, result, sum);
  return arith::TruncIOp::create(b, result, sum);
}

Value ThreadEmitter::emitMask(MaskOp op) {
  const Layout &layout = layoutOf(op.getType()).getValue();
  unsigned count = layout.numRegisters();
  Value inside;
  for (auto [limit, axis] : llvm::zip_equal(op.getLimits(), op.getAxes())) {
    Value isBelow =
        areBelow(layout, axis, limit32(limit), leastOf(limit), mostOf(limit));
    inside = inside ? arith::AndIOp::create(b, inside, isBelow).getResult()
                    : isBelow;
  }
  for (auto [unmapped, axis] : llvm::zip_first(op.getStarts(), op.getAxes())) {
    Value start = limit32(unmapped);
    SmallVector<Value> are;
    for (unsigned reg = 0; reg < count; ++reg) {
      Value is = isFrom(layout, axis, reg, start, mostOf(unmapped));
      are.push_back(
          is ? is
             : arith::ConstantOp::create(b, b.getBoolAttr(true)).getResult());
    }
    inside = arith::AndIOp::create(b, inside, vectorOfElements(are));
  }
  return arith::SelectOp::create(b, inside, vectorFor(op.getSource()),
                                 constant(op.getOtherwise(), count));
}

/// Whether a loop goes from place to place of the grid. Who does that writes
/// thousands of bytes at each, and no memory holds 2^31 times as many: 32 bits
/// are enough to count them, and take half of the registers.
static bool isWayThroughGrid(scf::ForOp loop) {
  return loop->getParentOfType<KernelOp>().getWalks() &&
         isa<KernelOp, RoleOp>(loop->getParentOp());
}

LogicalResult ThreadEmitter::emitLoop(scf::ForOp loop) {
  SmallVector<Value> inits;
  llvm::SmallDenseMap<unsigned, ReduceOp> behind;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs())) {
    inits.push_back(mapping.lookup(init));
    SmallVector<OpOperand *> added;
    ReduceOp reduce = postponedReduction(loop, number, added);
    if (!reduce)
      continue;
    for (OpOperand *alike : added)
      addedOnce[alike->getOwner()] = {alike, reduce};
    behind[number] = reduce;
    postponed.insert(reduce);
    inits.back() = shareOfThread(inits.back(), reduce);
  }
  bool isWay = isWayThroughGrid(loop);
  auto bound = [&](Value value) {
    value = mapping.lookup(value);
    return isWay ? arith::IndexCastUIOp::create(b, b.getI32Type(), value)
                 : value;
  };
  auto made = scf::ForOp::create(b, bound(loop.getLowerBound()),
                                 bound(loop.getUpperBound()),
                                 bound(loop.getStep()), inits);
  for (auto [argument, inside] :
       llvm::zip_equal(loop.getRegionIterArgs(), made.getRegionIterArgs()))
    mapping.map(argument, inside);

  // What a round does meets what the one before it did. What rounds only read
  // was written before the loop, and a barrier there spares one in each.
  Hazards rounds;
  rounds.collect(loop, shared,
                 [&](Operation *op) { return postponed.contains(op); });
  if (llvm::any_of(rounds.read, [&](const SharedRange &range) {
        return hazards.needsBarrierBeforeRead(range) &&
               !rounds.needsBarrierBeforeRead(range);
      })) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(made);
    barrier();
  }
  Hazards before = hazards;
  hazards.add(rounds);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(made.getBody());
    // Without results there is a terminator already.
    if (!made.getBody()->empty())
      b.setInsertionPoint(made.getBody()->getTerminator());
    Value round = made.getInductionVar();
    mapping.map(loop.getInductionVar(),
                isWay ? arith::IndexCastUIOp::create(b, b.getIndexType(), round)
                      : round);
    if (failed(emitBlock(*loop.getBody())))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : loop.getYieldedValues())
      yielded.push_back(mapping.lookup(value));
    if (!yielded.empty())
      scf::YieldOp::create(b, yielded);
  }
  hazards.add(before);
  for (auto [number, result] : llvm::enumerate(made.getResults())) {
    Value whole = result;
    if (ReduceOp reduce = behind.lookup(number))
      whole = combineThreads(reduce, result);
    mapping.map(loop.getResult(number), whole);
  }
  return success();
}

LogicalResult ThreadEmitter::emitBranch(scf::IfOp branch) {
  SmallVector<Type> types;
  for (Value result : branch.getResults())
    types.push_back(typeForThread(result.getType()));
  bool hasElse = !branch.getElseRegion().empty();
  auto made = scf::IfOp::create(b, types, mapping.lookup(branch.getCondition()),
                                /*addThenBlock=*/true, hasElse);
  Hazards before = hazards, after;
  if (!hasElse)
    after = before;
  for (auto [region, own] :
       llvm::zip_equal(branch->getRegions(), made->getRegions())) {
    if (region.empty())
      continue;
    hazards = before;
    OpBuilder::InsertionGuard guard(b);
    Block &block = own.front();
    b.setInsertionPointToStart(&block);
    if (failed(emitBlock(region.front())))
      return failure();
    SmallVector<Value> yielded;
    for (Value value : region.front().getTerminator()->getOperands())
      yielded.push_back(mapping.lookup(value));
    if (!block.mightHaveTerminator())
      scf::YieldOp::create(b, yielded);
    after.add(hazards);
  }
  hazards = after;
  for (auto [result, own] :
       llvm::zip_equal(branch.getResults(), made.getResults()))
    mapping.map(result, own);
  return success();
}

LogicalResult ThreadEmitter::emit(Operation *op) {
  b.setLoc(op->getLoc());
  // What is read at first is on its way by then.
  if (haveToMeet && isa<KernelOp>(op->getParentOp()) &&
      (op->getNumRegions() != 0 || llvm::any_of(op->getOperands(), isTile))) {
    haveToMeet = false;
    beginCluster();
  }
  if (auto once = addedOnce.find(op); once != addedOnce.end()) {
    mapping.map(op->getResult(0),
                addOnce(*once->second.first, once->second.second));
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ConstantOp constant) {
        emitConstant(constant);
        return success();
      })
      .Case([&](LoadOp load) {
        return emitLoad(MemoryAccess::of(load), load.getResult(), {});
      })
      .Case([&](GatherOp gather) {
        SmallVector<Value> positions;
        for (Value value : gather.getPositions())
          positions.push_back(vectorFor(value));
        return emitLoad(MemoryAccess::of(gather), gather.getResult(),
                        positions);
      })
      .Case([&](StoreOp store) {
        return store.getStaged() ? emitStagedStore(store) : emitStore(store);
      })
      .Case([&](DotOp dot) { return emitDot(dot); })
      .Case([&](ReduceOp reduce) { return emitReduce(reduce); })
      .Case([&](CollectOp collect) { return emitCollect(collect); })
      .Case([&](ConvertLayoutOp convert) { return emitConvert(convert); })
      .Case([&](RolesOp roles) { return emitRoles(roles); })
      .Case<RingOp, AcquireOp, CopyOp, CommitOp, WaitOp, ReleaseOp>(
          [&](auto) { return emitRingOp(op); })
      .Case<DotIssueOp, StartOp, TakeOp, RetireOp, PinOp>(
          [&](auto) { return emitInFlight(op); })
      .Case<TakeTurnOp, GiveTurnOp>([&](auto) {
        emitTurn(op->getParentOfType<RoleOp>(), isa<TakeTurnOp>(op));
        return success();
      })
      .Case([&](scf::ForOp loop) { return emitLoop(loop); })
      .Case([&](scf::IfOp branch) { return emitBranch(branch); })
      .Default([&](Operation *) { return emitComputed(op); });
}

LogicalResult ThreadEmitter::emitComputed(Operation *op) {
  FailureOr<Value> result = valueOf(op);
  if (failed(result))
    return failure();
  if (*result) {
    mapping.map(op->getResult(0), *result);
    return success();
  }
  bool touchesTiles = llvm::any_of(op->getOperands(), isTile) ||
                      llvm::any_of(op->getResults(), isTile);
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      (touchesTiles && !OpTrait::hasElementwiseMappableTraits(op)))
    return op->emitOpError("cannot be lowered for a GPU");
  if (Value shifted = emitShifted(op))
    mapping.map(op->getResult(0), shifted);
  else
    emitElementwise(op);
  return success();
}

FailureOr<Value> ThreadEmitter::valueOf(Operation *op) {
  using Result = FailureOr<Value>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](memref::DimOp dim) -> Result {
        std::optional<int64_t> number = dim.getConstantIndex();
        if (!number)
          return op->emitOpError("asks for a dimension that is known at run "
                                 "time only");
        return memories.find(dim.getSource())->second.sizes[*number];
      })
      .Case([&](HoldOp hold) { return emitHold(hold); })
      .Case([&](CrewOp) -> Value {
        if (!crewNumber)
          return index(0);
        return arith::IndexCastUIOp::create(b, b.getIndexType(), crewNumber);
      })
      .Case([&](BroadcastOp broadcast) {
        const Layout &result = layoutOf(broadcast.getType()).getValue();
        return pick(vectorFor(broadcast.getSource()),
                    result.slice(broadcast.getNewAxes()).sliceOf);
      })
      .Case(
          [&](RoundOp round) { return rounded(vectorFor(round.getSource())); })
      .Case([&](TransposeOp transpose) {
        const Layout &source =
            layoutOf(transpose.getSource().getType()).getValue();
        return pick(
            vectorFor(transpose.getSource()),
            source.transpose(toUnsigned(transpose.getPermutation())).sources);
      })
      .Case([&](IotaOp iota) { return emitIota(iota); })
      .Case<LeastOp, MostOp>(
          [&](auto) { return emitBound(op, isa<LeastOp>(op)); })
      .Case([&](MaskOp mask) { return emitMask(mask); })
      .Case(
          [&](arith::SIToFPOp convert) { return emitFloatPositions(convert); })
      .Case([&](arith::CmpIOp compare) { return emitCountedCompare(compare); })
      .Case([&](tensor::ExtractOp extract) -> Result {
        int64_t rank = extract.getTensor().getType().getRank();
        if (rank != 0)
          return op->emitOpError("takes a number out of a tile of rank ")
                 << rank << ", but needs one of rank 0";
        return vector::ExtractOp::create(b, vectorFor(extract.getTensor()),
                                         int64_t(0))
            .getResult();
      })
      .Case<tensor::SplatOp, tensor::FromElementsOp>([&](auto) -> Value {
        if (op->getNumOperands() != 1)
          return {};
        return splat(mapping.lookup(op->getOperand(0)),
                     vectorOf(op->getResult(0).getType()).getDimSize(0));
      })
      .Default([](Operation *) { return Value(); });
}

LogicalResult ThreadEmitter::fetchAhead(KernelOp kernel, int64_t threads) {
  // Blocks that have no room at first need not wait later: of the others a GPU
  // has no more than these.
  constexpr int64_t processors = 160, mostThreads = 2048;
  Value mayWait;
  // What depends on where the block is, and what is known of that. Along a
  // dimension with one block all are at the same place.
  llvm::SmallPtrSet<Value, 16> own;
  auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.grid");
  for (auto [dim, place] : llvm::enumerate(kernel.getPlace()))
    if (!grid || static_cast<int64_t>(dim) >= grid.size() || grid[dim] != 1)
      own.insert(place);
  auto isKnown = [&](Value value) { return mapping.contains(value); };
  for (Operation &op : kernel.getBody().front()) {
    bool isOwn = llvm::any_of(op.getOperands(),
                              [&](Value value) { return own.contains(value); });
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (isOwn && llvm::all_of(load.getIndices(), isKnown) &&
          llvm::all_of(load.getLimits(), isKnown) &&
          llvm::all_of(load.getStarts(), isKnown)) {
        if (!mayWait) {
          Value number = NVVM::BlockIdXOp::create(b, b.getI32Type());
          mayWait =
              arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number,
                                    i32(processors * mostThreads / threads));
        }
        fetch(load, mayWait);
      }
      continue;
    }
    bool isNumber =
        op.getNumRegions() == 0 && isPure(&op) &&
        llvm::none_of(op.getOperands(), isTile) &&
        llvm::none_of(op.getResults(), isTile) &&
        (isa<memref::DimOp>(op) || llvm::all_of(op.getOperands(), isKnown));
    if (!isNumber || op.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (failed(emit(&op)))
      return failure();
    if (isOwn)
      own.insert(op.result_begin(), op.result_end());
  }
  return success();
}

void ThreadEmitter::waitForOthers() {
  // Those behind get no further than to here until this kernel has ended. Loads
  // of memory that this kernel does not write may go anywhere, but not before
  // they know their address.
  Value nothing =
      LLVM::InlineAsmOp::create(
          b, b.getI64Type(), ValueRange(),
          "griddepcontrol.wait;\n\tgriddepcontrol.launch_dependents;\n\t"
          "mov.b64 $0, 0;",
          "=l,~{memory}", /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
          /*operand_attrs=*/{})
          .getResult(0);
  for (auto &memory : memories)
    memory.second.address = advance(memory.second.address, nothing);
}

int64_t tile::registersOfThread(Operation *op) {
  constexpr int64_t perProcessor = 65536, most = 255;
  auto role = op->getParentOfType<RoleOp>();
  if (role && role.getRegisters())
    return *role.getRegisters();
  auto kernel = op->getParentOfType<KernelOp>();
  int64_t warps = 0;
  kernel.walk([&](RoleOp other) { warps += other.getAllWarps(); });
  auto numberOf = [&](StringRef name, int64_t otherwise) {
    auto number = kernel->getAttrOfType<IntegerAttr>(name);
    return number ? number.getInt() : otherwise;
  };
  warps = std::max(warps, numberOf("tile.warps", 1));
  int64_t blocks = numberOf("tile.residents", 1);
  return std::min(most, perProcessor / (warps * numLanes * blocks));
}
