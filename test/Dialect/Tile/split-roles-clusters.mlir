// Blocks of a cluster copy for each other where the copy engine does it, by a role of its own, and each has a share.

// RUN: fuse-opt %s --split-input-file --pass-pipeline='builtin.module(tile.kernel(tile-split-roles))' | FileCheck %s
// RUN: fuse-opt %s --split-input-file --pass-pipeline='builtin.module(tile.kernel(tile-split-roles,tile-verify-staged))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#threads = #tile.layout<cell = [8, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]] warp = [[4, 0], [0, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>

// CHECK-LABEL: tile.kernel @shared(
//  CHECK-SAME:   tile.cluster = array<i64: 2>
//       CHECK:   tile.role load
//       CHECK:   tile.copy {{.*}} part 0 multicast :
tile.kernel @shared(%x: memref<64x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2, tile.grid = array<i64: 32>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 multicast threads = #threads : memref<64x8xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Eight rows are no 16 shares: each block copies all of them.
// CHECK-LABEL: tile.kernel @too_many(
//  CHECK-SAME:   tile.cluster = array<i64: 16>
//       CHECK:   tile.role load
//       CHECK:   tile.copy {{.*}} part 0 : memref
tile.kernel @too_many(%x: memref<64x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2, tile.grid = array<i64: 32>, tile.cluster = array<i64: 16>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 multicast threads = #threads : memref<64x8xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Threads copy to their own block, and no block waits for another one.
// CHECK-LABEL: tile.kernel @one_role(
//   CHECK-NOT:   tile.cluster
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} part 0 threads =
//      REMARK: remark: has no clusters: its schedule asks for one
tile.kernel @one_role(%x: memref<64x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 1, tile.grid = array<i64: 32>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 multicast threads = #threads : memref<64x8xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Where blocks walk, each has found its place by that of its cluster.
// CHECK-LABEL: tile.kernel @walks(
//  CHECK-SAME:   tile.cluster = array<i64: 2>
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} part 0 threads =
//  REMARK-NOT: remark: has no clusters
tile.kernel @walks(%x: memref<64x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%block, %blocks, %rows) attributes {tile.warps = 4, walks, tile.roles = 1, tile.grid = array<i64: 32>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 multicast threads = #threads : memref<64x8xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}
