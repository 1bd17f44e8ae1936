// What is kept is summed as it is written, by one reduction or several along the same axes: those along others follow.

// RUN: fuse-run %s --entry=two --target=cpu --verify | FileCheck %s --implicit-check-not=WRONG
// RUN: fuse-run %s --entry=three --target=cpu --verify | FileCheck %s --implicit-check-not=WRONG
// CHECK: verify: right

func.func @two(%x: tensor<2x8xf64> {fuse.fill = #fuse.fill<uniform, 0.5, 2>}) -> (tensor<2x8xf64>, tensor<2xf64>) {
  %one = arith.constant dense<1.0> : tensor<2x8xf64>
  %q = arith.divf %one, %x : tensor<2x8xf64>
  %rows = fuse.reduce sum %q dims [1] : tensor<2x8xf64>
  %all = fuse.reduce sum %q dims [0, 1] : tensor<2x8xf64>
  %s = fuse.broadcast %all dims [] : tensor<f64> -> tensor<2x8xf64>
  %n = arith.divf %q, %s : tensor<2x8xf64>
  return %n, %rows : tensor<2x8xf64>, tensor<2xf64>
}

func.func @three(%x: tensor<4x8xf32> {fuse.fill = #fuse.fill<uniform, 0.5, 2>}) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>) {
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %q = arith.divf %one, %x : tensor<4x8xf32>
  %rows = fuse.reduce sum %q dims [1] : tensor<4x8xf32>
  %columns = fuse.reduce max %q dims [0] : tensor<4x8xf32>
  %all = fuse.reduce sum %q dims [0, 1] : tensor<4x8xf32>
  %s = fuse.broadcast %all dims [] : tensor<f32> -> tensor<4x8xf32>
  %n = arith.divf %q, %s : tensor<4x8xf32>
  return %n, %rows, %columns : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>
}
