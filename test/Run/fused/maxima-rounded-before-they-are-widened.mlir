// What has been summed was shifted by a multiple of the maximum that had been rounded to bf16, so what corrects it is the
// difference of two such numbers. That of the maxima, multiplied without rounding, is another one: old blocks weighed
// more or less than new ones.

// DEFINE: %{window} = 256
// DEFINE: %{run} = fuse-run %s --verify --schedule="@sm_0:parallel = [4], owned = 1, sequential = [r256_0 = %{window}]" | FileCheck %s
// CHECK: verify: right
// RUN: %{run}
// REDEFINE: %{window} = 16
// RUN: %{run}
// REDEFINE: %{window} = 4
// RUN: %{run}

func.func @sm(%x0: tensor<16x256xbf16> {fuse.name = "x"}) -> tensor<16x256xf32> {
  %k = arith.constant dense<60.0> : tensor<16x256xbf16>
  %c = arith.constant dense<0.69921875> : tensor<16xbf16>
  %cw = arith.constant dense<0.69921875> : tensor<16x256xf32>
  %x = arith.mulf %x0, %k : tensor<16x256xbf16>
  %m = fuse.reduce max %x dims [1] : tensor<16x256xbf16>
  %mc = arith.mulf %m, %c : tensor<16xbf16>
  %mw = arith.extf %mc : tensor<16xbf16> to tensor<16xf32>
  %mb = fuse.broadcast %mw dims [0] : tensor<16xf32> -> tensor<16x256xf32>
  %xw = arith.extf %x : tensor<16x256xbf16> to tensor<16x256xf32>
  %xs = arith.mulf %xw, %cw : tensor<16x256xf32>
  %d = arith.subf %xs, %mb : tensor<16x256xf32>
  %e = math.exp %d : tensor<16x256xf32>
  %s = fuse.reduce sum %e dims [1] : tensor<16x256xf32>
  %sb = fuse.broadcast %s dims [0] : tensor<16xf32> -> tensor<16x256xf32>
  %y = arith.divf %e, %sb : tensor<16x256xf32>
  return %y : tensor<16x256xf32>
}
