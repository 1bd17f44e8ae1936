//===- Exchange.cpp - what threads tell each other ------------------------===//
//
// Reductions over threads, and tiles that go from one layout to another. Plans
// of both come from the layouts; here they are only carried out.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "ThreadEmitter.h"
#include "fuse/Dialect/Tile/Analysis/Scratch.h"
#include "fuse/Dialect/Tile/Analysis/SharedPlaces.h"
#include "fuse/Dialect/Tile/Analysis/StagedStore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

void ThreadEmitter::barrier() {
  // The other role goes its own ways, and so does another crew.
  if (crewNumber)
    assemble(b, "bar.sync $0, " + std::to_string(*roleThreads) + ";",
             "r,~{memory}",
             {arith::AddIOp::create(b, crewNumber, i32(firstCrewBarrier))}, 0);
  else if (roleThreads)
    assemble(b, "bar.sync 1, " + std::to_string(*roleThreads) + ";",
             "~{memory}", {}, 0);
  else
    NVVM::Barrier0Op::create(b);
  hazards.clear();
}

void ThreadEmitter::willWrite(const SharedRange &range) {
  if (hazards.needsBarrierBeforeWrite(range))
    barrier();
  hazards.written.push_back(range);
}

void ThreadEmitter::willRead(ArrayRef<SharedRange> ranges) {
  if (llvm::any_of(ranges, [&](const SharedRange &range) {
        return hazards.needsBarrierBeforeRead(range);
      }))
    barrier();
  llvm::append_range(hazards.read, ranges);
}

