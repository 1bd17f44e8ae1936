// A kernel that may begin before those before it have ended waits for them
// itself. Addresses come out of the wait, so no load can go before it; but the
// second cache is asked for what the block will read.

// RUN: fuse-opt %s --convert-tile-to-nvvm=early | FileCheck %s
// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s --check-prefix=LATE

#scalar = #tile.layout<cell = []>
#row = #tile.layout<cell = [64] reg = [[1]] lane = [[2], [4], [8], [16], [32]]>
#rows = #tile.layout<cell = [64] lane = [[1], [2], [4], [8], [16]] warp = [[32], [0]]>
#rows4 = #tile.layout<cell = [64] reg = [[1]] lane = [[2], [4], [8], [16], [32]] warp = [[0], [0]]>
#tile4 = #tile.layout<cell = [64, 4] reg = [[0, 1]] lane = [[0, 2], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0]]>
#same = #tile.layout<cell = [] warp = [[], []]>
#wide = #tile.layout<cell = [128, 32] reg = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]] lane = [[0, 2], [0, 4], [0, 8], [0, 16], [32, 0]] warp = [[64, 0]]>
#boxes = #tile.shared<cell = [8, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [0, 32]]>
#tall = #tile.layout<cell = [128, 32] reg = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]] lane = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]] warp = [[64, 0]]>

// CHECK-LABEL: llvm.func @copy
//  CHECK-SAME:   %[[X:.*]]: !llvm.ptr<1> {llvm.noalias}, %[[Y:.*]]: !llvm.ptr<1> {llvm.noalias}
//  CHECK-SAME:   tile.waits
//       CHECK:   %[[AHEAD:.*]] = llvm.getelementptr %[[X]]
//       CHECK:   llvm.inline_asm has_side_effects "@$1 prefetch.global.L2 [$0];", "l,b" %[[AHEAD]], %{{.*}}
//   CHECK-NOT:   prefetch
//       CHECK:   %[[NOTHING:.*]] = llvm.inline_asm has_side_effects "griddepcontrol.wait;{{.*}}griddepcontrol.launch_dependents;{{.*}}mov.b64 $0, 0;", "=l,~{memory}"
//       CHECK:   %[[FROM:.*]] = llvm.getelementptr %[[X]][%[[NOTHING]]]
//       CHECK:   %[[TO:.*]] = llvm.getelementptr %[[Y]][%[[NOTHING]]]
//       CHECK:   %[[AT:.*]] = llvm.getelementptr %[[FROM]]
//       CHECK:   llvm.load %[[AT]]
//       CHECK:   %[[AT:.*]] = llvm.getelementptr %[[TO]]
//       CHECK:   llvm.store %{{.*}}, %[[AT]]
//   CHECK-NOT:   prefetch
//   LATE-NOT: prefetch.global
//   LATE-NOT: griddepcontrol
//   LATE-NOT: tile.waits
tile.kernel @copy(%x: memref<640xf32>, %y: memref<640xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c64 = arith.constant 64 : index
  %at = arith.muli %i, %c64 : index
  %t = tile.load %x[%at] : memref<640xf32> -> tensor<64xf32, #row>
  tile.store %t, %y[%at] : tensor<64xf32, #row>, memref<640xf32>
  tile.return
}

// What all blocks read, or where memory tells, is not asked for.
// CHECK-LABEL: llvm.func @shared
//   CHECK-NOT:   prefetch
//       CHECK:   griddepcontrol.wait
//       CHECK:   llvm.return
tile.kernel @shared(%x: memref<640xf32>, %n: memref<index>, %y: memref<640xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %at = arith.muli %i, %c64 : index
  %l = tile.load %n[] : memref<index> -> tensor<index, #scalar>
  %limit = tensor.extract %l[] : tensor<index, #scalar>
  %s = tile.load %x[%c0] : memref<640xf32> -> tensor<64xf32, #row>
  %t = tile.load %x[%at] limits(%limit) axes [0] : memref<640xf32> -> tensor<64xf32, #row>
  %u = arith.addf %s, %t : tensor<64xf32, #row>
  tile.store %u, %y[%at] : tensor<64xf32, #row>, memref<640xf32>
  tile.return
}

// Nor is what depends on a place that all blocks are at, since the grid has one
// along it; and of several warps that read the same one asks.
// CHECK-LABEL: llvm.func @one_along
//       CHECK:   %[[WARP:.*]] = arith.andi %{{.*}}, %c96_i32 : i32
//       CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[WARP]], %{{.*}} : i32
//       CHECK:   %[[ASKS:.*]] = arith.andi %{{.*}}, %[[FIRST]] : i1
//       CHECK:   llvm.inline_asm has_side_effects "@$1 prefetch.global.L2 [$0];", "l,b" %{{.*}}, %[[ASKS]]
//   CHECK-NOT:   prefetch
//       CHECK:   griddepcontrol.wait
//       CHECK:   llvm.return
tile.kernel @one_along(%x: memref<640xf32>, %y: memref<640xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 4, tile.grid = array<i64: 20, 1>} {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %at = arith.muli %i, %c32 : index
  %bias = arith.muli %j, %c64 : index
  %s = tile.load %x[%bias] : memref<640xf32> -> tensor<64xf32, #rows4>
  %t = tile.load %x[%at] : memref<640xf32> -> tensor<64xf32, #rows4>
  %u = arith.addf %s, %t : tensor<64xf32, #rows4>
  tile.store %u, %y[%at] : tensor<64xf32, #rows4>, memref<640xf32>
  tile.return
}

