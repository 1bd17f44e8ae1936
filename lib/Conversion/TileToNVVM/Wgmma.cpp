//===- Wgmma.cpp - products by four warps ---------------------------------===//
//
// Each group of four warps has blocks of 64 rows. One piece of assembly does
// all of them, so that nothing comes between its instructions, and LLVM carries
// the sums through it once; factors in shared memory are described by where
// they start and how they go on.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "ThreadEmitter.h"
#include "WgmmaPiece.h"
#include "fuse/Dialect/Tile/Analysis/Scratch.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Adds a number of bytes to a descriptor's address, which counts 16 each.
Value ThreadEmitter::describe(const WgmmaAccess &access, const SharedTile &tile,
                              int64_t groupBytes) {
  Value address = LLVM::PtrToIntOp::create(b, b.getI32Type(),
                                           advance(tile.base, tile.offset));
  if (groupBytes != 0)
    address = arith::AddIOp::create(
        b, address, arith::MulIOp::create(b, warpgroup(), i32(groupBytes)));
  constexpr int64_t addressBits = 0x3ffff;
  Value low = arith::ShRUIOp::create(
      b, arith::AndIOp::create(b, address, i32(addressBits)), i32(4));
  int64_t swizzle = access.swizzleBytes == 128  ? 1
                    : access.swizzleBytes == 64 ? 2
                                                : 3;
  // A stride that is not used is 16 bytes.
  int64_t leading = std::max<int64_t>(access.leadingBytes, 16) >> 4;
  int64_t stride = std::max<int64_t>(access.strideBytes, 16) >> 4;
  int64_t high = swizzle << 62 | stride << 32 | leading << 16;
  return arith::OrIOp::create(b, arith::ExtUIOp::create(b, b.getI64Type(), low),
                              i64(high));
}

/// The number of this thread's group of four warps, the same register for all
/// of them.
Value ThreadEmitter::warpgroup() {
  if (groupNumber)
    return groupNumber;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(prologue);
  Value number = arith::ShRUIOp::create(b, thread, i32(7));
  groupNumber = NVVM::ShflOp::create(b, b.getI32Type(), i32(-1), number, i32(0),
                                     i32(31), NVVM::ShflKind::idx, UnitAttr());
  return groupNumber;
}

FailureOr<WgmmaAccess> ThreadEmitter::accessOf(Operation *op,
                                               RankedTensorType type,
                                               unsigned rowAxis, unsigned kAxis,
                                               int64_t rows) {
  auto access = wgmmaAccess(sharedLayoutOf(type).getValue(), rowAxis, kAxis,
                            elementBytes(type.getElementType()), rows);
  if (!access)
    return op->emitOpError("has a factor of type ")
           << type << ", which no descriptor of wgmma describes";
  return *access;
}

/// Whether a sum starts at zero, which the instruction can do by itself.
static bool isZero(Value acc) {
  if (auto start = acc.getDefiningOp<StartOp>())
    acc = start.getSource();
  return matchPattern(acc, m_AnyZeroFloat());
}

/// A product that instructions of four warps do as its factors are.
class ThreadEmitter::WgmmaProduct {
public:
  WgmmaProduct(ThreadEmitter &emitter, Operation *op,
               const MatrixProduct &product, Type element)
      : emitter(emitter), op(op), product(product), form(product.form),
        element(element), bytes(elementBytes(element)), stepDepth(32 / bytes),
        columns(wgmmaColumns(product.columns, isApart())), spots(product.sum) {}

  /// False if no instruction reads such a factor, which they say.
  bool findRight(Value tile);
  bool findLeft(Value tile);

  Value addTo(Value acc);

private:
  /// An instruction of numbers of 8 bits keeps few digits of its sums, so those
  /// of a few at a time are apart from all others.
  bool isApart() const { return bytes == 1; }
  int64_t depthApart() const;
  FailureOr<DescribedFactor> describeFactor(Value tile, bool isLeft);
  void findLeftWords();

  SmallVector<Value> emit(ArrayRef<Spot> blocks, int64_t start, int64_t end,
                          ArrayRef<Value> written, bool isFresh);
  SmallVector<unsigned> registersOf(Spot block) const {
    return form.registersOf(spots, block, columns);
  }

  /// Sums that are not among the others yet.
  struct Apart {
    SmallVector<unsigned> registers;
    SmallVector<Value> made;
  };
  void addUp(const Apart &apart, int64_t behind);
  void multiplyApart();
  void multiplyTogether(Value acc);

