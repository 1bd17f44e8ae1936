// Ops that move elements become the stock op that says the same, or a loop
// that copies; sizes that are not known are computed.

// RUN: fuse-opt %s --convert-fuse-to-linalg | FileCheck %s

// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-DAG: #[[TURNED:.*]] = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-DAG: #[[LESS_ONE:.*]] = affine_map<()[s0] -> (s0 - 1)>
// CHECK-DAG: #[[QUARTER:.*]] = affine_map<()[s0] -> (s0 floordiv 4)>
// CHECK-DAG: #[[AND_THREE:.*]] = affine_map<()[s0] -> (s0 + 3)>

// CHECK-LABEL: func.func @broadcast
//  CHECK-SAME:   (%[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index)
//       CHECK:   %[[SIZE:.*]] = tensor.dim %[[X]]
//       CHECK:   tensor.empty(%[[SIZE]], %[[N]]) : tensor<2x?x?xf32>
//       CHECK:   linalg.generic {indexing_maps = [#[[ROWS]]
func.func @broadcast(%x: tensor<?xf32>, %n: index) -> tensor<2x?x?xf32> {
  %0 = fuse.broadcast %x dims [1] sizes [%n] : tensor<?xf32> -> tensor<2x?x?xf32>
  return %0 : tensor<2x?x?xf32>
}

