//===- ThreadEmitter.h - one thread's share of a kernel ---------*- C++ -*-===//
//
// Writes what one thread does. Its share of a placed tile is one vector, with
// an element for each register of the layout, and an op on tiles becomes an op
// on these vectors. Only memory, reductions, conversions and dots know of other
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETONVVM_THREADEMITTER_H
#define FUSE_LIB_CONVERSION_TILETONVVM_THREADEMITTER_H

#include "SharedMemory.h"
#include "fuse/Dialect/Tile/Analysis/BoxCopy.h"
#include "fuse/Dialect/Tile/Analysis/Combine.h"
#include "fuse/Layout/Atoms.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"
#include <map>

namespace fuse::tile {

struct StagedStore;

/// Where a tile in shared memory is: some bytes behind an address.
struct SharedTile {
  mlir::Value base;
  int64_t offset = 0;
};

/// The memory that an argument of a kernel stands for.
struct DeviceMemory {
  mlir::Value address;
  /// Each size, constants included.
  llvm::SmallVector<mlir::Value> sizes;
  /// And each stride, in elements, as an i64; none if it is row-major.
  llvm::SmallVector<mlir::Value> strides;
};

class ThreadEmitter {
public:
  /// `thread` is the thread's number in the block, an i32. It and `sharedBase`,
  /// the start of shared memory, are computed in the kernel's first block.
  ThreadEmitter(mlir::ImplicitLocOpBuilder &builder, const SharedMemory &shared,
                mlir::Value thread, mlir::Value sharedBase);

  mlir::IRMapping &scalars() { return mapping; }
  void addMemory(mlir::Value argument, DeviceMemory memory) {
    memories.insert({argument, std::move(memory)});
  }

  /// The parameter that tells the copy engine of what a copy reads, or a staged
  /// store writes.
  void addTensorMap(mlir::Operation *op, mlir::Value parameter) {
    tensorMaps.insert({op, parameter});
  }
  /// The same for the boxes of a copy's rest, if they are shorter.
  void addMapOfRest(mlir::Operation *op, mlir::Value parameter) {
    mapsOfRests.insert({op, parameter});
  }

  mlir::LogicalResult emitBlock(mlir::Block &block);

  /// Asks the second cache for what the kernel's loads outside of loops read,
  /// as far as the block's place tells: who waits for other kernels need not
  /// wait for memory, too.
  mlir::LogicalResult fetchAhead(KernelOp kernel, int64_t threads);

  /// Tiles are held by `blocks` together, a cluster, of which each has so many
  /// threads.
  void shareTiles(int64_t blocks, int64_t threads);

  /// Waits for the kernels before this one, and lets those behind it begin.
  void waitForOthers();
  /// Whether the chip rounds to tf32 by an instruction.
  void roundByInstruction(bool does) { roundsByInstruction = does; }
  /// Will do so in front of the roles, when their rings are ready.
  void waitInFrontOfRoles() { rolesWait = true; }

  /// Rooms that the copy engine reads have to be there until it has.
  void waitForEngine(int64_t others = 0);

private:
  // ThreadEmitter.cpp: ops in their order.
  mlir::LogicalResult emit(mlir::Operation *op);
  /// What computes from numbers and vectors that are there.
  mlir::LogicalResult emitComputed(mlir::Operation *op);
  /// The result of an op that has a way of its own to compute it; null for one
  /// that is computed element by element, if at all.
  mlir::FailureOr<mlir::Value> valueOf(mlir::Operation *op);
  mlir::LogicalResult emitLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult emitBranch(mlir::scf::IfOp branch);
  void emitElementwise(mlir::Operation *op);
  void emitConstant(mlir::arith::ConstantOp op);
  /// A vector, rounded to what tf32 holds of it.
  mlir::Value rounded(mlir::Value vector);
  /// A product that may be computed otherwise, `(x - r) * c` with few different
  /// `r`; null if it is none.
  mlir::Value emitShifted(mlir::Operation *op);
  mlir::Value emitIota(IotaOp op);
  mlir::Value emitMask(MaskOp op);

