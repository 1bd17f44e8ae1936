// What is needed behind products is loaded while they go on.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-load-early))' | FileCheck %s

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#bias = #tile.layout<cell = [64] reg = [[1], [8], [16], [32]] lane = [[2], [4], [0], [0], [0]] warp = [[0], [0]]>
#wide = #tile.layout<cell = [64, 256] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
!s = tensor<64x64xf16, #s>
!acc = tensor<64x64xf32, #acc>
!ring = !tile.ring<2 x (!s)>

// The row of the bias comes first, and with it what says where it is; what the
// product itself says where, stays. 128 registers more are too many.
// CHECK-LABEL: tile.kernel @bias
//       CHECK:   tile.dot_issue
//  CHECK-NEXT:   %[[AT:.*]] = arith.muli
//  CHECK-NEXT:   tile.load %{{.*}}[%[[AT]]] : memref<?xf32>
//  CHECK-NEXT:   tile.retire
//  CHECK-NEXT:   tile.release
//  CHECK-NEXT:   tile.take
//       CHECK:   tile.reduce
//       CHECK:   tile.load %{{.*}} : memref<?xf32>
//       CHECK:   tile.load %{{.*}} : memref<?x256xf32>
tile.kernel @bias(%x: memref<?x64xf16>, %b: memref<?xf32>, %r: memref<?x256xf32>, %y: memref<64x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %ring = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 registers 168 {
      %zero = arith.constant dense<0.0> : !acc
      %a = tile.wait %ring[%c0] : !ring
      %p, %g = tile.dot_issue %a, %a, %zero : !s, !s, !acc -> !acc
      %h = tile.retire %g behind 0
      tile.release %ring[%c0] after %g : !ring
      %d = tile.take %p : !acc
      %at = arith.muli %i, %c64 : index
      %row = tile.load %b[%at] : memref<?xf32> -> tensor<64xf32, #bias>
      %most = tile.reduce max %d dims [0, 1] : !acc -> tensor<f32, #tile.layout<cell = [] lane = [[], [], [], [], []] warp = [[], []]>>
      %found = tensor.extract %most[] : tensor<f32, #tile.layout<cell = [] lane = [[], [], [], [], []] warp = [[], []]>>
      %number = arith.fptosi %found : f32 to i64
      %index = arith.index_cast %number : i64 to index
      %other = tile.load %b[%index] : memref<?xf32> -> tensor<64xf32, #bias>
      %many = tile.load %r[%at, %c0] : memref<?x256xf32> -> tensor<64x256xf32, #wide>
      tile.store %d, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 {
      tile.acquire %ring[%c0] : !ring
      tile.copy %x[%c0, %c0] to %ring[%c0] part 0 : memref<?x64xf16>, !ring
      tile.commit %ring[%c0] : !ring
    }
  }
  tile.return
}
