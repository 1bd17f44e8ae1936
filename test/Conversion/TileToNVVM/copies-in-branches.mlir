// A number of a ring is full when all bytes of its kind are there, whichever branch
// copies them. A barrier that expected those of copies beside it only let readers go
// on before the first byte.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s

// CHECK-LABEL: llvm.func @branches
//       CHECK:   %[[BYTES:.*]] = arith.constant 256 : i32
//       CHECK:   "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", {{.*}} %{{.*}}, %[[BYTES]]
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#l = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[0, 0], [0, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
tile.kernel @branches(%x: memref<64x64xf32>, %z: memref<64x64xf32>, %y: memref<8x8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c4 step %c1 {
        %t = tile.wait %r[%n] : !r
        %v = tile.convert_layout %t : tensor<8x8xf32, #s> -> tensor<8x8xf32, #l>
        tile.release %r[%n] : !r
        tile.store %v, %y[%c0, %c0] : tensor<8x8xf32, #l>, memref<8x8xf32>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c4 step %c1 {
        tile.acquire %r[%n] : !r
        %odd = arith.cmpi eq, %n, %c1 : index
        scf.if %odd {
          tile.copy %x[%c0, %c0] to %r[%n] part 0 : memref<64x64xf32>, !r
        } else {
          tile.copy %z[%c0, %c0] to %r[%n] part 0 : memref<64x64xf32>, !r
        }
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}
