//===- Dots.cpp - products of matrices ------------------------------------===//
//
// Outer products and mma.sync, whose operands come out of registers: from where
// they are, or read from shared memory when they are needed.
//
//===----------------------------------------------------------------------===//

#include "Spots.h"
#include "ThreadEmitter.h"
#include "fuse/Layout/Atoms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// The first of those axes of a dot's operand that have been merged into one,
/// and their extents.
static Coordinates merged(ArrayRef<int64_t> extents, unsigned batch,
                          unsigned first) {
  int64_t rows = 1, columns = 1;
  Coordinates all(extents.begin(), extents.begin() + batch);
  for (int64_t extent : extents.slice(batch, first))
    rows *= extent;
  for (int64_t extent : extents.drop_front(batch + first))
    columns *= extent;
  all.append({rows, columns});
  return all;
}

/// The elements of a dot's operand, which are read from shared memory when they
/// are asked for.
class ThreadEmitter::Fragment {
public:
  /// `layout` is how the dot wants the operand, with merged axes.
  Fragment(ThreadEmitter &emitter, Value operand, const Layout &layout,
           const Layout &merged)
      : Fragment(emitter, operand, layout, merged, Value(), 0) {}
  /// All is read as far from where it would be as `moved` says, an exclusive or
  /// of offsets among `movedBits`; the operand is in shared memory then.
  Fragment(ThreadEmitter &emitter, Value operand, const Layout &layout,
           const Layout &merged, Value moved, Bits movedBits)
      : emitter(emitter), layout(layout), registers(merged), moved(moved) {
    elements.resize(layout.numRegisters());
    auto type = cast<RankedTensorType>(operand.getType());
    element = type.getElementType();
    if (layoutOf(type)) {
      elements = emitter.elementsOf(emitter.vectorFor(operand));
      return;
    }
    tile = emitter.sharedTiles.find(operand)->second;
    const SharedLayout &memory = sharedLayoutOf(type).getValue();
    if (!moved)
      matrices = matrixAccess(layout, memory, elementBytes(element));
    if (matrices) {
      address.lane = matrices->lane;
      address.warp = matrices->warp;
      for (Bits bit : llvm::concat<Bits>(address.lane, address.warp))
        address.threadBits |= bit;
      return;
    }
    address = fuse::addressOf(layout, memory);
    address.threadBits |= movedBits;
    accesses = *vectorAccesses(
        layout, memory, maxVectorWidth(layout, memory, elementBytes(element)));
  }

  Value at(const Spot &spot) { return at(registers.registerAt(spot)); }

  Value at(unsigned reg) {
    reg = layout.original(reg);
    if (!elements[reg])
      load(reg);
    return elements[reg];
  }

private:
  void load(unsigned reg) {
    if (matrices)
      return loadMatrices(reg);
    for (const VectorAccess &access : accesses) {
      if (!llvm::is_contained(access.registers, reg))
        continue;
      Value vector = emitter.loadVector(
          emitter.sharedAddress(tile.base, address, access.offset, tile.offset,
                                elementBytes(element), moved),
          emitter.storedType(element), access.registers.size(), Value(),
          /*isGlobal=*/false);
      SmallVector<Value> loaded =
          emitter.elementsOf(emitter.fromStored(vector, element));
      for (auto [number, value] : llvm::zip_equal(access.registers, loaded))
        elements[number] = value;
      return;
    }
    llvm_unreachable("every register but copies is in some access");
  }

