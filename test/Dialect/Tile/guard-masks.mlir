// Rounds in which a mask keeps everything leave it out.

// RUN: fuse-opt %s --tile-guard-masks --canonicalize | FileCheck %s

// All columns of a block are at most its first row if the last one is. What the
// mask is made of is computed where it is needed.
// CHECK-LABEL: tile.kernel @causal
//  CHECK-SAME:   blocks(%[[ROW:.*]])
//       CHECK:   scf.for %[[COLUMN:.*]] = {{.*}} iter_args
//       CHECK:     %[[X:.*]] = tile.load
//       CHECK:     %[[LAST:.*]] = arith.addi %[[COLUMN]], %c31 : index
//       CHECK:     %[[ALL:.*]] = arith.cmpi sle, %[[LAST]], %[[ROW]] : index
//       CHECK:     %[[MASKED:.*]] = scf.if %[[ALL]] -> (tensor<16x32xf32>) {
//  CHECK-NEXT:       scf.yield %[[X]]
//  CHECK-NEXT:     } else {
//       CHECK:       tile.iota %[[COLUMN]]
//       CHECK:       %[[SELECTED:.*]] = arith.select
//  CHECK-NEXT:       scf.yield %[[SELECTED]]
//       CHECK:     tile.reduce max %[[MASKED]]
tile.kernel @causal(%x: memref<?x?xf32>, %y: memref<?xf32>) outputs 1 blocks(%row) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %never = arith.constant dense<0xFF800000> : tensor<16x32xf32>
  %none = arith.constant dense<0xFF800000> : tensor<16xf32>
  %rows = tile.iota %row coefficients [1] : tensor<16xi64>
  %0 = scf.for %column = %c0 to %c256 step %c32 iter_args(%max = %none) -> (tensor<16xf32>) {
    %1 = tile.load %x[%row, %column] : memref<?x?xf32> -> tensor<16x32xf32>
    %columns = tile.iota %column coefficients [1] : tensor<32xi64>
    %i = tile.broadcast %rows dims [0] : tensor<16xi64> -> tensor<16x32xi64>
    %j = tile.broadcast %columns dims [1] : tensor<32xi64> -> tensor<16x32xi64>
    %keep = arith.cmpi sle, %j, %i : tensor<16x32xi64>
    %2 = arith.select %keep, %1, %never : tensor<16x32xi1>, tensor<16x32xf32>
    %3 = tile.reduce max %2 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
    %4 = arith.maximumf %max, %3 : tensor<16xf32>
    scf.yield %4 : tensor<16xf32>
  }
  tile.store %0, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// The number for all may come from memory, and two conditions have a branch
// each. Counted in 32 bits, positions that don't fit say nothing.
// CHECK-LABEL: tile.kernel @padded
//       CHECK:   scf.for %[[COLUMN:.*]] =
//   CHECK-DAG:     %[[X:.*]] = tile.load %{{.*}}[%[[COLUMN]]]
//   CHECK-DAG:     arith.cmpi sle, %{{.*}}, %c2147483647
//   CHECK-DAG:     %[[FIRST:.*]] = tensor.extract
//   CHECK-DAG:     %[[NUMBER:.*]] = arith.index_cast %[[FIRST]]
//   CHECK-DAG:     arith.cmpi sge, %[[COLUMN]], %[[NUMBER]]
//       CHECK:     %[[ONCE:.*]] = scf.if
//  CHECK-NEXT:       scf.yield %[[X]]
//  CHECK-NEXT:     } else {
//   CHECK-NOT:       arith.andi
//       CHECK:       arith.cmpi sge
//       CHECK:       arith.select %{{.*}}, %[[X]]
//       CHECK:     %[[TWICE:.*]] = scf.if
//  CHECK-NEXT:       scf.yield %[[ONCE]]
//  CHECK-NEXT:     } else {
//   CHECK-NOT:       arith.andi
//       CHECK:       arith.cmpi slt
//       CHECK:       arith.select %{{.*}}, %[[ONCE]]
//       CHECK:     tile.store %[[TWICE]]
tile.kernel @padded(%x: memref<?xf32>, %p: memref<i32>, %y: memref<?xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %never = arith.constant dense<0xFF800000> : tensor<32xf32>
  %p0 = tile.load %p[] : memref<i32> -> tensor<i32>
  scf.for %column = %c0 to %c256 step %c32 {
    %1 = tile.load %x[%column] : memref<?xf32> -> tensor<32xf32>
    %j = tile.iota %column coefficients [1] : tensor<32xi32>
    %first = tile.broadcast %p0 dims [] : tensor<i32> -> tensor<32xi32>
    %end = arith.constant dense<197> : tensor<32xi32>
    %real = arith.cmpi sge, %j, %first : tensor<32xi32>
    %inside = arith.cmpi slt, %j, %end : tensor<32xi32>
    %keep = arith.andi %real, %inside : tensor<32xi1>
    %2 = arith.select %keep, %1, %never : tensor<32xi1>, tensor<32xf32>
    tile.store %2, %y[%column] : tensor<32xf32>, memref<?xf32>
  }
  tile.return
}

