// Numbers are rounded to 10 bits of mantissa, to nearest even.

// RUN: fuse-opt %s --tile-expand-rounds | FileCheck %s
// RUN: fuse-opt %s --tile-round-factors --tile-expand-rounds --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: tile.kernel @rounded
//       CHECK:   %[[A:.*]] = tile.load
//       CHECK:   %[[BITS:.*]] = arith.bitcast %[[A]] : tensor<4x8xf32> to tensor<4x8xi32>
//       CHECK:   %[[SHIFTED:.*]] = arith.shrui %[[BITS]]
//       CHECK:   %[[LAST:.*]] = arith.andi %[[SHIFTED]]
//       CHECK:   %[[HALF:.*]] = arith.addi %[[LAST]]
//       CHECK:   %[[RAISED:.*]] = arith.addi %[[BITS]], %[[HALF]]
//       CHECK:   %[[KEPT:.*]] = arith.andi %[[RAISED]]
//       CHECK:   %[[ROUNDED:.*]] = arith.bitcast %[[KEPT]] : tensor<4x8xi32> to tensor<4x8xf32>
// Infinities and NaNs stay.
//       CHECK:   %[[FINITE:.*]] = arith.cmpf ord
//       CHECK:   %[[RESULT:.*]] = arith.select %[[FINITE]], %[[ROUNDED]], %[[A]]
//   CHECK-NOT:   tile.round
//       CHECK:   tile.store %[[RESULT]]
tile.kernel @rounded(%a: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<4x8xf32> -> tensor<4x8xf32>
  %1 = tile.round %0 : tensor<4x8xf32>
  tile.store %1, %y[%c0, %c0] : tensor<4x8xf32>, memref<4x8xf32>
  tile.return
}

// 1 + 2^-10 is kept; 1 + 2^-11, a tie, goes to the even 1; 1 + 3 * 2^-11 to
// 1 + 2^-9, and an infinity stays.
// FOLD-LABEL: tile.kernel @numbers
//   FOLD-DAG:   %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<1x1xf32>
//   FOLD-DAG:   %[[KEPT:.*]] = arith.constant dense<1.00097656> : tensor<1x1xf32>
//   FOLD-DAG:   %[[UP:.*]] = arith.constant dense<1.00195313> : tensor<1x1xf32>
//   FOLD-DAG:   %[[INF:.*]] = arith.constant dense<0x7F800000> : tensor<1x1xf32>
//       FOLD:   %[[RIGHT:.*]] = arith.select %{{.*}}, %[[ONE]], %{{.*}}
//       FOLD:   tile.dot %[[KEPT]], %[[RIGHT]],
//       FOLD:   %[[LEFT:.*]] = arith.select %{{.*}}, %[[UP]], %{{.*}}
//       FOLD:   tile.dot %[[LEFT]], %[[INF]],
tile.kernel @numbers(%y: memref<1x1xf32>, %z: memref<1x1xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<1x1xf32>
  %kept = arith.constant dense<1.0009765625> : tensor<1x1xf32>
  %down = arith.constant dense<1.00048828125> : tensor<1x1xf32>
  %up = arith.constant dense<1.00146484375> : tensor<1x1xf32>
  %infinity = arith.constant dense<0x7F800000> : tensor<1x1xf32>
  %0 = tile.dot %kept, %down, %zero precision = tf32 : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>
  tile.store %0, %y[%c0, %c0] : tensor<1x1xf32>, memref<1x1xf32>
  %1 = tile.dot %up, %infinity, %zero precision = tf32 : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>
  tile.store %1, %z[%c0, %c0] : tensor<1x1xf32>, memref<1x1xf32>
  tile.return
}
