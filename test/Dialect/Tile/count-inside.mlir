// How many positions of a tile are inside of a tensor is known without a sum.

// RUN: fuse-opt %s --tile-count-inside --cse --canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @rounds
//  CHECK-SAME:   blocks(%[[LIMIT:.*]])
//   CHECK-DAG:   %[[C3:.*]] = arith.constant 3 : index
//   CHECK-DAG:   %[[C8:.*]] = arith.constant 8 : index
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C100:.*]] = arith.constant 100 : index
//       CHECK:   scf.for %[[I:[^ ]*]] =
//       CHECK:     %[[LEFT:.*]] = arith.subi %[[C100]], %[[I]]
//       CHECK:     %[[FEW:.*]] = arith.minsi %[[LEFT]], %[[C8]]
//       CHECK:     %[[BOTH:.*]] = arith.minsi %[[FEW]], %[[LIMIT]]
//       CHECK:     %[[COLUMNS:.*]] = arith.maxsi %[[BOTH]], %[[C0]]
//       CHECK:     %[[ALL:.*]] = arith.muli %[[COLUMNS]], %[[C3]]
//       CHECK:     %[[IS:.*]] = arith.cmpi slt, %[[LIMIT]], %[[C8]]
//       CHECK:     %[[COUNT:.*]] = arith.select %[[IS]], %[[ALL]], %[[C0]]
//       CHECK:     %[[NUMBER:.*]] = tile.iota %[[COUNT]] coefficients [] : tensor<i64>
//       CHECK:     arith.sitofp %[[NUMBER]] : tensor<i64> to tensor<f32>
//   CHECK-NOT:     tile.reduce
tile.kernel @rounds(%y: memref<1xf32>) outputs 1 blocks(%limit) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c100 = arith.constant 100 : index
  %none = arith.constant dense<0.0> : tensor<f32>
  %r = scf.for %i = %c0 to %c100 step %c8 iter_args(%sum = %none) -> (tensor<f32>) {
    %rows = tile.iota %c0 coefficients [1] : tensor<4xi64>
    %three = arith.constant dense<3> : tensor<4xi64>
    %0 = arith.cmpi slt, %rows, %three : tensor<4xi64>
    %columns = tile.iota %i coefficients [1] : tensor<8xi64>
    %hundred = arith.constant dense<100> : tensor<8xi64>
    %1 = arith.cmpi slt, %columns, %hundred : tensor<8xi64>
    %one = tile.iota %limit coefficients [] : tensor<i64>
    %eight = arith.constant dense<8> : tensor<i64>
    %2 = arith.cmpi slt, %one, %eight : tensor<i64>
    %3 = tile.broadcast %0 dims [0] : tensor<4xi1> -> tensor<4x8xi1>
    %4 = tile.broadcast %1 dims [1] : tensor<8xi1> -> tensor<4x8xi1>
    %5 = tile.broadcast %2 dims [] : tensor<i1> -> tensor<4x8xi1>
    %6 = arith.andi %3, %4 : tensor<4x8xi1>
    %7 = arith.andi %6, %5 : tensor<4x8xi1>
    %ones = arith.constant dense<1.0> : tensor<4x8xf32>
    %zeros = arith.constant dense<0.0> : tensor<4x8xf32>
    %8 = arith.select %7, %ones, %zeros : tensor<4x8xi1>, tensor<4x8xf32>
    %9 = tile.mask %8 limits(%limit) axes [1] : tensor<4x8xf32> else 0.0
    %10 = tile.reduce sum %9 dims [0, 1] : tensor<4x8xf32> -> tensor<f32>
    %11 = arith.addf %sum, %10 : tensor<f32>
    scf.yield %11 : tensor<f32>
  }
  %12 = tile.broadcast %r dims [] : tensor<f32> -> tensor<1xf32>
  tile.store %12, %y[%c0] : tensor<1xf32>, memref<1xf32>
  tile.return
}

// Other numbers than ones, other comparisons, and sums of rows stay.
// CHECK-LABEL: tile.kernel @others
// CHECK-COUNT-3: tile.reduce sum
tile.kernel @others(%x: memref<8xf32>, %y: memref<1xf32>, %z: memref<1xf32>, %w: memref<4xf32>) outputs 3 blocks(%n) {
  %c0 = arith.constant 0 : index
  %at = tile.iota %n coefficients [1] : tensor<8xi64>
  %end = arith.constant dense<100> : tensor<8xi64>
  %0 = arith.cmpi slt, %at, %end : tensor<8xi64>
  %1 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32>
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %2 = arith.select %0, %1, %zeros : tensor<8xi1>, tensor<8xf32>
  %3 = tile.reduce sum %2 dims [0] : tensor<8xf32> -> tensor<f32>
  %4 = tile.broadcast %3 dims [] : tensor<f32> -> tensor<1xf32>
  tile.store %4, %y[%c0] : tensor<1xf32>, memref<1xf32>
  %ones = arith.constant dense<1.0> : tensor<8xf32>
  %5 = arith.cmpi eq, %at, %end : tensor<8xi64>
  %6 = arith.select %5, %ones, %zeros : tensor<8xi1>, tensor<8xf32>
  %7 = tile.reduce sum %6 dims [0] : tensor<8xf32> -> tensor<f32>
  %8 = tile.broadcast %7 dims [] : tensor<f32> -> tensor<1xf32>
  tile.store %8, %z[%c0] : tensor<1xf32>, memref<1xf32>
  %9 = tile.broadcast %0 dims [1] : tensor<8xi1> -> tensor<4x8xi1>
  %more = arith.constant dense<1.0> : tensor<4x8xf32>
  %less = arith.constant dense<0.0> : tensor<4x8xf32>
  %10 = arith.select %9, %more, %less : tensor<4x8xi1>, tensor<4x8xf32>
  %11 = tile.reduce sum %10 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  tile.store %11, %w[%c0] : tensor<4xf32>, memref<4xf32>
  tile.return
}
