// RUN: fuse-opt %s --fuse-split-results | FileCheck %s

// CHECK-LABEL: func.func @carry
//       CHECK:   %[[SUM:.*]] = arith.addi %[[X:.*]], %
//       CHECK:   %[[CARRY:.*]] = arith.cmpi ult, %[[SUM]], %[[X]]
//       CHECK:   return %[[SUM]], %[[CARRY]]
func.func @carry(%x: tensor<8xi64>, %y: tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi1>) {
  %sum, %carry = arith.addui_extended %x, %y : tensor<8xi64>, tensor<8xi1>
  return %sum, %carry : tensor<8xi64>, tensor<8xi1>
}

// Where there are integers of twice the width, the product is one.
// CHECK-LABEL: func.func @upper
//       CHECK:   %[[LOW:.*]] = arith.muli %{{.*}} : tensor<8xi16>
//       CHECK:   %[[WIDE:.*]] = arith.muli %{{.*}} : tensor<8xi32>
//       CHECK:   %[[SHIFTED:.*]] = arith.shrui %[[WIDE]]
//       CHECK:   %[[HIGH:.*]] = arith.trunci %[[SHIFTED]]
//       CHECK:   return %[[LOW]], %[[HIGH]]
func.func @upper(%x: tensor<8xi16>, %y: tensor<8xi16>) -> (tensor<8xi16>, tensor<8xi16>) {
  %low, %high = arith.mulsi_extended %x, %y : tensor<8xi16>
  return %low, %high : tensor<8xi16>, tensor<8xi16>
}

// Sizes may be open, and words have halves.
// CHECK-LABEL: func.func @word
//   CHECK-NOT:   arith.mului_extended
//       CHECK:   tensor.dim
//       CHECK:   return
func.func @word(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> {
  %low, %high = arith.mului_extended %x, %y : tensor<?xi64>
  return %high : tensor<?xi64>
}
