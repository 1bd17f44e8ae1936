//===- FakeDriver.cpp - a CUDA driver without a GPU -----------------------===//
//
// The functions of the driver that fuse uses. Kernels run when they are
// launched; what they do wrong comes out when somebody waits.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>
#include <utility>

using namespace fuse::fake;

static State state;
/// Threads take turns, kernels included.
static std::recursive_mutex turns;
static thread_local std::vector<void *> contexts;

extern "C" State *fuseFakeDriver() { return &state; }
extern "C" std::vector<void *> *fuseFakeContexts() { return &contexts; }
extern "C" void
fuseFakeAllKernels(void (*body)(const char *name, const uint32_t *grid,
                                void *stream, void **parameters)) {
  state.anyKernel = [body](const Launch &launch) {
    body(launch.kernel.c_str(), launch.grid.data(), launch.stream,
         launch.parameters);
  };
}

//===----------------------------------------------------------------------===//
// What goes wrong
//===----------------------------------------------------------------------===//

/// After such an error every call has the same outcome.
static bool losesContext(int code) { return code >= 700 && code < 800; }

/// What is to be yielded before anything is done.
static int problem(const char *function) {
  uint64_t number = ++state.calls[function];
  if (state.sticky)
    return state.sticky;
  if (auto found = state.failuresAt.find(function);
      found != state.failuresAt.end() && found->second.first == number) {
    if (losesContext(found->second.second))
      state.sticky = found->second.second;
    return found->second.second;
  }
  auto found = state.failures.find(function);
  return found == state.failures.end() ? 0 : found->second;
}

namespace {

/// What was asked for when the process ends.
struct Ending {
  std::string callsFile;
  bool tellsOfLeaks = false;
  ~Ending() {
    if (!callsFile.empty()) {
      std::ofstream file(callsFile);
      for (const auto &[function, number] : state.calls)
        file << function << " " << number << "\n";
    }
    if (tellsOfLeaks && !state.isClean())
      std::fprintf(stderr,
                   "fake driver: not released: %zu of memory, %d modules, %d "
                   "streams, %d events, %d graphs, %d devices, %d contexts\n",
                   state.memory.size(), state.modules, state.streams,
                   state.events, state.graphs, state.retained, state.contexts);
  }
};

Ending ending;

} // namespace

static bool set(const std::string &word) {
  size_t end = word.find('=');
  std::string name = word.substr(0, end);
  const char *text = end == word.npos ? "" : word.c_str() + end + 1;
  uint64_t number = std::strtoull(text, nullptr, 10);
  if (name == "devices")
    state.deviceCount = static_cast<int>(number);
  else if (name == "version")
    state.driverVersion = static_cast<int>(number);
  else if (name == "chip")
    return std::sscanf(text, "%d.%d", &state.major, &state.minor) == 2;
  else if (name == "memory")
    state.memoryBytes = number;
  else if (name == "kernels")
    state.anyKernel = [](const Launch &) {};
  else if (name == "clock")
    state.kernels["fuse_read_clocks"].body = [number](const Launch &launch) {
      // A launch takes a millisecond.
      uint64_t time = 1000000 * state.clock;
      for (uint64_t block = 0; block < launch.grid[0]; ++block) {
        uint64_t *reading = launch.pointer<uint64_t>(0) + 3 * block;
        reading[0] = block % 7;
        reading[1] = time / 1000 * number;
        reading[2] = time;
      }
    };
  else if (name == "fault")
    state.fault = static_cast<int>(number);
  else if (name == "calls")
    ending.callsFile = text;
  else if (name == "leaks")
    ending.tellsOfLeaks = true;
  else if (name.compare(0, 2, "cu") != 0 || !number)
    return false;
  else if (size_t at = name.find('#'); at != name.npos)
    state.failuresAt[name.substr(0, at)] = {
        std::strtoull(name.c_str() + at + 1, nullptr, 10),
        static_cast<int>(number)};
  else
    state.failures[name] = static_cast<int>(number);
  return true;
}

extern "C" bool fuseFakeSettings(const char *words) {
  std::lock_guard turn(turns);
  std::istringstream list(words);
  for (std::string word; list >> word;)
    if (!set(word))
      return false;
  return true;
}

extern "C" void fuseFakeMend() {
  std::lock_guard turn(turns);
  state.failures.clear();
  state.failuresAt.clear();
  state.calls.clear();
  state.fault = state.sticky = 0;
}