  // Elements.cpp: vectors and their elements.
  mlir::VectorType vectorOf(mlir::Type tile);
  mlir::Type typeForThread(mlir::Type type);
  mlir::Value vectorFor(mlir::Value tile) { return mapping.lookup(tile); }
  mlir::Value pick(mlir::Value vector, llvm::ArrayRef<unsigned> elements);
  llvm::SmallVector<mlir::Value> elementsOf(mlir::Value vector);
  mlir::Value vectorOfElements(llvm::ArrayRef<mlir::Value> elements);
  mlir::Value splat(mlir::Value scalar, unsigned count);
  mlir::Value constant(mlir::TypedAttr number, unsigned count);
  mlir::Value i32(int64_t number);
  mlir::Value i64(int64_t number);
  mlir::Value index(int64_t number);
  /// Elements as they are stored: i1 and f8E4M3FN as i8, index as i64.
  mlir::Type storedType(mlir::Type element);
  mlir::Value toStored(mlir::Value vector);
  mlir::Value fromStored(mlir::Value vector, mlir::Type element);

  // Positions.cpp: where in its tile a thread's elements are.
  /// The exclusive or of the numbers of those bits of a number that are set.
  mlir::Value sumOverBits(mlir::Value number, llvm::ArrayRef<int64_t> numbers);
  /// The same for the number of the thread among those that hold a tile.
  mlir::Value sumOverThreadBits(llvm::ArrayRef<int64_t> numbers);
  /// The thread's part of a position along an axis, an i32.
  mlir::Value threadPart(const Layout &layout, unsigned axis);
  /// The position of each register along an axis, a vector of i32.
  mlir::Value positions(const Layout &layout, unsigned axis);
  /// The same for one register.
  mlir::Value position(const Layout &layout, unsigned axis, unsigned reg);
  mlir::Value emitFloatPositions(mlir::arith::SIToFPOp op);
  /// Integers that are counted: what a thread has of them, null if 0, and a
  /// constant for each register; and between which numbers the sums lie.
  struct Counted {
    mlir::Value own;
    llvm::SmallVector<int64_t> constants;
    int64_t least = 0, most = 0;
  };
  std::optional<Counted> countedOf(mlir::Value tile);
  /// Null if the sum might wrap in 32 bits.
  std::optional<Counted> sum(const Counted &a, const Counted &c, int sign);
  /// Null if one side is not counted.
  mlir::Value emitCountedCompare(mlir::arith::CmpIOp op);
  /// Whether each register's position along an axis is below a limit that fits
  /// in 31 bits.
  mlir::Value areBelow(const Layout &layout, unsigned axis, mlir::Value limit,
                       int64_t least, int64_t most);
  /// What a `tile.least` or `tile.most` is.
  mlir::FailureOr<mlir::Value> emitBound(mlir::Operation *op, bool isLeast);
  /// A limit that fits in 32 bits, beyond every tile if it was.
  mlir::Value limit32(mlir::Value limit);

  /// Whether a register has a position from `start` on, which is at most
  /// `most`; null if it always has.
  mlir::Value isFrom(const Layout &layout, unsigned axis, unsigned reg,
                     mlir::Value start, int64_t most);

