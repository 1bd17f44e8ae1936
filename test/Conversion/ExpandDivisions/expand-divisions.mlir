// No divisor of a scalar or of a vector is one that a processor traps on.

// RUN: fuse-opt %s --arith-expand-divisions | FileCheck %s

// CHECK-LABEL: func.func @signed
//  CHECK-SAME:   (%[[X:.*]]: i32, %[[Y:.*]]: i32)
//   CHECK-DAG:   %[[ZERO:.*]] = arith.cmpi eq, %[[Y]]
//   CHECK-DAG:   %[[MINUS_ONE:.*]] = arith.cmpi eq, %[[Y]]
//   CHECK-DAG:   %[[LEAST:.*]] = arith.cmpi eq, %[[X]]
//   CHECK-DAG:   %[[OVERFLOWS:.*]] = arith.andi %[[MINUS_ONE]], %[[LEAST]]
//   CHECK-DAG:   %[[TRAPS:.*]] = arith.ori %[[ZERO]], %[[OVERFLOWS]]
//       CHECK:   %[[DIVISOR:.*]] = arith.select %[[TRAPS]], %{{.*}}, %[[Y]]
//       CHECK:   arith.divsi %[[X]], %[[DIVISOR]]
func.func @signed(%x: i32, %y: i32) -> i32 {
  %0 = arith.divsi %x, %y : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @unsigned
//  CHECK-SAME:   (%[[X:.*]]: index, %[[Y:.*]]: index)
//       CHECK:   %[[ZERO:.*]] = arith.cmpi eq, %[[Y]]
//       CHECK:   %[[DIVISOR:.*]] = arith.select %[[ZERO]], %{{.*}}, %[[Y]]
//       CHECK:   arith.remui %[[X]], %[[DIVISOR]]
func.func @unsigned(%x: index, %y: index) -> index {
  %0 = arith.remui %x, %y : index
  return %0 : index
}

// CHECK-LABEL: func.func @rounded
//   CHECK-NOT:   arith.floordivsi
//   CHECK-NOT:   arith.ceildivui
//       CHECK:   %[[DIVISOR:.*]] = arith.select
//       CHECK:   arith.divsi %{{.*}}, %[[DIVISOR]]
//       CHECK:   arith.divui
func.func @rounded(%x: i64, %y: i64) -> i64 {
  %0 = arith.floordivsi %x, %y : i64
  %1 = arith.ceildivui %0, %y : i64
  return %1 : i64
}

// CHECK-LABEL: func.func @vectors
//  CHECK-SAME:   (%[[X:.*]]: vector<4xi8>, %[[Y:.*]]: vector<4xi8>)
//   CHECK-DAG:   arith.constant dense<-128> : vector<4xi8>
//       CHECK:   %[[DIVISOR:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Y]] : vector<4xi1>, vector<4xi8>
//       CHECK:   arith.remsi %[[X]], %[[DIVISOR]]
func.func @vectors(%x: vector<4xi8>, %y: vector<4xi8>) -> vector<4xi8> {
  %0 = arith.remsi %x, %y : vector<4xi8>
  return %0 : vector<4xi8>
}

// Tensors have become loops before.
// CHECK-LABEL: func.func @tensors
//  CHECK-NEXT:   arith.divsi
func.func @tensors(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = arith.divsi %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}
