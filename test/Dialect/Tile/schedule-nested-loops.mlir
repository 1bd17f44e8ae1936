// A loop with products around a loop of rounds was scheduled as if it had no
// other: the wait behind the inner loop went before it, out of its turn.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-schedule-loops,tile-verify-staged))' | FileCheck %s

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
!s = tensor<64x64xf16, #s>
!acc = tensor<64x64xf32, #acc>
!ring = !tile.ring<2 x (!s)>

// CHECK-LABEL: tile.kernel @around
//       CHECK:   tile.role math
//       CHECK:     scf.for
//       CHECK:       tile.wait
//       CHECK:       tile.dot_issue
//       CHECK:       scf.for
//       CHECK:         tile.wait
//       CHECK:         tile.release
//       CHECK:       }
//       CHECK:       tile.wait
//       CHECK:       tile.dot_issue
//       CHECK:       tile.store
tile.kernel @around(%x: memref<?x64xf16>, %y: memref<?x64xf32>) outputs 1 blocks(%n) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %ring = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 registers 168 {
      %zero = arith.constant dense<0.0> : !acc
      scf.for %i = %c0 to %n step %c1 {
        %first = arith.muli %i, %c5 : index
        %a = tile.wait %ring[%first] : !ring
        %p, %g = tile.dot_issue %a, %a, %zero : !s, !s, !acc -> !acc
        %t = tile.take %p : !acc
        tile.release %ring[%first] after %g : !ring
        %sum = scf.for %j = %c1 to %c4 step %c1 iter_args(%s = %t) -> (!acc) {
          %number = arith.addi %first, %j : index
          %b = tile.wait %ring[%number] : !ring
          %q, %h = tile.dot_issue %b, %b, %s : !s, !s, !acc -> !acc
          %u = tile.take %q : !acc
          tile.release %ring[%number] after %h : !ring
          %v = arith.maximumf %u, %zero : !acc
          scf.yield %v : !acc
        }
        %last = arith.addi %first, %c4 : index
        %c = tile.wait %ring[%last] : !ring
        %r, %k = tile.dot_issue %c, %c, %sum : !s, !s, !acc -> !acc
        %w = tile.take %r : !acc
        tile.release %ring[%last] after %k : !ring
        tile.store %w, %y[%i, %c0] : !acc, memref<?x64xf32>
      }
    }
    tile.role load warps 4 registers 40 {
      scf.for %i = %c0 to %n step %c1 {
        scf.for %j = %c0 to %c5 step %c1 {
          %first = arith.muli %i, %c5 : index
          %number = arith.addi %first, %j : index
          tile.acquire %ring[%number] : !ring
          tile.copy %x[%number, %c0] to %ring[%number] part 0 : memref<?x64xf16>, !ring
          tile.commit %ring[%number] : !ring
        }
      }
    }
  }
  tile.return
}
