// Where a processor has one block, 64 rows and many columns are as good as 128
// rows, if rows are long and more than two blocks read the larger factor.

// RUN: fuse-opt %s --split-input-file --fuse-form-kernels=machine=h200 | FileCheck %s

// CHECK-LABEL: func @fed
//       CHECK:   schedule(#fuse.schedule<parallel = [64, 128], sequential = [r4096_0 = 64], owned = 0>)
!x = tensor<1024x4096xbf16>
!w = tensor<4096x1024xbf16>
!y = tensor<1024x1024xf32>
func.func @fed(%x: !x, %w: !w) -> tensor<1024x1024xbf16> {
  %product = fuse.matmul %x, %w : !x, !w -> !y
  %z = arith.truncf %product : !y to tensor<1024x1024xbf16>
  return %z : tensor<1024x1024xbf16>
}

// -----

// Two rows of blocks would read each weight twice from memory.
// CHECK-LABEL: func @streamed
//       CHECK:   schedule(#fuse.schedule<parallel = [128, 64]
!x = tensor<128x4096xbf16>
!w = tensor<4096x4096xbf16>
!y = tensor<128x4096xf32>
func.func @streamed(%x: !x, %w: !w) -> tensor<128x4096xbf16> {
  %product = fuse.matmul %x, %w : !x, !w -> !y
  %z = arith.truncf %product : !y to tensor<128x4096xbf16>
  return %z : tensor<128x4096xbf16>
}
