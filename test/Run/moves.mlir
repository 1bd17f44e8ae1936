// Ops that move elements: where each element comes from is written out.

// RUN: %python %S/Inputs/check.py %s %t

// IN x: [1, 2, nan]
// IN s: -0.0
// IN m: [[1, 2], [3, 4]]
// OUT: [[1, 2, nan], [1, 2, nan]]
// OUT: [[1, 1], [2, 2], [nan, nan]]
// OUT: full((2, 2), -0.0)
// OUT: [[[1, 2], [1, 2], [1, 2]], [[3, 4], [3, 4], [3, 4]]]
// OUT: [[[1, 2], [3, 4]]]
// OUT: -0.0
// OUT: Array((0, 3), [])
// VERIFY: exact
func.func @broadcast(%x: tensor<3xf32>, %s: tensor<f32>, %m: tensor<2x2xf32>)
    -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<2x3x2xf32>, tensor<1x2x2xf32>, tensor<f32>, tensor<0x3xf32>) {
  %0 = fuse.broadcast %x dims [1] : tensor<3xf32> -> tensor<2x3xf32>
  %1 = fuse.broadcast %x dims [0] : tensor<3xf32> -> tensor<3x2xf32>
  %2 = fuse.broadcast %s dims [] : tensor<f32> -> tensor<2x2xf32>
  %3 = fuse.broadcast %m dims [0, 2] : tensor<2x2xf32> -> tensor<2x3x2xf32>
  %4 = fuse.broadcast %m dims [1, 2] : tensor<2x2xf32> -> tensor<1x2x2xf32>
  %5 = fuse.broadcast %s dims [] : tensor<f32> -> tensor<f32>
  %6 = fuse.broadcast %x dims [1] : tensor<3xf32> -> tensor<0x3xf32>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x2xf32>, tensor<2x3x2xf32>, tensor<1x2x2xf32>, tensor<f32>, tensor<0x3xf32>
}

// Sizes from an index argument, from a tensor's dimension, and computed.
// IN x: [7, 8]
// FLAGS: --shape=n:5
// OUT: [x] * 5
// OUT: [x] * 2
// OUT: [x] * 11
// OUT: [0, 1, 2, 3, 4]
// VERIFY: exact
func.func @sizes(%x: tensor<?xi32>, %n: index {fuse.name = "n"})
    -> (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = fuse.broadcast %x dims [1] sizes [%n] : tensor<?xi32> -> tensor<?x?xi32>
  %d = tensor.dim %x, %zero : tensor<?xi32>
  %1 = fuse.broadcast %x dims [1] sizes [%d] : tensor<?xi32> -> tensor<?x?xi32>
  %twice = arith.muli %n, %d : index
  %more = arith.addi %twice, %one : index
  %2 = fuse.broadcast %x dims [1] sizes [%more] : tensor<?xi32> -> tensor<?x?xi32>
  %3 = fuse.iota dim 0 sizes [%n] : tensor<?xi64>
  return %0, %1, %2, %3 : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?xi64>
}

// IN x: [[1, 2, 3], [4, 5, 6]]
// IN y: Array((2, 3, 4), range(24))
// IN s: 5
// IN e: Array((0, 3), [])
// OUT: [[1, 4], [2, 5], [3, 6]]
// OUT: [[[y[j][k][i] for k in range(3)] for j in range(2)] for i in range(4)]
// OUT: [[[y[k][i][j] for k in range(2)] for j in range(4)] for i in range(3)]
// OUT: y
// OUT: 5
// OUT: Array((3, 0), [])
// VERIFY: exact
func.func @transpose(%x: tensor<2x3xi8>, %y: tensor<2x?x4xi64>, %s: tensor<i16>, %e: tensor<0x3xf8E4M3FN>)
    -> (tensor<3x2xi8>, tensor<4x2x?xi64>, tensor<?x4x2xi64>, tensor<2x?x4xi64>, tensor<i16>, tensor<3x0xf8E4M3FN>) {
  %0 = fuse.transpose %x [1, 0] : tensor<2x3xi8>
  %1 = fuse.transpose %y [2, 0, 1] : tensor<2x?x4xi64>
  %2 = fuse.transpose %y [1, 2, 0] : tensor<2x?x4xi64>
  %3 = fuse.transpose %y [0, 1, 2] : tensor<2x?x4xi64>
  %4 = fuse.transpose %s [] : tensor<i16>
  %5 = fuse.transpose %e [1, 0] : tensor<0x3xf8E4M3FN>
  return %0, %1, %2, %3, %4, %5
    : tensor<3x2xi8>, tensor<4x2x?xi64>, tensor<?x4x2xi64>, tensor<2x?x4xi64>, tensor<i16>, tensor<3x0xf8E4M3FN>
}

