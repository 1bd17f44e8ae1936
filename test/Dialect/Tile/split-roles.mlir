// Where the copy engine can fill all rings of a kernel, warps of their own tell
// it to. They run through the same loops, with nothing in them but copies. The
// attribute `tile.roles` asks for it where nothing is done by wgmma.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-split-roles))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-split-roles,tile-verify-staged))' -o /dev/null

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#threads = #tile.layout<cell = [8, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]] warp = [[4, 0], [0, 0]]>
#a = #tile.layout<cell = [4, 8] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]] warp = [[0, 0], [0, 0]]>
#acc = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]] warp = [[0, 0], [0, 0]]>
#sixteen = #tile.layout<cell = [16] lane = [[1], [2], [4], [8], [0]] warp = [[0], [0]]>
#scalar = #tile.layout<cell = [] lane = [[], [], [], [], []] warp = [[], []]>
#n32 = #tile.shared<cell = [16, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#v1616 = #tile.layout<cell = [16, 16] reg = [[0, 1]] lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>
#wacc = #tile.layout<cell = [64, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#n16 = #tile.shared<cell = [16, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>
#v1616_8 = #tile.layout<cell = [16, 16] lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]] warp = [[2, 0], [4, 0], [8, 0]]>
#wacc8 = #tile.layout<cell = [128, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>

// Numbers are computed by both roles, tiles by one. What is needed before either
// stands before them. With so few threads nobody has to hand registers over.
// CHECK-LABEL: tile.kernel @product
//       CHECK:   %[[RING:.*]] = tile.ring feed = tma : <2 x
//       CHECK:   %[[COLUMN:.*]] = arith.muli
//   CHECK-NOT:   scf.for
//       CHECK:   tile.roles {
//  CHECK-NEXT:     tile.role math warps 4 {
//       CHECK:       scf.for %[[N:.*]] = %[[LOWER:.*]] to %[[UPPER:.*]] step %[[STEP:.*]] iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<4x8xf32
//   CHECK-NOT:         tile.{{acquire|copy|commit}}
//       CHECK:         %[[TILE:.*]] = tile.wait %[[RING]][%[[N]]]
//       CHECK:         tile.dot %{{.*}}, %[[TILE]], %[[SUM]]
//       CHECK:         tile.release %[[RING]][%[[N]]]
//  CHECK-NEXT:         scf.yield
//       CHECK:       tile.store
//  CHECK-NEXT:     }
//  CHECK-NEXT:     tile.role load warps 4 {
//  CHECK-NEXT:       scf.for %[[N:.*]] = %[[LOWER]] to %[[UPPER]] step %[[STEP]] {
//  CHECK-NEXT:         %[[AT:.*]] = arith.muli %[[N]], %{{.*}} : index
//  CHECK-NEXT:         tile.acquire %[[RING]][%[[N]]]
//  CHECK-NEXT:         tile.copy %{{.*}}[%[[AT]], %[[COLUMN]]] to %[[RING]][%[[N]]] part 0 : memref<64x64xf32>
//  CHECK-NEXT:         tile.commit %[[RING]][%[[N]]]
//  CHECK-NEXT:       }
//  CHECK-NEXT:     }
//  CHECK-NEXT:   }
//  CHECK-NEXT:   tile.return
tile.kernel @product(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  %column = arith.muli %i, %c8 : index
  %factor = arith.constant dense<1.0> : tensor<4x8xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (tensor<4x8xf32, #acc>) {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %column] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    %d = tile.dot %factor, %t, %s : tensor<4x8xf32, #a>, tensor<8x8xf32, #s> -> tensor<4x8xf32, #acc>
    tile.release %r[%n] : !r
    scf.yield %d : tensor<4x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// A loop of the role that loads carries the count of rounds, but no tile.
// CHECK-LABEL: tile.kernel @nested
//       CHECK:     tile.role math warps 4 {
//       CHECK:       scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[ZERO:.*]]) -> (tensor<4x8xf32, #{{.*}}>, index)
//       CHECK:     tile.role load warps 4 {
//  CHECK-NEXT:       scf.for %{{.*}} = %{{.*}} iter_args(%[[BASE:.*]] = %[[ZERO]]) -> (index) {
//  CHECK-NEXT:         scf.for %[[K:.*]] = %{{.*}} to %[[TRIPS:.*]] step %{{.*}} {
//  CHECK-NEXT:           %[[NUMBER:.*]] = arith.addi %[[BASE]], %[[K]] : index
//       CHECK:           tile.acquire %{{.*}}[%[[NUMBER]]]
//  CHECK-NEXT:           tile.copy %{{.*}} to %{{.*}}[%[[NUMBER]]]
//  CHECK-NEXT:           tile.commit %{{.*}}[%[[NUMBER]]]
//  CHECK-NEXT:         }
//  CHECK-NEXT:         %[[NEXT:.*]] = arith.addi %[[BASE]], %[[TRIPS]] : index
//  CHECK-NEXT:         scf.yield %[[NEXT]] : index
//  CHECK-NEXT:       }
//  CHECK-NEXT:     }
tile.kernel @nested(%x: memref<64x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%rounds) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  %factor = arith.constant dense<1.0> : tensor<4x8xf32, #a>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #acc>
  %sum:2 = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero, %base = %c0) -> (tensor<4x8xf32, #acc>, index) {
    %twice = arith.addf %s, %s : tensor<4x8xf32, #acc>
    %inner = scf.for %k = %c0 to %c8 step %c1 iter_args(%s1 = %twice) -> (tensor<4x8xf32, #acc>) {
      %n = arith.addi %base, %k : index
      %at = arith.muli %k, %c8 : index
      tile.acquire %r[%n] : !r
      tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x8xf32>, !r
      tile.commit %r[%n] : !r
      %t = tile.wait %r[%n] : !r
      %d = tile.dot %factor, %t, %s1 : tensor<4x8xf32, #a>, tensor<8x8xf32, #s> -> tensor<4x8xf32, #acc>
      tile.release %r[%n] : !r
      scf.yield %d : tensor<4x8xf32, #acc>
    }
    %next = arith.addi %base, %c8 : index
    scf.yield %inner, %next : tensor<4x8xf32, #acc>, index
  }
  tile.store %sum#0, %y[%c0, %c0] : tensor<4x8xf32, #acc>, memref<4x8xf32>
  tile.return
}

