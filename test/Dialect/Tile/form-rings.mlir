// What a loop brings to shared memory goes through a ring, if its address is of
// the round only; loops count their rounds, and those around carry the count.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-rings{slots=3}))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-rings{slots=3 shared-bytes=3072}))' | FileCheck %s --check-prefix=TWO
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-rings{slots=3 shared-bytes=12288}))' | FileCheck %s --check-prefix=FOUR
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-rings{slots=3 shared-bytes=1024}))' | FileCheck %s --check-prefix=NONE
// NONE-NOT: tile.ring

#r = #tile.layout<cell = [16, 8] reg = [[0, 1], [0, 2]] lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#a = #tile.layout<cell = [4, 16] reg = [[0, 1]] lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]]>
#acc = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#scalar = #tile.layout<cell = [] lane = [[], [], [], [], []]>
#h = #tile.layout<cell = [16, 8] reg = [[0, 1], [0, 2], [0, 4], [8, 0]] lane = [[1, 0], [2, 0], [4, 0], [0, 0], [0, 0]]>
#wide = #tile.layout<cell = [128, 8] reg = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#wider = #tile.layout<cell = [128, 8] reg = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]] lane = [[32, 0], [64, 0], [0, 1], [0, 2], [0, 4]]>

// Bounds that are known at run time only: rounds are counted, and what a round
// needs is computed at its start, behind nothing that it does not need. The
// carried sum stays. In 3072 bytes three slots of 1024 would fit once; in half
// of it only one does, so all of it is used.
// CHECK-LABEL: tile.kernel @dynamic
//       CHECK:   %[[RING:[a-z0-9_]+]] = tile.ring feed = cp_async : <3 x (tensor<16x8xf32, #[[S:.*]]>)>
//       CHECK:   %[[LENGTH:.*]] = arith.subi %[[TO:.*]], %[[FROM:.*]] : index
//       CHECK:   %[[POSITIVE:.*]] = arith.maxsi %[[LENGTH]], %{{.*}} : index
//       CHECK:   %[[ROUNDED:.*]] = arith.addi %[[POSITIVE]], %{{.*}} : index
//       CHECK:   %[[TRIPS:.*]] = arith.divui %[[ROUNDED]], %[[STEP:.*]] : index
//       CHECK:   scf.for %[[N:.*]] = %{{.*}} to %[[TRIPS]] step %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<4x8xf32
//       CHECK:     %[[SCALED:.*]] = arith.muli %[[N]], %[[STEP]] : index
//       CHECK:     %[[AT:[a-z0-9_]+]] = arith.addi %[[SCALED]], %[[FROM]] : index
//       CHECK:     %[[LEFT:.*]] = arith.subi %[[TO]], %[[AT]] : index
//       CHECK:     tile.acquire %[[RING]][%[[NUMBER:[a-z0-9_]+]]]
//  CHECK-NEXT:     tile.copy %{{.*}}[%[[AT]], %{{.*}}] limits(%[[LEFT]]) axes [0] to %[[RING]][%[[NUMBER]]] part 0 threads = <cell = [16, 8] reg
//  CHECK-NEXT:     tile.commit %[[RING]][%[[NUMBER]]]
//  CHECK-NEXT:     %[[TILE:.*]] = tile.wait %[[RING]][%[[NUMBER]]] :
//   CHECK-NOT:     tile.load
//       CHECK:     %[[DOT:.*]] = tile.dot %{{.*}}, %[[TILE]], %[[SUM]]
//       CHECK:     tile.release %[[RING]][%[[NUMBER]]]
//  CHECK-NEXT:     scf.yield %[[DOT]]
//
//   TWO-LABEL: tile.kernel @dynamic
//         TWO:   tile.ring feed = cp_async : <3 x
tile.kernel @dynamic(%x: memref<?x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%from, %to) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum = scf.for %k = %from to %to step %c16 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %more = arith.addf %s, %zero : tensor<4x8xf32, #acc>
    %left = arith.subi %to, %k : index
    %t = tile.load %x[%k, %c0] limits(%left) axes [0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// Each loop around carries how many rounds there were before, and starts its
// own inner loops from it. The middle loop has a ring of its own, of two slots:
// its rounds are long enough.
// CHECK-LABEL: tile.kernel @nested
//       CHECK:   %[[INNER:[a-z0-9_]+]] = tile.ring feed = cp_async : <3 x
//       CHECK:   %[[ZERO:.*]] = arith.constant 0 : index
//       CHECK:   %[[MIDDLE:[a-z0-9_]+]] = tile.ring feed = cp_async : <2 x
//       CHECK:   %[[ZERO2:.*]] = arith.constant 0 : index
//       CHECK:   scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[BASE2:.*]] = %[[ZERO2]], %[[BASE:.*]] = %[[ZERO]]) -> (tensor<4x8xf32, #{{.*}}>, index, index)
//       CHECK:     scf.for %[[J:.*]] = {{.*}} iter_args(%{{.*}} = %[[SUM]], %[[OWN:.*]] = %[[BASE]]) -> (tensor<4x8xf32, #{{.*}}>, index)
//       CHECK:       %[[NUMBER2:[a-z0-9_]+]] = arith.addi %[[BASE2]], %[[J]] : index
//       CHECK:       tile.commit %[[MIDDLE]][%[[NUMBER2]]]
//       CHECK:       scf.for %[[K:.*]] = {{.*}} to %[[TRIPS:.*]] step
//       CHECK:         %[[NUMBER:[a-z0-9_]+]] = arith.addi %[[OWN]], %[[K]] : index
//       CHECK:         tile.acquire %[[INNER]][%[[NUMBER]]]
//       CHECK:         tile.release %[[INNER]][%[[NUMBER]]]
//       CHECK:       }
//       CHECK:       %[[NEXT:.*]] = arith.addi %[[OWN]], %[[TRIPS]] : index
//       CHECK:       tile.release %[[MIDDLE]][%[[NUMBER2]]]
//       CHECK:       scf.yield %{{.*}}, %[[NEXT]] :
//       CHECK:     }
//       CHECK:     %[[NEXT2:.*]] = arith.addi %[[BASE2]], %{{.*}} : index
//       CHECK:     scf.yield %{{.*}}#0, %[[NEXT2]], %{{.*}}#1 :
tile.kernel @nested(%x: memref<?x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %s1 = scf.for %j = %c0 to %n step %c1 iter_args(%s2 = %s) -> (tensor<4x8xf32, #acc>) {
      %u = tile.load %x[%j, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
      %u1 = tile.convert_layout %u : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
      %s3 = scf.for %k = %c0 to %j step %c1 iter_args(%s4 = %s2) -> (tensor<4x8xf32, #acc>) {
        %t = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
        %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
        %d = tile.dot %factor, %t1, %s4 : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
        %e = tile.dot %factor, %u1, %d : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
        scf.yield %e : tensor<4x8xf32, #acc>
      }
      scf.yield %s3 : tensor<4x8xf32, #acc>
    }
    scf.yield %s1 : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// All loads of a loop share a slot. In 3072 bytes not even two of them fit.
// CHECK-LABEL: tile.kernel @two_parts
//       CHECK:   tile.ring feed = cp_async : <3 x (tensor<16x8xf32, #[[S]]>, tensor<16x8xf32, #[[S]]>)>
//       CHECK:     tile.acquire
//       CHECK:     tile.copy %[[X:[a-z0-9_]+]][%{{.*}}] to {{.*}} part 0
//       CHECK:     tile.copy %[[Z:[a-z0-9_]+]][%{{.*}}] to {{.*}} part 1
//       CHECK:     tile.commit
//       CHECK:     %[[PARTS:.*]]:2 = tile.wait
//       CHECK:     tile.dot %{{.*}}, %[[PARTS]]#1, %{{.*}}
//       CHECK:     tile.dot %{{.*}}, %[[PARTS]]#0, %{{.*}}
//   TWO-LABEL: tile.kernel @two_parts
//     TWO-NOT:   tile.ring
//         TWO: tile.return
tile.kernel @two_parts(%x: memref<?x8xf32>, %z: memref<?x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %t = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %u = tile.load %z[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %u1 = tile.convert_layout %u : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %u1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    %e = tile.dot %factor, %t1, %d : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %e : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// Room for what warps tell each other is taken first. In 3072 bytes two slots
// would fit without the conversion.
// CHECK-LABEL: tile.kernel @scratch
//       CHECK:   tile.ring feed = cp_async : <3 x
//   TWO-LABEL: tile.kernel @scratch
//     TWO-NOT:   tile.ring
//         TWO: tile.return
tile.kernel @scratch(%x: memref<?x8xf32>, %z: memref<128x8xf32>, %y: memref<4x8xf32>, %w: memref<128x8xf32>) outputs 2 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %0 = tile.load %z[%c0, %c0] : memref<128x8xf32> -> tensor<128x8xf32, #wide>
  %1 = tile.convert_layout %0 : tensor<128x8xf32, #wide> -> tensor<128x8xf32, #wider>
  tile.store %1, %w[%c0, %c0] : tensor<128x8xf32, #wider>, memref<128x8xf32>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %t = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// Not copied ahead is what:
// - is read at a place that data says,
// - is needed in registers, too,
// - can be copied two bytes at a time only,
// - is at a place that cannot be computed for rounds that there are not,
// - the next round reads, too.
// CHECK-LABEL: tile.kernel @kept
//   CHECK-NOT:   tile.ring
//       CHECK: tile.return
tile.kernel @kept(%x: memref<?x8xf32>, %ids: memref<?xindex>, %h: memref<?x9xf16>, %y: memref<4x8xf32>, %z: memref<16x8xf32>) outputs 2 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %factor16 = arith.constant dense<1.0> : tensor<4x16xf16, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %first = tile.load %x[%c0, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
  %first1 = tile.convert_layout %first : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
  %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero, %last = %first1) -> (tensor<4x8xf32, #acc>, tensor<16x8xf32, #s>) {
    %id = tile.load %ids[%k] map () -> (0) : memref<?xindex> -> tensor<index, #scalar>
    %row = tensor.extract %id[] : tensor<index, #scalar>
    %t = tile.load %x[%row, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>

    %u = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    tile.store %u, %z[%c0, %c0] : tensor<16x8xf32, #r>, memref<16x8xf32>
    %u1 = tile.convert_layout %u : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %e = tile.dot %factor, %u1, %d : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>

    %v = tile.load %h[%k, %c0] : memref<?x9xf16> -> tensor<16x8xf16, #h>
    %v1 = tile.convert_layout %v : tensor<16x8xf16, #h> -> tensor<16x8xf16, #s>
    %f = tile.dot %factor16, %v1, %e : tensor<4x16xf16, #a>, tensor<16x8xf16, #s> -> tensor<4x8xf32, #acc>

    %place = arith.divui %n, %k : index
    %w = tile.load %x[%place, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %w1 = tile.convert_layout %w : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %g = tile.dot %factor, %w1, %f : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>

    %i = tile.dot %factor, %last, %g : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    %next = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %next1 = tile.convert_layout %next : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    scf.yield %i, %next1 : tensor<4x8xf32, #acc>, tensor<16x8xf32, #s>
  }
  tile.store %sum#0, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// How often a loop under a condition ran, nobody counts; nor is one counted
// whose numbers are no indices, or that compares them in another way.
// CHECK-LABEL: tile.kernel @uncounted
//   CHECK-NOT:   tile.ring
//       CHECK: tile.return
tile.kernel @uncounted(%x: memref<?x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %n32 = arith.index_cast %n : index to i32
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %isOne = arith.cmpi eq, %n, %c1 : index
  scf.if %isOne {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
      %t = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
      %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
      %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
      scf.yield %d : tensor<4x8xf32, #acc>
    }
    tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  }
  %sum32 = scf.for %k = %i0 to %n32 step %i1 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) : i32 {
    %at = arith.index_cast %k : i32 to index
    %t = tile.load %x[%at, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  %sumU = scf.for unsigned %k = %c0 to %n step %c1 iter_args(%s = %sum32) -> (tensor<4x8xf32, #acc>) {
    %t = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  tile.store %sumU, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// A kernel may ask for fewer slots, and for more, of which it gets as many as
// there is room for, for one block.
// CHECK-LABEL: tile.kernel @fewer
//       CHECK:   tile.ring feed = cp_async : <2 x
tile.kernel @fewer(%x: memref<?x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1, tile.stages = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %t = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @more
//       CHECK:   tile.ring feed = cp_async : <5 x
//   TWO-LABEL: tile.kernel @more
//         TWO:   tile.ring feed = cp_async : <3 x
tile.kernel @more(%x: memref<?x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1, tile.stages = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %t = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// No more slots than rounds, but two: a chunk of a split loop has as many
// rounds as it is long, wherever it begins, and fewer where it is cut off.
// CHECK-LABEL: tile.kernel @chunk
//       CHECK:   tile.ring feed = cp_async : <3 x
tile.kernel @chunk(%x: memref<?x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %from, %to) attributes {tile.warps = 1, tile.stages = 5} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %begin = arith.muli %i, %c48 : index
  %end = arith.addi %begin, %c48 : index
  %low = arith.maxsi %begin, %from : index
  %high = arith.minsi %end, %to : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum = scf.for %k = %low to %high step %c16 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %t = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @once
//       CHECK:   tile.ring feed = cp_async : <2 x
tile.kernel @once(%x: memref<16x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks() attributes {tile.warps = 1, tile.stages = 5} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum = scf.for %k = %c0 to %c16 step %c16 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %t = tile.load %x[%k, %c0] : memref<16x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// Of 12 KiB each of two blocks has 6, of which it takes one beside its own and
// one for barriers, and 4 slots are left.
// CHECK-LABEL: tile.kernel @residents
//       CHECK:   tile.ring feed = cp_async : <5 x
//  FOUR-LABEL: tile.kernel @residents
//        FOUR:   tile.ring feed = cp_async : <4 x
tile.kernel @residents(%x: memref<?x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1, tile.stages = 5, tile.residents = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %t = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// With one slot nothing can be on its way.
// CHECK-LABEL: tile.kernel @one_stage
//   CHECK-NOT:   tile.ring
//       CHECK:   tile.return
tile.kernel @one_stage(%x: memref<?x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1, tile.stages = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %factor = arith.constant dense<1.0> : tensor<4x16xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %t = tile.load %x[%k, %c0] : memref<?x8xf32> -> tensor<16x8xf32, #r>
    %t1 = tile.convert_layout %t : tensor<16x8xf32, #r> -> tensor<16x8xf32, #s>
    %d = tile.dot %factor, %t1, %s : tensor<4x16xf32, #a>, tensor<16x8xf32, #s> -> tensor<4x8xf32, #acc>
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}
