//===- Oracle.h - what the workloads compute, in plain loops --*- C++ -*-===//
//
// Every workload is a function from named inputs to outputs, written from its
// formula with loops over numbers. Nothing here knows how the compiler lowers
// anything, and nothing is shared with it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_ORACLE_ORACLE_H
#define FUSE_TEST_ORACLE_ORACLE_H

#include "Tensor.h"
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string_view>

namespace oracle {

/// A size that the first input to have it decides, and all others must share.
struct Extent {
  int64_t size = -1;
  operator int64_t() const { return size; }
};

/// The arrays in a directory, by name, and the constants of the graph.
class Inputs {
public:
  Inputs(std::filesystem::path directory,
         std::map<std::string, int64_t, std::less<>> constants)
      : directory(std::move(directory)), constants(std::move(constants)) {}

  /// Reads `name`, which has one size for each of `extents`.
  Tensor read(const std::string &name,
              std::initializer_list<Extent *> extents) const;

  /// A number that is written in the graph and in no array: that of the shipped
  /// example, unless a smaller version of it has another.
  int64_t constant(std::string_view name, int64_t shipped) const;

private:
  std::filesystem::path directory;
  std::map<std::string, int64_t, std::less<>> constants;
};

using Outputs = std::vector<Tensor>;

struct Workload {
  std::string_view id;
  Outputs (*compute)(const Inputs &);
};

std::span<const Workload> pointwiseWorkloads();
std::span<const Workload> rowWorkloads();
std::span<const Workload> linearWorkloads();
std::span<const Workload> attentionWorkloads();
std::span<const Workload> modelWorkloads();

//===----------------------------------------------------------------------===//
// What several workloads are made of
//===----------------------------------------------------------------------===//

/// x[M,K] @ w[K,N], plus b[N] if it is given, accumulated in f32. `precision`
/// is what the factors are rounded to; f64 holds everything as it is.
Tensor linear(const Tensor &x, const Tensor &w, const Tensor *b = nullptr,
              Format precision = Format::F64);

/// Every element through `f`.
Tensor map(Tensor x, Number (*f)(Number));
/// Every element rounded to `format`, which becomes the tensor's.
Tensor cast(Tensor x, Format format);

/// (x - mean) / sqrt(variance + eps) * gamma + beta along the rows of x[M,N],
/// in f32.
Tensor layerNorm(const Tensor &x, const Tensor &gamma, const Tensor &beta,
                 double eps);

/// exp(row - max) / sum where `keep` says so, exactly 0 elsewhere. What is not
/// kept takes no part, whatever it is.
void softmax(std::span<Number> row, const std::function<bool(int64_t)> &keep);

/// Whether token `i` of head `h` attends to token `j`.
using Mask = std::function<bool(int64_t h, int64_t i, int64_t j)>;
/// What happens to a score behind its scaling.
using Adjust = std::function<Number(int64_t h, int64_t i, int64_t j, Number)>;

/// softmax(adjust(q @ k^T / sqrt(D)) where keep) @ v for q[H,S,D] and
/// k[H,T,D], v[H,T,D]. Probabilities and result are rounded to q's format.
Tensor attend(const Tensor &q, const Tensor &k, const Tensor &v,
              const Mask &keep, const Adjust &adjust);

bool keepAll(int64_t h, int64_t i, int64_t j);
bool keepCausal(int64_t h, int64_t i, int64_t j);
Number asItIs(int64_t h, int64_t i, int64_t j, Number score);

} // namespace oracle

#endif // FUSE_TEST_ORACLE_ORACLE_H