// All registers that there are at the start are divided: what those who load
// hand over is what the others get.
// CHECK-LABEL: tile.kernel @eight_warps(
//       CHECK:   tile.role math warps 8 registers 232 {
//       CHECK:   tile.role load warps 4 registers 40 {
tile.kernel @eight_warps(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Sums of numbers of 8 bits are in two pieces beside all others.
// CHECK-LABEL: tile.kernel @eight_bits(
//       CHECK:   tile.role math warps 8 registers 240 {
//       CHECK:   tile.role load warps 4 registers 24 {
!bytes = !tile.ring<2 x (tensor<16x16xf8E4M3FN, #n16>)>
tile.kernel @eight_bits(%x: memref<64x16xf8E4M3FN>, %y: memref<128x16xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !bytes
  %a = arith.constant dense<1.0> : tensor<128x16xf8E4M3FN, #wacc8>
  %zero = arith.constant dense<0.0> : tensor<128x16xf32, #wacc8>
  tile.acquire %r[%c0] : !bytes
  tile.copy %x[%i, %c0] to %r[%c0] part 0 threads = #v1616_8 : memref<64x16xf8E4M3FN>, !bytes
  tile.commit %r[%c0] : !bytes
  %t = tile.wait %r[%c0] : !bytes
  %d = tile.dot %a, %t, %zero atom = wgmma : tensor<128x16xf8E4M3FN, #wacc8>, tensor<16x16xf8E4M3FN, #n16> -> tensor<128x16xf32, #wacc8>
  tile.release %r[%c0] : !bytes
  tile.store %d, %y[%c0, %c0] : tensor<128x16xf32, #wacc8>, memref<128x16xf32>
  tile.return
}

// Blocks that are to be on a processor together share its registers, and who
// loads keeps as few as there can be, and what would help nobody else.
// CHECK-LABEL: tile.kernel @two_blocks(
//       CHECK:   tile.role math warps 8 registers 104 {
//       CHECK:   tile.role load warps 4 registers 32 {
tile.kernel @two_blocks(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8, tile.roles = 2, tile.residents = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @three_blocks(
//       CHECK:   tile.role math warps 4 registers 136 {
//       CHECK:   tile.role load warps 4 registers 24 {
tile.kernel @three_blocks(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2, tile.residents = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// What does not divide evenly among those who compute stays where it was.
// CHECK-LABEL: tile.kernel @sixteen_warps(
//       CHECK:   tile.role math warps 16 registers 104 {
//       CHECK:   tile.role load warps 4 registers 64 {
tile.kernel @sixteen_warps(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 16, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// The end of a memory is where the engine stops by itself.
// CHECK-LABEL: tile.kernel @natural_limit(
//       CHECK:   tile.ring feed = tma
//       CHECK:   tile.role load
//       CHECK:   tile.copy {{.*}} limits(%{{.*}}) axes [0] to
tile.kernel @natural_limit(%x: memref<60x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c60 = arith.constant 60 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    %left = arith.subi %c60, %at : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] limits(%left) axes [0] to %r[%n] part 0 threads = #threads : memref<60x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// The same, as long as nobody has computed the size.
// CHECK-LABEL: tile.kernel @asked_limit(
//       CHECK:   tile.ring feed = tma
//       CHECK:   tile.role load
//       CHECK:   tile.copy {{.*}} limits(%{{.*}}) axes [0] to
tile.kernel @asked_limit(%x: memref<60x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %size = memref.dim %x, %c0 : memref<60x64xf32>
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    %left = arith.subi %size, %at : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] limits(%left) axes [0] to %r[%n] part 0 threads = #threads : memref<60x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Nor does a limit matter that no tile reaches.
// CHECK-LABEL: tile.kernel @far_limit(
//       CHECK:   tile.ring feed = tma
//       CHECK:   tile.role load
//       CHECK:   tile.copy {{.*}} limits(%{{.*}}) axes [1] to
tile.kernel @far_limit(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] limits(%c8) axes [1] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Up to five dimensions, of which the last ones need not be those of the tile.
// CHECK-LABEL: tile.kernel @rank_5(
//       CHECK:   tile.ring feed = tma
//       CHECK:   tile.role load
//       CHECK:   tile.copy
tile.kernel @rank_5(%x: memref<64x2x2x2x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0, %i, %c0, %c0] map (d0, d1) -> (d0, 0, 0, 0, d1) to %r[%n] part 0 threads = #threads : memref<64x2x2x2x8xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Everything below stays as it is. Six dimensions:
// CHECK-LABEL: tile.kernel @rank_6(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @rank_6(%x: memref<64x2x2x2x2x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0, %i, %c0, %c0, %c0] map (d0, d1) -> (d0, 0, 0, 0, 0, d1) to %r[%n] part 0 threads = #threads : memref<64x2x2x2x2x8xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Rows that may begin anywhere.
// CHECK-LABEL: tile.kernel @dynamic(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @dynamic(%x: memref<64x?xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x?xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// How many rows there are does not matter, nor how far apart they are if that
// is promised to be a multiple of 16 bytes.
// CHECK-LABEL: tile.kernel @more_rows(
//       CHECK:   tile.ring feed = tma
tile.kernel @more_rows(%x: memref<?x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<?x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @pitched(
//       CHECK:   tile.ring feed = tma
tile.kernel @pitched(%x: memref<?x64xf32, strided<[?, 1]>>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<?x64xf32, strided<[?, 1]>>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// A limit that is another memory's size, which is promised to be the same.
// CHECK-LABEL: tile.kernel @same_size(
//       CHECK:   tile.ring feed = tma
tile.kernel @same_size(%n: memref<?xf32>, %x: memref<64x?xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {promises = [#tile.promise<alignment = 16, sizes = [0], multiples = [4]>, #tile.promise<alignment = 16, sizes = [-1, 0], multiples = [1, 4]>, #tile.promise<alignment = 16>], tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  %size = memref.dim %n, %c0 : memref<?xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %at = arith.muli %k, %c8 : index
    %left = arith.subi %size, %at : index
    tile.acquire %r[%k] : !r
    tile.copy %x[%c0, %at] limits(%left) axes [1] to %r[%k] part 0 threads = #threads : memref<64x?xf32>, !r
    tile.commit %r[%k] : !r
    %t = tile.wait %r[%k] : !r
    tile.release %r[%k] : !r
  }
  tile.return
}

// Memory that does not begin at a multiple of 16 bytes.
// CHECK-LABEL: tile.kernel @unaligned(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @unaligned(%x: memref<?x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {promises = [#tile.promise<alignment = 8>, #tile.promise<alignment = 16>], tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<?x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Rows of 264 bytes, which is no multiple of 16.
// CHECK-LABEL: tile.kernel @odd_rows(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @odd_rows(%x: memref<64x66xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x66xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Elements that do not follow each other in memory: columns become rows.
// CHECK-LABEL: tile.kernel @turned(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @turned(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] map (d0, d1) -> (d1, d0) to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Every second row.
// CHECK-LABEL: tile.kernel @every_second(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @every_second(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] map (d0, d1) -> (d0 * 2, d1) to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// A limit before the memory ends, which the engine can be told of.
// CHECK-LABEL: tile.kernel @early_limit(
//       CHECK:   tile.ring feed = tma
//       CHECK:   tile.roles {
//       CHECK:   tile.copy {{.*}} limits(
tile.kernel @early_limit(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c60 = arith.constant 60 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    %left = arith.subi %c60, %at : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] limits(%left) axes [0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// One behind its end, one from another place than the copy's, and one of another
// dimension.
// CHECK-LABEL: tile.kernel @late_limit(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @late_limit(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c66 = arith.constant 66 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    %left = arith.subi %c66, %at : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] limits(%left) axes [0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @other_place(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @other_place(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    %left = arith.subi %c64, %n : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] limits(%left) axes [0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @other_dimension(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @other_dimension(%x: memref<64x128xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %size = memref.dim %x, %c1 : memref<64x128xf32>
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    %left = arith.subi %size, %at : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] limits(%left) axes [0] to %r[%n] part 0 threads = #threads : memref<64x128xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// What only the other role knows: how often many numbers say to go through a
// loop, and where they say to read.
// CHECK-LABEL: tile.kernel @rounds_from_data(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @rounds_from_data(%x: memref<64x64xf32>, %ids: memref<16xindex>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %all = tile.load %ids[%c0] : memref<16xindex> -> tensor<16xindex, #sixteen>
  %id = tile.reduce max %all dims [0] : tensor<16xindex, #sixteen> -> tensor<index, #scalar>
  %some = tensor.extract %id[] : tensor<index, #scalar>
  %more = arith.addi %some, %c1 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %more step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @place_from_data(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @place_from_data(%x: memref<64x64xf32>, %ids: memref<16xindex>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %all = tile.load %ids[%c0] : memref<16xindex> -> tensor<16xindex, #sixteen>
  %id = tile.reduce max %all dims [0] : tensor<16xindex, #sixteen> -> tensor<index, #scalar>
  %some = tensor.extract %id[] : tensor<index, #scalar>
  %more = arith.addi %some, %c1 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%more, %c0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Groups of warps consist of four.
// CHECK-LABEL: tile.kernel @two_warps(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @two_warps(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 2, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// The schedule says so.
// CHECK-LABEL: tile.kernel @one_role(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @one_role(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// Nothing is said, and nothing is done by wgmma: the warps themselves are
// needed then, as many as fit.
// CHECK-LABEL: tile.kernel @not_asked(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.copy {{.*}} threads =
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @not_asked(%x: memref<64x64xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %n = %c0 to %c8 step %c1 {
    %at = arith.muli %n, %c8 : index
    tile.acquire %r[%n] : !r
    tile.copy %x[%at, %c0] to %r[%n] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%n] : !r
    %t = tile.wait %r[%n] : !r
    tile.release %r[%n] : !r
  }
  tile.return
}

// What wgmma reads is loaded by others, also if nobody asked for it.
// CHECK-LABEL: tile.kernel @fed(
//       CHECK:   tile.ring feed = tma
//       CHECK:   tile.role load
//       CHECK:   tile.copy
!w = !tile.ring<2 x (tensor<16x16xf16, #n32>)>
tile.kernel @fed(%x: memref<64x16xf16>, %y: memref<64x16xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !w
  %a = arith.constant dense<1.0> : tensor<64x16xf16, #wacc>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32, #wacc>
  tile.acquire %r[%c0] : !w
  tile.copy %x[%i, %c0] to %r[%c0] part 0 threads = #v1616 : memref<64x16xf16>, !w
  tile.commit %r[%c0] : !w
  %t = tile.wait %r[%c0] : !w
  %d = tile.dot %a, %t, %zero atom = wgmma : tensor<64x16xf16, #wacc>, tensor<16x16xf16, #n32> -> tensor<64x16xf32, #wacc>
  tile.release %r[%c0] : !w
  tile.store %d, %y[%c0, %c0] : tensor<64x16xf32, #wacc>, memref<64x16xf32>
  tile.return
}

// A number in memory is read by both roles.
// CHECK-LABEL: tile.kernel @number(
//       CHECK:   tile.role math warps 4 {
//       CHECK:     tile.load
//       CHECK:     scf.for %{{.*}} = %{{.*}} to %{{.*}} step
//       CHECK:   tile.role load warps 4 {
//       CHECK:     %[[NUMBER:.*]] = tile.load %{{.*}}[%{{.*}}] map () -> (0) : memref<2xi32> -> tensor<i32
//       CHECK:     %[[WIDE:.*]] = arith.extsi %[[NUMBER]]
//       CHECK:     %[[LONG:.*]] = tensor.extract %[[WIDE]][]
//       CHECK:     %[[ROUNDS:.*]] = arith.index_cast %[[LONG]]
//       CHECK:     scf.for %{{.*}} = %{{.*}} to %[[ROUNDS]] step
//   CHECK-NOT:     tile.store
//       CHECK:   tile.return
tile.kernel @number(%x: memref<64x64xf32>, %n: memref<2xi32>, %y: memref<2xi32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = cp_async : !r
  %number = tile.load %n[%i] map () -> (0) : memref<2xi32> -> tensor<i32, #scalar>
  %wide = arith.extsi %number : tensor<i32, #scalar> to tensor<i64, #scalar>
  %long = tensor.extract %wide[] : tensor<i64, #scalar>
  %rounds = arith.index_cast %long : i64 to index
  scf.for %k = %c0 to %rounds step %c1 {
    %at = arith.muli %k, %c8 : index
    tile.acquire %r[%k] : !r
    tile.copy %x[%at, %c0] to %r[%k] part 0 threads = #threads : memref<64x64xf32>, !r
    tile.commit %r[%k] : !r
    %t = tile.wait %r[%k] : !r
    tile.release %r[%k] : !r
  }
  tile.store %number, %y[%i] map () -> (0) : tensor<i32, #scalar>, memref<2xi32>
  tile.return
}

// One of two copies of a slot is no box.
// CHECK-LABEL: tile.kernel @two_parts(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
!parts = !tile.ring<2 x (tensor<8x8xf32, #s>, tensor<8x8xf32, #s>)>
tile.kernel @two_parts(%x: memref<64x64xf32>, %z: memref<64x?xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !parts
  tile.acquire %r[%c0] : !parts
  tile.copy %x[%i, %c0] to %r[%c0] part 0 threads = #threads : memref<64x64xf32>, !parts
  tile.copy %z[%i, %c0] to %r[%c0] part 1 threads = #threads : memref<64x?xf32>, !parts
  tile.commit %r[%c0] : !parts
  %t:2 = tile.wait %r[%c0] : !parts
  tile.release %r[%c0] : !parts
  tile.return
}

// Nothing to load.
// CHECK-LABEL: tile.kernel @no_rings(
//   CHECK-NOT:   tile.roles {
//       CHECK:   tile.return
tile.kernel @no_rings(%x: memref<64x64xf32>, %y: memref<8x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4, tile.roles = 2} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%i, %c0] : memref<64x64xf32> -> tensor<8x8xf32, #threads>
  tile.store %t, %y[%c0, %c0] : tensor<8x8xf32, #threads>, memref<8x8xf32>
  tile.return
}
