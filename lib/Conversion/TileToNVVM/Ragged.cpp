//===- Ragged.cpp - vectors of which a part counts ------------------------===//
//
// A row that begins or ends inside of a vector has a vector at each end of
// which only a part counts. To read what is beside it does no harm, as long as
// it is memory. What is written, and the end of the memory, is done number by
// number by the few threads that have such a vector.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Where along the fast axis elements count.
struct ThreadEmitter::Edges {
  const Layout &layout;
  unsigned axis;
  /// Null where there are none.
  Value start, limit;
  int64_t mostStart = 0;
};

ThreadEmitter::Edges ThreadEmitter::edgesOf(const MemoryAccess &access,
                                            const Layout &layout) {
  Edges edges{layout, *access.fastAxis(), Value(), Value()};
  for (auto [limit, axis] : llvm::zip_equal(access.limits, access.axes))
    if (axis == edges.axis)
      edges.limit = limit32(limit);
  for (auto [start, axis] : llvm::zip_first(access.starts, access.axes))
    if (axis == edges.axis) {
      edges.start = limit32(start);
      edges.mostStart = mostOf(start);
    }
  return edges;
}

/// Whether all of these are true, of which null is; null if all are.
static Value all(ImplicitLocOpBuilder &b, ArrayRef<Value> conditions) {
  Value result;
  for (Value condition : conditions)
    if (condition)
      result =
          result ? b.createOrFold<arith::AndIOp>(result, condition) : condition;
  return result;
}

Value ThreadEmitter::isFrom(const Edges &edges, unsigned reg) {
  return edges.start ? isFrom(edges.layout, edges.axis, reg, edges.start,
                              edges.mostStart)
                     : Value();
}

Value ThreadEmitter::isBelow(const Edges &edges, unsigned reg) {
  if (!edges.limit)
    return Value();
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                               position(edges.layout, edges.axis, reg),
                               edges.limit);
}

/// Whether nobody sees what a tile has in front of the start or behind the
/// limit along an axis: until it is masked there, or left out by a store,
/// elements go nowhere else.
static bool areEdgesUnseen(const MemoryAccess &access, unsigned axis) {
  auto edgesAlong = [&](ValueRange starts, ValueRange limits,
                        ArrayRef<int64_t> axes) {
    std::pair<Value, Value> edges;
    for (auto [limit, limited] : llvm::zip_equal(limits, axes))
      if (limited == axis)
        edges.second = limit;
    for (auto [start, started] : llvm::zip_first(starts, axes))
      if (started == axis)
        edges.first = start;
    return edges;
  };
  auto own = edgesAlong(access.starts, access.limits, access.axes);
  SetVector<Operation *> readers;
  readers.insert_range(access.op->getUsers());
  for (unsigned next = 0; next < readers.size(); ++next) {
    Operation *op = readers[next];
    if (auto mask = dyn_cast<MaskOp>(op)) {
      if (edgesAlong(mask.getStarts(), mask.getLimits(), mask.getAxes()) == own)
        continue;
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      if (edgesAlong(store.getStarts(), store.getLimits(), store.getAxes()) ==
          own)
        continue;
      return false;
    } else if (!OpTrait::hasElementwiseMappableTraits(op)) {
      return false;
    }
    readers.insert_range(op->getUsers());
  }
  return true;
}

/// Where a tile begins, in elements from the start of its memory, an i64.
Value ThreadEmitter::originOf(const MemoryAccess &access) {
  const DeviceMemory &memory = memories.find(access.memory)->second;
  Value sum;
  for (auto [stride, index] : llvm::zip_equal(
           stridesOf(memory, access.indices.size()), access.indices)) {
    Value part = b.createOrFold<arith::IndexCastOp>(b.getI64Type(),
                                                    mapping.lookup(index));
    if (stride)
      part = b.createOrFold<arith::MulIOp>(part, stride);
    sum = sum ? b.createOrFold<arith::AddIOp>(sum, part) : part;
  }
  return sum;
}

/// A chunk as words of 32 bits, or, at `last`, the `rest` bytes of it that are
/// left at the end of the memory, in pieces. What is not read is 0.
SmallVector<Value> ThreadEmitter::loadChunk(Value address, unsigned numWords,
                                            Value at, Value counts,
                                            int64_t rest, Value last) {
  constexpr int64_t wordBytes = 4;
  Type word = b.getI32Type();
  auto where = [&](arith::CmpIPredicate predicate) {
    return last
               ? all(b, {counts, arith::CmpIOp::create(b, predicate, at, last)})
               : counts;
  };
  SmallVector<Value> words = elementsOf(
      loadVector(address, word, numWords, where(arith::CmpIPredicate::slt),
                 /*isGlobal=*/true));
  for (int64_t piece = numWords * wordBytes / 2, begin = 0; piece != 0;
       piece /= 2) {
    if ((rest & piece) == 0)
      continue;
    bool isPart = piece < wordBytes;
    Type type = isPart ? b.getIntegerType(piece * 8) : word;
    SmallVector<Value> loaded = elementsOf(loadVector(
        advance(address, begin), type, isPart ? 1 : piece / wordBytes,
        where(arith::CmpIPredicate::eq), /*isGlobal=*/true));
    for (auto [number, own] : llvm::enumerate(loaded)) {
      Value part = own;
      if (isPart)
        part = b.createOrFold<arith::ShLIOp>(
            arith::ExtUIOp::create(b, word, part), i32(begin % wordBytes * 8));
      Value &whole = words[begin / wordBytes + number];
      whole = arith::OrIOp::create(b, whole, part);
    }
    begin += piece;
  }
  return words;
}

