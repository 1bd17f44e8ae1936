//===- TileOps.cpp - from tile to tile ------------------------------------===//
//
// Plain loops; the inner one is over elements that lie side by side.
//
//===----------------------------------------------------------------------===//

#include "TileOps.h"
#include <bit>
#include <cmath>

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

int64_t simulate::rowLength(ArrayRef<int64_t> shape) {
  return shape.empty() ? 1 : shape.back();
}

void simulate::forEachRow(
    ArrayRef<int64_t> shape,
    llvm::function_ref<void(ArrayRef<int64_t>, size_t)> function) {
  ArrayRef<int64_t> outer = shape.empty() ? shape : shape.drop_back();
  SmallVector<int64_t, 4> indices(outer.size());
  size_t start = 0, length = rowLength(shape);
  while (true) {
    function(indices, start);
    start += length;
    size_t axis = outer.size();
    while (axis > 0 && ++indices[axis - 1] == outer[axis - 1])
      indices[--axis] = 0;
    if (axis == 0)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

ArrayPtr simulate::evaluateConstant(const ArrayType &type, TypedAttr value) {
  auto array = std::make_shared<Array>(type);
  auto numberOf = [](Attribute element) {
    if (auto number = dyn_cast<FloatAttr>(element))
      return number.getValueAsDouble();
    return 0.0;
  };
  auto fill = [&](Attribute element, size_t begin, size_t end) {
    array->visit([&](auto *elements) {
      using T = std::remove_pointer_t<decltype(elements)>;
      T number;
      if constexpr (std::is_integral_v<T>)
        number = cast<IntegerAttr>(element).getInt();
      else
        number = numberOf(element);
      std::fill(elements + begin, elements + end, number);
    });
  };
  if (isa<FloatAttr, IntegerAttr>(value)) {
    fill(value, 0, 1);
  } else if (array->size() != 0) {
    auto elements = dyn_cast<DenseElementsAttr>(value);
    if (!elements)
      return nullptr;
    if (elements.isSplat())
      fill(elements.getSplatValue<Attribute>(), 0, array->size());
    else
      for (auto [i, element] : llvm::enumerate(elements.getValues<Attribute>()))
        fill(element, i, i + 1);
  }
  array->normalise();
  return array;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

float simulate::roundToTf32(float value) {
  if (!std::isfinite(value))
    return value;
  auto bits = std::bit_cast<uint32_t>(value);
  bits += 0xfff + ((bits >> 13) & 1);
  return std::bit_cast<float>(bits & 0xffffe000);
}

static int64_t sizeOf(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

uint64_t simulate::addProduct(const Product &product, const Array &lhs,
                              const Array &rhs, Array &sum) {
  ArrayRef<int64_t> left = lhs.shape(), right = rhs.shape();
  int64_t batches = sizeOf(left.take_front(product.batch));
  int64_t rows =
      sizeOf(left.drop_front(product.batch).drop_back(product.contract));
  int64_t depth = sizeOf(left.take_back(product.contract));
  int64_t columns = sizeOf(right.drop_front(product.batch + product.contract));
  bool isRounded = product.precision == tile::Precision::Tf32 &&
                   lhs.type() == ElementType::F32;

  auto multiply = [&](const auto *a, const auto *b, auto *c) {
    using Sum = std::remove_pointer_t<decltype(c)>;
    for (int64_t batch = 0; batch < batches; ++batch) {
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t k = 0; k < depth; ++k) {
          auto factor = static_cast<Sum>(a[row * depth + k]);
          const auto *from = b + k * columns;
          Sum *to = c + row * columns;
          for (int64_t column = 0; column < columns; ++column)
            if constexpr (std::is_integral_v<Sum>)
              // Wraps, which only unsigned numbers may.
              to[column] =
                  static_cast<Sum>(static_cast<uint64_t>(to[column]) +
                                   static_cast<uint64_t>(factor) *
                                       static_cast<uint64_t>(from[column]));
            else
              to[column] += factor * static_cast<Sum>(from[column]);
        }
      a += rows * depth;
      b += depth * columns;
      c += rows * columns;
    }
  };
  auto rounded = [&](const Array &array) {
    std::vector<float> numbers(array.get<float>(),
                               array.get<float>() + array.size());
    for (float &number : numbers)
      number = roundToTf32(number);
    return numbers;
  };
  if (isRounded) {
    std::vector<float> a = rounded(lhs), b = rounded(rhs);
    if (double *c = sum.getIf<double>())
      multiply(a.data(), b.data(), c);
    else
      multiply(a.data(), b.data(), sum.get<float>());
  } else if (const float *a = lhs.getIf<float>()) {
    if (double *c = sum.getIf<double>())
      multiply(a, rhs.get<float>(), c);
    else
      multiply(a, rhs.get<float>(), sum.get<float>());
  } else if (const double *a = lhs.getIf<double>()) {
    multiply(a, rhs.get<double>(), sum.get<double>());
  } else {
    multiply(lhs.get<int64_t>(), rhs.get<int64_t>(), sum.get<int64_t>());
  }
  sum.normalise();
  return static_cast<uint64_t>(batches) * rows * depth * columns;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename T> static T combine(tile::CombineKind kind, T a, T b) {
  constexpr bool isFloat = std::is_floating_point_v<T>;
  switch (kind) {
  case tile::CombineKind::Sum:
    if constexpr (isFloat)
      return a + b;
    else
      return static_cast<uint64_t>(a) + static_cast<uint64_t>(b);
  case tile::CombineKind::Prod:
    if constexpr (isFloat)
      return a * b;
    else
      return static_cast<uint64_t>(a) * static_cast<uint64_t>(b);
  case tile::CombineKind::Max:
    if constexpr (isFloat)
      if (std::isnan(a) || std::isnan(b) || (a == 0 && b == 0))
        return a != a ? a : b != b ? b : std::signbit(a) ? b : a;
    return std::max(a, b);
  case tile::CombineKind::Min:
    if constexpr (isFloat)
      if (std::isnan(a) || std::isnan(b) || (a == 0 && b == 0))
        return a != a ? a : b != b ? b : std::signbit(a) ? a : b;
    return std::min(a, b);
  }
  llvm_unreachable("every kind is handled above");
}

void simulate::reduce(tile::CombineKind kind, ArrayRef<int64_t> dims,
                      const Array &source, Array &result) {
  // How far each axis of the source moves in the result.
  SmallVector<int64_t, 4> strides = stridesOf(result.shape()), steps;
  unsigned next = 0;
  for (int64_t axis = 0, rank = source.shape().size(); axis < rank; ++axis)
    steps.push_back(llvm::is_contained(dims, axis) ? 0 : strides[next++]);
  int64_t length = rowLength(source.shape());
  int64_t step = steps.empty() ? 0 : steps.back();

  std::vector<bool> isBegun(result.size());
  result.visit([&](auto *to) {
    using T = std::remove_pointer_t<decltype(to)>;
    const T *from = source.get<T>();
    forEachRow(source.shape(), [&](ArrayRef<int64_t> indices, size_t start) {
      int64_t at = 0;
      for (auto [index, axisStep] : llvm::zip(indices, steps))
        at += index * axisStep;
      for (int64_t i = 0; i < length; ++i) {
        T &element = to[at + i * step];
        T other = from[start + i];
        element =
            isBegun[at + i * step] ? combine(kind, element, other) : other;
        isBegun[at + i * step] = true;
      }
    });
  });
  result.normalise();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

void simulate::pick(const Array &source, ArrayRef<int64_t> strides,
                    Array &result, int64_t first) {
  int64_t length = rowLength(result.shape());
  int64_t step = strides.empty() ? 0 : strides.back();
  result.visit([&](auto *to) {
    using T = std::remove_pointer_t<decltype(to)>;
    const T *elements = source.get<T>();
    forEachRow(result.shape(), [&](ArrayRef<int64_t> indices, size_t start) {
      const T *from = elements + first;
      for (auto [index, stride] : llvm::zip(indices, strides))
        from += index * stride;
      for (int64_t i = 0; i < length; ++i)
        to[start + i] = from[i * step];
    });
  });
}

void simulate::broadcast(ArrayRef<int64_t> dims, const Array &source,
                         Array &result) {
  SmallVector<int64_t, 4> own = stridesOf(source.shape());
  SmallVector<int64_t, 4> strides(result.shape().size());
  for (auto [axis, dim] : llvm::enumerate(dims))
    strides[dim] = own[axis];
  pick(source, strides, result);
}

void simulate::transpose(ArrayRef<int64_t> permutation, const Array &source,
                         Array &result) {
  SmallVector<int64_t, 4> own = stridesOf(source.shape()), strides;
  for (int64_t axis : permutation)
    strides.push_back(own[axis]);
  pick(source, strides, result);
}

void simulate::iota(tile::IotaOp op, int64_t base, Array &result) {
  ArrayRef<int64_t> coefficients = op.getCoefficients();
  int64_t length = rowLength(result.shape());
  int64_t step = coefficients.empty() ? 0 : coefficients.back();
  result.visit([&](auto *to) {
    forEachRow(result.shape(), [&](ArrayRef<int64_t> indices, size_t start) {
      int64_t number = base;
      for (auto [index, coefficient] : llvm::zip(indices, coefficients))
        number += index * coefficient;
      for (int64_t i = 0; i < length; ++i)
        to[start + i] = number + i * step;
    });
  });
  result.normalise();
}

void simulate::mask(tile::MaskOp op, const Array &source,
                    ArrayRef<int64_t> starts, ArrayRef<int64_t> limits,
                    Array &result) {
  ArrayRef<int64_t> axes = op.getAxes();
  int64_t last = static_cast<int64_t>(source.shape().size()) - 1;
  int64_t length = rowLength(source.shape());
  result.visit([&](auto *to) {
    using T = std::remove_pointer_t<decltype(to)>;
    const T *from = source.get<T>();
    T otherwise;
    if (auto number = dyn_cast<FloatAttr>(op.getOtherwise()))
      otherwise = static_cast<T>(number.getValueAsDouble());
    else
      otherwise = static_cast<T>(cast<IntegerAttr>(op.getOtherwise()).getInt());
    forEachRow(source.shape(), [&](ArrayRef<int64_t> indices, size_t start) {
      int64_t kept = length;
      for (auto [axis, limit] : llvm::zip_equal(axes, limits))
        if (axis == last)
          kept = std::clamp<int64_t>(limit, 0, kept);
        else if (indices[axis] >= limit)
          kept = 0;
      int64_t first = 0;
      for (auto [begin, axis] : llvm::zip_first(starts, axes))
        if (axis == last)
          first = begin;
        else if (indices[axis] < begin)
          kept = 0;
      for (int64_t i = 0; i < length; ++i)
        to[start + i] = i >= first && i < kept ? from[start + i] : otherwise;
    });
  });
  result.normalise();
}
