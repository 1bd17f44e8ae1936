// What cannot be placed is said so.

// RUN: fuse-opt %s --tile-assign-layouts --split-input-file --verify-diagnostics

tile.kernel @k(%x: memref<2xf32>, %y: memref<2xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{has a layout already, but layouts are assigned once}}
  %0 = tile.load %x[%c0] : memref<2xf32> -> tensor<2xf32, #tile.layout<cell = [2] reg = [[1]]>>
  tile.return
}

// -----

tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{has several numbers, but constants of a kernel have one; pass it as an input}}
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  tile.store %0, %y[%c0] : tensor<2xf32>, memref<2xf32>
  tile.return
}

// -----

// Rows of two axes are one axis of 6 to an instruction, and threads divide
// powers of two only.
tile.kernel @k(%x: memref<2x3x8xf32>, %w: memref<8x8xf32>, %y: memref<2x3x8xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0, %c0] : memref<2x3x8xf32> -> tensor<2x3x8xf32>
  %1 = tile.load %w[%c0, %c0] : memref<8x8xf32> -> tensor<8x8xf32>
  %zero = arith.constant dense<0.0> : tensor<2x3x8xf32>
  // expected-error @+1 {{cannot be laid out: merged axes need sizes that are powers of two}}
  %2 = tile.dot %0, %1, %zero : tensor<2x3x8xf32>, tensor<8x8xf32> -> tensor<2x3x8xf32>
  tile.store %2, %y[%c0, %c0, %c0] : tensor<2x3x8xf32>, memref<2x3x8xf32>
  tile.return
}

// -----

// A line of code for each of so many elements is more than LLVM can take.
tile.kernel @k(%x: memref<1024x1024xf32>, %y: memref<1024xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{leaves 32768 elements of 'f32' to each thread, but there may be at most 1024; smaller windows, or more warps, have fewer}}
  %0 = tile.load %x[%c0, %c0] : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %1 = tile.reduce sum %0 dims [1] : tensor<1024x1024xf32> -> tensor<1024xf32>
  tile.store %1, %y[%c0] : tensor<1024xf32>, memref<1024xf32>
  tile.return
}