  /// By one ldmatrix, which gives each thread a word of each matrix.
  void loadMatrices(unsigned reg) {
    ImplicitLocOpBuilder &b = emitter.b;
    unsigned bytes = elementBytes(element);
    int64_t cellElements = layout.tile().numElements() / layout.numRepeats();
    for (const MatrixAccess::Instruction &instruction :
         matrices->instructions) {
      if (!llvm::is_contained(instruction.registers, reg))
        continue;
      unsigned count = matrices->matrices;
      SmallVector<Type> types(count, b.getI32Type());
      Type result =
          count == 1
              ? types.front()
              : Type(LLVM::LLVMStructType::getLiteral(b.getContext(), types));
      Value loaded = NVVM::LdMatrixOp::create(
          b, result,
          emitter.sharedAddress(
              tile.base, address, instruction.offset,
              tile.offset + instruction.repeat * cellElements * bytes, bytes),
          count,
          matrices->transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
          NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
          NVVM::LdStMatrixEltType::B16);
      SmallVector<Value> words;
      for (unsigned i = 0; i < count; ++i)
        words.push_back(
            count == 1
                ? loaded
                : LLVM::ExtractValueOp::create(b, loaded, i).getResult());
      auto type = VectorType::get(instruction.registers.size(),
                                  emitter.storedType(element));
      Value vector = emitter.vectorOfElements(words);
      if (vector.getType() != type)
        vector = vector::BitCastOp::create(b, type, vector);
      for (auto [number, value] : llvm::zip_equal(
               instruction.registers,
               emitter.elementsOf(emitter.fromStored(vector, element))))
        elements[number] = value;
      return;
    }
    llvm_unreachable("every register is in some matrix");
  }

  ThreadEmitter &emitter;
  Layout layout;
  Type element;
  std::optional<MatrixAccess> matrices;
  SpotTable registers;
  SmallVector<Value> elements;
  SharedTile tile;
  SharedAddress address = {};
  SmallVector<VectorAccess> accesses;
  Value moved;
};

Value ThreadEmitter::readShared(Value tile, const Layout &layout) {
  Fragment fragment(*this, tile, layout, layout);
  SmallVector<Value> elements;
  for (unsigned reg = 0; reg < layout.numRegisters(); ++reg)
    elements.push_back(fragment.at(reg));
  return vectorOfElements(elements);
}

//===----------------------------------------------------------------------===//
// Layouts of operands
//===----------------------------------------------------------------------===//

namespace {

/// A dot with its axes merged.
struct MergedDot {
  Layout sum;
  /// How the operands are wanted, as they are and merged.
  Layout lhs, rhs, lhsMerged, rhsMerged;
  int64_t depth = 1;
  /// Of mma.sync with words.
  MmaDepth order = MmaDepth::InOrder;
};

} // namespace

static FailureOr<MergedDot> mergeAxes(DotOp op) {
  unsigned batch = op.getBatch(), contract = op.getContract();
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  unsigned rows = lhs.getRank() - batch - contract;
  Coordinates lhsExtents = merged(lhs.getShape(), batch, rows);
  Coordinates rhsExtents = merged(rhs.getShape(), batch, contract);
  Coordinates sumExtents = merged(op.getType().getShape(), batch, rows);
  std::optional<Layout> sum =
      layoutOf(op.getType()).getValue().reshape(sumExtents);
  if (!sum)
    return op.emitOpError("has axes that cannot be merged");
  MergedDot dot{*sum, {}, {}, {}, {}, lhsExtents.back()};
  std::optional<Layout> a, c;
  if (op.getAtom() == Atom::Mma) {
    // What the operands look like follows from the accumulator: warps along
    // rows and columns.
    unsigned rowAxis = batch, columnAxis = batch + 1;
    WarpGrid grid;
    grid.rows = 1u << llvm::popcount(sum->movingMask(Place::Warp, {rowAxis}));
    grid.columns =
        1u << llvm::popcount(sum->movingMask(Place::Warp, {columnAxis}));
    grid.copies = sum->numWarps() / (grid.rows * grid.columns);
    auto wanted = mmaAccumulator(sumExtents, grid);
    if (wanted && *wanted != *sum)
      return op.emitOpError("has an accumulator that is laid out for another "
                            "atom");
    unsigned bytes = lhs.getElementType().isF32() ? 4 : 2;
    // Where the left factor is in registers already it says so.
    if (LayoutAttr given = layoutOf(lhs); given && bytes == 4)
      if (auto paired = mmaOperandA(lhsExtents, grid, bytes, MmaDepth::Paired))
        if (paired->reshape(lhs.getShape()) == given.getValue())
          dot.order = MmaDepth::Paired;
    a = mmaOperandA(lhsExtents, grid, bytes, dot.order);
    c = wanted ? mmaOperandB(rhsExtents, grid, bytes, dot.order) : std::nullopt;
  } else {
    a = outerOperandA(*sum, dot.depth);
    c = outerOperandB(*sum, dot.depth);
  }
  if (!a || !c)
    return op.emitOpError("has sizes that its atom does not divide");
  std::optional<Layout> aShaped = a->reshape(lhs.getShape());
  std::optional<Layout> cShaped = c->reshape(rhs.getShape());
  if (!aShaped || !cShaped)
    return op.emitOpError("has axes that cannot be merged");
  for (auto [type, wanted] : {std::pair(lhs, &*aShaped), {rhs, &*cShaped}})
    if (LayoutAttr given = layoutOf(type); given && given.getValue() != *wanted)
      return op.emitOpError("has an operand of type ")
             << type << ", but its atom needs it laid out as " << wanted->str();
  dot.lhs = *aShaped;
  dot.rhs = *cShaped;
  dot.lhsMerged = *a;
  dot.rhsMerged = *c;
  return dot;
}

