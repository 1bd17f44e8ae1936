//===- ImageCache.h - Images that were made before --------------*- C++ -*-===//
//
// A folder of Images under the hashes of all that they depend on. Whatever goes
// wrong with it costs time, never a result.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_IMAGECACHE_H
#define FUSE_COMPILER_IMAGECACHE_H

#include "fuse/Runtime/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace fuse {

class ImageCache {
public:
  /// The folder that FUSE_CACHE_DIR names, else `fuse` in XDG_CACHE_HOME or in
  /// ~/.cache, and at most FUSE_CACHE_BYTES in it, else 1 GiB. Absent if
  /// FUSE_CACHE_DIR is empty, or there is no home. Fails if FUSE_CACHE_BYTES is
  /// no number.
  static Result<std::optional<ImageCache>> fromEnvironment();
  ImageCache(std::string folder, uint64_t mostBytes)
      : folder(std::move(folder)), mostBytes(mostBytes) {}

  /// The name of what is made of `parts`, which are told apart however they are
  /// cut.
  static std::string keyOf(llvm::ArrayRef<llvm::StringRef> parts);

  /// The bytes of an Image, if there are such and they are whole.
  std::optional<std::string> find(llvm::StringRef key) const;
  /// Keeps an Image, and drops what was not used for the longest time where
  /// there is too much.
  void keep(llvm::StringRef key, llvm::StringRef bytes) const;

private:
  void makeRoom() const;

  std::string folder;
  uint64_t mostBytes;
};

/// What this very compiler is: the build id that the linker gave it.
const std::string &compilerIdentity();

} // namespace fuse

#endif // FUSE_COMPILER_IMAGECACHE_H
