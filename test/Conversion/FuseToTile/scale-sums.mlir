// What all terms of a round are multiplied with scales their sum, so that the
// other factor is only read. Tensor cores keep their sums, and get the product.

// RUN: fuse-opt %s --convert-fuse-to-tile | FileCheck %s
// RUN: fuse-run %s --entry=f --verify
// RUN: fuse-run %s --entry=kept --verify
// RUN: fuse-run %s --entry=f --target=simulate --chip=sm_90a --verify
// RUN: fuse-run %s --entry=f --target=simulate --chip=sm_80 --verify
// RUN: fuse-run %s --entry=nested --verify
// RUN: fuse-run %s --entry=nested --target=simulate --chip=sm_80 --verify

// Of x[b, i] x[b, j] the first does not vary in the window of j.
// CHECK-LABEL: tile.kernel @first
//       CHECK:   %[[F:.*]] = tile.load {{.*}} -> tensor<32xf32>
//       CHECK:   %[[Y:.*]] = tile.load {{.*}} -> tensor<32x24xf32>
//       CHECK:   %[[SUM:.*]] = tile.dot %[[Y]], {{.*}} -> tensor<32x8xf32>
//       CHECK:   %[[SCALE:.*]] = tile.broadcast %[[F]]
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[SCALE]], %[[SUM]] : tensor<32x8xf32>
//       CHECK:   arith.addf %{{.*}}, %[[SCALED]]
// Here the second does not, and what divides leaves as well.
// CHECK-LABEL: tile.kernel @second
//       CHECK:   %[[Y:.*]] = tile.load {{.*}} -> tensor<32x32xf32>
//       CHECK:   %[[SUM:.*]] = tile.dot %[[Y]],
//       CHECK:   arith.divf %[[SUM]], %{{.*}} : tensor<32x8xf32>
func.func @f(%x: tensor<37x24xf32>, %w: tensor<576x8xf32>, %d: tensor<37x24xf32> {fuse.fill = #fuse.fill<uniform, 1, 2>}) -> (tensor<37x8xf32>, tensor<37x8xf32>) {
  %0 = fuse.kernel @first(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [32, 8], sequential = [r24_0 = 1, r24_1 = 24]>) : (tensor<37x24xf32>, tensor<576x8xf32>) -> tensor<37x8xf32> {
    %left = fuse.broadcast %x_ dims [0, 1] : tensor<37x24xf32> -> tensor<37x24x24xf32>
    %right = fuse.broadcast %x_ dims [0, 2] : tensor<37x24xf32> -> tensor<37x24x24xf32>
    %products = arith.mulf %left, %right : tensor<37x24x24xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<37x24x24xf32>
    %y = fuse.matmul %flat, %w_ : tensor<37x576xf32>, tensor<576x8xf32> -> tensor<37x8xf32>
    fuse.yield %y : tensor<37x8xf32>
  }
  %1 = fuse.kernel @second(%x_ = %x, %w_ = %w, %d_ = %d) schedule(#fuse.schedule<parallel = [32, 8], sequential = [r24_0 = 32, r24_1 = 1]>) : (tensor<37x24xf32>, tensor<576x8xf32>, tensor<37x24xf32>) -> tensor<37x8xf32> {
    %left = fuse.broadcast %x_ dims [0, 1] : tensor<37x24xf32> -> tensor<37x24x24xf32>
    %right = fuse.broadcast %d_ dims [0, 2] : tensor<37x24xf32> -> tensor<37x24x24xf32>
    %products = arith.divf %left, %right : tensor<37x24x24xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<37x24x24xf32>
    %y = fuse.matmul %flat, %w_ : tensor<37x576xf32>, tensor<576x8xf32> -> tensor<37x8xf32>
    fuse.yield %y : tensor<37x8xf32>
  }
  return %0, %1 : tensor<37x8xf32>, tensor<37x8xf32>
}

// Where both windows have several, one factor scales sums over the other one's
// variable, which are then summed up over its own.
// CHECK-LABEL: tile.kernel @both
//       CHECK:   %[[F:.*]] = tile.load {{.*}} -> tensor<32x2xf32>
//       CHECK:   %[[Y:.*]] = tile.load {{.*}} -> tensor<32x48xf32>
//       CHECK:   %[[W:.*]] = tile.load {{.*}} -> tensor<2x48x8xf32>
//       CHECK:   %[[TURNED:.*]] = tile.transpose %[[W]] [1, 0, 2]
//       CHECK:   %[[SUM:.*]] = tile.dot %[[Y]], %[[TURNED]], {{.*}} -> tensor<32x2x8xf32>
//       CHECK:   %[[SCALE:.*]] = tile.broadcast %[[F]]
//       CHECK:   %[[SCALED:.*]] = arith.mulf {{.*}} : tensor<32x2x8xf32>
//       CHECK:   %[[ALL:.*]] = tile.reduce sum %[[SCALED]] dims [1]
//       CHECK:   arith.addf %{{.*}}, %[[ALL]]
func.func @nested(%x: tensor<37x48xf32>, %w: tensor<2304x8xf32>) -> tensor<37x8xf32> {
  %0 = fuse.kernel @both(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [32, 8], sequential = [r48_0 = 2, r48_1 = 48]>) : (tensor<37x48xf32>, tensor<2304x8xf32>) -> tensor<37x8xf32> {
    %left = fuse.broadcast %x_ dims [0, 1] : tensor<37x48xf32> -> tensor<37x48x48xf32>
    %right = fuse.broadcast %x_ dims [0, 2] : tensor<37x48xf32> -> tensor<37x48x48xf32>
    %products = arith.mulf %left, %right : tensor<37x48x48xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<37x48x48xf32>
    %y = fuse.matmul %flat, %w_ : tensor<37x2304xf32>, tensor<2304x8xf32> -> tensor<37x8xf32>
    fuse.yield %y : tensor<37x8xf32>
  }
  return %0 : tensor<37x8xf32>
}

// As many sums as terms are no less work; tf32 is for tensor cores; and what
// another product takes as well is made anyway.
// CHECK-LABEL: tile.kernel @many
//       CHECK:   %[[T:.*]] = arith.mulf
//       CHECK:   tile.dot %[[T]],
// CHECK-LABEL: tile.kernel @tf32
//       CHECK:   %[[T:.*]] = arith.mulf
//       CHECK:   tile.dot %[[T]],
// CHECK-LABEL: tile.kernel @shared
//       CHECK:   %[[T:.*]] = arith.mulf
//       CHECK:   tile.dot %[[T]],
//       CHECK:   tile.dot %[[T]],
func.func @kept(%x: tensor<32x64xf32>, %s: tensor<32xf32>, %w: tensor<64x8xf32>, %u: tensor<64x8xf32>, %v: tensor<64x64xf32>) -> (tensor<32x64xf32>, tensor<32x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>) {
  %0 = fuse.kernel @many(%x_ = %x, %s_ = %s, %v_ = %v) schedule(#fuse.schedule<parallel = [32, 64], sequential = [r64_0 = 16]>) : (tensor<32x64xf32>, tensor<32xf32>, tensor<64x64xf32>) -> tensor<32x64xf32> {
    %c = fuse.broadcast %s_ dims [0] : tensor<32xf32> -> tensor<32x64xf32>
    %t = arith.mulf %x_, %c : tensor<32x64xf32>
    %y = fuse.matmul %t, %v_ : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
    fuse.yield %y : tensor<32x64xf32>
  }
  %1 = fuse.kernel @tf32(%x_ = %x, %s_ = %s, %w_ = %w) schedule(#fuse.schedule<parallel = [32, 8], sequential = [r64_0 = 64]>) : (tensor<32x64xf32>, tensor<32xf32>, tensor<64x8xf32>) -> tensor<32x8xf32> {
    %c = fuse.broadcast %s_ dims [0] : tensor<32xf32> -> tensor<32x64xf32>
    %t = arith.mulf %x_, %c : tensor<32x64xf32>
    %y = fuse.matmul %t, %w_ precision tf32 : tensor<32x64xf32>, tensor<64x8xf32> -> tensor<32x8xf32>
    fuse.yield %y : tensor<32x8xf32>
  }
  %2:2 = fuse.kernel @shared(%x_ = %x, %s_ = %s, %w_ = %w, %u_ = %u) schedule(#fuse.schedule<parallel = [32, 8], sequential = [r64_0 = 64]>) : (tensor<32x64xf32>, tensor<32xf32>, tensor<64x8xf32>, tensor<64x8xf32>) -> (tensor<32x8xf32>, tensor<32x8xf32>) {
    %c = fuse.broadcast %s_ dims [0] : tensor<32xf32> -> tensor<32x64xf32>
    %t = arith.mulf %x_, %c : tensor<32x64xf32>
    %y = fuse.matmul %t, %w_ : tensor<32x64xf32>, tensor<64x8xf32> -> tensor<32x8xf32>
    %z = fuse.matmul %t, %u_ : tensor<32x64xf32>, tensor<64x8xf32> -> tensor<32x8xf32>
    fuse.yield %y, %z : tensor<32x8xf32>, tensor<32x8xf32>
  }
  return %0, %1, %2#0, %2#1 : tensor<32x64xf32>, tensor<32x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>
}