//===----------------------------------------------------------------------===//
// Outer products
//===----------------------------------------------------------------------===//

/// A factor as a number of the accumulator's type.
static Value widen(ImplicitLocOpBuilder &b, Value number, Type element) {
  Type type = number.getType();
  if (type == element)
    return number;
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(b, element, number);
  if (element.isIndex())
    return arith::IndexCastOp::create(b, element, number);
  if (type.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, element, number);
  if (type.isInteger(1))
    return arith::ExtUIOp::create(b, element, number);
  return arith::ExtSIOp::create(b, element, number);
}

/// The sums of a thread row by row, every other row backwards, so that each has
/// its left or its right factor in common with the one before. Reading a third
/// register takes another cycle, and a factor that has just been read is not
/// read again.
static SmallVector<unsigned> backAndForth(ArrayRef<Spot> spots) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, spots.size()));
  auto inOtherRows = [&](unsigned a, unsigned b) {
    return ArrayRef(spots[a]).drop_back() != ArrayRef(spots[b]).drop_back();
  };
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::tie(spots[a], a) < std::tie(spots[b], b);
  });
  bool isBack = false;
  for (auto *row = order.begin(); row != order.end(); isBack = !isBack) {
    auto *end = std::find_if(
        row, order.end(), [&](unsigned reg) { return inOtherRows(*row, reg); });
    if (isBack)
      std::reverse(row, end);
    row = end;
  }
  return order;
}

/// Where an operand's elements are that are `first` k later, and twice as many,
/// and so on. Nothing if it is in registers, or not as a whole vector later.
static SmallVector<int64_t> offsetsFrom(int64_t first, Value operand,
                                        const Layout &layout,
                                        unsigned firstAxis, unsigned numAxes) {
  SmallVector<int64_t> offsets;
  SharedLayoutAttr memory = sharedLayoutOf(operand.getType());
  if (!memory)
    return offsets;
  const SharedLayout &shared = memory.getValue();
  int64_t k = 1;
  for (unsigned axis = firstAxis + numAxes; axis-- > firstAxis;)
    for (int64_t at = 1; at < shared.tile().extents()[axis]; at *= 2, k *= 2) {
      SmallVector<int64_t> position(shared.tile().rank(), 0);
      position[axis] = at;
      if (k >= first)
        offsets.push_back(shared.offset(position));
    }
  auto type = cast<RankedTensorType>(operand.getType());
  int64_t width =
      maxVectorWidth(layout, shared, elementBytes(type.getElementType()));
  if (llvm::any_of(offsets,
                   [&](int64_t offset) { return offset % width != 0; }))
    offsets.clear();
  return offsets;
}

