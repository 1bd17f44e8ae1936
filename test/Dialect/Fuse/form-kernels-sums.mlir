// Columns are summed in chunks of their rows, which a second launch merges, and
// read in whole lines. Blocks do not share what is no row, nor do clusters of
// eight merge what takes so little of a processor.

// RUN: fuse-opt %s --fuse-form-kernels=machine=h200 --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @columns
//       CHECK:   parallel = [{{32|64|128|256}}], {{.*}}, split = {{[0-9]+}}>
//   CHECK-NOT:   share
//       CHECK:   return
func.func @columns(%x: tensor<8192x4096xbf16>) -> tensor<4096xf32> {
  %0 = arith.extf %x : tensor<8192x4096xbf16> to tensor<8192x4096xf32>
  %1 = fuse.reduce sum %0 dims [0] : tensor<8192x4096xf32>
  return %1 : tensor<4096xf32>
}

// -----

// CHECK-LABEL: func.func @long_columns
//       CHECK:   parallel = [{{32|64|128|256}}], {{.*}}, split = {{[0-9]+}}>
//   CHECK-NOT:   share
//       CHECK:   return
func.func @long_columns(%x: tensor<11008xf32>, %w: tensor<11008x768xbf16>) -> tensor<768xf32> {
  %0 = arith.extf %w : tensor<11008x768xbf16> to tensor<11008x768xf32>
  %1 = fuse.broadcast %x dims [0] : tensor<11008xf32> -> tensor<11008x768xf32>
  %2 = arith.mulf %0, %1 : tensor<11008x768xf32>
  %3 = fuse.reduce sum %2 dims [0] : tensor<11008x768xf32>
  return %3 : tensor<768xf32>
}

// -----

// One row times a weight whose rows begin within words is a sum, in a window of
// one row; if they are copied ahead, it is a product.
// CHECK-LABEL: func.func @within_words
//       CHECK:   parallel = [1, {{[0-9]+}}]
func.func @within_words(%x: tensor<1x768xbf16>, %w: tensor<768x50257xbf16>) -> tensor<1x50257xf32> {
  %0 = fuse.matmul %x, %w : tensor<1x768xbf16>, tensor<768x50257xbf16> -> tensor<1x50257xf32>
  return %0 : tensor<1x50257xf32>
}

// -----

// CHECK-LABEL: func.func @at_words
//       CHECK:   parallel = [8, {{[0-9]+}}]
func.func @at_words(%x: tensor<1x768xbf16>, %w: tensor<768x50258xbf16>) -> tensor<1x50258xf32> {
  %0 = fuse.matmul %x, %w : tensor<1x768xbf16>, tensor<768x50258xbf16> -> tensor<1x50258xf32>
  return %0 : tensor<1x50258xf32>
}

// -----

// Of 16 clusters of eight blocks that each need a processor 15 fit at a time.
// CHECK-LABEL: func.func @clusters
//   CHECK-NOT:   split = 8, merge = cluster
//       CHECK:   return
func.func @clusters(%x: tensor<16x11008xbf16>, %w: tensor<1000x11008xbf16>) -> tensor<16x1000xf32> {
  %0 = fuse.transpose %w [1, 0] : tensor<1000x11008xbf16>
  %1 = fuse.matmul %x, %0 : tensor<16x11008xbf16>, tensor<11008x1000xbf16> -> tensor<16x1000xf32>
  return %1 : tensor<16x1000xf32>
}

// -----

// Four warps multiply 64 rows; with 512 columns each thread would have 256 sums.
// CHECK-LABEL: func.func @sums_of_threads
//   CHECK-NOT:   [64, 512]
//       CHECK:   return
func.func @sums_of_threads(%x: tensor<64x768xbf16>, %w: tensor<50257x768xbf16>, %b: tensor<50257xf32>) -> tensor<64x50257xbf16> {
  %0 = fuse.transpose %w [1, 0] : tensor<50257x768xbf16>
  %1 = fuse.matmul %x, %0 : tensor<64x768xbf16>, tensor<768x50257xbf16> -> tensor<64x50257xf32>
  %2 = fuse.broadcast %b dims [1] : tensor<50257xf32> -> tensor<64x50257xf32>
  %3 = arith.addf %1, %2 : tensor<64x50257xf32>
  %4 = math.tanh %3 : tensor<64x50257xf32>
  %5 = arith.truncf %4 : tensor<64x50257xf32> to tensor<64x50257xbf16>
  return %5 : tensor<64x50257xbf16>
}

// -----

// Of f32 16 columns are half a line, and the other half comes more slowly by
// itself.
// CHECK-LABEL: func.func @whole_lines
//       CHECK:   parallel = [{{32|64|128|256}}], {{.*}}, split = {{[0-9]+}}>
//       CHECK:   return
func.func @whole_lines(%x: tensor<4096x4096xf32>, %v: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = fuse.broadcast %v dims [0] : tensor<4096xf32> -> tensor<4096x4096xf32>
  %1 = arith.mulf %x, %0 : tensor<4096x4096xf32>
  %2 = fuse.reduce sum %1 dims [0] : tensor<4096x4096xf32>
  return %2 : tensor<4096xf32>
}

// -----

// A thread that does nothing but reduce a row has two vectors of it.
// CHECK-LABEL: func.func @rows
//       CHECK:   parallel = [1], sequential = [r4096_0 = 4096], owned = 0, warps = 16>
//       CHECK:   return
func.func @rows(%x: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %0 = fuse.reduce sum %x dims [1] : tensor<4096x4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

// CHECK-LABEL: func.func @narrow_rows
//       CHECK:   parallel = [1], sequential = [r4096_0 = 4096], owned = 0, warps = 8>
//       CHECK:   return
func.func @narrow_rows(%x: tensor<4096x4096xbf16>) -> tensor<4096xf32> {
  %0 = arith.extf %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuse.reduce sum %0 dims [1] : tensor<4096x4096xf32>
  return %1 : tensor<4096xf32>
}