  // Memory.cpp
  /// Addresses of one access that were computed already, by the part of the
  /// position that is not a constant.
  struct Addresses {
    std::map<std::vector<int64_t>, mlir::Value> known;
  };
  mlir::LogicalResult emitLoad(const MemoryAccess &access, mlir::Value result,
                               llvm::ArrayRef<mlir::Value> gathered);
  mlir::LogicalResult emitStore(StoreOp op);
  void fetch(LoadOp load, mlir::Value condition);
  /// `besides`: an axis whose limit does not count.
  mlir::Value insideOf(const MemoryAccess &access, const Layout &layout,
                       unsigned reg,
                       llvm::ArrayRef<llvm::SmallVector<mlir::Value>> gathered,
                       std::optional<unsigned> besides = std::nullopt);
  llvm::SmallVector<mlir::Value> stridesOf(const DeviceMemory &memory,
                                           unsigned rank);
  struct ElementPlace;
  static ElementPlace findPlace(const MemoryAccess &access,
                                const Layout &layout,
                                const Layout::RegisterPart &part, bool isKeyed);
  mlir::Value
  commonAddress(const MemoryAccess &access, const Layout &layout, unsigned reg,
                llvm::ArrayRef<llvm::SmallVector<mlir::Value>> gathered,
                llvm::ArrayRef<unsigned> varying);
  mlir::Value times(mlir::Value at, int64_t factor);
  mlir::Value stepAlong(const MemoryAccess &access, unsigned axis);
  mlir::Value
  elementAddress(const MemoryAccess &access, const Layout &layout, unsigned reg,
                 llvm::ArrayRef<llvm::SmallVector<mlir::Value>> gathered,
                 Addresses &addresses);
  /// `count` elements as they are stored, of which all count or none.
  mlir::Value loadVector(mlir::Value address, mlir::Type stored, unsigned count,
                         mlir::Value condition, bool isGlobal);
  llvm::SmallVector<llvm::SmallVector<mlir::Value>>
  loadChunks(llvm::ArrayRef<mlir::Value> addresses,
             llvm::ArrayRef<mlir::Value> conditions);
  mlir::Value chooseBits(mlir::Value mask, mlir::Value set, mlir::Value clear);
  llvm::SmallVector<mlir::Value> cutWords(llvm::SmallVector<mlir::Value> words,
                                          mlir::Value bytes, unsigned count,
                                          bool hasParts);
  llvm::SmallVector<mlir::Value> keepFirst(llvm::ArrayRef<mlir::Value> words,
                                           mlir::Value count, int64_t bytes);
  /// 16 bytes of elements, from wherever they start in global memory. Of those,
  /// `count` are read, if it is there, and the others are 0.
  struct CutVector {
    mlir::Value address, count, condition;
  };
  llvm::SmallVector<mlir::Value> cutVectors(llvm::ArrayRef<CutVector> vectors,
                                            mlir::Type stored, bool isPinned);
  void emitCutLoad(const MemoryAccess &access, mlir::Value result,
                   unsigned cut);
  void storeVector(mlir::Value address, llvm::ArrayRef<mlir::Value> elements,
                   mlir::Value condition, bool isGlobal);
  void storeMatrices(mlir::Value address, const MatrixAccess &access,
                     llvm::ArrayRef<mlir::Value> elements);

  // Ragged.cpp: vectors of which a part counts.
  struct Edges;
  Edges edgesOf(const MemoryAccess &access, const Layout &layout);
  /// The same of where elements count; null if there is no start either.
  mlir::Value isFrom(const Edges &edges, unsigned reg);
  /// Whether it is not at or behind the limit; null if there is none.
  mlir::Value isBelow(const Edges &edges, unsigned reg);
  mlir::Value originOf(const MemoryAccess &access);
  llvm::SmallVector<mlir::Value> loadChunk(mlir::Value address,
                                           unsigned numWords, mlir::Value at,
                                           mlir::Value counts, int64_t rest,
                                           mlir::Value last);
  void emitRaggedLoad(const MemoryAccess &access, mlir::Value result,
                      unsigned width, bool isCut);
  void storeLast(const MemoryAccess &access, const Edges &edges,
                 llvm::ArrayRef<unsigned> firsts, unsigned width,
                 llvm::ArrayRef<mlir::Value> elements, mlir::Value isFirst);
  void emitRaggedStore(StoreOp op, unsigned width);