void ThreadEmitter::willReadTiles(ValueRange tiles) {
  SmallVector<SharedRange> ranges;
  for (Value tile : tiles)
    if (auto convert = tile.getDefiningOp<ConvertLayoutOp>();
        convert && sharedLayoutOf(convert.getType()))
      ranges.push_back(shared.rangeOf(convert));
  willRead(ranges);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// What another lane has: the one whose number differs in the bits of `lane`,
/// or the one with that number.
Value ThreadEmitter::shuffle(Value element, Value lane, bool isButterfly) {
  Type type = element.getType();
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto kind = isButterfly ? NVVM::ShflKind::bfly : NVVM::ShflKind::idx;
  auto exchange = [&](Value word) -> Value {
    return NVVM::ShflOp::create(b, b.getI32Type(), i32(-1), word, lane, i32(31),
                                kind, UnitAttr());
  };
  if (type.isIndex()) {
    Value wide = arith::IndexCastOp::create(b, b.getI64Type(), element);
    return arith::IndexCastOp::create(b, type,
                                      shuffle(wide, lane, isButterfly));
  }
  Type integer = b.getIntegerType(bits);
  Value asInteger =
      type == integer ? element : arith::BitcastOp::create(b, integer, element);
  Value moved;
  if (bits == 64) {
    auto pair = VectorType::get(2, b.getI32Type());
    Value halves =
        vector::BitCastOp::create(b, pair, vectorOfElements({asInteger}));
    SmallVector<Value> words = elementsOf(halves);
    for (Value &word : words)
      word = exchange(word);
    moved = elementsOf(vector::BitCastOp::create(b, VectorType::get(1, integer),
                                                 vectorOfElements(words)))[0];
  } else if (bits == 32) {
    moved = exchange(asInteger);
  } else {
    Value wide = arith::ExtUIOp::create(b, b.getI32Type(), asInteger);
    moved = arith::TruncIOp::create(b, integer, exchange(wide));
  }
  return type == integer ? moved : arith::BitcastOp::create(b, type, moved);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value ThreadEmitter::combineStored(ReduceOp op, Value sum, Value like,
                                   function_ref<Value(int64_t)> at) {
  auto type = cast<VectorType>(like.getType());
  SmallVector<Value> parts;
  for (int64_t number = 0; number < type.getNumElements(); ++number)
    parts.push_back(elementsOf(
        loadVector(at(number), storedType(type.getElementType()), 1, Value(),
                   /*isGlobal=*/false))[0]);
  Value part = fromStored(vectorOfElements(parts), type.getElementType());
  return sum ? combine(b, op.getKind(), sum, part) : part;
}

Value ThreadEmitter::reduceAcrossWarps(ReduceOp op, const Reduction &reduction,
                                       Value partial) {
  SharedRange range = shared.rangeOf(op);
  SmallVector<Value> results = elementsOf(toStored(partial));
  Type stored = results.front().getType();
  unsigned bytes = elementBytes(stored);
  int64_t threads = int64_t(reduction.layout.numWarps()) * numLanes;
  auto at = [&](Value thread, int64_t number) {
    Value offset = arith::MulIOp::create(b, thread, i32(bytes));
    return advance(advance(sharedBase, offset),
                   range.offset + number * threads * bytes);
  };
  willWrite(range);
  for (auto [number, result] : llvm::enumerate(results))
    storeVector(at(thread, number), {result}, Value(), /*isGlobal=*/false);
  willRead(range);

  // The same order in all threads, so that all have the same bits.
  unsigned mask = reduction.warpMask << numLaneBits;
  Value base = arith::AndIOp::create(b, thread, i32(~int64_t(mask) & 0x3ff));
  Value sum;
  unsigned others = 0;
  do {
    Value from = others == 0
                     ? base
                     : arith::OrIOp::create(b, base, i32(others)).getResult();
    sum = combineStored(op, sum, partial,
                        [&](int64_t number) { return at(from, number); });
    others = (others - mask) & mask;
  } while (others != 0);
  return sum;
}

/// Each block tells the others what it has, and all add up in the same order,
/// so that all have the same bits. They write to where they will read, so that
/// a block may end as soon as all have met.
Value ThreadEmitter::reduceAcrossBlocks(ReduceOp op, const Reduction &reduction,
                                        Value partial) {
  const Layout &layout = reduction.layout;
  SmallVector<Value> results = elementsOf(toStored(partial));
  Type stored = results.front().getType();
  unsigned bytes = elementBytes(stored);
  // Of threads that have the same, one sends.
  unsigned copies = alikeThreads(layout);
  SmallVector<int64_t> numbers;
  int64_t senders = 1;
  for (unsigned bit = 0; bit < numLaneBits + layout.numBits(Place::Warp);
       ++bit) {
    bool isCopy = copies >> bit & 1;
    numbers.push_back(isCopy ? 0 : senders);
    senders <<= isCopy ? 0 : 1;
  }
  Value sender = sumOverThreadBits(numbers);
  Value sends;
  if (copies != 0)
    sends = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                  arith::AndIOp::create(b, thread, i32(copies)),
                                  i32(0));
  auto at = [&](Value block, int64_t number) {
    Value row = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(block, i32(results.size() * senders)),
        sender);
    return advance(
        advance(sharedBase, b.createOrFold<arith::MulIOp>(row, i32(bytes))),
        shared.exchangeOf(op) + number * senders * bytes);
  };
  Value rank = rankInCluster();
  unsigned mask = reduction.ctaMask;
  Value base =
      b.createOrFold<arith::AndIOp>(rank, i32((layout.numCtas() - 1) & ~mask));
  auto forEachBlock = [&](function_ref<void(Value)> visit) {
    unsigned others = 0;
    do {
      visit(b.createOrFold<arith::OrIOp>(base, i32(others)));
      others = (others - mask) & mask;
    } while (others != 0);
  };
  // What others wrote in the round before has to be read.
  if (op->getParentOfType<scf::ForOp>())
    meetCluster(/*isTogether=*/true);
  forEachBlock([&](Value block) {
    for (auto [number, result] : llvm::enumerate(results))
      storeElsewhere(at(rank, number), block, {result}, sends);
  });
  meetCluster(/*isTogether=*/true);
  hazards.clear();
  Value sum;
  forEachBlock([&](Value block) {
    sum = combineStored(op, sum, partial,
                        [&](int64_t number) { return at(block, number); });
  });
  return sum;
}

/// Whether a tile is what was loaded, in another type or shape.
static bool isFromMemory(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, BroadcastOp, ConvertLayoutOp, MaskOp>(op))
    return isFromMemory(op->getOperand(0));
  return isa_and_nonnull<LoadOp, GatherOp>(op);
}

