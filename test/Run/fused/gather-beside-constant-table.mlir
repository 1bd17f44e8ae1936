// A row beside a table is 0, also if every element of the table is one number.

// RUN: fuse-run %s --verify --seed=480 | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @graph() -> tensor<1x1x1xf32> {
  %cst = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
  %cst_0 = arith.constant dense<1> : tensor<1x1xi64>
  %0 = fuse.gather %cst[%cst_0] : tensor<1x1xf32>, tensor<1x1xi64>
  return %0 : tensor<1x1x1xf32>
}
