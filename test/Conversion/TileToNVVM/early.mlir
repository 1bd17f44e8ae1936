// A kernel that may begin before those before it have ended waits for them
// itself. Addresses come out of the wait, so no load can go before it.

// RUN: fuse-opt %s --convert-tile-to-nvvm=early | FileCheck %s
// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s --check-prefix=LATE

#row = #tile.layout<cell = [64] reg = [[1]] lane = [[2], [4], [8], [16], [32]]>
#wide = #tile.layout<cell = [128, 32] reg = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]] lane = [[0, 2], [0, 4], [0, 8], [0, 16], [32, 0]] warp = [[64, 0]]>
#tall = #tile.layout<cell = [128, 32] reg = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]] lane = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]] warp = [[64, 0]]>

// CHECK-LABEL: llvm.func @copy
//  CHECK-SAME:   %[[X:.*]]: !llvm.ptr<1> {llvm.noalias}, %[[Y:.*]]: !llvm.ptr<1> {llvm.noalias}
//  CHECK-SAME:   tile.waits
//       CHECK:   %[[NOTHING:.*]] = llvm.inline_asm has_side_effects "griddepcontrol.wait;{{.*}}griddepcontrol.launch_dependents;{{.*}}mov.b64 $0, 0;", "=l,~{memory}"
//       CHECK:   %[[FROM:.*]] = llvm.getelementptr %[[X]][%[[NOTHING]]]
//       CHECK:   %[[TO:.*]] = llvm.getelementptr %[[Y]][%[[NOTHING]]]
//       CHECK:   %[[AT:.*]] = llvm.getelementptr %[[FROM]]
//       CHECK:   llvm.load %[[AT]]
//       CHECK:   %[[AT:.*]] = llvm.getelementptr %[[TO]]
//       CHECK:   llvm.store %{{.*}}, %[[AT]]
//   LATE-NOT: griddepcontrol
//   LATE-NOT: tile.waits
tile.kernel @copy(%x: memref<640xf32>, %y: memref<640xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c64 = arith.constant 64 : index
  %at = arith.muli %i, %c64 : index
  %t = tile.load %x[%at] : memref<640xf32> -> tensor<64xf32, #row>
  tile.store %t, %y[%at] : tensor<64xf32, #row>, memref<640xf32>
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
