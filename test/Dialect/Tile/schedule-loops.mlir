// Loops do other work while products go on.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-async-dots,tile-schedule-loops))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-async-dots,tile-schedule-loops,tile-verify-staged))' -o /dev/null
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-async-dots,tile-schedule-loops{explain}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// EXPLAIN: remark: candidate: late [ ], {{[0-9]+}} cycles a round, about {{[0-9]+}} registers
// EXPLAIN: remark: chosen: late [ retire#{{[0-9]+}} ]

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#rows = #tile.layout<cell = [64] reg = [[8]] lane = [[0], [0], [1], [2], [4]] warp = [[16], [32]]>
!s = tensor<64x64xf16, #s>
!acc = tensor<64x64xf32, #acc>
!ring = !tile.ring<2 x (!s)>

// A product is waited for when the next one is set off, and its slot is
// released then. The number of rounds is known.
// CHECK-LABEL: tile.kernel @matmul
//   CHECK-NOT:     scf.if
//       CHECK:     %[[FIRST:.*]], %[[G0:.*]] = tile.dot_issue
//   CHECK-NOT:     tile.retire
//       CHECK:     scf.for %{{.*}} = %{{.*}} to %{{.*}} iter_args(%[[P:[a-z0-9]+]] = %[[FIRST]], %{{.*}}
//       CHECK:       tile.wait
//       CHECK:       tile.dot_issue %{{.*}}, %{{.*}}, %[[P]]
//       CHECK:       tile.retire %{{.*}} behind 1
//       CHECK:       tile.release
//       CHECK:       scf.yield
//       CHECK:     tile.retire %{{.*}} behind 0
//       CHECK:     tile.release
//       CHECK:     tile.take
tile.kernel @matmul(%x: memref<64x512xf16>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (!acc) {
        %a = tile.wait %r[%n] : !ring
        %s1 = tile.dot %a, %a, %s atom = wgmma : !s, !s -> !acc
        tile.release %r[%n] : !ring
        scf.yield %s1 : !acc
      }
      tile.store %sum, %y[%c0, %c0] : !acc, memref<64x64xf32>
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

// What one product makes is a factor of the other. The next one's first product
// is set off before the second of this round, and functions are computed while
// the second goes on; they are kept before the wait for it. The factor in
// registers is made anew behind that wait. There may be no round at all.
// CHECK-LABEL: tile.kernel @nest
//       CHECK:     scf.if
//       CHECK:       tile.dot_issue
//       CHECK:       tile.take
//       CHECK:       math.exp2
//       CHECK:       scf.for
//       CHECK:         tile.wait %[[K:[0-9a-z_]+]][
//       CHECK:         %[[P1:.*]], %[[G1:.*]] = tile.dot_issue
//       CHECK:         tile.wait %[[V:[0-9a-z_]+]][
//       CHECK:         %[[P2:.*]], %[[G2:.*]] = tile.dot_issue
//       CHECK:         tile.take %[[P1]] behind 1
//       CHECK:         tile.release %[[K]][{{.*}}] after %[[G1]]
//       CHECK:         math.exp2
//       CHECK:         tile.pin
//  CHECK-NEXT:         tile.{{take|retire}}
//       CHECK:         tile.release %[[V]][{{.*}}] after %[[G2]]
//       CHECK:         arith.truncf
//       CHECK:       tile.wait %[[V]]
//       CHECK:       tile.dot_issue
//       CHECK:     } else {
//       CHECK:       scf.yield
tile.kernel @nest(%x: memref<64x?xf16>, %y: memref<64x64xf32>, %l: memref<64xf32>) outputs 2 blocks(%trips) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %k = tile.ring feed = tma : !ring
  %v = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %none = arith.constant dense<0.0> : tensor<64xf32, #rows>
      %sum:2 = scf.for %n = %c0 to %trips step %c1 iter_args(%s = %zero, %m = %none) -> (!acc, tensor<64xf32, #rows>) {
        %a = tile.wait %k[%n] : !ring
        %p = tile.dot %a, %a, %zero atom = wgmma : !s, !s -> !acc
        %e = math.exp2 %p fastmath<afn> : !acc
        %h = arith.truncf %e : !acc to tensor<64x64xf16, #acc>
        %t = tile.reduce sum %e dims [1] : !acc -> tensor<64xf32, #rows>
        %m1 = arith.addf %m, %t : tensor<64xf32, #rows>
        %b = tile.wait %v[%n] : !ring
        %s1 = tile.dot %h, %b, %s atom = wgmma : tensor<64x64xf16, #acc>, !s -> !acc
        tile.release %k[%n] : !ring
        tile.release %v[%n] : !ring
        scf.yield %s1, %m1 : !acc, tensor<64xf32, #rows>
      }
      tile.store %sum#0, %y[%c0, %c0] : !acc, memref<64x64xf32>
      tile.store %sum#1, %l[%c0] : tensor<64xf32, #rows>, memref<64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %trips step %c1 {
        %at = arith.muli %n, %c64 : index
        tile.acquire %k[%n] : !ring
        tile.copy %x[%c0, %at] to %k[%n] part 0 : memref<64x?xf16>, !ring
        tile.commit %k[%n] : !ring
        tile.acquire %v[%n] : !ring
        tile.copy %x[%c0, %at] to %v[%n] part 0 : memref<64x?xf16>, !ring
        tile.commit %v[%n] : !ring
      }
    }
  }
  tile.return
}

