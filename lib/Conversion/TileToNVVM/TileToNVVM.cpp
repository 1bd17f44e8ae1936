//===- TileToNVVM.cpp - placed kernels become functions of a GPU ----------===//
//
// The function around what a thread does: parameters, the block's place, and
// shared memory. ThreadEmitter writes the rest.
//
//===----------------------------------------------------------------------===//

#include "ThreadEmitter.h"
#include "fuse/Conversion/Passes.h"
#include "fuse/Dialect/Tile/Analysis/StagedStore.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace fuse {
#define GEN_PASS_DEF_CONVERTTILETONVVM
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

static constexpr StringLiteral sharedName = "fuse_shared";

namespace {

class KernelWriter {
public:
  KernelWriter(KernelOp kernel, LLVM::GlobalOp shared, bool isEarly,
               bool rounds)
      : kernel(kernel), shared(shared), isEarly(isEarly), rounds(rounds),
        b(kernel.getLoc(), kernel) {}
  FailureOr<LLVM::LLVMFuncOp> write();

private:
  LLVM::LLVMFuncOp declare(int32_t threads, bool hasRoles, int64_t sharedBytes);
  void takeParameters(LLVM::LLVMFuncOp function, ThreadEmitter &emitter);
  void findPlace(ArrayRef<Value> extents, ThreadEmitter &emitter);
  void tellWalk(ArrayRef<Value> extents, ThreadEmitter &emitter);
  Value extentOf(int64_t dim, int64_t size, ArrayRef<Value> extents);
  /// A number of 32 bits.
  Value constant(int64_t value);
  Value asIndex(Value value);
  Value ofTiles(Value blocks);
  Value blockNumber();
  Value numberOfBlocks();
  Value placeInParts(Value block, Value slow, int64_t parts);

  KernelOp kernel;
  LLVM::GlobalOp shared;
  bool isEarly, rounds;
  ImplicitLocOpBuilder b;
};

} // namespace

/// What a tensor map of the driver takes.
static constexpr int64_t mapBytes = 128, mapAlignment = 64;

namespace {

/// What the copy engine is told of a copy, of its rest, or of a staged store:
/// each is a parameter.
struct EngineMap {
  Operation *op;
  bool isOfRest = false;
};

} // namespace

/// The sizes of a rest's boxes, if they are others than those of the whole.
static std::optional<SmallVector<int64_t>> extentsOfRest(CopyOp copy) {
  auto whole = boxCopy(copy);
  auto rest = whole ? boxRest(copy, *whole) : std::nullopt;
  if (!rest || rest->extents == whole->extents)
    return std::nullopt;
  return rest->extents;
}

static SmallVector<EngineMap> engineMaps(KernelOp kernel) {
  SmallVector<EngineMap> maps;
  kernel.walk([&](Operation *op) {
    auto store = dyn_cast<StoreOp>(op);
    auto copy = dyn_cast<CopyOp>(op);
    auto ring = copy ? copy.getRing().getDefiningOp<RingOp>() : RingOp();
    bool isStored = store && store.getStaged();
    bool isCopied = ring && ring.getFeed() == Feed::Tma;
    if (!isStored && !isCopied)
      return;
    maps.push_back({op});
    if (copy && extentsOfRest(copy))
      maps.push_back({op, /*isOfRest=*/true});
  });
  return maps;
}

/// What it does it in.
static std::optional<BoxCopy> boxesOf(Operation *op,
                                      const MemoryAccess &access) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return boxCopy(copy);
  auto store = stagedStore(access, layoutOf(access.tile).getValue());
  return store ? std::optional(store->box) : std::nullopt;
}

