// RUN: fuse-opt %s --fuse-form-kernels=machine=h200 | FileCheck %s

// Of many rows and few columns memory is all that takes time. Blocks that read
// all terms at once wait for it together.
// CHECK-LABEL: func @few_columns
//       CHECK:   schedule(#fuse.schedule<parallel = [128, 32], sequential = [r128_0 = 128], owned = 0>)
func.func @few_columns(%x: tensor<100000x128xbf16>, %w: tensor<128x32xbf16>) -> tensor<100000x32xbf16> {
  %s = fuse.matmul %x, %w : tensor<100000x128xbf16>, tensor<128x32xbf16> -> tensor<100000x32xf32>
  %y = arith.truncf %s : tensor<100000x32xf32> to tensor<100000x32xbf16>
  return %y : tensor<100000x32xbf16>
}

// Rows of 32 bytes, four to a line, of 64 rows of a factor are not asked for by
// 1563 blocks twice each.
// CHECK-LABEL: func @short_lines
//   CHECK-NOT:   parallel = [64, 16], sequential = [r64_0 = 32]
//       CHECK:   sequential = [r64_0 = 64], owned = 0>)
func.func @short_lines(%x: tensor<100000x64xbf16>, %w: tensor<64x16xbf16>) -> tensor<100000x16xbf16> {
  %s = fuse.matmul %x, %w : tensor<100000x64xbf16>, tensor<64x16xbf16> -> tensor<100000x16xf32>
  %y = arith.truncf %s : tensor<100000x16xf32> to tensor<100000x16xbf16>
  return %y : tensor<100000x16xbf16>
}

// With more sums a thread fewer blocks share a processor.
// CHECK-LABEL: func @columns
//   CHECK-NOT:   parallel = [64, 128]
//       CHECK:   schedule(#fuse.schedule<parallel = [{{128|256}}, {{128|256}}]
func.func @columns(%x: tensor<100000x64xbf16>, %w: tensor<64x256xbf16>) -> tensor<100000x256xbf16> {
  %s = fuse.matmul %x, %w : tensor<100000x64xbf16>, tensor<64x256xbf16> -> tensor<100000x256xf32>
  %y = arith.truncf %s : tensor<100000x256xf32> to tensor<100000x256xbf16>
  return %y : tensor<100000x256xbf16>
}
