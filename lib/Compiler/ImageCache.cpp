//===- ImageCache.cpp - Images that were made before ----------------------===//
//
// A file is written beside its place and renamed, so that who reads sees all of
// it or nothing, whoever is killed when. It is an Image, with its checksum; one
// that is damaged is not there.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/ImageCache.h"
#include "fuse/Runtime/File.h"
#include "fuse/Runtime/Image.h"
#include "fuse/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"

#include <chrono>

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>

using namespace fuse;
using llvm::StringRef;
namespace sys = llvm::sys;

//===----------------------------------------------------------------------===//
// Where it is
//===----------------------------------------------------------------------===//

static constexpr uint64_t defaultBytes = uint64_t(1) << 30;

Result<std::optional<ImageCache>> ImageCache::fromEnvironment() {
  using sys::Process;
  llvm::SmallString<128> folder;
  if (std::optional<std::string> named = Process::GetEnv("FUSE_CACHE_DIR"))
    folder = *named;
  else if (std::optional<std::string> caches =
               Process::GetEnv("XDG_CACHE_HOME");
           caches && !caches->empty())
    sys::path::append(folder, *caches, "fuse");
  else if (sys::path::home_directory(folder))
    sys::path::append(folder, ".cache", "fuse");
  if (folder.empty())
    return std::optional<ImageCache>();
  uint64_t bytes = defaultBytes;
  if (std::optional<std::string> text = Process::GetEnv("FUSE_CACHE_BYTES"))
    if (!text->empty() && StringRef(*text).getAsInteger(10, bytes))
      return RuntimeError(ErrorCode::BadUsage,
                          "FUSE_CACHE_BYTES is '" + *text +
                              "', but a number of bytes is needed");
  return std::optional(ImageCache(folder.str().str(), bytes));
}

