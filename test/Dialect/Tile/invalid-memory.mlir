// Maps from axes to memory, and stores, that are none.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  // expected-error @+1 {{has a map from 2 axes to 1 dimensions, but the tile has rank 2 and the memory rank 2}}
  %0 = tile.load %x[%i, %i] map (d0, d1) -> (d0) : memref<4x8xf32> -> tensor<4x8xf32>
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  // expected-error @+1 {{but only sums of axes times numbers are allowed}}
  %0 = tile.load %x[%i, %i] map (d0) -> (d0, 3) : memref<4x8xf32> -> tensor<4xf32>
}

// -----

tile.kernel @k(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %0 = tile.load %x[%i] : memref<4xf32> -> tensor<4xf32>
  // expected-error @+1 {{is staged, but a tile of type 'tensor<4xf32>' is in nobody's registers}}
  tile.store %0, %y[%i] staged 1 : tensor<4xf32>, memref<4xf32>
}
