//===- Wgmma.cpp - products by four warps ---------------------------------===//
//
// Each group of four warps has blocks of 64 rows. One piece of assembly for
// each block does all of k, so that nothing comes between its instructions;
// factors in shared memory are described by where they start and how they go
// on.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "Spots.h"
#include "ThreadEmitter.h"
#include "fuse/Layout/Atoms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static constexpr int64_t blockRows = 64, stepDepth = 16;

static std::string operandList(unsigned first, unsigned count) {
  std::string list = "{";
  for (unsigned i = 0; i < count; ++i)
    list += (i == 0 ? "$" : ", $") + std::to_string(first + i);
  return list + "}";
}

static void repeatConstraint(std::string &constraints, StringRef constraint,
                             unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    constraints += (constraints.empty() ? "" : ",") + constraint.str();
}

/// Those operands that are results, too.
static void tieConstraints(std::string &constraints, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    constraints += "," + std::to_string(i);
}

namespace {

/// A factor that a descriptor describes.
struct DescribedFactor {
  WgmmaAccess access;
  Value descriptor;

  /// What is added to the descriptor for another part of the tile.
  int64_t offset(int64_t row, int64_t k) const {
    return access.startBytes(row, k) >> 4;
  }
};

} // namespace

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
                                               bool isLeft, int64_t rows) {
  unsigned last = type.getRank() - 1;
  auto access = wgmmaAccess(sharedLayoutOf(type).getValue(),
                            isLeft ? last - 1 : last, isLeft ? last : last - 1,
                            elementBytes(type.getElementType()), rows);
  if (!access)
    return op->emitOpError("has a factor of type ")
           << type << ", which no descriptor of wgmma describes";
  return *access;
}

/// What an instruction takes of the left factor in registers: four words.
static SmallVector<Value> leftWords(ImplicitLocOpBuilder &b,
                                    const SpotTable &spots,
                                    ArrayRef<Value> elements, Spot block,
                                    int64_t k) {
  block.back() = k;
  SmallVector<Value> words;
  for (int64_t column : {0, 8})
    for (int64_t row : {0, 8}) {
      SmallVector<Value> halves;
      for (int64_t next : {0, 1})
        halves.push_back(
            elements[spots.registerAt(moved(block, row, column + next))]);
      auto type = VectorType::get(2, halves.front().getType());
      Value pair = vector::FromElementsOp::create(b, type, halves);
      Value word = vector::BitCastOp::create(
          b, VectorType::get(1, b.getI32Type()), pair);
      words.push_back(vector::ExtractOp::create(b, word, int64_t(0)));
    }
  return words;
}

/// Whether a sum starts at zero, which the instruction can do by itself.
static bool isZero(Value acc) {
  if (auto start = acc.getDefiningOp<StartOp>())
    acc = start.getSource();
  return matchPattern(acc, m_AnyZeroFloat());
}

