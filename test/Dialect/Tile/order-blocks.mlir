// Blocks whose loops have more rounds start first.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-order-blocks))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-order-blocks))' --remarks-filter=".*" --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// More with each block of the second dimension.
// CHECK-LABEL: tile.kernel @growing(
//  CHECK-SAME:   tile.order = #tile.order<slowest = [1], down = [1]>
// REMARK: growing: blocks with longer loops start first, by dimension 1 of the grid
tile.kernel @growing(%x: memref<64xf32>, %y: memref<4xf32>) outputs 1 blocks(%h, %m) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %first = arith.muli %m, %c16 : index
  %end = arith.addi %first, %c16 : index
  %most = arith.minsi %end, %c64 : index
  scf.for %i = %c0 to %most step %c4 {
    %t = tile.load %x[%i] : memref<64xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, memref<4xf32>
  }
  tile.return
}

// What begins later ends sooner: these are in order, but for the other
// dimension.
// CHECK-LABEL: tile.kernel @falling(
//  CHECK-SAME:   tile.order = #tile.order<slowest = [1]>
tile.kernel @falling(%x: memref<64xf32>, %y: memref<4xf32>) outputs 1 blocks(%h, %m) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %first = arith.muli %m, %c16 : index
  scf.for %i = %first to %c64 step %c4 {
    %t = tile.load %x[%i] : memref<64xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, memref<4xf32>
  }
  tile.return
}

// A window moves, and its loop may become longer or shorter; a factor that is
// read may be negative; a block may know its own order.
// CHECK-LABEL: tile.kernel @window(
//   CHECK-NOT:   tile.order
// CHECK-LABEL: tile.kernel @read(
//   CHECK-NOT:   tile.order
// CHECK-LABEL: tile.kernel @given(
//  CHECK-SAME:   tile.order = #tile.order<slowest = [0]>
tile.kernel @window(%x: memref<64xf32>, %y: memref<4xf32>) outputs 1 blocks(%m) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %first = arith.muli %m, %c16 : index
  %end = arith.addi %first, %c16 : index
  scf.for %i = %first to %end step %c4 {
    %t = tile.load %x[%i] : memref<64xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, memref<4xf32>
  }
  tile.return
}
tile.kernel @read(%x: memref<64xf32>, %z: memref<index>, %y: memref<4xf32>) outputs 1 blocks(%m) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %factor = tile.load %z[] : memref<index> -> tensor<index>
  %number = tensor.extract %factor[] : tensor<index>
  %end = arith.muli %m, %number : index
  scf.for %i = %c0 to %end step %c4 {
    %t = tile.load %x[%i] : memref<64xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, memref<4xf32>
  }
  tile.return
}
tile.kernel @given(%x: memref<64xf32>, %y: memref<4xf32>) outputs 1 blocks(%m) attributes {tile.order = #tile.order<slowest = [0]>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %m step %c4 {
    %t = tile.load %x[%i] : memref<64xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, memref<4xf32>
  }
  tile.return
}

// 64 MB of keys would be read anew for each block of rows: in three parts they
// stay in the second cache. Rows are read once.
// CHECK-LABEL: tile.kernel @parts(
//  CHECK-SAME:   tile.order = #tile.order<slowest = [1], down = [1]>, tile.parts = 3 : i64
tile.kernel @parts(%q: memref<256x1024x64xf32>, %k: memref<256x1024x64xf32>, %y: memref<4xf32>) outputs 1 blocks(%h, %m) attributes {tile.blocks = 2048, tile.residents = 2} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %first = arith.muli %m, %c16 : index
  %end = arith.addi %first, %c16 : index
  %rows = tile.load %q[%h, %first, %c0] map (d0, d1) -> (0, d0, d1) : memref<256x1024x64xf32> -> tensor<4x4xf32>
  scf.for %i = %c0 to %end step %c16 {
    %t = tile.load %k[%h, %i, %c0] map (d0) -> (0, d0, 0) : memref<256x1024x64xf32> -> tensor<4xf32>
    %u = tile.load %q[%h, %first, %i] map (d0) -> (0, 0, d0) : memref<256x1024x64xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, memref<4xf32>
  }
  tile.return
}

// Of few blocks the longest would be left for the end.
// CHECK-LABEL: tile.kernel @few(
//   CHECK-NOT:   tile.parts
//       CHECK:   tile.return
tile.kernel @few(%k: memref<256x1024x64xf32>, %y: memref<4xf32>) outputs 1 blocks(%h, %m) attributes {tile.blocks = 512} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.muli %m, %c16 : index
  scf.for %i = %c0 to %end step %c16 {
    %t = tile.load %k[%h, %i, %c0] map (d0) -> (0, d0, 0) : memref<256x1024x64xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, memref<4xf32>
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @small(
//   CHECK-NOT:   tile.parts
//       CHECK:   tile.return
tile.kernel @small(%k: memref<64x1024x64xf32>, %y: memref<4xf32>) outputs 1 blocks(%h, %m) attributes {tile.blocks = 2048} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %end = arith.muli %m, %c16 : index
  scf.for %i = %c0 to %end step %c16 {
    %t = tile.load %k[%h, %i, %c0] map (d0) -> (0, d0, 0) : memref<64x1024x64xf32> -> tensor<4xf32>
    tile.store %t, %y[%c0] : tensor<4xf32>, memref<4xf32>
  }
  tile.return
}
