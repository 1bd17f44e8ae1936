//===- Driver.cpp - a driver whose kernels are emulated -------------------===//
//
// The fake driver of the runtime's tests, with the kernels of the library that
// FUSE_EMULATE_CODE names; without it they do nothing.
//
//===----------------------------------------------------------------------===//

#include "../Unit/Runtime/Cuda/FakeDriver.h"

#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

using namespace fuse::fake;

namespace {

using Function = void (*)(void **parameters);
using Emulate = void (*)(Function kernel, uint32_t blocks, uint32_t threads,
                         void **parameters);

struct Emulated {
  Emulated() {
    State &state = *fuseFakeDriver();
    state.major = 8;
    state.minor = 0;
    state.multiprocessors = 108;
    state.sharedBytesPerBlock = 163 << 10;
    state.memoryBytes = uint64_t(8) << 30;
    const char *path = std::getenv("FUSE_EMULATE_CODE");
    if (!path) {
      state.anyKernel = [](const Launch &) {};
      return;
    }
    void *library = dlopen(path, RTLD_NOW);
    auto emulate =
        library ? reinterpret_cast<Emulate>(dlsym(library, "fuseEmulate"))
                : nullptr;
    if (!emulate) {
      std::fprintf(stderr, "error: there is no emulated code: %s\n", dlerror());
      std::_Exit(70);
    }
    // A zero ends them.
    state.anySizes = [library](const std::string &kernel) {
      std::vector<size_t> sizes;
      auto size = static_cast<const char *>(
          dlsym(library, ("sizes_" + kernel).c_str()));
      for (; size && *size; ++size)
        sizes.push_back(size_t(*size));
      return sizes;
    };
    state.anyKernel = [library, emulate](const Launch &launch) {
      auto kernel = reinterpret_cast<Function>(
          dlsym(library, ("run_" + launch.kernel).c_str()));
      if (!kernel) {
        std::fprintf(stderr, "error: there is no emulated kernel '%s'\n",
                     launch.kernel.c_str());
        std::_Exit(70);
      }
      emulate(kernel, launch.grid[0] * launch.grid[1] * launch.grid[2],
              launch.block[0], launch.parameters);
    };
  }
};

const Emulated emulated;

} // namespace
