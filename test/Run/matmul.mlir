// Products of matrices in every type, against exact sums of exact products.

// RUN: %python %S/Inputs/check.py %s %t

// IN a: [[1, 2, 3], [4, 5, 6]]
// IN b: [[1, -1], [0, 2], [3, 0]]
// OUT: [[10, 3], [22, 6]]
// VERIFY: exact
func.func @f32(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %c = fuse.matmul %a, %b : tensor<2x3xf32>, tensor<3x2xf32> -> tensor<2x2xf32>
  return %c : tensor<2x2xf32>
}

// Products of narrow floats are exact in f32, sums of a few of them too: here
// every type has to give the same numbers as the fractions do.
// IN a8: [[1, 448, -0.001953125], [0.5, -1.75, 240]]
// IN b8: [[1, -1], [0.0625, 2], [448, 0.25]]
// IN ab: [[1, 3e38, -0.5], [0.5, -1.75, 250]]
// IN bb: [[1, -1], [0.0625, 0.5], [1024, 0.25]]
// IN ah: [[1, 65504, -0.5], [0.015625, -1.75, 250]]
// IN bh: [[1, -1], [0.0625, 0.5], [1024, 0.25]]
// OUT: matmul(a8, b8)
// OUT: matmul(ab, bb)
// OUT: matmul(ah, bh)
// VERIFY: exact
func.func @narrow(%a8: tensor<2x3xf8E4M3FN>, %b8: tensor<3x2xf8E4M3FN>,
                  %ab: tensor<2x3xbf16>, %bb: tensor<3x2xbf16>,
                  %ah: tensor<2x3xf16>, %bh: tensor<3x2xf16>)
    -> (tensor<2x2xf32>, tensor<2x2xf64>, tensor<2x2xf32>) {
  %c8 = fuse.matmul %a8, %b8 : tensor<2x3xf8E4M3FN>, tensor<3x2xf8E4M3FN> -> tensor<2x2xf32>
  %cb = fuse.matmul %ab, %bb : tensor<2x3xbf16>, tensor<3x2xbf16> -> tensor<2x2xf64>
  %ch = fuse.matmul %ah, %bh : tensor<2x3xf16>, tensor<3x2xf16> -> tensor<2x2xf32>
  return %c8, %cb, %ch : tensor<2x2xf32>, tensor<2x2xf64>, tensor<2x2xf32>
}

// f64 for what f32 would lose: 1 beside 2^30, products that overflow f32.
// IN a: [[1073741824, 1, -1073741824]]
// IN b: [[1], [1], [1]]
// IN c: [[3e38, 3e38]]
// IN d: [[2], [3e38]]
// IN e: [[1e300, 1, -1e300]]
// OUT: [[1]]
// OUT: [[0]]
// OUT within 1e-15: matmul(c, d)
// OUT: [[0]]
// VERIFY: none
func.func @accumulation(%a: tensor<1x3xf32>, %b: tensor<3x1xf32>,
                        %c: tensor<1x2xf32>, %d: tensor<2x1xf32>,
                        %e: tensor<1x3xf64>)
    -> (tensor<1x1xf64>, tensor<1x1xf32>, tensor<1x1xf64>, tensor<1x1xf64>) {
  %wide = fuse.matmul %a, %b : tensor<1x3xf32>, tensor<3x1xf32> -> tensor<1x1xf64>
  %same = fuse.matmul %a, %b : tensor<1x3xf32>, tensor<3x1xf32> -> tensor<1x1xf32>
  %large = fuse.matmul %c, %d : tensor<1x2xf32>, tensor<2x1xf32> -> tensor<1x1xf64>
  %ones = arith.constant dense<1.0> : tensor<3x1xf64>
  %f64 = fuse.matmul %e, %ones : tensor<1x3xf64>, tensor<3x1xf64> -> tensor<1x1xf64>
  return %wide, %same, %large, %f64 : tensor<1x1xf64>, tensor<1x1xf32>, tensor<1x1xf64>, tensor<1x1xf64>
}

// A sum of 4096 f16 ones and a bit: accumulated in f16 it would stop at 2048.
// IN a: full((1, 4096), 1)
// IN b: full((4096, 1), 1.0009765625)
// OUT: [[4100]]
// VERIFY: exact
func.func @f16_is_accumulated_in_f32(%a: tensor<1x4096xf16>, %b: tensor<4096x1xf16>) -> tensor<1x1xf32> {
  %c = fuse.matmul %a, %b : tensor<1x4096xf16>, tensor<4096x1xf16> -> tensor<1x1xf32>
  return %c : tensor<1x1xf32>
}