// IN x: Array((3, 7), range(21))
// IN y: Array((5,), range(5))
// IN s: True
// OUT: [row[2:5] for row in x]
// OUT: [row[1::2] for row in x[1:]]
// OUT: [row[0:7:3] for row in x[0:3:2]]
// OUT: [row[6::100] for row in x]
// OUT: Array((3, 0), [])
// OUT: [1, 3]
// OUT: [4]
// OUT: Array((0,), [])
// OUT: True
// OUT: x
// VERIFY: exact
func.func @slice(%x: tensor<3x7xf16>, %y: tensor<?xbf16>, %s: tensor<i1>)
    -> (tensor<3x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<3x1xf16>, tensor<3x0xf16>,
        tensor<2xbf16>, tensor<?xbf16>, tensor<0xbf16>, tensor<i1>, tensor<3x7xf16>) {
  %0 = fuse.slice %x[:, 2:5] : tensor<3x7xf16>
  %1 = fuse.slice %x[1:, 1::2] : tensor<3x7xf16>
  %2 = fuse.slice %x[0:3:2, 0:7:3] : tensor<3x7xf16>
  %3 = fuse.slice %x[:, 6::100] : tensor<3x7xf16>
  %4 = fuse.slice %x[:, 4:4] : tensor<3x7xf16>
  %5 = fuse.slice %y[1:4:2] : tensor<?xbf16>
  %6 = fuse.slice %y[4:] : tensor<?xbf16>
  %7 = fuse.slice %y[0:0] : tensor<?xbf16>
  %8 = fuse.slice %s[] : tensor<i1>
  %9 = fuse.slice %x[:, :] : tensor<3x7xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<3x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<3x1xf16>, tensor<3x0xf16>,
      tensor<2xbf16>, tensor<?xbf16>, tensor<0xbf16>, tensor<i1>, tensor<3x7xf16>
}

// Row-major in and out: the elements stay in order. Slices and transposes in
// front see to it that their buffers are not the ones to be reused.
// IN x: Array((6, 4), range(24))
// IN o: [3]
// FLAGS: --shape=b:3
// OUT: Array((2, 3, 4), range(24))
// OUT: Array((6, 2, 2), range(24))
// OUT: Array((3, 2, 4), range(24))
// OUT: Array((3, 2, 4), range(24))
// OUT: Array((24,), range(24))
// OUT: [3]
// OUT: 3
// OUT: [[[[v]]] for v in [2, 6, 10, 14, 18, 22, 3, 7, 11, 15, 19, 23]]
// OUT: [2, 6, 10, 14, 18, 22, 3, 7, 11, 15, 19, 23]
// OUT: 3
// VERIFY: exact
func.func @expand_and_collapse(%x: tensor<?x4xf64>, %o: tensor<1xi32>, %b: index {fuse.name = "b"})
    -> (tensor<2x?x4xf64>, tensor<?x2x2xf64>, tensor<?x2x4xf64>, tensor<?x?x4xf64>, tensor<?xf64>, tensor<1xi32>, tensor<i32>,
        tensor<12x1x1x1xf64>, tensor<?xf64>, tensor<i32>) {
  %0 = fuse.expand %x dim 0 into [2, ?] : tensor<?x4xf64>
  %1 = fuse.expand %x dim 1 into [2, 2] : tensor<?x4xf64>
  %2 = fuse.expand %x dim 0 into [?, 2] : tensor<?x4xf64>
  %two = arith.constant 2 : index
  %3 = fuse.expand %x dim 0 into [?, ?] sizes [%b, %two] : tensor<?x4xf64>
  %4 = fuse.collapse %x dims [0, 1] : tensor<?x4xf64>
  %5 = fuse.collapse %o dims [0] : tensor<1xi32>
  %6 = fuse.expand %o dim 0 into [] : tensor<1xi32>
  %right = fuse.slice %x[:, 2:] : tensor<?x4xf64>
  %turned = fuse.transpose %right [1, 0] : tensor<?x2xf64>
  %flat = fuse.collapse %turned dims [0, 1] : tensor<2x?xf64>
  %7 = fuse.expand %flat dim 0 into [12, 1, 1, 1] : tensor<?xf64>
  %8 = fuse.collapse %7 dims [0, 1, 2, 3] : tensor<12x1x1x1xf64>
  %dynamic = tensor.cast %8 : tensor<12xf64> to tensor<?xf64>
  %9 = fuse.expand %5 dim 0 into [] : tensor<1xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %dynamic, %9
    : tensor<2x?x4xf64>, tensor<?x2x2xf64>, tensor<?x2x4xf64>, tensor<?x?x4xf64>, tensor<?xf64>, tensor<1xi32>, tensor<i32>,
      tensor<12x1x1x1xf64>, tensor<?xf64>, tensor<i32>
}

