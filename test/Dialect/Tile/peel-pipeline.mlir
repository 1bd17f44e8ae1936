// Loops over rings that cp.async fills copy ahead: one slot less than there are.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-peel-pipeline))' | FileCheck %s

#r = #tile.layout<cell = [16, 8] reg = [[0, 1], [0, 2]] lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
!ring = !tile.ring<3 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>

// Two rounds before the loop, then two ahead in it, behind the wait. Rounds
// that there are not are committed, but not copied. Two commits are younger
// than the one that is waited for, but the last of them comes after the wait.
// CHECK-LABEL: tile.kernel @peeled
//       CHECK:   %[[RING:[0-9]+]] = tile.ring
//       CHECK:   %[[IS0:.*]] = arith.cmpi slt, %[[C0:[a-z0-9_]+]], %[[N:[a-z0-9_]+]] : index
//       CHECK:   scf.if %[[IS0]] {
//  CHECK-NEXT:     tile.acquire %[[RING]][%[[C0]]]
//  CHECK-NEXT:     tile.copy %{{.*}}[%{{.*}}, %{{.*}}] to %[[RING]][%[[C0]]] part 0
//  CHECK-NEXT:     tile.copy %{{.*}}[%{{.*}}, %{{.*}}] to %[[RING]][%[[C0]]] part 1
//  CHECK-NEXT:   }
//  CHECK-NEXT:   tile.commit %[[RING]][%[[C0]]]
//       CHECK:   %[[ROW:.*]] = arith.muli %[[C1:[a-z0-9_]+]], %[[C16:.*]] : index
//       CHECK:   %[[IS1:.*]] = arith.cmpi slt, %[[C1]], %[[N]] : index
//       CHECK:   scf.if %[[IS1]] {
//       CHECK:     tile.copy %{{.*}}[%[[ROW]], %{{.*}}] to %[[RING]][%[[C1]]] part 0
//       CHECK:   }
//  CHECK-NEXT:   tile.commit %[[RING]][%[[C1]]]
//       CHECK:   scf.for %[[K:.*]] =
//       CHECK:     %{{.*}}:2 = tile.wait %[[RING]][%[[K]]] behind 1 :
//       CHECK:     %[[LATER:.*]] = arith.addi %[[K]], %{{.*}} : index
//       CHECK:     %[[ROW2:.*]] = arith.muli %[[LATER]], %[[C16]] : index
//       CHECK:     %[[IS2:.*]] = arith.cmpi slt, %[[LATER]], %[[N]] : index
//  CHECK-NEXT:     scf.if %[[IS2]] {
//  CHECK-NEXT:       tile.acquire %[[RING]][%[[LATER]]]
//  CHECK-NEXT:       tile.copy %{{.*}}[%[[ROW2]], %{{.*}}] to %[[RING]][%[[LATER]]] part 0
//  CHECK-NEXT:       tile.copy %{{.*}}[%[[ROW2]], %{{.*}}] to %[[RING]][%[[LATER]]] part 1
//  CHECK-NEXT:     }
//  CHECK-NEXT:     tile.commit %[[RING]][%[[LATER]]]
//  CHECK-NEXT:     tile.release %[[RING]][%[[K]]]
//  CHECK-NEXT:   }
tile.kernel @peeled(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %ring = tile.ring feed = cp_async : !ring
  scf.for %k = %c0 to %n step %c1 {
    %row = arith.muli %k, %c16 : index
    tile.acquire %ring[%k] : !ring
    tile.copy %x[%row, %c0] to %ring[%k] part 0 threads = #r : memref<?x8xf32>, !ring
    tile.copy %x[%row, %c0] to %ring[%k] part 1 threads = #r : memref<?x8xf32>, !ring
    tile.commit %ring[%k] : !ring
    %a, %b = tile.wait %ring[%k] : !ring
    tile.release %ring[%k] : !ring
  }
  tile.return
}

// -----

