// REQUIRES: ptxas

// Of 128 sums a thread a bias and a residual take 128 registers more. Both are
// asked for piece by piece; all at once threads spilled 252 bytes.

// RUN: fuse-run %s --chip=sm_90a --variants=aligned --image=%t.fuse | FileCheck %s
// CHECK: chip     warps  registers  spilled
// CHECK-NEXT: sm_90a 12 168 0 {{.*}} @layer_0

func.func @layer(%x: tensor<16384x768xbf16>, %w: tensor<768x768xbf16>, %b: tensor<768xf32>, %r: tensor<16384x768xbf16>) -> tensor<16384x768xbf16> {
  %product = fuse.matmul %x, %w : tensor<16384x768xbf16>, tensor<768x768xbf16> -> tensor<16384x768xf32>
  %bias = fuse.broadcast %b dims [1] : tensor<768xf32> -> tensor<16384x768xf32>
  %biased = arith.addf %product, %bias : tensor<16384x768xf32>
  %wide = arith.extf %r : tensor<16384x768xbf16> to tensor<16384x768xf32>
  %sum = arith.addf %biased, %wide : tensor<16384x768xf32>
  %y = arith.truncf %sum : tensor<16384x768xf32> to tensor<16384x768xbf16>
  return %y : tensor<16384x768xbf16>
}