// One that needs much shared memory takes its turn.
// CHECK-LABEL: llvm.func @turned
//   CHECK-NOT: griddepcontrol
//   CHECK-NOT: tile.waits
tile.kernel @turned(%x: memref<128x32xf32>, %y: memref<128x32xf32>) outputs 1 blocks() attributes {tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<128x32xf32> -> tensor<128x32xf32, #wide>
  %u = tile.convert_layout %t : tensor<128x32xf32, #wide> -> tensor<128x32xf32, #tall>
  tile.store %u, %y[%c0, %c0] : tensor<128x32xf32, #tall>, memref<128x32xf32>
  tile.return
}

// But one whose processors do one block each waits when its rings are ready:
// nothing else hides how long that takes.
// CHECK-LABEL: llvm.func @one_wave
//  CHECK-SAME:   tile.waits
//   CHECK-NOT:   griddepcontrol
//       CHECK:   prefetch.tensormap
//       CHECK:   mbarrier.init
//       CHECK:   nvvm.barrier
//       CHECK:   griddepcontrol.wait;{{.*}}griddepcontrol.launch_dependents
//       CHECK:   setmaxnreg
//       CHECK:   cp.async.bulk.tensor
!r = !tile.ring<64 x (tensor<8x64xf32, #boxes>)>
tile.kernel @one_wave(%x: memref<8x512xf32>, %y: memref<64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 registers 232 {
      scf.for %n = %c0 to %c8 step %c1 {
        %a = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
      %t = arith.constant dense<1.0> : tensor<64xf32, #rows>
      tile.store %t, %y[%c0] : tensor<64xf32, #rows>, memref<64xf32>
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

// What it reads behind its loop it asks for before it waits, if that is a row:
// a tile would keep those busy who bring the first round.
// CHECK-LABEL: llvm.func @reads_behind
//   CHECK-NOT:   griddepcontrol
//       CHECK:   prefetch.global.L2
//   CHECK-NOT:   prefetch.global.L2
//       CHECK:   griddepcontrol.wait
//   CHECK-NOT:   prefetch.global.L2
//       CHECK:   llvm.return
tile.kernel @reads_behind(%x: memref<8x512xf32>, %b: memref<64xf32>, %c: memref<64x4xf32>, %y: memref<64xf32>, %z: memref<64x4xf32>) outputs 2 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 registers 232 {
      scf.for %n = %c0 to %c8 step %c1 {
        %a = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
      %t = tile.load %b[%c0] : memref<64xf32> -> tensor<64xf32, #rows>
      tile.store %t, %y[%c0] : tensor<64xf32, #rows>, memref<64xf32>
      %u = tile.load %c[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #tile4>
      tile.store %u, %z[%c0, %c0] : tensor<64x4xf32, #tile4>, memref<64x4xf32>
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

// Two that share a processor take their turns.
// CHECK-LABEL: llvm.func @two_share
//   CHECK-NOT:   griddepcontrol
//   CHECK-NOT:   tile.waits
!half = !tile.ring<32 x (tensor<8x64xf32, #boxes>)>
tile.kernel @two_share(%x: memref<8x512xf32>, %y: memref<64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = tma : !half
  tile.roles {
    tile.role math warps 4 registers 232 {
      scf.for %n = %c0 to %c8 step %c1 {
        %a = tile.wait %r[%n] : !half
        tile.release %r[%n] : !half
      }
      %t = arith.constant dense<1.0> : tensor<64xf32, #rows>
      tile.store %t, %y[%c0] : tensor<64xf32, #rows>, memref<64xf32>
    }
    tile.role load warps 4 registers 40 {
      scf.for %n = %c0 to %c8 step %c1 {
        %at = arith.muli %n, %c64 : index
        tile.acquire %r[%n] : !half
        tile.copy %x[%c0, %at] to %r[%n] part 0 : memref<8x512xf32>, !half
        tile.commit %r[%n] : !half
      }
    }
  }
  tile.return
}

// Where blocks walk, it is left to their order who reads what beside whom.
// CHECK-LABEL: llvm.func @walking
//   CHECK-NOT:   griddepcontrol
//   CHECK-NOT:   tile.waits
tile.kernel @walking(%x: memref<8x512xf32>, %y: memref<64xf32>) outputs 1 blocks(%first, %step, %items) attributes {tile.warps = 4, walks} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 registers 232 {
      scf.for %n = %c0 to %c8 step %c1 {
        %a = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
      %t = arith.constant dense<1.0> : tensor<64xf32, #rows>
      tile.store %t, %y[%c0] : tensor<64xf32, #rows>, memref<64xf32>
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

// Nor may a load in front of the roles go before the wait.
// CHECK-LABEL: llvm.func @reads_first
//   CHECK-NOT:   griddepcontrol
//   CHECK-NOT:   tile.waits
tile.kernel @reads_first(%x: memref<8x512xf32>, %n: memref<index>, %y: memref<64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = tile.ring feed = tma : !r
  %l = tile.load %n[] : memref<index> -> tensor<index, #same>
  %end = tensor.extract %l[] : tensor<index, #same>
  tile.roles {
    tile.role math warps 4 registers 232 {
      scf.for %k = %c0 to %end step %c1 {
        %a = tile.wait %r[%k] : !r
        tile.release %r[%k] : !r
      }
      %t = arith.constant dense<1.0> : tensor<64xf32, #rows>
      tile.store %t, %y[%c0] : tensor<64xf32, #rows>, memref<64xf32>
    }
    tile.role load warps 4 registers 40 {
      scf.for %k = %c0 to %end step %c1 {
        %at = arith.muli %k, %c64 : index
        tile.acquire %r[%k] : !r
        tile.copy %x[%c0, %at] to %r[%k] part 0 : memref<8x512xf32>, !r
        tile.commit %r[%k] : !r
      }
    }
  }
  tile.return
}
