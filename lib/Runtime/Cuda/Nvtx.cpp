//===- Nvtx.cpp - names for profilers -------------------------------------===//
//
// Version 3 of the protocol, as far as ranges of a thread go. A profiler's
// library asks for a table of places, and writes its functions into those that
// it likes.
//
//===----------------------------------------------------------------------===//

#include "Nvtx.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include <dlfcn.h>

using namespace fuse;

namespace {

using Function = void (*)();

// Names of the protocol are in comments.

/// NVTX_CB_MODULE_CORE, and its NVTX_CBID_CORE_*.
constexpr uint32_t coreModule = 1;
constexpr size_t rangePushA = 9, rangePop = 11, numCoreFunctions = 16;

std::array<Function, numCoreFunctions> functions;

/// NvtxExportTableCallbacks.
struct Callbacks {
  size_t bytes;
  int (*getModuleFunctionTable)(uint32_t module, Function ***table,
                                unsigned *size);
};

/// NvtxExportTableVersionInfo.
struct VersionInfo {
  size_t bytes;
  uint32_t version, reserved;
  void (*setInjectionVersion)(uint32_t version);
};

int getTable(uint32_t module, Function ***table, unsigned *size) {
  // It ends with a null, which is not counted; so does what is not known.
  static std::array<Function *, numCoreFunctions + 1> places = [] {
    std::array<Function *, numCoreFunctions + 1> made = {};
    for (size_t i = 1; i < numCoreFunctions; ++i)
      made[i] = &functions[i];
    return made;
  }();
  if (module != coreModule)
    return 0;
  if (table)
    *table = places.data();
  if (size)
    *size = numCoreFunctions;
  return 1;
}

const void *getExportTable(uint32_t id) {
  static const Callbacks callbacks = {sizeof(Callbacks), getTable};
  static const VersionInfo versions = {sizeof(VersionInfo), 3, 0,
                                       [](uint32_t) {}};
  constexpr uint32_t callbacksId = 1, versionId = 3;
  return id == callbacksId ? static_cast<const void *>(&callbacks)
         : id == versionId ? &versions
                           : nullptr;
}

} // namespace

static bool load(const char *path) {
  void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    return false;
  using Initialize = int (*)(const void *(*)(uint32_t));
  auto initialize =
      reinterpret_cast<Initialize>(dlsym(library, "InitializeInjectionNvtx2"));
  return initialize && initialize(getExportTable) != 0;
}

const Nvtx *Nvtx::find() {
  const char *path = std::getenv("NVTX_INJECTION64_PATH");
  if (!path || !*path)
    return nullptr;
  static std::mutex mutex;
  static std::map<std::string, bool> loaded;
  static Nvtx nvtx;
  std::lock_guard lock(mutex);
  auto [entry, isNew] = loaded.try_emplace(path, false);
  if (isNew)
    entry->second = load(path);
  if (!entry->second)
    return nullptr;
  nvtx.push = reinterpret_cast<int (*)(const char *)>(functions[rangePushA]);
  nvtx.pop = reinterpret_cast<int (*)()>(functions[rangePop]);
  return nvtx.push && nvtx.pop ? &nvtx : nullptr;
}