/// What the host has to know to make it.
static TensorMapAttr tensorMapOf(EngineMap map) {
  Operation *op = map.op;
  MemoryAccess access = MemoryAccess::of(op);
  auto boxes = boxesOf(op, access);
  auto copy = dyn_cast<CopyOp>(op);
  MemRefType memory = access.memory.getType();
  SmallVector<int64_t> extents, dims, steps, ends;
  if (boxes)
    extents = map.isOfRest ? *extentsOfRest(copy) : boxes->extents;
  if (boxes && int64_t(extents.size()) != memory.getRank())
    for (const BoxCopy::Dim &dim : boxes->dims) {
      dims.push_back(dim.of);
      steps.push_back(dim.step);
    }
  auto hasEnd = [](const BoxCopy::Dim &dim) { return dim.end.has_value(); };
  if (boxes && llvm::any_of(boxes->dims, hasEnd))
    for (const BoxCopy::Dim &dim : boxes->dims)
      ends.push_back(dim.end.value_or(-1));
  return TensorMapAttr::get(
      op->getContext(), cast<BlockArgument>(access.memory).getArgNumber(),
      memory.getElementType(), extents, boxes ? boxes->swizzleBytes : 0,
      copy && copy.getRounded(),
      stridesOf(memory).has_value() && !hasGapsOfItsOwn(memory), dims, steps,
      ends);
}

/// For each memory its address, its dynamic sizes and its dynamic strides, then
/// the extents of the grid, but the first where it is not needed, then what the
/// engine is told.
static SmallVector<Type> parameterTypes(KernelOp kernel) {
  Builder b(kernel);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), 1);
  SmallVector<Type> types;
  for (Value memory : kernel.getMemory()) {
    types.push_back(pointer);
    auto type = cast<MemRefType>(memory.getType());
    types.append(type.getNumDynamicDims(), b.getI64Type());
    if (auto strides = stridesOf(type))
      types.append(llvm::count_if(*strides, ShapedType::isDynamic),
                   b.getI64Type());
  }
  if (unsigned rank = kernel.getGridRank())
    types.append(kernel.getWalks() ? rank : rank - 1, b.getI32Type());
  types.append(engineMaps(kernel).size(),
               LLVM::LLVMPointerType::get(b.getContext()));
  return types;
}

void KernelWriter::takeParameters(LLVM::LLVMFuncOp function,
                                  ThreadEmitter &emitter) {
  auto arguments = function.getArguments();
  unsigned next = 0;
  for (Value argument : kernel.getMemory()) {
    auto type = cast<MemRefType>(argument.getType());
    function.setArgAttr(next, LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
    DeviceMemory memory{arguments[next++], {}, {}};
    for (int64_t size : type.getShape())
      memory.sizes.push_back(
          ShapedType::isDynamic(size)
              ? arith::IndexCastOp::create(b, b.getIndexType(),
                                           arguments[next++])
                    .getResult()
              : arith::ConstantIndexOp::create(b, size).getResult());
    for (int64_t stride : stridesOf(type).value_or(ArrayRef<int64_t>()))
      memory.strides.push_back(
          ShapedType::isDynamic(stride)
              ? Value(arguments[next++])
              : arith::ConstantOp::create(b, b.getI64IntegerAttr(stride))
                    .getResult());
    emitter.addMemory(argument, std::move(memory));
  }
  SmallVector<EngineMap> told = engineMaps(kernel);
  findPlace(
      llvm::map_to_vector(arguments.drop_front(next).drop_back(told.size()),
                          [](BlockArgument a) -> Value { return a; }),
      emitter);
  SmallVector<Attribute> maps;
  for (auto [of, map] :
       llvm::zip_equal(told, arguments.take_back(told.size()))) {
    unsigned number = map.getArgNumber();
    function.setArgAttr(
        number, LLVM::LLVMDialect::getByValAttrName(),
        TypeAttr::get(LLVM::LLVMArrayType::get(b.getI8Type(), mapBytes)));
    function.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                        b.getI64IntegerAttr(mapAlignment));
    function.setArgAttr(number, NVVM::NVVMDialect::getGridConstantAttrName(),
                        b.getUnitAttr());
    if (of.isOfRest)
      emitter.addMapOfRest(of.op, map);
    else
      emitter.addTensorMap(of.op, map);
    maps.push_back(tensorMapOf(of));
  }
  if (!maps.empty())
    function->setAttr("tile.maps", b.getArrayAttr(maps));
}