/// Products that are only added up, of f32: each but the first of a few is
/// added by the instruction that multiplies, which rounds once for both. What
/// comes from memory is better multiplied first, since ptxas then asks for all
/// of it before: 768x50257 bf16 by a column took 38.8 us so, and 53.8.
SmallVector<Value> ThreadEmitter::addProducts(ReduceOp op,
                                              const Reduction &reduction) {
  constexpr size_t few = 4;
  auto product = op.getSource().getDefiningOp<arith::MulFOp>();
  if (op.getKind() != CombineKind::Sum || !product || !product->hasOneUse() ||
      !getElementTypeOrSelf(product.getType()).isF32() ||
      (isFromMemory(product.getLhs()) && isFromMemory(product.getRhs())))
    return {};
  Value lhs = vectorFor(product.getLhs()), rhs = vectorFor(product.getRhs());
  SmallVector<Value> sums;
  for (size_t i = 0, n = reduction.groups.front().size(); i < n; ++i) {
    auto registers = llvm::map_to_vector(
        reduction.groups, [&](const auto &group) { return group[i]; });
    Value a = pick(lhs, registers), c = pick(rhs, registers);
    if (i % few == 0)
      sums.push_back(arith::MulFOp::create(b, a, c));
    else
      sums.back() = math::FmaOp::create(b, a, c, sums.back());
  }
  return sums;
}

LogicalResult ThreadEmitter::emitReduce(ReduceOp op) {
  const Layout &source = layoutOf(op.getSource().getType()).getValue();
  Reduction reduction = *source.reduction(toUnsigned(op.getDims()));

  // Pairs, then pairs of pairs: fewer roundings in a row than one by one.
  SmallVector<Value> parts = addProducts(op, reduction);
  if (parts.empty()) {
    Value vector = vectorFor(op.getSource());
    for (size_t i = 0, n = reduction.groups.front().size(); i < n; ++i)
      parts.push_back(pick(
          vector, llvm::map_to_vector(reduction.groups, [&](const auto &group) {
            return group[i];
          })));
  }
  while (parts.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < parts.size(); i += 2)
      next.push_back(combine(b, op.getKind(), parts[i], parts[i + 1]));
    if (parts.size() % 2 != 0)
      next.push_back(parts.back());
    parts = std::move(next);
  }
  Value sum = parts.front();
  if (!postponed.contains(op))
    sum = combineThreads(op, sum);
  if (reduction.ctaMask != 0)
    sum = reduceAcrossBlocks(op, reduction, sum);
  mapping.map(op.getResult(), sum);
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value ThreadEmitter::convertByShuffles(const ShufflePlan &plan,
                                       const Layout &from, Value vector) {
  Type element = cast<VectorType>(vector.getType()).getElementType();
  // Several registers that form a word, or half of one, are sent as one. What
  // only changes registers need not: ptxas 13.0 was seen to take the wrong half
  // of a word made of bytes.
  unsigned together = std::max(1u, plan.packed), packed = together;
  bool isSent = plan.numShuffles != 0;
  if (!isSent && (element.isInteger(1) || together * elementBytes(element) < 4))
    packed = 1;
  unsigned apart = together / packed;
  Value stored = isSent || packed > 1 ? toStored(vector) : vector;
  auto storedVector = cast<VectorType>(stored.getType());
  if (packed > 1) {
    unsigned bits = packed * storedVector.getElementTypeBitWidth();
    stored = vector::BitCastOp::create(
        b,
        VectorType::get(storedVector.getDimSize(0) / packed,
                        b.getIntegerType(bits)),
        stored);
  }
  SmallVector<Value> all = elementsOf(stored);
  unsigned cellWords = from.numCellRegisters() / packed;

  auto flipAll = [&](SmallVector<Value> &words, ArrayRef<RegisterFlip> flips) {
    for (const RegisterFlip &flip : flips) {
      Value bits = arith::AndIOp::create(b, thread, i32(flip.threadMask));
      Value isOdd = arith::CmpIOp::create(
          b, arith::CmpIPredicate::ne,
          arith::AndIOp::create(
              b, LLVM::CtPopOp::create(b, b.getI32Type(), bits), i32(1)),
          i32(0));
      SmallVector<Value> flipped;
      for (size_t i = 0; i < words.size(); ++i)
        flipped.push_back(arith::SelectOp::create(
            b, isOdd, words[i ^ flip.flip * apart], words[i]));
      words = std::move(flipped);
    }
  };
  SmallVector<int64_t> lanes(plan.lanes.begin(), plan.lanes.end());
  Value sourceLane = plan.isButterfly ? Value() : sumOverThreadBits(lanes);
  SmallVector<Value> results;
  for (size_t start = 0; start < all.size(); start += cellWords) {
    SmallVector<Value> words(ArrayRef(all).slice(start, cellWords));
    flipAll(words, plan.before);
    SmallVector<Value> received;
    for (const ShuffleRound &round : plan.rounds)
      for (unsigned part = 0; part < apart; ++part) {
        Value sent = words[round.sent * apart + part];
        if (plan.isButterfly) {
          received.push_back(round.laneMask == 0
                                 ? sent
                                 : shuffle(sent, i32(round.laneMask), true));
          continue;
        }
        Value lane = sourceLane;
        if (round.laneMask != 0)
          lane = arith::XOrIOp::create(b, lane, i32(round.laneMask));
        received.push_back(shuffle(sent, lane, false));
      }
    flipAll(received, plan.after);
    for (unsigned number : plan.resultOf)
      for (unsigned part = 0; part < apart; ++part)
        results.push_back(received[number * apart + part]);
  }
  Value result = vectorOfElements(results);
  if (packed > 1)
    result = vector::BitCastOp::create(
        b,
        VectorType::get(results.size() * packed, storedVector.getElementType()),
        result);
  bool isStored =
      cast<VectorType>(result.getType()).getElementType() != element;
  return isStored ? fromStored(result, element) : result;
}

