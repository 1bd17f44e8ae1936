//===- Memory.cpp - between a thread's vectors and memory -----------------===//
//
// Runs of registers whose elements follow each other in memory are moved by one
// instruction. Elements that do not count are not touched: a load or store with
// a condition is one instruction with a predicate, so that many of them can be
// on their way at a time.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

//===----------------------------------------------------------------------===//
// Single accesses
//===----------------------------------------------------------------------===//

/// How the bytes of an access pass through registers: as words of 32 bits where
/// there are so many, else as one of 16 or 8, which inline assembly takes in
/// registers of 16.
static std::pair<Type, unsigned> wordsOf(OpBuilder &b, unsigned bytes) {
  if (bytes >= 4)
    return {b.getI32Type(), bytes / 4};
  return {b.getI16Type(), 1};
}

static std::string vectorSuffix(unsigned words, unsigned bytes) {
  std::string vector = words == 1 ? "" : ".v" + std::to_string(words);
  unsigned bits = bytes >= 4 ? 32 : bytes * 8;
  return vector + (bits == 8 ? ".u8" : ".b" + std::to_string(bits));
}

/// "{$0, $1}" from `first` on, or "$0".
static std::string registerList(unsigned first, unsigned count) {
  std::string list;
  for (unsigned i = 0; i < count; ++i)
    list += (i == 0 ? "$" : ", $") + std::to_string(first + i);
  return count == 1 ? list : "{" + list + "}";
}

