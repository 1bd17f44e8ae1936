// What a CPU reads ahead is a few rows: a block of a large array has no more
// short ones.

// RUN: fuse-opt %s --split-input-file --fuse-form-kernels=machine=cpu | FileCheck %s

// CHECK: #fuse.schedule<parallel = [16], sequential = [r4096_0 = 4096], owned = 0>
func.func @sum_of_rows(%x: tensor<8192x4096xf32>) -> tensor<8192xf32> {
  %0 = fuse.reduce sum %x dims [1] : tensor<8192x4096xf32>
  return %0 : tensor<8192xf32>
}

// -----

// CHECK: #fuse.schedule<parallel = [4, 128], owned = 0>
func.func @points(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %0 = math.absf %x : tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}

// -----

// Small enough for the caches, where rows may be as many as they like.
// CHECK: #fuse.schedule<parallel = [128, 128], owned = 0>
func.func @small(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = math.absf %x : tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