  ThreadEmitter &emitter;
  Operation *op;
  const MatrixProduct &product;
  const ProductForm &form;
  Type element;
  unsigned bytes;
  /// What an instruction multiplies along k, and how many columns.
  int64_t stepDepth, columns;
  SpotTable spots;
  SmallVector<Spot> blocks;
  std::optional<DescribedFactor> right, left;
  /// The left factor, if it is in registers, and by rows what instructions take
  /// of it.
  std::optional<HeldFactor> held;
  std::map<int64_t, SmallVector<Value>> leftOf;
  SmallVector<Value> sums;
  /// Those that were added up leave their registers to the next but one: with
  /// others, sums would be added later, and three times as many be held.
  SmallVector<Value> unused;
};

int64_t ThreadEmitter::WgmmaProduct::depthApart() const {
  constexpr int64_t usual = 128;
  auto asked = op->getAttrOfType<IntegerAttr>("tile.apart");
  return std::min(product.depth, asked ? asked.getInt() : usual);
}

/// What is described is a matrix: the left factor's axes are rows and k, unless
/// it was the right one.
FailureOr<DescribedFactor>
ThreadEmitter::WgmmaProduct::describeFactor(Value tile, bool isLeft) {
  auto type = cast<RankedTensorType>(tile.getType());
  unsigned last = type.getRank() - 1, before = type.getRank() - 2;
  bool isAlongK = isLeft != form.isTransposed;
  FailureOr<WgmmaAccess> access = emitter.accessOf(
      op, type, isAlongK ? before : last, isAlongK ? last : before,
      isLeft ? wgmmaBlockRows : columns);
  if (failed(access))
    return failure();
  // Groups take blocks of rows in turn.
  int64_t groupBytes = isLeft && form.warpgroups != 1
                           ? access->startBytes(wgmmaBlockRows, 0)
                           : 0;
  return DescribedFactor{
      *access,
      emitter.describe(*access, emitter.sharedTiles.lookup(tile), groupBytes)};
}

bool ThreadEmitter::WgmmaProduct::findRight(Value tile) {
  FailureOr<DescribedFactor> factor = describeFactor(tile, /*isLeft=*/false);
  if (failed(factor))
    return false;
  right = *factor;
  return true;
}

bool ThreadEmitter::WgmmaProduct::findLeft(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  LayoutAttr layout = layoutOf(type);
  if (!layout) {
    FailureOr<DescribedFactor> factor = describeFactor(tile, /*isLeft=*/true);
    if (failed(factor))
      return false;
    left = *factor;
    return true;
  }
  auto matrix = layout.getValue().reshape(product.leftExtents());
  if (!matrix) {
    op->emitOpError("has a factor in registers that is no matrix, ") << type;
    return false;
  }
  held =
      HeldFactor{SpotTable(*matrix),
                 emitter.elementsOf(emitter.toStored(emitter.vectorFor(tile)))};
  return true;
}

/// Nothing is to be computed between the instructions of two blocks. Those of
/// the same rows share what they take.
void ThreadEmitter::WgmmaProduct::findLeftWords() {
  if (!held)
    return;
  for (const Spot &block : blocks)
    if (SmallVector<Value> &words = leftOf[form.rowOf(block)]; words.empty())
      for (int64_t k = 0; k < product.depth; k += stepDepth)
        words.append(leftWords(emitter.b, *held, form, bytes, block, k));
}

/// What is done of some blocks from `start` to `end` along k. They add to what
/// is `written`, or take its registers if they are fresh.
///
/// What adds to the same sums waits for each other, so blocks take turns, if
/// instructions do not read registers for all of k.
SmallVector<Value> ThreadEmitter::WgmmaProduct::emit(ArrayRef<Spot> blocks,
                                                     int64_t start, int64_t end,
                                                     ArrayRef<Value> written,
                                                     bool isFresh) {
  WgmmaPiece code(blocks.size(), registersOf(blocks.front()).size(), columns,
                  element, written, isFresh);
  constexpr int64_t wordsOfStep = 4;
  if (left) {
    code.setLeft(*left);
  } else {
    SmallVector<Value> words;
    for (const Spot &block : blocks) {
      ArrayRef<Value> ofRow = leftOf[form.rowOf(block)];
      llvm::append_range(words,
                         ofRow.slice(start / stepDepth * wordsOfStep,
                                     (end - start) / stepDepth * wordsOfStep));
    }
    code.setLeft(words);
  }
  code.setRight(*right);
  int64_t turn = held ? end - start : stepDepth;
  for (int64_t from = start; from < end; from += turn)
    for (auto [number, block] : llvm::enumerate(blocks)) {
      int64_t row = form.rowOf(block), column = form.columnOf(block);
      for (int64_t k = from; k < from + turn; k += stepDepth)
        code.step(number, row, column, k);
    }
  code.commit();
  return code.emit(emitter.b);
}

