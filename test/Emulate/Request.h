//===- Request.h - what a driver asks of emulated threads -------*- C++ -*-===//
//
// Driver.cpp and the library of a run are built apart and meet here.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_EMULATE_REQUEST_H
#define FUSE_TEST_EMULATE_REQUEST_H

#include "../Unit/Runtime/Cuda/FakeDriver.h"

namespace fuse::emulate {

struct Request {
  void (*kernel)(void **parameters);
  void **parameters;
  uint32_t blocks, threads, blocksOfCluster, sharedBytes;
  /// What was encoded; a tensor map begins with its number.
  const std::vector<fake::TensorMap> *maps;
  /// Where there is memory, and how many bytes.
  const std::map<uint64_t, uint64_t> *memory;
  /// Whether kernels before it may still run when it begins.
  bool isEarly;
};

using Emulate = void (*)(const Request &request);

} // namespace fuse::emulate

#endif // FUSE_TEST_EMULATE_REQUEST_H
