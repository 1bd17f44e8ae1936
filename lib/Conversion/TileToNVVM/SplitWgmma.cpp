//===- SplitWgmma.cpp - f32 products by three of tf32 ---------------------===//
//
// A number x is the sum of its upper 19 bits, which are what the instruction
// reads of it, and of a rest, which is exact as an f32:
//
//   a b = high(a) high(b) + high(a) low(b) + low(a) high(b)
//
// but for the product of both rests. The left factor is split in registers, the
// rest of the right one is written to shared memory.
//
// Infinities have no rest. What there are some of, or NaNs, is done again
// without tensor cores.
//
// Where the right factor is there before the loop in which it is multiplied,
// its rest is written with it. Else each round writes that.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "ThreadEmitter.h"
#include "WgmmaPiece.h"
#include "fuse/Dialect/Tile/Analysis/Scratch.h"
#include "fuse/Dialect/Tile/Analysis/StagedStore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static constexpr int64_t groupWarps = 4;
/// What an instruction takes of k.
static constexpr int64_t stepDepth = 8;

/// Writes one such product.
class ThreadEmitter::SplitProduct {
public:
  SplitProduct(ThreadEmitter &emitter, DotOp op) : emitter(emitter), op(op) {}
  Value emit();

private:
  /// Elements of a vector as they are multiplied.
  using Map = llvm::function_ref<Value(Value)>;
  /// One of the products of parts: what becomes of the left factor's elements,
  /// and where the part of the right one is.
  struct Term {
    Map left;
    const DescribedFactor *right;
  };

  bool prepare();
  int64_t numThreads() const;
  void writeRight(Map map);
  void writeRests();
  void askForInfinities();
  SmallVector<Value> wordsOf(Map map, Spot block);
  void addProducts(ArrayRef<Term> terms);
  void addSplit();
  Value elementAt(Value tile, unsigned axis, unsigned kAxis, unsigned reg,
                  Value k);
  void addPlainly();
  DotOp lastOfBlock();
  bool mayBeRead(DotOp before);

  ThreadEmitter &emitter;
  DotOp op;
  std::optional<MatrixProduct> product;
  /// The factors that give an instruction its rows and its columns.
  Value leftTile, rightTile;
  /// Of the sum as a matrix, and of both factors, which have k in place of the
  /// other one.
  unsigned rowAxis = 0, columnAxis = 0;
  int64_t depth = 0, columns = 0, rightBytes = 0;
  std::optional<HeldFactor> left;
  std::optional<SpotTable> spots;
  SmallVector<Value> sums;
  /// Of the right factor: what is in the slot, and what is written here.
  std::optional<DescribedFactor> given, written;
  /// Where this thread reads and writes its share of the right factor.
  Value from, to, place;
  /// What wrote the rest of the right factor; null if this does.
  ConvertLayoutOp rested;
  /// Whether there are infinities, or NaNs, in what this warp's sums are of.
  Value hasInfinities;
  bool startsAtZero = false;
};

static Value zero(ImplicitLocOpBuilder &b) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(0));
}

/// What the instruction does not read, rounded to what it reads of that.
static Value restOf(ImplicitLocOpBuilder &b, Value x) {
  constexpr int64_t upper19 = -(1 << 13);
  auto i32 = [&](int64_t number) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(number));
  };
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), x);
  Value high = arith::BitcastOp::create(
      b, b.getF32Type(), arith::AndIOp::create(b, bits, i32(upper19)));
  Value rest = arith::SubFOp::create(b, x, high);
  constexpr int64_t half = 1 << 12;
  Value raised = arith::AddIOp::create(
      b, arith::BitcastOp::create(b, b.getI32Type(), rest), i32(half));
  return arith::BitcastOp::create(b, b.getF32Type(), raised);
}

/// A sum of nothing but zeros, which becomes NaN and stays so.
static void addFiniteness(ImplicitLocOpBuilder &b, Value x, Value &sum) {
  sum = math::FmaOp::create(b, x, zero(b), sum);
}

