//===- Engine.cpp - the copy engine ---------------------------------------===//
//
// It copies boxes of tensors. When it does so is drawn, up to the moment at
// which somebody has waited for it.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include <algorithm>

using namespace fuse;
using namespace fuse::emulate;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Of CUtensorMapDataType: f32 that is rounded on its way.
static constexpr int tf32 = 11;

/// Bytes of an element, by CUtensorMapDataType.
static size_t bytesOf(const fake::TensorMap &map) {
  if (map.type == tf32)
    return 4;
  static constexpr size_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
  if (map.type < 0 || static_cast<size_t>(map.type) >= std::size(bytes))
    fail("a tensor map has the type " + std::to_string(map.type) +
         ", which is not emulated");
  return bytes[map.type];
}

static const fake::TensorMap &mapAt(const char *encoded, unsigned rank) {
  uint64_t number;
  std::memcpy(&number, encoded, sizeof(number));
  if (reinterpret_cast<uintptr_t>(encoded) % 64 != 0 ||
      number >= request->maps->size())
    fail("this is no tensor map");
  const fake::TensorMap &map = (*request->maps)[number];
  if (map.sizes.size() != rank)
    fail("a tensor map of " + std::to_string(map.sizes.size()) +
         " dimensions is used for " + std::to_string(rank));
  if (map.interleave != 0 || map.fill != 0)
    fail("interleaved tensor maps, and those that fill in NaN, are not "
         "emulated");
  // What narrower rows would be the ISA does not say.
  size_t rowBytes = map.box[0] * bytesOf(map);
  if (rowBytes % 16 != 0 ||
      (map.swizzle != 0 && rowBytes != 16U << map.swizzle))
    fail("a tensor map has rows of " + std::to_string(rowBytes) +
         " bytes, which its swizzle does not fit");
  return map;
}

/// How many elements of a box there are along a dimension. The first one has no
/// stride where nothing is interleaved.
static uint32_t countOf(const fake::TensorMap &map, unsigned dim) {
  uint32_t stride = dim == 0 ? 1 : map.elementStrides[dim];
  return (map.box[dim] + stride - 1) / stride;
}

static size_t boxBytes(const fake::TensorMap &map) {
  size_t bytes = bytesOf(map);
  for (unsigned dim = 0; dim < map.box.size(); ++dim)
    bytes *= countOf(map, dim);
  return bytes;
}

/// For each row of a box: where in memory what of it is inside of the tensor,
/// by how many bytes behind the row's start, and how many bytes; none if it is
/// outside.
template <class Visit> static void visitRows(const EngineOp &op, Visit visit) {
  const fake::TensorMap &map = *op.map;
  size_t rank = map.sizes.size(), element = bytesOf(map);
  size_t rowBytes = map.box[0] * element, rows = boxBytes(map) / rowBytes;
  for (size_t row = 0; row < rows; ++row) {
    uint64_t address = map.address;
    bool isInside = true;
    size_t rest = row;
    for (unsigned dim = 1; dim < rank; ++dim) {
      uint32_t count = countOf(map, dim);
      int64_t at = op.place[dim] +
                   static_cast<int64_t>(rest % count) * map.elementStrides[dim];
      rest /= count;
      isInside &= at >= 0 && static_cast<uint64_t>(at) < map.sizes[dim];
      address += at * map.strides[dim - 1];
    }
    int64_t first = op.place[0];
    int64_t begin = std::max<int64_t>(first, 0);
    auto end = std::min<int64_t>(first + map.box[0], map.sizes[0]);
    isInside &= begin < end;
    visit(row * rowBytes, rowBytes,
          reinterpret_cast<char *>(address + begin * element),
          isInside ? (begin - first) * element : 0,
          isInside ? (end - begin) * element : 0);
  }
}

/// A byte of a box in shared memory. It is mixed in units of 16 bytes.
static char *placeIn(const EngineOp &op, char *start, size_t offset) {
  auto address = reinterpret_cast<uintptr_t>(start) + offset;
  return reinterpret_cast<char *>(swizzled(address, 16U << op.map->swizzle));
}

static void readBox(EngineOp &op) {
  static constexpr size_t unit = 16;
  op.bytes.resize(boxBytes(*op.map));
  for (size_t at = 0; at < op.bytes.size(); at += unit)
    std::memcpy(op.bytes.data() + at, placeIn(op, op.shared, at), unit);
}

/// To nearest, to the even one of two.
static void roundToTf32(std::vector<char> &row) {
  for (size_t at = 0; at < row.size(); at += sizeof(uint32_t)) {
    uint32_t word;
    std::memcpy(&word, row.data() + at, sizeof(word));
    bool isFinite = (word & 0x7F800000) != 0x7F800000;
    if (isFinite)
      word = (word + 0xFFF + (word >> 13 & 1)) & ~0x1FFFU;
    std::memcpy(row.data() + at, &word, sizeof(word));
  }
}

static void writeBox(const EngineOp &op, char *start) {
  std::vector<char> row;
  visitRows(op, [&](size_t offset, size_t rowBytes, const char *from,
                    size_t inside, size_t bytes) {
    row.assign(rowBytes, 0);
    std::memcpy(row.data() + inside, from, bytes);
    if (op.map->type == tf32)
      roundToTf32(row);
    for (size_t at = 0; at < rowBytes; ++at)
      *placeIn(op, start, offset + at) = row[at];
  });
}

