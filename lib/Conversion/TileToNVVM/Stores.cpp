//===- Stores.cpp - stores that the copy engine does ----------------------===//
//
// A team of warps writes a piece of the tile to its room in shared memory; one
// thread of it then tells the engine to bring it to memory, and sees to it that
// a room is read before it is written again.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "ThreadEmitter.h"
#include "fuse/Conversion/PartsPass.h"
#include "fuse/Dialect/Tile/Analysis/StagedStore.h"
#include "fuse/Layout/Atoms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// What the bits of a thread's number that say its team add up to, where bit
/// `i` of the team's number adds `numbers[i]`.
Value ThreadEmitter::sumOverTeamBits(const StagedStore &store,
                                     ArrayRef<int64_t> numbers) {
  SmallVector<int64_t> all(numLaneBits + store.teamBit, 0);
  llvm::append_range(all, numbers);
  return sumOverThreadBits(all);
}

void ThreadEmitter::teamBarrier(const StagedStore &store, unsigned mostTeams) {
  SmallVector<int64_t> bits;
  for (unsigned team = 1; team < store.numTeams; team *= 2)
    bits.push_back(team);
  Value number = arith::AddIOp::create(b, sumOverTeamBits(store, bits),
                                       i32(firstTeamBarrier));
  if (crewNumber) {
    Value others = arith::MulIOp::create(b, crewNumber, i32(mostTeams));
    number = arith::AddIOp::create(
        b, number, arith::AddIOp::create(b, others, i32(barriersOfCrews)));
  }
  assemble(b, "bar.sync $0, " + std::to_string(numLanes << store.teamBit) + ";",
           "r,~{memory}", {number}, 0);
}

/// Waits until the engine has read all rooms but the last `others`. For threads
/// that did not tell it anything, it has.
void ThreadEmitter::waitForEngine(int64_t others) {
  assemble(b, "cp.async.bulk.wait_group.read " + std::to_string(others) + ";",
           "~{memory}", {}, 0);
}

/// On a condition rather than behind a branch: LLVM would move what only later
/// pieces need behind each branch, and with it keep what that is made of. With
/// a gelu of f32 a thread spilled 936 bytes so, and 28 without.
void ThreadEmitter::storePiece(StoreOp op, const StagedStore &store,
                               int64_t piece, Value room, Value isLeader) {
  MemoryAccess access = MemoryAccess::of(op);
  unsigned rank = store.box.dims.size();
  const Layout &layout = layoutOf(op.getSource().getType()).getValue();
  // Where the piece is in the tile: a part of its own, and one of the team's.
  Coordinates start = store.memory.position(piece);
  SmallVector<Value> ofTeam;
  for (unsigned axis = 0; axis < layout.rank(); ++axis) {
    SmallVector<int64_t> numbers;
    for (Bits basis : layout.bases(Place::Warp).drop_front(store.teamBit))
      numbers.push_back(layout.tile().unpack(basis)[axis]);
    ofTeam.push_back(sumOverTeamBits(store, numbers));
  }

  SmallVector<SmallVector<Value>> offsets(rank);
  for (unsigned dim = 0; dim < rank; ++dim)
    for (unsigned axis = 0; axis < layout.rank(); ++axis)
      if (access.coefficient(dim, axis) != 0)
        offsets[dim].append({ofTeam[axis], i32(start[axis])});
  SmallVector<Value> operands{tensorMaps.lookup(op)};
  std::string place = placeOfBox(access, store.box.dims, offsets, operands),
              constraints = "l";
  for (unsigned i = 0; i < rank + 1; ++i)
    constraints += ",r";
  std::string last = std::to_string(operands.size());
  operands.append({room, isLeader});
  std::string condition = "@$" + std::to_string(operands.size() - 1) + " ";
  assemble(b,
           condition + "cp.async.bulk.tensor." + std::to_string(rank) +
               "d.global.shared::cta.tile.bulk_group [$0, {" + place +
               "}], [$" + last + "];\n\t" + condition +
               "cp.async.bulk.commit_group;",
           constraints + ",b,~{memory}", operands, 0);
}

/// How many pieces have been stored since the room of piece `number` was
/// written last, which was for a piece before it, or the last time.
static int64_t piecesSinceRoom(int64_t number, int64_t numPieces,
                               int64_t rooms) {
  if (number >= rooms)
    return rooms - 1;
  int64_t last = numPieces - 1 - (numPieces - 1 - number) % rooms;
  return numPieces - 1 - last + number;
}

/// The first of the ops that wait for the last products before `op`; null if a
/// loop is in between.
static Operation *productsBefore(Operation *op) {
  Operation *wait = nullptr;
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    auto assembly = dyn_cast<LLVM::InlineAsmOp>(before);
    StringRef text = assembly ? assembly.getAsmString() : "";
    if (text.starts_with("wgmma.wait_group"))
      wait = before;
    if (isa<LoopLikeOpInterface>(before) || text.contains("wgmma.mma_async"))
      break;
  }
  return wait;
}

