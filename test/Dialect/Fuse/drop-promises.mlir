// A promise that does not hold would leave a number open.

// RUN: fuse-opt %s --fuse-drop-promises | FileCheck %s

// CHECK-LABEL: func @promises
//   CHECK-NOT:   overflow
//   CHECK-NOT:   exact
//       CHECK:   arith.addi %{{.*}} : tensor<4xi32>
//       CHECK:   arith.shli %{{.*}} : tensor<4xi32>
//       CHECK:   arith.trunci %{{.*}} : tensor<4xi32> to tensor<4xi8>
//       CHECK:   arith.divui %{{.*}} : tensor<4xi32>
//       CHECK:   arith.shrsi %{{.*}} : tensor<4xi32>
//       CHECK:   return
func.func @promises(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi8>, tensor<4xi32>) {
  %0 = arith.addi %x, %y overflow<nsw, nuw> : tensor<4xi32>
  %1 = arith.shli %0, %y overflow<nuw> : tensor<4xi32>
  %2 = arith.trunci %1 overflow<nsw> : tensor<4xi32> to tensor<4xi8>
  %3 = arith.divui %1, %y exact : tensor<4xi32>
  %4 = arith.shrsi %3, %y exact : tensor<4xi32>
  return %2, %4 : tensor<4xi8>, tensor<4xi32>
}
