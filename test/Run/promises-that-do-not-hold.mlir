// What integers promise may not hold, and then a number is what it is without:
// an index that wrapped was read from far outside of its table.

// RUN: fuse-run %s --target=cpu --verify --input=x=integers:-9:9 --input=y=integers:-9:9 | FileCheck %s
// RUN: fuse-run %s --target=simulate --chip=sm_90a --verify --input=x=integers:-9:9 --input=y=integers:-9:9 | FileCheck %s
// CHECK-COUNT-2: verify: right

!i = tensor<4096xi32>

func.func @rows(%x: !i {fuse.name = "x"}, %y: !i {fuse.name = "y"}, %t: tensor<128x4xf32>) -> (tensor<4096x4xf32>, !i) {
  %most = arith.constant dense<127> : !i
  %three = arith.constant dense<3> : !i
  %two = arith.constant dense<2> : !i
  %p = arith.andi %x, %most : !i
  %i = arith.subi %p, %y overflow<nuw> : !i
  %q = arith.shrui %i, %two exact : !i
  %r = arith.shli %q, %three overflow<nsw, nuw> : !i
  %s = arith.muli %r, %r overflow<nsw> : !i
  %d = arith.divsi %s, %three exact : !i
  %g = fuse.gather %t[%i] : tensor<128x4xf32>, !i
  return %g, %d : tensor<4096x4xf32>, !i
}
