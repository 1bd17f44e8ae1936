//===- CutLoads.cpp - vectors that lie in two chunks of memory ------------===//
//
// Rows that begin within words have no vectors of their own. Two chunks of 16
// bytes that are aligned have any 16 bytes in them, and are cut.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"
#include "fuse/Layout/Conversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Bits of one word where those of `mask` are set, else of another one. By a
/// condition it would be a predicate for each bit of each vector's place, of
/// which there are seven, so that ptxas waits for a vector before it asks for
/// the next one.
Value ThreadEmitter::chooseBits(Value mask, Value set, Value clear) {
  return LLVM::InlineAsmOp::create(
             b, b.getI32Type(), ValueRange{mask, set, clear},
             "lop3.b32 $0, $1, $2, $3, 0xCA;", "=r,r,r,r",
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
             /*operand_attrs=*/{})
      .getResult(0);
}

/// `count` words that begin so many bytes later, fewer than these have. Those
/// are no multiple of a word if it has parts.
SmallVector<Value> ThreadEmitter::cutWords(SmallVector<Value> words,
                                           Value bytes, unsigned count,
                                           bool hasParts) {
  constexpr int64_t wordBytes = 4;
  for (unsigned distance = count / 2; distance != 0; distance /= 2) {
    // All bits, or none, of a word.
    Value moves = arith::ShRSIOp::create(
        b,
        arith::ShLIOp::create(b, bytes,
                              i32(31 - llvm::Log2_32(distance * wordBytes))),
        i32(31));
    SmallVector<Value> moved;
    for (unsigned i = 0; i + distance < words.size(); ++i)
      moved.push_back(chooseBits(moves, words[i + distance], words[i]));
    words = std::move(moved);
  }
  if (hasParts) {
    Value bits = arith::ShLIOp::create(
        b, arith::AndIOp::create(b, bytes, i32(wordBytes - 1)), i32(3));
    for (unsigned i = 0; i < count; ++i)
      words[i] = LLVM::FshrOp::create(b, words[i + 1], words[i], bits);
  }
  words.truncate(count);
  return words;
}

/// Chunks of 16 bytes as words, each on a condition, or 0. They are asked for
/// one behind the other: where each is asked for when the one before it has
/// been used, ptxas takes the same registers for all, and waits for each.
SmallVector<SmallVector<Value>>
ThreadEmitter::loadChunks(ArrayRef<Value> addresses,
                          ArrayRef<Value> conditions) {
  constexpr unsigned chunkWords = 4;
  unsigned count = addresses.size(), results = count * chunkWords;
  std::string text, constraints;
  for (unsigned word = 0; word < results; ++word) {
    text += "mov.b32 $" + std::to_string(word) + ", 0;\n\t";
    constraints += "=&r,";
  }
  SmallVector<Value> operands;
  for (auto [i, address, condition] : llvm::enumerate(addresses, conditions)) {
    unsigned operand = results + 2 * i;
    std::string words;
    for (unsigned word = 0; word < chunkWords; ++word)
      words +=
          (word == 0 ? "{$" : ", $") + std::to_string(i * chunkWords + word);
    text += "@$" + std::to_string(operand + 1) + " ld.global.nc.v4.b32 " +
            words + "}, [$" + std::to_string(operand) + "];\n\t";
    constraints += i + 1 == count ? "l,b" : "l,b,";
    operands.append({address, condition});
  }
  SmallVector<Type> types(results, b.getI32Type());
  Value loaded =
      LLVM::InlineAsmOp::create(
          b, LLVM::LLVMStructType::getLiteral(b.getContext(), types), operands,
          text, constraints, /*has_side_effects=*/false,
          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          /*asm_dialect=*/{}, /*operand_attrs=*/{})
          .getResult(0);
  SmallVector<SmallVector<Value>> chunks(count);
  for (unsigned word = 0; word < results; ++word)
    chunks[word / chunkWords].push_back(
        LLVM::ExtractValueOp::create(b, loaded, word));
  return chunks;
}

/// 0 for what is not among the first `count` elements of so many bytes. By
/// bits, not by conditions, of which there would be one for each element.
SmallVector<Value> ThreadEmitter::keepFirst(ArrayRef<Value> words, Value count,
                                            int64_t bytes) {
  constexpr int64_t wordBits = 32;
  Type wide = b.getI64Type();
  auto clamp = [&](Value value, int64_t least, int64_t most) -> Value {
    return arith::MaxSIOp::create(
        b, arith::MinSIOp::create(b, value, i32(most)), i32(least));
  };
  int64_t elements = words.size() * 4 / bytes;
  Value bits =
      arith::MulIOp::create(b, clamp(count, 0, elements), i32(bytes * 8));
  SmallVector<Value> kept;
  for (auto [number, word] : llvm::enumerate(words)) {
    Value dropped =
        clamp(arith::SubIOp::create(b, i32((number + 1) * wordBits), bits), 0,
              wordBits);
    Value mask = arith::TruncIOp::create(
        b, b.getI32Type(),
        arith::ShRUIOp::create(b, i64(0xffffffff),
                               arith::ExtUIOp::create(b, wide, dropped)));
    kept.push_back(arith::AndIOp::create(b, word, mask));
  }
  return kept;
}

