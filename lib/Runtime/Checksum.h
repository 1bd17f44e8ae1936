//===- Checksum.h - whether bytes are still the same ------------*- C++ -*-===//
//
// XXH64, written from its public description: fast enough for the weights of a
// model, and any change of a few bytes is seen. No protection from people.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_RUNTIME_CHECKSUM_H
#define FUSE_LIB_RUNTIME_CHECKSUM_H

#include <cstdint>
#include <string_view>

namespace fuse {

/// With the seed 0.
uint64_t checksum(std::string_view bytes);

} // namespace fuse

#endif // FUSE_LIB_RUNTIME_CHECKSUM_H
