// Who loads what is in a slot into registers says that it was read only when it
// is there. Of a factor that four threads loaded, another block filled the slot
// again in between: each run of M5 in 128 x 256 by clusters of 2 x 1 was wrong in
// a hundred other places.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads --fuse-threads-to-llvm --fuse-nvvm-to-binary=chip=sm_90a -o /dev/null

#boxes = #tile.shared<cell = [8, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [0, 32]]>
#threads = #tile.layout<cell = [8, 64] reg = [[2, 0], [4, 0]] lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]] warp = [[0, 32], [1, 0]]>
!r = !tile.ring<2 x (tensor<8x64xf32, #boxes>)>

// CHECK-LABEL: llvm.func @loads
//       CHECK:   setmaxnreg.inc
//       CHECK:   nvvm.ldmatrix
//       CHECK:   llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;"
//  CHECK-NEXT:   %c-1_i32{{.*}}
//  CHECK-NEXT:   nvvm.bar.warp.sync
//       CHECK:   mbarrier.arrive.shared::cta.b64
tile.kernel @loads(%x: memref<8x512xf32>, %y: memref<8x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<8x64xf32, #threads>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 registers 232 {
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%before = %zero) -> (tensor<8x64xf32, #threads>) {
        %a = tile.wait %r[%n] : !r
        %t = tile.convert_layout %a : tensor<8x64xf32, #boxes> -> tensor<8x64xf32, #threads>
        tile.release %r[%n] : !r
        %next = arith.addf %before, %t : tensor<8x64xf32, #threads>
        scf.yield %next : tensor<8x64xf32, #threads>
      }
      tile.store %sum, %y[%c0, %c0] : tensor<8x64xf32, #threads>, memref<8x64xf32>
    }
    tile.role load warps 4 registers 40 {
      scf.for %n = %c0 to %c8 step %c1 {
        %at = arith.muli %n, %c64 : index
        tile.acquire %r[%n] : !r
        tile.copy %x[%c0, %at] to %r[%n] part 0 : memref<8x512xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}
