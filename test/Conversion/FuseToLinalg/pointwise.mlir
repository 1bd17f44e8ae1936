// Pointwise ops of arith and math: one loop nest for each, into a tensor of its
// own, and nothing is folded on the way.

// RUN: fuse-opt %s --convert-fuse-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @twice_negated
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf32>)
//       CHECK:   %[[FIRST:.*]] = tensor.empty() : tensor<4xf32>
//       CHECK:   %[[Y:.*]] = linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[FIRST]] :
//       CHECK:     arith.negf %{{.*}} : f32
//       CHECK:   %[[SECOND:.*]] = tensor.empty() : tensor<4xf32>
//       CHECK:   %[[Z:.*]] = linalg.generic {{.*}} ins(%[[Y]] : {{.*}}) outs(%[[SECOND]] :
//       CHECK:     arith.negf %{{.*}} : f32
//       CHECK:   return %[[Z]]
func.func @twice_negated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.negf %x : tensor<4xf32>
  %1 = arith.negf %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Attributes and the type of the result are kept.
// CHECK-LABEL: func.func @compare
//       CHECK:   tensor.empty(%{{.*}}) : tensor<?x2xi1>
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} :
//       CHECK:     arith.cmpf ole, %{{.*}}, %{{.*}} : f32
//       CHECK:     linalg.yield %{{.*}} : i1
func.func @compare(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xi1> {
  %0 = arith.cmpf ole, %x, %y : tensor<?x2xf32>
  return %0 : tensor<?x2xi1>
}

// CHECK-LABEL: func.func @two_results
//       CHECK:   %[[R:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} :
//       CHECK:     math.sincos %{{.*}} : f32
//       CHECK:     linalg.yield %{{.*}}, %{{.*}} : f32, f32
//       CHECK:   return %[[R]]#0, %[[R]]#1
func.func @two_results(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0, %1 = math.sincos %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A rank of 0 is one element.
// CHECK-LABEL: func.func @scalar
//       CHECK:   linalg.generic {{.*}}iterator_types = []
//       CHECK:     math.exp %{{.*}} : f32
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %0 = math.exp %x : tensor<f32>
  return %0 : tensor<f32>
}

// A choice between whole tensors is no loop.
// CHECK-LABEL: func.func @choice
//       CHECK:   arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>
func.func @choice(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.select %c, %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}
