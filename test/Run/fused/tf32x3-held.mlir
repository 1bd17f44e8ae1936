// Products of f32 by three of tf32, one factor of which stays for many rounds:
// its rests are written once. The other one has two axes in one dimension of a
// matrix, which the copy engine sees as two of its own.

// RUN: fuse-run %s --entry=integers --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=reals --verify | FileCheck %s
// RUN: fuse-run %s --entry=infinities --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=integers --target=simulate --chip=sm_90a --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=reals --target=simulate --chip=sm_90a --verify | FileCheck %s
// RUN: fuse-run %s --entry=infinities --target=simulate --chip=sm_90a --verify=exact | FileCheck %s
// CHECK: verify: right
// RUN: fuse-run %s --entry=integers --chip=sm_90a --image=%t.fuse --variants=aligned
// RUN: fuse-image %t.fuse | FileCheck %s --check-prefix=IMAGE
// IMAGE: #fuse.schedule<parallel = [64, 16], sequential = [r96_0 = 48, r96_1 = 4], split = 4, residents = 2>
// IMAGE: map of %1 '1': f32 [16, 96, 96], strides [64, 6144], box 16x4x48, swizzle 64
// IMAGE: #fuse.schedule<parallel = [64, 16], sequential = [r96_0 = 64, r96_1 = 4], split = 3, residents = 2>
// IMAGE: map of %1 '1': f32 [16, 96, 96], strides [64, 6144], box 16x4x64, swizzle 64