extern "C" bool fuseFakeIsClean() {
  std::lock_guard turn(turns);
  return state.isClean();
}

/// Once, in what is called first, when others have made the state what they
/// want.
static void takeSettings() {
  static const bool taken = [] {
    const char *words = std::getenv("FUSE_FAKE_DRIVER");
    if (words && !fuseFakeSettings(words)) {
      std::fprintf(stderr, "fake driver: what is '%s'?\n", words);
      std::_Exit(70);
    }
    return true;
  }();
  static_cast<void>(taken);
}

#define FAIL_IF_TOLD                                                           \
  std::lock_guard turn(turns);                                                 \
  if (int code = problem(__func__))                                            \
    return code;

/// Without a current context most of the driver does not work.
#define NEED_CONTEXT                                                           \
  FAIL_IF_TOLD                                                                 \
  if (contexts.empty())                                                        \
    return 201;

extern "C" {

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

int cuInit(unsigned) {
  takeSettings();
  FAIL_IF_TOLD
  return state.deviceCount == 0 ? 100 : 0;
}

int cuDriverGetVersion(int *version) {
  takeSettings();
  FAIL_IF_TOLD
  *version = state.driverVersion;
  return 0;
}

int cuGetErrorName(int code, const char **text) {
  static const std::map<int, const char *> names = {
      {1, "CUDA_ERROR_INVALID_VALUE"},     {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {100, "CUDA_ERROR_NO_DEVICE"},       {201, "CUDA_ERROR_INVALID_CONTEXT"},
      {218, "CUDA_ERROR_INVALID_PTX"},     {500, "CUDA_ERROR_NOT_FOUND"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}, {719, "CUDA_ERROR_LAUNCH_FAILED"},
  };
  auto found = names.find(code);
  if (found == names.end())
    return 1;
  *text = found->second;
  return 0;
}

int cuGetErrorString(int code, const char **text) {
  if (code != 700)
    return 1;
  *text = "an illegal memory access was encountered";
  return 0;
}

int cuDeviceGetCount(int *count) {
  FAIL_IF_TOLD
  *count = state.deviceCount;
  return 0;
}

int cuDeviceGet(int *device, int ordinal) {
  FAIL_IF_TOLD
  *device = 1000 + ordinal;
  return 0;
}

int cuDeviceGetName(char *name, int length, int) {
  FAIL_IF_TOLD
  std::strncpy(name, "Fake GPU", length);
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  FAIL_IF_TOLD
  const std::map<int, int> values = {
      {1, 1024},           {2, 1024},
      {3, 1024},           {4, 64},
      {5, 2147483647},     {6, 65535},
      {7, 65535},          {16, state.multiprocessors},
      {38, state.l2Bytes}, {75, state.major},
      {76, state.minor},   {97, state.sharedBytesPerBlock}};
  auto found = values.find(attribute);
  if (found == values.end())
    return 1;
  *value = found->second;
  return 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int) {
  FAIL_IF_TOLD
  *bytes = state.memoryBytes;
  return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int) {
  FAIL_IF_TOLD
  ++state.retained;
  *context = &state;
  return 0;
}

int cuDevicePrimaryCtxRelease_v2(int) {
  std::lock_guard turn(turns);
  --state.retained;
  return 0;
}

int cuCtxPushCurrent_v2(void *context) {
  std::lock_guard turn(turns);
  // One that is lost can be pushed as well.
  if (int code = state.sticky ? 0 : problem(__func__))
    return code;
  contexts.push_back(context);
  ++state.contexts;
  return 0;
}

int cuCtxGetCurrent(void **context) {
  *context = contexts.empty() ? nullptr : contexts.back();
  return 0;
}

int cuCtxPopCurrent_v2(void **context) {
  std::lock_guard turn(turns);
  if (contexts.empty())
    return 201;
  *context = contexts.back();
  contexts.pop_back();
  --state.contexts;
  return 0;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

#ifndef FAKE_WITHOUT_MODULES
int cuModuleLoadDataEx(void **module, const void *image, unsigned numOptions,
                       int *options, void **values) {
  std::string code = static_cast<const char *>(image);
  bool isBad =
      !state.badCode.empty() && code.find(state.badCode) != std::string::npos;
  int status = problem(__func__);
  if (isBad)
    status = 218;
  if (status) {
    size_t room = 0;
    for (unsigned i = 0; i < numOptions; ++i)
      if (options[i] == 6)
        room = reinterpret_cast<uintptr_t>(values[i]);
    for (unsigned i = 0; i < numOptions; ++i)
      if (options[i] == 5)
        state.log.copy(static_cast<char *>(values[i]), room);
    return status;
  }
  if (contexts.empty())
    return 201;
  ++state.modules;
  state.loaded.push_back(code);
  *module = &state.modules;
  return 0;
}
#endif

int cuModuleUnload(void *) {
  std::lock_guard turn(turns);
  --state.modules;
  return 0;
}

int cuModuleGetFunction(void **function, void *, const char *name) {
  NEED_CONTEXT
  auto found = state.kernels.find(name);
  if (found == state.kernels.end()) {
    if (!state.anyKernel)
      return 500;
    found = state.kernels.try_emplace(name).first;
    found->second.body = state.anyKernel;
  }
  found->second.name = name;
  *function = &found->second;
  return 0;
}

#ifndef FAKE_OLD
int cuFuncLoad(void *function) {
  NEED_CONTEXT
  static_cast<Kernel *>(function)->isLoaded = true;
  return 0;
}
#endif

int cuFuncGetAttribute(int *value, int attribute, void *function) {
  NEED_CONTEXT
  auto &kernel = *static_cast<Kernel *>(function);
  if (attribute == 0)
    *value = kernel.threadsPerBlock;
  else if (attribute == 1)
    *value = kernel.sharedBytes;
  else
    return 1;
  return 0;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  NEED_CONTEXT
  auto &kernel = *static_cast<Kernel *>(function);
  if (attribute == 8)
    kernel.dynamicSharedBytes = value;
  else if (attribute == 14)
    kernel.allowsLargeClusters = value;
  else
    return 1;
  return 0;
}

static int launch(void *function, Launch launch) {
  auto &kernel = *static_cast<Kernel *>(function);
  // Up to 48 KiB need no permission.
  if (launch.sharedBytes > 49152 &&
      launch.sharedBytes > uint32_t(kernel.dynamicSharedBytes))
    return 1;
  // A graph has its own copy of the parameters; of tensor maps the number.
  if (state.recording) {
    std::vector<size_t> sizes(kernel.numParameters, sizeof(uint64_t));
    sizes.insert(sizes.end(), kernel.numWords, sizeof(uint32_t));
    if (state.anySizes)
      sizes = state.anySizes(kernel.name);
    auto parameters = std::make_shared<std::vector<uint64_t>>(sizes.size());
    for (size_t i = 0; i < sizes.size(); ++i)
      std::memcpy(&(*parameters)[i], launch.parameters[i], sizes[i]);
    state.recording->push_back([=]() mutable {
      std::vector<void *> pointers;
      for (uint64_t &parameter : *parameters)
        pointers.push_back(&parameter);
      launch.parameters = pointers.data();
      return ::launch(function, launch);
    });
    return 0;
  }
  launch.kernel = kernel.name;
  for (size_t i = 0; i < kernel.numParameters; ++i)
    launch.values.push_back(launch.get<uint64_t>(i));
  state.launches.push_back(launch);
  ++state.clock;
  if (kernel.body)
    kernel.body(launch);
  if (int fault = kernel.fault ? kernel.fault : state.fault)
    for (const char *waiting : {"cuStreamSynchronize", "cuEventSynchronize"})
      state.failures[waiting] = fault;
  return 0;
}

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, void *stream,
                   void **parameters, void **) {
  NEED_CONTEXT
  return launch(function, {"",
                           {gridX, gridY, gridZ},
                           {blockX, blockY, blockZ},
                           {0, 0, 0},
                           sharedBytes,
                           stream,
                           parameters,
                           {}});
}

#ifndef FAKE_OLD
// As they lie in memory; not from fuse's own declaration, which is tested.
struct Attribute {
  int id;
  char pad[4];
  uint32_t dims[16];
};
struct Config {
  uint32_t grid[3], block[3], sharedBytes;
  void *stream;
  Attribute *attributes;
  uint32_t numAttributes;
};

int cuLaunchKernelEx(const Config *config, void *function, void **parameters,
                     void **) {
  NEED_CONTEXT
  Launch made{
      "",         {}, {}, {0, 0, 0}, config->sharedBytes, config->stream,
      parameters, {}};
  for (int i = 0; i < 3; ++i) {
    made.grid[i] = config->grid[i];
    made.block[i] = config->block[i];
    for (uint32_t k = 0; k < config->numAttributes; ++k)
      if (config->attributes[k].id == 4)
        made.cluster[i] = config->attributes[k].dims[i];
  }
  for (uint32_t k = 0; k < config->numAttributes; ++k)
    if (config->attributes[k].id == 6)
      made.isEarly = config->attributes[k].dims[0] == 1;
  return launch(function, made);
}

int cuOccupancyMaxActiveClusters(int *number, void *, const Config *config) {
  NEED_CONTEXT
  int blocks = 1;
  for (uint32_t k = 0; k < config->numAttributes; ++k)
    if (config->attributes[k].id == 4)
      for (int i = 0; i < 3; ++i)
        blocks *= static_cast<int>(config->attributes[k].dims[i]);
  *number = state.multiprocessors / state.partSize * (state.partSize / blocks);
  return 0;
}

static int encodeTiled(void *map, int type, uint32_t rank, void *address,
                       const uint64_t *sizes, const uint64_t *strides,
                       const uint32_t *box, const uint32_t *elementStrides,
                       int interleave, int swizzle, int promotion, int fill) {
  std::lock_guard turn(turns);
  if (int code = problem("cuTensorMapEncodeTiled"))
    return code;
  if (reinterpret_cast<uintptr_t>(map) % 64 != 0)
    return 1;
  uint64_t number = state.maps.size();
  state.maps.push_back({type,
                        reinterpret_cast<uintptr_t>(address),
                        {sizes, sizes + rank},
                        {strides, strides + rank - 1},
                        {box, box + rank},
                        {elementStrides, elementStrides + rank},
                        interleave,
                        swizzle,
                        promotion,
                        fill});
  std::memset(map, 0, 128);
  std::memcpy(map, &number, sizeof(number));
  return 0;
}

int cuGetProcAddress_v2(const char *name, void **function, int version,
                        uint64_t, int *) {
  bool isKnown = std::string(name) == "cuTensorMapEncodeTiled" &&
                 state.hasTensorMaps && version <= state.driverVersion;
  if (!isKnown)
    return 500;
  *function = reinterpret_cast<void *>(&encodeTiled);
  return 0;
}
#endif

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

#ifndef FAKE_OLD
using Recording = std::vector<std::function<int()>>;

int cuStreamBeginCapture_v2(void *, int mode) {
  NEED_CONTEXT
  if (state.recording || mode != 1)
    return 1;
  state.recording = new Recording;
  ++state.graphs;
  return 0;
}

int cuStreamEndCapture(void *, void **graph) {
  std::lock_guard turn(turns);
  if (!state.recording)
    return 1;
  *graph = std::exchange(state.recording, nullptr);
  return problem(__func__);
}

int cuGraphInstantiateWithFlags(void **executable, void *graph, uint64_t) {
  NEED_CONTEXT
  ++state.graphs;
  *executable = new Recording(*static_cast<Recording *>(graph));
  return 0;
}

int cuGraphLaunch(void *executable, void *) {
  NEED_CONTEXT
  for (auto &launched : *static_cast<Recording *>(executable))
    if (int code = launched())
      return code;
  return 0;
}

static int destroyGraph(void *graph) {
  std::lock_guard turn(turns);
  --state.graphs;
  delete static_cast<Recording *>(graph);
  return 0;
}

int cuGraphExecDestroy(void *executable) { return destroyGraph(executable); }
int cuGraphDestroy(void *graph) { return destroyGraph(graph); }
#endif

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The allocation in which `pointer` lies; the end if there is none.
static std::map<uint64_t, uint64_t>::iterator find(uint64_t pointer) {
  auto found = state.sizes.upper_bound(pointer);
  if (found == state.sizes.begin())
    return state.sizes.end();
  --found;
  return pointer < found->first + found->second ? found : state.sizes.end();
}

/// None where it has become less than was allocated.
static uint64_t freeBytes() {
  return state.memoryBytes - std::min(state.allocated, state.memoryBytes);
}

int cuMemGetInfo_v2(size_t *free, size_t *total) {
  NEED_CONTEXT
  *total = state.memoryBytes;
  *free = freeBytes();
  return 0;
}

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  NEED_CONTEXT
  if (bytes == 0)
    return 1;
  if (bytes > freeBytes())
    return 2;
  // The driver's memory is aligned to 256 bytes at least.
  auto memory = std::make_unique<std::byte[]>(bytes + 256);
  auto address = reinterpret_cast<uintptr_t>(memory.get());
  *pointer = (address + 255) / 256 * 256;
  state.memory[*pointer] = std::move(memory);
  state.sizes[*pointer] = bytes;
  state.allocated += bytes;
  ++state.numAllocations;
  return 0;
}

static thread_local int captureMode = 0;

int cuThreadExchangeStreamCaptureMode(int *mode) {
  std::swap(*mode, captureMode);
  return 0;
}

int cuMemFree_v2(uint64_t pointer) {
  std::lock_guard turn(turns);
  state.strictReleases += captureMode == 0;
  auto found = state.sizes.find(pointer);
  if (found == state.sizes.end())
    return 1;
  state.allocated -= found->second;
  state.memory.erase(pointer);
  state.sizes.erase(found);
  return 0;
}

int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t pointer) {
  NEED_CONTEXT
  auto found = find(pointer);
  if (found == state.sizes.end())
    return 500;
  *base = found->first;
  *size = found->second;
  return 0;
}

