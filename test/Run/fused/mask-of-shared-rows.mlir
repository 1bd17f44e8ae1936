// Both sides of a mask are the same comparison, which each of the blocks that
// share the tile has whole: the second one's columns are not the first one's.

// RUN: fuse-run %s --verify=exact --seed=497 | FileCheck %s
// CHECK: verify: right

func.func @graph(%x: tensor<17x17x17xf32> {fuse.fill = #fuse.fill<integers, -3, 3>}, %keep: tensor<17x17x17xi1> {fuse.fill = #fuse.fill<integers, 0, 1>}, %first: tensor<i32> {fuse.fill = #fuse.fill<integers, 3, 5>}) -> (tensor<17x17x17xf32>, tensor<17xf32>) {
  %largest = fuse.reduce max %x dims [0, 1, 2] : tensor<17x17x17xf32>
  %all = fuse.broadcast %largest dims [] : tensor<f32> -> tensor<17x17x17xf32>
  %chosen = arith.select %keep, %x, %all : tensor<17x17x17xi1>, tensor<17x17x17xf32>
  %row = fuse.broadcast %largest dims [] : tensor<f32> -> tensor<17xf32>
  %i = fuse.iota dim 1 : tensor<17x17x17xi32>
  %j = fuse.iota dim 2 : tensor<17x17x17xi32>
  %isBelow = arith.cmpi sle, %j, %i : tensor<17x17x17xi32>
  %start = fuse.broadcast %first dims [] : tensor<i32> -> tensor<17x17x17xi32>
  %fromJ = arith.cmpi sge, %j, %start : tensor<17x17x17xi32>
  %fromI = arith.cmpi sge, %i, %start : tensor<17x17x17xi32>
  %fromBoth = arith.andi %fromJ, %fromI : tensor<17x17x17xi1>
  %both = arith.andi %fromBoth, %isBelow : tensor<17x17x17xi1>
  %zero = arith.constant dense<0.000000e+00> : tensor<17x17x17xf32>
  %y = arith.select %both, %chosen, %zero : tensor<17x17x17xi1>, tensor<17x17x17xf32>
  return %y, %row : tensor<17x17x17xf32>, tensor<17xf32>
}
