//===- Nvtx.cpp - names for profilers -------------------------------------===//
//
// Version 3 of the protocol. A profiler's library asks for tables of places,
// one for each group of functions, and writes its functions into those that it
// likes. Ours calls two of them, but profilers do without all if a group is not
// there.
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

/// NVTX_CB_MODULE_*: none, CORE, CUDA, OPENCL, CUDART, CORE2, SYNC; and their
/// NVTX_CBID_*_SIZE. Function 0 of each is none.
constexpr std::array<unsigned, 7> numFunctions = {0, 16, 9, 15, 7, 16, 7};
constexpr unsigned mostFunctions = 16;
constexpr uint32_t coreModule = 1;
constexpr size_t rangePushA = 9, rangePop = 11;

std::array<std::array<Function, mostFunctions>, numFunctions.size()> functions;

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
  // Each ends with a null, which is not counted.
  using Places = std::array<Function *, mostFunctions + 1>;
  static std::array<Places, numFunctions.size()> places = [] {
    std::array<Places, numFunctions.size()> made = {};
    for (size_t group = 0; group < made.size(); ++group)
      for (size_t i = 1; i < numFunctions[group]; ++i)
        made[group][i] = &functions[group][i];
    return made;
  }();
  if (module == 0 || module >= numFunctions.size())
    return 0;
  if (table)
    *table = places[module].data();
  if (size)
    *size = numFunctions[module];
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

/// The function of a profiler by which it begins to listen: of the library that
/// the environment names, else of one that is there already.
static void *findProfiler(const char *path) {
  if (!*path)
    return dlsym(RTLD_DEFAULT, "InitializeInjectionNvtx2Preinject");
  void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  return library ? dlsym(library, "InitializeInjectionNvtx2") : nullptr;
}

static bool load(const char *path) {
  using Initialize = int (*)(const void *(*)(uint32_t));
  auto initialize = reinterpret_cast<Initialize>(findProfiler(path));
  return initialize && initialize(getExportTable) != 0;
}

const Nvtx *Nvtx::find() {
  const char *path = std::getenv("NVTX_INJECTION64_PATH");
  if (!path)
    path = "";
  static std::mutex mutex;
  static std::map<std::string, bool> loaded;
  static Nvtx nvtx;
  std::lock_guard lock(mutex);
  auto [entry, isNew] = loaded.try_emplace(path, false);
  if (isNew)
    entry->second = load(path);
  if (!entry->second)
    return nullptr;
  nvtx.push = reinterpret_cast<int (*)(const char *)>(
      functions[coreModule][rangePushA]);
  nvtx.pop = reinterpret_cast<int (*)()>(functions[coreModule][rangePop]);
  return nvtx.push && nvtx.pop ? &nvtx : nullptr;
}