/// `isCut`: vectors begin anywhere, and are cut out of two chunks of memory
/// that do not.
void ThreadEmitter::emitRaggedLoad(const MemoryAccess &access, Value result,
                                   unsigned width, bool isCut) {
  const Layout &layout = layoutOf(result.getType()).getValue();
  Edges edges = edgesOf(access, layout);
  Type element = access.tile.getElementType(), stored = storedType(element);
  int64_t bytes = elementBytes(stored);
  int64_t rest = *access.restOf(width);
  unsigned numWords = width * bytes / 4;
  auto narrow = [&](Value number) -> Value {
    return arith::TruncIOp::create(
        b, b.getI32Type(), arith::MinSIOp::create(b, number, i64(1 << 30)));
  };
  // Where along the axis the chunk begins that memory ends in, and how far in
  // front of its vector each chunk is.
  Value last, before;
  if (rest != 0)
    last = narrow(b.createOrFold<arith::SubIOp>(
        i64(access.memory.getType().getNumElements() - rest),
        originOf(access)));
  if (isCut)
    before = arith::TruncIOp::create(
        b, b.getI32Type(),
        arith::AndIOp::create(b, originOf(access), i64(width - 1)));
  Addresses addresses;
  SmallVector<Value> words;
  for (unsigned reg = 0; reg < layout.numRegisters(); reg += width) {
    Value others = insideOf(access, layout, reg, {}, edges.axis);
    Value address = elementAddress(access, layout, reg, {}, addresses);
    Value at = position(layout, edges.axis, reg);
    if (!isCut) {
      llvm::append_range(
          words, loadChunk(address, numWords, at,
                           all(b, {others, isFrom(edges, reg + width - 1),
                                   isBelow(edges, reg)}),
                           rest * bytes, last));
      continue;
    }
    // A chunk that has no element that counts may be outside of the memory.
    bool mayBeFront = edges.start && layout.leastPosition(reg, edges.axis) <
                                         edges.mostStart + width;
    SmallVector<Value> both;
    for (unsigned chunk = 0; chunk < 2; ++chunk) {
      Value begin = arith::SubIOp::create(b, at, before);
      if (chunk == 1)
        begin = arith::AddIOp::create(b, begin, i32(width));
      Value counts = others;
      auto require = [&](arith::CmpIPredicate predicate, Value a, Value c) {
        counts = all(b, {counts, arith::CmpIOp::create(b, predicate, a, c)});
      };
      if (edges.limit)
        require(arith::CmpIPredicate::slt, chunk == 0 ? at : begin,
                edges.limit);
      else if (chunk == 1)
        require(arith::CmpIPredicate::slt, begin,
                arith::AddIOp::create(b, at, i32(width)));
      if (mayBeFront)
        require(arith::CmpIPredicate::sgt,
                arith::AddIOp::create(b, begin, i32(width)), edges.start);
      Value distance = arith::MulIOp::create(
          b, arith::SubIOp::create(b, begin, at), i32(bytes));
      llvm::append_range(
          both, loadChunk(advance(address, arith::ExtSIOp::create(
                                               b, b.getI64Type(), distance)),
                          numWords, begin, counts, rest * bytes, last));
    }
    llvm::append_range(
        words, cutWords(both, arith::MulIOp::create(b, before, i32(bytes)),
                        numWords, /*hasParts=*/bytes < 4));
  }
  Value vector = vectorOfElements(words);
  if (auto type = VectorType::get(layout.numRegisters(), stored);
      vector.getType() != type)
    vector = vector::BitCastOp::create(b, type, vector);
  if (!areEdgesUnseen(access, edges.axis)) {
    SmallVector<Value> elements = elementsOf(vector);
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(stored));
    for (auto [reg, value] : llvm::enumerate(elements))
      if (Value counts = all(b, {isFrom(edges, reg), isBelow(edges, reg)}))
        value = arith::SelectOp::create(b, counts, value, zero);
    vector = vectorOfElements(elements);
  }
  mapping.map(result, fromStored(vector, element));
}

