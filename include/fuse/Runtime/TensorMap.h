//===- TensorMap.h - how the copy engine sees a tensor ----------*- C++ -*-===//
//
// What is needed to encode a CUtensorMap, the 128 bytes through which a kernel
// tells the tensor memory accelerator (TMA) what to copy. Dimensions are in the
// driver's order here: the one that is contiguous in memory comes first.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_TENSORMAP_H
#define FUSE_RUNTIME_TENSORMAP_H

#include "fuse/Runtime/ElementType.h"
#include "fuse/Runtime/SizeExpression.h"

namespace fuse {

/// In the order of CUtensorMapDataType.
enum class TensorMapType : uint8_t {
  U8,
  U16,
  U32,
  I32,
  U64,
  I64,
  F16,
  F32,
  F64,
  BF16,
  F32FlushSubnormals,
  TF32, ///< An f32 that is rounded on the way.
  TF32FlushSubnormals,
};

/// In the order of CUtensorMapInterleave.
enum class TensorMapInterleave : uint8_t { None, Bytes16, Bytes32 };
/// In the order of CUtensorMapSwizzle.
enum class TensorMapSwizzle : uint8_t { None, Bytes32, Bytes64, Bytes128 };
/// In the order of CUtensorMapL2promotion.
enum class TensorMapPromotion : uint8_t { None, Bytes64, Bytes128, Bytes256 };
/// What is read outside of the tensor; in the order of CUtensorMapFloatOOBfill.
enum class TensorMapFill : uint8_t { Zero, NaN };

struct TensorMap {
  /// Where it lies: a buffer of the Image, and how many bytes into it.
  uint32_t buffer = 0;
  SizeExpression offset;
  TensorMapType type = TensorMapType::U8;
  /// One for each of 1 to 5 dimensions.
  std::vector<SizeExpression> sizes;
  /// In bytes, for each dimension but the first. None if the buffer is an
  /// argument and has as many dimensions: then they are the argument's.
  std::vector<SizeExpression> strides;
  bool hasArgumentStrides = false;
  /// What is copied at once, and every how manieth element of it.
  std::vector<uint32_t> box, elementStrides;
  TensorMapInterleave interleave = TensorMapInterleave::None;
  TensorMapSwizzle swizzle = TensorMapSwizzle::None;
  TensorMapPromotion promotion = TensorMapPromotion::None;
  TensorMapFill fill = TensorMapFill::Zero;

  bool operator==(const TensorMap &) const = default;
};

size_t byteSize(TensorMapType type);
/// "bf16", "tf32", ...
std::string_view typeName(TensorMapType type);

/// The type that copies elements of `type` as they are.
TensorMapType tensorMapTypeFor(ElementType type);

/// A tensor map whose numbers are known.
struct BoundTensorMap {
  uint32_t buffer = 0;
  uint64_t offset = 0;
  TensorMapType type = TensorMapType::U8;
  uint32_t rank = 0;
  uint64_t sizes[5] = {}, strides[4] = {};
  /// `strides` are not known yet.
  bool hasArgumentStrides = false;
  uint32_t box[5] = {}, elementStrides[5] = {};
  TensorMapInterleave interleave = TensorMapInterleave::None;
  TensorMapSwizzle swizzle = TensorMapSwizzle::None;
  TensorMapPromotion promotion = TensorMapPromotion::None;
  TensorMapFill fill = TensorMapFill::Zero;
};

/// Checks what does not depend on sizes: rank, box, element strides, swizzle.
Status checkTensorMap(const TensorMap &map);

/// Evaluates and checks what the driver only calls an invalid value, and that
/// nothing lies outside of the `bufferBytes` of the buffer.
Result<BoundTensorMap> bindTensorMap(const TensorMap &map,
                                     const SizeBindings &bindings,
                                     uint64_t bufferBytes);

/// By how much the address of the buffer plus the offset must be divisible.
uint32_t addressAlignment(TensorMapInterleave interleave);

} // namespace fuse

#endif // FUSE_RUNTIME_TENSORMAP_H
