//===- Attention.cpp - A1 to A5 and the variants --------------------------===//

#include "Oracle.h"

using namespace oracle;

bool oracle::keepAll(int64_t, int64_t, int64_t) { return true; }
bool oracle::keepCausal(int64_t, int64_t i, int64_t j) { return j <= i; }
Number oracle::asItIs(int64_t, int64_t, int64_t, Number score) { return score; }

Tensor oracle::attend(const Tensor &q, const Tensor &k, const Tensor &v,
                      const Mask &keep, const Adjust &adjust) {
  int64_t heads = q.shape[0], queries = q.shape[1], depth = q.shape[2];
  int64_t keys = k.shape[1], width = v.shape[2];
  Number scale = 1 / std::sqrt(double(depth));
  Tensor o({heads, queries, width}, Format::F32);
  std::vector<Number> row(keys);
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t i = 0; i < queries; ++i) {
      for (int64_t j = 0; j < keys; ++j) {
        Number sum;
        for (int64_t d = 0; d < depth; ++d)
          sum += q.at(h, i, d) * k.at(h, j, d);
        row[j] = adjust(h, i, j, sum * scale);
      }
      softmax(row, [&](int64_t j) { return keep(h, i, j); });
      for (int64_t j = 0; j < keys; ++j) {
        if (!keep(h, i, j))
          continue;
        for (int64_t d = 0; d < width; ++d)
          o.at(h, i, d) += cast(row[j], q.format) * v.at(h, j, d);
      }
    }
  return cast(o, q.format);
}

/// Both `i` and `j` at or behind `first`, and `j` not behind `i`.
static bool keepPadded(int64_t i, int64_t j, double first) {
  return j <= i && j >= first && i >= first;
}

/// softmax(att where keep) @ v
static Outputs maskedSoftmaxMatmul(const Inputs &inputs) {
  Extent rows, columns, width;
  Tensor att = inputs.read("att", {&rows, &columns});
  Tensor v = inputs.read("v", {&columns, &width});
  double p = inputs.read("p", {}).at().value;
  Tensor o({rows, width}, Format::F32);
  for (int64_t i = 0; i < rows; ++i) {
    std::span<Number> row =
        std::span(att.elements).subspan(i * columns, columns);
    softmax(row, [=](int64_t j) { return keepPadded(i, j, p); });
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t d = 0; d < width; ++d)
        if (keepPadded(i, j, p))
          o.at(i, d) += row[j] * v.at(j, d);
  }
  return {o};
}

namespace {
/// Queries, keys and values of any leading dimensions, as heads.
struct Heads {
  Tensor q, k, v;
  Shape shape;

  Outputs attend(const Mask &keep, const Adjust &adjust = asItIs) const {
    return {oracle::attend(q, k, v, keep, adjust).reshaped(shape)};
  }
};
} // namespace

static Tensor withHeads(const Tensor &x) {
  size_t rank = x.shape.size();
  int64_t heads = 1;
  for (size_t dim = 0; dim + 2 < rank; ++dim)
    heads *= x.shape[dim];
  return x.reshaped({heads, x.shape[rank - 2], x.shape[rank - 1]});
}

/// Reads q[S,D], k[T,D], v[T,W].
static Heads readOneHead(const Inputs &inputs) {
  Extent s, t, d, w;
  Tensor q = inputs.read("q", {&s, &d});
  Tensor k = inputs.read("k", {&t, &d});
  Tensor v = inputs.read("v", {&t, &w});
  return {withHeads(q), withHeads(k), withHeads(v), {s, w}};
}

/// Reads q[B,H,S,D], k[B,H,T,D], v[B,H,T,W].
static Heads readBatchedHeads(const Inputs &inputs, Extent &b, Extent &h) {
  Extent s, t, d, w;
  Tensor q = inputs.read("q", {&b, &h, &s, &d});
  Tensor k = inputs.read("k", {&b, &h, &t, &d});
  Tensor v = inputs.read("v", {&b, &h, &t, &w});
  return {withHeads(q), withHeads(k), withHeads(v), {b, h, s, w}};
}

/// One head, with the first `p` tokens padding.
static Outputs paddedHead(const Inputs &inputs) {
  double p = inputs.read("p", {}).at().value;
  return readOneHead(inputs).attend(
      [=](int64_t, int64_t i, int64_t j) { return keepPadded(i, j, p); });
}

