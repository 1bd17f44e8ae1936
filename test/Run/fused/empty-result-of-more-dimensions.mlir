// A result with fewer dimensions is written by one block, also where another one is
// empty.

// RUN: fuse-run %s --verify=exact | FileCheck %s
// CHECK: verify: right
// CHECK: verify: right

func.func @graph() -> (tensor<1xi1>, tensor<1x1x0x1xf32>) {
  %cst = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<1xf32>
  %0 = fuse.broadcast %cst dims [0, 3] : tensor<1x1xf32> -> tensor<1x1x0x1xf32>
  %1 = arith.cmpf olt, %cst_0, %cst_0 : tensor<1xf32>
  return %1, %0 : tensor<1xi1>, tensor<1x1x0x1xf32>
}
