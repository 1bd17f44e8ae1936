// Four blocks divide the axis that can be divided: two columns cannot.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{clusters=true}))' | FileCheck %s

// CHECK: tile.load {{.*}} -> tensor<512x2xf32, #tile.layout<{{.*}} cta = {{\[\[}}128, 0], [256, 0]]>>
tile.kernel @channel(%x: memref<512x8x2xf32>, %y: memref<512x8x2xf32>) outputs 1 blocks(%c) attributes {tile.warps = 4, tile.share = 4} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c, %c0] map (d0, d1) -> (d0, 0, d1) : memref<512x8x2xf32> -> tensor<512x2xf32>
  %1 = tile.reduce sum %0 dims [0, 1] : tensor<512x2xf32> -> tensor<f32>
  %2 = tile.broadcast %1 dims [] : tensor<f32> -> tensor<512x2xf32>
  %3 = arith.subf %0, %2 : tensor<512x2xf32>
  tile.store %3, %y[%c0, %c, %c0] map (d0, d1) -> (d0, 0, d1) : tensor<512x2xf32>, memref<512x8x2xf32>
  tile.return
}