// Windows of 48 divide 96, and those of 64 do not. The rows of the last block
// end within it.
func.func @integers(%x: tensor<70x96xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<9216x16xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> (tensor<70x16xf32>, tensor<70x16xf32>) {
  %0 = fuse.kernel @even(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [64, 16], sequential = [r96_0 = 48, r96_1 = 4], split = 4, residents = 2>) : (tensor<70x96xf32>, tensor<9216x16xf32>) -> tensor<70x16xf32> {
    %left = fuse.broadcast %x_ dims [0, 1] : tensor<70x96xf32> -> tensor<70x96x96xf32>
    %right = fuse.broadcast %x_ dims [0, 2] : tensor<70x96xf32> -> tensor<70x96x96xf32>
    %products = arith.mulf %left, %right : tensor<70x96x96xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<70x96x96xf32>
    %y = fuse.matmul %flat, %w_ precision tf32x3 : tensor<70x9216xf32>, tensor<9216x16xf32> -> tensor<70x16xf32>
    fuse.yield %y : tensor<70x16xf32>
  }
  %1 = fuse.kernel @ragged(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [64, 16], sequential = [r96_0 = 64, r96_1 = 4], split = 3, residents = 2>) : (tensor<70x96xf32>, tensor<9216x16xf32>) -> tensor<70x16xf32> {
    %left = fuse.broadcast %x_ dims [0, 1] : tensor<70x96xf32> -> tensor<70x96x96xf32>
    %right = fuse.broadcast %x_ dims [0, 2] : tensor<70x96xf32> -> tensor<70x96x96xf32>
    %products = arith.mulf %left, %right : tensor<70x96x96xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<70x96x96xf32>
    %y = fuse.matmul %flat, %w_ precision tf32x3 : tensor<70x9216xf32>, tensor<9216x16xf32> -> tensor<70x16xf32>
    fuse.yield %y : tensor<70x16xf32>
  }
  return %0, %1 : tensor<70x16xf32>, tensor<70x16xf32>
}

// Two groups of four warps share a factor.
func.func @reals(%x: tensor<130x96xf32>, %w: tensor<9216x16xf32>) -> tensor<130x16xf32> {
  %0 = fuse.kernel @groups(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [64, 16], sequential = [r96_0 = 48, r96_1 = 8], split = 2>) : (tensor<130x96xf32>, tensor<9216x16xf32>) -> tensor<130x16xf32> {
    %left = fuse.broadcast %x_ dims [0, 1] : tensor<130x96xf32> -> tensor<130x96x96xf32>
    %right = fuse.broadcast %x_ dims [0, 2] : tensor<130x96xf32> -> tensor<130x96x96xf32>
    %products = arith.mulf %left, %right : tensor<130x96x96xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<130x96x96xf32>
    %y = fuse.matmul %flat, %w_ precision tf32x3 : tensor<130x9216xf32>, tensor<9216x16xf32> -> tensor<130x16xf32>
    fuse.yield %y : tensor<130x16xf32>
  }
  return %0 : tensor<130x16xf32>
}

// Some of the weight are infinities of both signs, and with them the sums of a
// few rounds; in half of the rows what stays has a NaN.
func.func @infinities(%x: tensor<70x96xf32> {fuse.fill = #fuse.fill<integers, 1, 3>}, %w: tensor<9216x16xf32> {fuse.fill = #fuse.fill<integers, -60, 60>}) -> tensor<70x16xf32> {
  %made = fuse.kernel @weight(%w_ = %w) schedule(#fuse.schedule<parallel = [64, 16]>) : (tensor<9216x16xf32>) -> tensor<9216x16xf32> {
    %zero = arith.constant dense<0.0> : tensor<9216x16xf32>
    %most = arith.constant dense<60.0> : tensor<9216x16xf32>
    %size = math.absf %w_ : tensor<9216x16xf32>
    %is_most = arith.cmpf oge, %size, %most : tensor<9216x16xf32>
    %row = fuse.iota dim 0 : tensor<9216x16xi32>
    %few = arith.constant dense<60> : tensor<9216x16xi32>
    %is_early = arith.cmpi slt, %row, %few : tensor<9216x16xi32>
    %is_infinite = arith.andi %is_most, %is_early : tensor<9216x16xi1>
    %infinite = arith.divf %w_, %zero : tensor<9216x16xf32>
    %y = arith.select %is_infinite, %infinite, %w_ : tensor<9216x16xi1>, tensor<9216x16xf32>
    fuse.yield %y : tensor<9216x16xf32>
  }
  %held = fuse.kernel @rows(%x_ = %x) schedule(#fuse.schedule<parallel = [64, 16]>) : (tensor<70x96xf32>) -> tensor<70x96xf32> {
    %zero = arith.constant dense<0.0> : tensor<70x96xf32>
    %row = fuse.iota dim 0 : tensor<70x96xi32>
    %column = fuse.iota dim 1 : tensor<70x96xi32>
    %sum = arith.addi %row, %column : tensor<70x96xi32>
    %place = arith.constant dense<130> : tensor<70x96xi32>
    %is_there = arith.cmpi eq, %sum, %place : tensor<70x96xi32>
    %nothing = arith.divf %zero, %zero : tensor<70x96xf32>
    %y = arith.select %is_there, %nothing, %x_ : tensor<70x96xi1>, tensor<70x96xf32>
    fuse.yield %y : tensor<70x96xf32>
  }
  %0 = fuse.kernel @products(%x_ = %held, %w_ = %made) schedule(#fuse.schedule<parallel = [64, 16], sequential = [r96_0 = 48, r96_1 = 4], split = 4, residents = 2>) : (tensor<70x96xf32>, tensor<9216x16xf32>) -> tensor<70x16xf32> {
    %left = fuse.broadcast %x_ dims [0, 1] : tensor<70x96xf32> -> tensor<70x96x96xf32>
    %right = fuse.broadcast %x_ dims [0, 2] : tensor<70x96xf32> -> tensor<70x96x96xf32>
    %products = arith.mulf %left, %right : tensor<70x96x96xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<70x96x96xf32>
    %y = fuse.matmul %flat, %w_ precision tf32x3 : tensor<70x9216xf32>, tensor<9216x16xf32> -> tensor<70x16xf32>
    fuse.yield %y : tensor<70x16xf32>
  }
  return %0 : tensor<70x16xf32>
}
