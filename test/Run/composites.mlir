// The composites against their formulas in Python's own doubles, and what they
// promise about NaN, infinities, zeros and rows of nothing.

// RUN: %python %S/Inputs/check.py %s %t

// IN x: [1, -1, nan, inf, -inf, -0.0, 0.0, 1e-40]
// OUT: [1, 0, nan, inf, 0, 0, 0, 1e-40]
// OUT: [1, -0.5, nan, inf, -inf, -0.0, 0.0, 1e-40]
// OUT: [1, 1, nan, inf, inf, -0.0, 0.0, 1e-40]
// OUT: [-2, 2, nan, -inf, inf, 0.0, -0.0, -2 * f32(1e-40)]
// OUT: [0.75, -0.5, nan, 0.75, -0.5, -0.0, 0.0, 1e-40]
// OUT: [-inf, inf, nan, -inf, inf, nan, nan, -inf]
// OUT: [2, 2, nan, 2, 2, 2, 2, 2]
// OUT: [1, -1, nan, inf, -inf, -0.0, 0.0, 1e-40]
// VERIFY: exact
func.func @exact(%x: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = fuse.relu %x : tensor<8xf32>
  %1 = fuse.leaky_relu %x alpha 0.5 : tensor<8xf32>
  %2 = fuse.leaky_relu %x alpha -1.0 : tensor<8xf32>
  %3 = fuse.scale %x by -2.0 : tensor<8xf32>
  %4 = fuse.clamp %x min -0.5 max 0.75 : tensor<8xf32>
  %5 = fuse.scale %x by 0xFFF0000000000000 : tensor<8xf32>
  %6 = fuse.clamp %x min 2.0 max 2.0 : tensor<8xf32>
  %7 = fuse.clamp %x min 0xFFF0000000000000 max 0x7FF0000000000000 : tensor<8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7
    : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// A constant is rounded to the type in which it is used.
// IN h: [1, 3]
// IN b: [1, 3]
// OUT: [f16(0.1), f16(3 * f16(0.1))]
// OUT: [bf16(0.1), bf16(3 * bf16(0.1))]
// OUT: [f16(0.3)] * 2
// OUT: [-1, -3]
// VERIFY: within 0.01
func.func @rounded_constants(%h: tensor<2xf16>, %b: tensor<2xbf16>)
    -> (tensor<2xf16>, tensor<2xbf16>, tensor<2xf16>, tensor<2xbf16>) {
  %0 = fuse.scale %h by 0.1 : tensor<2xf16>
  %1 = fuse.scale %b by 0.1 : tensor<2xbf16>
  %2 = fuse.clamp %h min 0.1 max 0.3 : tensor<2xf16>
  %n = arith.negf %b : tensor<2xbf16>
  %3 = fuse.leaky_relu %n alpha 1.0 : tensor<2xbf16>
  return %0, %1, %2, %3 : tensor<2xf16>, tensor<2xbf16>, tensor<2xf16>, tensor<2xbf16>
}

// IN x: [k / 4 for k in range(-40, 41)]
// OUT within 1e-15: [1 / (1 + exp(-v)) for v in x]
// OUT within 1e-14: [v / (1 + exp(-v)) for v in x]
// OUT within 1e-14: [v * 0.5 * (1 + erf(v / sqrt(2))) for v in x]
// OUT within 1e-14: [v * 0.5 * (1 + tanh(sqrt(2 / pi) * (v + 0.044715 * v ** 3))) for v in x]
func.func @curves_f64(%x: tensor<81xf64>) -> (tensor<81xf64>, tensor<81xf64>, tensor<81xf64>, tensor<81xf64>) {
  %0 = fuse.sigmoid %x : tensor<81xf64>
  %1 = fuse.silu %x : tensor<81xf64>
  %2 = fuse.gelu erf %x : tensor<81xf64>
  %3 = fuse.gelu tanh %x : tensor<81xf64>
  return %0, %1, %2, %3 : tensor<81xf64>, tensor<81xf64>, tensor<81xf64>, tensor<81xf64>
}

// IN x: [k / 4 for k in range(-40, 41)] + [-0.0, 1e-30, 3e38, -87.5]
// OUT within 4e-7: [1 / (1 + exp(-v)) for v in x]
// OUT within 4e-7: [v / (1 + exp(-v)) for v in x]
// OUT within 4e-7: [v * 0.5 * (1 + erf(v / sqrt(2))) for v in x]
// OUT within 1e-6: [v * 0.5 * (1 + tanh(sqrt(2 / pi) * (v + 0.044715 * v ** 3))) for v in x]
// VERIFY: none
func.func @curves_f32(%x: tensor<85xf32>) -> (tensor<85xf32>, tensor<85xf32>, tensor<85xf32>, tensor<85xf32>) {
  %0 = fuse.sigmoid %x : tensor<85xf32>
  %1 = fuse.silu %x : tensor<85xf32>
  %2 = fuse.gelu erf %x : tensor<85xf32>
  %3 = fuse.gelu tanh %x : tensor<85xf32>
  return %0, %1, %2, %3 : tensor<85xf32>, tensor<85xf32>, tensor<85xf32>, tensor<85xf32>
}

// Every op rounds to the narrow type: a few units of it are lost.
// IN h: [k / 4 for k in range(-16, 17)]
// IN b: [k / 4 for k in range(-16, 17)]
// OUT within 4e-3: [1 / (1 + exp(-v)) for v in h]
// OUT within 4e-3: [v / (1 + exp(-v)) for v in h]
// OUT within 8e-3: [v * 0.5 * (1 + erf(v / sqrt(2))) for v in h]
// OUT within 8e-3: [v * 0.5 * (1 + tanh(sqrt(2 / pi) * (v + 0.044715 * v ** 3))) for v in h]
// OUT within 3e-2: [1 / (1 + exp(-v)) for v in b]
// OUT within 3e-2: [v / (1 + exp(-v)) for v in b]
// OUT within 6e-2: [v * 0.5 * (1 + erf(v / sqrt(2))) for v in b]
// OUT within 6e-2: [v * 0.5 * (1 + tanh(sqrt(2 / pi) * (v + 0.044715 * v ** 3))) for v in b]
// VERIFY: within 6e-2
func.func @curves_half(%h: tensor<33xf16>, %b: tensor<33xbf16>)
    -> (tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xbf16>, tensor<33xbf16>, tensor<33xbf16>, tensor<33xbf16>) {
  %0 = fuse.sigmoid %h : tensor<33xf16>
  %1 = fuse.silu %h : tensor<33xf16>
  %2 = fuse.gelu erf %h : tensor<33xf16>
  %3 = fuse.gelu tanh %h : tensor<33xf16>
  %4 = fuse.sigmoid %b : tensor<33xbf16>
  %5 = fuse.silu %b : tensor<33xbf16>
  %6 = fuse.gelu erf %b : tensor<33xbf16>
  %7 = fuse.gelu tanh %b : tensor<33xbf16>
  return %0, %1, %2, %3, %4, %5, %6, %7
    : tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xf16>, tensor<33xbf16>, tensor<33xbf16>, tensor<33xbf16>, tensor<33xbf16>
}

// The formulas where they leave the numbers. At -inf, silu and gelu are inf
// times or over what is 0 or infinite, so NaN; far out they are x and 0.
// IN x: [inf, -inf, nan, 100, -100, -0.0, 0.0]
// OUT within 1e-15: [1, 0, nan, 1, 0, 0.5, 0.5]
// OUT within 1e-15: [inf, nan, nan, 100, 0, 0, 0]
// OUT: [inf, nan, nan, 100, -0.0, -0.0, 0.0]
// OUT: [inf, nan, nan, 100, -0.0, -0.0, 0.0]
// VERIFY: none
func.func @curves_at_the_ends(%x: tensor<7xf64>) -> (tensor<7xf64>, tensor<7xf64>, tensor<7xf64>, tensor<7xf64>) {
  %0 = fuse.sigmoid %x : tensor<7xf64>
  %1 = fuse.silu %x : tensor<7xf64>
  %2 = fuse.gelu erf %x : tensor<7xf64>
  %3 = fuse.gelu tanh %x : tensor<7xf64>
  return %0, %1, %2, %3 : tensor<7xf64>, tensor<7xf64>, tensor<7xf64>, tensor<7xf64>
}

// IN x: [[0, 1, 2, 3], [1000, 1001, 999, 1000], [-1000, 0, -inf, 2], [5, 5, 5, 5]]
// IN keep: [[True, True, False, True], [False, True, False, False], [True, False, True, False], [False] * 4]
// OUT within 2e-7: [[exp(v - max(r)) / sum(exp(w - max(r)) for w in r) for v in r] for r in x]
// OUT within 2e-7: transpose([[exp(v - max(r)) / sum(exp(w - max(r)) for w in r) for v in r] for r in transpose(x)])
// OUT within 2e-7: [[exp(0) / (1 + e + e ** 3), e / (1 + e + e ** 3), 0, e ** 3 / (1 + e + e ** 3)], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]
// VERIFY: within 1e-6
func.func @softmax(%x: tensor<?x4xf32>, %keep: tensor<?x4xi1>) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = fuse.softmax %x dim 1 : tensor<?x4xf32>
  %1 = fuse.softmax %x dim 0 : tensor<?x4xf32>
  %2 = fuse.softmax %x dim 1 mask %keep : tensor<?x4xf32>, tensor<?x4xi1>
  return %0, %1, %2 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

// Rows without a number to keep are zeros, exactly; NaN and +inf spoil their
// own row, unless they are masked out, and no other.
// IN x: [[-inf, -inf, -inf], [1, inf, 2], [nan, 1, 2], [-inf, 7, -inf], [inf, inf, inf], [nan, inf, 1]]
// IN keep: [[True, True, True], [True, False, False], [False, True, False], [True, False, True], [False] * 3, [False] * 3]
// OUT: [[0, 0, 0], [nan, nan, nan], [nan, nan, nan], [0, 1, 0], [nan, nan, nan], [nan, nan, nan]]
// OUT: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
// OUT: [[0, 0, 0], [nan, nan, nan], [nan, nan, nan], [0, 1, 0], [nan, nan, nan], [nan, nan, nan]]
// OUT: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
// VERIFY: exact
func.func @softmax_not_finite(%x: tensor<6x3xf32>, %keep: tensor<6x3xi1>)
    -> (tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf16>, tensor<6x3xbf16>) {
  %0 = fuse.softmax %x dim 1 : tensor<6x3xf32>
  %1 = fuse.softmax %x dim 1 mask %keep : tensor<6x3xf32>, tensor<6x3xi1>
  %h = arith.truncf %x : tensor<6x3xf32> to tensor<6x3xf16>
  %b = arith.truncf %x : tensor<6x3xf32> to tensor<6x3xbf16>
  %2 = fuse.softmax %h dim 1 : tensor<6x3xf16>
  %3 = fuse.softmax %b dim 1 mask %keep : tensor<6x3xbf16>, tensor<6x3xi1>
  return %0, %1, %2, %3 : tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf16>, tensor<6x3xbf16>
}

// Rows of nothing, no rows, and rows of one.
// IN x: Array((2, 0), [])
// IN y: [[5], [-inf], [nan]]
// OUT: Array((2, 0), [])
// OUT: Array((2, 0), [])
// OUT: [[1], [0], [nan]]
// OUT: Array((2, 0), [])
// OUT: Array((2, 0), [])
// OUT: [[0], [nan], [nan]]
// VERIFY: exact
func.func @rows_of_nothing(%x: tensor<2x0xf32>, %y: tensor<3x1xf32>)
    -> (tensor<2x0xf32>, tensor<2x0xf32>, tensor<3x1xf32>, tensor<2x0xf32>, tensor<2x0xf32>, tensor<3x1xf32>) {
  %0 = fuse.softmax %x dim 1 : tensor<2x0xf32>
  %1 = fuse.softmax %x dim 0 : tensor<2x0xf32>
  %2 = fuse.softmax %y dim 1 : tensor<3x1xf32>
  %3 = fuse.layer_norm %x eps 1.0e-5 : tensor<2x0xf32>
  %4 = fuse.rms_norm %x eps 1.0e-5 : tensor<2x0xf32>
  %5 = fuse.layer_norm %y eps 1.0e-5 : tensor<3x1xf32>
  return %0, %1, %2, %3, %4, %5
    : tensor<2x0xf32>, tensor<2x0xf32>, tensor<3x1xf32>, tensor<2x0xf32>, tensor<2x0xf32>, tensor<3x1xf32>
}

// IN x: [[1, 2, 3, 4], [-1, 0, 0.5, 8], [2, 2, 2, 2]]
// IN g: [1, 2, -0.5, 0]
// IN b: [0, 1, 10, -3]
// OUT within 1e-14: [[(v - sum(r) / 4) / sqrt(sum((w - sum(r) / 4) ** 2 for w in r) / 4 + 1e-3) for v in r] for r in x]
// OUT within 1e-14: [[(v - sum(r) / 4) / sqrt(sum((w - sum(r) / 4) ** 2 for w in r) / 4 + 1e-3) * s + t
//                     for v, s, t in zip(r, g, b)] for r in x]
// OUT within 1e-14: [[(v - sum(r) / 4) / sqrt(sum((w - sum(r) / 4) ** 2 for w in r) / 4 + 1e-3) * s for v, s in zip(r, g)] for r in x]
// OUT within 1e-14: [[v / sqrt(sum(w * w for w in r) / 4 + 0.5) for v in r] for r in x]
// OUT within 1e-14: [[v / sqrt(sum(w * w for w in r) / 4 + 0.5) * s for v, s in zip(r, g)] for r in x]
// OUT within 1e-14: [(v - 2.5) / sqrt(1.25) for v in x[0]]
func.func @norms(%x: tensor<?x4xf64>, %g: tensor<4xf64>, %b: tensor<4xf64>)
    -> (tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<4xf64>) {
  %0 = fuse.layer_norm %x eps 1.0e-3 : tensor<?x4xf64>
  %1 = fuse.layer_norm %x scale %g shift %b eps 1.0e-3 : tensor<?x4xf64>, tensor<4xf64>, tensor<4xf64>
  %2 = fuse.layer_norm %x scale %g eps 1.0e-3 : tensor<?x4xf64>, tensor<4xf64>
  %3 = fuse.rms_norm %x eps 0.5 : tensor<?x4xf64>
  %4 = fuse.rms_norm %x scale %g eps 0.5 : tensor<?x4xf64>, tensor<4xf64>
  %row = fuse.slice %x[0:1, :] : tensor<?x4xf64>
  %flat = fuse.collapse %row dims [0, 1] : tensor<1x4xf64>
  %5 = fuse.layer_norm %flat eps 0.0 : tensor<4xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<4xf64>
}

// Mean 100 and deviation 1: the mean square is no way to the variance in f32.
// IN x: [[100 + 1.4142135 * sin(k * k) for k in range(256)]]
// OUT within 1e-5: [[(v - fsum(x[0]) / 256) / sqrt(fsum((w - fsum(x[0]) / 256) ** 2 for w in x[0]) / 256 + 1e-5) for v in x[0]]]
// VERIFY: within 1e-5
func.func @layer_norm_keeps_digits(%x: tensor<1x256xf32>) -> tensor<1x256xf32> {
  %0 = fuse.layer_norm %x eps 1.0e-5 : tensor<1x256xf32>
  return %0 : tensor<1x256xf32>
}

// OUT: [[j <= i for j in range(5)] for i in range(3)]
// OUT: [[j <= i + 2 for j in range(5)] for i in range(3)]
// OUT: [[j <= i and j > i - 2 for j in range(5)] for i in range(3)]
// OUT: [[j <= i + 2 and j > i for j in range(5)] for i in range(3)]
// OUT: [[j <= i - 2 for j in range(3)] for i in range(5)]
// OUT: [[j <= i - 2 and j > i - 3 for j in range(3)] for i in range(5)]
// OUT: [[[j <= i for j in range(2)] for i in range(2)]] * 2
// OUT: [[j <= i - 1 for j in range(3)] for i in range(4)]
// OUT: [[j <= i and j > i - 9223372036854775807 for j in range(3)] for i in range(4)]
// OUT: Array((0, 2), [])
// FLAGS: --shape=n:4
// VERIFY: exact
func.func @causal_mask(%n: index {fuse.name = "n"})
    -> (tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<5x3xi1>, tensor<5x3xi1>, tensor<2x2x2xi1>,
        tensor<?x3xi1>, tensor<?x3xi1>, tensor<0x2xi1>) {
  %0 = fuse.causal_mask top_left : tensor<3x5xi1>
  %1 = fuse.causal_mask bottom_right : tensor<3x5xi1>
  %2 = fuse.causal_mask top_left window 2 : tensor<3x5xi1>
  %3 = fuse.causal_mask bottom_right window 2 : tensor<3x5xi1>
  %4 = fuse.causal_mask bottom_right : tensor<5x3xi1>
  %5 = fuse.causal_mask bottom_right window 1 : tensor<5x3xi1>
  %6 = fuse.causal_mask top_left : tensor<2x2x2xi1>
  %7 = fuse.causal_mask bottom_right sizes [%n] : tensor<?x3xi1>
  %8 = fuse.causal_mask top_left window 9223372036854775807 sizes [%n] : tensor<?x3xi1>
  %9 = fuse.causal_mask bottom_right : tensor<0x2xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<5x3xi1>, tensor<5x3xi1>, tensor<2x2x2xi1>,
      tensor<?x3xi1>, tensor<?x3xi1>, tensor<0x2xi1>
}

// Counts that are negative or longer than the row leave all or nothing.
// IN a: [0, 2, 4, 9, -3]
// IN b: [[1], [127]]
// IN c: 3
// IN d: [-9223372036854775808, 9223372036854775807]
// IN e: [1, 2]
// IN f: [-1, 32767]
// FLAGS: --shape=n:4
// OUT: [[j >= c for j in range(4)] for c in a]
// OUT: [[j < c for j in range(4)] for c in a]
// OUT: [[[j < 1 for j in range(4)]], [[True] * 4]]
// OUT: [j < 3 for j in range(4)]
// OUT: [[True] * 4, [False] * 4]
// OUT: [[False] * 4, [True] * 4]
// OUT: [[j >= c for j in range(4)] for c in e]
// OUT: [[True] * 4, [False] * 4]
// OUT: Array((2, 0), [])
// VERIFY: exact
func.func @padding_mask(%a: tensor<?xi32>, %b: tensor<2x1xi8>, %c: tensor<i64>, %d: tensor<2xi64>, %e: tensor<2xindex>, %f: tensor<2xi16>,
                        %n: index {fuse.name = "n"})
    -> (tensor<?x4xi1>, tensor<?x4xi1>, tensor<2x1x4xi1>, tensor<4xi1>, tensor<2x?xi1>, tensor<2x4xi1>, tensor<2x4xi1>, tensor<2x4xi1>, tensor<2x0xi1>) {
  %0 = fuse.padding_mask left %a : tensor<?xi32> -> tensor<?x4xi1>
  %1 = fuse.padding_mask right %a : tensor<?xi32> -> tensor<?x4xi1>
  %2 = fuse.padding_mask right %b : tensor<2x1xi8> -> tensor<2x1x4xi1>
  %3 = fuse.padding_mask right %c : tensor<i64> -> tensor<4xi1>
  %4 = fuse.padding_mask left %d sizes [%n] : tensor<2xi64> -> tensor<2x?xi1>
  %5 = fuse.padding_mask right %d : tensor<2xi64> -> tensor<2x4xi1>
  %6 = fuse.padding_mask left %e : tensor<2xindex> -> tensor<2x4xi1>
  %7 = fuse.padding_mask left %f : tensor<2xi16> -> tensor<2x4xi1>
  %8 = fuse.padding_mask left %f : tensor<2xi16> -> tensor<2x0xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
    : tensor<?x4xi1>, tensor<?x4xi1>, tensor<2x1x4xi1>, tensor<4xi1>, tensor<2x?xi1>, tensor<2x4xi1>, tensor<2x4xi1>, tensor<2x4xi1>, tensor<2x0xi1>
}

// Whatever leads the rows is kept.
// IN v: [1, 2, 3]
// IN m: [[1, 2, 3], [0, -1, 0.5]]
// IN t: Array((2, 2, 3), range(12))
// IN q: Array((1, 2, 2, 3), range(12))
// IN w: [[1, 0], [0, 1], [2, -2]]
// IN b: [10, 20]
// OUT: matmul([v], w)[0]
// OUT: matmul(m, w)
// OUT: [matmul(x, w) for x in t]
// OUT: [[matmul(x, w) for x in y] for y in q]
// OUT: each(lambda y, c: y + c, matmul([v], w)[0], b)
// OUT: [[y + c for y, c in zip(r, b)] for r in matmul(m, w)]
// OUT: [[[y + c for y, c in zip(r, b)] for r in matmul(x, w)] for x in t]
// OUT: [[[[y + c for y, c in zip(r, b)] for r in matmul(x, w)] for x in y] for y in q]
// OUT: Array((0, 2, 2), [])
// VERIFY: exact
func.func @linear(%v: tensor<3xf16>, %m: tensor<?x3xbf16>, %t: tensor<2x?x3xf32>, %q: tensor<?x2x2x3xf32>, %w: tensor<3x2xf32>, %b: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<?x2xf32>, tensor<2x?x2xf32>, tensor<?x2x2x2xf32>, tensor<2xf32>, tensor<?x2xf32>, tensor<2x?x2xf32>, tensor<?x2x2x2xf32>,
        tensor<0x2x2xf32>) {
  %wh = arith.truncf %w : tensor<3x2xf32> to tensor<3x2xf16>
  %wb = arith.truncf %w : tensor<3x2xf32> to tensor<3x2xbf16>
  %0 = fuse.linear %v, %wh : tensor<3xf16>, tensor<3x2xf16> -> tensor<2xf32>
  %1 = fuse.linear %m, %wb : tensor<?x3xbf16>, tensor<3x2xbf16> -> tensor<?x2xf32>
  %2 = fuse.linear %t, %w : tensor<2x?x3xf32>, tensor<3x2xf32> -> tensor<2x?x2xf32>
  %3 = fuse.linear %q, %w : tensor<?x2x2x3xf32>, tensor<3x2xf32> -> tensor<?x2x2x2xf32>
  %4 = fuse.linear %v, %wh bias %b : tensor<3xf16>, tensor<3x2xf16>, tensor<2xf32> -> tensor<2xf32>
  %5 = fuse.linear %m, %wb bias %b : tensor<?x3xbf16>, tensor<3x2xbf16>, tensor<2xf32> -> tensor<?x2xf32>
  %6 = fuse.linear %t, %w bias %b precision tf32 : tensor<2x?x3xf32>, tensor<3x2xf32>, tensor<2xf32> -> tensor<2x?x2xf32>
  %7 = fuse.linear %q, %w bias %b precision tf32x3 : tensor<?x2x2x3xf32>, tensor<3x2xf32>, tensor<2xf32> -> tensor<?x2x2x2xf32>
  %none = fuse.slice %t[0:0, :, :] : tensor<2x?x3xf32>
  %fixed = tensor.cast %none : tensor<0x?x3xf32> to tensor<0x2x3xf32>
  %8 = fuse.linear %fixed, %w bias %b : tensor<0x2x3xf32>, tensor<3x2xf32>, tensor<2xf32> -> tensor<0x2x2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
    : tensor<2xf32>, tensor<?x2xf32>, tensor<2x?x2xf32>, tensor<?x2x2x2xf32>, tensor<2xf32>, tensor<?x2xf32>, tensor<2x?x2xf32>, tensor<?x2x2x2xf32>,
      tensor<0x2x2xf32>
}
