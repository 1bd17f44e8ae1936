// Blocks that share tiles: each holds a part of the last axis, whatever memory
// says, and knows what all have reduced.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{clusters=true}))' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{clusters=true}),convert-tile-to-nvvm,threads-simulate)' --split-input-file -o /dev/null

// CHECK-LABEL: tile.kernel @norm
//  CHECK-SAME:   tile.share = 4
//       CHECK:   tile.load %{{.*}}[%{{.*}}, %{{.*}}] {{.*}} -> tensor<1x4096xf32, #tile.layout<{{.*}} cta = {{\[\[}}0, 1024], [0, 2048]]>>
//       CHECK:   tile.load {{.*}} -> tensor<4096xf32, #tile.layout<{{.*}} cta = {{\[\[}}1024], [2048]]>>
//       CHECK:   tile.reduce sum {{.*}} -> tensor<1xf32, #tile.layout<{{.*}} cta = {{\[\[}}0], [0]]>>
//   CHECK-NOT:   tile.convert_layout
//       CHECK:   tile.return
tile.kernel @norm(%x: memref<?x4096xf32>, %w: memref<4096xf32>, %y: memref<?x4096xf32>) outputs 1 blocks(%i) attributes {tile.share = 4} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] : memref<?x4096xf32> -> tensor<1x4096xf32>
  %w0 = tile.load %w[%c0] : memref<4096xf32> -> tensor<4096xf32>
  %sum = tile.reduce sum %0 dims [1] : tensor<1x4096xf32> -> tensor<1xf32>
  %sums = tile.broadcast %sum dims [0] : tensor<1xf32> -> tensor<1x4096xf32>
  %scale = tile.broadcast %w0 dims [1] : tensor<4096xf32> -> tensor<1x4096xf32>
  %1 = arith.divf %0, %sums : tensor<1x4096xf32>
  %2 = arith.mulf %1, %scale : tensor<1x4096xf32>
  tile.store %2, %y[%i, %c0] : tensor<1x4096xf32>, memref<?x4096xf32>
  tile.return
}

// -----

// Columns in memory, and rows that are too short to be divided: all hold them.
// CHECK-LABEL: tile.kernel @short
//       CHECK:   tile.load {{.*}} -> tensor<64x2xf32, #tile.layout<{{.*}} cta = {{\[\[}}0, 0], [0, 0]]>>
//       CHECK:   tile.return
tile.kernel @short(%x: memref<64x2xf32, strided<[1, 64]>>, %y: memref<64xf32>) outputs 1 blocks() attributes {tile.share = 4} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x2xf32, strided<[1, 64]>> -> tensor<64x2xf32>
  %sum = tile.reduce sum %0 dims [1] : tensor<64x2xf32> -> tensor<64xf32>
  tile.store %sum, %y[%c0] : tensor<64xf32>, memref<64xf32>
  tile.return
}

// -----

// Where one block would need what another one holds each has a tile to itself.
// CHECK-LABEL: tile.kernel @turned
//   CHECK-NOT:   tile.share =
//   CHECK-NOT:   cta
//       CHECK:   tile.return
// expected-remark @+1 {{has blocks that share no tiles: one would need what another one holds}}
tile.kernel @turned(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.share = 2} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %1 = tile.transpose %0 [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %2 = arith.addf %0, %1 : tensor<64x64xf32>
  tile.store %2, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// -----

// Products are made of what one block has.
// CHECK-LABEL: tile.kernel @product
//   CHECK-NOT:   tile.share =
//   CHECK-NOT:   cta
//       CHECK:   tile.return
// expected-remark @+1 {{has blocks that share no tiles: it has products}}
tile.kernel @product(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.share = 2} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %1 = tile.dot %0, %0, %zero : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %1, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}