/// Whether nobody writes what `op` reads of global memory.
static bool isConstantLoad(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getInvariant();
  auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
  return assembly && !assembly.getHasSideEffects() &&
         assembly.getAsmString().contains(" ld.global.nc");
}

/// How many registers what it reads takes.
static int64_t registersOf(Operation *load) {
  constexpr int64_t bits = 32;
  Type type = load->getResult(0).getType();
  if (auto words = dyn_cast<LLVM::LLVMStructType>(type))
    return words.getBody().size();
  auto vector = dyn_cast<VectorType>(type);
  int64_t count = vector ? vector.getNumElements() : 1;
  return llvm::divideCeil(
      count * getElementTypeOrSelf(type).getIntOrFloatBitWidth(), bits);
}

/// What is read from memory for a tile that is stored in pieces is read in
/// pieces, too, where it does not fit beside the sums: each while the one
/// before is stored, and the first ones while products go on, as far as there
/// are registers. With 128 sums a thread a bias and what is added take 128
/// more, so that two kernels of T1 spilled 250 bytes; T1 of 16384 rows took 533
/// us, and 516 in pieces. A bias alone is added as it comes, and better asked
/// for at once: in pieces M3 took 15.8 us for 15.7, L2 1598 for 1591.
void ThreadEmitter::loadAhead(StoreOp op, int64_t pieces) {
  Operation *end = &*std::prev(b.getInsertionPoint());
  Operation *wait = productsBefore(end);
  if (!wait)
    return;
  int64_t sums = 0, loaded = 0;
  SmallVector<Operation *> loads;
  for (Operation *at = wait; at != end; at = at->getNextNode()) {
    if (at->hasAttr(aheadAttr) || at->getNumResults() != 1)
      continue;
    if (isConstantLoad(at)) {
      loads.push_back(at);
      loaded += registersOf(at);
    } else if (isa<LLVM::InlineAsmOp>(at)) {
      if (auto made =
              dyn_cast<LLVM::LLVMStructType>(at->getResult(0).getType()))
        sums += made.getBody().size();
    }
  }
  // Addresses, and then what is computed from sums, too.
  constexpr int64_t addresses = 24, others = 56;
  int64_t free = registersOfThread(op) - sums;
  if (loaded + addresses <= free || 2 * loaded <= sums)
    return;
  int64_t ofPiece = llvm::divideCeil(loaded, pieces);
  int64_t early = std::clamp<int64_t>((free - others) / ofPiece, 0, pieces);
  wait->setAttr(pieceAttr, b.getUnitAttr());
  for (Operation *load : loads)
    load->setAttr(aheadAttr, b.getI64IntegerAttr(early + 1));
}

/// By one stmatrix, to which each thread gives a word of each matrix.
void ThreadEmitter::storeMatrices(Value address, const MatrixAccess &access,
                                  ArrayRef<Value> elements) {
  auto words = VectorType::get(access.matrices, b.getI32Type());
  Value vector =
      vector::BitCastOp::create(b, words, vectorOfElements(elements));
  NVVM::StMatrixOp::create(b, address, elementsOf(vector),
                           access.transposed ? NVVM::MMALayout::col
                                             : NVVM::MMALayout::row,
                           NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
                           NVVM::LdStMatrixEltType::B16);
}

/// Whether functions are computed of what `stored` is made of, next to it.
static bool isOfFunctions(Value stored) {
  SmallVector<Value> open{stored};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *made = next.getDefiningOp();
    if (!made || !seen.insert(next).second ||
        !OpTrait::hasElementwiseMappableTraits(made))
      continue;
    if (isa<math::MathDialect>(made->getDialect()) &&
        !isa<math::FmaOp, math::AbsFOp>(made))
      return true;
    llvm::append_range(open, made->getOperands());
  }
  return false;
}

/// How many matrices of what is stored an instruction should take. Each gets a
/// word of four, for which eight numbers have to be there: of a gelu these take
/// registers that others want. 1024x1024 by 1024x4096 with a gelu took 15.4 us
/// with four and 15.2 with two, with a relu 14.2 and 14.25; beside 192 sums a
/// gelu by erf spilled 16 bytes with two, and a sum with a residual 4 with
/// four.
static unsigned matricesAtOnce(StoreOp op) {
  constexpr int64_t fewLeft = 64;
  const Layout &layout = layoutOf(op.getSource().getType()).getValue();
  bool areFull = registersOfThread(op) - layout.numRegisters() < fewLeft;
  return (isOfFunctions(op.getSource()) ? 2 : 4) / (areFull ? 2 : 1);
}

/// How a team writes the pieces of a tile to its rooms: by `stmatrix` where
/// each thread has the words that this takes, else in vectors.
class ThreadEmitter::PieceWriter {
public:
  PieceWriter(ThreadEmitter &emitter, const StagedStore &store,
              const Layout &layout, ArrayRef<Value> elements, Value base,
              unsigned mostMatrices);
  void write(int64_t piece, int64_t room);

private:
  SmallVector<Value> partsOf(ArrayRef<unsigned> registers) {
    return llvm::map_to_vector(registers,
                               [&](unsigned reg) { return elements[reg]; });
  }
  bool isIn(int64_t offset, int64_t piece) const {
    return offset >= piece && offset < piece + store.pieceElements;
  }

