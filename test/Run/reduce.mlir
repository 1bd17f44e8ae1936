// Every kind of reduction over every type it takes.

// RUN: %python %S/Inputs/check.py %s %t

// IN x: [[1, -2, 3], [0.5, 4, -0.25]]
// OUT: [2, 4.25]
// OUT: [3, 4]
// OUT: [-2, -0.25]
// OUT: [-6, -0.5]
// OUT: [2 / 3, 4.25 / 3]
// OUT: [1.5, 2, 2.75]
// OUT: 6.25
// OUT: 6.25 / 6
// OUT: x
// OUT: each(abs, x)
func.func @kinds(%x: tensor<2x3xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %sum = fuse.reduce sum %x dims [1] : tensor<2x3xf32>
  %max = fuse.reduce max %x dims [1] : tensor<2x3xf32>
  %min = fuse.reduce min %x dims [1] : tensor<2x3xf32>
  %prod = fuse.reduce prod %x dims [1] : tensor<2x3xf32>
  %mean = fuse.reduce mean %x dims [1] : tensor<2x3xf32>
  %columns = fuse.reduce sum %x dims [0] : tensor<2x3xf32>
  %all = fuse.reduce sum %x dims [0, 1] : tensor<2x3xf32>
  %average = fuse.reduce mean %x dims [0, 1] : tensor<2x3xf32>
  %none = fuse.reduce sum %x dims [] : tensor<2x3xf32>
  %abs = math.absf %x : tensor<2x3xf32>
  %mean_of_one = fuse.reduce mean %abs dims [] : tensor<2x3xf32>
  return %sum, %max, %min, %prod, %mean, %columns, %all, %average, %none, %mean_of_one
    : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
      tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// Outer, middle and not neighbouring dimensions.
// IN x: Array((2, 3, 4), range(24))
// OUT: [sum(x[i][j][k] for i in range(2) for k in range(4)) for j in range(3)]
// OUT: [[max(x[i][j][k] for j in range(3)) for k in range(4)] for i in range(2)]
// OUT: [sum(x[i][j][k] for i in range(2) for j in range(3)) / 6 for k in range(4)]
// VERIFY: exact
func.func @several_dims(%x: tensor<2x?x4xf64>) -> (tensor<?xf64>, tensor<2x4xf64>, tensor<4xf64>) {
  %a = fuse.reduce sum %x dims [0, 2] : tensor<2x?x4xf64>
  %b = fuse.reduce max %x dims [1] : tensor<2x?x4xf64>
  %c = fuse.reduce mean %x dims [0, 1] : tensor<2x?x4xf64>
  return %a, %b, %c : tensor<?xf64>, tensor<2x4xf64>, tensor<4xf64>
}

// Over nothing there is the neutral element, of a mean NaN.
// IN x: Array((2, 0), [])
// IN h: Array((0,), [])
// IN i: Array((0, 2), [])
// IN j: Array((0,), [])
// OUT: [0, 0]
// OUT: [1, 1]
// OUT: [-inf, -inf]
// OUT: [inf, inf]
// OUT: [nan, nan]
// OUT: -inf
// OUT: nan
// OUT: 0
// OUT: [0, 0]
// OUT: [1, 1]
// OUT: [-2**31] * 2
// OUT: [2**31 - 1] * 2
// OUT: -128
// OUT: 127
// OUT: Array((0,), [])
// VERIFY: exact
func.func @nothing(%x: tensor<2x0xf32>, %h: tensor<0xbf16>, %i: tensor<0x2xi32>, %j: tensor<0xi8>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<bf16>, tensor<bf16>, tensor<bf16>,
        tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>,
        tensor<i8>, tensor<i8>, tensor<0xf32>) {
  %0 = fuse.reduce sum %x dims [1] : tensor<2x0xf32>
  %1 = fuse.reduce prod %x dims [1] : tensor<2x0xf32>
  %2 = fuse.reduce max %x dims [1] : tensor<2x0xf32>
  %3 = fuse.reduce min %x dims [1] : tensor<2x0xf32>
  %4 = fuse.reduce mean %x dims [1] : tensor<2x0xf32>
  %5 = fuse.reduce max %h dims [0] : tensor<0xbf16>
  %6 = fuse.reduce mean %h dims [0] : tensor<0xbf16>
  %7 = fuse.reduce sum %h dims [0] : tensor<0xbf16>
  %8 = fuse.reduce sum %i dims [0] : tensor<0x2xi32>
  %9 = fuse.reduce prod %i dims [0] : tensor<0x2xi32>
  %10 = fuse.reduce max %i dims [0] : tensor<0x2xi32>
  %11 = fuse.reduce min %i dims [0] : tensor<0x2xi32>
  %12 = fuse.reduce max %j dims [0] : tensor<0xi8>
  %13 = fuse.reduce min %j dims [0] : tensor<0xi8>
  %14 = fuse.reduce sum %x dims [0] : tensor<2x0xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14
    : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
      tensor<bf16>, tensor<bf16>, tensor<bf16>,
      tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>,
      tensor<i8>, tensor<i8>, tensor<0xf32>
}

// A NaN anywhere makes max and min NaN; infinities are numbers.
// IN x: [[nan, 1, 2], [1, nan, inf], [1, 2, nan], [-inf, inf, 0], [-inf, -inf, -inf], [inf, inf, inf]]
// OUT: [nan, nan, nan, inf, -inf, inf]
// OUT: [nan, nan, nan, -inf, -inf, inf]
// OUT: [nan, nan, nan, nan, -inf, inf]
// OUT: [nan, nan, nan, inf, -inf, inf]
// OUT: [nan, nan, nan, -inf, -inf, inf]
// VERIFY: exact
func.func @not_finite(%x: tensor<6x3xf32>)
    -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf16>, tensor<6xbf16>) {
  %max = fuse.reduce max %x dims [1] : tensor<6x3xf32>
  %min = fuse.reduce min %x dims [1] : tensor<6x3xf32>
  %sum = fuse.reduce sum %x dims [1] : tensor<6x3xf32>
  %h = arith.truncf %x : tensor<6x3xf32> to tensor<6x3xf16>
  %hmax = fuse.reduce max %h dims [1] : tensor<6x3xf16>
  %b = arith.truncf %x : tensor<6x3xf32> to tensor<6x3xbf16>
  %bmin = fuse.reduce min %b dims [1] : tensor<6x3xbf16>
  return %max, %min, %sum, %hmax, %bmin
    : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf16>, tensor<6xbf16>
}