Value ThreadEmitter::advance(Value address, Value bytes) {
  return LLVM::GEPOp::create(b, address.getType(), b.getI8Type(), address,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

Value ThreadEmitter::advance(Value address, int64_t bytes) {
  if (bytes == 0)
    return address;
  // Larger numbers have no room in the op, which does not say so: statistics of
  // 256x1024x784 bf16 read 512 MB before their rows.
  if (!llvm::isInt<LLVM::kGEPConstantBitWidth>(bytes))
    return advance(address, i64(bytes));
  return LLVM::GEPOp::create(
      b, address.getType(), b.getI8Type(), address,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

Value ThreadEmitter::loadVector(Value address, Type stored, unsigned count,
                                Value condition, bool isGlobal) {
  unsigned bytes = count * elementBytes(stored);
  auto result = VectorType::get(count, stored);
  auto [word, words] = wordsOf(b, bytes);
  auto asVector = [&](Value vector) -> Value {
    if (vector.getType() == result)
      return vector;
    return vector::BitCastOp::create(b, result, vector);
  };
  if (!condition) {
    Type type = bytes >= 4
                    ? Type(VectorType::get(words, word))
                    : Type(VectorType::get(1, b.getIntegerType(bytes * 8)));
    return asVector(LLVM::LoadOp::create(b, type, address, /*alignment=*/bytes,
                                         /*isVolatile=*/false,
                                         /*isNonTemporal=*/false,
                                         /*isInvariant=*/isGlobal));
  }
  std::string text, constraints;
  for (unsigned i = 0; i < words; ++i) {
    text += "mov." + std::string(bytes >= 4 ? "b32" : "b16") + " $" +
            std::to_string(i) + ", 0;\n\t";
    constraints += bytes >= 4 ? "=&r," : "=&h,";
  }
  text += "@$" + std::to_string(words + 1) + " ld." +
          (isGlobal ? "global.nc" : "shared") + vectorSuffix(words, bytes) +
          " " + registerList(0, words) + ", [$" + std::to_string(words) + "];";
  constraints += isGlobal ? "l,b" : "r,b";
  SmallVector<Type> types(words, word);
  Type returned =
      words == 1
          ? word
          : Type(LLVM::LLVMStructType::getLiteral(b.getContext(), types));
  Value loaded =
      LLVM::InlineAsmOp::create(
          b, returned, ValueRange{address, condition}, text, constraints,
          /*has_side_effects=*/false,
          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          /*asm_dialect=*/{}, /*operand_attrs=*/{})
          .getResult(0);
  SmallVector<Value> parts;
  if (words == 1)
    parts.push_back(loaded);
  else
    for (unsigned i = 0; i < words; ++i)
      parts.push_back(LLVM::ExtractValueOp::create(b, loaded, i));
  if (bytes == 1)
    parts[0] = arith::TruncIOp::create(b, b.getI8Type(), parts[0]);
  return asVector(vectorOfElements(parts));
}

void ThreadEmitter::storeVector(Value address, ArrayRef<Value> elements,
                                Value condition, bool isGlobal) {
  Type stored = elements.front().getType();
  unsigned bytes = elements.size() * elementBytes(stored);
  auto [word, words] = wordsOf(b, bytes);
  Value vector = vectorOfElements(elements);
  Type type = bytes >= 4
                  ? Type(VectorType::get(words, word))
                  : Type(VectorType::get(1, b.getIntegerType(bytes * 8)));
  if (vector.getType() != type)
    vector = vector::BitCastOp::create(b, cast<VectorType>(type), vector);
  if (!condition) {
    LLVM::StoreOp::create(b, vector, address, /*alignment=*/bytes);
    return;
  }
  SmallVector<Value> operands = elementsOf(vector);
  if (bytes == 1)
    operands[0] = arith::ExtUIOp::create(b, b.getI16Type(), operands[0]);
  std::string constraints;
  for (unsigned i = 0; i < words; ++i)
    constraints += bytes >= 4 ? "r," : "h,";
  constraints += isGlobal ? "l,b" : "r,b";
  std::string text =
      "@$" + std::to_string(words + 1) + " st." +
      (isGlobal ? "global" : "shared") + vectorSuffix(words, bytes) + " [$" +
      std::to_string(words) + "], " + registerList(0, words) + ";";
  operands.append({address, condition});
  LLVM::InlineAsmOp::create(b, TypeRange(), operands, text, constraints,
                            /*has_side_effects=*/true,
                            /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None,
                            /*asm_dialect=*/{}, /*operand_attrs=*/{});
}

//===----------------------------------------------------------------------===//
// Where elements are
//===----------------------------------------------------------------------===//

/// In elements, from one position of each dimension to the next; null for 1.
SmallVector<Value> ThreadEmitter::stridesOf(const DeviceMemory &memory,
                                            unsigned rank) {
  SmallVector<Value> strides(rank);
  Value stride;
  for (unsigned dim = rank; dim-- > 0;) {
    if (!memory.strides.empty()) {
      strides[dim] = memory.strides[dim];
      continue;
    }
    strides[dim] = stride;
    if (dim == 0)
      break;
    Value size =
        b.createOrFold<arith::IndexCastOp>(b.getI64Type(), memory.sizes[dim]);
    stride = stride ? b.createOrFold<arith::MulIOp>(stride, size) : size;
  }
  return strides;
}

Value ThreadEmitter::times(Value at, int64_t factor) {
  return factor == 1 ? at : b.createOrFold<arith::MulIOp>(at, i64(factor));
}

/// A null stride is 1.
static Value timesStride(ImplicitLocOpBuilder &b, Value at, Value stride) {
  return stride ? b.createOrFold<arith::MulIOp>(at, stride) : at;
}

/// A null sum is 0.
static Value plus(ImplicitLocOpBuilder &b, Value sum, Value more) {
  return sum ? b.createOrFold<arith::AddIOp>(sum, more) : more;
}

/// Of where a register's element is, what differs from that of other registers.
struct ThreadEmitter::ElementPlace {
  /// So many elements, along axes with known strides.
  int64_t constant = 0;
  /// Axes whose positions depend on the register in other ways than by a sum,
  /// and those along which it is so many times a stride.
  SmallVector<unsigned> varying, strided;
  /// Registers with the same key have all but the above in common.
  std::vector<int64_t> key;
};

ThreadEmitter::ElementPlace
ThreadEmitter::findPlace(const MemoryAccess &access, const Layout &layout,
                         const Layout::RegisterPart &part, bool isKeyed) {
  ElementPlace place;
  for (unsigned axis = 0; axis < layout.rank(); ++axis) {
    int64_t at = part.flip[axis] + part.offset[axis];
    std::optional<int64_t> step = access.step(axis);
    if (layout.addsRegisters(axis) && (step || isKeyed)) {
      place.key.push_back(-1);
      if (step)
        place.constant += *step * at;
      else if (at != 0)
        place.strided.push_back(axis);
      continue;
    }
    place.varying.push_back(axis);
    place.key.push_back(at);
  }
  return place;
}

/// The address of an element, but for what a register only adds to it.
Value ThreadEmitter::commonAddress(const MemoryAccess &access,
                                   const Layout &layout, unsigned reg,
                                   ArrayRef<SmallVector<Value>> gathered,
                                   ArrayRef<unsigned> varying) {
  const DeviceMemory &memory = memories.find(access.memory)->second;
  unsigned rank = access.indices.size();
  SmallVector<Value> strides = stridesOf(memory, rank);
  // From the last dimension on, along which strides grow if it is row-major.
  Value sum;
  for (unsigned dim = rank; dim-- > 0;) {
    Value at = b.createOrFold<arith::IndexCastOp>(
        b.getI64Type(), mapping.lookup(access.indices[dim]));
    for (auto [number, positions] : llvm::zip_first(access.gathered, gathered))
      if (number == dim)
        at = plus(b, at, positions[reg]);
    for (unsigned axis = 0; axis < layout.rank(); ++axis) {
      int64_t factor = access.coefficient(dim, axis);
      if (factor == 0 || access.tile.getDimSize(axis) == 1)
        continue;
      Value place = llvm::is_contained(varying, axis)
                        ? position(layout, axis, reg)
                        : threadPart(layout, axis);
      Value wide = b.createOrFold<arith::ExtSIOp>(b.getI64Type(), place);
      at = plus(b, at, times(wide, factor));
    }
    sum = plus(b, sum, timesStride(b, at, strides[dim]));
  }
  int64_t bytes = elementBytes(access.tile.getElementType());
  return sum ? advance(memory.address, times(sum, bytes)) : memory.address;
}

/// How many bytes it is to the next position along an axis.
Value ThreadEmitter::stepAlong(const MemoryAccess &access, unsigned axis) {
  unsigned rank = access.indices.size();
  int64_t bytes = elementBytes(access.tile.getElementType());
  SmallVector<Value> strides =
      stridesOf(memories.find(access.memory)->second, rank);
  Value sum;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (int64_t factor = access.coefficient(dim, axis); factor != 0)
      sum = plus(b, sum, timesStride(b, i64(factor * bytes), strides[dim]));
  return sum;
}

/// The part of the address that all registers of an access share is computed
/// once. Registers that only add to a position are a known number of elements
/// from there, or so many times a stride, which is added step by step: an
/// offset for each of them would be the same in all rounds of a loop, and all
/// of them together take more registers than there are.
Value ThreadEmitter::elementAddress(const MemoryAccess &access,
                                    const Layout &layout, unsigned reg,
                                    ArrayRef<SmallVector<Value>> gathered,
                                    Addresses &addresses) {
  Layout::RegisterPart part = layout.registerPart(reg);
  bool isKeyed = gathered.empty();
  ElementPlace place = findPlace(access, layout, part, isKeyed);
  auto known = [&](llvm::function_ref<Value()> make) {
    if (!isKeyed)
      return make();
    Value &value = addresses.known[place.key];
    if (!value)
      value = make();
    return value;
  };
  Value address = known([&] {
    return commonAddress(access, layout, reg, gathered, place.varying);
  });
  // From the highest bit on, so that there are as many different steps as bits.
  for (unsigned axis : place.strided) {
    auto at = static_cast<uint64_t>(part.flip[axis] + part.offset[axis]);
    place.key.insert(place.key.end(), {int64_t(axis), 0});
    while (at != 0) {
      uint64_t bit = llvm::bit_floor(at);
      at -= bit;
      place.key.back() += bit;
      Value before = address;
      address = known(
          [&] { return advance(before, times(stepAlong(access, axis), bit)); });
    }
  }
  int64_t bytes = elementBytes(access.tile.getElementType());
  return advance(address, place.constant * bytes);
}

/// Whether an element counts; null if it does in any case.
Value ThreadEmitter::insideOf(const MemoryAccess &access, const Layout &layout,
                              unsigned reg,
                              ArrayRef<SmallVector<Value>> gathered,
                              std::optional<unsigned> besides) {
  Value inside;
  auto require = [&](Value condition) {
    inside =
        inside ? b.createOrFold<arith::AndIOp>(inside, condition) : condition;
  };
  for (auto [limit, axis] : llvm::zip_equal(access.limits, access.axes))
    if (axis != besides)
      require(b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                            position(layout, axis, reg),
                                            limit32(limit)));
  for (auto [start, axis] : llvm::zip_first(access.starts, access.axes))
    if (axis != besides)
      if (Value isBehind =
              isFrom(layout, axis, reg, limit32(start), mostOf(start)))
        require(isBehind);
  if (!access.isGuarded)
    return inside;
  const DeviceMemory &memory = memories.find(access.memory)->second;
  for (unsigned dim = 0, rank = access.indices.size(); dim < rank; ++dim) {
    Value at = b.createOrFold<arith::IndexCastOp>(
        b.getI64Type(), mapping.lookup(access.indices[dim]));
    for (unsigned axis = 0; axis < layout.rank(); ++axis) {
      int64_t factor = access.coefficient(dim, axis);
      if (factor == 0 || access.tile.getDimSize(axis) == 1)
        continue;
      Value place = b.createOrFold<arith::ExtSIOp>(b.getI64Type(),
                                                   position(layout, axis, reg));
      if (factor != 1)
        place = b.createOrFold<arith::MulIOp>(place, i64(factor));
      at = b.createOrFold<arith::AddIOp>(at, place);
    }
    for (auto [number, positions] : llvm::zip_first(access.gathered, gathered))
      if (number == dim)
        at = b.createOrFold<arith::AddIOp>(at, positions[reg]);
    Value size =
        b.createOrFold<arith::IndexCastOp>(b.getI64Type(), memory.sizes[dim]);
    require(b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, at, size));
  }
  return inside;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// How many registers one access moves.
static unsigned widthOf(const MemoryAccess &access, const Layout &layout) {
  std::optional<unsigned> fast = access.fastAxis();
  if (!fast)
    return 1;
  return std::min<int64_t>(access.vectorWidth(), layout.contiguity(*fast));
}

/// The same where a part of them may not count.
static unsigned raggedWidthOf(const MemoryAccess &access,
                              const Layout &layout) {
  std::optional<unsigned> fast = access.fastAxis();
  if (!fast)
    return 1;
  return access.raggedWidth(layout.contiguity(*fast));
}

/// How many get what is cut out of two chunks of their size, of 8 bytes at
/// least; 0 if none do.
static unsigned piecesWidthOf(const MemoryAccess &access,
                              const Layout &layout) {
  constexpr int64_t leastBytes = 8, mostBytes = 16;
  int64_t bytes = elementBytes(access.tile.getElementType());
  if (!isa<LoadOp>(access.op) || !access.isOneRow() ||
      access.alignment() < mostBytes)
    return 0;
  int64_t width = std::min<int64_t>(layout.contiguity(*access.fastAxis()),
                                    mostBytes / bytes);
  return width * bytes >= leastBytes && access.restOf(width) ? width : 0;
}

/// How many registers get what is cut out of two chunks; 0 if none do.
static unsigned cutWidthOf(const MemoryAccess &access, const Layout &layout) {
  int64_t cut = access.cutWidth();
  return cut != 0 && layout.contiguity(*access.fastAxis()) % cut == 0 ? cut : 0;
}

LogicalResult ThreadEmitter::emitLoad(const MemoryAccess &access, Value result,
                                      ArrayRef<Value> gathered) {
  const Layout &layout = layoutOf(result.getType()).getValue();
  Type element = access.tile.getElementType();
  unsigned width = widthOf(access, layout);
  // Positions of a gather, by dimension and register, as i64.
  SmallVector<SmallVector<Value>> positions;
  for (Value vector : gathered) {
    auto type = cast<VectorType>(vector.getType());
    VectorType wide = type.clone(b.getI64Type());
    if (type.getElementType().isIndex())
      vector = arith::IndexCastOp::create(b, wide, vector);
    else if (type != wide)
      vector = arith::ExtSIOp::create(b, wide, vector);
    positions.push_back(elementsOf(vector));
  }
  unsigned ragged = raggedWidthOf(access, layout);
  unsigned pieces = piecesWidthOf(access, layout);
  if (ragged > width || pieces > std::max(width, cutWidthOf(access, layout))) {
    bool isCut = pieces > ragged;
    emitRaggedLoad(access, result, isCut ? pieces : ragged, isCut);
    return success();
  }
  if (unsigned cut = cutWidthOf(access, layout); cut > width) {
    emitCutLoad(access, result, cut);
    return success();
  }
  Addresses addresses;
  SmallVector<Value> elements;
  for (unsigned reg = 0; reg < layout.numRegisters(); reg += width) {
    Value inside = insideOf(access, layout, reg, positions);
    Value address = elementAddress(access, layout, reg, positions, addresses);
    Value vector = loadVector(address, storedType(element), width, inside,
                              /*isGlobal=*/true);
    llvm::append_range(elements, elementsOf(vector));
  }
  mapping.map(result, fromStored(vectorOfElements(elements), element));
  return success();
}

/// Asks the second cache for what a load will read, on `condition`. Of several
/// threads that read the same one asks: what many ask for at a time comes from
/// one place, one after the other.
void ThreadEmitter::fetch(LoadOp load, Value condition) {
  MemoryAccess access = MemoryAccess::of(load);
  const Layout &layout = layoutOf(load.getResult().getType()).getValue();
  if (Value isFirst = isFirstCopy(layout))
    condition = arith::AndIOp::create(b, condition, isFirst);
  unsigned width =
      std::max({raggedWidthOf(access, layout), cutWidthOf(access, layout),
                piecesWidthOf(access, layout)});
  Addresses addresses;
  for (unsigned reg = 0; reg < layout.numRegisters(); reg += width) {
    Value inside = insideOf(access, layout, reg, {});
    inside =
        inside ? b.createOrFold<arith::AndIOp>(inside, condition) : condition;
    LLVM::InlineAsmOp::create(
        b, TypeRange(),
        ValueRange{elementAddress(access, layout, reg, {}, addresses), inside},
        "@$1 prefetch.global.L2 [$0];", "l,b", /*has_side_effects=*/true,
        /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
        /*asm_dialect=*/{}, /*operand_attrs=*/{});
  }
}

Value ThreadEmitter::isFirstCopy(const Layout &layout) {
  unsigned blockShift = numLaneBits + layout.numBits(Place::Warp);
  unsigned copies = layout.freeMask(Place::Lane) |
                    layout.freeMask(Place::Warp) << numLaneBits |
                    layout.freeMask(Place::Cta) << blockShift;
  if (copies == 0)
    return Value();
  return arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq,
      arith::AndIOp::create(b, threadOfTile, i32(copies)), i32(0));
}

LogicalResult ThreadEmitter::emitStore(StoreOp op) {
  MemoryAccess access = MemoryAccess::of(op);
  const Layout &layout = layoutOf(op.getSource().getType()).getValue();
  unsigned width = widthOf(access, layout);
  if (unsigned ragged = raggedWidthOf(access, layout); ragged > width) {
    emitRaggedStore(op, ragged);
    return success();
  }
  SmallVector<Value> elements = elementsOf(toStored(vectorFor(op.getSource())));
  // Of several threads with one element, one stores it.
  Value isFirst = isFirstCopy(layout);
  unsigned copiedRegisters = layout.freeMask(Place::Register);
  Addresses addresses;
  for (unsigned reg = 0; reg < layout.numRegisters(); reg += width) {
    if ((reg % layout.numCellRegisters()) & copiedRegisters)
      continue;
    Value inside = insideOf(access, layout, reg, {});
    if (isFirst)
      inside =
          inside ? b.createOrFold<arith::AndIOp>(inside, isFirst) : isFirst;
    Value address = elementAddress(access, layout, reg, {}, addresses);
    storeVector(address, ArrayRef(elements).slice(reg, width), inside,
                /*isGlobal=*/true);
  }
  return success();
}
