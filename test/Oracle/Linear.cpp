//===- Linear.cpp - M1 to M5, L1, L2, G1 to G3, D3, F1 --------------------===//

#include "Oracle.h"

using namespace oracle;

Tensor oracle::linear(const Tensor &x, const Tensor &w, const Tensor *b,
                      Format precision) {
  int64_t rows = x.shape[0], depth = x.shape[1], columns = w.shape[1];
  Tensor y({rows, columns}, Format::F32);
  // Along the rows of w, for the sake of the caches.
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < depth; ++k) {
      Number factor = cast(x.at(i, k), precision);
      for (int64_t j = 0; j < columns; ++j)
        y.at(i, j) += factor * cast(w.at(k, j), precision);
    }
    for (int64_t j = 0; j < columns; ++j)
      if (b)
        y.at(i, j) += b->at(j);
  }
  return y;
}

/// relu(x @ w + b)
template <Format precision> static Outputs linearRelu(const Inputs &inputs) {
  Extent m, k, n;
  Tensor x = inputs.read("x", {&m, &k});
  Tensor w = inputs.read("w", {&k, &n});
  Tensor b = inputs.read("b", {&n});
  return {cast(map(linear(x, w, &b, precision), relu), x.format)};
}

/// relu((x @ w) sx sw + b), rounded to bf16
static Outputs scaledLinearRelu(const Inputs &inputs) {
  Extent m, k, n;
  Tensor x = inputs.read("x", {&m, &k});
  Tensor w = inputs.read("w", {&k, &n});
  Tensor sx = inputs.read("sx", {});
  Tensor sw = inputs.read("sw", {});
  Tensor b = inputs.read("b", {&n});
  Tensor y = linear(x, w);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      y.at(i, j) = relu(y.at(i, j) * (sx.at() * sw.at()) + b.at(j));
  return {cast(y, Format::BF16)};
}

/// gelu(LayerNorm(x) @ w + b), the normalised rows rounded to x's type
static Outputs layerNormLinearGelu(const Inputs &inputs) {
  Extent m, k, n;
  Tensor x = inputs.read("x", {&m, &k});
  Tensor gamma = inputs.read("gamma", {&k});
  Tensor beta = inputs.read("beta", {&k});
  Tensor w = inputs.read("w", {&k, &n});
  Tensor b = inputs.read("b", {&n});
  Tensor normed = cast(layerNorm(x, gamma, beta, 1e-5), x.format);
  return {cast(map(linear(normed, w, &b), geluTanh), x.format)};
}

/// c = x @ w; sigmoid(left half of c) * tanh(right half of c)
template <Format precision> static Outputs splitGate(const Inputs &inputs) {
  Extent m, k, twice;
  Tensor x = inputs.read("x", {&m, &k});
  Tensor w = inputs.read("w", {&k, &twice});
  int64_t n = twice / 2;
  Tensor c = linear(x, w, nullptr, precision);
  Tensor y({m, n}, Format::F32);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      y.at(i, j) = sigmoid(c.at(i, j)) * tanh(c.at(i, n + j));
  return {cast(y, x.format)};
}

/// z = x @ w + b; left half of z * gelu(right half of z)
static Outputs geglu(const Inputs &inputs) {
  Extent m, k, twice;
  Tensor x = inputs.read("x", {&m, &k});
  Tensor w = inputs.read("w", {&k, &twice});
  Tensor b = inputs.read("b", {&twice});
  int64_t n = twice / 2;
  Tensor z = linear(x, w, &b);
  Tensor y({m, n}, Format::F32);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      y.at(i, j) = z.at(i, j) * geluErf(z.at(i, n + j));
  return {cast(y, x.format)};
}

/// relu(x @ w + 0.5 (x @ down) @ up + b), x @ down rounded to x's type
static Outputs loraLinearRelu(const Inputs &inputs) {
  Extent m, k, n, rank;
  Tensor x = inputs.read("x", {&m, &k});
  Tensor w = inputs.read("w", {&k, &n});
  Tensor down = inputs.read("down", {&k, &rank});
  Tensor up = inputs.read("up", {&rank, &n});
  Tensor b = inputs.read("b", {&n});
  Tensor y = linear(x, w);
  Tensor correction = linear(cast(linear(x, down), x.format), up);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      y.at(i, j) = relu(y.at(i, j) + 0.5 * correction.at(i, j) + b.at(j));
  return {cast(y, x.format)};
}

/// relu(x @ w1) @ w2, the hidden layer rounded to x's type
static Outputs mlp(const Inputs &inputs) {
  Extent m, k, hidden, n;
  Tensor x = inputs.read("x", {&m, &k});
  Tensor w1 = inputs.read("w1", {&k, &hidden});
  Tensor w2 = inputs.read("w2", {&hidden, &n});
  Tensor h = cast(map(linear(x, w1), relu), x.format);
  return {cast(linear(h, w2), x.format)};
}

std::span<const Workload> oracle::linearWorkloads() {
  static const Workload workloads[] = {
      {"M1", linearRelu<Format::F64>},
      {"M2", linearRelu<Format::F64>},
      {"M3", linearRelu<Format::F64>},
      {"M4", linearRelu<Format::TF32>},
      {"M4i", linearRelu<Format::F64>},
      {"M4i_tf32x3", linearRelu<Format::TF32x3>},
      {"M5", scaledLinearRelu},
      {"L1", layerNormLinearGelu},
      {"L2", layerNormLinearGelu},
      {"G1", splitGate<Format::TF32>},
      {"G1i", splitGate<Format::F64>},
      {"G2", splitGate<Format::F64>},
      {"G3", geglu},
      {"D3", loraLinearRelu},
      {"F1", mlp},
  };
  return workloads;
}