int cuPointerGetAttributes(unsigned count, int *attributes, void **values,
                           uint64_t pointer) {
  NEED_CONTEXT
  auto found = find(pointer);
  bool isOurs = found != state.sizes.end();
  for (unsigned i = 0; i < count; ++i) {
    int value = 0;
    if (attributes[i] == 2)
      value = isOurs ? 2 : 0;
    else if (attributes[i] == 9)
      value = !isOurs ? -2
              : state.ordinals.count(found->first)
                  ? state.ordinals[found->first]
                  : 0;
    else if (attributes[i] != 8)
      return 1;
    std::memcpy(values[i], &value, sizeof(value));
  }
  return 0;
}

int cuMemRetainAllocationHandle(uint64_t *handle, void *pointer) {
  std::lock_guard turn(turns);
  auto found = find(reinterpret_cast<uintptr_t>(pointer));
  if (found == state.sizes.end() || !state.mapped.count(found->first))
    return 1;
  *handle = 1;
  return 0;
}

int cuMemRelease(uint64_t) { return 0; }

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *) {
  NEED_CONTEXT
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *) {
  NEED_CONTEXT
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *) {
  NEED_CONTEXT
  auto copy = [=] {
    std::memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
                bytes);
    return 0;
  };
  if (!state.recording)
    return copy();
  state.recording->push_back(copy);
  return 0;
}

