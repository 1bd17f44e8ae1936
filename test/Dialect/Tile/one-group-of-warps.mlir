// Where each processor has one block of 128 rows, four warps multiply both
// halves of them, if the copy engine brings all that they multiply, and nothing
// else is read for each sum.

// RUN: fuse-opt %s --split-input-file --fuse-to-tiles=machine=h200 --fuse-tiles-to-placed=chip=sm_90a | FileCheck %s

// CHECK: tile.kernel @layer_0({{.*}}parallel = [128, 128]{{.*}}tile.warps = 4
!x = tensor<1024x2048xbf16>
!w = tensor<2048x2048xbf16>
!y = tensor<1024x2048xf32>
func.func @layer(%x: !x, %w: !w, %b: tensor<2048xf32>) -> !x {
  %product = fuse.matmul %x, %w : !x, !w -> !y
  %bias = fuse.broadcast %b dims [1] : tensor<2048xf32> -> !y
  %sum = arith.addf %product, %bias : !y
  %z = arith.truncf %sum : !y to !x
  return %z : !x
}

// -----

// CHECK: tile.kernel @residual_0({{.*}}parallel = [128, 128]{{.*}}tile.warps = 8
!x = tensor<1024x2048xbf16>
!w = tensor<2048x2048xbf16>
!y = tensor<1024x2048xf32>
func.func @residual(%x: !x, %w: !w, %r: !y) -> !x {
  %product = fuse.matmul %x, %w : !x, !w -> !y
  %sum = arith.addf %product, %r : !y
  %z = arith.truncf %sum : !y to !x
  return %z : !x
}

// -----

// More than a processor has one of walk.
// CHECK: tile.kernel @many_0({{.*}}tile.warps = 8
!x = tensor<4096x4096xbf16>
!y = tensor<4096x4096xf32>
func.func @many(%x: !x, %w: !x) -> !x {
  %product = fuse.matmul %x, %w : !x, !x -> !y
  %z = arith.truncf %product : !y to !x
  return %z : !x
}

// -----

// Of few terms the end is a large part, which eight warps do sooner.
// CHECK: tile.kernel @short_0({{.*}}parallel = [128, 128]{{.*}}tile.warps = 8
!x = tensor<2048x256xbf16>
!w = tensor<256x1024xbf16>
!y = tensor<2048x1024xf32>
!z = tensor<2048x1024xbf16>
func.func @short(%x: !x, %w: !w) -> !z {
  %product = fuse.matmul %x, %w : !x, !w -> !y
  %z = arith.truncf %product : !y to !z
  return %z : !z
}
