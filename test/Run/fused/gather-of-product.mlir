// Indices of several integer types meet in one address.

// RUN: fuse-run %s --verify --seed=967 | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @graph(%arg0: tensor<1x1x1x1xbf16> {fuse.fill = #fuse.fill<uniform, -1, 1>, fuse.name = "a1"}) -> tensor<1x1x1x1xf32> {
  %cst = arith.constant dense<1.000000e+00> : tensor<1x1xbf16>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<1xf32>
  %cst_1 = arith.constant dense<1> : tensor<1xi32>
  %0 = fuse.linear %arg0, %cst bias %cst_0 : tensor<1x1x1x1xbf16>, tensor<1x1xbf16>, tensor<1xf32> -> tensor<1x1x1x1xf32>
  %1 = fuse.gather %0[%cst_1] : tensor<1x1x1x1xf32>, tensor<1xi32>
  return %1 : tensor<1x1x1x1xf32>
}
