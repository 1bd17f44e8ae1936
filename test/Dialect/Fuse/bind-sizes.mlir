// Given the sizes of the arguments, every size of a function is static.

// RUN: split-file %s %t
// RUN: fuse-opt %t/chain.mlir --fuse-bind-sizes=shapes=13x37,7,4 | FileCheck %t/chain.mlir
// RUN: fuse-opt %t/empty.mlir --fuse-bind-sizes=shapes=0x8,scalar | FileCheck %t/empty.mlir
// RUN: fuse-opt %t/all.mlir --fuse-bind-sizes=shapes=2x3x8,8x4,4,6,2 | FileCheck %t/all.mlir
// RUN: fuse-opt %t/static.mlir --fuse-bind-sizes | FileCheck %t/static.mlir

//--- chain.mlir

// The argument of type index stays, for the callers' sake.
// CHECK-LABEL: func.func @chain
//  CHECK-SAME:   (%[[X:.*]]: tensor<13x37xf32>, %[[V:.*]]: tensor<7xf32>, %{{.*}}: index) -> (tensor<13x37xf32>, tensor<4x7xf32>, tensor<4xi32>)
//   CHECK-DAG:   arith.addf %[[X]], %[[X]] : tensor<13x37xf32>
//   CHECK-DAG:   fuse.broadcast %[[V]] dims [1] : tensor<7xf32> -> tensor<4x7xf32>
//   CHECK-DAG:   fuse.iota dim 0 : tensor<4xi32>
//   CHECK-NOT:   tensor.cast
//       CHECK:   return
func.func @chain(%x: tensor<?x?xf32>, %v: tensor<?xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xi32>) {
  %sum = arith.addf %x, %x : tensor<?x?xf32>
  // A claim that holds.
  %claim = tensor.cast %sum : tensor<?x?xf32> to tensor<13x?xf32>
  %back = tensor.cast %claim : tensor<13x?xf32> to tensor<?x?xf32>
  %rows = fuse.broadcast %v dims [1] sizes [%n] : tensor<?xf32> -> tensor<?x?xf32>
  %one = arith.constant 1 : index
  %more = arith.addi %n, %one : index
  %same = arith.subi %more, %one : index
  %count = fuse.iota dim 0 sizes [%same] : tensor<?xi32>
  return %back, %rows, %count : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xi32>
}

//--- empty.mlir

// CHECK-LABEL: func.func @empty
//  CHECK-SAME:   (%{{.*}}: tensor<0x8xf32>, %{{.*}}: tensor<f32>) -> tensor<8xf32>
func.func @empty(%x: tensor<?x8xf32>, %scalar: tensor<f32>) -> tensor<?xf32> {
  %sum = fuse.reduce sum %x dims [0] : tensor<?x8xf32>
  %cast = tensor.cast %sum : tensor<8xf32> to tensor<?xf32>
  return %cast : tensor<?xf32>
}

//--- all.mlir

// CHECK-LABEL: func.func @all
//       CHECK:   fuse.linear {{.*}} -> tensor<2x3x4xf32>
//       CHECK:   fuse.matmul {{.*}} -> tensor<2x3x3xf32>
//       CHECK:   tensor<3x2x8xf32>
//       CHECK:   tensor<2x2x8xf32>
//       CHECK:   fuse.expand {{.*}} into [2, 3] : tensor<2x6xf32>
//       CHECK:   fuse.collapse {{.*}} : tensor<2x2x3xf32>
//       CHECK:   fuse.concat {{.*}} : tensor<4xf32>, tensor<4xf32>
//       CHECK:   fuse.causal_mask bottom_right : tensor<6x2xi1>
//       CHECK:   fuse.softmax {{.*}} : tensor<2x3x3xf32>
//       CHECK:   fuse.padding_mask left {{.*}} -> tensor<6x2xi1>
//       CHECK:   fuse.gather {{.*}} : tensor<2x6xf32>, tensor<6xindex>
//       CHECK:   return
func.func @all(%x: tensor<?x?x?xf32>, %w: tensor<?x?xf32>, %b: tensor<?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %linear = fuse.linear %x, %w bias %b : tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?xf32> -> tensor<?x?x?xf32>
  %swapped = fuse.transpose %linear [0, 2, 1] : tensor<?x?x?xf32>
  %product = fuse.matmul %linear, %swapped : tensor<?x?x?xf32>, tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %turned = fuse.transpose %x [1, 0, 2] : tensor<?x?x?xf32>
  %odd = fuse.slice %turned[::2, :, :] : tensor<?x?x?xf32>
  %relu = fuse.relu %odd : tensor<?x?x?xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = fuse.broadcast %zero dims [] sizes [%m, %n] : tensor<f32> -> tensor<?x?xf32>
  %three = arith.constant 3 : index
  %split = fuse.expand %zeros dim 1 into [?, ?] sizes [%m, %three] : tensor<?x?xf32>
  %merged = fuse.collapse %split dims [1, 2] : tensor<?x?x?xf32>
  %joined = fuse.concat %b, %b dim 0 : tensor<?xf32>, tensor<?xf32>
  %causal = fuse.causal_mask bottom_right sizes [%n, %m] : tensor<?x?xi1>
  %soft = fuse.softmax %product dim 2 : tensor<?x?x?xf32>
  %count = fuse.iota dim 0 sizes [%n] : tensor<?xindex>
  %padding = fuse.padding_mask left %count sizes [%m] : tensor<?xindex> -> tensor<?x?xi1>
  %rows = fuse.gather %merged[%count] : tensor<?x?xf32>, tensor<?xindex>
  return %rows : tensor<?x?xf32>
}

//--- static.mlir

// CHECK-LABEL: func.func @static() -> tensor<4xi32>
func.func @static() -> tensor<4xi32> {
  %0 = fuse.iota dim 0 : tensor<4xi32>
  return %0 : tensor<4xi32>
}
