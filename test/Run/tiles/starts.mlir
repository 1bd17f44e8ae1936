// Tiles that begin in front of what they read and write, along one axis and along
// two: all that is in front of a start is left out, as what is behind a limit is.

// RUN: env FUSE_NUM_THREADS=1 %python %S/../Inputs/check.py %s %t
// RUN: env FUSE_NUM_THREADS=3 %python %S/../Inputs/check.py %s %t

// Each row without its least number, from a multiple of four numbers on.
tile.kernel @less(%x: memref<7x11xf32>, %y: memref<7x11xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c11 = arith.constant 11 : index
  %place = arith.muli %i, %c11 : index
  %by = arith.remui %place, %c4 : index
  %at = arith.subi %c0, %by : index
  %end = arith.addi %by, %c11 : index
  %row = tile.load %x[%i, %at] map (d0) -> (0, d0) from(%by) limits(%end) axes [0] : memref<7x11xf32> -> tensor<16xf32>
  %masked = tile.mask %row from(%by) limits(%end) axes [0] : tensor<16xf32> else 1000.0
  %least = tile.reduce min %masked dims [0] : tensor<16xf32> -> tensor<f32>
  %all = tile.broadcast %least dims [] : tensor<f32> -> tensor<16xf32>
  %less = arith.subf %row, %all : tensor<16xf32>
  tile.store %less, %y[%i, %at] map (d0) -> (0, d0) from(%by) limits(%end) axes [0] : tensor<16xf32>, memref<7x11xf32>
  tile.return
}

// IN x: [list(range(10 * i + 3, 10 * i + 14)) for i in range(7)]
// OUT: [[x[i][j] - x[i][0] for j in range(11)] for i in range(7)]
// VERIFY: none
func.func @rows(%x: tensor<7x11xf32>) -> tensor<7x11xf32> {
  %c7 = arith.constant 7 : index
  %y = tile.launch @less blocks(%c7) (%x) : (tensor<7x11xf32>) -> tensor<7x11xf32>
  return %y : tensor<7x11xf32>
}

// A part of a matrix; the rest is 0, or -1.
tile.kernel @part(%x: memref<4x8xi32>, %y: memref<4x8xi32>, %z: memref<4x8xi32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %0 = tile.load %x[%c0, %c0] from(%c1, %c2) limits(%c3, %c5) axes [0, 1] : memref<4x8xi32> -> tensor<4x8xi32>
  %1 = tile.mask %0 from(%c1, %c2) limits(%c3, %c5) axes [0, 1] : tensor<4x8xi32> else -1
  tile.store %0, %y[%c0, %c0] : tensor<4x8xi32>, memref<4x8xi32>
  tile.store %1, %z[%c0, %c0] : tensor<4x8xi32>, memref<4x8xi32>
  tile.return
}

// IN x: [[8 * i + j + 1 for j in range(8)] for i in range(4)]
// OUT: [[x[i][j] if 1 <= i < 3 and 2 <= j < 5 else 0 for j in range(8)] for i in range(4)]
// OUT: [[x[i][j] if 1 <= i < 3 and 2 <= j < 5 else -1 for j in range(8)] for i in range(4)]
// VERIFY: none
func.func @parts(%x: tensor<4x8xi32>) -> (tensor<4x8xi32>, tensor<4x8xi32>) {
  %y, %z = tile.launch @part blocks() (%x) : (tensor<4x8xi32>) -> (tensor<4x8xi32>, tensor<4x8xi32>)
  return %y, %z : tensor<4x8xi32>, tensor<4x8xi32>
}

// A start and a limit that are in one vector of four.
tile.kernel @middle(%x: memref<32xf32>, %y: memref<8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %0 = tile.load %x[%c0] : memref<32xf32> -> tensor<32xf32>
  %1 = tile.load %x[%c0] from(%c1) limits(%c3) axes [0] : memref<32xf32> -> tensor<32xf32>
  %2 = tile.reduce sum %1 dims [0] : tensor<32xf32> -> tensor<f32>
  %3 = tile.broadcast %2 dims [] : tensor<f32> -> tensor<32xf32>
  %4 = arith.addf %0, %3 : tensor<32xf32>
  %first = arith.muli %i, %c4 : index
  tile.store %4, %y[%first] from(%c1) limits(%c3) axes [0] : tensor<32xf32>, memref<8xf32>
  tile.store %4, %y[%first] from(%c0) limits(%c1) axes [0] : tensor<32xf32>, memref<8xf32>
  tile.store %4, %y[%first] from(%c3) limits(%c4) axes [0] : tensor<32xf32>, memref<8xf32>
  tile.return
}

// IN x: list(range(32))
// OUT: [i % 4 + 3 for i in range(8)]
// VERIFY: none
func.func @vector(%x: tensor<32xf32>) -> tensor<8xf32> {
  %c2 = arith.constant 2 : index
  %y = tile.launch @middle blocks(%c2) (%x) : (tensor<32xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
