//===- ObjectLoader.h - functions of an object file -------------*- C++ -*-===//
//
// Puts the sections of an ELF file that can be relocated into memory and links
// them: what a linker and a loader do, for code that needs nothing but itself
// and a few functions of the C library.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_RUNTIME_CPU_OBJECTLOADER_H
#define FUSE_LIB_RUNTIME_CPU_OBJECTLOADER_H

#include "fuse/Runtime/Error.h"

#include <cstddef>
#include <map>
#include <memory>

namespace fuse {

class LoadedObject {
public:
  /// Trusts nothing that it reads, but runs what the code says.
  static Result<std::unique_ptr<LoadedObject>> load(std::string_view bytes);
  ~LoadedObject();
  LoadedObject(const LoadedObject &) = delete;
  LoadedObject &operator=(const LoadedObject &) = delete;

  /// Null if there is no such function.
  void *find(std::string_view symbol) const;

private:
  friend class ObjectLinker;
  LoadedObject() = default;

  std::byte *memory = nullptr;
  size_t bytes = 0;
  std::map<std::string, void *, std::less<>> functions;
};

} // namespace fuse

#endif // FUSE_LIB_RUNTIME_CPU_OBJECTLOADER_H