int cuMemsetD8Async(uint64_t pointer, unsigned char value, size_t bytes,
                    void *) {
  NEED_CONTEXT
  std::memset(reinterpret_cast<void *>(pointer), value, bytes);
  return 0;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

int cuStreamCreate(void **stream, unsigned flags) {
  NEED_CONTEXT
  if (flags != 1)
    return 1;
  ++state.streams;
  *stream = &state.streams;
  return 0;
}

int cuStreamGetCtx(void *stream, void **context) {
  NEED_CONTEXT
  auto found = state.streamContexts.find(stream);
  *context = found == state.streamContexts.end() ? &state : found->second;
  return 0;
}

int cuStreamDestroy_v2(void *) {
  std::lock_guard turn(turns);
  --state.streams;
  return 0;
}

/// What kernels did wrong comes out.
static int wait(const char *function) {
  std::lock_guard turn(turns);
  int code = problem(function);
  if (losesContext(code))
    state.sticky = code;
  return code;
}

int cuStreamSynchronize(void *) { return wait(__func__); }

int cuEventCreate(void **event, unsigned) {
  NEED_CONTEXT
  ++state.events;
  *event = new uint64_t(0);
  return 0;
}

int cuEventDestroy_v2(void *event) {
  std::lock_guard turn(turns);
  --state.events;
  delete static_cast<uint64_t *>(event);
  return 0;
}

int cuEventRecord(void *event, void *) {
  NEED_CONTEXT
  *static_cast<uint64_t *>(event) = state.clock;
  return 0;
}

int cuEventSynchronize(void *) { return wait(__func__); }

/// A millisecond for every launch in between.
int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  NEED_CONTEXT
  *milliseconds = static_cast<float>(*static_cast<uint64_t *>(end) -
                                     *static_cast<uint64_t *>(start));
  return 0;
}

} // extern "C"
