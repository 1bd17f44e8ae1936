// Two blocks share a tile's columns. Which rows are kept both of them know whole,
// and each takes what its columns are of it: the second one took the first one's.

// RUN: %emulate %s --chip=sm_90a --verify=exact --schedule="@masked_0:sequential = [r17_0 = 32, r17_1 = 32, r17_2 = 32], owned = 3, warps = 16, share = 2" 2>&1 | FileCheck %s
// CHECK-NOT: share no tiles
// CHECK: verify: right

!t = tensor<17x17x17xf32>
!i = tensor<17x17x17xi32>
!keep = tensor<17x17x17xi1>

func.func @masked(
    %x: !t {fuse.name = "x", fuse.fill = #fuse.fill<integers, -3, 3>},
    %first: tensor<i32> {fuse.name = "first", fuse.fill = #fuse.fill<integers, 3, 3>}) -> !t {
  %largest = fuse.reduce max %x dims [0, 1, 2] : !t
  %bound = fuse.broadcast %largest dims [] : tensor<f32> -> !t
  %rest = arith.subf %x, %bound : !t
  %i = fuse.iota dim 1 : !i
  %j = fuse.iota dim 2 : !i
  %start = fuse.broadcast %first dims [] : tensor<i32> -> !i
  %fromI = arith.cmpi sge, %i, %start : !i
  %fromJ = arith.cmpi sge, %j, %start : !i
  %isBelow = arith.cmpi sle, %j, %i : !i
  %fromBoth = arith.andi %fromJ, %fromI : !keep
  %both = arith.andi %fromBoth, %isBelow : !keep
  %zero = arith.constant dense<0.0> : !t
  %y = arith.select %both, %rest, %zero : !keep, !t
  return %y : !t
}
