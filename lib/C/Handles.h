//===- Handles.h - what stands for an object ---------------------*- C++ -*-=//
//
// A handle is a number: where an entry is in a table that never shrinks, and
// which of the entry's objects is meant. So a handle that was closed, or that
// is of another kind, is told without looking behind a pointer, and without a
// lock.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_C_HANDLES_H
#define FUSE_LIB_C_HANDLES_H

#include "fuse-c/Fuse.h"
#include "fuse/Runtime/Error.h"

#include <memory>

namespace fuse::c {

enum class HandleKind : uint32_t { Image, Device, Program, Plan, Call };

/// What handles stand for.
class Object {
public:
  explicit Object(HandleKind kind);
  virtual ~Object();
  HandleKind kind() const { return objectKind; }
  /// Whether a fork lies between this process and the one that made it.
  bool isForked() const;

private:
  HandleKind objectKind;
  uint32_t process;
};

/// How many forks lie behind this process, so far as this library saw them.
uint32_t processNumber();

/// Zero if there is no room left.
uintptr_t addHandle(std::shared_ptr<Object> object);

/// Forgets the object; fails for what is no handle of this kind.
Status closeHandle(uintptr_t handle, HandleKind kind);

/// The object of a handle, which must not be closed while it is used.
Result<Object *> findObject(uintptr_t handle, HandleKind kind);
/// The same, to be kept.
Result<std::shared_ptr<Object>> shareObject(uintptr_t handle, HandleKind kind);

/// Keeps the message for fuse_last_error.
FuseStatus fail(const RuntimeError &error);

template <class T, class Handle> Result<T *> find(Handle handle) {
  Result<Object *> found =
      findObject(reinterpret_cast<uintptr_t>(handle), T::handleKind);
  if (!found)
    return found.takeError();
  return static_cast<T *>(*found);
}

template <class T, class Handle>
Result<std::shared_ptr<T>> share(Handle handle) {
  Result<std::shared_ptr<Object>> found =
      shareObject(reinterpret_cast<uintptr_t>(handle), T::handleKind);
  if (!found)
    return found.takeError();
  return std::static_pointer_cast<T>(std::move(*found));
}

/// Hands an object out.
template <class Handle>
FuseStatus give(std::shared_ptr<Object> object, Handle *handle) {
  uintptr_t number = addHandle(std::move(object));
  if (number == 0)
    return fail(RuntimeError(ErrorCode::Unsupported,
                             "there are too many handles: close some"));
  *handle = reinterpret_cast<Handle>(number);
  return FUSE_OK;
}

/// What a function hands out has to have a place, which is cleared.
template <class T> bool clear(T *place) {
  if (place)
    *place = T();
  return place != nullptr;
}

/// "`what` is needed, but NULL was given".
FuseStatus failNull(const char *what);

} // namespace fuse::c

#endif // FUSE_LIB_C_HANDLES_H
