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

static constexpr int64_t blockRows = 64;

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

/// A piece of assembly: instructions on one block, one behind the other.
class WgmmaPiece {
public:
  /// The registers of `written` become those of the sums, which otherwise have
  /// new ones. Those that are `isFresh` start at 0, whatever is written over.
  WgmmaPiece(unsigned numSums, int64_t columns, Type element,
             ArrayRef<Value> written, bool isFresh)
      : numSums(numSums), columns(columns), element(element),
        operands(written.begin(), written.end()), isFresh(isFresh) {
    // Written while factors are still read.
    repeatConstraint(constraints, written.empty() ? "=&f" : "=f", numSums);
    if (!written.empty())
      tieConstraints(constraints, numSums);
  }

  void setLeft(const DescribedFactor &factor) {
    left = &factor;
    firstLeft = add("l", factor.descriptor);
  }
  /// Four words for each step.
  void setLeft(ArrayRef<Value> words) {
    firstLeft = numSums + operands.size();
    for (Value word : words)
      add("r", word);
  }
  void setRight(const DescribedFactor &factor) {
    right = &factor;
    rightNumber = add("l", factor.descriptor);
  }

  void step(int64_t row, int64_t column, int64_t k);
  void commit() { text += "wgmma.commit_group.sync.aligned;\n\t"; }
  SmallVector<Value> emit(ImplicitLocOpBuilder &b) {
    return assemble(b, text + "}", constraints, operands, numSums);
  }

private:
  unsigned add(StringRef constraint, Value operand) {
    constraints += "," + constraint.str();
    operands.push_back(operand);
    return numSums + operands.size() - 1;
  }

  unsigned numSums;
  int64_t columns;
  Type element;
  SmallVector<Value> operands;
  std::string constraints;
  std::string text = "{\n\t.reg .b64 left, right;\n\t"
                     "wgmma.fence.sync.aligned;\n\t";
  const DescribedFactor *left = nullptr, *right = nullptr;
  unsigned firstLeft = 0, rightNumber = 0, numSteps = 0;
  bool isFresh;
};

} // namespace

/// The end of an instruction's name.
static StringRef kindOf(Type element) {
  if (isa<Float8E4M3FNType>(element))
    return "k32.f32.e4m3.e4m3";
  if (element.isF32())
    return "k8.f32.tf32.tf32";
  return element.isBF16() ? "k16.f32.bf16.bf16" : "k16.f32.f16.f16";
}

void WgmmaPiece::step(int64_t row, int64_t column, int64_t k) {
  std::string from;
  if (left) {
    text += "add.s64 left, $" + std::to_string(firstLeft) + ", " +
            std::to_string(left->offset(row, k)) + ";\n\t";
    from = "left";
  } else {
    from = operandList(firstLeft + 4 * numSteps, 4);
  }
  text += "add.s64 right, $" + std::to_string(rightNumber) + ", " +
          std::to_string(right->offset(column, k)) + ";\n\t";
  text += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) +
          kindOf(element).str() + " " + operandList(0, numSums) + ", " + from +
          ", right, " + (isFresh && numSteps == 0 ? "0" : "1") + ", 1, 1";
  // Others are read along k only.
  if (element.getIntOrFloatBitWidth() == 16) {
    if (left)
      text += left->access.isKMajor ? ", 0" : ", 1";
    text += right->access.isKMajor ? ", 0" : ", 1";
  }
  text += ";\n\t";
  ++numSteps;
}

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

namespace {

/// How an accumulator's layout says that a product is done. Its rows are the
/// instruction's, or its columns are; spots are then (column, row).
struct ProductForm {
  bool isTransposed;
  WgmmaRows rows;
  unsigned groups;

  /// The row of a thread's second half of a block.
  int64_t nextRow() const { return rows == WgmmaRows::InOrder ? 8 : 1; }
  int64_t &rowOf(Spot &spot) const {
    return spot[spot.size() - (isTransposed ? 1 : 2)];
  }
  int64_t &columnOf(Spot &spot) const {
    return spot[spot.size() - (isTransposed ? 2 : 1)];
  }
  Spot moved(Spot spot, int64_t row, int64_t column) const {
    rowOf(spot) += row;
    columnOf(spot) += column;
    return spot;
  }
};

/// A factor in registers.
struct HeldFactor {
  SpotTable spots;
  SmallVector<Value> elements;
};

} // namespace

static std::optional<ProductForm> formOf(RankedTensorType sum) {
  const Layout &layout = layoutOf(sum).getValue();
  SmallVector<int64_t> extents(sum.getShape());
  auto axes = llvm::to_vector(llvm::seq<unsigned>(extents.size()));
  if (layout.numWarps() % 4 != 0 || extents.size() < 2)
    return std::nullopt;
  unsigned groups = layout.numWarps() / 4, last = extents.size() - 1;
  for (bool isTransposed : {false, true}) {
    for (WgmmaRows rows :
         {WgmmaRows::InOrder, WgmmaRows::Paired, WgmmaRows::PairedWords}) {
      auto wanted = wgmmaAccumulator(extents, groups, rows);
      if (wanted && wanted->transpose(axes).layout == layout)
        return ProductForm{isTransposed, rows, groups};
    }
    std::swap(extents[last], extents[last - 1]);
    std::swap(axes[last], axes[last - 1]);
  }
  return std::nullopt;
}

