// Crews that take places of the grid in turn, and why there is one only.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-split-roles))' 2>/dev/null | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-split-roles))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#threads = #tile.layout<cell = [8, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]] warp = [[4, 0], [0, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>

// Places that take equally many rounds are dealt.
// CHECK-LABEL: tile.kernel @equal(
//       CHECK:   tile.role math warps 4 crews 2
//       CHECK:   tile.return
tile.kernel @equal(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%block, %blocks, %rows) attributes {tile.warps = 4, walks, tile.roles = 2, tile.crews = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  %all = scf.for %item = %block to %rows step %blocks iter_args(%before = %c0) -> index {
    scf.for %n = %c0 to %c8 step %c1 {
      %number = arith.addi %before, %n : index
      tile.acquire %r[%number] : !r
      tile.copy %x[%c0, %c0] to %r[%number] part 0 threads = #threads : memref<64x64xf32>, !r
      tile.commit %r[%number] : !r
      %t = tile.wait %r[%number] : !r
      tile.release %r[%number] : !r
    }
    %next = arith.addi %before, %c8 : index
    scf.yield %next : index
  }
  tile.return
}

// How many numbers the places of others have is not known where they are not the same.
// REMARK: remark: has one crew: not all places take equally many rounds
// CHECK-LABEL: tile.kernel @unequal(
//   CHECK-NOT:   crews
//       CHECK:   tile.return
tile.kernel @unequal(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%block, %blocks, %rows) attributes {tile.warps = 4, walks, tile.roles = 2, tile.crews = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  %all = scf.for %item = %block to %rows step %blocks iter_args(%before = %c0) -> index {
    scf.for %n = %c0 to %item step %c1 {
      %number = arith.addi %before, %n : index
      tile.acquire %r[%number] : !r
      tile.copy %x[%c0, %c0] to %r[%number] part 0 threads = #threads : memref<64x64xf32>, !r
      tile.commit %r[%number] : !r
      %t = tile.wait %r[%number] : !r
      tile.release %r[%number] : !r
    }
    %next = arith.addi %before, %item : index
    scf.yield %next : index
  }
  tile.return
}

// Somebody goes a second way.
// REMARK: remark: has one crew: it does more than walk
// CHECK-LABEL: tile.kernel @two_ways(
//   CHECK-NOT:   crews
//       CHECK:   tile.return
tile.kernel @two_ways(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%block, %blocks, %rows) attributes {tile.warps = 4, walks, tile.roles = 2, tile.crews = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %other = %c0 to %c1 step %c1 {
    %zero = arith.constant dense<0.0> : tensor<8x8xf32, #threads>
  }
  %all = scf.for %item = %block to %rows step %blocks iter_args(%before = %c0) -> index {
    scf.for %n = %c0 to %c8 step %c1 {
      %number = arith.addi %before, %n : index
      tile.acquire %r[%number] : !r
      tile.copy %x[%c0, %c0] to %r[%number] part 0 threads = #threads : memref<64x64xf32>, !r
      tile.commit %r[%number] : !r
      %t = tile.wait %r[%number] : !r
      tile.release %r[%number] : !r
    }
    %next = arith.addi %before, %c8 : index
    scf.yield %next : index
  }
  tile.return
}