// CHECK-LABEL: func.func @broadcast_that_refines
//       CHECK:   tensor.cast %{{.*}} : tensor<2x?xf32> to tensor<2x4xf32>
func.func @broadcast_that_refines(%x: tensor<?xf32>) -> tensor<2x4xf32> {
  %0 = fuse.broadcast %x dims [1] : tensor<?xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @transpose
//       CHECK:   tensor.empty(%{{.*}}) : tensor<4x?x3xf32>
//       CHECK:   linalg.generic {indexing_maps = [#[[TURNED]]
func.func @transpose(%x: tensor<?x3x4xf32>) -> tensor<4x?x3xf32> {
  %0 = fuse.transpose %x [2, 0, 1] : tensor<?x3x4xf32>
  return %0 : tensor<4x?x3xf32>
}

// A tensor of rank 0 can be transposed, too.
// CHECK-LABEL: func.func @transpose_nothing
//       CHECK:   linalg.generic {{.*}}iterator_types = []
func.func @transpose_nothing(%x: tensor<f32>) -> tensor<f32> {
  %0 = fuse.transpose %x [] : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @slice
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x8xf32>)
//       CHECK:   %[[SIZE:.*]] = affine.apply #[[LESS_ONE]]
//       CHECK:   tensor.empty(%[[SIZE]]) : tensor<?x3xf32>
//       CHECK:   linalg.generic
//       CHECK:   %[[COLUMN:.*]] = linalg.index 1
//       CHECK:   %[[SCALED:.*]] = arith.muli %[[COLUMN]]
//       CHECK:   %[[PLACE:.*]] = arith.addi %[[SCALED]]
//       CHECK:   tensor.extract %[[X]][%{{.*}}, %[[PLACE]]]
func.func @slice(%x: tensor<?x8xf32>) -> tensor<?x3xf32> {
  %0 = fuse.slice %x[1:, 2::2] : tensor<?x8xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @expand
//       CHECK:   %[[SIZE:.*]] = affine.apply #[[QUARTER]]
//       CHECK:   tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2]] output_shape [%[[SIZE]], 4, 3]
func.func @expand(%x: tensor<?x3xf32>) -> tensor<?x4x3xf32> {
  %0 = fuse.expand %x dim 0 into [?, 4] : tensor<?x3xf32>
  return %0 : tensor<?x4x3xf32>
}

// CHECK-LABEL: func.func @expand_by_sizes
//  CHECK-SAME:   %[[A:[a-z0-9]+]]: index, %[[B:[a-z0-9]+]]: index)
//       CHECK:   tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2, 3]] output_shape [3, %[[A]], 2, %[[B]]]
func.func @expand_by_sizes(%x: tensor<3x?xf32>, %a: index, %b: index) -> tensor<3x?x2x?xf32> {
  %0 = fuse.expand %x dim 1 into [?, 2, ?] sizes [%a, %b] : tensor<3x?xf32>
  return %0 : tensor<3x?x2x?xf32>
}

// Static factors say how large the dimension is.
// CHECK-LABEL: func.func @expand_that_refines
//       CHECK:   tensor.expand_shape {{.*}} into tensor<?x12x64xf32>
func.func @expand_that_refines(%x: tensor<?x?xf32>) -> tensor<?x12x64xf32> {
  %0 = fuse.expand %x dim 1 into [12, 64] : tensor<?x?xf32>
  return %0 : tensor<?x12x64xf32>
}

// Sizes that are known may be split into ones that are not.
// CHECK-LABEL: func.func @expand_that_forgets
//       CHECK:   tensor.expand_shape
//       CHECK:   return %{{.*}} : tensor<?x?xf32>
func.func @expand_that_forgets(%x: tensor<12xf32>, %a: index, %b: index) -> tensor<?x?xf32> {
  %0 = fuse.expand %x dim 0 into [?, ?] sizes [%a, %b] : tensor<12xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @expand_into_nothing
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<2x1x4xf32> into tensor<2x4xf32>
//       CHECK:   tensor.collapse_shape %{{.*}} [] : tensor<1xf32> into tensor<f32>
func.func @expand_into_nothing(%x: tensor<2x1x4xf32>, %y: tensor<1xf32>) -> (tensor<2x4xf32>, tensor<f32>) {
  %0 = fuse.expand %x dim 1 into [] : tensor<2x1x4xf32>
  %1 = fuse.expand %y dim 0 into [] : tensor<1xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @expand_unknown_size_into_nothing
//       CHECK:   tensor.collapse_shape
//       CHECK:   return %{{.*}} : tensor<4xf32>
func.func @expand_unknown_size_into_nothing(%x: tensor<?x4xf32>) -> tensor<4xf32> {
  %0 = fuse.expand %x dim 0 into [] : tensor<?x4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @collapse
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<2x?x4xf32> into tensor<?x4xf32>
func.func @collapse(%x: tensor<2x?x4xf32>) -> tensor<?x4xf32> {
  %0 = fuse.collapse %x dims [0, 1] : tensor<2x?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @concat
//  CHECK-SAME:   (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<3xf32>, %{{.*}}: tensor<0xf32>)
//       CHECK:   affine.apply #[[AND_THREE]]
//       CHECK:   %[[ALL:.*]] = tensor.empty(%{{.*}}) : tensor<?xf32>
//       CHECK:   %[[FIRST:.*]] = tensor.insert_slice %[[A]] into %[[ALL]][0]
//       CHECK:   %[[SECOND:.*]] = tensor.insert_slice %[[B]] into %[[FIRST]][%{{.*}}] [3]
//   CHECK-NOT:   tensor.insert_slice
//       CHECK:   return %[[SECOND]]
func.func @concat(%a: tensor<?xf32>, %b: tensor<3xf32>, %none: tensor<0xf32>) -> tensor<?xf32> {
  %0 = fuse.concat %a, %b, %none dim 0 : tensor<?xf32>, tensor<3xf32>, tensor<0xf32>
  return %0 : tensor<?xf32>
}

// One source tells that all of them are empty.
// CHECK-LABEL: func.func @concat_of_nothing
//       CHECK:   return %{{.*}} : tensor<0x448xf32>
func.func @concat_of_nothing(%a: tensor<0x16xf32>, %b: tensor<?x432xf32>) -> tensor<0x448xf32> {
  %0 = fuse.concat %a, %b dim 1 : tensor<0x16xf32>, tensor<?x432xf32>
  return %0 : tensor<0x448xf32>
}

// CHECK-LABEL: func.func @iota
//       CHECK:   tensor.empty(%{{.*}}) : tensor<?x4xf16>
//       CHECK:   %[[POSITION:.*]] = linalg.index 1
//       CHECK:   %[[INTEGER:.*]] = arith.index_cast %[[POSITION]] : index to i64
//       CHECK:   arith.sitofp %[[INTEGER]] : i64 to f16
func.func @iota(%n: index) -> tensor<?x4xf16> {
  %0 = fuse.iota dim 1 sizes [%n] : tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

// A negative index is a large one, and outside.
// CHECK-LABEL: func.func @gather
//  CHECK-SAME:   (%[[TABLE:.*]]: tensor<?x3xf32>, %{{.*}}: tensor<2xi32>)
//       CHECK:   %[[ROWS:.*]] = tensor.dim %[[TABLE]]
//       CHECK:   %[[ROW:.*]] = arith.index_cast %{{.*}} : i32 to index
//       CHECK:   %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %[[ROWS]]
//       CHECK:   scf.if %[[INSIDE]]
//       CHECK:     tensor.extract %[[TABLE]][%[[ROW]], %{{.*}}]
//       CHECK:   else
//       CHECK:     arith.constant 0.000000e+00
func.func @gather(%table: tensor<?x3xf32>, %rows: tensor<2xi32>) -> tensor<2x3xf32> {
  %0 = fuse.gather %table[%rows] : tensor<?x3xf32>, tensor<2xi32>
  return %0 : tensor<2x3xf32>
}