// Positions may be moved by a number. What nothing is known of, here a mask from
// memory, is asked in all rounds, and only that.
// CHECK-LABEL: tile.kernel @window
//       CHECK:   scf.for %[[COLUMN:.*]] =
//   CHECK-DAG:     %[[X:.*]] = tile.load %{{.*}} -> tensor<32xf32>
//   CHECK-DAG:     %[[M:.*]] = tile.load %{{.*}} -> tensor<32xi1>
//       CHECK:     %[[FIRST:.*]] = arith.addi %[[COLUMN]], %c1024
//       CHECK:     arith.cmpi sgt, %[[FIRST]], %{{.*}} : index
//       CHECK:     %[[ASKED:.*]] = arith.select %[[M]], %[[X]]
//       CHECK:     scf.if
//  CHECK-NEXT:       scf.yield %[[ASKED]]
//  CHECK-NEXT:     } else {
//       CHECK:       arith.select %{{.*}}, %[[ASKED]]
tile.kernel @window(%x: memref<?xf32>, %m: memref<?xi1>, %p: memref<i32>, %y: memref<?xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %never = arith.constant dense<0xFF800000> : tensor<32xf32>
  %width = arith.constant dense<1024> : tensor<32xi32>
  %p0 = tile.load %p[] : memref<i32> -> tensor<i32>
  scf.for %column = %c0 to %c256 step %c32 {
    %1 = tile.load %x[%column] : memref<?xf32> -> tensor<32xf32>
    %2 = tile.load %m[%column] : memref<?xi1> -> tensor<32xi1>
    %j = tile.iota %column coefficients [1] : tensor<32xi32>
    %row = tile.broadcast %p0 dims [] : tensor<i32> -> tensor<32xi32>
    %reach = arith.addi %j, %width : tensor<32xi32>
    %near = arith.cmpi sgt, %reach, %row : tensor<32xi32>
    %keep = arith.andi %near, %2 : tensor<32xi1>
    %3 = arith.select %keep, %1, %never : tensor<32xi1>, tensor<32xf32>
    tile.store %3, %y[%column] : tensor<32xf32>, memref<?xf32>
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @limits
//  CHECK-SAME:   blocks(%[[N:.*]])
//       CHECK:     %[[FULL:.*]] = arith.cmpi sge, %[[N]], %c32
//       CHECK:     scf.if %[[FULL]]
//       CHECK:     } else {
//       CHECK:       tile.mask
tile.kernel @limits(%x: memref<?xf32>, %y: memref<?xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  scf.for %column = %c0 to %c256 step %c32 {
    %1 = tile.load %x[%column] : memref<?xf32> -> tensor<32xf32>
    %2 = tile.mask %1 limits(%n) axes [0] : tensor<32xf32> else 0xFF800000
    tile.store %2, %y[%column] : tensor<32xf32>, memref<?xf32>
  }
  tile.return
}

// A mask from memory tells nothing ahead, and outside of loops it is needed.
// CHECK-LABEL: tile.kernel @stays
//   CHECK-NOT:   scf.if
tile.kernel @stays(%x: memref<?xf32>, %m: memref<?xi1>, %y: memref<?xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  scf.for %column = %c0 to %c256 step %c32 {
    %1 = tile.load %x[%column] : memref<?xf32> -> tensor<32xf32>
    %2 = tile.load %m[%column] : memref<?xi1> -> tensor<32xi1>
    %3 = arith.select %2, %1, %zero : tensor<32xi1>, tensor<32xf32>
    tile.store %3, %y[%column] : tensor<32xf32>, memref<?xf32>
  }
  %4 = tile.load %x[%c0] : memref<?xf32> -> tensor<32xf32>
  %5 = tile.mask %4 limits(%n) axes [0] : tensor<32xf32> else 0.0
  tile.store %5, %y[%c0] : tensor<32xf32>, memref<?xf32>
  tile.return
}

// Of rows that two groups of warps have, each looks at its own.
// CHECK-LABEL: tile.kernel @groups(
//       CHECK:   scf.for %[[COLUMN:.*]] =
//   CHECK-DAG:     %[[LAST:.*]] = arith.addi %[[COLUMN]], %c31
//   CHECK-DAG:     %[[OWN:.*]] = tile.least %{{.*}} : tensor<128xi64, #
//       CHECK:     %[[ALL:.*]] = arith.cmpi sle, %[[LAST]], %[[OWN]] : index
//       CHECK:     scf.if %[[ALL]]
#rows = #tile.layout<cell = [128] reg = [[8]] lane = [[0], [0], [1], [2], [4]] warp = [[16], [32], [64]]>
#columns = #tile.layout<cell = [32] reg = [[1], [8], [16]] lane = [[2], [4], [0], [0], [0]] warp = [[0], [0], [0]]>
#all = #tile.layout<cell = [128, 32] reg = [[0, 1], [8, 0], [0, 8], [0, 16]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
tile.kernel @groups(%x: memref<?x?xf32>, %y: memref<?x?xf32>) outputs 1 blocks(%row) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %never = arith.constant dense<0xFF800000> : tensor<128x32xf32, #all>
  %rows = tile.iota %row coefficients [1] : tensor<128xi64, #rows>
  scf.for %column = %c0 to %c256 step %c32 {
    %1 = tile.load %x[%row, %column] : memref<?x?xf32> -> tensor<128x32xf32, #all>
    %columns = tile.iota %column coefficients [1] : tensor<32xi64, #columns>
    %i = tile.broadcast %rows dims [0] : tensor<128xi64, #rows> -> tensor<128x32xi64, #all>
    %j = tile.broadcast %columns dims [1] : tensor<32xi64, #columns> -> tensor<128x32xi64, #all>
    %keep = arith.cmpi sle, %j, %i : tensor<128x32xi64, #all>
    %2 = arith.select %keep, %1, %never : tensor<128x32xi1, #all>, tensor<128x32xf32, #all>
    tile.store %2, %y[%row, %column] : tensor<128x32xf32, #all>, memref<?x?xf32>
  }
  tile.return
}

// A row that begins inside of the round has something to mask.
// CHECK-LABEL: tile.kernel @starts
//  CHECK-SAME:   blocks(%[[FIRST:.*]], %[[N:.*]])
//   CHECK-DAG:     %[[FULL:.*]] = arith.cmpi sge, %[[N]], %c32
//   CHECK-DAG:     %[[BEGUN:.*]] = arith.cmpi sle, %[[FIRST]], %c0
//       CHECK:     %[[BOTH:.*]] = arith.andi %[[FULL]], %[[BEGUN]]
//       CHECK:     scf.if %[[BOTH]]
tile.kernel @starts(%x: memref<?xf32>, %y: memref<?xf32>) outputs 1 blocks(%first, %n) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  scf.for %column = %c0 to %c256 step %c32 {
    %1 = tile.load %x[%column] : memref<?xf32> -> tensor<32xf32>
    %2 = tile.mask %1 from(%first) limits(%n) axes [0] : tensor<32xf32> else 0xFF800000
    tile.store %2, %y[%column] : tensor<32xf32>, memref<?xf32>
  }
  tile.return
}
