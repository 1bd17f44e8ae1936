//===- Memory.cpp - what threads may touch of the device's memory ---------===//

#include "Emulator.h"

using namespace fuse::emulate;

void fuse::emulate::checkAligned(const void *memory, size_t alignment) {
  if (reinterpret_cast<uintptr_t>(memory) % alignment != 0)
    fail("an access is not aligned to " + std::to_string(alignment) + " bytes");
}

void fuse::emulate::checkOthersEnded() {
  if (request->isEarly && !current->hasWaitedForOthers)
    fail("it touches memory, and has not waited for the kernels before");
}

void fuse::emulate::checkMemory(const char *memory, size_t bytes) {
  auto address = reinterpret_cast<uintptr_t>(memory);
  auto behind = request->memory->upper_bound(address);
  if (behind == request->memory->begin())
    fail("it touches what is no memory of the device");
  auto [start, size] = *std::prev(behind);
  if (address + bytes > start + size)
    fail("it touches " + std::to_string(bytes) + " bytes from byte " +
         std::to_string(address - start) + " on, of memory of " +
         std::to_string(size) + " bytes");
}

extern "C" {

void emuCheckAligned(const void *memory, uint32_t alignment) {
  checkAligned(memory, alignment);
}
void emuTouch(const char *memory, uint32_t bytes, uint32_t alignment) {
  checkAligned(memory, alignment);
  checkOthersEnded();
  checkMemory(memory, bytes);
}
void emuWaitForOthers() { current->hasWaitedForOthers = true; }

} // extern "C"
