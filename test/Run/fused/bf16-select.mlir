// A choice among bf16: it is one among their bits.

// RUN: fuse-run %s --verify=exact --seed=376 | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @graph(%arg0: tensor<9x9xbf16> {fuse.fill = #fuse.fill<integers, -3, 3>, fuse.name = "a2"}) -> tensor<9x9xbf16> {
  %cst = arith.constant dense<true> : tensor<9x9xi1>
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<9x9xbf16>
  %0 = arith.select %cst, %arg0, %cst_0 : tensor<9x9xi1>, tensor<9x9xbf16>
  return %0 : tensor<9x9xbf16>
}
