// What a mask hides is not read.

// RUN: fuse-opt %s --tile-limit-loads --split-input-file | FileCheck %s

// A causal row: so many whole lines as the positions up to the row's have.
// CHECK-LABEL: tile.kernel @causal_row
//  CHECK-SAME:   blocks(%[[ROW:.*]])
//       CHECK:   %[[FROM:.*]] = arith.subi %[[ROW]], %[[C0:.*]] : index
//       CHECK:   %[[MORE:.*]] = arith.addi %[[FROM]], %c16
//       CHECK:   %[[LINES:.*]] = arith.divsi %[[MORE]], %c16
//       CHECK:   %[[LIMIT:.*]] = arith.muli %[[LINES]], %c16
//       CHECK:   tile.load %{{.*}}[%[[ROW]], %[[C0]]] map (d0) -> (0, d0) limits(%[[LIMIT]]) axes [0]
tile.kernel @causal_row(%x: memref<1024x1024xf32>, %y: memref<1024x1024xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %other = arith.constant dense<0.0> : tensor<1024xf32>
  %j = tile.iota %c0 coefficients [1] : tensor<1024xi32>
  %row = tile.iota %i coefficients [] : tensor<i32>
  %rows = tile.broadcast %row dims [] : tensor<i32> -> tensor<1024xi32>
  %keep = arith.cmpi sle, %j, %rows : tensor<1024xi32>
  %0 = tile.load %x[%i, %c0] map (d0) -> (0, d0) : memref<1024x1024xf32> -> tensor<1024xf32>
  %1 = arith.select %keep, %0, %other : tensor<1024xi1>, tensor<1024xf32>
  tile.store %1, %y[%i, %c0] map (d0) -> (0, d0) : tensor<1024xf32>, memref<1024x1024xf32>
  tile.return
}

// -----

// Of four rows the last one, of 16 bits, without the position itself; another
// limit stays, and other conditions do not matter.
// CHECK-LABEL: tile.kernel @rows
//       CHECK:   arith.addi %{{.*}}, %c34
//       CHECK:   %[[LINES:.*]] = arith.divsi %{{.*}}, %c32
//       CHECK:   %[[OWN:.*]] = arith.muli %[[LINES]], %c32
//       CHECK:   %[[BOTH:.*]] = arith.minsi %[[SIZE:.*]], %[[OWN]]
//       CHECK:   tile.load {{.*}} limits(%[[BOTH]]) axes [1]
tile.kernel @rows(%x: memref<64x?xbf16>, %y: memref<64x?xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %first = arith.muli %i, %c4 : index
  %n = memref.dim %x, %c1 : memref<64x?xbf16>
  %other = arith.constant dense<0.0> : tensor<4x256xf32>
  %j = tile.iota %c0 coefficients [0, 1] : tensor<4x256xi64>
  %rows = tile.iota %first coefficients [1, 0] : tensor<4x256xi64>
  %before = arith.cmpi sgt, %rows, %j : tensor<4x256xi64>
  %unlike = arith.cmpi ne, %rows, %j : tensor<4x256xi64>
  %keep = arith.andi %unlike, %before : tensor<4x256xi1>
  %0 = tile.load %x[%first, %c0] limits(%n) axes [1] : memref<64x?xbf16> -> tensor<4x256xbf16>
  %1 = arith.extf %0 : tensor<4x256xbf16> to tensor<4x256xf32>
  %2 = arith.select %keep, %1, %other : tensor<4x256xi1>, tensor<4x256xf32>
  tile.store %2, %y[%first, %c0] : tensor<4x256xf32>, memref<64x?xf32>
  tile.return
}

// -----

// What is read without the mask, too, what the mask keeps where it is false,
// what it hides before a position, and numbers that may wrap around.
// CHECK-LABEL: tile.kernel @needed
//   CHECK-NOT:   limits
//       CHECK:   tile.return
tile.kernel @needed(%x: memref<4x1024xf32>, %y: memref<5x1024xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %other = arith.constant dense<0.0> : tensor<1024xf32>
  %j = tile.iota %c0 coefficients [1] : tensor<1024xi32>
  %row = tile.iota %i coefficients [] : tensor<i32>
  %rows = tile.broadcast %row dims [] : tensor<i32> -> tensor<1024xi32>
  %keep = arith.cmpi sle, %j, %rows : tensor<1024xi32>
  %0 = tile.load %x[%c0, %c0] map (d0) -> (0, d0) : memref<4x1024xf32> -> tensor<1024xf32>
  %1 = arith.select %keep, %0, %other : tensor<1024xi1>, tensor<1024xf32>
  tile.store %0, %y[%c0, %c0] map (d0) -> (0, d0) : tensor<1024xf32>, memref<5x1024xf32>
  tile.store %1, %y[%c1, %c0] map (d0) -> (0, d0) : tensor<1024xf32>, memref<5x1024xf32>
  %2 = tile.load %x[%c1, %c0] map (d0) -> (0, d0) : memref<4x1024xf32> -> tensor<1024xf32>
  %3 = arith.select %keep, %other, %2 : tensor<1024xi1>, tensor<1024xf32>
  tile.store %3, %y[%c2, %c0] map (d0) -> (0, d0) : tensor<1024xf32>, memref<5x1024xf32>
  %late = arith.cmpi sge, %j, %rows : tensor<1024xi32>
  %4 = tile.load %x[%c2, %c0] map (d0) -> (0, d0) : memref<4x1024xf32> -> tensor<1024xf32>
  %5 = arith.select %late, %4, %other : tensor<1024xi1>, tensor<1024xf32>
  tile.store %5, %y[%c3, %c0] map (d0) -> (0, d0) : tensor<1024xf32>, memref<5x1024xf32>
  %narrow = tile.iota %c0 coefficients [1] : tensor<1024xi8>
  %small = tile.iota %i coefficients [0] : tensor<1024xi8>
  %wraps = arith.cmpi sle, %narrow, %small : tensor<1024xi8>
  %6 = tile.load %x[%c3, %c0] map (d0) -> (0, d0) : memref<4x1024xf32> -> tensor<1024xf32>
  %7 = arith.select %wraps, %6, %other : tensor<1024xi1>, tensor<1024xf32>
  tile.store %7, %y[%c4, %c0] map (d0) -> (0, d0) : tensor<1024xf32>, memref<5x1024xf32>
  tile.return
}
