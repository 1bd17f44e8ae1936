//===- Driver.cpp - a driver whose kernels are emulated -------------------===//
//
// The fake driver of the runtime's tests, with the kernels of the library that
// FUSE_EMULATE_CODE names; without it they do nothing.
//
//===----------------------------------------------------------------------===//

#include "Request.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>

using namespace fuse::fake;

namespace {

using fuse::emulate::Emulate;
using fuse::emulate::Request;

struct Emulated {
  Emulated() {
    State &state = *fuseFakeDriver();
    const char *chip = std::getenv("FUSE_EMULATE_CHIP");
    bool isHopper = chip && std::strcmp(chip, "sm_90a") == 0;
    state.major = isHopper ? 9 : 8;
    state.minor = 0;
    state.multiprocessors = isHopper ? 132 : 108;
    state.sharedBytesPerBlock = (isHopper ? 227 : 163) << 10;
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
      const auto *size = static_cast<const unsigned char *>(
          dlsym(library, ("sizes_" + kernel).c_str()));
      for (; size && *size; ++size)
        sizes.push_back(*size);
      return sizes;
    };
    state.anyKernel = [library, emulate, &state](const Launch &launch) {
      // Which is the runtime's own; there are no clocks.
      if (launch.kernel == "fuse_read_clocks")
        return;
      auto kernel = reinterpret_cast<void (*)(void **)>(
          dlsym(library, ("run_" + launch.kernel).c_str()));
      if (!kernel) {
        std::fprintf(stderr, "error: there is no emulated kernel '%s'\n",
                     launch.kernel.c_str());
        std::_Exit(70);
      }
      auto volume = [](const std::array<uint32_t, 3> &sizes) {
        return sizes[0] * sizes[1] * sizes[2];
      };
      emulate(Request{kernel, launch.parameters, volume(launch.grid),
                      launch.block[0], std::max(1U, volume(launch.cluster)),
                      launch.sharedBytes, &state.maps, &state.sizes,
                      launch.isEarly});
    };
  }
};

const Emulated emulated;

} // namespace
