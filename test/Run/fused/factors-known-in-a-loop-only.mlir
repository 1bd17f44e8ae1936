// The sum of b varies with nothing, and is known only in the loop in which the
// second statistic is computed. What it is a factor of is computed there, too.

// RUN: fuse-run %s --target=cpu --verify \
// RUN:   --schedule="@rows_0:sequential = [r33_0 = 2, r3_0 = 3], owned = [2]" | FileCheck %s
// RUN: fuse-run %s --target=simulate --chip=sm_90a --verify \
// RUN:   --schedule="@rows_0:sequential = [r33_0 = 2, r3_0 = 3], owned = [2]" | FileCheck %s
// CHECK: verify: right

!t = tensor<4x3x33xf32>

func.func @rows(%x: !t, %b: tensor<33xf32>) -> !t {
  %v = fuse.reduce sum %x dims [2] : !t
  %vb = fuse.broadcast %v dims [0, 1] : tensor<4x3xf32> -> !t
  %bb = fuse.broadcast %b dims [2] : tensor<33xf32> -> !t
  %n = arith.mulf %bb, %vb : !t
  %s = fuse.reduce sum %n dims [2] : !t
  %sb = fuse.broadcast %s dims [0, 1] : tensor<4x3xf32> -> !t
  %d = arith.subf %n, %sb : !t
  %c = fuse.reduce sum %d dims [1] : !t
  %cb = fuse.broadcast %c dims [0, 2] : tensor<4x33xf32> -> !t
  %y = arith.subf %d, %cb : !t
  return %y : !t
}