/// Predicated, so that no branch keeps all sums alive. ptxas makes two
/// instructions of it, an addition and a choice.
static Value addUnless(ImplicitLocOpBuilder &b, Value condition, Value sum,
                       Value part) {
  return LLVM::InlineAsmOp::create(
             b, b.getF32Type(), ValueRange{sum, part, condition},
             "@!$3 add.f32 $0, $1, $2;", "=f,0,f,b",
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
             /*operand_attrs=*/{})
      .getResult(0);
}

static Value isNaN(ImplicitLocOpBuilder &b, Value x) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
}

bool ThreadEmitter::SplitProduct::prepare() {
  ImplicitLocOpBuilder &b = emitter.b;
  product = MatrixProduct::of(op.getLhs().getType(), op.getType());
  if (!product) {
    op.emitOpError("has an accumulator that is not laid out for wgmma");
    return false;
  }
  const ProductForm &form = product->form;
  leftTile = op.getLhs();
  rightTile = op.getRhs();
  if (form.isTransposed)
    std::swap(leftTile, rightTile);
  auto leftType = cast<RankedTensorType>(leftTile.getType());
  auto rightType = cast<RankedTensorType>(rightTile.getType());
  rowAxis = form.isTransposed ? 1 : 0;
  columnAxis = form.isTransposed ? 0 : 1;
  depth = product->depth;
  columns = wgmmaColumns(product->columns, /*isApart=*/true);
  rightBytes = rightType.getNumElements() * elementBytes(b.getF32Type());

  auto fragment =
      wgmmaOperandA({product->rows, depth}, form.warpgroups, 4, form.rows);
  std::optional<Layout> matrix, leftLayout;
  if (fragment) {
    matrix = fragment->transpose({rowAxis, columnAxis}).layout;
    leftLayout = matrix->reshape(leftType.getShape());
  }
  if (!leftLayout || !sharedLayoutOf(leftType) || !sharedLayoutOf(rightType)) {
    op.emitOpError("needs both factors in shared memory, but has ")
        << leftType << " and " << rightType;
    return false;
  }
  left =
      HeldFactor{SpotTable(*matrix),
                 emitter.elementsOf(emitter.readShared(leftTile, *leftLayout))};
  spots.emplace(product->sum);
  sums = emitter.elementsOf(emitter.vectorFor(op.getAcc()));
  startsAtZero = matchPattern(op.getAcc(), m_AnyZeroFloat());

  // What is described is a matrix.
  unsigned outer = rightType.getRank() - 2;
  FailureOr<WgmmaAccess> access = emitter.accessOf(
      op, rightType, outer + columnAxis, outer + rowAxis, columns);
  if (failed(access))
    return false;
  SharedTile tile = emitter.sharedTiles.lookup(rightTile);
  given = DescribedFactor{*access, emitter.describe(*access, tile, 0)};
  SharedTile own{emitter.sharedBase, emitter.shared.splitOffset()};
  rested = rightTile.getDefiningOp<ConvertLayoutOp>();
  if (rested && !hasRests(rested))
    rested = nullptr;
  if (rested)
    own = {tile.base, tile.offset + rightBytes};
  // Slots follow each other, and so two buffers are enough.
  if (auto wait = rightTile.getDefiningOp<WaitOp>()) {
    Value odd = arith::AndIOp::create(b, emitter.count(wait.getNumber()),
                                      emitter.i32(1));
    own.base = emitter.advance(
        own.base, arith::MulIOp::create(b, odd, emitter.i32(rightBytes)));
  }
  written = DescribedFactor{*access, emitter.describe(*access, own, 0)};
  place = arith::MulIOp::create(b, emitter.thread, emitter.i32(16));
  from = emitter.advance(emitter.advance(tile.base, place), tile.offset);
  to = emitter.advance(emitter.advance(own.base, place), own.offset);
  return true;
}

//===----------------------------------------------------------------------===//
// The right factor
//===----------------------------------------------------------------------===//

int64_t ThreadEmitter::SplitProduct::numThreads() const {
  return groupWarps * numLanes * product->form.warpgroups;
}