void ThreadEmitter::WgmmaProduct::addUp(const Apart &apart, int64_t behind) {
  Value made =
      emitter.waitForWgmma(emitter.vectorOfElements(apart.made), behind);
  unused = emitter.elementsOf(made);
  auto old = llvm::map_to_vector(apart.registers,
                                 [&](unsigned reg) { return sums[reg]; });
  Value all =
      arith::AddFOp::create(emitter.b, emitter.vectorOfElements(old), made);
  for (auto [reg, sum] :
       llvm::zip_equal(apart.registers, emitter.elementsOf(all)))
    sums[reg] = sum;
}

/// Some sums are added up while the next ones are computed.
void ThreadEmitter::WgmmaProduct::multiplyApart() {
  std::optional<Apart> before;
  int64_t depth = depthApart();
  for (const Spot &block : blocks)
    for (int64_t start = 0; start < product.depth; start += depth) {
      SmallVector<Value> made =
          emit(block, start, std::min(product.depth, start + depth), unused,
               /*isFresh=*/true);
      if (before)
        addUp(*before, 1);
      before = Apart{registersOf(block), made};
    }
  addUp(*before, 0);
}

void ThreadEmitter::WgmmaProduct::multiplyTogether(Value acc) {
  SmallVector<unsigned> registers;
  for (const Spot &block : blocks)
    registers.append(registersOf(block));
  bool isFresh = isZero(acc);
  SmallVector<Value> written;
  if (!isFresh)
    for (unsigned reg : registers)
      written.push_back(sums[reg]);
  SmallVector<Value> made = emit(blocks, 0, product.depth, written, isFresh);
  for (auto [reg, value] : llvm::zip_equal(registers, made))
    sums[reg] = value;
}

Value ThreadEmitter::WgmmaProduct::addTo(Value acc) {
  sums = emitter.elementsOf(emitter.vectorFor(acc));
  blocks = form.isTransposed ? spots.multiplesOf(columns, wgmmaBlockRows)
                             : spots.multiplesOf(wgmmaBlockRows, columns);
  findLeftWords();
  if (isApart())
    multiplyApart();
  else
    multiplyTogether(acc);
  return emitter.vectorOfElements(sums);
}

Value ThreadEmitter::issueWgmma(Operation *op, Value lhs, Value rhs,
                                RankedTensorType sumType, Value acc) {
  willReadTiles({lhs, rhs});
  auto product =
      MatrixProduct::of(cast<RankedTensorType>(lhs.getType()), sumType);
  if (!product) {
    op->emitOpError("has an accumulator that is not laid out for wgmma");
    return Value();
  }
  if (product->form.isTransposed)
    std::swap(lhs, rhs);
  WgmmaProduct issued(*this, op, *product, getElementTypeOrSelf(lhs.getType()));
  return issued.findRight(rhs) && issued.findLeft(lhs) ? issued.addTo(acc)
                                                       : Value();
}

Value ThreadEmitter::waitForWgmma(Value sums, int64_t behind) {
  std::string text =
      "wgmma.wait_group.sync.aligned " + std::to_string(behind) + ";";
  if (!sums) {
    assemble(b, text, "", {}, 0);
    return Value();
  }
  // The sums are read behind the wait only, since it is what makes them.
  SmallVector<Value> elements = elementsOf(sums);
  std::string constraints;
  repeatConstraint(constraints, "=f", elements.size());
  tieConstraints(constraints, elements.size());
  return vectorOfElements(
      assemble(b, text, constraints, elements, elements.size()));
}

bool ThreadEmitter::isReadAsynchronously(Value tile) {
  return llvm::any_of(tile.getUsers(), readsAsynchronously);
}

/// Whether a product splits the numbers of a factor in registers, and writes
/// nothing behind which there is a fence anyway.
static bool splitsInRegisters(Operation *user, Value factor) {
  auto dot = dyn_cast<DotOp>(user);
  Value other = dot ? splitFactor(dot) : Value();
  return other && other != factor && splitBytes(dot) == 0;
}

/// Whether threads load what is in a slot of the ring into their registers.
bool ThreadEmitter::isReadByThreads(Value ring) {
  return llvm::any_of(ring.getUsers(), [](Operation *user) {
    auto wait = dyn_cast<WaitOp>(user);
    return wait && llvm::any_of(wait.getParts(), [](Value part) {
             return llvm::any_of(part.getUsers(), [&](Operation *reader) {
               return !readsAsynchronously(reader) ||
                      splitsInRegisters(reader, part);
             });
           });
  });
}

void ThreadEmitter::fenceWrites() {
  assemble(b, "fence.proxy.async.shared::cta;", "~{memory}", {}, 0);
}

