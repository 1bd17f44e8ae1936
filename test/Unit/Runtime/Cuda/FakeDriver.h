//===- FakeDriver.h - a CUDA driver without a GPU ---------------*- C++ -*-===//
//
// A library that looks like the CUDA driver. Its device is the host's memory,
// its kernels are functions of a test, and whatever can go wrong goes wrong
// when a test says so: in C++ by its State, elsewhere by words, which are in
// the environment's FUSE_FAKE_DRIVER when it is initialised or given to
// fuseFakeSettings. There are
//
//  - devices=0 version=11000 chip=7.5 memory=4096: what there is;
//  - kernels: those of all names, which do nothing;
//  - clock=1500: in MHz, for the kernel that reads it;
//  - cuMemAlloc_v2=2: this function yields this, always;
//  - cuMemAlloc_v2#3=2: when it is called the third time;
//  - fault=700: what comes out when somebody waits for a kernel;
//  - calls=FILE: where to write which functions were called, in the end;
//  - leaks: to complain in the end of what nobody has released.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_UNIT_RUNTIME_CUDA_FAKEDRIVER_H
#define FUSE_TEST_UNIT_RUNTIME_CUDA_FAKEDRIVER_H

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace fuse::fake {

struct Launch {
  std::string kernel;
  std::array<uint32_t, 3> grid, block, cluster = {0, 0, 0};
  uint32_t sharedBytes = 0;
  void *stream = nullptr;
  /// Only while the kernel runs.
  void **parameters = nullptr;
  /// What is kept of them: the first 8 bytes of each.
  std::vector<uint64_t> values;
  /// Whether it may begin before those before it have ended.
  bool isEarly = false;

  template <class T> T get(size_t number) const {
    return *static_cast<T *>(parameters[number]);
  }
  template <class T> T *pointer(size_t number) const {
    return reinterpret_cast<T *>(get<uint64_t>(number));
  }
};

/// What was encoded; the 128 bytes hold its number.
struct TensorMap {
  int type;
  uint64_t address;
  std::vector<uint64_t> sizes, strides;
  std::vector<uint32_t> box, elementStrides;
  int interleave, swizzle, promotion, fill;
};

struct Kernel {
  std::function<void(const Launch &)> body;
  /// How many of at least 8 bytes it has, and behind them of 4.
  size_t numParameters = 0, numWords = 0;
  int threadsPerBlock = 1024;
  int sharedBytes = 0;
  /// A CUresult that comes out when somebody waits, and ever after.
  int fault = 0;
  /// What was set.
  int dynamicSharedBytes = 0, allowsLargeClusters = 0;
  bool isLoaded = false;
  std::string name;
};

struct State {
  // What there is.
  int driverVersion = 12040;
  int deviceCount = 1;
  int major = 9, minor = 0;
  int multiprocessors = 132;
  /// Of a part that a cluster has to lie in.
  int partSize = 22;
  int sharedBytesPerBlock = 232448;
  int l2Bytes = 4096;
  uint64_t memoryBytes = uint64_t(1) << 30;
  bool hasTensorMaps = true;
  std::map<std::string, Kernel> kernels;
  /// What those do that are not among them, if there are any.
  std::function<void(const Launch &)> anyKernel;
  /// And the bytes of their parameters, which a graph has to copy.
  std::function<std::vector<size_t>(const std::string &)> anySizes;

  // What goes wrong: by the name of a function, what it yields.
  std::map<std::string, int> failures;
  /// And which call, counted from 1, yields it. What loses a context stays.
  std::map<std::string, std::pair<uint64_t, int>> failuresAt;
  /// Of all kernels.
  int fault = 0;
  /// What the assembler writes when cuModuleLoadDataEx fails.
  std::string log;
  /// Fails only for code that contains this.
  std::string badCode;

  // What happened.
  std::map<std::string, uint64_t> calls;
  std::vector<Launch> launches;
  std::vector<TensorMap> maps;
  std::vector<std::string> loaded;
  std::map<uint64_t, std::unique_ptr<std::byte[]>> memory;
  std::map<uint64_t, uint64_t> sizes;
  uint64_t allocated = 0, numAllocations = 0;
  /// What was released by threads that did not say that it is no part of a
  /// capture: a capture of anybody would be lost.
  uint64_t strictReleases = 0;
  /// On which device memory lies, if not on 0.
  std::map<uint64_t, int> ordinals;
  /// Allocations that were mapped to reserved addresses.
  std::set<uint64_t> mapped;
  int modules = 0, streams = 0, events = 0, retained = 0, graphs = 0;
  /// While a stream is recorded: what is to happen when that is launched.
  std::vector<std::function<int()>> *recording = nullptr;
  /// Pushed and not popped, by all threads.
  int contexts = 0;
  /// Of streams that are not of this device.
  std::map<void *, void *> streamContexts;
  int sticky = 0;
  uint64_t clock = 0;

  /// Nothing is left that somebody should have released.
  bool isClean() const {
    return memory.empty() && !modules && !streams && !events && !retained &&
           !graphs && !recording && contexts == 0;
  }
};

} // namespace fuse::fake

/// Of the library that was opened.
extern "C" fuse::fake::State *fuseFakeDriver();
/// Those that this thread has pushed.
extern "C" std::vector<void *> *fuseFakeContexts();
/// Does what the words say, beside what is so already; false if one is none.
extern "C" bool fuseFakeSettings(const char *words);
/// Nothing goes wrong any more, and what was lost is there again, as in a new
/// process.
extern "C" void fuseFakeMend();
/// Whether nothing is left that somebody should have released.
extern "C" bool fuseFakeIsClean();
/// From now on there are kernels of all names; what is launched is told to
/// `body`. For tests that are not written in C++.
extern "C" void
fuseFakeAllKernels(void (*body)(const char *name, const uint32_t *grid,
                                void *stream, void **parameters));

#endif // FUSE_TEST_UNIT_RUNTIME_CUDA_FAKEDRIVER_H
