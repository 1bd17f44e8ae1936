// Positions along rows and columns are compared by what a thread has of their
// difference, with a constant for each of its registers.

// RUN: fuse-opt %s --convert-tile-to-nvvm --canonicalize --cse --split-input-file | FileCheck %s

#tile = #tile.layout<cell = [8, 16] reg = [[0, 1], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// A thread has columns c, c + 1, c + 8 and c + 9 of its row.
// CHECK-LABEL: llvm.func @causal
//   CHECK-DAG:   %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 8, 9]> : vector<4xi32>
//       CHECK:   vector.from_elements
//       CHECK:   %[[COLUMN:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
//       CHECK:   %[[ROW:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
//       CHECK:   %[[LEFT:.*]] = arith.subi %[[ROW]], %[[COLUMN]] : i32
//       CHECK:   %[[ALL:.*]] = vector.broadcast %[[LEFT]] : i32 to vector<4xi32>
//       CHECK:   arith.cmpi sge, %[[ALL]], %[[COLUMNS]] : vector<4xi32>
tile.kernel @causal(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.farthest = 80 : i64} {
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %row = arith.muli %i, %c8 : index
  %column = arith.muli %j, %c16 : index
  %none = arith.constant dense<0xFF800000> : tensor<8x16xf32, #tile>
  %0 = tile.load %x[%row, %column] : memref<64x64xf32> -> tensor<8x16xf32, #tile>
  %1 = tile.iota %row coefficients [1, 0] : tensor<8x16xi32, #tile>
  %2 = tile.iota %column coefficients [0, 1] : tensor<8x16xi32, #tile>
  %3 = arith.cmpi sle, %2, %1 : tensor<8x16xi32, #tile>
  %4 = arith.select %3, %0, %none : tensor<8x16xi1, #tile>, tensor<8x16xf32, #tile>
  tile.store %4, %y[%row, %column] : tensor<8x16xf32, #tile>, memref<64x64xf32>
  tile.return
}

// -----

#tile = #tile.layout<cell = [8, 16] reg = [[0, 1], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// Of a window, too, whose width is a constant.
// CHECK-LABEL: llvm.func @window
//       CHECK:   arith.constant dense<[4, 5, 12, 13]> : vector<4xi32>
tile.kernel @window(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.farthest = 80 : i64} {
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %row = arith.muli %i, %c8 : index
  %column = arith.muli %j, %c16 : index
  %none = arith.constant dense<0xFF800000> : tensor<8x16xf32, #tile>
  %width = arith.constant dense<4> : tensor<8x16xi32, #tile>
  %0 = tile.load %x[%row, %column] : memref<64x64xf32> -> tensor<8x16xf32, #tile>
  %1 = tile.iota %row coefficients [1, 0] : tensor<8x16xi32, #tile>
  %2 = tile.iota %column coefficients [0, 1] : tensor<8x16xi32, #tile>
  %3 = arith.addi %2, %width : tensor<8x16xi32, #tile>
  %4 = arith.cmpi sgt, %3, %1 : tensor<8x16xi32, #tile>
  %5 = arith.select %4, %0, %none : tensor<8x16xi1, #tile>, tensor<8x16xf32, #tile>
  tile.store %5, %y[%row, %column] : tensor<8x16xf32, #tile>, memref<64x64xf32>
  tile.return
}

// -----

#tile = #tile.layout<cell = [8, 16] reg = [[0, 1], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// A difference of what may be anywhere in 32 bits would wrap.
// CHECK-LABEL: llvm.func @far
//   CHECK-NOT:   arith.subi
//       CHECK:   arith.cmpi sle, %{{.*}}, %{{.*}} : vector<4xi32>
tile.kernel @far(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0xFF800000> : tensor<8x16xf32, #tile>
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<8x16xf32, #tile>
  %1 = tile.iota %i coefficients [1, 0] : tensor<8x16xi32, #tile>
  %2 = tile.iota %j coefficients [0, 1] : tensor<8x16xi32, #tile>
  %3 = arith.cmpi sle, %2, %1 : tensor<8x16xi32, #tile>
  %4 = arith.select %3, %0, %none : tensor<8x16xi1, #tile>, tensor<8x16xf32, #tile>
  tile.store %4, %y[%c0, %c0] : tensor<8x16xf32, #tile>, memref<64x64xf32>
  tile.return
}

// -----

#tile = #tile.layout<cell = [8, 16] reg = [[0, 1], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// What is left of a limit for a thread is compared likewise.
// CHECK-LABEL: llvm.func @edge
//   CHECK-DAG:   %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 8, 9]> : vector<4xi32>
//       CHECK:   %[[LEFT:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
//       CHECK:   %[[ALL:.*]] = vector.broadcast %[[LEFT]] : i32 to vector<4xi32>
//       CHECK:   arith.cmpi sgt, %[[ALL]], %[[COLUMNS]] : vector<4xi32>
tile.kernel @edge(%x: memref<8x16xf32>, %y: memref<8x16xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x16xf32> -> tensor<8x16xf32, #tile>
  %1 = tile.mask %0 limits(%i) axes [1] : tensor<8x16xf32, #tile> else 0xFF800000
  tile.store %1, %y[%c0, %c0] : tensor<8x16xf32, #tile>, memref<8x16xf32>
  tile.return
}

// -----

#row = #tile.layout<cell = [128] reg = [[1], [32], [64]] lane = [[2], [4], [8], [16], [0]]>

// Below a limit from 43 to 46 are all threads' columns up to 31, and none from 46
// on.
// CHECK-LABEL: llvm.func @limited
//   CHECK-DAG:   %[[TRUE:.*]] = arith.constant true
//   CHECK-DAG:   %[[FALSE:.*]] = arith.constant false
//   CHECK-DAG:   %[[C32:.*]] = arith.constant 32 : i32
//   CHECK-DAG:   %[[C33:.*]] = arith.constant 33 : i32
//       CHECK:   %[[LEFT:.*]] = arith.subi
//       CHECK:   %[[FIRST:.*]] = arith.cmpi sgt, %[[LEFT]], %[[C32]] : i32
//       CHECK:   %[[SECOND:.*]] = arith.cmpi sgt, %[[LEFT]], %[[C33]] : i32
//       CHECK:   vector.from_elements %[[TRUE]], %[[TRUE]], %[[FIRST]], %[[SECOND]], %[[FALSE]], %[[FALSE]], %[[FALSE]], %[[FALSE]] : vector<8xi1>
tile.kernel @limited(%x: memref<8x128xf32>, %y: memref<8x128xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c43 = arith.constant 43 : index
  %shift = arith.remui %i, %c4 : index
  %limit = arith.addi %shift, %c43 : index
  %0 = tile.load %x[%i, %c0] map (d0) -> (0, d0) : memref<8x128xf32> -> tensor<128xf32, #row>
  %1 = tile.mask %0 limits(%limit) axes [0] : tensor<128xf32, #row> else 0.0
  tile.store %1, %y[%i, %c0] map (d0) -> (0, d0) : tensor<128xf32, #row>, memref<8x128xf32>
  tile.return
}
