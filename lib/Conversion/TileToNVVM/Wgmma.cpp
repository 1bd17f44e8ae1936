//===- Wgmma.cpp - products by four warps ---------------------------------===//
//
// Each group of four warps has blocks of 64 rows. One piece of assembly for
// each block does all of k, so that nothing comes between its instructions;
// factors in shared memory are described by where they start and how they go
// on.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "ThreadEmitter.h"
#include "WgmmaPiece.h"
#include "fuse/Dialect/Tile/Analysis/Scratch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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

/// Whether a product writes the registers of a sum, and nobody else, when
/// another one is set off.
static bool isInFlight(Value acc) {
  if (acc.getDefiningOp<DotIssueOp>())
    return true;
  auto argument = dyn_cast<BlockArgument>(acc);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : nullptr;
  if (!loop || argument == loop.getInductionVar())
    return false;
  unsigned carried = argument.getArgNumber() - loop.getNumInductionVars();
  return loop.getInitArgs()[carried].getDefiningOp<DotIssueOp>() &&
         loop.getYieldedValues()[carried].getDefiningOp<DotIssueOp>();
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
  const ProductForm *form = &product->form;
  if (form->isTransposed)
    std::swap(lhs, rhs);
  auto left = cast<RankedTensorType>(lhs.getType());
  auto right = cast<RankedTensorType>(rhs.getType());
  Type element = left.getElementType();
  unsigned bytes = elementBytes(element);
  int64_t depth = product->depth, stepDepth = 32 / bytes;
  bool isApart = bytes == 1;
  int64_t perInstruction = wgmmaColumns(product->columns, isApart);

  // What is described is a matrix: the left factor's axes are rows and k,
  // unless it was the right one.
  unsigned rightK = right.getRank() - (form->isTransposed ? 1 : 2);
  unsigned rightRows = right.getRank() - (form->isTransposed ? 2 : 1);
  FailureOr<WgmmaAccess> rightAccess =
      accessOf(op, right, rightRows, rightK, perInstruction);
  if (failed(rightAccess))
    return Value();
  DescribedFactor b1{*rightAccess,
                     describe(*rightAccess, sharedTiles.lookup(rhs), 0)};
  std::optional<DescribedFactor> a1;
  std::optional<HeldFactor> held;
  if (LayoutAttr given = layoutOf(left)) {
    auto matrix = given.getValue().reshape(product->leftExtents());
    if (!matrix) {
      op->emitOpError("has a factor in registers that is no matrix, ") << left;
      return Value();
    }
    held = HeldFactor{SpotTable(*matrix), elementsOf(toStored(vectorFor(lhs)))};
  } else {
    unsigned leftRows = left.getRank() - (form->isTransposed ? 1 : 2);
    unsigned leftK = left.getRank() - (form->isTransposed ? 2 : 1);
    FailureOr<WgmmaAccess> access =
        accessOf(op, left, leftRows, leftK, wgmmaBlockRows);
    if (failed(access))
      return Value();
    // Groups take blocks in turn.
    int64_t groupBytes =
        form->warpgroups == 1 ? 0 : access->startBytes(wgmmaBlockRows, 0);
    a1 = DescribedFactor{
        *access, describe(*access, sharedTiles.lookup(lhs), groupBytes)};
  }

  SpotTable spots(product->sum);
  SmallVector<Value> sums = elementsOf(vectorFor(acc));
  SmallVector<Spot> blocks =
      form->isTransposed ? spots.multiplesOf(perInstruction, wgmmaBlockRows)
                         : spots.multiplesOf(wgmmaBlockRows, perInstruction);
  // Nothing is to be computed between the instructions of two blocks. Those of
  // the same rows share what they take.
  std::map<int64_t, SmallVector<Value>> leftOf;
  if (held)
    for (Spot block : blocks)
      if (SmallVector<Value> &words = leftOf[form->rowOf(block)]; words.empty())
        for (int64_t k = 0; k < depth; k += stepDepth)
          words.append(leftWords(b, *held, *form, bytes, block, k));
  // An instruction of numbers of 8 bits keeps few digits of its sums, so those
  // of a few at a time are apart from all others. They are added up while the
  // next ones are computed.
  int64_t depthApart = 128;
  if (auto apart = op->getAttrOfType<IntegerAttr>("tile.apart"))
    depthApart = apart.getInt();
  int64_t depthOfPiece = isApart ? std::min(depth, depthApart) : depth;
  struct Apart {
    SmallVector<unsigned> registers;
    SmallVector<Value> made;
  };
  std::optional<Apart> before;
  // Those that are added up leave their registers to the next but one: with
  // others, sums would be added later, and three times as many be held.
  SmallVector<Value> unused;
  auto addUp = [&](const Apart &apart, int64_t behind) {
    Value made = waitForWgmma(vectorOfElements(apart.made), behind);
    unused = elementsOf(made);
    auto old = llvm::map_to_vector(apart.registers,
                                   [&](unsigned reg) { return sums[reg]; });
    Value all = arith::AddFOp::create(b, vectorOfElements(old), made);
    for (auto [reg, sum] : llvm::zip_equal(apart.registers, elementsOf(all)))
      sums[reg] = sum;
  };
  // Some instructions on one block, from `start` on.
  auto emitPiece = [&](Spot block, int64_t start, int64_t end,
                       ArrayRef<Value> written, bool isFresh, bool isFenced,
                       bool isLast) {
    WgmmaPiece piece(form->registersOf(spots, block, perInstruction).size(),
                     perInstruction, element, written, isFresh, isFenced);
    if (a1)
      piece.setLeft(*a1);
    else
      piece.setLeft(
          ArrayRef(leftOf[form->rowOf(block)])
              .slice(start / stepDepth * 4, (end - start) / stepDepth * 4));
    piece.setRight(b1);
    for (int64_t k = start; k < end; k += stepDepth)
      piece.step(form->rowOf(block), form->columnOf(block), k);
    if (isLast)
      piece.commit();
    return piece.emit(b);
  };
  if (isApart) {
    for (Spot block : blocks)
      for (int64_t start = 0; start < depth; start += depthOfPiece) {
        SmallVector<Value> made = emitPiece(
            block, start, std::min(depth, start + depthOfPiece), unused,
            /*isFresh=*/true, /*isFenced=*/true, /*isLast=*/true);
        if (before)
          addUp(*before, 1);
        before = Apart{form->registersOf(spots, block, perInstruction), made};
      }
    addUp(*before, 0);
    return vectorOfElements(sums);
  }
  // What adds to the same sums waits for each other, so blocks take turns, if
  // no factor is put together in registers, which a fence has to follow.
  int64_t turn = blocks.size() == 1 || held ? depth : stepDepth;
  bool isFencedOnce = !held && (isZero(acc) || isInFlight(acc));
  for (int64_t start = 0; start < depth; start += turn)
    for (auto [number, block] : llvm::enumerate(blocks)) {
      SmallVector<unsigned> registers =
          form->registersOf(spots, block, perInstruction);
      bool isFresh = start == 0 && isZero(acc);
      SmallVector<Value> written;
      if (!isFresh)
        for (unsigned reg : registers)
          written.push_back(sums[reg]);
      SmallVector<Value> made = emitPiece(
          block, start, std::min(depth, start + turn), written, isFresh,
          /*isFenced=*/start == 0 && (number == 0 || !isFencedOnce),
          /*isLast=*/start + turn >= depth && number + 1 == blocks.size());
      for (auto [reg, value] : llvm::zip_equal(registers, made))
        sums[reg] = value;
    }
  return vectorOfElements(sums);
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

static bool readsAsynchronously(Operation *user) {
  auto dot = dyn_cast<DotOp>(user);
  return isa<DotIssueOp>(user) || (dot && dot.getAtom() == Atom::Wgmma);
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