/// Of vectors of a row that are in the same thread at most one ends behind the
/// limit. Which one that is shows when the kernel runs, so its elements are
/// chosen among those of all.
void ThreadEmitter::storeLast(const MemoryAccess &access, const Edges &edges,
                              ArrayRef<unsigned> firsts, unsigned width,
                              ArrayRef<Value> elements, Value isFirst) {
  Value place =
      arith::AndIOp::create(b, edges.limit, i32(-static_cast<int64_t>(width)));
  Value count = arith::SubIOp::create(b, edges.limit, place);
  unsigned front = firsts.front();
  Value has;
  for (unsigned reg : firsts) {
    Value is =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                              position(edges.layout, edges.axis, reg), place);
    has = has ? arith::OrIOp::create(b, has, is).getResult() : is;
  }
  Value isUsed =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, count, i32(0));
  has = all(b, {has, isUsed, isFirst,
                insideOf(access, edges.layout, front, {}, edges.axis)});
  auto branch = scf::IfOp::create(b, TypeRange(), has, /*addThenBlock=*/true,
                                  /*addElseBlock=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  // As words, in which narrow numbers take fewer registers.
  Type stored = elements.front().getType();
  int64_t bytes = elementBytes(stored);
  auto type = VectorType::get(width, stored);
  auto words = VectorType::get(width * bytes / 4, b.getI32Type());
  auto wordsAt = [&](unsigned reg) {
    return elementsOf(vector::BitCastOp::create(
        b, words, vectorOfElements(elements.slice(reg, width))));
  };
  SmallVector<Value> chosen = wordsAt(front);
  for (unsigned reg : firsts.drop_front()) {
    Value is =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                              position(edges.layout, edges.axis, reg), place);
    for (auto [word, own] : llvm::zip_equal(chosen, wordsAt(reg)))
      word = arith::SelectOp::create(b, is, own, word);
  }
  // Elements of a row follow each other in memory.
  Value distance = arith::SubIOp::create(
      b, place, position(edges.layout, edges.axis, front));
  Addresses own;
  Value address = advance(
      elementAddress(access, edges.layout, front, {}, own),
      arith::ExtSIOp::create(b, b.getI64Type(),
                             arith::MulIOp::create(b, distance, i32(bytes))));
  SmallVector<Value> last =
      elementsOf(vector::BitCastOp::create(b, type, vectorOfElements(chosen)));
  for (auto [number, element] : llvm::enumerate(ArrayRef(last).drop_back()))
    storeVector(
        advance(address, number * bytes), element,
        arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, count, i32(number)),
        /*isGlobal=*/true);
  scf::YieldOp::create(b);
}

void ThreadEmitter::emitRaggedStore(StoreOp op, unsigned width) {
  MemoryAccess access = MemoryAccess::of(op);
  const Layout &layout = layoutOf(op.getSource().getType()).getValue();
  Edges edges = edgesOf(access, layout);
  SmallVector<Value> elements = elementsOf(toStored(vectorFor(op.getSource())));
  // Of several threads with one element, one stores it.
  Value isFirst = isFirstCopy(layout);
  unsigned copiedRegisters = layout.freeMask(Place::Register);
  Addresses addresses;
  // What is written into a gap is nothing.
  bool endsInGap = hasGapsOfItsOwn(access.memory.getType());
  /// Vectors that may end behind the limit, by where they are along other axes.
  std::map<std::vector<int64_t>, SmallVector<unsigned>> rows;
  for (unsigned reg = 0; reg < layout.numRegisters(); reg += width) {
    if ((reg % layout.numCellRegisters()) & copiedRegisters)
      continue;
    unsigned last = reg + width - 1;
    Value others =
        all(b, {isFirst, insideOf(access, layout, reg, {}, edges.axis)});
    Value isStarted = isFrom(edges, reg);
    Value isWhole = all(b, {isStarted, isBelow(edges, endsInGap ? reg : last)});
    auto address = [&](unsigned reg) {
      return elementAddress(access, layout, reg, {}, addresses);
    };
    storeVector(address(reg), ArrayRef(elements).slice(reg, width),
                all(b, {others, isWhole}), /*isGlobal=*/true);
    if (isStarted) {
      // Few vectors may begin in front of the start, whose elements are stored
      // each on a condition of its own.
      Value isPart = arith::XOrIOp::create(
          b, isWhole, arith::ConstantOp::create(b, b.getBoolAttr(true)));
      for (unsigned own = reg; own <= last; ++own)
        storeVector(
            address(own), elements[own],
            all(b, {others, isPart, isFrom(edges, own), isBelow(edges, own)}),
            /*isGlobal=*/true);
    } else if (isWhole && !endsInGap) {
      Layout::RegisterPart part = layout.registerPart(reg);
      std::vector<int64_t> row;
      for (unsigned axis = 0; axis < layout.rank(); ++axis)
        if (axis != edges.axis)
          row.insert(row.end(), {part.flip[axis], part.offset[axis]});
      rows[row].push_back(reg);
    }
  }
  for (const auto &[row, firsts] : rows)
    storeLast(access, edges, firsts, width, elements, isFirst);
}