Value ThreadEmitter::emitOuter(DotOp op) {
  FailureOr<MergedDot> dot = mergeAxes(op);
  if (failed(dot))
    return Value();
  Type element = op.getType().getElementType();
  SmallVector<Spot> spots;
  for (unsigned reg = 0; reg < dot->sum.numRegisters(); ++reg)
    spots.push_back(spotOf(dot->sum, reg));
  SmallVector<unsigned> order = backAndForth(spots);
  auto addProducts = [&](Fragment &lhs, Fragment &rhs, int64_t depth,
                         Value before) {
    SmallVector<Value> sums = elementsOf(before);
    for (int64_t k = 0; k < depth; ++k) {
      DenseMap<Value, Value> wide;
      auto factor = [&](Value number) {
        Value &widened = wide[number];
        if (!widened)
          widened = widen(b, number, element);
        return widened;
      };
      for (unsigned reg : order) {
        Spot left = spots[reg], right = spots[reg];
        left.back() = k;
        right[right.size() - 2] = k;
        Value x = factor(lhs.at(left)), y = factor(rhs.at(right));
        if (isa<FloatType>(element))
          sums[reg] = math::FmaOp::create(b, x, y, sums[reg]);
        else
          sums[reg] = arith::AddIOp::create(b, arith::MulIOp::create(b, x, y),
                                            sums[reg]);
      }
    }
    return vectorOfElements(sums);
  };
  // More instructions than these do not stay where they are fetched from, so
  // the rest of k is left to a loop. What is in no loop yet is fetched once,
  // and its fewer instructions are fetched sooner.
  bool isRepeated = op->getParentOfType<scf::ForOp>() != nullptr;
  const int64_t mostInstructions = isRepeated ? 1024 : 256;
  constexpr int64_t fewestK = 4;
  int64_t atOnce = std::max<int64_t>(
      fewestK, llvm::bit_floor<uint64_t>(std::max<int64_t>(
                   1, mostInstructions / dot->sum.numRegisters())));
  unsigned contract = op.getContract();
  auto lhsLater =
      offsetsFrom(atOnce, op.getLhs(), dot->lhs,
                  op.getLhs().getType().getRank() - contract, contract);
  auto rhsLater =
      offsetsFrom(atOnce, op.getRhs(), dot->rhs, op.getBatch(), contract);
  Value sum = vectorFor(op.getAcc());
  if (dot->depth <= atOnce || !llvm::isPowerOf2_64(dot->depth) ||
      lhsLater.empty() || rhsLater.empty()) {
    Fragment lhs(*this, op.getLhs(), dot->lhs, dot->lhsMerged);
    Fragment rhs(*this, op.getRhs(), dot->rhs, dot->rhsMerged);
    return addProducts(lhs, rhs, dot->depth, sum);
  }
  auto loop = scf::ForOp::create(b, index(0), index(dot->depth / atOnce),
                                 index(1), sum);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value round =
      arith::IndexCastOp::create(b, b.getI32Type(), loop.getInductionVar());
  auto later = [&](Value operand, const Layout &layout, const Layout &merged,
                   ArrayRef<int64_t> offsets) {
    Bits bits = 0;
    for (int64_t offset : offsets)
      bits |= offset;
    return Fragment(*this, operand, layout, merged, sumOverBits(round, offsets),
                    bits);
  };
  Fragment lhs = later(op.getLhs(), dot->lhs, dot->lhsMerged, lhsLater);
  Fragment rhs = later(op.getRhs(), dot->rhs, dot->rhsMerged, rhsLater);
  scf::YieldOp::create(b,
                       addProducts(lhs, rhs, atOnce, loop.getRegionIterArg(0)));
  return loop.getResult(0);
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// As the instruction takes its operands: pairs of f16 as vectors, all else as
/// words of 32 bits.
static Value packed(ImplicitLocOpBuilder &b, ArrayRef<Value> elements) {
  Type element = elements.front().getType();
  SmallVector<Value> halves(elements);
  if (isa<Float8E4M3FNType>(element)) {
    element = b.getF16Type();
    for (Value &half : halves)
      half = arith::ExtFOp::create(b, element, half);
  }
  auto type = VectorType::get(halves.size(), element);
  Value vector = vector::FromElementsOp::create(b, type, halves);
  if (element.isF16())
    return vector;
  Value word =
      vector::BitCastOp::create(b, VectorType::get(1, b.getI32Type()), vector);
  return vector::ExtractOp::create(b, word, int64_t(0));
}

namespace {

/// An f32 as parts for tensor cores, which read the upper 19 bits of a number:
/// it is the sum of these and of a rest. What is not finite has no rest, and is
/// not in the products with rests, which would make NaN of it.
struct SplitNumber {
  Value whole, finite, rest;
};

} // namespace

static SplitNumber splitNumber(ImplicitLocOpBuilder &b, Value x) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  auto bitsOf = [&](Value value) -> Value {
    return arith::BitcastOp::create(b, b.getI32Type(), value);
  };
  auto floatOf = [&](Value value) -> Value {
    return arith::BitcastOp::create(b, b.getF32Type(), value);
  };
  Value upper19 = number(-(1 << 13)), half = number(1 << 12);
  Value high = floatOf(arith::AndIOp::create(b, bitsOf(x), upper19));
  Value rest = arith::SubFOp::create(b, x, high);
  Value isFinite =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, rest, rest);
  // Of the rest, too, only so many bits are read.
  Value rounded = floatOf(arith::AddIOp::create(b, bitsOf(rest), half));
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  // A NaN may have nothing but lower bits, until it is added to something.
  Value special = arith::AddFOp::create(b, x, x);
  return {arith::SelectOp::create(b, isFinite, x, special),
          arith::SelectOp::create(b, isFinite, x, zero),
          arith::SelectOp::create(b, isFinite, rounded, zero)};
}

