//===- Numbers.h - what tensor cores multiply -------------------*- C++ -*-===//

#ifndef FUSE_TEST_EMULATE_NUMBERS_H
#define FUSE_TEST_EMULATE_NUMBERS_H

#include "Emulator.h"

#include <cmath>
#include <limits>

namespace fuse::emulate {

/// They read the upper 19 bits.
inline float ofTf32(uint32_t word) { return as<float>(word & 0xFFFFE000u); }
inline float ofF16(uint32_t word) {
  return static_cast<float>(as<_Float16>(static_cast<uint16_t>(word)));
}
inline float ofBF16(uint32_t word) { return as<float>(word << 16); }
/// One sign, four bits of exponent, three of mantissa; no infinities.
inline float ofE4M3(uint32_t word) {
  int exponent = static_cast<int>(word >> 3 & 15);
  auto mantissa = static_cast<float>(word & 7);
  float value = (word & 0x7F) == 0x7F ? std::numeric_limits<float>::quiet_NaN()
                : exponent == 0       ? std::ldexp(mantissa, -9)
                                      : std::ldexp(8 + mantissa, exponent - 10);
  return word & 0x80 ? -value : value;
}

} // namespace fuse::emulate

#endif // FUSE_TEST_EMULATE_NUMBERS_H
