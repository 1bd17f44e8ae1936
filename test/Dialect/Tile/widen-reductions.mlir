// Narrow floats are combined in f32 and rounded once; nothing else is touched.

// RUN: fuse-opt %s --tile-widen-reductions | FileCheck %s

// CHECK-LABEL: tile.kernel @narrow
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   %[[WIDE:.*]] = arith.extf %[[X]] : tensor<4x8xbf16> to tensor<4x8xf32>
//       CHECK:   %[[SUM:.*]] = tile.reduce sum %[[WIDE]] dims [1] : tensor<4x8xf32> -> tensor<4xf32>
//       CHECK:   %[[NARROW:.*]] = arith.truncf %[[SUM]] : tensor<4xf32> to tensor<4xbf16>
//       CHECK:   tile.store %[[NARROW]]
//       CHECK:   arith.extf %{{.*}} : tensor<4xf16> to tensor<4xf32>
//       CHECK:   tile.reduce max %{{.*}} dims [0] : tensor<4xf32> -> tensor<f32>
//       CHECK:   arith.truncf %{{.*}} : tensor<f32> to tensor<f16>
tile.kernel @narrow(%x: memref<4x8xbf16>, %z: memref<4xf16>, %y: memref<4xbf16>, %w: memref<1xf16>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x8xbf16> -> tensor<4x8xbf16>
  %1 = tile.reduce sum %0 dims [1] : tensor<4x8xbf16> -> tensor<4xbf16>
  tile.store %1, %y[%c0] : tensor<4xbf16>, memref<4xbf16>
  %2 = tile.load %z[%c0] : memref<4xf16> -> tensor<4xf16>
  %3 = tile.reduce max %2 dims [0] : tensor<4xf16> -> tensor<f16>
  tile.store %3, %w[%c0] map () -> (0) : tensor<f16>, memref<1xf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @wide
//   CHECK-NOT:   arith.extf
//       CHECK:   tile.reduce sum %{{.*}} : tensor<4x8xf32>
//       CHECK:   tile.reduce max %{{.*}} : tensor<4xi8>
tile.kernel @wide(%x: memref<4x8xf32>, %i: memref<4xi8>, %y: memref<4xf32>, %z: memref<1xi8>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x8xf32> -> tensor<4x8xf32>
  %1 = tile.reduce sum %0 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  tile.store %1, %y[%c0] : tensor<4xf32>, memref<4xf32>
  %2 = tile.load %i[%c0] : memref<4xi8> -> tensor<4xi8>
  %3 = tile.reduce max %2 dims [0] : tensor<4xi8> -> tensor<i8>
  tile.store %3, %z[%c0] map () -> (0) : tensor<i8>, memref<1xi8>
  tile.return
}
