// Two neighbours share a reciprocal on a GPU: neither sees of the other one that
// it is NaN, infinite or far from zero.

// RUN: %python %S/../Inputs/check.py %s %t

// Of what is below -86 a processor knows the digits, a GPU that it is next to 0.
// IN x: [nan, 1, -inf, 2, 3, -inf, inf, -3, -1e30, 0.5, -87, -88, 0.25, nan, -1000, -0.0, 1e30, -0.5, 88, -20, nan, nan, -45, -44] * 2048
// OUT within 0.004: [v if v != v or v == inf else nan if v == -inf else 0.0 if v < -100 else v / (1 + 2.718281828459045**-v) for v in x]
// VERIFY: none
func.func @silu(%x: tensor<49152xf32>) -> tensor<49152xbf16> {
  %0 = fuse.silu %x : tensor<49152xf32>
  %1 = arith.truncf %0 : tensor<49152xf32> to tensor<49152xbf16>
  return %1 : tensor<49152xbf16>
}

// Small results have their digits.
// IN x: [-80, 1, -79, -1, -20, -60, -61, -84, -87, nan, -71, -300, -33, -82, -85, -86] * 2048
// OUT within 0.004: [v if v != v else 0.0 if v < -100 else v / (1 + 2.718281828459045**-v) * 2.0**125 for v in x]
// VERIFY: none
func.func @small(%x: tensor<32768xf32>) -> tensor<32768xbf16> {
  %scale = arith.constant dense<0x7E000000> : tensor<32768xf32>
  %0 = fuse.silu %x : tensor<32768xf32>
  %1 = arith.mulf %0, %scale : tensor<32768xf32>
  %2 = arith.truncf %1 : tensor<32768xf32> to tensor<32768xbf16>
  return %2 : tensor<32768xbf16>
}

// IN x: [nan, 1, -inf, 2, 3, -inf, inf, -3, -1e30, 0.5, -7, -8, 0.25, nan, -1000, -0.0, 1e30, -0.5, 88, -2, nan, nan, -4, -5] * 2048
// OUT within 0.004: [v if v != v or v == inf else nan if v == -inf else 0.0 if v < -10 else v if v > 10 else v / (1 + 2.718281828459045**(-2 * 0.7978845608028654 * (v + 0.044715 * v**3))) for v in x]
// VERIFY: none
func.func @gelu(%x: tensor<49152xf32>) -> tensor<49152xbf16> {
  %0 = fuse.gelu tanh %x : tensor<49152xf32>
  %1 = arith.truncf %0 : tensor<49152xf32> to tensor<49152xbf16>
  return %1 : tensor<49152xbf16>
}

// What a gate is alone has no factor that would be NaN with it.
// IN x: [nan, 1, -inf, 2, 3, -inf, inf, -3, -1e30, 0.5, -7, -8, 0.25, nan, -1000, -0.0, 1e30, -0.5, 88, -2, nan, nan, -4, -5] * 2048
// IN y: [2] * 49152
// OUT within 0.004: [v if v != v else 0.0 if v < -100 else 2 / (1 + 2.718281828459045**-v) for v in x]
// VERIFY: none
func.func @gate(%x: tensor<49152xf32>, %y: tensor<49152xf32>) -> tensor<49152xbf16> {
  %0 = fuse.sigmoid %x : tensor<49152xf32>
  %1 = arith.mulf %0, %y : tensor<49152xf32>
  %2 = arith.truncf %1 : tensor<49152xf32> to tensor<49152xbf16>
  return %2 : tensor<49152xbf16>
}
