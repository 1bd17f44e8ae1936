// A sum of f16 is rounded for everybody: what is left of it when its own mean is
// taken off is 0. With more digits in one place than in the other it was not.

// RUN: fuse-run %s --seed=164 --verify | FileCheck %s
// CHECK: out0: {{.*}} from 0 to 0
// CHECK: verify: right

func.func @graph(%x: tensor<1x1x1xf16> {fuse.fill = #fuse.fill<uniform, -1, 1>}) -> tensor<1x1x1x1xf32> {
  %one = arith.constant dense<1.0> : tensor<1x1x1xf16>
  %0 = arith.addf %x, %one : tensor<1x1x1xf16>
  %1 = fuse.broadcast %0 dims [0, 1, 2] : tensor<1x1x1xf16> -> tensor<1x1x1x1xf16>
  %2 = fuse.layer_norm %1 eps 1.0e-02 : tensor<1x1x1x1xf16>
  %3 = fuse.matmul %2, %1 : tensor<1x1x1x1xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x1x1xf32>
  return %3 : tensor<1x1x1x1xf32>
}
