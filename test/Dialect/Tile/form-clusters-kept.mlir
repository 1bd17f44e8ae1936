// Blocks that copy for themselves, and what they load for themselves.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-clusters))' 2>/dev/null | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-clusters))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#sa = #tile.shared<cell = [128, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#sb = #tile.shared<cell = [64, 256] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64], [0, 128]]>
#va = #tile.layout<cell = [128, 64] reg = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [16, 0]]>
#vb = #tile.layout<cell = [64, 256] reg = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [0, 64], [0, 128]] warp = [[1, 0], [2, 0], [4, 0]]>
#acc = #tile.layout<cell = [128, 256] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x256xf32, #acc>

// Blocks with longer loops begin first, wherever they are.
// REMARK: remark: has no clusters: only blocks that multiply by warpgroups and have a processor each, in any order, copy for each other
// CHECK-LABEL: tile.kernel @ordered(
//   CHECK-NOT:   tile.cluster
//       CHECK:   tile.return
tile.kernel @ordered(%x: memref<8192x256xf16>, %w: memref<256x8192xf16>, %y: memref<8192x8192xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 8, tile.grid = array<i64: 64, 32>, tile.cluster = array<i64: 2, 1>, tile.order = #tile.order<slowest = [0], down = [0]>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c256 : index
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%s = %zero) -> (!acc) {
    %a = tile.load %x[%row, %k] : memref<8192x256xf16> -> tensor<128x64xf16, #va>
    %b = tile.load %w[%k, %column] : memref<256x8192xf16> -> tensor<64x256xf16, #vb>
    %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
    %bs = tile.convert_layout %b : tensor<64x256xf16, #vb> -> tensor<64x256xf16, #sb>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x256xf16, #sb> -> !acc
    scf.yield %d : !acc
  }
  tile.store %sum, %y[%row, %column] : !acc, memref<8192x8192xf32>
  tile.return
}

// Blocks of a cluster go round equally often: they end
// REMARK: remark: has no clusters: blocks have unequally much to do
// CHECK-LABEL: tile.kernel @ends_by_row(
//   CHECK-NOT:   tile.cluster
//       CHECK:   tile.return
tile.kernel @ends_by_row(%x: memref<8192x256xf16>, %w: memref<256x8192xf16>, %y: memref<8192x8192xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 8, tile.grid = array<i64: 64, 32>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c256 : index
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %row step %c64 iter_args(%s = %zero) -> (!acc) {
    %a = tile.load %x[%row, %k] : memref<8192x256xf16> -> tensor<128x64xf16, #va>
    %b = tile.load %w[%k, %column] : memref<256x8192xf16> -> tensor<64x256xf16, #vb>
    %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
    %bs = tile.convert_layout %b : tensor<64x256xf16, #vb> -> tensor<64x256xf16, #sb>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x256xf16, #sb> -> !acc
    scf.yield %d : !acc
  }
  tile.store %sum, %y[%row, %column] : !acc, memref<8192x8192xf32>
  tile.return
}

// and begin at the same place.
// REMARK: remark: has no clusters: blocks have unequally much to do
// CHECK-LABEL: tile.kernel @begins_by_row(
//   CHECK-NOT:   tile.cluster
//       CHECK:   tile.return
tile.kernel @begins_by_row(%x: memref<8192x256xf16>, %w: memref<256x8192xf16>, %y: memref<8192x8192xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 8, tile.grid = array<i64: 64, 32>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c256 : index
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %row to %c256 step %c64 iter_args(%s = %zero) -> (!acc) {
    %a = tile.load %x[%row, %k] : memref<8192x256xf16> -> tensor<128x64xf16, #va>
    %b = tile.load %w[%k, %column] : memref<256x8192xf16> -> tensor<64x256xf16, #vb>
    %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
    %bs = tile.convert_layout %b : tensor<64x256xf16, #vb> -> tensor<64x256xf16, #sb>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x256xf16, #sb> -> !acc
    scf.yield %d : !acc
  }
  tile.store %sum, %y[%row, %column] : !acc, memref<8192x8192xf32>
  tile.return
}

// What is loaded once goes through no slot.
// CHECK-LABEL: tile.kernel @outside(
//       CHECK:   tile.load %{{[^{]*}} : memref<256x8192xf16>
//       CHECK:   scf.for
//       CHECK:     tile.load %{{.*}} {tile.multicast} : memref<256x8192xf16>
tile.kernel @outside(%x: memref<8192x256xf16>, %w: memref<256x8192xf16>, %y: memref<8192x8192xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 8, tile.grid = array<i64: 64, 32>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c256 : index
  %once = tile.load %w[%c0, %column] : memref<256x8192xf16> -> tensor<64x256xf16, #vb>
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%s = %zero) -> (!acc) {
    %a = tile.load %x[%row, %k] : memref<8192x256xf16> -> tensor<128x64xf16, #va>
    %b = tile.load %w[%k, %column] : memref<256x8192xf16> -> tensor<64x256xf16, #vb>
    %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
    %bs = tile.convert_layout %b : tensor<64x256xf16, #vb> -> tensor<64x256xf16, #sb>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x256xf16, #sb> -> !acc
    scf.yield %d : !acc
  }
  tile.store %sum, %y[%row, %column] : !acc, memref<8192x8192xf32>
  tile.return
}
