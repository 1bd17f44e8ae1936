// Where there are more chunks than the first variable of a loop has rounds,
// they divide the next one. A variable of which each block has one window has
// no loop; with chunks for which nothing is left it has one, without rounds.

// RUN: fuse-opt %s --convert-fuse-to-tile --canonicalize --cse | FileCheck %s
// RUN: fuse-run %s --verify
// RUN: fuse-run %s --target=simulate --chip=sm_90a --verify

// 3 parts of 3 windows, and 4 of 24 rows.
// CHECK-LABEL: tile.kernel @twelve(
//  CHECK-SAME:   blocks(%[[CHUNK:[^,]*]],
//   CHECK-DAG:   %[[FIRST:.*]] = arith.divui %[[CHUNK]], %c4
//   CHECK-DAG:   %[[SECOND:.*]] = arith.remui %[[CHUNK]], %c4
//   CHECK-DAG:   arith.muli %[[FIRST]], %c8
//   CHECK-DAG:   %[[LOW:.*]] = arith.muli %[[SECOND]], %c6
//       CHECK:   scf.for %{{.*}} = %[[LOW]] to
//   CHECK-NOT:   scf.for
//       CHECK:   tile.return
// 14 chunks are 3 times 4, and two that find nothing.
// CHECK-LABEL: tile.kernel @fourteen(
//       CHECK:   scf.for
//       CHECK:   scf.for
//       CHECK:   tile.return
// Fewer than there are windows leave the second alone.
// CHECK-LABEL: tile.kernel @two(
//       CHECK:   scf.for
//       CHECK:   scf.for %{{.*}} = %c0 to %c24
//       CHECK:   tile.return
func.func @f(%x: tensor<37x24xf32>, %w: tensor<576x8xf32>) -> (tensor<37x8xf32>, tensor<37x8xf32>, tensor<37x8xf32>) {
  %0 = fuse.kernel @twelve(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [32, 8], sequential = [r24_0 = 8, r24_1 = 1], split = 12>) : (tensor<37x24xf32>, tensor<576x8xf32>) -> tensor<37x8xf32> {
    %left = fuse.broadcast %x_ dims [0, 1] : tensor<37x24xf32> -> tensor<37x24x24xf32>
    %right = fuse.broadcast %x_ dims [0, 2] : tensor<37x24xf32> -> tensor<37x24x24xf32>
    %products = arith.mulf %left, %right : tensor<37x24x24xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<37x24x24xf32>
    %y = fuse.matmul %flat, %w_ : tensor<37x576xf32>, tensor<576x8xf32> -> tensor<37x8xf32>
    fuse.yield %y : tensor<37x8xf32>
  }
  %1 = fuse.kernel @fourteen(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [32, 8], sequential = [r24_0 = 8, r24_1 = 1], split = 14>) : (tensor<37x24xf32>, tensor<576x8xf32>) -> tensor<37x8xf32> {
    %left = fuse.broadcast %x_ dims [0, 1] : tensor<37x24xf32> -> tensor<37x24x24xf32>
    %right = fuse.broadcast %x_ dims [0, 2] : tensor<37x24xf32> -> tensor<37x24x24xf32>
    %products = arith.mulf %left, %right : tensor<37x24x24xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<37x24x24xf32>
    %y = fuse.matmul %flat, %w_ : tensor<37x576xf32>, tensor<576x8xf32> -> tensor<37x8xf32>
    fuse.yield %y : tensor<37x8xf32>
  }
  %2 = fuse.kernel @two(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [32, 8], sequential = [r24_0 = 8, r24_1 = 1], split = 2>) : (tensor<37x24xf32>, tensor<576x8xf32>) -> tensor<37x8xf32> {
    %left = fuse.broadcast %x_ dims [0, 1] : tensor<37x24xf32> -> tensor<37x24x24xf32>
    %right = fuse.broadcast %x_ dims [0, 2] : tensor<37x24xf32> -> tensor<37x24x24xf32>
    %products = arith.mulf %left, %right : tensor<37x24x24xf32>
    %flat = fuse.collapse %products dims [1, 2] : tensor<37x24x24xf32>
    %y = fuse.matmul %flat, %w_ : tensor<37x576xf32>, tensor<576x8xf32> -> tensor<37x8xf32>
    fuse.yield %y : tensor<37x8xf32>
  }
  return %0, %1, %2 : tensor<37x8xf32>, tensor<37x8xf32>, tensor<37x8xf32>
}
