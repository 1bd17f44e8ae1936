// Copies between buffers become loops, whatever their strides are.

// RUN: fuse-opt %s --memref-copy-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @copy
//  CHECK-SAME:   (%[[FROM:.*]]: memref<?x4xf32>, %[[TO:.*]]: memref<?x4xf32, strided<[8, 2]>>)
//   CHECK-NOT:   memref.copy
//       CHECK:   linalg.generic
//  CHECK-SAME:     ins(%[[FROM]]
//  CHECK-SAME:     outs(%[[TO]]
func.func @copy(%from: memref<?x4xf32>, %to: memref<?x4xf32, strided<[8, 2]>>) {
  memref.copy %from, %to : memref<?x4xf32> to memref<?x4xf32, strided<[8, 2]>>
  return
}

// CHECK-LABEL: func.func @scalar
//       CHECK:   linalg.generic {{.*}}iterator_types = []
func.func @scalar(%from: memref<f32>, %to: memref<f32>) {
  memref.copy %from, %to : memref<f32> to memref<f32>
  return
}

// Without a rank there is no loop nest to write down.
// CHECK-LABEL: func.func @unranked
//       CHECK:   memref.copy
func.func @unranked(%from: memref<*xf32>, %to: memref<*xf32>) {
  memref.copy %from, %to : memref<*xf32> to memref<*xf32>
  return
}