/// The products that each warp does by itself, of 16 rows and 8 columns.
class ThreadEmitter::MmaProduct {
public:
  MmaProduct(ThreadEmitter &emitter, DotOp op, const MergedDot &dot)
      : emitter(emitter), b(emitter.b), dot(dot),
        element(op.getLhs().getType().getElementType()),
        isTf32(element.isF32()),
        isSplit(op.getPrecision() == Precision::Tf32x3),
        lhs(emitter, op.getLhs(), dot.lhs, dot.lhsMerged),
        rhs(emitter, op.getRhs(), dot.rhs, dot.rhsMerged), registers(dot.sum) {}

  Value addTo(Value acc);

private:
  using Values = SmallVector<Value>;
  /// What an instruction multiplies along k.
  int64_t depth() const { return isTf32 ? 8 : 16; }
  Values leftOf(Spot block, int64_t k);
  Values rightOf(Spot block, int64_t k);
  /// An f32 is read as bits.
  Values wordsOf(ArrayRef<Value> numbers) {
    return llvm::map_to_vector(numbers,
                               [&](Value number) { return packed(b, number); });
  }
  Values partsOf(ArrayRef<Value> numbers, Value SplitNumber::*part);
  Values multiply(ArrayRef<Value> a, ArrayRef<Value> c, ArrayRef<Value> old);
  Values multiplySplit(ArrayRef<Value> a, ArrayRef<Value> c,
                       ArrayRef<Value> old);

  ThreadEmitter &emitter;
  ImplicitLocOpBuilder &b;
  const MergedDot &dot;
  Type element;
  bool isTf32, isSplit;
  Fragment lhs, rhs;
  SpotTable registers;
  DenseMap<Value, SplitNumber> splits;
};

SmallVector<Value> ThreadEmitter::MmaProduct::leftOf(Spot block, int64_t k) {
  block.back() = k;
  Values words;
  if (isTf32) {
    int64_t other = dot.order == MmaDepth::Paired ? 1 : 4;
    for (int64_t column : {int64_t(0), other})
      for (int64_t row : {0, 8})
        words.push_back(lhs.at(moved(block, row, column)));
    return words;
  }
  for (int64_t column : {0, 8})
    for (int64_t row : {0, 8})
      words.push_back(packed(b, {lhs.at(moved(block, row, column)),
                                 lhs.at(moved(block, row, column + 1))}));
  return words;
}

SmallVector<Value> ThreadEmitter::MmaProduct::rightOf(Spot block, int64_t k) {
  block[block.size() - 2] = k;
  Values words;
  if (isTf32) {
    int64_t other = dot.order == MmaDepth::Paired ? 1 : 4;
    for (int64_t row : {int64_t(0), other})
      words.push_back(rhs.at(moved(block, row, 0)));
    return words;
  }
  for (int64_t row : {0, 8})
    words.push_back(packed(
        b, {rhs.at(moved(block, row, 0)), rhs.at(moved(block, row + 1, 0))}));
  return words;
}