  // Stores.cpp: what the copy engine stores.
  mlir::LogicalResult emitStagedStore(StoreOp op);
  void storePiece(StoreOp op, const StagedStore &store, int64_t piece,
                  mlir::Value room, mlir::Value isLeader);
  void loadAhead(StoreOp op, int64_t pieces);
  mlir::Value sumOverTeamBits(const StagedStore &store,
                              llvm::ArrayRef<int64_t> numbers);
  /// `mostTeams` is how many any store of the kernel has.
  void teamBarrier(const StagedStore &store, unsigned mostTeams);
  /// Whether this thread is the first of those that hold the same elements;
  /// null if all hold others.
  mlir::Value isFirstCopy(const Layout &layout);
  mlir::Value advance(mlir::Value address, mlir::Value bytes);
  mlir::Value advance(mlir::Value address, int64_t bytes);

  // Exchange.cpp: between threads.
  void barrier();
  void willWrite(const SharedRange &range);
  void willRead(llvm::ArrayRef<SharedRange> ranges);
  /// The same for tiles in shared memory, all of what is read at a time: a
  /// barrier for one of them must not make others forgotten. Slots of rings are
  /// safe between waiting and release.
  void willReadTiles(mlir::ValueRange tiles);
  llvm::SmallVector<mlir::Value> addProducts(ReduceOp op,
                                             const Reduction &reduction);
  mlir::LogicalResult emitReduce(ReduceOp op);
  mlir::Value combineLanes(CombineKind kind, mlir::Value vector,
                           unsigned laneMask);
  mlir::Value reduceAcrossWarps(ReduceOp op, const Reduction &reduction,
                                mlir::Value partial);
  /// What has been reduced so far, and what of the same elements is at the
  /// addresses of these numbers.
  mlir::Value combineStored(ReduceOp op, mlir::Value sum, mlir::Value like,
                            llvm::function_ref<mlir::Value(int64_t)> at);
  mlir::Value reduceAcrossBlocks(ReduceOp op, const Reduction &reduction,
                                 mlir::Value partial);
  mlir::LogicalResult emitConvert(ConvertLayoutOp op);
  mlir::Value convertByShuffles(const ShufflePlan &plan, const Layout &from,
                                mlir::Value vector);
  mlir::Value shuffle(mlir::Value element, mlir::Value lane, bool isButterfly);
  mlir::Value convertByMemory(const SharedPlan &plan, const Layout &from,
                              const Layout &to, const SharedRange &range,
                              mlir::Value vector);
  /// Writes one vector of elements as they are stored, behind byte `start`.
  void writeShared(const SharedAddress &address, const VectorAccess &access,
                   llvm::ArrayRef<mlir::Value> elements, int64_t start);
  /// Writes those elements whose offsets are from `firstOffset` on.
  void writeShared(const Layout &layout, const SharedLayout &memory,
                   const SharedRange &range, mlir::Value vector,
                   int64_t firstOffset, int64_t numOffsets, unsigned width);
  /// Reads them into the registers that have them.
  void readShared(const Layout &layout, const SharedLayout &memory,
                  const SharedRange &range, mlir::Type stored,
                  int64_t firstOffset, int64_t numOffsets, unsigned width,
                  llvm::MutableArrayRef<mlir::Value> elements);
  /// All registers, of which those without a value have what another one has.
  mlir::Value withCopies(const Layout &layout,
                         llvm::MutableArrayRef<mlir::Value> elements,
                         mlir::Type element);
  /// `moved`, if there is one, is an exclusive or with the thread's part.
  mlir::Value sharedAddress(mlir::Value base, const SharedAddress &address,
                            Bits offset, int64_t start, unsigned elementBytes,
                            mlir::Value moved = {});

  // Collect.cpp: between blocks.
  void storeElsewhere(mlir::Value address, mlir::Value block,
                      llvm::ArrayRef<mlir::Value> elements,
                      mlir::Value condition);
  void writeShares(CollectOp op, unsigned source);
  mlir::Value readShare(CollectOp op, unsigned source, int64_t from);
  mlir::LogicalResult emitCollect(CollectOp op);

  // PostponedSums.cpp
  /// The reduction that is all that a loop combines with what it carries with
  /// this number, if threads may combine their own; null if not.
  static ReduceOp
  postponedReduction(mlir::scf::ForOp loop, unsigned number,
                     llvm::SmallVectorImpl<mlir::OpOperand *> &added);
  mlir::Value addOnce(mlir::OpOperand &alike, ReduceOp reduce);
  mlir::Value shareOfThread(mlir::Value vector, ReduceOp reduce);
  mlir::Value combineThreads(ReduceOp reduce, mlir::Value vector);