  ThreadEmitter &emitter;
  const StagedStore &store;
  ArrayRef<Value> elements;
  Value base;
  unsigned bytes;
  SharedAddress address;
  SmallVector<VectorAccess> accesses;
  std::optional<MatrixAccess> matrices;
  int64_t cellElements;
};

ThreadEmitter::PieceWriter::PieceWriter(ThreadEmitter &emitter,
                                        const StagedStore &store,
                                        const Layout &layout,
                                        ArrayRef<Value> elements, Value base,
                                        unsigned mostMatrices)
    : emitter(emitter), store(store), elements(elements), base(base),
      bytes(elementBytes(elements.front().getType())),
      address(fuse::addressOf(layout, store.memory)),
      matrices(matrixAccess(layout, store.memory, bytes, mostMatrices)),
      cellElements(layout.tile().numElements() / layout.numRepeats()) {
  // Teams write to rooms of their own, at the same places in them.
  Bits inPiece = store.pieceElements - 1;
  address.warp.resize(store.teamBit);
  address.threadBits &= inPiece;
  bool areInPieces =
      matrices && matrices->matrices > 1 && matrices->conflicts == 1 &&
      llvm::all_of(matrices->lane, [&](Bits bit) { return bit <= inPiece; });
  if (!areInPieces) {
    matrices.reset();
    accesses = *vectorAccesses(layout, store.memory, store.width);
    return;
  }
  address.lane = matrices->lane;
  address.threadBits = 0;
  for (Bits bit : llvm::concat<Bits>(address.lane, address.warp))
    address.threadBits |= bit;
}

void ThreadEmitter::PieceWriter::write(int64_t piece, int64_t room) {
  auto addressAt = [&](int64_t offset) {
    return emitter.sharedAddress(base, address, offset - piece, room, bytes);
  };
  for (const VectorAccess &vector : accesses)
    if (isIn(vector.offset, piece))
      emitter.storeVector(addressAt(vector.offset), partsOf(vector.registers),
                          Value(), /*isGlobal=*/false);
  if (!matrices)
    return;
  for (const MatrixAccess::Instruction &instruction : matrices->instructions) {
    int64_t offset = instruction.offset + instruction.repeat * cellElements;
    if (isIn(offset, piece))
      emitter.storeMatrices(addressAt(offset), *matrices,
                            partsOf(instruction.registers));
  }
}

LogicalResult ThreadEmitter::emitStagedStore(StoreOp op) {
  MemoryAccess access = MemoryAccess::of(op);
  const Layout &layout = layoutOf(op.getSource().getType()).getValue();
  auto store = stagedStore(access, layout);
  if (!store || !tensorMaps.contains(op))
    return op.emitOpError("is staged, but no pieces of the tile are boxes, "
                          "which the copy engine needs");
  SmallVector<Value> elements = elementsOf(toStored(vectorFor(op.getSource())));
  unsigned bytes = elementBytes(elements.front().getType());
  int64_t rooms = *op.getStaged(), pieceBytes = store->pieceElements * bytes;
  int64_t numPieces = store->pieces.size();

  SmallVector<int64_t> roomsOfTeams;
  for (unsigned team = 1; team < store->numTeams; team *= 2)
    roomsOfTeams.push_back(team * rooms * pieceBytes);
  Value base = advance(advance(sharedBase, shared.rangeOf(op).offset),
                       sumOverTeamBits(*store, roomsOfTeams));
  Value isLeader = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq,
      arith::AndIOp::create(b, thread, i32((numLanes << store->teamBit) - 1)),
      i32(0));
  StoringTeams teams = storingTeams(op->getParentOfType<KernelOp>());
  PieceWriter writer(*this, *store, layout, elements, base, matricesAtOnce(op));
  loadAhead(op, numPieces);
  for (auto [number, piece] : llvm::enumerate(store->pieces)) {
    int64_t room = number % rooms * pieceBytes;
    Operation *before = &*std::prev(b.getInsertionPoint());
    waitForEngine(piecesSinceRoom(number, numPieces, rooms));
    before->getNextNode()->setAttr(pieceAttr, b.getUnitAttr());
    teamBarrier(*store, teams.most);
    writer.write(piece, room);
    fenceWrites();
    teamBarrier(*store, teams.most);
    storePiece(op, *store, piece, advance(base, room), isLeader);
  }
  // Barriers of other teams have the same numbers.
  if (teams.areMixed)
    barrier();
  // What the later pieces are made of is computed while the engine stores those
  // before. Else it is first computed for all of them: 1024x1024 by 1024x4096
  // with a gelu took 16.3 us, and 15.2.
  for (Operation *made = isLeader.getDefiningOp(); made;
       made = made->getNextNode())
    if (isa<LLVM::InlineAsmOp, NVVM::StMatrixOp>(made))
      made->setAttr(partsPassAttr, b.getUnitAttr());
  return success();
}
