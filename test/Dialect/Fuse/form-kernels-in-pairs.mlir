// Processors have memory in pairs. Few rows and many weights: 58 blocks that have a pair each get all of it, 115 and 116
// do not, and two blocks on a processor do again.

// RUN: fuse-opt %s --split-input-file --fuse-form-kernels=machine=h200 | FileCheck %s

// CHECK-LABEL: func @sixteen
//       CHECK:   schedule(#fuse.schedule<parallel = [16, 192], sequential = [r11008_0 = 64], owned = 0>)
!w = tensor<11008x11008xbf16>
!x16 = tensor<16x11008xbf16>
func.func @sixteen(%x: !x16, %w: !w) -> !x16 {
  %product = fuse.matmul %x, %w : !x16, !w -> tensor<16x11008xf32>
  %y = arith.truncf %product : tensor<16x11008xf32> to !x16
  return %y : !x16
}

// -----

// CHECK-LABEL: func @sixty_four
//       CHECK:   schedule(#fuse.schedule<parallel = [64, 64], {{.*}} residents = 2>)
!w = tensor<11008x11008xbf16>
!x64 = tensor<64x11008xbf16>
func.func @sixty_four(%x: !x64, %w: !w) -> !x64 {
  %product = fuse.matmul %x, %w : !x64, !w -> tensor<64x11008xf32>
  %y = arith.truncf %product : tensor<64x11008xf32> to !x64
  return %y : !x64
}

// -----

// Sixty-four blocks need no chunks.
// CHECK-LABEL: func @short
//       CHECK:   schedule(#fuse.schedule<parallel = [8, 64], sequential = [r768_0 = 128], owned = 0>)
!w = tensor<768x4096xbf16>
!x = tensor<1x768xbf16>
func.func @short(%x: !x, %w: !w) -> tensor<1x4096xbf16> {
  %product = fuse.matmul %x, %w : !x, !w -> tensor<1x4096xf32>
  %y = arith.truncf %product : tensor<1x4096xf32> to tensor<1x4096xbf16>
  return %y : tensor<1x4096xbf16>
}

// -----

// Nor do sixteen, since what is alone on its pair reads fast: 2.6 us, and 3.0 in four chunks.
// CHECK-LABEL: func @sixteen_blocks
//       CHECK:   schedule(#fuse.schedule<parallel = [16, 64], sequential = [r1024_0 = 128], owned = 0>)
!w = tensor<1024x1024xbf16>
!x = tensor<16x1024xbf16>
func.func @sixteen_blocks(%x: !x, %w: !w) -> !x {
  %product = fuse.matmul %x, %w : !x, !w -> tensor<16x1024xf32>
  %y = arith.truncf %product : tensor<16x1024xf32> to !x
  return %y : !x
}

// -----

// Clusters of two find pairs of their own, those of eight do not: 4.4 us, and 6.1 in eight chunks of 192 columns.
// CHECK-LABEL: func @clusters
//       CHECK:   schedule(#fuse.schedule<parallel = [32, 64], sequential = [r2048_0 = 128], owned = 0, split = 2, merge = cluster>)
!w = tensor<2048x2048xbf16>
!x = tensor<32x2048xbf16>
func.func @clusters(%x: !x, %w: !w) -> !x {
  %product = fuse.matmul %x, %w : !x, !w -> tensor<32x2048xf32>
  %y = arith.truncf %product : tensor<32x2048xf32> to !x
  return %y : !x
}

// -----

// Of tf32 a block does not get as much.
// CHECK-LABEL: func @tf32
//       CHECK:   schedule(#fuse.schedule<parallel = [16, 64], {{.*}} split = 2, merge = cluster>)
!w = tensor<4096x4096xf32>
!x = tensor<16x4096xf32>
func.func @tf32(%x: !x, %w: !w) -> !x {
  %y = fuse.matmul %x, %w precision tf32 : !x, !w -> !x
  return %y : !x
}