template <bool (*keep)(int64_t, int64_t, int64_t)>
static Outputs batchedHeads(const Inputs &inputs) {
  Extent b, h;
  return readBatchedHeads(inputs, b, h).attend(keep);
}

/// Causal, with the first pad[b] tokens of batch element b padding.
static Outputs paddedBatchedHeads(const Inputs &inputs) {
  Extent b, h;
  Heads heads = readBatchedHeads(inputs, b, h);
  Tensor pad = inputs.read("pad", {&b});
  return heads.attend([&](int64_t head, int64_t i, int64_t j) {
    return keepPadded(i, j, pad.at(head / h.size).value);
  });
}

/// Causal; heads of queries share those of keys and values in groups.
static Outputs groupedHeads(const Inputs &inputs) {
  Extent b, h, groups, s, d;
  Tensor q = inputs.read("q", {&b, &h, &s, &d});
  Tensor k = inputs.read("k", {&b, &groups, &s, &d});
  Tensor v = inputs.read("v", {&b, &groups, &s, &d});
  if (groups == 0 ? h != 0 : h % groups != 0)
    throw BadInput("q has " + std::to_string(h) + " heads, no multiple of " +
                   std::to_string(groups));
  auto repeated = [&](const Tensor &x) {
    Tensor result({b, h, s, d}, x.format);
    for (int64_t batch = 0; batch < b; ++batch)
      for (int64_t head = 0; head < h; ++head)
        for (int64_t i = 0; i < s; ++i)
          for (int64_t e = 0; e < d; ++e)
            result.at(batch, head, i, e) =
                x.at(batch, head / (h / groups), i, e);
    return withHeads(result);
  };
  return Heads{withHeads(q), repeated(k), repeated(v), {b, h, s, d}}.attend(
      keepCausal);
}

/// Causal, and no farther back than the window.
static Outputs slidingWindow(const Inputs &inputs) {
  int64_t window = inputs.constant("window", 512);
  return readOneHead(inputs).attend(
      [=](int64_t, int64_t i, int64_t j) { return j <= i && j + window > i; });
}

/// Causal, with slope[h] (j - i) added to the scores.
static Outputs alibi(const Inputs &inputs) {
  Extent h, s, t, d, w;
  Tensor q = inputs.read("q", {&h, &s, &d});
  Tensor k = inputs.read("k", {&h, &t, &d});
  Tensor v = inputs.read("v", {&h, &t, &w});
  Tensor slope = inputs.read("slope", {&h});
  return Heads{q, k, v, {h, s, w}}.attend(
      keepCausal, [&](int64_t head, int64_t i, int64_t j, Number score) {
        return score + slope.at(head) * Number(j - i);
      });
}

/// Scores held between -2 and 2.
static Outputs softcap(const Inputs &inputs) {
  return readOneHead(inputs).attend(
      keepAll, [](int64_t, int64_t, int64_t, Number score) {
        return 2 * tanh(score / 2);
      });
}

/// Tokens attend to those of their own segment.
static Outputs segments(const Inputs &inputs) {
  Heads heads = readOneHead(inputs);
  Extent s{heads.shape[0]};
  Tensor segment = inputs.read("segment", {&s});
  return heads.attend([&](int64_t, int64_t i, int64_t j) {
    return segment.at(i).value == segment.at(j).value;
  });
}

/// One query, or a few, and all keys.
static Outputs decode(const Inputs &inputs) {
  return readOneHead(inputs).attend(keepAll);
}

std::span<const Workload> oracle::attentionWorkloads() {
  static const Workload workloads[] = {
      {"A1", maskedSoftmaxMatmul},
      {"A2", paddedHead},
      {"A3", batchedHeads<keepCausal>},
      {"A3p", paddedBatchedHeads},
      {"A4", batchedHeads<keepCausal>},
      {"A5", batchedHeads<keepAll>},
      {"A_gqa", groupedHeads},
      {"A_window", slidingWindow},
      {"A_alibi", alibi},
      {"A_softcap", softcap},
      {"A_segment", segments},
      {"A_decode", decode},
  };
  return workloads;
}