  // Roles.cpp
  mlir::LogicalResult emitRoles(RolesOp op);
  mlir::LogicalResult emitRoles(llvm::ArrayRef<RoleOp> roles, mlir::Value warp,
                                int64_t firstWarp);
  mlir::LogicalResult emitRole(RoleOp role, int64_t firstWarp);
  mlir::LogicalResult emitCrews(RoleOp role, int64_t firstWarp);
  void beginCrew(RoleOp role, int64_t firstWarp);
  void emitTurn(RoleOp role, bool isTaken);
  /// Whether blocks of a cluster fill each other's slots.
  bool initializeRings(RolesOp op);
  mlir::Value isFirstLane();
  /// Ask for what the copy engine has to know, and for what is read once.
  void fetchMaps(RolesOp op);
  void fetchRows(RolesOp op);

  // Engine.cpp: rings that the copy engine fills.
  /// The two barriers of a slot: filled, and read.
  mlir::Value slotBarrier(mlir::TypedValue<RingType> ring, mlir::Value number,
                          bool isRead);
  mlir::Value phaseOf(mlir::TypedValue<RingType> ring, mlir::Value number);
  void waitForPhase(mlir::Value barrier, mlir::Value phase);
  mlir::LogicalResult emitEngineOp(mlir::Operation *op);
  /// Where a box begins in memory, the innermost dimension first, as operands
  /// of a piece of assembly: `offsets` are behind the indices of the access.
  std::string placeOfBox(const MemoryAccess &access,
                         llvm::ArrayRef<BoxCopy::Dim> dims,
                         llvm::ArrayRef<llvm::SmallVector<mlir::Value>> offsets,
                         llvm::SmallVectorImpl<mlir::Value> &operands);
  mlir::LogicalResult emitEngineCopy(CopyOp op);
  void emitBoxes(CopyOp op, const BoxCopy &copy,
                 llvm::ArrayRef<BoxCopy::Box> boxes, mlir::Value map);
  mlir::Value isRest(const BoxRest &rest);
  /// How many bytes the copies behind `acquire` bring to its slot.
  mlir::Value bytesOf(AcquireOp acquire);
  /// How many blocks fill the slots of a ring: those of a cluster may do so for
  /// each other.
  static int64_t fillersOf(mlir::TypedValue<RingType> ring);
  /// This block's number in its cluster.
  mlir::Value rankInCluster();
  /// All threads of all blocks of a cluster meet, those of a warp together or
  /// one by one.
  void meetCluster(bool isTogether);
  /// All blocks of the cluster have begun, and barriers that they fenced are
  /// there. Nothing else that they wrote is.
  void beginCluster();

  // Rings.cpp
  mlir::LogicalResult emitRingOp(mlir::Operation *op);
  void roundCopied(WaitOp op, CopyOp copy);
  void emitWait(WaitOp op);
  void mapParts(WaitOp op);
  mlir::LogicalResult emitCopy(CopyOp op);
  /// A number of a ring, as 32 bits; and which slot it is in.
  mlir::Value count(mlir::Value number);
  mlir::Value slotOf(mlir::TypedValue<RingType> ring, mlir::Value number);
  mlir::Value slotAddress(mlir::TypedValue<RingType> ring, mlir::Value number);

  // Dots.cpp
  class Fragment;
  class MmaProduct;
  /// The elements of a tile in shared memory that a thread has by `layout`.
  mlir::Value readShared(mlir::Value tile, const Layout &layout);
  mlir::LogicalResult emitDot(DotOp op);
  mlir::Value emitOuter(DotOp op);
  mlir::Value emitMma(DotOp op);