SmallVector<Value>
ThreadEmitter::MmaProduct::partsOf(ArrayRef<Value> numbers,
                                   Value SplitNumber::*part) {
  return wordsOf(llvm::map_to_vector(numbers, [&](Value number) {
    auto [split, isNew] = splits.try_emplace(number);
    if (isNew)
      split->second = splitNumber(b, number);
    return split->second.*part;
  }));
}

/// One instruction.
SmallVector<Value> ThreadEmitter::MmaProduct::multiply(ArrayRef<Value> a,
                                                       ArrayRef<Value> c,
                                                       ArrayRef<Value> old) {
  SmallVector<Type> four(4, b.getF32Type());
  Type result = LLVM::LLVMStructType::getLiteral(b.getContext(), four);
  auto type = isTf32             ? NVVM::MMATypes::tf32
              : element.isBF16() ? NVVM::MMATypes::bf16
                                 : NVVM::MMATypes::f16;
  auto made = NVVM::MmaOp::create(
      b, result, a, c, old, ArrayRef<int64_t>{16, 8, depth()},
      /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
      std::array{type, type},
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  Values sum;
  for (unsigned number = 0; number < four.size(); ++number)
    sum.push_back(LLVM::ExtractValueOp::create(b, made.getRes(), number));
  return sum;
}

/// What tensor cores add up has its last bits cut off, the more of them the
/// larger the sum is: so the least are added first, and all apart from the
/// other sums, to which they are added with rounding.
SmallVector<Value>
ThreadEmitter::MmaProduct::multiplySplit(ArrayRef<Value> a, ArrayRef<Value> c,
                                         ArrayRef<Value> old) {
  using Split = SplitNumber;
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Values sum(old.size(), zero);
  sum = multiply(partsOf(a, &Split::rest), partsOf(c, &Split::finite), sum);
  sum = multiply(partsOf(a, &Split::finite), partsOf(c, &Split::rest), sum);
  sum = multiply(partsOf(a, &Split::whole), partsOf(c, &Split::whole), sum);
  for (auto [own, before] : llvm::zip_equal(sum, old))
    own = arith::AddFOp::create(b, before, own);
  return sum;
}

Value ThreadEmitter::MmaProduct::addTo(Value acc) {
  Values sums = emitter.elementsOf(emitter.vectorFor(acc));
  // The blocks that a warp has, by their first spot.
  SmallVector<Spot> blocks = registers.multiplesOf(16, 8);
  for (int64_t k = 0; k < dot.depth; k += depth())
    for (const Spot &block : blocks) {
      Values old;
      SmallVector<unsigned> own;
      for (int64_t row : {0, 8})
        for (int64_t column : {0, 1}) {
          own.push_back(registers.registerAt(moved(block, row, column)));
          old.push_back(sums[own.back()]);
        }
      Values a = leftOf(block, k), c = rightOf(block, k);
      Values sum = isSplit  ? multiplySplit(a, c, old)
                   : isTf32 ? multiply(wordsOf(a), wordsOf(c), old)
                            : multiply(a, c, old);
      for (auto [reg, value] : llvm::zip_equal(own, sum))
        sums[reg] = value;
    }
  return emitter.vectorOfElements(sums);
}

Value ThreadEmitter::emitMma(DotOp op) {
  FailureOr<MergedDot> dot = mergeAxes(op);
  if (failed(dot))
    return Value();
  return MmaProduct(*this, op, *dot).addTo(op.getAcc());
}

LogicalResult ThreadEmitter::emitDot(DotOp op) {
  if (!op.getAtom())
    return op.emitOpError("has no atom, which every placed dot needs");
  willReadTiles({op.getLhs(), op.getRhs()});
  Value sum;
  switch (*op.getAtom()) {
  case Atom::Outer:
    sum = emitOuter(op);
    break;
  case Atom::Mma:
    sum = emitMma(op);
    break;
  case Atom::Wgmma:
    sum = emitWgmma(op);
    break;
  }
  if (!sum)
    return failure();
  mapping.map(op.getResult(), sum);
  return success();
}
