// A maximum that is corrected as it moves has to bound the exponents: exp(y + b - max(y)) is small in the end, and infinite where
// the largest y has not come yet.

// DEFINE: %{entry} = bias
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --verify --input=x=0
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG
// RUN: %{run} --target=cpu | %{right}
// RUN: %{run} --target=simulate --chip=sm_90a | %{right}
// CHECK: verify: right

// DEFINE: %{rescaled} = "--schedule=@%{entry}_0:parallel = [2], sequential = [r4096_0 = 64], owned = 0, cascades = [1 wrt 0 = rescale]"
// RUN: not %{run} --target=cpu %{rescaled} 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: 'fuse.kernel' op has a schedule that asks for 1 wrt 0 = rescale, but it would be sequential
// REFUSED: note: reduction 1 (sum over r4096_0) has a loop of its own: an exponential is not bounded by the running max, and may overflow before that is the last one

// What is left out of a sum need not be in the maximum either, and two maxima are no less than each of them.
// REDEFINE: %{entry} = kept
// RUN: %{run} --target=cpu %{rescaled} | %{right}
// REDEFINE: %{entry} = scaled
// RUN: %{run} --target=cpu %{rescaled} | %{right}
// REDEFINE: %{entry} = floored
// RUN: %{run} --target=cpu %{rescaled} | %{right}

!row = tensor<6x4096xf32>

func.func @bias(%x: !row {fuse.name = "x"}) -> tensor<6xf32> {
  %j = fuse.iota dim 1 : tensor<6x4096xi32>
  %end = arith.constant dense<4095> : tensor<6x4096xi32>
  %isLast = arith.cmpi eq, %j, %end : tensor<6x4096xi32>
  %zero = arith.constant dense<0.0> : !row
  %far = arith.constant dense<200.0> : !row
  %low = arith.constant dense<-200.0> : !row
  %bias = arith.select %isLast, %zero, %far : tensor<6x4096xi1>, !row
  %base = arith.select %isLast, %zero, %low : tensor<6x4096xi1>, !row
  %y = arith.addf %x, %base : !row
  %m = fuse.reduce max %y dims [1] : !row
  %b = fuse.broadcast %m dims [0] : tensor<6xf32> -> !row
  %sum = arith.addf %y, %bias : !row
  %d = arith.subf %sum, %b : !row
  %e = math.exp %d : !row
  %s = fuse.reduce sum %e dims [1] : !row
  return %s : tensor<6xf32>
}

func.func @kept(%x: !row {fuse.name = "x"}) -> tensor<6xf32> {
  %j = fuse.iota dim 1 : tensor<6x4096xi32>
  %some = arith.constant dense<3000> : tensor<6x4096xi32>
  %few = arith.constant dense<7> : tensor<6x4096xi32>
  %isBelow = arith.cmpi slt, %j, %some : tensor<6x4096xi32>
  %isFrom = arith.cmpi sge, %j, %few : tensor<6x4096xi32>
  %kept = arith.andi %isBelow, %isFrom : tensor<6x4096xi1>
  %none = arith.constant dense<0xFF800000> : !row
  %zero = arith.constant dense<0.0> : !row
  %masked = arith.select %kept, %x, %none : tensor<6x4096xi1>, !row
  %m = fuse.reduce max %masked dims [1] : !row
  %b = fuse.broadcast %m dims [0] : tensor<6xf32> -> !row
  %d = arith.subf %x, %b : !row
  %e = math.exp %d : !row
  %p = arith.select %kept, %e, %zero : tensor<6x4096xi1>, !row
  %s = fuse.reduce sum %p dims [1] : !row
  return %s : tensor<6xf32>
}

func.func @scaled(%x: !row {fuse.name = "x"}) -> tensor<6xf32> {
  %c = arith.constant dense<8.0> : !row
  %m = fuse.reduce max %x dims [1] : !row
  %b = fuse.broadcast %m dims [0] : tensor<6xf32> -> !row
  %d = arith.subf %x, %b : !row
  %q = arith.divf %d, %c : !row
  %e = math.exp %q : !row
  %s = fuse.reduce sum %e dims [1] : !row
  return %s : tensor<6xf32>
}

func.func @floored(%x: !row {fuse.name = "x"}) -> tensor<6xf32> {
  %least = arith.constant dense<-3.0> : tensor<6xf32>
  %m = fuse.reduce max %x dims [1] : !row
  %floor = arith.maximumf %m, %least : tensor<6xf32>
  %b = fuse.broadcast %floor dims [0] : tensor<6xf32> -> !row
  %d = arith.subf %x, %b : !row
  %e = math.exp %d : !row
  %s = fuse.reduce sum %e dims [1] : !row
  return %s : tensor<6xf32>
}