// Nothing keeps its shape, whatever it is folded into.
// IN e: Array((0, 4), [])
// OUT: Array((0, 2, 4), [])
// OUT: Array((0,), [])
// OUT: Array((0, 2, 2), [])
// OUT: Array((2, 0, 4), [])
// VERIFY: exact
func.func @expand_and_collapse_nothing(%e: tensor<?x4xf32>)
    -> (tensor<?x2x4xf32>, tensor<?xf32>, tensor<?x2x2xf32>, tensor<2x?x4xf32>) {
  %0 = fuse.expand %e dim 0 into [?, 2] : tensor<?x4xf32>
  %1 = fuse.collapse %e dims [0, 1] : tensor<?x4xf32>
  %2 = fuse.expand %e dim 1 into [2, 2] : tensor<?x4xf32>
  %3 = fuse.expand %e dim 0 into [2, ?] : tensor<?x4xf32>
  return %0, %1, %2, %3 : tensor<?x2x4xf32>, tensor<?xf32>, tensor<?x2x2xf32>, tensor<2x?x4xf32>
}

// IN a: [[1, 2], [3, 4]]
// IN b: [[5], [6]]
// IN e: Array((2, 0), [])
// OUT: [[1, 2, 5], [3, 4, 6]]
// OUT: [[1, 2], [3, 4], [1, 2]]
// OUT: [[5, 1, 2, 1, 2], [6, 3, 4, 3, 4]]
// OUT: [[5], [6]]
// OUT: [[1, 2], [3, 4]]
// OUT: Array((2, 0), [])
// VERIFY: exact
func.func @concat(%a: tensor<2x2xi16>, %b: tensor<2x?xi16>, %e: tensor<2x0xi16>)
    -> (tensor<2x?xi16>, tensor<3x2xi16>, tensor<2x?xi16>, tensor<2x?xi16>, tensor<2x2xi16>, tensor<2x0xi16>) {
  %0 = fuse.concat %a, %b dim 1 : tensor<2x2xi16>, tensor<2x?xi16>
  %first = fuse.slice %a[0:1, :] : tensor<2x2xi16>
  %1 = fuse.concat %a, %first dim 0 : tensor<2x2xi16>, tensor<1x2xi16>
  %2 = fuse.concat %b, %a, %e, %a dim 1 : tensor<2x?xi16>, tensor<2x2xi16>, tensor<2x0xi16>, tensor<2x2xi16>
  %3 = fuse.concat %b dim 1 : tensor<2x?xi16>
  %4 = fuse.concat %e, %a dim 1 : tensor<2x0xi16>, tensor<2x2xi16>
  %5 = fuse.concat %e, %e dim 1 : tensor<2x0xi16>, tensor<2x0xi16>
  return %0, %1, %2, %3, %4, %5
    : tensor<2x?xi16>, tensor<3x2xi16>, tensor<2x?xi16>, tensor<2x?xi16>, tensor<2x2xi16>, tensor<2x0xi16>
}

// Positions beyond a type wrap around (integers) or are rounded (floats).
// OUT: [[0, 0, 0], [1, 1, 1]]
// OUT: [[0, 1, 2], [0, 1, 2]]
// OUT: [k if k < 128 else k - 256 for k in range(256)] + [0, 1]
// OUT: range(5)
// OUT: range(5)
// OUT: range(5)
// OUT: range(5)
// OUT: [f16(float(k)) for k in range(2056)]
// OUT: [bf16(float(k)) for k in range(520)]
// OUT: [float(k) for k in range(5)]
// OUT: [float(k) for k in range(5)]
// OUT: Array((0,), [])
// VERIFY: round
func.func @iota() -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<258xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xindex>,
                     tensor<2056xf16>, tensor<520xbf16>, tensor<5xf32>, tensor<5xf64>, tensor<0xi32>) {
  %0 = fuse.iota dim 0 : tensor<2x3xi32>
  %1 = fuse.iota dim 1 : tensor<2x3xi32>
  %2 = fuse.iota dim 0 : tensor<258xi8>
  %3 = fuse.iota dim 0 : tensor<5xi16>
  %4 = fuse.iota dim 0 : tensor<5xi32>
  %5 = fuse.iota dim 0 : tensor<5xi64>
  %6 = fuse.iota dim 0 : tensor<5xindex>
  %7 = fuse.iota dim 0 : tensor<2056xf16>
  %8 = fuse.iota dim 0 : tensor<520xbf16>
  %9 = fuse.iota dim 0 : tensor<5xf32>
  %10 = fuse.iota dim 0 : tensor<5xf64>
  %11 = fuse.iota dim 0 : tensor<0xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
    : tensor<2x3xi32>, tensor<2x3xi32>, tensor<258xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xindex>,
      tensor<2056xf16>, tensor<520xbf16>, tensor<5xf32>, tensor<5xf64>, tensor<0xi32>
}

