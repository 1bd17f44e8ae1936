//===- TensorMap.cpp - how the copy engine sees a tensor ------------------===//
//
// The rules are those of cuTensorMapEncodeTiled in the driver's manual. The
// driver answers every breach with "invalid value"; here each has a sentence.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/TensorMap.h"
#include "fuse/Runtime/Buffer.h"

#include <algorithm>

using namespace fuse;

static RuntimeError badInput(std::string message) {
  return RuntimeError(ErrorCode::BadInput, std::move(message));
}

static std::string inDimension(size_t dim) {
  return " in dimension " + std::to_string(dim);
}

size_t fuse::byteSize(TensorMapType type) {
  switch (type) {
  case TensorMapType::U8:
    return 1;
  case TensorMapType::U16:
  case TensorMapType::F16:
  case TensorMapType::BF16:
    return 2;
  case TensorMapType::U32:
  case TensorMapType::I32:
  case TensorMapType::F32:
  case TensorMapType::F32FlushSubnormals:
  case TensorMapType::TF32:
  case TensorMapType::TF32FlushSubnormals:
    return 4;
  case TensorMapType::U64:
  case TensorMapType::I64:
  case TensorMapType::F64:
    return 8;
  }
  __builtin_unreachable();
}

std::string_view fuse::typeName(TensorMapType type) {
  static constexpr std::string_view names[] = {
      "u8",  "u16", "u32",  "i32",     "u64",  "i64",     "f16",
      "f32", "f64", "bf16", "f32 ftz", "tf32", "tf32 ftz"};
  return names[static_cast<size_t>(type)];
}

TensorMapType fuse::tensorMapTypeFor(ElementType type) {
  switch (type) {
  case ElementType::I1:
  case ElementType::I8:
  case ElementType::F8E4M3FN:
    return TensorMapType::U8;
  case ElementType::I16:
    return TensorMapType::U16;
  case ElementType::I32:
    return TensorMapType::I32;
  case ElementType::I64:
  case ElementType::Index:
    return TensorMapType::I64;
  case ElementType::BF16:
    return TensorMapType::BF16;
  case ElementType::F16:
    return TensorMapType::F16;
  case ElementType::F32:
    return TensorMapType::F32;
  case ElementType::F64:
    return TensorMapType::F64;
  }
  __builtin_unreachable();
}

uint32_t fuse::addressAlignment(TensorMapInterleave interleave) {
  return interleave == TensorMapInterleave::Bytes32 ? 32 : 16;
}

static bool holdsFloats(TensorMapType type) {
  return type >= TensorMapType::F16;
}

Status fuse::checkTensorMap(const TensorMap &map) {
  size_t rank = map.sizes.size();
  if (rank < 1 || rank > 5)
    return badInput("a tensor map has " + std::to_string(rank) +
                    " dimensions, but 1 to 5 are needed");
  bool isInterleaved = map.interleave != TensorMapInterleave::None;
  if (isInterleaved && rank < 3)
    return badInput("an interleaved tensor map has " + std::to_string(rank) +
                    " dimensions, but at least 3 are needed");
  size_t numStrides = map.hasArgumentStrides ? rank - 1 : map.strides.size();
  if (map.hasArgumentStrides &&
      (!map.strides.empty() || map.offset != SizeExpression(0)))
    return badInput("a tensor map has the strides of an argument, and so needs "
                    "none of its own and no offset");
  if (numStrides != rank - 1 || map.box.size() != rank ||
      map.elementStrides.size() != rank)
    return badInput("a tensor map of " + std::to_string(rank) +
                    " dimensions has " + std::to_string(map.strides.size()) +
                    " strides, " + std::to_string(map.box.size()) +
                    " box sizes and " +
                    std::to_string(map.elementStrides.size()) +
                    " element strides, but needs one stride less and as many "
                    "of the others");
  for (size_t dim = 0; dim < rank; ++dim) {
    if (map.box[dim] < 1 || map.box[dim] > 256)
      return badInput("a tensor map has the box size " +
                      std::to_string(map.box[dim]) + inDimension(dim) +
                      ", but 1 to 256 is needed");
    if (map.elementStrides[dim] < 1 || map.elementStrides[dim] > 8)
      return badInput("a tensor map has the element stride " +
                      std::to_string(map.elementStrides[dim]) +
                      inDimension(dim) + ", but 1 to 8 is needed");
  }
  size_t innerBytes = map.box[0] * byteSize(map.type);
  if (!isInterleaved && innerBytes % 16 != 0)
    return badInput("a tensor map has rows of " + std::to_string(innerBytes) +
                    " bytes in its box, but a multiple of 16 is needed");
  if (!isInterleaved && map.swizzle != TensorMapSwizzle::None) {
    size_t span = size_t(16) << static_cast<size_t>(map.swizzle);
    if (innerBytes > span)
      return badInput("a tensor map has rows of " + std::to_string(innerBytes) +
                      " bytes in its box, but at most " + std::to_string(span) +
                      " can be swizzled");
  }
  if (map.interleave == TensorMapInterleave::Bytes32 &&
      map.swizzle != TensorMapSwizzle::Bytes32)
    return badInput("a tensor map is interleaved by 32 bytes, but is not "
                    "swizzled by 32 bytes, as that needs");
  if (map.fill == TensorMapFill::NaN && !holdsFloats(map.type))
    return badInput("a tensor map of " + std::string(typeName(map.type)) +
                    " fills in NaN, but a float is needed for that");
  return Status::success();
}