Value KernelWriter::constant(int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

Value KernelWriter::asIndex(Value value) {
  return arith::IndexCastUIOp::create(b, b.getIndexType(), value);
}

/// Blocks that hold their tiles together count as one.
Value KernelWriter::ofTiles(Value blocks) {
  return b.createOrFold<arith::DivUIOp>(blocks, constant(blocksOfTile(kernel)));
}

Value KernelWriter::blockNumber() {
  return ofTiles(NVVM::BlockIdXOp::create(b, b.getI32Type()));
}

/// How many there are; a number that is known ahead if that is.
Value KernelWriter::numberOfBlocks() {
  if (auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.grid"))
    return constant(llvm::product_of(grid.asArrayRef()));
  return ofTiles(NVVM::GridDimXOp::create(b, b.getI32Type()));
}

/// The number of a block's place, where those of all dimensions but the slowest
/// ones, `slow` together, come in parts: all of one part come first.
Value KernelWriter::placeInParts(Value block, Value slow, int64_t parts) {
  auto divide = [&](Value x, Value y) {
    return b.createOrFold<arith::DivUIOp>(x, y);
  };
  Value others = divide(numberOfBlocks(), slow);
  // Of which there is one at least.
  Value inPart =
      divide(b.createOrFold<arith::AddIOp>(others, constant(parts - 1)),
             constant(parts));
  Value whole = b.createOrFold<arith::MulIOp>(inPart, slow);
  Value part = divide(block, whole);
  Value at = arith::RemUIOp::create(b, block, whole);
  Value first = arith::MulIOp::create(b, part, inPart);
  // The last part may be a smaller one.
  Value here = inPart;
  APInt all, own;
  if (!matchPattern(others, m_ConstantInt(&all)) ||
      !matchPattern(inPart, m_ConstantInt(&own)) || all.urem(own) != 0)
    here = arith::MinUIOp::create(b, inPart,
                                  arith::SubIOp::create(b, others, first));
  Value slowest = divide(at, here);
  Value other =
      arith::AddIOp::create(b, first, arith::RemUIOp::create(b, at, here));
  return arith::AddIOp::create(b, arith::MulIOp::create(b, slowest, others),
                               other);
}

/// A kernel that goes its own way is told the block's number, how many blocks
/// there are, and the grid.
void KernelWriter::tellWalk(ArrayRef<Value> extents, ThreadEmitter &emitter) {
  SmallVector<Value> numbers{blockNumber(),
                             NVVM::GridDimXOp::create(b, b.getI32Type())};
  if (auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.grid"))
    llvm::append_range(numbers,
                       llvm::map_range(grid.asArrayRef(), [&](int64_t extent) {
                         return constant(extent);
                       }));
  else
    llvm::append_range(numbers, extents);
  for (auto [argument, value] : llvm::zip_equal(kernel.getPlace(), numbers))
    emitter.scalars().map(argument, asIndex(value));
}

/// How far the grid goes in a dimension, in clusters of `size` blocks. The
/// first extent is no parameter, but what the others leave of all blocks.
Value KernelWriter::extentOf(int64_t dim, int64_t size,
                             ArrayRef<Value> extents) {
  Value extent;
  if (auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.grid")) {
    extent = constant(grid[dim]);
  } else if (dim != 0) {
    extent = extents[dim - 1];
  } else {
    extent = numberOfBlocks();
    for (Value other : extents)
      extent = arith::DivUIOp::create(b, extent, other);
  }
  return b.createOrFold<arith::DivUIOp>(extent, constant(size));
}

/// All dimensions, the slowest first: those that the kernel names, then the
/// others as they come.
static SmallVector<int64_t> slowestFirst(KernelOp kernel, OrderAttr order) {
  SmallVector<int64_t> dims;
  if (order)
    llvm::append_range(dims, order.getSlowest());
  for (int64_t dim : llvm::seq<int64_t>(kernel.getPlace().size()))
    if (!llvm::is_contained(dims, dim))
      dims.push_back(dim);
  return dims;
}

/// The last dimension of the grid runs fastest, if the kernel does not say
/// otherwise, or goes its own way. Where it is takes a division for each
/// dimension, one after the other, before anything else can begin; by an extent
/// that is known ahead that is a product.
void KernelWriter::findPlace(ArrayRef<Value> extents, ThreadEmitter &emitter) {
  if (kernel.getWalks())
    return tellWalk(extents, emitter);
  if (kernel.getPlace().empty())
    return;
  auto order = kernel->getAttrOfType<OrderAttr>("tile.order");
  SmallVector<int64_t> dims = slowestFirst(kernel, order);
  // Blocks of a cluster are next to each other, and clusters are what the grid
  // has.
  auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.cluster");
  auto sizeOf = [&](int64_t dim) { return sizes ? sizes[dim] : 1; };
  auto clustersOf = [&](int64_t dim) {
    return extentOf(dim, sizeOf(dim), extents);
  };
  Value left = blockNumber(), inCluster;
  auto parts = kernel->getAttrOfType<IntegerAttr>("tile.parts");
  // Parts only say who comes first, and clusters have an order of their own.
  if (int64_t together = blocksOfCluster(kernel); together != 1) {
    inCluster = arith::RemUIOp::create(b, left, constant(together));
    left = arith::DivUIOp::create(b, left, constant(together));
  } else if (order && parts) {
    Value slow;
    for (int64_t dim : order.getSlowest()) {
      Value extent = clustersOf(dim);
      slow = slow ? b.createOrFold<arith::MulIOp>(slow, extent) : extent;
    }
    left = placeInParts(left, slow, parts.getInt());
  }
  for (int64_t dim : llvm::reverse(dims)) {
    Value at = left, extent;
    bool isSlowest = dim == dims.front(),
         isDown = order && llvm::is_contained(order.getDown(), dim);
    if (!isSlowest || isDown)
      extent = clustersOf(dim);
    if (!isSlowest) {
      at = arith::RemUIOp::create(b, left, extent);
      left = arith::DivUIOp::create(b, left, extent);
    }
    if (isDown)
      at = arith::SubIOp::create(
          b, arith::SubIOp::create(b, extent, constant(1)), at);
    if (int64_t size = sizeOf(dim); size != 1) {
      Value own = arith::RemUIOp::create(b, inCluster, constant(size));
      inCluster = arith::DivUIOp::create(b, inCluster, constant(size));
      at = arith::AddIOp::create(
          b, arith::MulIOp::create(b, at, constant(size)), own);
    }
    emitter.scalars().map(kernel.getPlace()[dim], asIndex(at));
  }
}

/// Whether a tile is where the lowering expects it: in the registers of the
/// block's warps, or on its way to a dot in shared memory.
static LogicalResult checkTile(Value tile, int64_t warps, int64_t blocks) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  if (!type)
    return success();
  auto fail = [&](const Twine &why) {
    return emitError(tile.getLoc()) << "a tile of type " << type << " " << why;
  };
  if (LayoutAttr layout = layoutOf(type)) {
    const Layout &value = layout.getValue();
    if (value.numCtas() != blocks)
      return fail("is laid out for " + Twine(value.numCtas()) +
                  " blocks, but those of its kernel hold tiles by " +
                  Twine(blocks));
    if (value.numWarps() != warps)
      return fail("is laid out for " + Twine(value.numWarps()) +
                  " warps, but its kernel has " + Twine(warps));
    // What is spilled is slow; of so much more LLVM takes minutes, too. Windows
    // of sizes that are no powers of two are not divided among lanes.
    constexpr int64_t mostWords = 512, wordBytes = 4;
    int64_t words = llvm::divideCeil(
        value.numRegisters() * elementBytes(type.getElementType()), wordBytes);
    if (words > mostWords)
      return fail("takes " + Twine(words) +
                  " registers of each thread, which can name 255; smaller "
                  "windows need fewer, and so do more warps where sizes are "
                  "powers of two");
    return success();
  }
  if (!sharedLayoutOf(type))
    return fail("has no layout");
  auto convert = tile.getDefiningOp<ConvertLayoutOp>();
  if (!tile.getDefiningOp<WaitOp>() &&
      (!convert || !layoutOf(convert.getSource().getType())))
    return fail("is neither in a ring nor what 'tile.convert_layout' made of "
                "one in registers");
  for (OpOperand &use : tile.getUses()) {
    auto read = dyn_cast<ConvertLayoutOp>(use.getOwner());
    // The third operand is the sum.
    bool isRead =
        (read && layoutOf(read.getType())) ||
        (isa<DotOp, DotIssueOp>(use.getOwner()) && use.getOperandNumber() < 2);
    if (!isRead)
      return fail("is used otherwise than as a factor of a dot, or to be "
                  "brought into registers");
  }
  return success();
}

static LogicalResult checkTiles(KernelOp kernel, int64_t warps) {
  int64_t blocks = blocksOfTile(kernel);
  WalkResult walked = kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (failed(checkTile(result, warps, blocks)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        if (failed(checkTile(argument, warps, blocks)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

static LogicalResult checkOrder(KernelOp kernel) {
  auto order = kernel->getAttrOfType<OrderAttr>("tile.order");
  if (!order)
    return success();
  int64_t rank = kernel.getPlace().size();
  for (ArrayRef<int64_t> dims : {order.getSlowest(), order.getDown()})
    for (int64_t dim : dims)
      if (dim >= rank)
        return kernel.emitOpError("orders dimension ")
               << dim << " of its grid, but that has " << rank;
  return success();
}

/// A block's place would be computed wrongly.
static LogicalResult checkCluster(KernelOp kernel) {
  std::string why = whyNoClusters(kernel);
  bool isShared = blocksOfTile(kernel) != 1;
  if (isShared && kernel.getWalks())
    why = "blocks that hold tiles together do not walk";
  if (isShared && blocksOfCluster(kernel) != 1)
    why = "blocks that hold tiles together are one already";
  if (isShared && kernel.walk([](RolesOp) { return WalkResult::interrupt(); })
                      .wasInterrupted())
    why = "blocks that hold tiles together have no roles";
  if (why.empty())
    why = whyNoCollecting(kernel);
  if (why.empty())
    return success();
  return kernel.emitOpError("cannot have its clusters: ") << why;
}

/// Whether each processor does one block, with roles, or two one behind the
/// other, and reads nothing before them. Nothing but another kernel hides how
/// long it takes to begin then. Where blocks walk on, those next to each other
/// should run next to each other, since they read the same; but when a kernel
/// begins early that is left to chance. So is how many blocks a processor gets,
/// if it has room for two.
static bool isOneWave(KernelOp kernel, int64_t sharedBytes) {
  constexpr int64_t ofProcessor = 228 << 10;
  constexpr int64_t mostWalked = 2 * 132;
  auto grid = kernel->getAttrOfType<DenseI64ArrayAttr>("tile.grid");
  bool walksOn = kernel.getWalks() &&
                 (!grid || llvm::product_of(grid.asArrayRef()) > mostWalked);
  if (walksOn || 2 * sharedBytes <= ofProcessor)
    return false;
  for (Operation &op : kernel.getBody().front()) {
    if (isa<RolesOp>(op))
      return true;
    if (op.walk([](LoadOp) {
            return WalkResult::interrupt();
          }).wasInterrupted())
      return false;
  }
  return false;
}

/// The function, which says what its launch, and ptxas, have to know.
LLVM::LLVMFuncOp KernelWriter::declare(int32_t threads, bool hasRoles,
                                       int64_t sharedBytes) {
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), parameterTypes(kernel));
  auto function = LLVM::LLVMFuncOp::create(b, kernel.getSymName(), type);
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    b.getDenseI32ArrayAttr({threads, 1, 1}));
  // Without it ptxas does not know how many registers there are to divide.
  auto residents = kernel->getAttrOfType<IntegerAttr>("tile.residents");
  if (hasRoles || residents)
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      b.getI32IntegerAttr(residents ? residents.getInt() : 1));
  if (auto together = kernel->getAttrOfType<IntegerAttr>("tile.together"))
    function->setAttr("tile.together", together);
  if (kernel.getWalks())
    function->setAttr("tile.walks", b.getUnitAttr());
  if (int64_t crews = crewsOf(kernel); crews != 1)
    function->setAttr("tile.crews", b.getI64IntegerAttr(crews));
  if (int64_t together = blocksOfCluster(kernel); together != 1)
    function->setAttr("tile.cluster", b.getI64IntegerAttr(together));
  int64_t share = blocksOfTile(kernel);
  if (share != 1) {
    function->setAttr("tile.cluster", b.getI64IntegerAttr(share));
    function->setAttr("tile.share", b.getI64IntegerAttr(share));
  }
  if (auto blocks = kernel->getAttrOfType<IntegerAttr>("tile.blocks"))
    function->setAttr("tile.blocks",
                      b.getI64IntegerAttr(blocks.getInt() * share));
  function->setAttr("tile.shared", b.getI64IntegerAttr(sharedBytes));
  return function;
}

FailureOr<LLVM::LLVMFuncOp> KernelWriter::write() {
  auto warps = kernel->getAttrOfType<IntegerAttr>("tile.warps");
  if (!warps)
    return kernel.emitOpError("has no 'tile.warps', which placing it leaves");
  if (failed(checkTiles(kernel, warps.getInt())) ||
      failed(checkOrder(kernel)) || failed(checkCluster(kernel)))
    return failure();
  FailureOr<SharedMemory> memory = SharedMemory::plan(kernel);
  if (failed(memory))
    return failure();
  int64_t allWarps = 0;
  kernel.walk([&](RoleOp role) { allWarps += role.getAllWarps(); });
  int32_t threads = std::max(warps.getInt(), allWarps) * numLanes;
  LLVM::LLVMFuncOp function =
      declare(threads, /*hasRoles=*/allWarps != 0, memory->totalBytes());

  b.setInsertionPointToStart(function.addEntryBlock(b));
  Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  Value base = LLVM::AddressOfOp::create(b, shared);
  ThreadEmitter emitter(b, *memory, thread, base);
  emitter.roundByInstruction(rounds);
  emitter.shareTiles(blocksOfTile(kernel), threads);
  takeParameters(function, emitter);
  // Processors divide their memory anew for blocks that share more of it, and
  // to wait for that takes longer than what is won.
  constexpr int64_t littleShared = 8192;
  if (isEarly && memory->totalBytes() <= littleShared) {
    function->setAttr("tile.waits", b.getUnitAttr());
    if (failed(emitter.fetchAhead(kernel, threads)))
      return failure();
    emitter.waitForOthers();
  } else if (isEarly && isOneWave(kernel, memory->totalBytes())) {
    function->setAttr("tile.waits", b.getUnitAttr());
    emitter.waitInFrontOfRoles();
  }
  if (failed(emitter.emitBlock(kernel.getBody().front())))
    return failure();
  b.setLoc(kernel.getLoc());
  if (kernel
          .walk([](StoreOp op) {
            return op.getStaged() ? WalkResult::interrupt()
                                  : WalkResult::advance();
          })
          .wasInterrupted())
    emitter.waitForEngine();
  LLVM::ReturnOp::create(b, ValueRange());
  return function;
}

namespace {

struct ConvertTileToNVVMPass final
    : fuse::impl::ConvertTileToNVVMBase<ConvertTileToNVVMPass> {
  using ConvertTileToNVVMBase::ConvertTileToNVVMBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    SmallVector<KernelOp> kernels(module.getOps<KernelOp>());
    if (kernels.empty())
      return;
    WalkResult launches = module.walk([](LaunchOp op) {
      op.emitOpError("is left, but what launches kernels must have been taken "
                     "out before they become functions");
      return WalkResult::interrupt();
    });
    if (launches.wasInterrupted())
      return signalPassFailure();
    OpBuilder b(&getContext());
    b.setInsertionPointToEnd(module.getBody());
    auto target = gpu::GPUModuleOp::create(b, module.getLoc(), "fuse_kernels");
    // What it is made into code for.
    if (!chip.empty())
      target->setAttr("tile.chip", b.getStringAttr(chip));
    b.setInsertionPointToStart(target.getBody());
    // Its size is said at the launch. Whatever lies in it starts at a multiple
    // of at most 1024.
    auto shared = LLVM::GlobalOp::create(
        b, module.getLoc(), LLVM::LLVMArrayType::get(b.getI8Type(), 0),
        /*isConstant=*/false, LLVM::Linkage::External, sharedName,
        /*value=*/Attribute(), /*alignment=*/1024, /*addrSpace=*/3);
    for (KernelOp kernel : kernels) {
      kernel->moveBefore(target.getBody(), target.getBody()->end());
      FailureOr<LLVM::LLVMFuncOp> function =
          KernelWriter(kernel, shared, early, rounds).write();
      if (failed(function))
        return signalPassFailure();
      kernel.erase();
    }
  }
};

} // namespace