/// The address of a vector at `offset`, in elements of a cell, of the cells
/// from byte `start` behind `base` on.
Value ThreadEmitter::sharedAddress(Value base, const SharedAddress &address,
                                   Bits offset, int64_t start,
                                   unsigned elementBytes, Value moved) {
  SmallVector<int64_t> numbers(address.lane.begin(), address.lane.end());
  numbers.append(address.warp.begin(), address.warp.end());
  // Blocks that share a tile may all hold what each of them wants a part of.
  numbers.append(address.cta.begin(), address.cta.end());
  Value elements = sumOverThreadBits(numbers);
  if (moved)
    elements = arith::XOrIOp::create(b, elements, moved);
  if (Bits flipped = offset & address.threadBits)
    elements = arith::XOrIOp::create(b, elements, i32(flipped));
  Value bytes = b.createOrFold<arith::MulIOp>(elements, i32(elementBytes));
  return advance(advance(base, bytes),
                 start + (offset & ~address.threadBits) * elementBytes);
}

void ThreadEmitter::writeShared(const SharedAddress &address,
                                const VectorAccess &access,
                                ArrayRef<Value> elements, int64_t start) {
  SmallVector<Value> parts;
  for (unsigned reg : access.registers)
    parts.push_back(elements[reg]);
  unsigned bytes = elementBytes(parts.front().getType());
  storeVector(sharedAddress(sharedBase, address, access.offset, start, bytes),
              parts, Value(), /*isGlobal=*/false);
}

void ThreadEmitter::writeShared(const Layout &layout,
                                const SharedLayout &memory,
                                const SharedRange &range, Value vector,
                                int64_t firstOffset, int64_t numOffsets,
                                unsigned width) {
  SharedAddress address = fuse::addressOf(layout, memory);
  SmallVector<Value> elements = elementsOf(toStored(vector));
  unsigned bytes = elementBytes(elements.front().getType());
  auto accesses = vectorAccesses(layout, memory, width);
  for (const VectorAccess &access : *accesses) {
    int64_t offset = static_cast<int64_t>(access.offset) - firstOffset;
    if (offset >= 0 && offset < numOffsets)
      writeShared(address, access, elements,
                  range.offset - firstOffset * bytes);
  }
}

void ThreadEmitter::readShared(const Layout &layout, const SharedLayout &memory,
                               const SharedRange &range, Type stored,
                               int64_t firstOffset, int64_t numOffsets,
                               unsigned width,
                               MutableArrayRef<Value> elements) {
  SharedAddress address = fuse::addressOf(layout, memory);
  unsigned bytes = elementBytes(stored);
  auto accesses = vectorAccesses(layout, memory, width);
  for (const VectorAccess &access : *accesses) {
    int64_t offset = static_cast<int64_t>(access.offset) - firstOffset;
    if (offset < 0 || offset >= numOffsets)
      continue;
    Value loaded =
        loadVector(sharedAddress(sharedBase, address, access.offset,
                                 range.offset - firstOffset * bytes, bytes),
                   stored, access.registers.size(), Value(),
                   /*isGlobal=*/false);
    for (auto [reg, element] :
         llvm::zip_equal(access.registers, elementsOf(loaded)))
      elements[reg] = element;
  }
}

