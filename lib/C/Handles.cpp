//===- Handles.cpp - what stands for an object ----------------------------===//
//
// Entries come in pieces that stay where they are, so that they are found while
// others are added. The table is never freed: threads of other libraries may
// still call when a process ends.
//
//===----------------------------------------------------------------------===//

#include "Handles.h"

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include <pthread.h>

using namespace fuse;
using namespace fuse::c;

static_assert(sizeof(uintptr_t) == 8, "a handle has 64 bits");

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static thread_local std::string lastError;

FuseStatus fuse::c::fail(const RuntimeError &error) {
  lastError = error.message();
  switch (error.code()) {
  case ErrorCode::BadUsage:
    return FUSE_BAD_USAGE;
  case ErrorCode::BadInput:
    return FUSE_BAD_INPUT;
  case ErrorCode::Unsupported:
    return FUSE_UNSUPPORTED;
  case ErrorCode::Output:
    return FUSE_OUTPUT;
  case ErrorCode::Device:
    return FUSE_DEVICE;
  }
  __builtin_unreachable();
}

FuseStatus fuse::c::failNull(const char *what) {
  return fail(
      RuntimeError(ErrorCode::BadUsage,
                   std::string(what) + " is needed, but NULL was given"));
}

const char *fuse_last_error(void) { return lastError.c_str(); }

FuseStatus fuse_fail(FuseStatus status, const char *message) {
  lastError = message ? message : "";
  return status;
}

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

static std::atomic<uint32_t> forks = 0;

Object::Object(HandleKind kind) : objectKind(kind), process(processNumber()) {}
Object::~Object() = default;

bool Object::isForked() const {
  return process != forks.load(std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

struct Entry {
  /// Odd while there is an object.
  std::atomic<uint32_t> generation = 0;
  std::atomic<Object *> object = nullptr;
  /// Who keeps it.
  std::shared_ptr<Object> owner;
};

class Table {
public:
  static Table &get() {
    static Table *table = new Table;
    return *table;
  }

  uintptr_t add(std::shared_ptr<Object> object);
  Status close(uintptr_t handle, HandleKind kind);
  Result<Entry *> find(uintptr_t handle, HandleKind kind);

private:
  static constexpr size_t pieceSize = 1024, maxPieces = 1024;
  using Piece = std::array<Entry, pieceSize>;

  Entry *at(uint32_t index) {
    Piece *piece =
        index / pieceSize < maxPieces
            ? pieces[index / pieceSize].load(std::memory_order_acquire)
            : nullptr;
    return piece ? &(*piece)[index % pieceSize] : nullptr;
  }

  // What a fork copies is whole: nobody is in here meanwhile.
  Table();

  std::mutex mutex;
  std::array<std::atomic<Piece *>, maxPieces> pieces = {};
  std::vector<uint32_t> unused;
  uint32_t used = 0;
};

} // namespace

Table::Table() {
  ::pthread_atfork([] { get().mutex.lock(); }, [] { get().mutex.unlock(); },
                   [] {
                     get().mutex.unlock();
                     forks.fetch_add(1, std::memory_order_relaxed);
                   });
}

uint32_t fuse::c::processNumber() {
  Table::get();
  return forks.load(std::memory_order_relaxed);
}

static const char *nameOf(HandleKind kind) {
  switch (kind) {
  case HandleKind::Image:
    return "an image";
  case HandleKind::Device:
    return "a device";
  case HandleKind::Program:
    return "a program";
  case HandleKind::Plan:
    return "a plan";
  case HandleKind::Call:
    return "a call";
  }
  __builtin_unreachable();
}

uintptr_t Table::add(std::shared_ptr<Object> object) {
  std::lock_guard lock(mutex);
  uint32_t index = 0;
  if (!unused.empty()) {
    index = unused.back();
    unused.pop_back();
  } else {
    if (used / pieceSize >= maxPieces)
      return 0;
    index = used++;
    if (!at(index))
      pieces[index / pieceSize].store(new Piece, std::memory_order_release);
  }
  Entry &entry = *at(index);
  entry.owner = std::move(object);
  entry.object.store(entry.owner.get(), std::memory_order_relaxed);
  uint32_t generation =
      entry.generation.fetch_add(1, std::memory_order_release) + 1;
  // Never zero: generations of objects are odd.
  return uintptr_t(generation) << 32 | index;
}

Result<Entry *> Table::find(uintptr_t handle, HandleKind kind) {
  auto fail = [&](const char *what) {
    return RuntimeError(ErrorCode::BadUsage,
                        std::string(nameOf(kind)) + " is needed, but " + what);
  };
  if (handle == 0)
    return fail("NULL was given");
  Entry *entry = at(static_cast<uint32_t>(handle));
  auto generation = static_cast<uint32_t>(handle >> 32);
  uint32_t current =
      entry ? entry->generation.load(std::memory_order_acquire) : 0;
  if (generation % 2 == 0 || generation > current)
    return fail("what was given is no handle of fuse");
  if (generation != current)
    return fail("what was given is closed");
  Object *object = entry->object.load(std::memory_order_relaxed);
  if (object->kind() != kind)
    return fail((std::string(nameOf(object->kind())) + " was given").c_str());
  return entry;
}

Status Table::close(uintptr_t handle, HandleKind kind) {
  std::shared_ptr<Object> owner;
  {
    std::lock_guard lock(mutex);
    Result<Entry *> entry = find(handle, kind);
    if (!entry)
      return entry.takeError();
    owner = std::move((*entry)->owner);
    (*entry)->object.store(nullptr, std::memory_order_relaxed);
    (*entry)->generation.fetch_add(1, std::memory_order_release);
    unused.push_back(static_cast<uint32_t>(handle));
  }
  // Threads and a driver that a parent had are not there to be closed.
  if (owner->isForked())
    new std::shared_ptr<Object>(std::move(owner));
  return Status::success();
}

uintptr_t fuse::c::addHandle(std::shared_ptr<Object> object) {
  return Table::get().add(std::move(object));
}

Status fuse::c::closeHandle(uintptr_t handle, HandleKind kind) {
  return Table::get().close(handle, kind);
}

/// Images are only read, but what runs has threads and a driver's context.
static Status checkFork(const Object &object, HandleKind kind) {
  if (kind == HandleKind::Image || !object.isForked())
    return Status::success();
  return RuntimeError(ErrorCode::BadUsage,
                      std::string(nameOf(kind)) +
                          " was made before this process was forked, and "
                          "cannot be used in the child: open the device in the "
                          "child, and fork before a GPU is used");
}

Result<Object *> fuse::c::findObject(uintptr_t handle, HandleKind kind) {
  Result<Entry *> entry = Table::get().find(handle, kind);
  if (!entry)
    return entry.takeError();
  Object *object = (*entry)->object.load(std::memory_order_relaxed);
  if (Status status = checkFork(*object, kind); !status)
    return status.takeError();
  return object;
}

Result<std::shared_ptr<Object>> fuse::c::shareObject(uintptr_t handle,
                                                     HandleKind kind) {
  Result<Entry *> entry = Table::get().find(handle, kind);
  if (!entry)
    return entry.takeError();
  std::shared_ptr<Object> owner = (*entry)->owner;
  if (Status status = checkFork(*owner, kind); !status)
    return status.takeError();
  return owner;
}