#r = #tile.layout<cell = [16, 8] reg = [[0, 1], [0, 2]] lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
!ring = !tile.ring<2 x (tensor<16x8xf32, #s>)>

// Each round of the loop around begins with a number of its own. With two slots
// nothing is under way at a wait.
// CHECK-LABEL: tile.kernel @nested
//       CHECK:   scf.for {{.*}} iter_args(%[[BASE:.*]] = %{{.*}}) -> (index) {
//       CHECK:     %[[FIRST:.*]] = arith.addi %[[BASE]], %[[FROM:[a-z0-9_]+]] : index
//       CHECK:     arith.cmpi slt, %[[FROM]], %[[TO:.*]] : index
//       CHECK:     tile.commit %{{.*}}[%[[FIRST]]]
//       CHECK:     scf.for %[[K:.*]] = %[[FROM]] to %[[TO]] step
//       CHECK:       tile.wait %{{.*}}[%{{.*}}] behind 0
//       CHECK:       %[[LATER:.*]] = arith.addi %[[K]], %{{.*}} : index
//       CHECK:       %[[NEXT:.*]] = arith.addi %[[BASE]], %[[LATER]] : index
//       CHECK:       arith.cmpi slt, %[[LATER]], %[[TO]] : index
//       CHECK:       tile.commit %{{.*}}[%[[NEXT]]]
tile.kernel @nested(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%from, %to) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.ring feed = cp_async : !ring
  %trips = arith.subi %to, %from : index
  %all = scf.for %i = %c0 to %to step %c1 iter_args(%base = %c0) -> (index) {
    scf.for %k = %from to %to step %c1 {
      %number = arith.addi %base, %k : index
      tile.acquire %ring[%number] : !ring
      tile.copy %x[%k, %c0] to %ring[%number] part 0 threads = #r : memref<?x8xf32>, !ring
      tile.commit %ring[%number] : !ring
      %a = tile.wait %ring[%number] : !ring
      tile.release %ring[%number] : !ring
    }
    %next = arith.addi %base, %trips : index
    scf.yield %next : index
  }
  tile.return
}

// -----