/// All threads meet, and know whether the condition holds for some of them.
Value ThreadEmitter::meetAndAsk(Value condition, int64_t numThreads) {
  Value own = arith::ExtUIOp::create(b, b.getI32Type(), condition);
  // A crew meets by itself.
  Value number =
      crewNumber
          ? Value(arith::AddIOp::create(b, crewNumber, i32(firstCrewBarrier)))
          : i32(roleThreads ? 1 : 0);
  Value any = LLVM::InlineAsmOp::create(
                  b, b.getI32Type(), ValueRange{own, number},
                  "{\n\t.reg .pred own, any;\n\t"
                  "setp.ne.s32 own, $1, 0;\n\t"
                  "bar.red.or.pred any, $2, " +
                      std::to_string(numThreads) +
                      ", own;\n\t"
                      "selp.s32 $0, 1, 0, any;\n\t}",
                  "=r,r,r,~{memory}", /*has_side_effects=*/true,
                  /*is_align_stack=*/false,
                  LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
                  /*operand_attrs=*/{})
                  .getResult(0);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, any, i32(0));
}

Value ThreadEmitter::restsOf(ConvertLayoutOp op, Value numbers) {
  Value sum = zero(b);
  SmallVector<Value> rests;
  for (Value x : elementsOf(numbers)) {
    addFiniteness(b, x, sum);
    rests.push_back(restOf(b, x));
  }
  finiteness[op] = sum;
  return vectorOfElements(rests);
}

void ThreadEmitter::askForInfinities(ConvertLayoutOp op,
                                     const Layout &writers) {
  hasInfinities[op] = meetAndAsk(isNaN(b, finiteness.lookup(op)),
                                 int64_t(writers.numWarps()) * numLanes);
}

/// Of the right factor as it lies, so that it lies in the same way again.
void ThreadEmitter::SplitProduct::writeRight(Map map) {
  ImplicitLocOpBuilder &b = emitter.b;
  constexpr int64_t count = 4;
  int64_t bytesAtOnce = 16 * numThreads();
  for (int64_t start = 0; start < rightBytes; start += bytesAtOnce) {
    Value condition;
    if (start + bytesAtOnce > rightBytes)
      condition = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place,
                                        emitter.i32(rightBytes - start));
    Value vector =
        emitter.loadVector(emitter.advance(from, start), b.getF32Type(), count,
                           condition, /*isGlobal=*/false);
    SmallVector<Value> made =
        llvm::map_to_vector(emitter.elementsOf(vector), map);
    emitter.storeVector(emitter.advance(to, start), made, condition,
                        /*isGlobal=*/false);
  }
}

