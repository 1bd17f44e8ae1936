// Positions of 8 and 16 bits wrap, as they are compared, counted and converted.

// RUN: fuse-run %s --entry=count --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=mean --verify | FileCheck %s
// RUN: fuse-run %s --entry=converted --verify=exact | FileCheck %s
// CHECK: verify: right

func.func @count(%x: tensor<300xf32> {fuse.fill = #fuse.fill<integers, 1, 1>}) -> tensor<f32> {
  %i = fuse.iota dim 0 : tensor<300xi8>
  %end = arith.constant dense<100> : tensor<300xi8>
  %is = arith.cmpi slt, %i, %end : tensor<300xi8>
  %one = arith.constant dense<1.0> : tensor<300xf32>
  %none = arith.constant dense<0.0> : tensor<300xf32>
  %0 = arith.select %is, %one, %none : tensor<300xi1>, tensor<300xf32>
  %1 = fuse.reduce sum %0 dims [0] : tensor<300xf32>
  return %1 : tensor<f32>
}

func.func @mean(%x: tensor<4x300xf32>) -> tensor<4xf32> {
  %i = fuse.iota dim 1 : tensor<4x300xi8>
  %end = arith.constant dense<100> : tensor<4x300xi8>
  %is = arith.cmpi slt, %i, %end : tensor<4x300xi8>
  %none = arith.constant dense<0.0> : tensor<4x300xf32>
  %0 = arith.select %is, %x, %none : tensor<4x300xi1>, tensor<4x300xf32>
  %1 = fuse.reduce mean %0 dims [1] : tensor<4x300xf32>
  return %1 : tensor<4xf32>
}

func.func @converted(%x: tensor<4x4096xf32> {fuse.fill = #fuse.fill<integers, -3, 3>}) -> (tensor<4xf32>, tensor<4xf32>) {
  %i = fuse.iota dim 1 : tensor<4x4096xi8>
  %f = arith.sitofp %i : tensor<4x4096xi8> to tensor<4x4096xf32>
  %0 = arith.mulf %x, %f : tensor<4x4096xf32>
  %1 = fuse.reduce sum %0 dims [1] : tensor<4x4096xf32>
  %j = fuse.iota dim 1 : tensor<4x4096xi32>
  %g = arith.sitofp %j : tensor<4x4096xi32> to tensor<4x4096xf32>
  %2 = arith.mulf %x, %g : tensor<4x4096xf32>
  %3 = fuse.reduce sum %2 dims [1] : tensor<4x4096xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}