#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
!ring = !tile.ring<2 x (tensor<16x8xf32, #s>)>

// What the copy engine fills, another role does, and what stands in no loop has
// no later rounds.
// CHECK-LABEL: tile.kernel @left
//   CHECK-NOT:   scf.if
//   CHECK-NOT:   behind
//       CHECK: tile.return
tile.kernel @left(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.ring feed = tma : !ring
  %single = tile.ring feed = cp_async : !ring
  tile.acquire %single[%c0] : !ring
  tile.commit %single[%c0] : !ring
  scf.for %k = %c0 to %n step %c1 {
    tile.acquire %ring[%k] : !ring
    tile.copy %x[%k, %c0] to %ring[%k] part 0 : memref<?x8xf32>, !ring
    tile.commit %ring[%k] : !ring
    %a = tile.wait %ring[%k] : !ring
    tile.release %ring[%k] : !ring
  }
  tile.return
}

// -----

#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
!ring = !tile.ring<2 x (tensor<16x8xf32, #s>)>

// The wait is for another number.
tile.kernel @other_number(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.ring feed = cp_async : !ring
  scf.for %k = %c0 to %n step %c1 {
    tile.acquire %ring[%k] : !ring
    tile.copy %x[%k, %c0] to %ring[%k] part 0 : memref<?x8xf32>, !ring
    // expected-error @+1 {{stands in a loop that does not also acquire, copy and wait for what it commits}}
    tile.commit %ring[%k] : !ring
    %a = tile.wait %ring[%n] : !ring
  }
  tile.return
}

// -----

#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
!ring = !tile.ring<1 x (tensor<16x8xf32, #s>)>

tile.kernel @one_slot(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.ring feed = cp_async : !ring
  scf.for %k = %c0 to %n step %c1 {
    tile.acquire %ring[%k] : !ring
    tile.copy %x[%k, %c0] to %ring[%k] part 0 : memref<?x8xf32>, !ring
    // expected-error @+1 {{fills the only slot of its ring, but copying ahead needs another one}}
    tile.commit %ring[%k] : !ring
    %a = tile.wait %ring[%k] : !ring
  }
  tile.return
}

// -----

#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
!ring = !tile.ring<2 x (tensor<16x8xf32, #s>)>

// Where a later round reads is carried to it.
tile.kernel @carried(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.ring feed = cp_async : !ring
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%row = %c0) -> (index) {
    tile.acquire %ring[%k] : !ring
    // expected-error @+1 {{needs what only its own round can tell, but is to be done rounds before}}
    tile.copy %x[%row, %c0] to %ring[%k] part 0 : memref<?x8xf32>, !ring
    tile.commit %ring[%k] : !ring
    %a = tile.wait %ring[%k] : !ring
    %next = arith.addi %row, %k : index
    scf.yield %next : index
  }
  tile.return
}

// -----

#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#scalar = #tile.layout<cell = [] lane = [[], [], [], [], []]>
!ring = !tile.ring<2 x (tensor<16x8xf32, #s>)>

// An op in between may be for rounds that there are only.
tile.kernel @impure(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.ring feed = cp_async : !ring
  scf.for %k = %c0 to %n step %c1 {
    %row = arith.divui %n, %k : index
    tile.acquire %ring[%k] : !ring
    // expected-error @+1 {{needs what only its own round can tell, but is to be done rounds before}}
    tile.copy %x[%row, %c0] to %ring[%k] part 0 : memref<?x8xf32>, !ring
    tile.commit %ring[%k] : !ring
    %a = tile.wait %ring[%k] : !ring
  }
  tile.return
}

// -----

#r = #tile.layout<cell = [16, 8] reg = [[0, 1], [0, 2]] lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
!ring = !tile.ring<2 x (tensor<16x8xf32, #s>)>

// By what no round changes may be divided in any of them, as the place in a grid
// is by its extents.
// CHECK-LABEL: tile.kernel @divided
//  CHECK-SAME:   blocks(%[[N:[a-z0-9_]+]], %[[COLUMNS:[a-z0-9_]+]])
//       CHECK:   arith.divui %{{.*}}, %[[COLUMNS]] : index
//       CHECK:   scf.for %[[K:.*]] =
//       CHECK:     %[[LATER:.*]] = arith.addi %[[K]]
//       CHECK:     %[[ROW:.*]] = arith.divui %[[LATER]], %[[COLUMNS]] : index
//       CHECK:     tile.copy %{{.*}}[%[[ROW]], %{{.*}}]
tile.kernel @divided(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n, %columns) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.ring feed = cp_async : !ring
  scf.for %k = %c0 to %n step %c1 {
    %row = arith.divui %k, %columns : index
    tile.acquire %ring[%k] : !ring
    tile.copy %x[%row, %c0] to %ring[%k] part 0 threads = #r : memref<?x8xf32>, !ring
    tile.commit %ring[%k] : !ring
    %0 = tile.wait %ring[%k] : !ring
    tile.release %ring[%k] : !ring
  }
}

// -----

#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
!ring = !tile.ring<2 x (tensor<16x8xf32, #s>)>

// By what is at least 0 nobody can divide ahead.
tile.kernel @at_least_zero(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.ring feed = cp_async : !ring
  scf.for %k = %c0 to %n step %c1 {
    %divisor = arith.maxui %k, %c0 : index
    %row = arith.divui %n, %divisor : index
    tile.acquire %ring[%k] : !ring
    // expected-error @+1 {{needs what only its own round can tell, but is to be done rounds before}}
    tile.copy %x[%row, %c0] to %ring[%k] part 0 : memref<?x8xf32>, !ring
    tile.commit %ring[%k] : !ring
    %a = tile.wait %ring[%k] : !ring
  }
  tile.return
}

// -----

#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
!ring = !tile.ring<2 x (tensor<16x8xf32, #s>)>

// Whether there is a round is asked as the loop does.
// CHECK-LABEL: tile.kernel @unsigned
// CHECK-COUNT-2: arith.cmpi ult
tile.kernel @unsigned(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.ring feed = cp_async : !ring
  scf.for unsigned %k = %c0 to %n step %c1 {
    tile.acquire %ring[%k] : !ring
    tile.copy %x[%k, %c0] to %ring[%k] part 0 : memref<?x8xf32>, !ring
    tile.commit %ring[%k] : !ring
    %a = tile.wait %ring[%k] : !ring
    tile.release %ring[%k] : !ring
  }
  tile.return
}
