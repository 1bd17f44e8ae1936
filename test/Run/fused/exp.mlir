// exp on vectors: where its results end, and what is no number.

// RUN: %python %S/../Inputs/check.py %s %t

// Below the least normal number it is 0, beyond the largest infinite.
// IN x: [-inf, -1e30, -200, -87.33655, 0, -0.0, 88.722839, 1e30, inf, nan, 1, -1, 0.5, -0.25, 10, 80]
// OUT within 1.2e-7: [0, 0, 0, 0, 1, 1, inf, inf, inf, nan] + [2.718281828459045**v for v in x[10:]]
// VERIFY: none
func.func @ends(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = math.exp %x : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// Near the ends, brought to the middle.
// IN x: [-87.33654, -87.3, -87, -86.5, -86, -80.1, -79, -78.125, -77, -76.3, -75, -74.9, -74.7, -74.5, -74.3, -74.1]
// OUT within 2.4e-7: [2.718281828459045**v * 2.0**126 for v in x]
// VERIFY: none
func.func @least(%x: tensor<16xf32>) -> tensor<16xf32> {
  %scale = arith.constant dense<0x7E800000> : tensor<16xf32>
  %0 = math.exp %x : tensor<16xf32>
  %1 = arith.mulf %0, %scale : tensor<16xf32>
  return %1 : tensor<16xf32>
}

// IN x: [88.72283, 88.7228, 88.5, 88.376, 88.3, 88.1, 88, 87.9, 87.7, 87.6, 87.5, 87.4, 87.3, 87.2, 87.1, 87]
// OUT within 2.4e-7: [2.718281828459045**v for v in x]
// VERIFY: none
func.func @largest(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = math.exp %x : tensor<16xf32>
  return %0 : tensor<16xf32>
}
