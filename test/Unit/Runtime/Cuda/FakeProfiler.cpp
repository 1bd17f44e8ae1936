//===- FakeProfiler.cpp - who listens to NVTX -----------------------------===//
//
// A library that profilers load into a process, by the protocol's words: what
// is in NVTX's own headers is written out here.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <string>
#include <vector>

namespace {

using Function = void (*)();

struct Callbacks {
  size_t bytes;
  int (*getModuleFunctionTable)(uint32_t module, Function ***table,
                                unsigned *size);
};

std::vector<std::string> ranges;
int depth = 0;

int push(const char *name) {
  ranges.emplace_back(name);
  return depth++;
}

int pop() { return --depth; }

} // namespace

extern "C" std::vector<std::string> *fuseFakeRanges() { return &ranges; }
extern "C" int fuseFakeDepth() { return depth; }

extern "C" int InitializeInjectionNvtx2(const void *(*getTable)(uint32_t)) {
  if (!getTable(3) || getTable(7))
    return 0;
  const auto *callbacks = static_cast<const Callbacks *>(getTable(1));
  if (!callbacks || callbacks->bytes < sizeof(Callbacks))
    return 0;
  Function **table = nullptr;
  unsigned size = 0;
  // It wants all groups, or none.
  for (uint32_t group = 2; group < 7; ++group)
    if (callbacks->getModuleFunctionTable(group, &table, &size) != 1 ||
        size < 7 || !table[size - 1] || table[size])
      return 0;
  if (callbacks->getModuleFunctionTable(0, &table, &size) != 0 ||
      callbacks->getModuleFunctionTable(7, &table, &size) != 0)
    return 0;
  if (callbacks->getModuleFunctionTable(1, &table, &size) != 1 || size < 12)
    return 0;
  for (unsigned i = 1; i < size; ++i)
    if (!table[i])
      return 0;
  *table[9] = reinterpret_cast<Function>(&push);
  *table[11] = reinterpret_cast<Function>(&pop);
  return 1;
}
