//===- Models.cpp - D1, D2, D4, T1 ----------------------------------------===//

#include "Oracle.h"

using namespace oracle;

/// Layers `first` to `last` of a perceptron: relu behind all but the last, and
/// every hidden layer rounded to x's type.
static Tensor perceptron(const Inputs &inputs, Tensor x, Extent width,
                         int first, int last) {
  Format format = x.format;
  for (int layer = first; layer <= last; ++layer) {
    Extent next;
    Tensor w = inputs.read("w" + std::to_string(layer), {&width, &next});
    Tensor b = inputs.read("b" + std::to_string(layer), {&next});
    x = linear(x, w, &b);
    if (layer < last)
      x = cast(map(x, relu), format);
    width = next;
  }
  return x;
}

static Outputs bottomMlp(const Inputs &inputs) {
  Extent batch, width;
  Tensor x = inputs.read("x", {&batch, &width});
  return {cast(perceptron(inputs, x, width, 1, 4), x.format)};
}

static Outputs topMlp(const Inputs &inputs) {
  Extent batch, width;
  Tensor x = inputs.read("x", {&batch, &width});
  return {cast(map(perceptron(inputs, x, width, 1, 2), sigmoid), x.format)};
}

static Outputs dlrm(const Inputs &inputs) {
  constexpr int64_t tables = 26;
  Extent batch, width, embedding, columns{tables};
  Tensor x = inputs.read("x", {&batch, &width});
  Tensor ids = inputs.read("ids", {&batch, &columns});
  Tensor bottom = perceptron(inputs, x, width, 1, 4);
  embedding.size = bottom.shape[1];

  int64_t features = (tables + 1) * embedding;
  Tensor c({batch, features}, Format::F32);
  for (int64_t i = 0; i < batch; ++i)
    for (int64_t e = 0; e < embedding; ++e)
      c.at(i, e) = bottom.at(i, e);
  for (int64_t k = 0; k < tables; ++k) {
    Extent cardinality;
    Tensor table =
        inputs.read("t" + std::to_string(k), {&cardinality, &embedding});
    for (int64_t i = 0; i < batch; ++i) {
      int64_t row = (int64_t(ids.at(i, k).value) + 1) % cardinality.size;
      for (int64_t e = 0; e < embedding; ++e)
        c.at(i, (k + 1) * embedding + e) = table.at(row, e);
    }
  }

  Tensor outer({batch, features * features}, Format::F32);
  for (int64_t i = 0; i < batch; ++i)
    for (int64_t a = 0; a < features; ++a)
      for (int64_t b = 0; b < features; ++b)
        outer.at(i, a * features + b) = c.at(i, a) * c.at(i, b);
  return {map(perceptron(inputs, outer, {features * features}, 5, 6), sigmoid)};
}

/// Element by element, in f32.
static Tensor sum(Tensor a, const Tensor &b) {
  for (size_t i = 0; i < a.elements.size(); ++i)
    a.elements[i] += b.elements[i];
  return a;
}

static Outputs gpt2Block(const Inputs &inputs) {
  int64_t heads = inputs.constant("heads", 12);
  Extent s, n, thirds, wide;
  Tensor x = inputs.read("x", {&s, &n});
  auto vector = [&](const char *name) { return inputs.read(name, {&n}); };
  Tensor wqkv = inputs.read("wqkv", {&n, &thirds});
  Tensor bqkv = inputs.read("bqkv", {&thirds});
  Tensor wo = inputs.read("wo", {&n, &n});
  Tensor w1 = inputs.read("w1", {&n, &wide});
  Tensor b1 = inputs.read("b1", {&wide});
  Tensor w2 = inputs.read("w2", {&wide, &n});
  if (heads < 1 || n % heads != 0 || thirds != 3 * n)
    throw BadInput("a width of " + std::to_string(n) + " in " +
                   std::to_string(heads) + " heads and " +
                   std::to_string(thirds) +
                   " columns of queries, keys and values do not fit");
  Format low = x.format;
  int64_t d = n / heads;

  Tensor n1 = cast(layerNorm(x, vector("g1"), vector("be1"), 1e-5), low);
  Tensor qkv = cast(linear(n1, wqkv, &bqkv), low);
  auto headsOf = [&](int64_t third) {
    Tensor result({heads, s, d}, low);
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t i = 0; i < s; ++i)
        for (int64_t e = 0; e < d; ++e)
          result.at(h, i, e) = qkv.at(i, third * n + h * d + e);
    return result;
  };
  Tensor attended =
      attend(headsOf(0), headsOf(1), headsOf(2), keepCausal, asItIs);
  Tensor o({s, n}, low);
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t i = 0; i < s; ++i)
      for (int64_t e = 0; e < d; ++e)
        o.at(i, h * d + e) = attended.at(h, i, e);
  Tensor bo = vector("bo");
  Tensor h = cast(sum(x, linear(o, wo, &bo)), low);

  Tensor n2 = cast(layerNorm(h, vector("g2"), vector("be2"), 1e-5), low);
  Tensor mid = cast(map(linear(n2, w1, &b1), geluTanh), low);
  Tensor b2 = vector("b2");
  return {cast(sum(h, linear(mid, w2, &b2)), low)};
}

std::span<const Workload> oracle::modelWorkloads() {
  static const Workload workloads[] = {
      {"D1", bottomMlp},      {"D1_f16", bottomMlp}, {"D2", topMlp},
      {"D2_f16", topMlp},     {"D4", dlrm},          {"T1", gpt2Block},
      {"T1_bf16", gpt2Block},
  };
  return workloads;
}
