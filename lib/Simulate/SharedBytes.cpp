//===- SharedBytes.cpp - who touched a block's shared memory --------------===//
//
// An access is looked up by its number, so that bytes are small.
//
//===----------------------------------------------------------------------===//

#include "SharedBytes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace fuse::simulate;

static LogicalResult fail(Operation *op, const Twine &what, Operation *other,
                          const Twine &note) {
  InFlightDiagnostic diagnostic = op->emitOpError(what);
  diagnostic.attachNote(other->getLoc()) << note;
  return diagnostic;
}

uint32_t SharedBytes::add(const Toucher &toucher) {
  accesses.push_back({toucher.op, toucher.when, toucher.isEngine, toucher.block,
                      toucher.visit});
  return accesses.size();
}

bool SharedBytes::isBehind(const Access &access, const Toucher &toucher) const {
  return toucher.clock->knows(access.when);
}

bool SharedBytes::isVisible(const Access &write, const Toucher &toucher) const {
  if (!toucher.isEngine || write.isEngine)
    return true;
  const std::vector<Fence> &own = fences[write.when.actor];
  auto fence = llvm::find_if(
      own, [&](const Fence &each) { return each.covered >= write.when.time; });
  return fence != own.end() &&
         toucher.clock->timeOf(fence->when.actor) > fence->when.time;
}

LogicalResult SharedBytes::checkRange(ByteRange range, Operation *op) const {
  if (range.begin >= 0 && range.end <= static_cast<int64_t>(cells.size()))
    return success();
  return op->emitOpError("touches bytes ")
         << range.begin << " to " << range.end - 1
         << " of shared memory, of which its block has " << cells.size();
}

LogicalResult SharedBytes::checkWritten(const Cell &cell, int64_t at,
                                        const Toucher &toucher,
                                        bool isRead) const {
  StringRef verb = isRead ? "reads" : "writes";
  if (cell.write == 0 && isRead)
    return toucher.op->emitOpError("reads byte ")
           << at << " of shared memory, which nobody has written";
  if (cell.write == 0)
    return success();
  const Access &write = accesses[cell.write - 1];
  bool isCopy = !isRead && !write.isEngine && write.op == toucher.op &&
                write.block == toucher.block && write.visit == toucher.visit;
  if (!isCopy && !isBehind(write, toucher))
    return fail(toucher.op,
                verb + " byte " + Twine(at) + " of shared memory, which " +
                    (write.isEngine ? "the copy engine" : "another warp") +
                    " may still write",
                write.op, "it is written here");
  if (isRead && !isVisible(write, toucher))
    return fail(toucher.op,
                "has byte " + Twine(at) +
                    " of shared memory read beside the threads, of which one "
                    "has written it without a fence since",
                write.op, "it is written here");
  return success();
}

void SharedBytes::addReader(Cell &cell, uint32_t number) {
  unsigned actor = accesses[number - 1].when.actor;
  for (uint32_t &reader : cell.reads)
    if (accesses[reader - 1].when.actor == actor) {
      reader = number;
      return;
    }
  cell.reads.push_back(number);
}

LogicalResult SharedBytes::read(ByteRange range, const Toucher &toucher) {
  if (failed(checkRange(range, toucher.op)))
    return failure();
  uint32_t number = add(toucher);
  for (int64_t at = range.begin; at < range.end; ++at) {
    if (failed(checkWritten(cells[at], at, toucher, /*isRead=*/true)))
      return failure();
    addReader(cells[at], number);
  }
  return success();
}

LogicalResult SharedBytes::write(ByteRange range, const Toucher &toucher) {
  if (failed(checkRange(range, toucher.op)))
    return failure();
  for (const std::shared_ptr<EngineRead> &other : open)
    if (range.overlaps(other->range))
      return fail(toucher.op,
                  "writes bytes of shared memory that the copy engine may "
                  "still read",
                  other->op, "it is told to read them here");
  uint32_t number = add(toucher);
  for (int64_t at = range.begin; at < range.end; ++at) {
    Cell &cell = cells[at];
    if (failed(checkWritten(cell, at, toucher, /*isRead=*/false)))
      return failure();
    for (uint32_t reader : cell.reads)
      if (!isBehind(accesses[reader - 1], toucher))
        return fail(toucher.op,
                    "writes byte " + Twine(at) +
                        " of shared memory, which another warp may still read",
                    accesses[reader - 1].op, "it is read here");
    cell.write = number;
    cell.reads.clear();
  }
  return success();
}

FailureOr<std::shared_ptr<EngineRead>>
SharedBytes::beginRead(ByteRange range, const Toucher &toucher) {
  if (failed(checkRange(range, toucher.op)))
    return failure();
  for (int64_t at = range.begin; at < range.end; ++at)
    if (failed(checkWritten(cells[at], at, toucher, /*isRead=*/true)))
      return failure();
  open.push_back(
      std::make_shared<EngineRead>(EngineRead{toucher.op, range, false}));
  return open.back();
}

void SharedBytes::finishRead(EngineRead &read, const Toucher &toucher) {
  read.isDone = true;
  uint32_t number = add({read.op, toucher.when, toucher.clock, true});
  for (int64_t at = read.range.begin; at < read.range.end; ++at)
    addReader(cells[at], number);
  llvm::erase_if(open, [](const auto &each) { return each->isDone; });
}

const EngineRead *SharedBytes::openRead() const {
  return open.empty() ? nullptr : open.front().get();
}
