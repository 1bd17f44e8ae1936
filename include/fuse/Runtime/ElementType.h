//===- ElementType.h - the element types of buffers -------------*- C++ -*-===//
//
// The element types a buffer can hold, and conversions of single elements.
// Every conversion rounds once, to nearest with ties to even, so that a
// reference computed in double is the correctly rounded one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_ELEMENTTYPE_H
#define FUSE_RUNTIME_ELEMENTTYPE_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fuse {

/// Stored little-endian. I1 takes a whole byte that is 0 or 1; Index is a
/// signed 64-bit integer, as everywhere on the targets of fuse. Integers come
/// first, then floats.
enum class ElementType : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  Index,
  F8E4M3FN,
  BF16,
  F16,
  F32,
  F64,
};

size_t byteSize(ElementType type);

/// MLIR's spelling: "i1", "index", "f8E4M3FN", "bf16", ...
std::string_view typeName(ElementType type);

bool isFloat(ElementType type);

/// Every type that is not a float, I1 and Index included.
bool isInteger(ElementType type);

/// The unit roundoff: 2^-p for p bits of precision, the implicit one included
/// (2^-24 for f32). Rounding to `type` errs by at most this, relatively, unless
/// the value is below smallestNormal() or overflows. 0 for integers.
double epsilon(ElementType type);

/// The smallest positive normal value; 0 for integers.
double smallestNormal(ElementType type);

/// Elements are counted from `base`, which need not be aligned.
///
/// Exact but for integers beyond 2^53, which round. A NaN keeps its sign and
/// the head of its payload, but a signalling one becomes quiet.
double loadAsDouble(ElementType type, const void *base, size_t index);

/// Floats round once. f16, bf16 and f32 overflow to infinity; f8E4M3FN has none
/// and saturates to +-448, for infinity as well. NaN stays NaN.
///
/// Integers round to nearest even and saturate; NaN becomes 0. An i1 is a truth
/// value: it becomes 1 if the rounded value is not 0.
void storeDouble(ElementType type, void *base, size_t index, double value);

/// Integers are exact, i1 is 0 or 1. Floats round to nearest even and saturate;
/// NaN becomes 0.
int64_t loadAsInt(ElementType type, const void *base, size_t index);

/// Integers saturate (an i1 becomes 1 if `value` is not 0); floats round once,
/// as in storeDouble.
void storeInt(ElementType type, void *base, size_t index, int64_t value);

/// The stored bits, zero-extended: the only comparison that tells -0 from 0 and
/// one NaN from another.
uint64_t loadBits(ElementType type, const void *base, size_t index);

} // namespace fuse

#endif // FUSE_RUNTIME_ELEMENTTYPE_H
