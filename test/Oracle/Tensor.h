//===- Tensor.h - arrays of numbers, and their files ----------*- C++ -*-===//
//
// A dense row-major array, and how it is read from a .npy file.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_ORACLE_TENSOR_H
#define FUSE_TEST_ORACLE_TENSOR_H

#include "Number.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace oracle {

/// An input that nobody can compute with: a missing file, a shape that does
/// not fit the others, an unknown id.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Shape = std::vector<int64_t>;

std::string toString(const Shape &shape);
const char *toString(Format format);

struct Tensor {
  Shape shape;
  Format format = Format::F32;
  std::vector<Number> elements;

  Tensor() = default;
  Tensor(Shape shape, Format format);

  template <typename... Index> Number &at(Index... index) {
    return elements[offset(std::array<int64_t, sizeof...(index)>{index...})];
  }
  template <typename... Index> const Number &at(Index... index) const {
    return elements[offset(std::array<int64_t, sizeof...(index)>{index...})];
  }

  /// The same elements in another shape of the same size.
  Tensor reshaped(Shape newShape) const;

private:
  template <std::size_t Rank>
  int64_t offset(const std::array<int64_t, Rank> &index) const {
    if (Rank != shape.size())
      throw std::logic_error("an index of another rank than the tensor's");
    int64_t result = 0;
    for (std::size_t dim = 0; dim < Rank; ++dim)
      result = result * shape[dim] + index[dim];
    return result;
  }
};

/// Reads an array of floats, booleans or integers. NumPy has no name for f8
/// and bf16: `V1` is taken as f8E4M3FN and `V2` as bf16.
Tensor readNpy(const std::filesystem::path &path);

} // namespace oracle

#endif // FUSE_TEST_ORACLE_TENSOR_H