/// Of a block of rows, when they are needed: registers are few.
SmallVector<Value> ThreadEmitter::SplitProduct::wordsOf(Map map, Spot block) {
  ImplicitLocOpBuilder &b = emitter.b;
  SmallVector<Value> words;
  for (int64_t k = 0; k < depth; k += stepDepth)
    for (Value word : leftWords(b, *left, product->form, 4, block, k))
      words.push_back(arith::BitcastOp::create(
          b, b.getI32Type(),
          map(arith::BitcastOp::create(b, b.getF32Type(), word))));
  return words;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The sum of some products, block by block: what tensor cores add up has its
/// last bits cut off, so that is done apart for each round, and what comes of
/// it is added to the other sums with rounding.
void ThreadEmitter::SplitProduct::addProducts(ArrayRef<Term> terms) {
  ImplicitLocOpBuilder &b = emitter.b;
  const ProductForm &form = product->form;
  std::map<int64_t, SmallVector<Spot>> blocksOf;
  for (const Spot &block : form.isTransposed
                               ? spots->multiplesOf(columns, wgmmaBlockRows)
                               : spots->multiplesOf(wgmmaBlockRows, columns))
    blocksOf[form.rowOf(block)].push_back(block);
  // All pieces write the same registers: the assembler finds no place for
  // others that follow each other. What starts at 0 is what they write.
  SmallVector<Value> written;
  for (auto &[row, blocks] : blocksOf) {
    auto words = llvm::map_to_vector(terms, [&](const Term &term) {
      return wordsOf(term.left, blocks.front());
    });
    for (Spot &block : blocks) {
      int64_t column = form.columnOf(block);
      SmallVector<unsigned> registers =
          form.registersOf(*spots, block, columns);
      WgmmaPiece piece(/*numBlocks=*/1, registers.size(), columns,
                       b.getF32Type(), written, /*isFresh=*/true);
      for (auto [term, own] : llvm::zip_equal(terms, words)) {
        piece.setLeft(own);
        piece.setRight(*term.right);
        for (int64_t k = 0; k < depth; k += stepDepth)
          piece.step(0, row, column, k);
      }
      piece.commit();
      Value made =
          emitter.waitForWgmma(emitter.vectorOfElements(piece.emit(b)), 0);
      if (!startsAtZero)
        written = emitter.elementsOf(made);
      for (auto [reg, part] :
           llvm::zip_equal(registers, emitter.elementsOf(made)))
        sums[reg] =
            startsAtZero ? part : addUnless(b, hasInfinities, sums[reg], part);
    }
  }
}

/// The least first, since a sum is cut off by the size that it has.
void ThreadEmitter::SplitProduct::addSplit() {
  auto whole = [](Value x) { return x; };
  auto rest = [&](Value x) { return restOf(emitter.b, x); };
  addProducts({{rest, &*given}, {whole, &*written}, {whole, &*given}});
}

//===----------------------------------------------------------------------===//
// Infinities
//===----------------------------------------------------------------------===//

/// What a factor has at the place of a register of the sum along one axis.
Value ThreadEmitter::SplitProduct::elementAt(Value tile, unsigned axis,
                                             unsigned kAxis, unsigned reg,
                                             Value k) {
  ImplicitLocOpBuilder &b = emitter.b;
  const Layout &sum = product->sum;
  const SharedLayout &memory = sharedLayoutOf(tile.getType()).getValue();
  // The left factor's rows are all axes but the last, the right one's columns
  // all behind k.
  Coordinates extents = memory.tile().extents();
  bool isLeft = tile == op.getLhs();
  size_t numOuter = isLeft ? extents.size() - 1 : op.getBatch() + 1;
  auto offsetAt = [&](unsigned along, int64_t position) {
    SmallVector<int64_t> at(extents.size(), 0);
    size_t begin = along == 0 ? 0 : numOuter;
    for (size_t dim = along == 0 ? numOuter : extents.size(); dim-- > begin;) {
      at[dim] = position % extents[dim];
      position /= extents[dim];
    }
    return memory.offset(at);
  };
  auto offsetsAlong = [&](unsigned along) {
    int64_t extent = 1;
    for (auto [dim, size] : llvm::enumerate(extents))
      if ((dim < numOuter) == (along == 0))
        extent *= size;
    SmallVector<int64_t> offsets;
    for (int64_t at = 1; at < extent; at *= 2)
      offsets.push_back(offsetAt(along, at));
    return offsets;
  };
  // Within a cell positions are linear over bits, and cells follow each other.
  Layout::RegisterPart part = sum.registerPart(reg);
  Value offset =
      emitter.sumOverBits(emitter.threadPart(sum, axis), offsetsAlong(axis));
  offset = arith::XOrIOp::create(b, offset,
                                 emitter.sumOverBits(k, offsetsAlong(kAxis)));
  offset = arith::XOrIOp::create(b, offset,
                                 emitter.i32(offsetAt(axis, part.flip[axis])));
  Value bytes = arith::MulIOp::create(b, offset, emitter.i32(4));
  SharedTile from = emitter.sharedTiles.lookup(tile);
  Value address =
      emitter.advance(emitter.advance(from.base, bytes),
                      from.offset + 4 * offsetAt(axis, part.offset[axis]));
  return emitter.elementsOf(emitter.loadVector(address, b.getF32Type(), 1,
                                               Value(), /*isGlobal=*/false))[0];
}

namespace {

/// Memory of a thread: its sums, those of a column next to each other, and
/// behind them all what a factor has for each column.
class PlainSums {
public:
  PlainSums(ImplicitLocOpBuilder &b, Operation *prologue, int32_t numColumns,
            int32_t numRows)
      : b(b), numColumns(numColumns), numRows(numRows) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(prologue);
    Value made = LLVM::AllocaOp::create(
        b, LLVM::LLVMPointerType::get(b.getContext()), b.getF32Type(),
        number(numColumns * (numRows + 1)));
    // LLVM would convert the address of each place by itself.
    auto own = LLVM::LLVMPointerType::get(
        b.getContext(), unsigned(NVVM::NVVMMemorySpace::Local));
    memory = LLVM::InlineAsmOp::create(
                 b, own, made, "cvta.to.local.u64 $0, $1;", "=l,l",
                 /*has_side_effects=*/false, /*is_align_stack=*/false,
                 LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/{},
                 /*operand_attrs=*/{})
                 .getResult(0);
  }

  Value placeOf(int32_t column, int32_t row) {
    return at(memory, column * numRows + row);
  }
  Value placeOfFactor(int32_t column) {
    return at(memory, numColumns * numRows + column);
  }
  // What is not volatile would be kept in registers.
  Value load(Value place) {
    return LLVM::LoadOp::create(b, b.getF32Type(), place, /*alignment=*/0,
                                /*isVolatile=*/true);
  }
  void store(Value value, Value place) {
    LLVM::StoreOp::create(b, value, place, /*alignment=*/0,
                          /*isVolatile=*/true);
  }

  /// Adds to all sums what the factors have for their rows and columns.
  void addProducts(ArrayRef<Value> ofRows) {
    OpBuilder::InsertionGuard guard(b);
    auto loop = scf::ForOp::create(b, number(0), number(numColumns), number(1));
    b.setInsertionPoint(loop.getBody()->getTerminator());
    Value column = loop.getInductionVar();
    Value ofColumn = load(at(placeOfFactor(0), column));
    Value first = arith::MulIOp::create(b, column, number(numRows));
    Value sums = at(memory, first);
    for (auto [row, ofRow] : llvm::enumerate(ofRows)) {
      Value place = at(sums, int32_t(row));
      store(math::FmaOp::create(b, ofRow, ofColumn, load(place)), place);
    }
  }

private:
  Value number(int32_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  }
  Value at(Value base, LLVM::GEPArg index) {
    return LLVM::GEPOp::create(b, base.getType(), b.getF32Type(), base, index);
  }

  ImplicitLocOpBuilder &b;
  int32_t numColumns, numRows;
  Value memory;
};

} // namespace

