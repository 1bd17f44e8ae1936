// What a block owns need not be what varies last: a channel of a batch norm is all of the batch and of the pixels. It was
// read once for each reduction, by two blocks that had a half of the output each: 114 us in place of 42.

// RUN: fuse-opt %s --fuse-decompose --fuse-form-kernels=machine=h200 --split-input-file | FileCheck %s

// CHECK-LABEL: func @batch_norm
//       CHECK:   fuse.kernel @batch_norm_0
//  CHECK-SAME:   schedule(#fuse.schedule<parallel = [1, 1], sequential = [r256_0 = 256, r784_0 = 1024], owned = [0, 2], warps = 8, share = 4>)
//   CHECK-NOT:   fuse.kernel
func.func @batch_norm(%x: tensor<256x128x784xbf16>, %s: tensor<128xf32>, %t: tensor<128xf32>) -> tensor<256x128x784xbf16> {
  %0 = arith.extf %x : tensor<256x128x784xbf16> to tensor<256x128x784xf32>
  %1 = fuse.reduce mean %0 dims [0, 2] : tensor<256x128x784xf32>
  %2 = fuse.broadcast %1 dims [1] : tensor<128xf32> -> tensor<256x128x784xf32>
  %3 = arith.subf %0, %2 : tensor<256x128x784xf32>
  %4 = arith.mulf %3, %3 : tensor<256x128x784xf32>
  %5 = fuse.reduce mean %4 dims [0, 2] : tensor<256x128x784xf32>
  %6 = arith.constant dense<1.0e-05> : tensor<128xf32>
  %7 = arith.addf %5, %6 : tensor<128xf32>
  %8 = math.rsqrt %7 : tensor<128xf32>
  %9 = arith.mulf %8, %s : tensor<128xf32>
  %10 = fuse.broadcast %9 dims [1] : tensor<128xf32> -> tensor<256x128x784xf32>
  %11 = arith.mulf %3, %10 : tensor<256x128x784xf32>
  %12 = fuse.broadcast %t dims [1] : tensor<128xf32> -> tensor<256x128x784xf32>
  %13 = arith.addf %11, %12 : tensor<256x128x784xf32>
  %14 = arith.truncf %13 : tensor<256x128x784xf32> to tensor<256x128x784xbf16>
  return %14 : tensor<256x128x784xbf16>
}

// -----

// Of a softmax along the second of three the third is not owned.
// CHECK-LABEL: func @softmax
//       CHECK:   fuse.kernel @softmax_0
//  CHECK-SAME:   schedule(#fuse.schedule<parallel = [1, 1, 32], sequential = [r1000_0 = 1024], owned = [1]>)
//   CHECK-NOT:   fuse.kernel
func.func @softmax(%x: tensor<64x1000x512xbf16>) -> tensor<64x1000x512xbf16> {
  %0 = arith.extf %x : tensor<64x1000x512xbf16> to tensor<64x1000x512xf32>
  %1 = fuse.softmax %0 dim 1 : tensor<64x1000x512xf32>
  %2 = arith.truncf %1 : tensor<64x1000x512xf32> to tensor<64x1000x512xbf16>
  return %2 : tensor<64x1000x512xbf16>
}

// -----

// What is between two that are owned is owned if a statistic runs over it, too.
// CHECK-LABEL: func @group_norm
//       CHECK:   owned = 2
//   CHECK-NOT:   fuse.kernel
func.func @group_norm(%x: tensor<16x32x20x196xf32>) -> tensor<16x32x20x196xf32> {
  %0 = fuse.reduce max %x dims [2, 3] : tensor<16x32x20x196xf32>
  %1 = fuse.broadcast %0 dims [0, 1] : tensor<16x32xf32> -> tensor<16x32x20x196xf32>
  %2 = arith.subf %x, %1 : tensor<16x32x20x196xf32>
  return %2 : tensor<16x32x20x196xf32>
}