// Where two groups of warps feed the tensor cores in turn, the wait for the
// second product is only kept behind the maximum of the first one's numbers: what
// comes behind that may be mixed with what follows the wait.
#acc2 = #tile.layout<cell = [128, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
#rows2 = #tile.layout<cell = [128] reg = [[8]] lane = [[0], [0], [1], [2], [4]] warp = [[16], [32], [64]]>
#s2 = #tile.shared<cell = [128, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
!acc2 = tensor<128x64xf32, #acc2>
!q = !tile.ring<1 x (tensor<128x64xf16, #s2>)>

// CHECK-LABEL: tile.kernel @groups
//       CHECK:      scf.for
//       CHECK:        %[[P1:.*]], %{{.*}} = tile.dot_issue
//       CHECK:        %[[P2:.*]], %{{.*}} = tile.dot_issue
//       CHECK:        tile.take %[[P1]] behind 1
//       CHECK:        tile.reduce max
//       CHECK:        %[[HELD:.*]] = tile.hold
//       CHECK:        tile.broadcast %[[HELD]]
//       CHECK:        math.exp2
//       CHECK:        tile.retire
tile.kernel @groups(%q: memref<128x64xf16>, %x: memref<64x?xf16>, %y: memref<128x64xf32>, %l: memref<128xf32>) outputs 2 blocks(%trips) attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %k = tile.ring feed = tma : !ring
  %v = tile.ring feed = tma : !ring
  %queries = tile.ring feed = tma : !q
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : !acc2
      %none = arith.constant dense<0.0> : tensor<128xf32, #rows2>
      %own = tile.wait %queries[%c0] : !q
      %sum:2 = scf.for %n = %c0 to %trips step %c1 iter_args(%s = %zero, %m = %none) -> (!acc2, tensor<128xf32, #rows2>) {
        %a = tile.wait %k[%n] : !ring
        %p = tile.dot %own, %a, %zero atom = wgmma : tensor<128x64xf16, #s2>, !s -> !acc2
        %t = tile.reduce max %p dims [1] : !acc2 -> tensor<128xf32, #rows2>
        %m1 = arith.maximumf %m, %t : tensor<128xf32, #rows2>
        %shift = tile.broadcast %m1 dims [0] : tensor<128xf32, #rows2> -> !acc2
        %d = arith.subf %p, %shift : !acc2
        %e = math.exp2 %d fastmath<afn> : !acc2
        %h = arith.truncf %e : !acc2 to tensor<128x64xf16, #acc2>
        %b = tile.wait %v[%n] : !ring
        %s1 = tile.dot %h, %b, %s atom = wgmma : tensor<128x64xf16, #acc2>, !s -> !acc2
        tile.release %k[%n] : !ring
        tile.release %v[%n] : !ring
        scf.yield %s1, %m1 : !acc2, tensor<128xf32, #rows2>
      }
      tile.release %queries[%c0] : !q
      tile.store %sum#0, %y[%c0, %c0] : !acc2, memref<128x64xf32>
      tile.store %sum#1, %l[%c0] : tensor<128xf32, #rows2>, memref<128xf32>
    }
    tile.role load warps 4 {
      tile.acquire %queries[%c0] : !q
      tile.copy %q[%c0, %c0] to %queries[%c0] part 0 : memref<128x64xf16>, !q
      tile.commit %queries[%c0] : !q
      scf.for %n = %c0 to %trips step %c1 {
        %at = arith.muli %n, %c64 : index
        tile.acquire %k[%n] : !ring
        tile.copy %x[%c0, %at] to %k[%n] part 0 : memref<64x?xf16>, !ring
        tile.commit %k[%n] : !ring
        tile.acquire %v[%n] : !ring
        tile.copy %x[%c0, %at] to %v[%n] part 0 : memref<64x?xf16>, !ring
        tile.commit %v[%n] : !ring
      }
    }
  }
  tile.return
}
