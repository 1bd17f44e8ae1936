//===- Rows.cpp - R1 to R4 ------------------------------------------------===//

#include "Oracle.h"

using namespace oracle;

void oracle::softmax(std::span<Number> row,
                     const std::function<bool(int64_t)> &keep) {
  int64_t size = row.size();
  Number largest(-INFINITY);
  for (int64_t j = 0; j < size; ++j)
    if (keep(j))
      largest = max(largest, row[j]);

  // A row of nothing, or of nothing but -inf, is zero.
  bool isEmpty = largest.value == -INFINITY;
  Number sum;
  for (int64_t j = 0; j < size; ++j) {
    if (isEmpty || !keep(j)) {
      row[j] = {};
      continue;
    }
    // exp(x - max), but x/ln(2) and max/ln(2) may be rounded before they are
    // subtracted: that is how it is computed with a multiply-add.
    Number scaled = row[j] * std::numbers::log2e;
    Number scaledLargest = largest * std::numbers::log2e;
    row[j] = exp((scaled - scaledLargest) * std::numbers::ln2);
    sum += row[j];
  }
  for (int64_t j = 0; j < size; ++j)
    if (!isEmpty && keep(j))
      row[j] = row[j] / sum;
}

Tensor oracle::layerNorm(const Tensor &x, const Tensor &gamma,
                         const Tensor &beta, double eps) {
  int64_t rows = x.shape[0], columns = x.shape[1];
  Tensor y({rows, columns}, Format::F32);
  for (int64_t i = 0; i < rows; ++i) {
    Number sum;
    for (int64_t j = 0; j < columns; ++j)
      sum += x.at(i, j);
    Number mean = sum / Number(columns);
    Number squares;
    for (int64_t j = 0; j < columns; ++j) {
      Number centred = x.at(i, j) - mean;
      squares += centred * centred;
    }
    Number deviation = sqrt(squares / Number(columns) + eps);
    for (int64_t j = 0; j < columns; ++j)
      y.at(i, j) = (x.at(i, j) - mean) / deviation * gamma.at(j) + beta.at(j);
  }
  return y;
}

static Outputs softmaxRows(const Inputs &inputs) {
  Extent rows, columns;
  Tensor x = inputs.read("x", {&rows, &columns});
  Tensor y = x;
  for (int64_t i = 0; i < rows; ++i)
    softmax(std::span(y.elements).subspan(i * columns, columns),
            [](int64_t) { return true; });
  return {cast(y, x.format)};
}

static Outputs layerNormRows(const Inputs &inputs) {
  Extent rows, columns;
  Tensor x = inputs.read("x", {&rows, &columns});
  Tensor gamma = inputs.read("gamma", {&columns});
  Tensor beta = inputs.read("beta", {&columns});
  return {cast(layerNorm(x, gamma, beta, 1e-5), x.format)};
}

/// x / sqrt(mean(x^2) + 1e-6) * gamma
static Outputs rmsNormRows(const Inputs &inputs) {
  Extent rows, columns;
  Tensor x = inputs.read("x", {&rows, &columns});
  Tensor gamma = inputs.read("gamma", {&columns});
  Tensor y({rows, columns}, Format::F32);
  for (int64_t i = 0; i < rows; ++i) {
    Number squares;
    for (int64_t j = 0; j < columns; ++j)
      squares += x.at(i, j) * x.at(i, j);
    Number root = sqrt(squares / Number(columns) + 1e-6);
    for (int64_t j = 0; j < columns; ++j)
      y.at(i, j) = x.at(i, j) / root * gamma.at(j);
  }
  return {cast(y, x.format)};
}

/// softmax where j <= i, j >= p and i >= p
static Outputs maskedSoftmaxRows(const Inputs &inputs) {
  Extent rows, columns;
  Tensor x = inputs.read("x", {&rows, &columns});
  double p = inputs.read("p", {}).at().value;
  Tensor y = x;
  for (int64_t i = 0; i < rows; ++i)
    softmax(std::span(y.elements).subspan(i * columns, columns),
            [=](int64_t j) { return j <= i && j >= p && i >= p; });
  return {cast(y, x.format)};
}

std::span<const Workload> oracle::rowWorkloads() {
  static const Workload workloads[] = {
      {"R1", softmaxRows},    {"R2", softmaxRows},       {"R3", layerNormRows},
      {"R3rms", rmsNormRows}, {"R4", maskedSoftmaxRows},
  };
  return workloads;
}