// Two batch dimensions, one of them dynamic.
// IN a: Array((2, 3, 1, 2), range(12))
// IN b: Array((2, 3, 2, 2), range(24))
// OUT: [[matmul(a[i][j], b[i][j]) for j in range(3)] for i in range(2)]
// VERIFY: exact
func.func @batched(%a: tensor<2x?x1x2xf32>, %b: tensor<2x?x2x2xf32>) -> tensor<2x?x1x2xf32> {
  %c = fuse.matmul %a, %b : tensor<2x?x1x2xf32>, tensor<2x?x2x2xf32> -> tensor<2x?x1x2xf32>
  return %c : tensor<2x?x1x2xf32>
}

// Nothing to sum is zero; nothing at all is nothing.
// IN a: Array((2, 0), [])
// IN b: Array((0, 3), [])
// OUT: full((2, 3), 0.0)
// OUT: Array((0, 0), [])
// OUT: Array((0, 0), [])
// VERIFY: exact
func.func @empty(%a: tensor<2x0xf32>, %b: tensor<0x3xf32>) -> (tensor<2x3xf32>, tensor<0x0xf32>, tensor<0x0xf64>) {
  %c = fuse.matmul %a, %b : tensor<2x0xf32>, tensor<0x3xf32> -> tensor<2x3xf32>
  %x = arith.constant dense<1.0> : tensor<3x0xf32>
  %d = fuse.matmul %b, %x : tensor<0x3xf32>, tensor<3x0xf32> -> tensor<0x0xf32>
  %w = arith.extf %d : tensor<0x0xf32> to tensor<0x0xf64>
  return %c, %d, %w : tensor<2x3xf32>, tensor<0x0xf32>, tensor<0x0xf64>
}

// NaN and infinities are operands like any others, next to zeros too.
// IN a: [[0, 1], [inf, 1], [nan, 0]]
// IN b: [[inf, 1], [1, -inf]]
// OUT: [[nan, -inf], [inf, nan], [nan, nan]]
// VERIFY: exact
func.func @not_finite(%a: tensor<3x2xf32>, %b: tensor<2x2xf32>) -> tensor<3x2xf32> {
  %c = fuse.matmul %a, %b : tensor<3x2xf32>, tensor<2x2xf32> -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}

// tf32 keeps 10 bits of each factor, ties to even, and is not for the sum:
// 1 + 2^-11 is a tie that goes down, 1 + 3 * 2^-11 one that goes up, and what
// rounds up from the largest number is infinite.
// IN a: [[1.00048828125], [1.00146484375], [1.000488281250119], [-1.00146484375], [3.4028234663852886e38], [1e-40], [nan]]
// IN b: [[1, 1.00048828125]]
// OUT: [[tf32(x) for y in b[0]] for (x,) in a]
// OUT: [[f32(x * y) for y in b[0]] for (x,) in a]
// VERIFY: none
func.func @tf32(%a: tensor<7x1xf32>, %b: tensor<1x2xf32>) -> (tensor<7x2xf32>, tensor<7x2xf32>) {
  %c = fuse.matmul %a, %b precision tf32 : tensor<7x1xf32>, tensor<1x2xf32> -> tensor<7x2xf32>
  %d = fuse.matmul %a, %b precision tf32x3 : tensor<7x1xf32>, tensor<1x2xf32> -> tensor<7x2xf32>
  return %c, %d : tensor<7x2xf32>, tensor<7x2xf32>
}

// The sum of tf32 products is an f32 sum: 1 + 2^-20 needs 20 bits.
// IN a: [[1, 0.0009765625]]
// IN b: [[1], [0.0009765625]]
// OUT: [[1.00000095367431640625]]
// VERIFY: exact
func.func @tf32_sums_in_f32(%a: tensor<1x2xf32>, %b: tensor<2x1xf32>) -> tensor<1x1xf32> {
  %c = fuse.matmul %a, %b precision tf32 : tensor<1x2xf32>, tensor<2x1xf32> -> tensor<1x1xf32>
  return %c : tensor<1x1xf32>
}
