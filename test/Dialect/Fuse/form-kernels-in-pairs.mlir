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

// -----

// Rows that begin within sectors are asked for once for eight blocks, also in two turns of 120: 86 us, and 120 in pairs.
// CHECK-LABEL: func @eights_in_turns
//       CHECK:   schedule(#fuse.schedule<parallel = [128, 192], sequential = [r5000_0 = 64], owned = 0, cluster = [8, 1]>)
!x = tensor<5000x5000xbf16>
!w = tensor<5000x1000xbf16>
!y = tensor<5000x1000xbf16>
func.func @eights_in_turns(%x: !x, %w: !w) -> !y {
  %product = fuse.matmul %x, %w : !x, !w -> tensor<5000x1000xf32>
  %y = arith.truncf %product : tensor<5000x1000xf32> to !y
  return %y : !y
}

// -----

// More sums a thread save a turn, and lines: 85 us, and 93 in pairs of 128 x 192.
// CHECK-LABEL: func @many_sums
//       CHECK:   schedule(#fuse.schedule<parallel = [256, 160], sequential = [r3000_0 = 64], owned = 0, cluster = [4, 1]>)
!m = tensor<3000x3000xbf16>
func.func @many_sums(%x: !m, %w: !m) -> !m {
  %turned = fuse.transpose %w [1, 0] : !m
  %product = fuse.matmul %x, %turned : !m, !m -> tensor<3000x3000xf32>
  %y = arith.truncf %product : tensor<3000x3000xf32> to !m
  return %y : !m
}

// -----

// Not where a polynomial needs the registers.
// CHECK-LABEL: func @polynomial
//   CHECK-NOT:   schedule(#fuse.schedule<parallel = [256, 160],
//       CHECK:   schedule(#fuse.schedule<parallel = [128, 192], {{.*}} cluster = [2, 1]>)
!m = tensor<3000x3000xbf16>
!f = tensor<3000x3000xf32>
func.func @polynomial(%x: !m, %w: !m) -> !m {
  %turned = fuse.transpose %w [1, 0] : !m
  %product = fuse.matmul %x, %turned : !m, !m -> !f
  %erf = math.erf %product : !f
  %scaled = arith.mulf %product, %erf : !f
  %y = arith.truncf %scaled : !f to !m
  return %y : !m
}

// -----

// Rows that begin with a sector come as lines do: 108 us, and 114 in pairs of 256 x 96.
// CHECK-LABEL: func @sectors
//       CHECK:   schedule(#fuse.schedule<parallel = [128, 192], sequential = [r2000_0 = 64], owned = 0, crews = 2>)
!x = tensor<6000x2000xbf16>
!w = tensor<3000x2000xbf16>
!y = tensor<6000x3000xbf16>
func.func @sectors(%x: !x, %w: !w) -> !y {
  %turned = fuse.transpose %w [1, 0] : !w
  %product = fuse.matmul %x, %turned : !x, tensor<2000x3000xbf16> -> tensor<6000x3000xf32>
  %y = arith.truncf %product : tensor<6000x3000xf32> to !y
  return %y : !y
}

// -----

// Narrow tiles read more of shared memory than it gives: 18.4 us, and 23.7 in 256 x 64.
// CHECK-LABEL: func @not_narrow
//       CHECK:   schedule(#fuse.schedule<parallel = [128, 128], sequential = [r3000_0 = 64], owned = 0, cluster = [8, 1]>)
!x = tensor<1000x3000xbf16>
!w = tensor<3000x1000xbf16>
!y = tensor<1000x1000xbf16>
func.func @not_narrow(%x: !x, %w: !w) -> !y {
  %product = fuse.matmul %x, %w : !x, !w -> tensor<1000x1000xf32>
  %y = arith.truncf %product : tensor<1000x1000xf32> to !y
  return %y : !y
}

// -----

// What a block copies for others is whole patterns of a swizzle: of 176 columns eight blocks would have 22 rows each,
// which takes 48.6 us for 40.1.
// CHECK-LABEL: func @whole_patterns
//       CHECK:   schedule(#fuse.schedule<parallel = [256, 176], sequential = [r1000_0 = 64], owned = 0, cluster = [1, 2]>)
!x = tensor<10000x1000xbf16>
!w = tensor<1000x1000xbf16>
func.func @whole_patterns(%x: !x, %w: !w) -> !x {
  %turned = fuse.transpose %w [1, 0] : !w
  %product = fuse.matmul %x, %turned : !x, !w -> tensor<10000x1000xf32>
  %y = arith.truncf %product : tensor<10000x1000xf32> to !x
  return %y : !x
}
