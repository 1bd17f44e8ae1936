// Dots by warpgroups become their beginning and their end.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-async-dots))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-async-dots,tile-verify-staged))' -o /dev/null

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
!s = tensor<64x64xf16, #s>
!acc = tensor<64x64xf32, #acc>
!one = !tile.ring<2 x (!s)>
!two = !tile.ring<2 x (!s, !s)>

// A sum to which only the next product is added stays in flight, and is taken
// behind the loop. Of two products that one release waits for, the last is
// waited for.
// CHECK-LABEL: tile.kernel @chain
//       CHECK:     %[[LEFT:.*]] = tile.start
//       CHECK:     %[[RIGHT:.*]] = tile.start
//       CHECK:     %[[SUMS:.*]]:2 = scf.for {{.*}} iter_args(%[[L:.*]] = %[[LEFT]], %[[R:.*]] = %[[RIGHT]]) -> (!tile.pending<{{.*}}>, !tile.pending
//       CHECK:       %[[L1:.*]], %[[G1:.*]] = tile.dot_issue %{{.*}}, %{{.*}}, %[[L]]
//   CHECK-NOT:       tile.retire
//       CHECK:       %[[R1:.*]], %[[G2:.*]] = tile.dot_issue %{{.*}}, %{{.*}}, %[[R]]
//       CHECK:       tile.retire %[[G2]] behind 0
//       CHECK:       tile.release %{{.*}} after %[[G1]], %[[G2]]
//       CHECK:       scf.yield %[[L1]], %[[R1]]
//   CHECK-DAG:     tile.take %[[SUMS]]#0
//   CHECK-DAG:     tile.take %[[SUMS]]#1
tile.kernel @chain(%x: memref<64x512xf16>, %w: memref<512x64xf16>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = tma : !two
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %sum:2 = scf.for %n = %c0 to %c8 step %c1 iter_args(%l = %zero, %s = %zero) -> (!acc, !acc) {
        %a, %b = tile.wait %r[%n] : !two
        %l1 = tile.dot %a, %b, %l atom = wgmma : !s, !s -> !acc
        %s1 = tile.dot %b, %a, %s atom = wgmma : !s, !s -> !acc
        tile.release %r[%n] : !two
        scf.yield %l1, %s1 : !acc, !acc
      }
      %y1 = arith.addf %sum#0, %sum#1 : !acc
      tile.store %y1, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c8 step %c1 {
        %k = arith.muli %n, %c64 : index
        tile.acquire %r[%n] : !two
        tile.copy %x[%c0, %k] to %r[%n] part 0 : memref<64x512xf16>, !two
        tile.copy %w[%k, %c0] to %r[%n] part 1 : memref<512x64xf16>, !two
        tile.commit %r[%n] : !two
      }
    }
  }
  tile.return
}

// A sum that is read is taken in the round; so is one that is scaled before the
// next product.
// CHECK-LABEL: tile.kernel @taken
//       CHECK:     scf.for {{.*}} -> (tensor<64x64xf32, #{{.*}}>) {
//       CHECK:       %[[P:.*]], %[[G:.*]] = tile.dot_issue
//  CHECK-NEXT:       tile.take %[[P]]
//       CHECK:       tile.release %{{.*}} after %[[G]]
// Rounds of a loop with another one inside stay in step.
//       CHECK:     scf.for
//       CHECK:       scf.for
//       CHECK:         tile.dot_issue
//       CHECK:       tile.dot %
tile.kernel @taken(%x: memref<64x512xf16>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = tma : !one
  %q = tile.ring feed = tma : !one
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %half = arith.constant dense<0.5> : !acc
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (!acc) {
        %a = tile.wait %r[%n] : !one
        %s1 = arith.mulf %s, %half : !acc
        %s2 = tile.dot %a, %a, %s1 atom = wgmma : !s, !s -> !acc
        tile.release %r[%n] : !one
        scf.yield %s2 : !acc
      }
      %all = scf.for %i = %c0 to %c8 step %c8 iter_args(%s = %sum) -> (!acc) {
        %inner = scf.for %n = %c0 to %c8 step %c1 iter_args(%t = %zero) -> (!acc) {
          %a = tile.wait %q[%n] : !one
          %t1 = tile.dot %a, %a, %t atom = wgmma : !s, !s -> !acc
          tile.release %q[%n] : !one
          scf.yield %t1 : !acc
        }
        %a = tile.wait %r[%c8] : !one
        %s1 = tile.dot %a, %a, %inner atom = wgmma : !s, !s -> !acc
        tile.release %r[%c8] : !one
        scf.yield %s1 : !acc
      }
      tile.store %all, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c8 step %c1 {
        %k = arith.muli %n, %c64 : index
        tile.acquire %r[%n] : !one
        tile.copy %x[%c0, %k] to %r[%n] part 0 : memref<64x512xf16>, !one
        tile.commit %r[%n] : !one
      }
      scf.for %n = %c0 to %c8 step %c1 {
        tile.acquire %q[%n] : !one
        tile.copy %x[%c0, %c0] to %q[%n] part 0 : memref<64x512xf16>, !one
        tile.commit %q[%n] : !one
      }
      tile.acquire %r[%c8] : !one
      tile.copy %x[%c0, %c0] to %r[%c8] part 0 : memref<64x512xf16>, !one
      tile.commit %r[%c8] : !one
    }
  }
  tile.return
}