// Rows outside of the table are zeros, negative numbers and those that are
// large enough to wrap around in bytes included.
// IN t: [[1, 2], [3, nan], [-0.0, 6]]
// IN i: [[0, 2], [1, -1]]
// IN j: [3, -2147483648, 2147483647, 2]
// IN k: [-9223372036854775808, 9223372036854775807, 2305843009213693952, 1]
// IN l: [-128, 127, 2]
// IN s: 1
// IN v: [10, 20, 30]
// IN e: Array((0, 2), [])
// IN x: [-1, 2]
// OUT: [[[1, 2], [-0.0, 6]], [[3, nan], [0, 0]]]
// OUT: [[0, 0], [0, 0], [0, 0], [-0.0, 6]]
// OUT: [[0, 0], [0, 0], [0, 0], [3, nan]]
// OUT: [[0, 0], [0, 0], [-0.0, 6]]
// OUT: [3, nan]
// OUT: [0, 0, 30]
// OUT: [[0, 0], [0, 0], [0, 0]]
// OUT: 20
// OUT: [0, 30]
// OUT: Array((0, 2), [])
// VERIFY: exact
func.func @gather(%t: tensor<3x2xf32>, %i: tensor<2x2xi32>, %j: tensor<4xi32>, %k: tensor<4xi64>, %l: tensor<3xi8>, %s: tensor<i16>,
                  %v: tensor<3xi8>, %e: tensor<0x2xi64>, %x: tensor<2xindex>)
    -> (tensor<2x2x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<3x2xf32>, tensor<2xf32>,
        tensor<3xi8>, tensor<3x2xi64>, tensor<i8>, tensor<2xi8>, tensor<0x2xf32>) {
  %0 = fuse.gather %t[%i] : tensor<3x2xf32>, tensor<2x2xi32>
  %1 = fuse.gather %t[%j] : tensor<3x2xf32>, tensor<4xi32>
  %2 = fuse.gather %t[%k] : tensor<3x2xf32>, tensor<4xi64>
  %3 = fuse.gather %t[%l] : tensor<3x2xf32>, tensor<3xi8>
  %4 = fuse.gather %t[%s] : tensor<3x2xf32>, tensor<i16>
  %5 = fuse.gather %v[%l] : tensor<3xi8>, tensor<3xi8>
  %6 = fuse.gather %e[%l] : tensor<0x2xi64>, tensor<3xi8>
  %7 = fuse.gather %v[%s] : tensor<3xi8>, tensor<i16>
  %8 = fuse.gather %v[%x] : tensor<3xi8>, tensor<2xindex>
  %none = fuse.slice %l[0:0] : tensor<3xi8>
  %9 = fuse.gather %t[%none] : tensor<3x2xf32>, tensor<0xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<2x2x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<3x2xf32>, tensor<2xf32>,
      tensor<3xi8>, tensor<3x2xi64>, tensor<i8>, tensor<2xi8>, tensor<0x2xf32>
}

// One table of every narrow type and of truth values.
// IN a: [0.5, 448, -2]
// IN b: [True, False, True]
// IN c: [1.5, -0.0, inf]
// OUT: [-2, 0, 0.5]
// OUT: [True, False, True]
// OUT: [inf, 0, 1.5]
// VERIFY: exact
func.func @gather_narrow(%a: tensor<3xf8E4M3FN>, %b: tensor<3xi1>, %c: tensor<3xbf16>)
    -> (tensor<3xf8E4M3FN>, tensor<3xi1>, tensor<3xbf16>) {
  %i = arith.constant dense<[2, 3, 0]> : tensor<3xi32>
  %0 = fuse.gather %a[%i] : tensor<3xf8E4M3FN>, tensor<3xi32>
  %1 = fuse.gather %b[%i] : tensor<3xi1>, tensor<3xi32>
  %2 = fuse.gather %c[%i] : tensor<3xbf16>, tensor<3xi32>
  return %0, %1, %2 : tensor<3xf8E4M3FN>, tensor<3xi1>, tensor<3xbf16>
}