Value ThreadEmitter::emitWgmma(DotOp op) {
  if (op.getPrecision() == Precision::Tf32x3)
    return emitSplitWgmma(op);
  Value sums =
      issueWgmma(op, op.getLhs(), op.getRhs(), op.getType(), op.getAcc());
  return sums ? waitForWgmma(sums, 0) : Value();
}

/// A branch that is never taken, on bits that no number has, ends the piece of
/// code within which instructions are reordered. To sleep there a little does
/// no harm if the bits are there after all, and is no reason for the assembler
/// to make products wait for each other.
void ThreadEmitter::pinWord(Value word) {
  assemble(b,
           "{\n\t.reg .pred other;\n\t"
           "setp.ne.b32 other, $0, 0x7fa5c3d1;\n\t"
           "@other bra over;\n\t"
           "nanosleep.u32 20;\n\t"
           "over:\n\t}",
           "r", {word}, 0);
}

/// Keeps what follows behind what came before: the warp ends here on a
/// condition that never holds. The assembler does not know that of a number
/// that another lane gives, and does nothing earlier that would not be done
/// then; over a branch that comes back it does. Each such place has a condition
/// of its own, since one that has not held would be known not to.
void ThreadEmitter::keepBehind() {
  if (!threadOfLaneZero) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(prologue);
    threadOfLaneZero =
        NVVM::ShflOp::create(b, b.getI32Type(), i32(-1), thread, i32(0),
                             i32(31), NVVM::ShflKind::idx, UnitAttr());
  }
  constexpr int32_t moreThanThreads = 1 << 16;
  Value never =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, threadOfLaneZero,
                            i32(moreThanThreads + numNever++));
  assemble(b, "@$0 exit;", "b,~{memory}", {never}, 0);
}

/// The same over a branch, and on an address that is none, for which no
/// register is needed: where products are under way no warp may end, or they
/// wait for each other. What the numbers are is known behind it only.
Value ThreadEmitter::emitHold(HoldOp op) {
  constexpr int64_t noAddress = -(int64_t(1) << 20);
  constexpr int wordBits = 32;
  SmallVector<Value> numbers = elementsOf(vectorFor(op.getSource()));
  // Several results come as one structure, one does not.
  size_t count = numbers.size();
  if (count == 1)
    numbers.push_back(numbers.front());
  auto kernel = op->getParentOfType<KernelOp>();
  Value address = memories.lookup(kernel.getMemory().front()).address;
  Value bits = LLVM::PtrToIntOp::create(b, b.getI64Type(), address);
  Value high = arith::TruncIOp::create(
      b, b.getI32Type(), arith::ShRUIOp::create(b, bits, i64(wordBits)));
  Value never = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, high,
                                      i32(noAddress + numNever++));
  std::string constraints, text = "{\n\t@!$" +
                                  std::to_string(2 * numbers.size()) +
                                  " bra over;\n\t"
                                  "nanosleep.u32 20;\n\t"
                                  "over:\n\t}";
  repeatConstraint(constraints, "=f", numbers.size());
  tieConstraints(constraints, numbers.size());
  SmallVector<Value> operands(numbers);
  operands.push_back(never);
  SmallVector<Value> held =
      assemble(b, text, constraints + ",b,~{memory}", operands, numbers.size());
  return vectorOfElements(ArrayRef(held).take_front(count));
}

void ThreadEmitter::emitPin(PinOp op) {
  for (Value element : elementsOf(vectorFor(op.getSource())))
    if (element.getType().isF32())
      pinWord(arith::BitcastOp::create(b, b.getI32Type(), element));
}

LogicalResult ThreadEmitter::emitInFlight(Operation *op) {
  Value group = i32(0);
  if (auto issue = dyn_cast<DotIssueOp>(op)) {
    Value sums = issueWgmma(issue, issue.getLhs(), issue.getRhs(),
                            issue.getSumType(), issue.getAcc());
    if (!sums)
      return failure();
    mapping.map(issue.getResult(), sums);
    mapping.map(issue.getGroup(), group);
  } else if (auto start = dyn_cast<StartOp>(op)) {
    mapping.map(start.getResult(), vectorFor(start.getSource()));
  } else if (auto take = dyn_cast<TakeOp>(op)) {
    mapping.map(
        take.getResult(),
        waitForWgmma(mapping.lookup(take.getPending()), take.getBehind()));
  } else if (auto retire = dyn_cast<RetireOp>(op)) {
    waitForWgmma(Value(), retire.getBehind());
    mapping.map(retire.getDone(), group);
  } else {
    emitPin(cast<PinOp>(op));
  }
  return success();
}
