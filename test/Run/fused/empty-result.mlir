// A result without elements beside one that has some.

// RUN: fuse-run %s --verify --seed=879 | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @graph() -> (tensor<1x1x0x1xf32>, tensor<1xf32>) {
  %cst = arith.constant dense<1.000000e+00> : tensor<1xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %0 = fuse.broadcast %cst_0 dims [0, 1, 3] : tensor<1x1x1xf32> -> tensor<1x1x0x1xf32>
  return %0, %cst : tensor<1x1x0x1xf32>, tensor<1xf32>
}