Result<BoundTensorMap> fuse::bindTensorMap(const TensorMap &map,
                                           const SizeBindings &bindings,
                                           uint64_t bufferBytes) {
  if (Status status = checkTensorMap(map); !status)
    return status.takeError();
  BoundTensorMap bound;
  bound.buffer = map.buffer;
  bound.type = map.type;
  bound.rank = static_cast<uint32_t>(map.sizes.size());
  bound.interleave = map.interleave;
  bound.swizzle = map.swizzle;
  bound.promotion = map.promotion;
  bound.fill = map.fill;
  bound.hasArgumentStrides = map.hasArgumentStrides;
  std::copy(map.box.begin(), map.box.end(), bound.box);
  std::copy(map.elementStrides.begin(), map.elementStrides.end(),
            bound.elementStrides);

  Result<int64_t> offset = map.offset.evaluate(bindings);
  if (!offset)
    return offset.takeError();
  uint32_t alignment = addressAlignment(map.interleave);
  if (*offset < 0 || *offset % alignment != 0)
    return badInput("a tensor map starts at byte " + std::to_string(*offset) +
                    ", but a multiple of " + std::to_string(alignment) +
                    " is needed");
  bound.offset = static_cast<uint64_t>(*offset);

  uint64_t last = bound.offset + byteSize(map.type) - 1;
  for (uint32_t dim = 0; dim < bound.rank; ++dim) {
    Result<int64_t> size = map.sizes[dim].evaluate(bindings);
    if (!size)
      return size.takeError();
    if (*size < 1 || *size > int64_t(1) << 32)
      return badInput("a tensor map has the size " + std::to_string(*size) +
                      inDimension(dim) + ", but 1 to 2^32 is needed");
    uint64_t stride = byteSize(map.type);
    if (dim > 0 && !map.hasArgumentStrides) {
      Result<int64_t> value = map.strides[dim - 1].evaluate(bindings);
      if (!value)
        return value.takeError();
      if (*value < 0 || *value >= int64_t(1) << 40 || *value % alignment != 0)
        return badInput("a tensor map has a stride of " +
                        std::to_string(*value) + " bytes" + inDimension(dim) +
                        ", but a multiple of " + std::to_string(alignment) +
                        " below 2^40 is needed");
      stride = static_cast<uint64_t>(*value);
      bound.strides[dim - 1] = stride;
    }
    bound.sizes[dim] = static_cast<uint64_t>(*size);
    // How far an argument reaches is checked with the argument.
    if (map.hasArgumentStrides)
      continue;
    uint64_t reach = 0;
    if (__builtin_mul_overflow(bound.sizes[dim] - 1, stride, &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return badInput("a tensor map reaches further than 64 bits count");
  }
  if (last >= bufferBytes)
    return badInput("a tensor map reaches to byte " + std::to_string(last) +
                    ", but its buffer has " + std::to_string(bufferBytes) +
                    " bytes");
  return bound;
}
