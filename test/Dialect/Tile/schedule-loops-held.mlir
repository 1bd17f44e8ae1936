// A factor that is held in registers is only safe where there are enough of
// them: else ptxas moves it while a product reads it, without a word.

// RUN: not fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-async-dots,tile-schedule-loops))' 2>&1 | FileCheck %s
// RUN: sed 's/registers 40/registers 232/' %s | fuse-opt --pass-pipeline='builtin.module(tile.kernel(tile-async-dots,tile-schedule-loops))' -o /dev/null

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#rows = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
!s = tensor<64x64xf16, #s>
!held = tensor<64x64xf16, #rows>
!acc = tensor<64x64xf32, #rows>
!ring = !tile.ring<2 x (!s)>

tile.kernel @held(%x: memref<64x512xf16>, %q: memref<64x64xf16>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 registers 40 {
      %zero = arith.constant dense<0.0> : !acc
      %h = tile.load %q[%c0, %c0] : memref<64x64xf16> -> !held
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (!acc) {
        %a = tile.wait %r[%n] : !ring
        // CHECK: schedule-loops-held.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'tile.dot_issue' op holds its left factor in registers, of which a thread needs about {{[0-9]+}} in this loop and has 40; smaller tiles need fewer
        %next = tile.dot %h, %a, %sum atom = wgmma : !held, !s -> !acc
        tile.release %r[%n] : !ring
        scf.yield %next : !acc
      }
      tile.store %sum, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 registers 24 {
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
