//===- NarrowFloats.cpp - conversions that compilers leave to libraries ---===//
//
// Processors without instructions for bf16 call functions instead, and not
// every system's library has them.
//
//===----------------------------------------------------------------------===//

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

/// Rounds to nearest, ties to even.
static __bf16 narrowed(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  constexpr uint32_t quiet = 1u << 22;
  if (std::isnan(value))
    bits |= quiet;
  else
    bits += 0x7FFF + (bits >> 16 & 1);
  return std::bit_cast<__bf16>(static_cast<uint16_t>(bits >> 16));
}

extern "C" {

__bf16 __truncsfbf2(float value) { return narrowed(value); }

/// By way of the float next to it whose last bit says that something was lost:
/// what is rounded twice may go the wrong way.
__bf16 __truncdfbf2(double value) {
  auto near = static_cast<float>(value);
  if (std::isfinite(near) && static_cast<double>(near) != value &&
      (std::bit_cast<uint32_t>(near) & 1) == 0) {
    float other = std::numeric_limits<float>::infinity();
    near = std::nextafter(near,
                          static_cast<double>(near) < value ? other : -other);
  }
  return narrowed(near);
}

} // extern "C"
