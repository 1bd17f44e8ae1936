// A product in flight has the registers that its sum began with, so the next
// round does not compute them before it has ended.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-async-dots,tile-schedule-loops,tile-verify-staged))' | FileCheck %s

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#rows = #tile.layout<cell = [64] reg = [[8]] lane = [[0], [0], [1], [2], [4]] warp = [[16], [32]]>
#columns = #tile.layout<cell = [64] reg = [[1], [8], [16], [32]] lane = [[2], [4], [0], [0], [0]] warp = [[0], [0]]>
!s = tensor<64x64xf16, #s>
!acc = tensor<64x64xf32, #acc>
!rows = tensor<64xf32, #rows>
!columns = tensor<64xf32, #columns>
!ring = !tile.ring<3 x (!s)>

// CHECK-LABEL: tile.kernel @layer
//   CHECK-NOT:     tile.dot_issue
//       CHECK:     scf.for
//       CHECK:       %[[ROW:.*]] = tile.broadcast
//       CHECK:       tile.dot_issue %{{.*}}, %{{.*}}, %[[ROW]]
//       CHECK:       tile.take
//       CHECK:       scf.yield
tile.kernel @layer(%x: memref<64x512xf16>, %b: memref<512xf32>, %v: memref<512xf32>, %y: memref<64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !rows
      %none = arith.constant dense<0.0> : !acc
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (!rows) {
        %k = arith.muli %n, %c64 : index
        %a = tile.wait %r[%n] : !ring
        %bias = tile.load %b[%k] : memref<512xf32> -> !columns
        %row = tile.broadcast %bias dims [1] : !columns -> !acc
        %product = tile.dot %a, %a, %row atom = wgmma : !s, !s -> !acc
        tile.release %r[%n] : !ring
        %relu = arith.maximumf %product, %none : !acc
        %weights = tile.load %v[%k] : memref<512xf32> -> !columns
        %weight = tile.broadcast %weights dims [1] : !columns -> !acc
        %weighted = arith.mulf %relu, %weight : !acc
        %part = tile.reduce sum %weighted dims [1] : !acc -> !rows
        %next = arith.addf %s, %part : !rows
        scf.yield %next : !rows
      }
      tile.store %sum, %y[%c0] : !rows, memref<64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c8 step %c1 {
        %k = arith.muli %n, %c64 : index
        tile.acquire %r[%n] : !ring
        tile.copy %x[%c0, %k] to %r[%n] part 0 : memref<64x512xf16>, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}