  // Wgmma.cpp
  class WgmmaProduct;
  mlir::Value emitWgmma(DotOp op);
  mlir::LogicalResult emitInFlight(mlir::Operation *op);
  void emitPin(PinOp op);
  void pinWord(mlir::Value word);
  mlir::Value emitHold(HoldOp op);
  void keepBehind();
  /// Sets the product off; the result are the registers that it writes.
  mlir::Value issueWgmma(mlir::Operation *op, mlir::Value lhs, mlir::Value rhs,
                         mlir::RankedTensorType sumType, mlir::Value acc);
  /// Waits for all groups but the last `behind`; the sums as they are then.
  mlir::Value waitForWgmma(mlir::Value sums, int64_t behind);
  mlir::FailureOr<WgmmaAccess> accessOf(mlir::Operation *op,
                                        mlir::RankedTensorType type,
                                        unsigned rowAxis, unsigned kAxis,
                                        int64_t rows);
  mlir::Value describe(const WgmmaAccess &access, const SharedTile &tile,
                       int64_t groupBytes);
  mlir::Value warpgroup();
  /// Whether a tile in shared memory is read by other than loads.
  static bool isReadAsynchronously(mlir::Value tile);
  static bool isReadByThreads(mlir::Value ring);
  /// What this thread has written is seen by what reads asynchronously.
  void fenceWrites();

  // SplitWgmma.cpp
  class SplitProduct;
  class PieceWriter;
  mlir::Value emitSplitWgmma(DotOp op);
  /// What wgmma does not read of the numbers of a tile, as a product of split
  /// numbers multiplies it.
  mlir::Value restsOf(ConvertLayoutOp op, mlir::Value numbers);
  void askForInfinities(ConvertLayoutOp op, const Layout &writers);
  mlir::Value meetAndAsk(mlir::Value condition, int64_t numThreads);

  mlir::ImplicitLocOpBuilder &b;
  const SharedMemory &shared;
  mlir::Value thread, sharedBase;
  /// The block's shared memory as a whole, of which `sharedBase` is a crew's
  /// part where there are several. Then there is the number of this one.
  mlir::Value blockBase, crewNumber;
  /// Behind the bits of `thread` those of the block, where several hold a tile.
  mlir::Value threadOfTile;
  /// Whether such blocks have not met yet: none may write to another one before
  /// that has begun.
  bool haveToMeet = false;
  /// Behind this op in the entry block goes what is computed once.
  mlir::Operation *prologue;
  mlir::Value groupNumber, clusterRank, threadOfLaneZero;
  /// How many conditions there are that never hold.
  int32_t numNever = 0;
  mlir::IRMapping mapping;
  llvm::MapVector<mlir::Value, DeviceMemory> memories;
  llvm::DenseMap<mlir::Value, SharedTile> sharedTiles;
  /// Tiles in shared memory that their loads have written.
  llvm::DenseSet<mlir::Operation *> broughtAlready;
  ConvertLayoutOp placeOf(LoadOp load) const;
  llvm::DenseMap<mlir::Operation *, mlir::Value> tensorMaps, mapsOfRests;
  /// Reductions of which threads keep their own parts.
  llvm::DenseSet<mlir::Operation *> postponed;
  /// Additions to such sums, and which of their operands all threads have.
  llvm::DenseMap<mlir::Operation *, std::pair<mlir::OpOperand *, ReduceOp>>
      addedOnce;
  /// The threads that meet at barriers, where not all of the block do.
  std::optional<int64_t> roleThreads;
  /// Whether others are waited for in front of the roles.
  bool rolesWait = false;
  bool roundsByInstruction = false;
  /// Whether any thread saw infinities in the factor that was split last.
  mlir::Value rightInfinities;
  /// Of a tile whose rests are written with it: NaN if this thread did, and
  /// whether any did.
  llvm::DenseMap<mlir::Operation *, mlir::Value> finiteness, hasInfinities;
  std::map<std::vector<int64_t>, mlir::Value> threadSums;
  Hazards hazards;
};

/// How many registers a thread has where `op` is, as far as it can be told.
int64_t registersOfThread(mlir::Operation *op);

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETONVVM_THREADEMITTER_H