static void writeMemory(const EngineOp &op) {
  visitRows(op,
            [&](size_t offset, size_t, char *to, size_t inside, size_t bytes) {
              std::memcpy(to, op.bytes.data() + offset + inside, bytes);
            });
}

//===----------------------------------------------------------------------===//
// Its time
//===----------------------------------------------------------------------===//

/// At once, soon, late, or when nothing else happens.
static unsigned drawDelay() {
  switch (draw() % 4) {
  case 0:
    return 0;
  case 1:
    return draw() % 4;
  case 2:
    return draw() % 64;
  default:
    return ~0U;
  }
}

/// What is at the same place in each block that a load writes to.
template <class Visit>
static void visitBlocks(const EngineOp &op, Visit visit) {
  for (Block &block : cluster->blocks)
    if (op.blocks >> block.rank & 1)
      visit([&](char *own) { return block.window + (own - op.block->window); });
}

static void load(EngineOp &op) {
  size_t bytes = boxBytes(*op.map);
  visitBlocks(op, [&](auto in) {
    if (op.steps == 0) {
      checkShared(in(op.shared), bytes, "a copy of the engine");
      forgetWrite(in(op.shared), bytes);
      writeBox(op, in(op.shared));
      return;
    }
    PhaseBarrier &barrier = barrierAt(in(op.barrier), "a copy of the engine");
    checkFenced(in(op.barrier), sizeof(uint64_t), "a copy of the engine");
    barrier.bytes -= static_cast<int64_t>(bytes);
    turn(barrier);
  });
}

static void step(EngineOp &op) {
  if (!op.isStore)
    load(op);
  else if (op.steps == 0)
    readBox(op);
  else
    writeMemory(op);
  ++op.steps;
  op.delay = drawDelay();
}

static void forgetDone() {
  EngineOps left;
  for (const auto &op : cluster->engine)
    if (!op->isDone())
      left.push_back(op);
  cluster->engine = std::move(left);
}

bool emulate::stepEngine() {
  bool hasMoved = false;
  // A later one may be done before.
  for (const auto &op : cluster->engine) {
    if (op->delay == ~0U)
      continue;
    hasMoved = true;
    if (op->delay-- == 0)
      step(*op);
  }
  forgetDone();
  return hasMoved;
}

bool emulate::hurryEngine() {
  if (cluster->engine.empty())
    return false;
  step(*cluster->engine[draw() % cluster->engine.size()]);
  forgetDone();
  return true;
}

static void begin(EngineOp op) {
  if (!op.isStore)
    visitBlocks(op,
                [&](auto in) { checkRead(in(op.shared), boxBytes(*op.map)); });
  op.delay = drawDelay();
  auto made = std::make_shared<EngineOp>(std::move(op));
  if (made->isStore)
    current->stores.back().push_back(made);
  if (made->delay == 0)
    step(*made);
  cluster->engine.push_back(made);
}

void emulate::endStores() {
  for (const EngineOps &group : current->stores)
    if (!group.empty())
      fail("it ends and has not waited until the copy engine has read shared "
           "memory");
}

void emulate::endLoads(const Block &block) {
  for (const auto &op : cluster->engine)
    if (!op->isStore && op->blocks >> block.rank & 1)
      failOf("block " + std::to_string(block.number),
             "it ends while the copy engine still writes its shared memory");
}

//===----------------------------------------------------------------------===//
// What it is told
//===----------------------------------------------------------------------===//

static EngineOp opOf(const char *map, unsigned rank, const int32_t *place,
                     char *shared) {
  checkOthersEnded();
  EngineOp op;
  op.block = current->block;
  op.map = &mapAt(map, rank);
  std::copy(place, place + rank, op.place.begin());
  op.shared = shared;
  if (reinterpret_cast<uintptr_t>(shared) % 128 != 0)
    fail("the copy engine needs shared memory at multiples of 128 bytes, but "
         "is given " +
         placeOf(shared));
  checkShared(shared, boxBytes(*op.map), "a copy of the engine");
  return op;
}

extern "C" {

/// `blocks` is a mask of those of the cluster; 0 is this block.
void emuEngineLoad(char *to, const char *map, uint32_t rank,
                   const int32_t *place, char *barrier, uint32_t blocks) {
  EngineOp op = opOf(map, rank, place, to);
  op.barrier = barrier;
  op.blocks = blocks != 0 ? blocks : 1U << current->block->rank;
  if (op.blocks >> cluster->blocks.size())
    fail("a copy goes to blocks that are not in the cluster");
  begin(std::move(op));
}

void emuEngineStore(const char *map, uint32_t rank, const int32_t *place,
                    char *from) {
  EngineOp op = opOf(map, rank, place, from);
  op.isStore = true;
  if (op.map->type == tf32)
    fail("a store that rounds is not emulated");
  checkFenced(from, boxBytes(*op.map), "the copy engine");
  begin(std::move(op));
}

void emuEngineCommit() { current->stores.emplace_back(); }

/// Until all groups but the last `most` have read what they store, or have
/// stored it, too.
void emuEngineWait(uint32_t most, uint32_t isRead) {
  auto &groups = current->stores;
  while (groups.size() > most + 1) {
    for (const auto &op : groups.front())
      while (isRead ? !op->hasReadShared() : !op->isDone())
        step(*op);
    groups.erase(groups.begin());
  }
}

} // extern "C"