// Half precision accumulates in f32: in f16 a sum of ones stops at 2048, in
// bf16 at 256, and 300 * 300 / 300 is infinite in f16 on the way.
// IN h: full((4096,), 1.0009765625)
// IN b: full((1000,), 1.0)
// IN p: [300, 300, 0.0033321380615234375]
// OUT: 4100
// OUT: 1000
// OUT: p[0] * p[1] * p[2]
// OUT: 1.0009765625
// OUT: 1
// VERIFY: within 1e-2
func.func @half(%h: tensor<4096xf16>, %b: tensor<1000xbf16>, %p: tensor<3xf16>)
    -> (tensor<f16>, tensor<bf16>, tensor<f16>, tensor<f16>, tensor<bf16>) {
  %0 = fuse.reduce sum %h dims [0] : tensor<4096xf16>
  %1 = fuse.reduce sum %b dims [0] : tensor<1000xbf16>
  %2 = fuse.reduce prod %p dims [0] : tensor<3xf16>
  %3 = fuse.reduce mean %h dims [0] : tensor<4096xf16>
  %4 = fuse.reduce mean %b dims [0] : tensor<1000xbf16>
  return %0, %1, %2, %3, %4 : tensor<f16>, tensor<bf16>, tensor<f16>, tensor<f16>, tensor<bf16>
}

// What the accumulator holds is rounded once, at the end, to nearest even:
// 2048 + 1 is a tie in f16, and infinite is what is too large for the result.
// IN a: [2048, 1]
// IN b: [2050, 1]
// IN c: [65504, 15]
// IN d: [65504, 16]
// OUT: 2048
// OUT: 2052
// OUT: 65504
// OUT: inf
// OUT: 32760
// VERIFY: none
func.func @rounds_once(%a: tensor<2xf16>, %b: tensor<2xf16>, %c: tensor<2xf16>, %d: tensor<2xf16>)
    -> (tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>) {
  %0 = fuse.reduce sum %a dims [0] : tensor<2xf16>
  %1 = fuse.reduce sum %b dims [0] : tensor<2xf16>
  %2 = fuse.reduce sum %c dims [0] : tensor<2xf16>
  %3 = fuse.reduce sum %d dims [0] : tensor<2xf16>
  %4 = fuse.reduce mean %d dims [0] : tensor<2xf16>
  return %0, %1, %2, %3, %4 : tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>
}

// Integers are signed and wrap around.
// IN a: [[100, 100], [-128, -1], [-128, 127], [16, 16]]
// IN b: [2**31 - 1, 1]
// IN c: [2**62, 2**62]
// IN d: [-5, 7, -32768]
// IN e: [-5, 7, -9]
// OUT: [-56, 127, -1, 32]
// OUT: [16, -128, -128, 0]
// OUT: [100, -1, 127, 16]
// OUT: [100, -128, -128, 16]
// OUT: -2**31
// OUT: -2**63
// OUT: -32766
// OUT: 7
// OUT: -9
// OUT: 315
// VERIFY: exact
func.func @integers(%a: tensor<4x2xi8>, %b: tensor<2xi32>, %c: tensor<2xi64>, %d: tensor<3xi16>, %e: tensor<3xindex>)
    -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<i32>, tensor<i64>, tensor<i16>,
        tensor<index>, tensor<index>, tensor<index>) {
  %0 = fuse.reduce sum %a dims [1] : tensor<4x2xi8>
  %1 = fuse.reduce prod %a dims [1] : tensor<4x2xi8>
  %2 = fuse.reduce max %a dims [1] : tensor<4x2xi8>
  %3 = fuse.reduce min %a dims [1] : tensor<4x2xi8>
  %4 = fuse.reduce sum %b dims [0] : tensor<2xi32>
  %5 = fuse.reduce sum %c dims [0] : tensor<2xi64>
  %6 = fuse.reduce sum %d dims [0] : tensor<3xi16>
  %7 = fuse.reduce max %e dims [0] : tensor<3xindex>
  %8 = fuse.reduce min %e dims [0] : tensor<3xindex>
  %9 = fuse.reduce prod %e dims [0] : tensor<3xindex>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<i32>, tensor<i64>, tensor<i16>,
      tensor<index>, tensor<index>, tensor<index>
}

// A tensor of rank 0 has nothing to reduce along.
// IN x: -2.5
// OUT: -2.5
// OUT: -2.5
// VERIFY: exact
func.func @rank_0(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = fuse.reduce sum %x dims [] : tensor<f32>
  %1 = fuse.reduce mean %x dims [] : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
