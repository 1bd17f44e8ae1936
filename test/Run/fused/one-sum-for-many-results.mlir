// Many results of one sum are one rounding more or less: what op by op came close by luck does not make them wrong.

// RUN: fuse-run %s --verify | FileCheck %s
// CHECK: verify: right

func.func @s(%x: tensor<33x33x16xf32> {fuse.name = "x"}) -> tensor<33x33x16xf32> {
  %sum = fuse.reduce sum %x dims [0, 1, 2] : tensor<33x33x16xf32>
  %all = fuse.broadcast %sum dims [] : tensor<f32> -> tensor<33x33x16xf32>
  %y = arith.subf %x, %all : tensor<33x33x16xf32>
  return %y : tensor<33x33x16xf32>
}
