// A dimension that is collapsed may be empty.

// RUN: fuse-run %s --verify --seed=64 | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @graph() -> tensor<0xf32> {
  %cst = arith.constant dense<1.000000e+00> : tensor<1x0xf32>
  %0 = fuse.collapse %cst dims [0, 1] : tensor<1x0xf32>
  return %0 : tensor<0xf32>
}