/// One k after the other, each number as it is. The sums are in memory while
/// that lasts: nobody waits for it to be fast, but registers that it took would
/// not be there for the other way. The sums of a column are one turn of a loop,
/// since ptxas took 315 ms for M4i where each was added by itself, and so takes
/// 220.
void ThreadEmitter::SplitProduct::addPlainly() {
  ImplicitLocOpBuilder &b = emitter.b;
  // Which row's sum is which, of each column.
  std::map<int64_t, std::map<int64_t, unsigned>> columns;
  for (unsigned reg = 0; reg < sums.size(); ++reg) {
    Spot spot = spotOf(product->sum, reg);
    columns[spot[columnAxis]][spot[rowAxis]] = reg;
  }
  const std::map<int64_t, unsigned> &rows = columns.begin()->second;
  assert(columns.size() * rows.size() == sums.size() && "sums form no grid");
  PlainSums plain(b, emitter.prologue, columns.size(), rows.size());
  auto forEachSum = [&](auto visit) {
    for (auto [column, own] : llvm::enumerate(llvm::make_second_range(columns)))
      for (auto [row, reg] : llvm::enumerate(llvm::make_second_range(own)))
        visit(sums[reg], plain.placeOf(column, row));
  };

  forEachSum([&](Value sum, Value place) { plain.store(sum, place); });
  auto loop = scf::ForOp::create(b, emitter.index(0), emitter.index(depth),
                                 emitter.index(1));
  b.setInsertionPoint(loop.getBody()->getTerminator());
  Value k =
      arith::IndexCastOp::create(b, b.getI32Type(), loop.getInductionVar());
  for (auto [column, own] : llvm::enumerate(llvm::make_second_range(columns)))
    plain.store(
        elementAt(rightTile, columnAxis, rowAxis, own.begin()->second, k),
        plain.placeOfFactor(column));
  SmallVector<Value> ofRows;
  for (unsigned reg : llvm::make_second_range(rows))
    ofRows.push_back(elementAt(leftTile, rowAxis, columnAxis, reg, k));
  plain.addProducts(ofRows);
  b.setInsertionPointAfter(loop);
  forEachSum([&](Value &sum, Value place) { sum = plain.load(place); });
}