Value ThreadEmitter::issueWgmma(Operation *op, Value lhs, Value rhs,
                                RankedTensorType sumType, Value acc) {
  for (Value factor : {lhs, rhs})
    if (auto convert = factor.getDefiningOp<ConvertLayoutOp>();
        convert && sharedLayoutOf(convert.getType()))
      willRead(shared.rangeOf(convert));
  auto left = cast<RankedTensorType>(lhs.getType());
  auto right = cast<RankedTensorType>(rhs.getType());
  const Layout &layout = layoutOf(sumType).getValue();
  unsigned groups = layout.numWarps() / 4;
  auto wanted = layout.numWarps() % 4 == 0
                    ? wgmmaAccumulator(sumType.getShape(), groups)
                    : std::nullopt;
  if (!wanted || *wanted != layout) {
    op->emitOpError("has an accumulator that is not laid out for wgmma");
    return Value();
  }
  int64_t columns = sumType.getShape().back(), depth = left.getShape().back();
  int64_t perInstruction = wgmmaColumns(columns);

  FailureOr<WgmmaAccess> rightAccess =
      accessOf(op, right, /*isLeft=*/false, perInstruction);
  if (failed(rightAccess))
    return Value();
  DescribedFactor b1{*rightAccess,
                     describe(*rightAccess, sharedTiles.lookup(rhs), 0)};
  std::optional<DescribedFactor> a1;
  std::optional<SpotTable> leftSpots;
  SmallVector<Value> leftElements;
  if (layoutOf(left)) {
    leftSpots.emplace(layoutOf(left).getValue());
    leftElements = elementsOf(vectorFor(lhs));
  } else {
    FailureOr<WgmmaAccess> access =
        accessOf(op, left, /*isLeft=*/true, blockRows);
    if (failed(access))
      return Value();
    // Groups take blocks in turn.
    int64_t groupBytes = groups == 1 ? 0 : access->startBytes(blockRows, 0);
    a1 = DescribedFactor{
        *access, describe(*access, sharedTiles.lookup(lhs), groupBytes)};
  }

  SpotTable spots(layout);
  std::string kind = left.getElementType().isBF16() ? "bf16" : "f16";
  SmallVector<Value> sums = elementsOf(vectorFor(acc));
  bool startsAtZero = isZero(acc);
  SmallVector<Spot> blocks = spots.multiplesOf(blockRows, perInstruction);
  // Nothing is to be computed between the instructions of two blocks.
  SmallVector<SmallVector<Value>> leftOf(blocks.size());
  if (!a1)
    for (auto [block, words] : llvm::zip_equal(blocks, leftOf))
      for (int64_t k = 0; k < depth; k += stepDepth)
        words.append(leftWords(b, *leftSpots, leftElements, block, k));
  for (auto [number, block] : llvm::enumerate(blocks)) {
    SmallVector<unsigned> registers;
    for (int64_t column = 0; column < perInstruction; column += 8)
      for (int64_t row : {0, 8})
        for (int64_t next : {0, 1})
          registers.push_back(
              spots.registerAt(moved(block, row, column + next)));
    unsigned count = registers.size();
    SmallVector<Value> operands;
    std::string constraints;
    repeatConstraint(constraints, startsAtZero ? "=&f" : "=f", count);
    if (!startsAtZero) {
      tieConstraints(constraints, count);
      for (unsigned reg : registers)
        operands.push_back(sums[reg]);
    }
    unsigned firstLeft = count + operands.size(),
             numLeft = a1 ? 1 : leftOf[number].size();
    if (a1)
      operands.push_back(a1->descriptor);
    operands.append(leftOf[number]);
    repeatConstraint(constraints, a1 ? "l" : "r", numLeft);
    operands.push_back(b1.descriptor);
    constraints += ",l";
    unsigned rightOperand = firstLeft + numLeft;

    std::string text = "{\n\t.reg .b64 left, right;\n\t"
                       "wgmma.fence.sync.aligned;\n\t";
    int64_t row = block[block.size() - 2], column = block.back();
    for (int64_t k = 0; k < depth; k += stepDepth) {
      std::string from;
      if (a1) {
        text += "add.s64 left, $" + std::to_string(firstLeft) + ", " +
                std::to_string(a1->offset(row, k)) + ";\n\t";
        from = "left";
      } else {
        from = operandList(firstLeft + k / stepDepth * 4, 4);
      }
      text += "add.s64 right, $" + std::to_string(rightOperand) + ", " +
              std::to_string(b1.offset(column, k)) + ";\n\t";
      text += "wgmma.mma_async.sync.aligned.m64n" +
              std::to_string(perInstruction) + "k16.f32." + kind + "." + kind +
              " " + operandList(0, count) + ", " + from + ", right, " +
              (startsAtZero && k == 0 ? "0" : "1") + ", 1, 1";
      if (a1)
        text += a1->access.isKMajor ? ", 0" : ", 1";
      text += b1.access.isKMajor ? ", 0;\n\t" : ", 1;\n\t";
    }
    if (number + 1 == blocks.size())
      text += "wgmma.commit_group.sync.aligned;\n\t";
    text += "}";
    for (auto [reg, value] : llvm::zip_equal(
             registers, assemble(b, text, constraints, operands, count)))
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

bool ThreadEmitter::isReadAsynchronously(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    auto dot = dyn_cast<DotOp>(user);
    return isa<DotIssueOp>(user) || (dot && dot.getAtom() == Atom::Wgmma);
  });
}

void ThreadEmitter::fenceWrites() {
  assemble(b, "fence.proxy.async.shared::cta;", "", {}, 0);
}

Value ThreadEmitter::emitWgmma(DotOp op) {
  Value sums =
      issueWgmma(op, op.getLhs(), op.getRhs(), op.getType(), op.getAcc());
  return sums ? waitForWgmma(sums, 0) : Value();
}

/// A branch that is never taken, on bits that no number has, ends the piece of
/// code within which instructions are reordered. To sleep there a little does
/// no harm if the bits are there after all, and is no reason for the assembler
/// to make products wait for each other.
void ThreadEmitter::emitPin(PinOp op) {
  for (Value element : elementsOf(vectorFor(op.getSource()))) {
    if (!element.getType().isF32())
      continue;
    assemble(b,
             "{\n\t.reg .pred other;\n\t"
             "setp.ne.b32 other, $0, 0x7fa5c3d1;\n\t"
             "@other bra over;\n\t"
             "nanosleep.u32 20;\n\t"
             "over:\n\t}",
             "r", {arith::BitcastOp::create(b, b.getI32Type(), element)}, 0);
  }
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