/// Elements that lie in two chunks of 16 bytes, moved by whole words and then
/// by the bytes of one. What is asked for has an element that counts, so
/// nothing outside of the memory is touched. What threads compute with is
/// pinned, since ptxas would ask for some of it when that before has been used:
/// 1x11008 by 11008x50257 took 411 us so, and 277 pinned. That takes registers:
/// a loss of 4096x50257, with 128 a thread, took 212 us and 225 pinned; and
/// what only goes to shared memory need not wait for all: 16x768 by
/// 768x50257, 38.3 us and 39.4.
SmallVector<Value> ThreadEmitter::cutVectors(ArrayRef<CutVector> vectors,
                                             Type stored, bool isPinned) {
  constexpr int64_t chunkBytes = 16, wordBytes = 4;
  unsigned bytes = elementBytes(stored);
  auto both = [&](Value a, Value c) {
    return a && c ? b.createOrFold<arith::AndIOp>(a, c) : a ? a : c;
  };
  auto isAbove = [&](Value a, int64_t number) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, a, i32(number));
  };
  SmallVector<Value> starts, addresses, conditions;
  for (const CutVector &vector : vectors) {
    Value low = arith::TruncIOp::create(
        b, b.getI32Type(),
        LLVM::PtrToIntOp::create(b, b.getI64Type(), vector.address));
    Value start = arith::AndIOp::create(b, low, i32(chunkBytes - 1));
    Value first = advance(
        vector.address,
        arith::ExtSIOp::create(b, b.getI64Type(),
                               arith::SubIOp::create(b, i32(0), start)));
    Value condition = vector.condition, end = i32(chunkBytes);
    if (vector.count) {
      condition = both(condition, isAbove(vector.count, 0));
      end = arith::MinSIOp::create(
          b, end, arith::MulIOp::create(b, vector.count, i32(bytes)));
    }
    Value hasSecond = isAbove(arith::AddIOp::create(b, start, end), chunkBytes);
    Value always = arith::ConstantOp::create(b, b.getBoolAttr(true));
    starts.push_back(start);
    addresses.append({first, advance(first, chunkBytes)});
    conditions.append(
        {condition ? condition : always, both(condition, hasSecond)});
  }
  SmallVector<SmallVector<Value>> chunks = loadChunks(addresses, conditions);
  if (isPinned && vectors.size() > 1)
    pinWord(chunks.back().back());
  SmallVector<Value> result;
  for (auto [i, vector] : llvm::enumerate(vectors)) {
    SmallVector<Value> words = std::move(chunks[2 * i]);
    llvm::append_range(words, chunks[2 * i + 1]);
    words = cutWords(std::move(words), starts[i], chunkBytes / wordBytes,
                     /*hasParts=*/bytes < wordBytes);
    if (vector.count)
      words = keepFirst(words, vector.count, bytes);
    auto type = VectorType::get(chunkBytes / bytes, stored);
    Value cut = vectorOfElements(words);
    if (cut.getType() != type)
      cut = vector::BitCastOp::create(b, type, cut);
    llvm::append_range(result, elementsOf(cut));
  }
  return result;
}

/// How many registers a thread has for `op` beside those of the sums of
/// products, as far as it can be told.
static int64_t registersBesideSums(Operation *op) {
  int64_t sums = 0;
  op->getParentOfType<KernelOp>().walk([&](DotOp dot) {
    if (LayoutAttr layout = layoutOf(dot.getType()))
      sums = std::max<int64_t>(sums, layout.getValue().numRegisters());
  });
  return registersOfThread(op) - sums;
}

/// What is on its way takes registers, eight for each vector, so that as many
/// are asked for at a time as there is room for; what is there is put down at
/// once where a load only brings a tile to shared memory. With all of them in
/// registers before the first was put down ptxas had none for a second one on
/// its way: 64x768 by 768x50257, along n, took 126 us.
void ThreadEmitter::emitCutLoad(const MemoryAccess &access, Value result,
                                unsigned cut) {
  constexpr int64_t others = 64, ofVector = 8, fewest = 4, most = 16;
  constexpr int64_t fewRegisters = 128;
  int64_t registers = registersBesideSums(access.op);
  unsigned mostAtATime =
      std::clamp((registers - others) / ofVector, fewest, most);
  const Layout &layout = layoutOf(result.getType()).getValue();
  Type element = access.tile.getElementType();
  unsigned fast = *access.fastAxis();
  Value limit;
  for (auto [edge, axis] : llvm::zip_equal(access.limits, access.axes))
    if (axis == fast)
      limit = limit32(edge);
  Addresses addresses;
  SmallVector<CutVector> vectors;
  for (unsigned reg = 0; reg < layout.numRegisters(); reg += cut) {
    Value count;
    if (limit)
      count = arith::SubIOp::create(b, limit, position(layout, fast, reg));
    vectors.push_back({elementAddress(access, layout, reg, {}, addresses),
                       count, insideOf(access, layout, reg, {}, fast)});
  }
  ConvertLayoutOp place = placeOf(cast<LoadOp>(access.op));
  std::optional<SharedAddress> address;
  SmallVector<VectorAccess> pieces;
  if (place) {
    const SharedLayout &to = sharedLayoutOf(place.getType()).getValue();
    address = addressOf(layout, to);
    unsigned width = maxVectorWidth(layout, to, elementBytes(element));
    llvm::append_range(pieces, *vectorAccesses(layout, to, width));
    willWrite(shared.rangeOf(place));
    broughtAlready.insert(place);
  }
  SmallVector<Value> elements;
  for (unsigned first = 0; first < vectors.size(); first += mostAtATime) {
    size_t count = std::min<size_t>(mostAtATime, vectors.size() - first);
    llvm::append_range(
        elements,
        cutVectors(ArrayRef(vectors).slice(first, count), storedType(element),
                   /*isPinned=*/!place && registers > fewRegisters));
    llvm::erase_if(pieces, [&](const VectorAccess &piece) {
      bool isThere = llvm::all_of(
          piece.registers, [&](unsigned reg) { return reg < elements.size(); });
      if (isThere)
        writeShared(*address, piece, elements, shared.rangeOf(place).offset);
      return isThere;
    });
  }
  if (!place)
    mapping.map(result, fromStored(vectorOfElements(elements), element));
}
