// A ring whose numbers are of two kinds: a slot has the parts of one of them.

// RUN: fuse-opt %s --verify-roundtrip --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged))' | FileCheck %s

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
#t = #tile.shared<cell = [2] offset = [[1]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<2xf32, #t>, tensor<4xf32, #s>)>

// CHECK-LABEL: tile.kernel @kinds
//       CHECK:   %[[R:.*]] = tile.ring feed = cp_async : <2 x (tensor<4xf32, #[[S:.*]]>) or (tensor<2xf32, #[[T:.*]]>, tensor<4xf32, #[[S]]>)>
//       CHECK:   tile.copy %{{.*}} part 0 :
//       CHECK:   %{{[a-z0-9_]+}} = tile.wait %[[R]][%{{.*}}] : !tile.ring<
//       CHECK:   tile.copy %{{.*}} part 1 :
//       CHECK:   tile.copy %{{.*}} part 2 :
//       CHECK:   %{{[a-z0-9_]+}}:2 = tile.wait %[[R]][%{{.*}}] behind 0 kind 1 : !tile.ring<
tile.kernel @kinds(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !ring
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  tile.release %r[%c0] : !ring
  tile.acquire %r[%c1] : !ring
  tile.copy %x[%c0] to %r[%c1] part 1 : memref<4xf32>, !ring
  tile.copy %x[%c0] to %r[%c1] part 2 : memref<4xf32>, !ring
  tile.commit %r[%c1] : !ring
  %b, %c = tile.wait %r[%c1] behind 0 kind 1 : !ring
  tile.release %r[%c1] : !ring
  tile.return
}
