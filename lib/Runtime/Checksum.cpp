//===- Checksum.cpp - whether bytes are still the same --------------------===//
//
// Four lanes of 8 bytes each are mixed side by side, then into one, then what
// is left over.
//
//===----------------------------------------------------------------------===//

#include "Checksum.h"

#include <bit>
#include <cstddef>
#include <cstring>

using namespace fuse;

static_assert(std::endian::native == std::endian::little,
              "words are read as they lie");

static constexpr uint64_t prime1 = 0x9E3779B185EBCA87;
static constexpr uint64_t prime2 = 0xC2B2AE3D27D4EB4F;
static constexpr uint64_t prime3 = 0x165667B19E3779F9;
static constexpr uint64_t prime4 = 0x85EBCA77C2B2AE63;
static constexpr uint64_t prime5 = 0x27D4EB2F165667C5;

template <class T> static T take(std::string_view &bytes) {
  T word;
  std::memcpy(&word, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return word;
}

static uint64_t mix(uint64_t lane, uint64_t word) {
  return std::rotl(lane + word * prime2, 31) * prime1;
}

uint64_t fuse::checksum(std::string_view bytes) {
  uint64_t length = bytes.size();
  uint64_t hash = prime5;
  if (length >= 32) {
    uint64_t lanes[4] = {prime1 + prime2, prime2, 0, -prime1};
    while (bytes.size() >= 32)
      for (uint64_t &lane : lanes)
        lane = mix(lane, take<uint64_t>(bytes));
    hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) +
           std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (uint64_t lane : lanes)
      hash = (hash ^ mix(0, lane)) * prime1 + prime4;
  }
  hash += length;
  while (bytes.size() >= 8)
    hash =
        std::rotl(hash ^ mix(0, take<uint64_t>(bytes)), 27) * prime1 + prime4;
  if (bytes.size() >= 4)
    hash =
        std::rotl(hash ^ take<uint32_t>(bytes) * prime1, 23) * prime2 + prime3;
  while (!bytes.empty())
    hash = std::rotl(hash ^ take<uint8_t>(bytes) * prime5, 11) * prime1;
  hash = (hash ^ hash >> 33) * prime2;
  hash = (hash ^ hash >> 29) * prime3;
  return hash ^ hash >> 32;
}