std::string ImageCache::keyOf(llvm::ArrayRef<StringRef> parts) {
  llvm::SHA256 hash;
  for (StringRef part : parts) {
    hash.update(std::to_string(part.size()) + ":");
    hash.update(part);
  }
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

/// Not too many in one folder.
static StringRef folderOf(StringRef key) { return key.take_front(2); }

static constexpr StringRef suffix = ".fuse";

static std::string pathOf(StringRef folder, StringRef key) {
  llvm::SmallString<128> path(folder);
  sys::path::append(path, folderOf(key), key + suffix);
  return path.str().str();
}

/// Whether a file in `folder`, both without what is before them, is one that
/// was kept: the cache may be in a folder that somebody has other files in.
static bool isKept(StringRef folder, StringRef name) {
  constexpr size_t digits = 64;
  return name.consume_back(suffix) && name.size() == digits &&
         llvm::all_of(name, llvm::isHexDigit) && folderOf(name) == folder;
}

/// Whether it is what writeFile leaves if it is killed.
static bool isLeftover(StringRef name) {
  return name.starts_with(".fuse-") && name.ends_with(".tmp");
}

//===----------------------------------------------------------------------===//
// What is in it
//===----------------------------------------------------------------------===//

std::optional<std::string> ImageCache::find(StringRef key) const {
  std::string path = pathOf(folder, key);
  // More is never kept, so whatever it is need not be read.
  sys::fs::file_status there;
  if (sys::fs::status(path, there) || !sys::fs::is_regular_file(there) ||
      there.getSize() > mostBytes)
    return std::nullopt;
  Result<std::string> bytes = readFile(path);
  if (!bytes || !parseImage(*bytes))
    return std::nullopt;
  // It was used now; that this fails on a disk that is only read is no matter.
  (void)::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return std::move(*bytes);
}

void ImageCache::keep(StringRef key, StringRef bytes) const {
  if (bytes.size() > mostBytes)
    return;
  std::string path = pathOf(folder, key);
  // Who opens a pipe waits for whoever reads it.
  sys::fs::file_status there;
  if (!sys::fs::status(path, there) &&
      there.type() != sys::fs::file_type::regular_file)
    return;
  // Whoever can write there decides what is run.
  if (sys::fs::create_directories(sys::path::parent_path(path),
                                  /*IgnoreExisting=*/true, sys::fs::owner_all))
    return;
  std::string_view pieces[] = {{bytes.data(), bytes.size()}};
  if (writeFile(path, pieces))
    makeRoom();
}

namespace {

struct Found {
  std::string path;
  uint64_t bytes;
  sys::TimePoint<> used;
};

} // namespace

/// Adds the files that are kept in one folder of the cache, and removes what
/// somebody left there who was killed.
static void look(StringRef folder, std::vector<Found> &files) {
  auto now = std::chrono::system_clock::now();
  std::error_code failed;
  for (sys::fs::directory_iterator it(folder, failed), end;
       it != end && !failed; it.increment(failed)) {
    StringRef name = sys::path::filename(it->path());
    bool kept = isKept(sys::path::filename(folder), name);
    if (!kept && !isLeftover(name))
      continue;
    auto status = it->status();
    if (!status || status->type() != sys::fs::file_type::regular_file)
      continue;
    sys::TimePoint<> used = status->getLastModificationTime();
    if (kept)
      files.push_back({it->path(), status->getSize(), used});
    else if (now - used > std::chrono::hours(1))
      sys::fs::remove(it->path());
  }
}

void ImageCache::makeRoom() const {
  std::vector<Found> files;
  std::error_code failed;
  for (sys::fs::directory_iterator it(folder, failed), end;
       it != end && !failed; it.increment(failed)) {
    StringRef name = sys::path::filename(it->path());
    if (name.size() == 2 && llvm::all_of(name, llvm::isHexDigit))
      look(it->path(), files);
  }
  uint64_t sum = 0;
  for (const Found &file : files)
    sum += file.bytes;
  if (sum <= mostBytes)
    return;
  llvm::sort(files,
             [](const Found &a, const Found &b) { return a.used < b.used; });
  // Some more than needed, so that the next one need not look again.
  uint64_t wanted = mostBytes - mostBytes / 10;
  for (const Found &file : files) {
    if (sum <= wanted)
      return;
    if (!sys::fs::remove(file.path))
      sum -= file.bytes;
  }
}

//===----------------------------------------------------------------------===//
// Who made it
//===----------------------------------------------------------------------===//

/// Appends the build id of what this function is in, and LLVM with it.
static int addBuildIds(dl_phdr_info *info, size_t, void *argument) {
  auto *text = static_cast<std::string *>(argument);
  auto own = reinterpret_cast<uintptr_t>(&addBuildIds);
  bool isOurs = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    isOurs |=
        part.p_type == PT_LOAD && own >= begin && own - begin < part.p_memsz;
  }
  for (int i = 0; isOurs && i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    if (part.p_type != PT_NOTE)
      continue;
    const auto *notes =
        reinterpret_cast<const char *>(info->dlpi_addr + part.p_vaddr);
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= part.p_memsz;) {
      const auto *note = reinterpret_cast<const ElfW(Nhdr) *>(notes + at);
      size_t name = at + sizeof(*note);
      size_t data = name + llvm::alignTo(note->n_namesz, 4);
      if (note->n_type == NT_GNU_BUILD_ID &&
          data + note->n_descsz <= part.p_memsz)
        text->append(llvm::toHex(StringRef(notes + data, note->n_descsz))) +=
            ' ';
      at = data + llvm::alignTo(note->n_descsz, 4);
    }
  }
  return 0;
}

const std::string &fuse::compilerIdentity() {
  static const std::string identity = [] {
    std::string text =
        std::string("fuse ") + version + " LLVM " LLVM_VERSION_STRING " ";
    dl_iterate_phdr(addBuildIds, &text);
    return text;
  }();
  return identity;
}
