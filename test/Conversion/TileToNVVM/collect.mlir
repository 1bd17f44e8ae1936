// All meet, each writes to the others what they will read, and all meet again.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads=chip=sm_90a --threads-simulate=seeds=4 -o /dev/null
// RUN: fuse-opt %s --fuse-staged-to-threads=chip=sm_90a --fuse-threads-to-llvm -o /dev/null

#all = #tile.layout<cell = [64, 4] reg = [[0, 1], [0, 2], [32, 0]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#half = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#rows = #tile.layout<cell = [64] reg = [[32]] lane = [[1], [2], [4], [8], [16]]>
#few = #tile.layout<cell = [32] lane = [[1], [2], [4], [8], [16]]>
#twice = #tile.layout<cell = [16] lane = [[1], [2], [4], [8], [0]]>
#quarter = #tile.layout<cell = [8] lane = [[1], [2], [4], [0], [0]]>

// Which share a register is of is known here, and so is for which block.
// CHECK-LABEL: llvm.func @tiles
//  CHECK-SAME:   tile.cluster = 2 : i64
//       CHECK:   %cluster_ctarank
//       CHECK:   barrier.cluster.arrive.release
//  CHECK-SAME:   barrier.cluster.wait.acquire
// CHECK-COUNT-2: mapa.shared::cluster.u32 there, $0, $1;{{.*}}st.shared::cluster.v4.b32 [there], {$2, $3, $4, $5}
// CHECK-COUNT-2: mapa.shared::cluster.u32 there, $0, $1;{{.*}}st.shared::cluster.b32 [there], $2
//   CHECK-NOT:   st.shared::cluster
//       CHECK:   barrier.cluster.arrive.release
//  CHECK-SAME:   barrier.cluster.wait.acquire
//   CHECK-NOT:   barrier
//       CHECK:   llvm.load {{.*}} -> vector<4xi32>
//       CHECK:   llvm.return
tile.kernel @tiles(%x: memref<64x4xf32>, %r: memref<64xf32>, %y: memref<64x4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1, tile.grid = array<i64: 2>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %at = arith.muli %i, %c32 : index
  %t = tile.load %x[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #all>
  %s = tile.load %r[%c0] : memref<64xf32> -> tensor<64xf32, #rows>
  %a:4 = tile.collect %t, %s axes [0, 0] blocks 2 : (tensor<64x4xf32, #all>, tensor<64xf32, #rows>) -> (tensor<32x4xf32, #half>, tensor<32x4xf32, #half>, tensor<32xf32, #few>, tensor<32xf32, #few>)
  %rows = arith.addf %a#2, %a#3 : tensor<32xf32, #few>
  %wide = tile.broadcast %rows dims [0] : tensor<32xf32, #few> -> tensor<32x4xf32, #half>
  %sum = arith.addf %a#0, %a#1 : tensor<32x4xf32, #half>
  %both = arith.addf %sum, %wide : tensor<32x4xf32, #half>
  tile.store %both, %y[%at, %c0] : tensor<32x4xf32, #half>, memref<64x4xf32>
  tile.return
}

// Of lanes that hold the same one writes, to the block that its number says.
// CHECK-LABEL: llvm.func @copies
//       CHECK:   barrier.cluster.arrive.release
//       CHECK:   %[[IS_FIRST:.*]] = arith.cmpi eq
//       CHECK:   llvm.inline_asm {{.*}}@$3 st.shared::cluster.b32 [there], $2{{.*}} %[[IS_FIRST]]
//   CHECK-NOT:   st.shared::cluster
//       CHECK:   llvm.return
tile.kernel @copies(%x: memref<16xf32>, %y: memref<16xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1, tile.grid = array<i64: 2>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %at = arith.muli %i, %c8 : index
  %t = tile.load %x[%c0] : memref<16xf32> -> tensor<16xf32, #twice>
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<16xf32, #twice>) -> (tensor<8xf32, #quarter>, tensor<8xf32, #quarter>)
  %sum = arith.addf %a#0, %a#1 : tensor<8xf32, #quarter>
  tile.store %sum, %y[%at] : tensor<8xf32, #quarter>, memref<16xf32>
  tile.return
}
