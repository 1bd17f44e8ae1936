// What a mask hides is read all the same where that is not behind a position.

// RUN: fuse-opt %s --tile-limit-loads | FileCheck %s

// The last row does not have the most.
// CHECK-LABEL: tile.kernel @falling(
//   CHECK-NOT:   limits
//       CHECK:   tile.return
tile.kernel @falling(%x: memref<4x1024xf32>, %y: memref<4x1024xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %other = arith.constant dense<0.0> : tensor<4x1024xf32>
  %j = tile.iota %c0 coefficients [0, 1] : tensor<4x1024xi32>
  %end = tile.iota %i coefficients [-1, 0] : tensor<4x1024xi32>
  %keep = arith.cmpi sle, %j, %end : tensor<4x1024xi32>
  %0 = tile.load %x[%c0, %c0] : memref<4x1024xf32> -> tensor<4x1024xf32>
  %1 = arith.select %keep, %0, %other : tensor<4x1024xi1>, tensor<4x1024xf32>
  tile.store %1, %y[%c0, %c0] : tensor<4x1024xf32>, memref<4x1024xf32>
  tile.return
}

// Both sides move along the axis.
// CHECK-LABEL: tile.kernel @along(
//   CHECK-NOT:   limits
//       CHECK:   tile.return
tile.kernel @along(%x: memref<1024xf32>, %y: memref<1024xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %other = arith.constant dense<0.0> : tensor<1024xf32>
  %j = tile.iota %c0 coefficients [1] : tensor<1024xi32>
  %end = tile.iota %i coefficients [1] : tensor<1024xi32>
  %keep = arith.cmpi sle, %j, %end : tensor<1024xi32>
  %0 = tile.load %x[%c0] : memref<1024xf32> -> tensor<1024xf32>
  %1 = arith.select %keep, %0, %other : tensor<1024xi1>, tensor<1024xf32>
  tile.store %1, %y[%c0] : tensor<1024xf32>, memref<1024xf32>
  tile.return
}

// The end is computed behind the load.
// CHECK-LABEL: tile.kernel @late(
//   CHECK-NOT:   limits
//       CHECK:   tile.return
tile.kernel @late(%x: memref<1024xf32>, %y: memref<1024xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %other = arith.constant dense<0.0> : tensor<1024xf32>
  %j = tile.iota %c0 coefficients [1] : tensor<1024xi32>
  %0 = tile.load %x[%c0] : memref<1024xf32> -> tensor<1024xf32>
  %last = arith.addi %i, %c7 : index
  %end = tile.iota %last coefficients [0] : tensor<1024xi32>
  %keep = arith.cmpi sle, %j, %end : tensor<1024xi32>
  %1 = arith.select %keep, %0, %other : tensor<1024xi1>, tensor<1024xf32>
  tile.store %1, %y[%c0] : tensor<1024xf32>, memref<1024xf32>
  tile.return
}

// It is read without the mask, too, before it is read with it.
// CHECK-LABEL: tile.kernel @read_before(
//   CHECK-NOT:   limits
//       CHECK:   tile.return
tile.kernel @read_before(%x: memref<1024xf32>, %y: memref<1024xf32>, %z: memref<1024xf32>) outputs 2 blocks(%i) {
  %c0 = arith.constant 0 : index
  %other = arith.constant dense<0.0> : tensor<1024xf32>
  %j = tile.iota %c0 coefficients [1] : tensor<1024xi32>
  %end = tile.iota %i coefficients [0] : tensor<1024xi32>
  %keep = arith.cmpi sle, %j, %end : tensor<1024xi32>
  %0 = tile.load %x[%c0] : memref<1024xf32> -> tensor<1024xf32>
  tile.store %0, %z[%c0] : tensor<1024xf32>, memref<1024xf32>
  %1 = arith.select %keep, %0, %other : tensor<1024xi1>, tensor<1024xf32>
  tile.store %1, %y[%c0] : tensor<1024xf32>, memref<1024xf32>
  tile.return
}

// What is copied for products comes in whole boxes.
// CHECK-LABEL: tile.kernel @product(
//   CHECK-NOT:   limits
//       CHECK:   tile.return
tile.kernel @product(%x: memref<16x1024xbf16>, %w: memref<1024x16xbf16>, %y: memref<16x16xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %other = arith.constant dense<0.0> : tensor<16x1024xbf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %j = tile.iota %c0 coefficients [0, 1] : tensor<16x1024xi32>
  %end = tile.iota %i coefficients [1, 0] : tensor<16x1024xi32>
  %keep = arith.cmpi sle, %j, %end : tensor<16x1024xi32>
  %0 = tile.load %x[%c0, %c0] : memref<16x1024xbf16> -> tensor<16x1024xbf16>
  %1 = arith.select %keep, %0, %other : tensor<16x1024xi1>, tensor<16x1024xbf16>
  %2 = tile.load %w[%c0, %c0] : memref<1024x16xbf16> -> tensor<1024x16xbf16>
  %3 = tile.dot %1, %2, %zero : tensor<16x1024xbf16>, tensor<1024x16xbf16> -> tensor<16x16xf32>
  tile.store %3, %y[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
  tile.return
}

// Behind the new limit there is what somebody may use. Nothing else is said of it.
// CHECK-LABEL: tile.kernel @hidden(
//       CHECK:   tile.load {{.*}} limits(%{{.*}}) axes [0] :
tile.kernel @hidden(%x: memref<?xf32>, %y: memref<1024xf32>) outputs 1 blocks(%i, %n) {
  %c0 = arith.constant 0 : index
  %other = arith.constant dense<0.0> : tensor<1024xf32>
  %j = tile.iota %c0 coefficients [1] : tensor<1024xi32>
  %end = tile.iota %i coefficients [0] : tensor<1024xi32>
  %keep = arith.cmpi sle, %j, %end : tensor<1024xi32>
  %0 = tile.load %x[%c0] limits(%n) axes [0] unused [0] : memref<?xf32> -> tensor<1024xf32>
  %1 = arith.select %keep, %0, %other : tensor<1024xi1>, tensor<1024xf32>
  tile.store %1, %y[%c0] : tensor<1024xf32>, memref<1024xf32>
  tile.return
}
