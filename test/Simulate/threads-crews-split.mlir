// Crews of a block that multiply in parts: each meets by itself in front of its
// turn, since the other one may be anywhere.

// RUN: fuse-opt %s --convert-fuse-to-tile --fuse-tiles-to-placed=chip=sm_90a --fuse-placed-to-staged=chip=sm_90a --fuse-staged-to-threads > %t.mlir
// RUN: fuse-opt %t.mlir --threads-simulate=seeds=8 -o /dev/null
// RUN: FileCheck %s < %t.mlir
// CHECK: nvvm.reqntid = array<i32: 384, 1, 1>
// CHECK: bar.red.or.pred any, $2, 128, own

// Where both have one barrier, those of one are counted for the other, which then waits for ever.
// RUN: sed -e 's/bar.red.or.pred any, $2,/bar.red.or.pred any, 1,/' %t.mlir | not fuse-opt --threads-simulate=seeds=1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: comes to barrier 1 for 128 threads, where others may still wait for 128

func.func @f(%x: tensor<17024x32xf32>, %w: tensor<1024x16xf32>) -> tensor<17024x16xf32> {
  %0 = fuse.kernel @even(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [64, 16], sequential = [r32_0 = 32, r32_1 = 4], crews = 2>) : (tensor<17024x32xf32>, tensor<1024x16xf32>) -> tensor<17024x16xf32> {
    %e = math.absf %x_ : tensor<17024x32xf32>
    %left = fuse.broadcast %e dims [0, 1] : tensor<17024x32xf32> -> tensor<17024x32x32xf32>
    %right = fuse.broadcast %x_ dims [0, 2] : tensor<17024x32xf32> -> tensor<17024x32x32xf32>
    %products = arith.mulf %left, %right : tensor<17024x32x32xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<17024x32x32xf32>
    %y = fuse.matmul %flat, %w_ precision tf32x3 : tensor<17024x1024xf32>, tensor<1024x16xf32> -> tensor<17024x16xf32>
    fuse.yield %y : tensor<17024x16xf32>
  }
  return %0 : tensor<17024x16xf32>
}