/// What an instruction takes of the left factor in registers: four words.
static SmallVector<Value> leftWords(ImplicitLocOpBuilder &b,
                                    const HeldFactor &factor,
                                    const ProductForm &form,
                                    unsigned elementBytes, Spot block,
                                    int64_t k) {
  int64_t perWord = 4 / elementBytes;
  form.columnOf(block) = k;
  SmallVector<Value> words;
  for (int64_t column : {int64_t(0), 4 * perWord})
    for (int64_t row : {int64_t(0), form.nextRow()}) {
      SmallVector<Value> parts;
      for (int64_t next = 0; next < perWord; ++next)
        parts.push_back(factor.elements[factor.spots.registerAt(
            form.moved(block, row, column + next))]);
      auto type = VectorType::get(perWord, parts.front().getType());
      Value vector = vector::FromElementsOp::create(b, type, parts);
      Value word = vector::BitCastOp::create(
          b, VectorType::get(1, b.getI32Type()), vector);
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
  std::optional<ProductForm> form = formOf(sumType);
  if (!form) {
    op->emitOpError("has an accumulator that is not laid out for wgmma");
    return Value();
  }
  if (form->isTransposed)
    std::swap(lhs, rhs);
  auto left = cast<RankedTensorType>(lhs.getType());
  auto right = cast<RankedTensorType>(rhs.getType());
  Type element = left.getElementType();
  unsigned bytes = elementBytes(element), last = sumType.getRank() - 1;
  // The axes of the left factor are rows and k, unless it was the right one.
  unsigned first = form->isTransposed ? last : last - 1;
  unsigned second = form->isTransposed ? last - 1 : last;
  int64_t depth = left.getDimSize(second), stepDepth = 32 / bytes;
  int64_t perInstruction = wgmmaColumns(sumType.getDimSize(second), bytes);

  FailureOr<WgmmaAccess> rightAccess =
      accessOf(op, right, second, first, perInstruction);
  if (failed(rightAccess))
    return Value();
  DescribedFactor b1{*rightAccess,
                     describe(*rightAccess, sharedTiles.lookup(rhs), 0)};
  std::optional<DescribedFactor> a1;
  std::optional<HeldFactor> held;
  if (LayoutAttr given = layoutOf(left)) {
    held = HeldFactor{SpotTable(given.getValue()),
                      elementsOf(toStored(vectorFor(lhs)))};
  } else {
    FailureOr<WgmmaAccess> access =
        accessOf(op, left, first, second, blockRows);
    if (failed(access))
      return Value();
    // Groups take blocks in turn.
    int64_t groupBytes =
        form->groups == 1 ? 0 : access->startBytes(blockRows, 0);
    a1 = DescribedFactor{
        *access, describe(*access, sharedTiles.lookup(lhs), groupBytes)};
  }

  SpotTable spots(layoutOf(sumType).getValue());
  SmallVector<Value> sums = elementsOf(vectorFor(acc));
  SmallVector<Spot> blocks = form->isTransposed
                                 ? spots.multiplesOf(perInstruction, blockRows)
                                 : spots.multiplesOf(blockRows, perInstruction);
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
  constexpr int64_t depthApart = 128;
  bool isApart = bytes == 1;
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
  for (auto [number, each] : llvm::enumerate(blocks)) {
    Spot block = each;
    int64_t row = form->rowOf(block), column = form->columnOf(block);
    SmallVector<unsigned> registers;
    for (int64_t at = 0; at < perInstruction; at += 8)
      for (int64_t half : {int64_t(0), form->nextRow()})
        for (int64_t next : {0, 1})
          registers.push_back(
              spots.registerAt(form->moved(block, half, at + next)));
    for (int64_t start = 0; start < depth; start += depthOfPiece) {
      bool isFresh = isApart || isZero(acc);
      SmallVector<Value> written = unused;
      if (!isFresh)
        written = llvm::map_to_vector(registers,
                                      [&](unsigned reg) { return sums[reg]; });
      WgmmaPiece piece(registers.size(), perInstruction, element, written,
                       isFresh);
      int64_t end = std::min(depth, start + depthOfPiece);
      if (a1)
        piece.setLeft(*a1);
      else
        piece.setLeft(
            ArrayRef(leftOf[row])
                .slice(start / stepDepth * 4, (end - start) / stepDepth * 4));
      piece.setRight(b1);
      for (int64_t k = start; k < end; k += stepDepth)
        piece.step(row, column, k);
      if (isApart || number + 1 == blocks.size())
        piece.commit();
      SmallVector<Value> made = piece.emit(b);
      if (!isApart) {
        for (auto [reg, value] : llvm::zip_equal(registers, made))
          sums[reg] = value;
        continue;
      }
      if (before)
        addUp(*before, 1);
      before = Apart{registers, made};
    }
  }
  if (before)
    addUp(*before, 0);
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
  assemble(b, "fence.proxy.async.shared::cta;", "~{memory}", {}, 0);
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
