// What cannot be lowered is said so.

// RUN: fuse-opt %s --convert-tile-to-vector --split-input-file --verify-diagnostics
// RUN: not fuse-opt %s --convert-tile-to-vector=vector-bits=100 --split-input-file 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: vectors have 128, 256 or 512 bits, but not 100

tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{has several numbers, but constants of a kernel have one; pass it as an input}}
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  tile.store %0, %y[%c0] : tensor<2xf32>, memref<2xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<2x2xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  // expected-error @+1 {{cannot be lowered to vectors}}
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  tile.store %1, %y[%c0, %c0] : tensor<2x2xf32>, memref<2x2xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.iota %c0 coefficients [1] : tensor<4xindex>
  // expected-error @+1 {{takes a number out of a tile of rank 1, but needs one of rank 0}}
  %1 = tensor.extract %0[%c0] : tensor<4xindex>
  tile.return
}

// -----

tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() {
  // expected-error @+1 {{cannot be lowered to vectors}}
  %0 = memref.alloc() : memref<4xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() {
  tile.return
}

func.func @host() -> tensor<2xf32> {
  // expected-error @+1 {{is left, but what launches kernels must have been taken out before they become functions}}
  %0 = tile.launch @k blocks() () : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error @+1 {{argument #0 has type 'memref<8x8xf32, strided<[?, 1]>>', but kernels on a CPU need row-major memory}}
tile.kernel @pitched(%x: memref<8x8xf32, strided<[?, 1]>>, %y: memref<8x8xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x8xf32, strided<[?, 1]>> -> tensor<8x8xf32>
  tile.store %0, %y[%c0, %c0] : tensor<8x8xf32>, memref<8x8xf32>
  tile.return
}
