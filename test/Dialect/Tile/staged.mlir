// Ops and types of the staged form, as they are written.

// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#t = #tile.shared<cell = [8, 4] offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>
#threads = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#acc = #tile.layout<cell = [4, 4] lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]]>

// The number of slots, then the type of each part; results of a wait follow
// from it.
// CHECK-LABEL: tile.kernel @rings
//       CHECK:   %[[A:.*]] = tile.ring feed = cp_async : <2 x (tensor<4x8xf32, #[[S:.*]]>)>
//       CHECK:   %[[B:.*]] = tile.ring feed = tma : <1 x (tensor<4x8xf32, #[[S]]>, tensor<8x4xf32, #[[T:.*]]>)>
//       CHECK:   tile.acquire %[[A]][%[[C0:.*]]] : <2 x (tensor<4x8xf32, #[[S]]>)>
//       CHECK:   tile.copy %{{.*}}[%{{.*}}, %[[C0]]] to %[[A]][%[[C0]]] part 0 threads = <cell = [4, 8] lane = {{.*}}> : memref<?x8xf32>, <2 x (tensor<4x8xf32, #[[S]]>)>
//       CHECK:   tile.commit %[[A]][%[[C0]]] : <2 x (tensor<4x8xf32, #[[S]]>)>
//       CHECK:   %{{.*}} = tile.wait %[[A]][%[[C0]]] behind 0 : !tile.ring<2 x (tensor<4x8xf32, #[[S]]>)>
//       CHECK:   tile.release %[[A]][%[[C0]]] : <2 x (tensor<4x8xf32, #[[S]]>)>
//       CHECK:   tile.copy %{{.*}}[%{{.*}}, %{{.*}}] map (d0, d1) -> (0, d1) limits(%{{.*}}) axes [0] to %[[B]][%{{.*}}] part 0 : memref<?x8xf32>, <1 x (
//       CHECK:   tile.copy %{{.*}}[%{{.*}}, %{{.*}}] map (d0, d1) -> (d1, d0) guarded to %[[B]][%{{.*}}] part 1 {other = 1 : i64} : memref<?x8xf32>, <1 x (
//       CHECK:   %{{.*}}:2 = tile.wait %[[B]][%{{.*}}] : !tile.ring<1 x (tensor<4x8xf32, #[[S]]>, tensor<8x4xf32, #[[T]]>)>
tile.kernel @rings(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %a = tile.ring feed = cp_async : !tile.ring<2 x (tensor<4x8xf32, #s>)>
  %b = tile.ring feed = tma : !tile.ring<1 x (tensor<4x8xf32, #s>, tensor<8x4xf32, #t>)>
  tile.acquire %a[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
  tile.copy %x[%i, %c0] to %a[%c0] part 0 threads = #threads : memref<?x8xf32>, !tile.ring<2 x (tensor<4x8xf32, #s>)>
  tile.commit %a[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
  %0 = tile.wait %a[%c0] behind 0 : !tile.ring<2 x (tensor<4x8xf32, #s>)>
  tile.release %a[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
  tile.acquire %b[%i] : !tile.ring<1 x (tensor<4x8xf32, #s>, tensor<8x4xf32, #t>)>
  tile.copy %x[%i, %c0] map (d0, d1) -> (0, d1) limits(%i) axes [0] to %b[%i] part 0 : memref<?x8xf32>, !tile.ring<1 x (tensor<4x8xf32, #s>, tensor<8x4xf32, #t>)>
  tile.copy %x[%i, %c0] map (d0, d1) -> (d1, d0) guarded to %b[%i] part 1 {other = 1} : memref<?x8xf32>, !tile.ring<1 x (tensor<4x8xf32, #s>, tensor<8x4xf32, #t>)>
  tile.commit %b[%i] : !tile.ring<1 x (tensor<4x8xf32, #s>, tensor<8x4xf32, #t>)>
  %1, %2 = tile.wait %b[%i] : !tile.ring<1 x (tensor<4x8xf32, #s>, tensor<8x4xf32, #t>)>
  tile.release %b[%i] : !tile.ring<1 x (tensor<4x8xf32, #s>, tensor<8x4xf32, #t>)>
  tile.return
}

// Products start from a sum, or from one that is in flight itself, and what is
// in flight may be carried by loops.
// CHECK-LABEL: tile.kernel @products
//       CHECK:   %[[P:.*]], %[[G:.*]] = tile.dot_issue %[[L:.*]], %[[R:.*]], %{{.*}} : tensor<4x8xf32, #[[S]]>, tensor<8x4xf32, #[[T]]>, tensor<4x4xf32, #[[ACC:.*]]> -> tensor<4x4xf32, #[[ACC]]>
//       CHECK:   scf.for {{.*}} iter_args(%[[Q:.*]] = %[[P]], %{{.*}} = %[[G]]) -> (!tile.pending<tensor<4x4xf32, #[[ACC]]>>, !tile.group)
//       CHECK:     tile.dot_issue %[[L]], %[[R]], %[[Q]] precision = tf32 : tensor<4x8xf32, #[[S]]>, tensor<8x4xf32, #[[T]]>, !tile.pending<tensor<4x4xf32, #[[ACC]]>> -> tensor<4x4xf32, #[[ACC]]>
//       CHECK:   %[[DONE:.*]] = tile.retire %[[LAST:.*]]#1 behind 1
//       CHECK:   tile.release %{{.*}}[%{{.*}}] after %[[DONE]], %[[G]] : <2 x
//       CHECK:   tile.take %[[LAST]]#0 behind 1 : tensor<4x4xf32, #[[ACC]]>
//       CHECK:   tile.take %{{.*}} : tensor<4x4xf32, #[[ACC]]>
tile.kernel @products(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<4x4xf32, #acc>
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4x8xf32, #s>, tensor<8x4xf32, #t>)>
  %a, %b = tile.wait %r[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>, tensor<8x4xf32, #t>)>
  %p, %g = tile.dot_issue %a, %b, %zero : tensor<4x8xf32, #s>, tensor<8x4xf32, #t>, tensor<4x4xf32, #acc> -> tensor<4x4xf32, #acc>
  %last:2 = scf.for %k = %c0 to %n step %c1 iter_args(%q = %p, %h = %g) -> (!tile.pending<tensor<4x4xf32, #acc>>, !tile.group) {
    %q1, %h1 = tile.dot_issue %a, %b, %q precision = tf32 : tensor<4x8xf32, #s>, tensor<8x4xf32, #t>, !tile.pending<tensor<4x4xf32, #acc>> -> tensor<4x4xf32, #acc>
    scf.yield %q1, %h1 : !tile.pending<tensor<4x4xf32, #acc>>, !tile.group
  }
  %u, %v = tile.dot_issue %a, %b, %zero batch = 0 contract = 1 : tensor<4x8xf32, #s>, tensor<8x4xf32, #t>, tensor<4x4xf32, #acc> -> tensor<4x4xf32, #acc>
  %done = tile.retire %last#1 behind 1
  tile.release %r[%c0] after %done, %g : !tile.ring<2 x (tensor<4x8xf32, #s>, tensor<8x4xf32, #t>)>
  %0 = tile.take %last#0 behind 1 : tensor<4x4xf32, #acc>
  %1 = tile.take %u : tensor<4x4xf32, #acc>
  tile.return
}

// CHECK-LABEL: tile.kernel @roles
//       CHECK:   tile.roles {
//  CHECK-NEXT:     tile.role math warps 8 registers 232 {
//  CHECK-NEXT:     }
//  CHECK-NEXT:     tile.role load warps 4 attributes {other = 1 : i64} {
//  CHECK-NEXT:     }
//  CHECK-NEXT:   }
tile.kernel @roles(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    tile.role math warps 8 registers 232 {
    }
    tile.role load warps 4 attributes {other = 1} {
    }
  }
  tile.return
}
