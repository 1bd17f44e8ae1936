//===- Tensor.cpp - arrays of numbers, and their files --------------------===//
//
// See https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// for the format of the files. The machine is taken to be little-endian.
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

using namespace oracle;

static int64_t countOf(const Shape &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string oracle::toString(const Shape &shape) {
  std::string text = "[";
  for (int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

const char *oracle::toString(Format format) {
  switch (format) {
  case Format::F8E4M3FN:
    return "f8E4M3FN";
  case Format::BF16:
    return "bf16";
  case Format::F16:
    return "f16";
  case Format::TF32:
    return "tf32";
  case Format::TF32x3:
    return "tf32x3";
  case Format::F32:
    return "f32";
  case Format::F64:
    return "f64";
  case Format::Integer:
    return "integer";
  }
  return "unknown";
}

Tensor::Tensor(Shape shape, Format format)
    : shape(std::move(shape)), format(format), elements(countOf(this->shape)) {}

Tensor Tensor::reshaped(Shape newShape) const {
  if (countOf(newShape) != countOf(shape))
    throw std::logic_error("reshaped to another number of elements");
  Tensor result = *this;
  result.shape = std::move(newShape);
  return result;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The value of a float of `exponentBits` and `mantissaBits`, from its bits.
static double decode(unsigned bits, int exponentBits, int mantissaBits,
                     bool hasInfinity) {
  int exponentMask = (1 << exponentBits) - 1;
  int exponent = bits >> mantissaBits & exponentMask;
  int mantissa = bits & ((1 << mantissaBits) - 1);
  int bias = exponentMask >> 1;
  double magnitude;
  if (exponent == exponentMask && hasInfinity)
    magnitude = mantissa ? NAN : INFINITY;
  else if (exponent == exponentMask && mantissa == (1 << mantissaBits) - 1)
    magnitude = NAN;
  else if (exponent == 0)
    magnitude = std::ldexp(mantissa, 1 - bias - mantissaBits);
  else
    magnitude = std::ldexp(mantissa + (1 << mantissaBits),
                           exponent - bias - mantissaBits);
  return bits >> (exponentBits + mantissaBits) ? -magnitude : magnitude;
}

template <typename T> static T load(const char *data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

namespace {
struct ElementType {
  std::string_view descr;
  Format format;
  size_t size;
  double (*read)(const char *);
};
} // namespace

template <typename T>
static constexpr ElementType nativeType(std::string_view descr, Format format) {
  return {descr, format, sizeof(T),
          [](const char *data) { return double(load<T>(data)); }};
}

static const ElementType elementTypes[] = {
    {"|V1", Format::F8E4M3FN, 1,
     [](const char *data) { return decode(load<uint8_t>(data), 4, 3, false); }},
    {"|V2", Format::BF16, 2,
     [](const char *data) { return decode(load<uint16_t>(data), 8, 7, true); }},
    {"<f2", Format::F16, 2,
     [](const char *data) {
       return decode(load<uint16_t>(data), 5, 10, true);
     }},
    nativeType<float>("<f4", Format::F32),
    nativeType<double>("<f8", Format::F64),
    nativeType<uint8_t>("|b1", Format::Integer),
    nativeType<int8_t>("|i1", Format::Integer),
    nativeType<int16_t>("<i2", Format::Integer),
    nativeType<int32_t>("<i4", Format::Integer),
    nativeType<int64_t>("<i8", Format::Integer),
};

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// What stands behind `'key':` in the header, up to the next comma that is not
/// in parentheses.
static std::string_view fieldOf(std::string_view header, std::string_view key) {
  size_t begin = header.find(key);
  if (begin == std::string_view::npos)
    return {};
  begin = header.find(':', begin) + 1;
  begin = std::min(header.find_first_not_of(" '\"", begin), header.size());
  size_t end = header[begin] == '(' ? header.find(')', begin)
                                    : header.find_first_of("'\",}", begin);
  return header.substr(begin, end - begin);
}

Tensor oracle::readNpy(const std::filesystem::path &path) {
  auto fail = [&](const std::string &what) -> BadInput {
    return BadInput(path.string() + ": " + what);
  };
  static_assert(std::endian::native == std::endian::little);
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw fail("cannot be opened");
  std::string content{std::istreambuf_iterator<char>(file), {}};

  // Magic, version, length of the header, header, data.
  if (content.size() < 12 || content.compare(0, 6, "\x93NUMPY") != 0)
    throw fail("is not a .npy file");
  bool isLong = content[6] >= 2;
  size_t headerBegin = isLong ? 12 : 10;
  size_t headerSize = isLong ? load<uint32_t>(content.data() + 8)
                             : load<uint16_t>(content.data() + 8);
  if (content.size() < headerBegin + headerSize)
    throw fail("ends within its header");
  std::string_view header(content.data() + headerBegin, headerSize);

  if (fieldOf(header, "fortran_order") != "False")
    throw fail("is not in row-major order");
  std::string_view descr = fieldOf(header, "descr");
  // For the types that NumPy has no name for, writers differ in the byte order
  // that they state; all of them mean the machine's.
  std::string kind(descr);
  if (kind.starts_with("<V"))
    kind[0] = '|';
  const ElementType *type = std::find_if(
      std::begin(elementTypes), std::end(elementTypes),
      [&](const ElementType &candidate) { return candidate.descr == kind; });
  if (type == std::end(elementTypes))
    throw fail("has elements of the unknown type '" + std::string(descr) + "'");

  Shape shape;
  std::string_view sizes = fieldOf(header, "shape");
  for (size_t at = 0;;) {
    at = sizes.find_first_of("0123456789", at);
    if (at == std::string_view::npos)
      break;
    size_t end =
        std::min(sizes.find_first_not_of("0123456789", at), sizes.size());
    shape.push_back(std::stoll(std::string(sizes.substr(at, end - at))));
    at = end;
  }

  Tensor result(shape, type->format);
  const char *data = content.data() + headerBegin + headerSize;
  size_t bytes = content.size() - headerBegin - headerSize;
  if (bytes != result.elements.size() * type->size)
    throw fail("has " + std::to_string(bytes) +
               " bytes of data, but its shape " + toString(shape) + " needs " +
               std::to_string(result.elements.size() * type->size));
  for (Number &element : result.elements) {
    element.value = type->read(data);
    data += type->size;
  }
  return result;
}
