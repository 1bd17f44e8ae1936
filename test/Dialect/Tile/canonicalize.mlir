// Folds, and the transposes that loads do for free.

// RUN: fuse-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @broadcast
tile.kernel @broadcast(%x: memref<4xf32>, %y: memref<4x5x6xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[T:.*]] = tile.load
  %0 = tile.load %x[%i] : memref<4xf32> -> tensor<4xf32>
  %1 = tile.broadcast %0 dims [0] : tensor<4xf32> -> tensor<4xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<4xf32> -> tensor<4x6xf32>
  // CHECK-NEXT: %[[B:.*]] = tile.broadcast %[[T]] dims [0] : tensor<4xf32> -> tensor<4x5x6xf32>
  %3 = tile.broadcast %2 dims [0, 2] : tensor<4x6xf32> -> tensor<4x5x6xf32>
  // CHECK-NEXT: tile.store %[[B]]
  tile.store %3, %y[%c0, %c0, %c0] : tensor<4x5x6xf32>, memref<4x5x6xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @splats
tile.kernel @splats(%y: memref<4x5xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<4x5xf32>
  %0 = arith.constant dense<2.0> : tensor<5xf32>
  %1 = tile.broadcast %0 dims [0] : tensor<5xf32> -> tensor<5x4xf32>
  %2 = tile.transpose %1 [1, 0] : tensor<5x4xf32> -> tensor<4x5xf32>
  // CHECK: tile.store %[[C]]
  tile.store %2, %y[%c0, %i] : tensor<4x5xf32>, memref<4x5xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @transposes
//  CHECK-SAME: (%[[X:.*]]: memref<?x?x?xf32>, {{.*}} blocks(%[[I:.*]], %[[J:.*]]) {
tile.kernel @transposes(%x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>) outputs 1 blocks(%i, %j) {
  // Axis 0 of the load becomes axis 2, and takes its limit along.
  // CHECK-NEXT: %[[T:.*]] = tile.load %[[X]][%[[I]], %[[I]], %[[I]]] map (d0, d1, d2) -> (d2 * 2, d0, d1) limits(%[[J]], %[[I]]) axes [0, 2] guarded : memref<?x?x?xf32> -> tensor<5x6x4xf32>
  %0 = tile.load %x[%i, %i, %i] map (d0, d1, d2) -> (d0 * 2, d1, d2) limits(%i, %j) axes [0, 1] guarded : memref<?x?x?xf32> -> tensor<4x5x6xf32>
  %1 = tile.transpose %0 [2, 0, 1] : tensor<4x5x6xf32> -> tensor<6x4x5xf32>
  %2 = tile.transpose %1 [2, 0, 1] : tensor<6x4x5xf32> -> tensor<5x6x4xf32>
  // CHECK-NEXT: tile.store %[[T]]
  tile.store %2, %y[%i, %i, %i] : tensor<5x6x4xf32>, memref<?x?x?xf32>
  // CHECK-NEXT: %[[U:.*]] = tile.load
  %3 = tile.load %x[%i, %i, %j] : memref<?x?x?xf32> -> tensor<4x5x6xf32>
  %4 = tile.transpose %3 [0, 1, 2] : tensor<4x5x6xf32> -> tensor<4x5x6xf32>
  // CHECK-NEXT: tile.store %[[U]]
  tile.store %4, %y[%i, %i, %j] : tensor<4x5x6xf32>, memref<?x?x?xf32>
  tile.return
}

// A load that something else needs too is not loaded twice.
// CHECK-LABEL: tile.kernel @shared
tile.kernel @shared(%x: memref<4x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks(%i) {
  // CHECK: %[[T:.*]] = tile.load
  %0 = tile.load %x[%i, %i] : memref<4x4xf32> -> tensor<4x4xf32>
  // CHECK: tile.transpose %[[T]] [1, 0]
  %1 = tile.transpose %0 [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %2 = arith.addf %0, %1 : tensor<4x4xf32>
  tile.store %2, %y[%i, %i] : tensor<4x4xf32>, memref<4x4xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @masks
tile.kernel @masks(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) {
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  // CHECK: %[[T:.*]] = tile.load
  %0 = tile.load %x[%i, %i] : memref<4x8xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: tile.store %[[T]]
  %1 = tile.mask %0 limits(%c4, %c9) axes [0, 1] : tensor<4x8xf32> else 0.0
  tile.store %1, %y[%i, %i] : tensor<4x8xf32>, memref<4x8xf32>
  // CHECK-NEXT: tile.mask %[[T]]
  %2 = tile.mask %0 limits(%c4) axes [1] : tensor<4x8xf32> else 0.0
  tile.store %2, %y[%i, %i] : tensor<4x8xf32>, memref<4x8xf32>
  // CHECK: tile.mask %[[T]]
  %3 = tile.mask %0 limits(%i) axes [1] : tensor<4x8xf32> else 0.0
  tile.store %3, %y[%i, %i] : tensor<4x8xf32>, memref<4x8xf32>
  tile.return
}
