// The factors of a dot of precision tf32 are rounded, and no others are.

// RUN: fuse-opt %s --tile-round-factors | FileCheck %s
// RUN: fuse-opt %s --tile-round-factors --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: tile.kernel @rounded
//       CHECK:   %[[A:.*]] = tile.load
//       CHECK:   %[[B:.*]] = tile.load
//       CHECK:   %[[LEFT:.*]] = tile.round %[[A]] : tensor<4x8xf32>
//       CHECK:   %[[RIGHT:.*]] = tile.round %[[B]] : tensor<8x4xf32>
//       CHECK:   tile.dot %[[LEFT]], %[[RIGHT]], %{{.*}} precision = tf32
tile.kernel @rounded(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<4x8xf32> -> tensor<4x8xf32>
  %1 = tile.load %b[%c0, %c0] : memref<8x4xf32> -> tensor<8x4xf32>
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %2 = tile.dot %0, %1, %zero precision = tf32 : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  tile.store %2, %y[%c0, %c0] : tensor<4x4xf32>, memref<4x4xf32>
  tile.return
}

// What is rounded stays as it is.
// FOLD-LABEL: tile.kernel @twice
//       FOLD:   %[[ROUNDED:.*]] = tile.round
//   FOLD-NOT:   tile.round
//       FOLD:   tile.dot %[[ROUNDED]], %[[ROUNDED]],
tile.kernel @twice(%a: memref<4x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<4x4xf32> -> tensor<4x4xf32>
  %1 = tile.round %0 : tensor<4x4xf32>
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %2 = tile.dot %1, %1, %zero precision = tf32 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  tile.store %2, %y[%c0, %c0] : tensor<4x4xf32>, memref<4x4xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @others
//   CHECK-NOT:   tile.round
tile.kernel @others(%a: memref<4x4xf32>, %b: memref<4x4xf16>, %y: memref<4x4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<4x4xf32> -> tensor<4x4xf32>
  %1 = tile.load %b[%c0, %c0] : memref<4x4xf16> -> tensor<4x4xf16>
  %2 = tile.dot %0, %0, %0 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %3 = tile.dot %0, %0, %2 precision = tf32x3 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  // Halves have 10 bits.
  %4 = tile.dot %1, %1, %3 precision = tf32 : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf32>
  tile.store %4, %y[%c0, %c0] : tensor<4x4xf32>, memref<4x4xf32>
  tile.return
}
