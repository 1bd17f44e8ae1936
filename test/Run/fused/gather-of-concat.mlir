// The seam of a table is compared with an index of its own type.

// RUN: fuse-run %s --verify --seed=100 | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @graph() -> tensor<f32> {
  %cst = arith.constant dense<1.000000e+00> : tensor<1xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<1xf32>
  %cst_1 = arith.constant dense<1> : tensor<i32>
  %0 = fuse.concat %cst, %cst_0, %cst_0 dim 0 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
  %1 = fuse.gather %0[%cst_1] : tensor<3xf32>, tensor<i32>
  return %1 : tensor<f32>
}
