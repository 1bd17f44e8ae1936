//===- Pointwise.cpp - P1 to P3b ------------------------------------------===//

#include "Oracle.h"

using namespace oracle;

Tensor oracle::map(Tensor x, Number (*f)(Number)) {
  for (Number &element : x.elements)
    element = f(element);
  return x;
}

Tensor oracle::cast(Tensor x, Format format) {
  for (Number &element : x.elements)
    element = cast(element, format);
  x.format = format;
  return x;
}

/// relu(x + b)
static Outputs biasRelu(const Inputs &inputs) {
  Extent rows, columns;
  Tensor x = inputs.read("x", {&rows, &columns});
  Tensor b = inputs.read("b", {&columns});
  Tensor y({rows, columns}, Format::F32);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      y.at(i, j) = relu(x.at(i, j) + b.at(j));
  return {y};
}

/// activation(x + 0.5 y + b)
template <Number (*activation)(Number)>
static Outputs loraEpilogue(const Inputs &inputs) {
  Extent rows, columns;
  Tensor x = inputs.read("x", {&rows, &columns});
  Tensor y = inputs.read("y", {&rows, &columns});
  Tensor b = inputs.read("b", {&columns});
  Tensor z({rows, columns}, Format::F32);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      z.at(i, j) = activation(x.at(i, j) + 0.5 * y.at(i, j) + b.at(j));
  return {z};
}

std::span<const Workload> oracle::pointwiseWorkloads() {
  static const Workload workloads[] = {
      {"P1", biasRelu},
      {"P2", biasRelu},
      {"P3", loraEpilogue<relu>},
      {"P3b", loraEpilogue<sigmoid>},
  };
  return workloads;
}