//===----------------------------------------------------------------------===//
// In the kernel
//===----------------------------------------------------------------------===//

/// The last product before this one that has written rests, if nothing in a
/// region in between has done so.
DotOp ThreadEmitter::SplitProduct::lastOfBlock() {
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode())
    if (auto dot = dyn_cast<DotOp>(before); dot && splitBytes(dot) != 0)
      return dot;
    else if (before
                 ->walk([](DotOp inner) {
                   return splitBytes(inner) != 0 ? WalkResult::interrupt()
                                                 : WalkResult::advance();
                 })
                 .wasInterrupted())
      break;
  return DotOp();
}

/// Whether somebody may still read what an earlier product has written where
/// this one writes. From round to round of a loop it goes to two buffers in
/// turn, and everybody has met in between.
bool ThreadEmitter::SplitProduct::mayBeRead(DotOp before) {
  auto wait = rightTile.getDefiningOp<WaitOp>();
  if (before || !wait || wait->getBlock() != op->getBlock())
    return true;
  return op->getParentOfType<KernelOp>()
      .walk([&](DotOp dot) {
        return splitFactor(dot) && dot->getBlock() != op->getBlock()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void ThreadEmitter::SplitProduct::writeRests() {
  ImplicitLocOpBuilder &b = emitter.b;
  Value sum = zero(b);
  writeRight([&](Value x) {
    addFiniteness(b, x, sum);
    return restOf(b, x);
  });
  emitter.fenceWrites();
  emitter.rightInfinities = emitter.meetAndAsk(isNaN(b, sum), numThreads());
}

/// The rows of the left factor that a warp holds are those of its sums, and so
/// nobody else has to know of these.
void ThreadEmitter::SplitProduct::askForInfinities() {
  ImplicitLocOpBuilder &b = emitter.b;
  Value sum = zero(b);
  for (Value x : left->elements)
    addFiniteness(b, x, sum);
  Value own = arith::OrIOp::create(b, isNaN(b, sum),
                                   rested ? emitter.hasInfinities.lookup(rested)
                                          : emitter.rightInfinities);
  hasInfinities = NVVM::VoteSyncOp::create(b, b.getI1Type(), emitter.i32(-1),
                                           own, NVVM::VoteSyncKind::any);
}

/// Four warps meet in each instruction, and so all of them multiply by tensor
/// cores, whatever one of them does then.
Value ThreadEmitter::SplitProduct::emit() {
  if (!prepare())
    return Value();
  if (!rested) {
    DotOp last = lastOfBlock();
    bool isWritten = last && splitFactor(last) == rightTile;
    if (!isWritten && mayBeRead(last))
      emitter.barrier();
    // What was loaded of the left factor's slot is, when that is filled again.
    if (isWritten)
      emitter.fenceWrites();
    else
      writeRests();
  }
  askForInfinities();
  SmallVector<Value> before = sums;
  addSplit();
  ImplicitLocOpBuilder &b = emitter.b;
  Value split = emitter.vectorOfElements(sums);
  if (startsAtZero)
    sums = before;
  auto branch = scf::IfOp::create(b, split.getType(), hasInfinities,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, split);
  b.setInsertionPointToStart(branch.thenBlock());
  addPlainly();
  emitter.fenceWrites();
  scf::YieldOp::create(b, emitter.vectorOfElements(sums));
  return branch.getResult(0);
}

Value ThreadEmitter::emitSplitWgmma(DotOp op) {
  return SplitProduct(*this, op).emit();
}
