// Blocks that begin one after the other read the same tile of the larger
// matrix.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-stream-blocks))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-stream-blocks{processors=8}))' | FileCheck %s --check-prefix=EIGHT

// 256 rows and 2048 columns of as many terms.
// CHECK-LABEL: tile.kernel @columns(
//  CHECK-SAME:   tile.order = #tile.order<slowest = [1]>
// EIGHT-LABEL: tile.kernel @columns(
//   EIGHT-NOT:   tile.order
// EIGHT-LABEL: tile.kernel @rows(
tile.kernel @columns(%x: memref<256x512xf16>, %w: memref<512x2048xf16>, %y: memref<256x2048xf16>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 32>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  scf.for %k = %c0 to %c512 step %c64 {
    %a = tile.load %x[%row, %k] : memref<256x512xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x2048xf16> -> tensor<64x64xf16>
    tile.store %a, %y[%row, %column] : tensor<64x64xf16>, memref<256x2048xf16>
  }
  tile.return
}

// The other way round rows are what the grid has slowest anyway.
// CHECK-LABEL: tile.kernel @rows(
//   CHECK-NOT:   tile.order
// CHECK-LABEL: tile.kernel @wider(
tile.kernel @rows(%x: memref<2048x512xf16>, %w: memref<512x256xf16>, %y: memref<2048x256xf16>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 32, 4>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  scf.for %k = %c0 to %c512 step %c64 {
    %a = tile.load %x[%row, %k] : memref<2048x512xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x256xf16> -> tensor<64x64xf16>
    tile.store %a, %y[%row, %column] : tensor<64x64xf16>, memref<2048x256xf16>
  }
  tile.return
}

// Of two that are about as large, 640 rows and 768 columns, it is the one with
// the larger tiles.
//  CHECK-SAME:   tile.order = #tile.order<slowest = [1]>
// CHECK-LABEL: tile.kernel @taller(
//   CHECK-NOT:   tile.order
// CHECK-LABEL: tile.kernel @chunks(
tile.kernel @wider(%x: memref<640x512xf16>, %w: memref<512x768xf16>, %y: memref<640x768xf16>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 10, 6>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c128 : index
  scf.for %k = %c0 to %c512 step %c64 {
    %a = tile.load %x[%row, %k] : memref<640x512xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x768xf16> -> tensor<64x128xf16>
    tile.store %a, %y[%row, %column] : tensor<64x64xf16>, memref<640x768xf16>
  }
  tile.return
}

tile.kernel @taller(%x: memref<640x512xf16>, %w: memref<512x768xf16>, %y: memref<640x768xf16>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 5, 12>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c64 : index
  scf.for %k = %c0 to %c512 step %c64 {
    %a = tile.load %x[%row, %k] : memref<640x512xf16> -> tensor<128x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x768xf16> -> tensor<64x64xf16>
    tile.store %a, %y[%row, %column] : tensor<128x64xf16>, memref<640x768xf16>
  }
  tile.return
}

// Chunks, batches and whatever comes first stay in front.
//  CHECK-SAME:   tile.order = #tile.order<slowest = [0, 2]>
tile.kernel @chunks(%x: memref<256x512xf16>, %w: memref<512x1024xf16>, %y: memref<256x1024xf16>) outputs 1 blocks(%n, %i, %j) attributes {tile.grid = array<i64: 2, 4, 16>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  %first = arith.muli %n, %c256 : index
  %end = arith.addi %first, %c256 : index
  scf.for %k = %first to %end step %c64 {
    %a = tile.load %x[%row, %k] : memref<256x512xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x1024xf16> -> tensor<64x64xf16>
    tile.store %a, %y[%row, %column] : tensor<64x64xf16>, memref<256x1024xf16>
  }
  tile.return
}

// Two rows of blocks that form clusters are one.
// CHECK-LABEL: tile.kernel @clusters(
//   CHECK-NOT:   tile.order
// CHECK-LABEL: tile.kernel @given(
//  CHECK-SAME:   tile.order = #tile.order<slowest = [0]>
// CHECK-LABEL: tile.kernel @unknown(
//   CHECK-NOT:   tile.order
// CHECK-LABEL: tile.kernel @cached(
//   CHECK-NOT:   tile.order
// CHECK-LABEL: tile.kernel @large(
//  CHECK-SAME:   tile.order = #tile.order<slowest = [1]>
tile.kernel @clusters(%x: memref<128x512xf16>, %w: memref<512x2048xf16>, %y: memref<128x2048xf16>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 2, 32>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  scf.for %k = %c0 to %c512 step %c64 {
    %a = tile.load %x[%row, %k] : memref<128x512xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x2048xf16> -> tensor<64x64xf16>
    tile.store %a, %y[%row, %column] : tensor<64x64xf16>, memref<128x2048xf16>
  }
  tile.return
}

tile.kernel @given(%x: memref<256x512xf16>, %w: memref<512x2048xf16>, %y: memref<256x2048xf16>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 32>, tile.order = #tile.order<slowest = [0]>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  scf.for %k = %c0 to %c512 step %c64 {
    %a = tile.load %x[%row, %k] : memref<256x512xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x2048xf16> -> tensor<64x64xf16>
    tile.store %a, %y[%row, %column] : tensor<64x64xf16>, memref<256x2048xf16>
  }
  tile.return
}

tile.kernel @unknown(%x: memref<?x512xf16>, %w: memref<512x2048xf16>, %y: memref<?x2048xf16>) outputs 1 blocks(%i, %j) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  scf.for %k = %c0 to %c512 step %c64 {
    %a = tile.load %x[%row, %k] : memref<?x512xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x2048xf16> -> tensor<64x64xf16>
    tile.store %a, %y[%row, %column] : tensor<64x64xf16>, memref<?x2048xf16>
  }
  tile.return
}

// More blocks than processors: what the second cache holds is found there by
// those that begin later, 60 MiB are not.
tile.kernel @cached(%x: memref<256x512xf16>, %w: memref<512x4096xf16>, %y: memref<256x4096xf16>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 64>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  scf.for %k = %c0 to %c512 step %c64 {
    %a = tile.load %x[%row, %k] : memref<256x512xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x4096xf16> -> tensor<64x64xf16>
    tile.store %a, %y[%row, %column] : tensor<64x64xf16>, memref<256x4096xf16>
  }
  tile.return
}

tile.kernel @large(%x: memref<256x7680xf16>, %w: memref<7680x4096xf16>, %y: memref<256x4096xf16>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 64>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c7680 = arith.constant 7680 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  scf.for %k = %c0 to %c7680 step %c64 {
    %a = tile.load %x[%row, %k] : memref<256x7680xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%k, %column] : memref<7680x4096xf16> -> tensor<64x64xf16>
    tile.store %a, %y[%row, %column] : tensor<64x64xf16>, memref<256x4096xf16>
  }
  tile.return
}

// A grid with too few extents is wrong, which is said when threads are made;
// here nothing is divided by them.
// CHECK-LABEL: tile.kernel @flat(
//   CHECK-NOT:   tile.order
tile.kernel @flat(%x: memref<256x512xf16>, %w: memref<512x2048xf16>, %y: memref<256x2048xf16>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 128>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  scf.for %k = %c0 to %c512 step %c64 {
    %a = tile.load %x[%row, %k] : memref<256x512xf16> -> tensor<64x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x2048xf16> -> tensor<64x64xf16>
    tile.store %a, %y[%row, %column] : tensor<64x64xf16>, memref<256x2048xf16>
  }
  tile.return
}
