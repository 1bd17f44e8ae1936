//===- Array.cpp - tiles and scalars as numbers ---------------------------===//
//
// Rounding, and the way between arrays and memory.
//
//===----------------------------------------------------------------------===//

#include "Array.h"
#include "llvm/Support/raw_ostream.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

std::optional<ArrayType> ArrayType::of(Type type) {
  ArrayType result;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    llvm::append_range(result.shape, tensor.getShape());
    type = tensor.getElementType();
  }
  std::string name;
  llvm::raw_string_ostream(name) << type;
  for (ElementType element :
       {ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I32,
        ElementType::I64, ElementType::Index, ElementType::F8E4M3FN,
        ElementType::BF16, ElementType::F16, ElementType::F32,
        ElementType::F64})
    if (name == typeName(element)) {
      result.element = element;
      return result;
    }
  return std::nullopt;
}

size_t ArrayType::numElements() const {
  size_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

Array::Array(const ArrayType &type)
    : arrayType(type), count(type.numElements()) {
  if (isInteger(type.element))
    data.emplace<std::vector<int64_t>>(count);
  else if (type.element == ElementType::F64)
    data.emplace<std::vector<double>>(count);
  else
    data.emplace<std::vector<float>>(count);
}

unsigned simulate::integerBits(ElementType type) {
  return type == ElementType::I1 ? 1 : 8 * byteSize(type);
}

SmallVector<int64_t, 4> simulate::stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// The upper half of an f32, to nearest even.
static float roundToBF16(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  // A NaN must not lose what makes it one.
  bits += std::isnan(value) ? 0 : 0x7fff + ((bits >> 16) & 1);
  bits |= std::isnan(value) ? 0x400000 : 0;
  return std::bit_cast<float>(bits & 0xffff0000);
}

static float roundToF16(float value) {
  float magnitude = std::fabs(value);
  if (!(magnitude < 65520.0f)) // also NaN
    return std::isnan(value)
               ? value
               : std::copysign(std::numeric_limits<float>::infinity(), value);
  if (magnitude <
      0x1p-14f) // where numbers are 2^-24 apart, as they are at 0.75
    return std::copysign((magnitude + 0.75f) - 0.75f, value);
  auto bits = std::bit_cast<uint32_t>(value);
  bits += 0xfff + ((bits >> 13) & 1);
  return std::bit_cast<float>(bits & 0xffffe000);
}

static float roundToF8(float value) {
  uint8_t bits;
  storeDouble(ElementType::F8E4M3FN, &bits, 0, value);
  return loadAsDouble(ElementType::F8E4M3FN, &bits, 0);
}

void Array::normalise() {
  auto each = [&](auto *elements, auto round) {
    for (size_t i = 0; i < count; ++i)
      elements[i] = round(elements[i]);
  };
  switch (type()) {
  case ElementType::F8E4M3FN:
    return each(get<float>(), roundToF8);
  case ElementType::BF16:
    return each(get<float>(), roundToBF16);
  case ElementType::F16:
    return each(get<float>(), roundToF16);
  case ElementType::I1:
    return each(get<int64_t>(), [](int64_t x) { return x & 1; });
  case ElementType::I8:
    return each(get<int64_t>(), [](int64_t x) -> int64_t { return int8_t(x); });
  case ElementType::I16:
    return each(get<int64_t>(),
                [](int64_t x) -> int64_t { return int16_t(x); });
  case ElementType::I32:
    return each(get<int64_t>(),
                [](int64_t x) -> int64_t { return int32_t(x); });
  case ElementType::F32:
  case ElementType::F64:
  case ElementType::I64:
  case ElementType::Index:
    return;
  }
}

void Array::spoil() {
  visit([&](auto *elements) {
    using T = std::remove_pointer_t<decltype(elements)>;
    T rubbish = std::is_integral_v<T> ? static_cast<T>(0x6bababababababab)
                                      : std::numeric_limits<T>::quiet_NaN();
    std::fill(elements, elements + count, rubbish);
  });
  normalise();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static const float *f16Numbers() {
  static const std::vector<float> table = [] {
    std::vector<float> numbers(1 << 16);
    for (uint32_t i = 0; i < numbers.size(); ++i) {
      auto bits = static_cast<uint16_t>(i);
      numbers[i] = loadAsDouble(ElementType::F16, &bits, 0);
    }
    return numbers;
  }();
  return table.data();
}

void simulate::loadRun(Array &to, size_t at, const void *memory, int64_t offset,
                       int64_t step, int64_t count) {
  auto copy = [&](auto *target, const auto *source, auto convert) {
    target += at;
    source += offset;
    for (int64_t i = 0; i < count; ++i)
      target[i] = convert(source[i * step]);
  };
  auto same = [](auto x) { return x; };
  auto asInt = [&]<typename T>(T) {
    copy(to.get<int64_t>(), static_cast<const T *>(memory), same);
  };
  switch (to.type()) {
  case ElementType::F32:
    return copy(to.get<float>(), static_cast<const float *>(memory), same);
  case ElementType::F64:
    return copy(to.get<double>(), static_cast<const double *>(memory), same);
  case ElementType::BF16:
    return copy(
        to.get<float>(), static_cast<const uint16_t *>(memory),
        [](uint16_t x) { return std::bit_cast<float>(uint32_t(x) << 16); });
  case ElementType::F16: {
    const float *numbers = f16Numbers();
    return copy(to.get<float>(), static_cast<const uint16_t *>(memory),
                [&](uint16_t x) { return numbers[x]; });
  }
  case ElementType::F8E4M3FN:
    return copy(
        to.get<float>(), static_cast<const uint8_t *>(memory),
        [](uint8_t x) { return loadAsDouble(ElementType::F8E4M3FN, &x, 0); });
  case ElementType::I1:
    return copy(to.get<int64_t>(), static_cast<const uint8_t *>(memory),
                [](uint8_t x) { return x != 0; });
  case ElementType::I8:
    return asInt(int8_t());
  case ElementType::I16:
    return asInt(int16_t());
  case ElementType::I32:
    return asInt(int32_t());
  case ElementType::I64:
  case ElementType::Index:
    return asInt(int64_t());
  }
}

void simulate::storeRun(const Array &from, size_t at, void *memory,
                        int64_t offset, int64_t step, int64_t count) {
  auto copy = [&](const auto *source, auto *target, auto convert) {
    source += at;
    target += offset;
    for (int64_t i = 0; i < count; ++i)
      target[i * step] = convert(source[i]);
  };
  auto same = [](auto x) { return x; };
  auto asInt = [&]<typename T>(T) {
    copy(from.get<int64_t>(), static_cast<T *>(memory), same);
  };
  switch (from.type()) {
  case ElementType::F32:
    return copy(from.get<float>(), static_cast<float *>(memory), same);
  case ElementType::F64:
    return copy(from.get<double>(), static_cast<double *>(memory), same);
  case ElementType::BF16:
    return copy(from.get<float>(), static_cast<uint16_t *>(memory),
                [](float x) { return std::bit_cast<uint32_t>(x) >> 16; });
  case ElementType::F16:
  case ElementType::F8E4M3FN:
    for (int64_t i = 0; i < count; ++i)
      storeDouble(from.type(), memory, offset + i * step,
                  from.get<float>()[at + i]);
    return;
  case ElementType::I1:
  case ElementType::I8:
    return asInt(int8_t());
  case ElementType::I16:
    return asInt(int16_t());
  case ElementType::I32:
    return asInt(int32_t());
  case ElementType::I64:
  case ElementType::Index:
    return asInt(int64_t());
  }
}