Value ThreadEmitter::withCopies(const Layout &layout,
                                MutableArrayRef<Value> elements, Type element) {
  for (auto [reg, value] : llvm::enumerate(elements))
    if (!value)
      value = elements[layout.original(reg)];
  return fromStored(vectorOfElements(elements), element);
}

Value ThreadEmitter::convertByMemory(const SharedPlan &plan, const Layout &from,
                                     const Layout &to, const SharedRange &range,
                                     Value vector) {
  Type element = cast<VectorType>(vector.getType()).getElementType();
  SmallVector<Value> results(to.numRegisters());
  for (unsigned round = 0; round < plan.rounds; ++round) {
    int64_t first = round * plan.roundElements;
    willWrite(range);
    writeShared(from, plan.memory, range, vector, first, plan.roundElements,
                plan.storeWidth);
    willRead(range);
    readShared(to, plan.memory, range, storedType(element), first,
               plan.roundElements, plan.loadWidth, results);
  }
  return withCopies(to, results, element);
}

/// The next op behind loads and what is computed for their addresses.
static Operation *skipLoads(Operation *op) {
  auto isNumber = [](Operation *op) {
    return op->getNumRegions() == 0 && op->getNumResults() != 0 &&
           isMemoryEffectFree(op) &&
           llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) &&
           llvm::all_of(op->getResultTypes(),
                        [](Type type) { return type.isIntOrIndexOrFloat(); });
  };
  do
    op = op->getNextNode();
  while (op && (isa<LoadOp>(op) || isNumber(op)));
  return op;
}

/// Where a load goes that only brings a tile to shared memory, if nothing but
/// other loads happens in between; else null.
ConvertLayoutOp ThreadEmitter::placeOf(LoadOp load) const {
  if (!load->hasOneUse())
    return nullptr;
  auto convert = dyn_cast<ConvertLayoutOp>(*load->user_begin());
  return convert && sharedLayoutOf(convert.getType()) && !hasRests(convert) &&
                 skipLoads(load) == convert
             ? convert
             : nullptr;
}

LogicalResult ThreadEmitter::emitConvert(ConvertLayoutOp op) {
  RankedTensorType source = op.getSource().getType(), type = op.getType();
  auto isThere = [&](const SharedRange &range) {
    // One fence is for all that was written before it, and waits for whatever
    // is on its way.
    auto next = dyn_cast_or_null<ConvertLayoutOp>(skipLoads(op));
    bool isFencedLater = next && sharedLayoutOf(next.getType()) &&
                         isReadAsynchronously(next.getResult());
    if (isReadAsynchronously(op.getResult()) && !isFencedLater)
      fenceWrites();
    sharedTiles[op.getResult()] = {sharedBase, range.offset};
    return success();
  };
  if (broughtAlready.contains(op))
    return isThere(shared.rangeOf(op));
  if (sharedLayoutOf(source)) {
    willReadTiles(op.getSource());
    mapping.map(op.getResult(),
                readShared(op.getSource(), layoutOf(type).getValue()));
    return success();
  }
  const Layout &from = layoutOf(source).getValue();
  Value vector = vectorFor(op.getSource());
  if (SharedLayoutAttr memory = sharedLayoutOf(type)) {
    SharedRange range = shared.rangeOf(op);
    willWrite(range);
    auto write = [&](const SharedRange &to, Value numbers) {
      writeShared(from, memory.getValue(), to, numbers, 0,
                  type.getNumElements(),
                  maxVectorWidth(from, memory.getValue(),
                                 elementBytes(type.getElementType())));
    };
    write(range, vector);
    if (!hasRests(op))
      return isThere(range);
    int64_t bytes = sharedTileBytes(type);
    write({range.offset + bytes, bytes}, restsOf(op, vector));
    (void)isThere(range);
    askForInfinities(op, from);
    return success();
  }
  const Layout &to = layoutOf(type).getValue();
  const Conversion &conversion = shared.conversionOf(op);
  switch (conversion.kind) {
  case ConversionKind::Registers:
    mapping.map(op.getResult(), pick(vector, conversion.sources));
    return success();
  case ConversionKind::Shuffles:
    mapping.map(op.getResult(),
                convertByShuffles(*conversion.shuffles, from, vector));
    return success();
  case ConversionKind::Shared:
    mapping.map(op.getResult(), convertByMemory(*conversion.memory, from, to,
                                                shared.rangeOf(op), vector));
    return success();
  }
  llvm_unreachable("every kind is handled above");
}
