// Sums of rows that are split have parts with rows, also of an output without
// columns, of which no block computes anything: "no blocks would run to write an
// output of shape 2x2".

// RUN: fuse-run %s --target=simulate --open-sizes --shape=x:64x128/2x0/0x3/3x200 --verify \
// RUN:   --schedule='@softmax_0:#fuse.schedule<parallel = [1, 128], sequential = [rs1_0 = 64], owned = 0, cascades = [1 wrt 0 = rescale], split = 2>' \
// RUN:   | FileCheck %s

// The same where sizes are known ahead.

// RUN: fuse-run %s --target=simulate --shape=x:2x0 --verify \
// RUN:   --schedule='@softmax_0:#fuse.schedule<parallel = [1, 128], sequential = [r0_0 = 64], owned = 0, cascades = [1 wrt 0 = rescale], split = 2>' \
// RUN:   | FileCheck %s --check-prefix=KNOWN

// KNOWN: verify: right

// CHECK-COUNT-4: verify: right
!x = tensor<?x?xf32>

func.func @softmax(%x: !x {fuse.name = "x"}) -> !x {
  %y = fuse.softmax %x dim 1 : !x
  return %y : !x
}
