// Moves that cancel or compose do, constant sizes go into types, and what only
// looks like it stays.

// RUN: fuse-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reduce_of_nothing
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf32>)
//       CHECK:   return %[[X]]
func.func @reduce_of_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.reduce sum %x dims [] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A sum over one element is the element, but for the sign of a zero: it stays.
// CHECK-LABEL: func.func @reduce_of_one
//       CHECK:   fuse.reduce
func.func @reduce_of_one(%x: tensor<1xf32>) -> tensor<f32> {
  %0 = fuse.reduce sum %x dims [0] : tensor<1xf32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @broadcast_to_itself
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x4xf32>)
//       CHECK:   return %[[X]]
func.func @broadcast_to_itself(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = fuse.broadcast %x dims [0, 1] : tensor<?x4xf32> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// The result knows a size that the source does not.
// CHECK-LABEL: func.func @broadcast_that_refines
//       CHECK:   fuse.broadcast
func.func @broadcast_that_refines(%x: tensor<?x4xf32>) -> tensor<2x4xf32> {
  %0 = fuse.broadcast %x dims [0, 1] : tensor<?x4xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @broadcast_of_splat
//       CHECK:   %[[SPLAT:.*]] = arith.constant dense<2.000000e+00> : tensor<3x4xf32>
//       CHECK:   return %[[SPLAT]]
func.func @broadcast_of_splat() -> tensor<3x4xf32> {
  %two = arith.constant dense<2.0> : tensor<f32>
  %0 = fuse.broadcast %two dims [] : tensor<f32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @broadcast_of_numbers
//       CHECK:   fuse.broadcast
func.func @broadcast_of_numbers() -> tensor<3x2xf32> {
  %row = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = fuse.broadcast %row dims [1] : tensor<2xf32> -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @broadcast_of_splat_to_unknown_size
//       CHECK:   fuse.broadcast
func.func @broadcast_of_splat_to_unknown_size(%n: index) -> tensor<?xf32> {
  %two = arith.constant dense<2.0> : tensor<f32>
  %0 = fuse.broadcast %two dims [] sizes [%n] : tensor<f32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Sizes keep their places among the repeated dimensions.
// CHECK-LABEL: func.func @broadcast_twice
//  CHECK-SAME:   (%[[X:.*]]: tensor<8xf32>, %[[INNER:.*]]: index, %[[OUTER:.*]]: index)
//       CHECK:   %[[BOTH:.*]] = fuse.broadcast %[[X]] dims [1] sizes [%[[OUTER]], %[[INNER]]] : tensor<8xf32> -> tensor<?x8x4x?xf32>
//       CHECK:   return %[[BOTH]]
func.func @broadcast_twice(%x: tensor<8xf32>, %inner: index, %outer: index) -> tensor<?x8x4x?xf32> {
  %0 = fuse.broadcast %x dims [0] sizes [%inner] : tensor<8xf32> -> tensor<8x?xf32>
  %1 = fuse.broadcast %0 dims [1, 3] sizes [%outer] : tensor<8x?xf32> -> tensor<?x8x4x?xf32>
  return %1 : tensor<?x8x4x?xf32>
}

// The size of the repeated dimension is known only in the end: no operand is
// left that could be checked against it.
// CHECK-LABEL: func.func @broadcast_twice_with_another_size
//       CHECK:   fuse.broadcast
//       CHECK:   fuse.broadcast
func.func @broadcast_twice_with_another_size(%x: tensor<8xf32>, %n: index) -> tensor<2x4x8xf32> {
  %0 = fuse.broadcast %x dims [1] sizes [%n] : tensor<8xf32> -> tensor<?x8xf32>
  %1 = fuse.broadcast %0 dims [1, 2] : tensor<?x8xf32> -> tensor<2x4x8xf32>
  return %1 : tensor<2x4x8xf32>
}

// CHECK-LABEL: func.func @broadcast_constant_size
//  CHECK-SAME:   %[[N:[a-z0-9]+]]: index
//       CHECK:   %[[KNOWN:.*]] = fuse.broadcast %{{.*}} dims [1] sizes [%[[N]]] : tensor<8xf32> -> tensor<3x8x?xf32>
//       CHECK:   tensor.cast %[[KNOWN]] : tensor<3x8x?xf32> to tensor<?x8x?xf32>
func.func @broadcast_constant_size(%n: index, %x: tensor<8xf32>) -> tensor<?x8x?xf32> {
  %three = arith.constant 3 : index
  %0 = fuse.broadcast %x dims [1] sizes [%three, %n] : tensor<8xf32> -> tensor<?x8x?xf32>
  return %0 : tensor<?x8x?xf32>
}

// A negative number is no size.
// CHECK-LABEL: func.func @broadcast_negative_size
//       CHECK:   fuse.broadcast {{.*}} sizes
func.func @broadcast_negative_size(%x: tensor<8xf32>) -> tensor<?x8xf32> {
  %minus_one = arith.constant -1 : index
  %0 = fuse.broadcast %x dims [1] sizes [%minus_one] : tensor<8xf32> -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @transpose_by_nothing
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x4xf32>)
//       CHECK:   return %[[X]]
func.func @transpose_by_nothing(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = fuse.transpose %x [0, 1] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @transpose_there_and_back
//  CHECK-SAME:   (%[[X:.*]]: tensor<2x3x4xf32>)
//       CHECK:   return %[[X]]
func.func @transpose_there_and_back(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = fuse.transpose %x [2, 0, 1] : tensor<2x3x4xf32>
  %1 = fuse.transpose %0 [1, 2, 0] : tensor<4x2x3xf32>
  return %1 : tensor<2x3x4xf32>
}

// Dimension i of the result is dimension inner[outer[i]] of the source.
// CHECK-LABEL: func.func @transpose_twice
//  CHECK-SAME:   (%[[X:.*]]: tensor<2x3x4x5xf32>)
//       CHECK:   %[[BOTH:.*]] = fuse.transpose %[[X]] [2, 0, 3, 1]
//       CHECK:   return %[[BOTH]] : tensor<4x2x5x3xf32>
func.func @transpose_twice(%x: tensor<2x3x4x5xf32>) -> tensor<4x2x5x3xf32> {
  %0 = fuse.transpose %x [1, 2, 0, 3] : tensor<2x3x4x5xf32>
  %1 = fuse.transpose %0 [1, 2, 3, 0] : tensor<3x4x2x5xf32>
  return %1 : tensor<4x2x5x3xf32>
}

// CHECK-LABEL: func.func @transpose_square
//       CHECK:   fuse.transpose %{{.*}} [1, 0]
func.func @transpose_square(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = fuse.transpose %x [1, 0] : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @transpose_of_splat
//       CHECK:   arith.constant dense<7> : tensor<3x2xi32>
//   CHECK-NOT:   fuse.transpose
func.func @transpose_of_splat() -> tensor<3x2xi32> {
  %seven = arith.constant dense<7> : tensor<2x3xi32>
  %0 = fuse.transpose %seven [1, 0] : tensor<2x3xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// CHECK-LABEL: func.func @slice_all
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x4xf32>)
//       CHECK:   return %[[X]]
func.func @slice_all(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = fuse.slice %x[:, 0:4:1] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// Nothing tells that there are no more than four.
// CHECK-LABEL: func.func @slice_of_unknown_size
//       CHECK:   fuse.slice
func.func @slice_of_unknown_size(%x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = fuse.slice %x[:4] : tensor<?xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @slice_of_slice
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x100xf32>)
//       CHECK:   %[[BOTH:.*]] = fuse.slice %[[X]][7:, 15:90:3]
//       CHECK:   return %[[BOTH]]
func.func @slice_of_slice(%x: tensor<?x100xf32>) -> tensor<?x25xf32> {
  %0 = fuse.slice %x[5:, 10:90] : tensor<?x100xf32>
  %1 = fuse.slice %0[2:, 5::3] : tensor<?x80xf32>
  return %1 : tensor<?x25xf32>
}

// CHECK-LABEL: func.func @slice_of_slice_with_steps
//       CHECK:   fuse.slice %{{.*}}[::2]
//       CHECK:   fuse.slice %{{.*}}[1:]
func.func @slice_of_slice_with_steps(%x: tensor<100xf32>) -> tensor<49xf32> {
  %0 = fuse.slice %x[::2] : tensor<100xf32>
  %1 = fuse.slice %0[1:] : tensor<50xf32>
  return %1 : tensor<49xf32>
}

// The two starts have a sum that no 64 bits hold.
// CHECK-LABEL: func.func @slice_of_slice_far_away
//       CHECK:   fuse.slice
//       CHECK:   fuse.slice
func.func @slice_of_slice_far_away(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuse.slice %x[9223372036854775807:] : tensor<?xf32>
  %1 = fuse.slice %0[9223372036854775807:] : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @slice_of_splat
//       CHECK:   arith.constant dense<true> : tensor<3xi1>
//   CHECK-NOT:   fuse.slice
func.func @slice_of_splat() -> tensor<3xi1> {
  %true = arith.constant dense<true> : tensor<8xi1>
  %0 = fuse.slice %true[2:5] : tensor<8xi1>
  return %0 : tensor<3xi1>
}

// -----

// CHECK-LABEL: func.func @expand_into_one
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x4xf32>)
//       CHECK:   return %[[X]]
func.func @expand_into_one(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = fuse.expand %x dim 0 into [?] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @collapse_then_expand
//  CHECK-SAME:   (%[[X:.*]]: tensor<5x?x4xf32>)
//       CHECK:   return %[[X]]
func.func @collapse_then_expand(%x: tensor<5x?x4xf32>) -> tensor<5x?x4xf32> {
  %0 = fuse.collapse %x dims [1, 2] : tensor<5x?x4xf32>
  %1 = fuse.expand %0 dim 1 into [?, 4] : tensor<5x?xf32>
  return %1 : tensor<5x?x4xf32>
}

// Two factors that are not known may be others.
// CHECK-LABEL: func.func @collapse_then_expand_by_sizes
//       CHECK:   fuse.collapse
//       CHECK:   fuse.expand
func.func @collapse_then_expand_by_sizes(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %0 = fuse.collapse %x dims [0, 1] : tensor<?x?xf32>
  %1 = fuse.expand %0 dim 0 into [?, ?] sizes [%n, %n] : tensor<?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @collapse_then_expand_otherwise
//       CHECK:   fuse.collapse
//       CHECK:   fuse.expand
func.func @collapse_then_expand_otherwise(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %0 = fuse.collapse %x dims [0, 1] : tensor<2x6xf32>
  %1 = fuse.expand %0 dim 0 into [3, 4] : tensor<12xf32>
  return %1 : tensor<3x4xf32>
}

// Another dimension is split than the one that was merged.
// CHECK-LABEL: func.func @collapse_then_expand_another_dim
//       CHECK:   fuse.collapse
//       CHECK:   fuse.expand
func.func @collapse_then_expand_another_dim(%x: tensor<2x1x2xf32>) -> tensor<2x1x2xf32> {
  %0 = fuse.collapse %x dims [0, 1] : tensor<2x1x2xf32>
  %1 = fuse.expand %0 dim 1 into [1, 2] : tensor<2x2xf32>
  return %1 : tensor<2x1x2xf32>
}

// CHECK-LABEL: func.func @expand_constant_sizes
//  CHECK-SAME:   %[[N:[a-z0-9]+]]: index
//       CHECK:   fuse.expand %{{.*}} dim 0 into [3, ?] sizes [%[[N]]]
//       CHECK:   tensor.cast %{{.*}} : tensor<3x?xf32> to tensor<?x?xf32>
func.func @expand_constant_sizes(%n: index, %x: tensor<?xf32>) -> tensor<?x?xf32> {
  %three = arith.constant 3 : index
  %0 = fuse.expand %x dim 0 into [?, ?] sizes [%three, %n] : tensor<?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @expand_of_splat
//       CHECK:   arith.constant dense<1> : tensor<2x3xi8>
//   CHECK-NOT:   fuse.expand
func.func @expand_of_splat() -> tensor<2x3xi8> {
  %one = arith.constant dense<1> : tensor<6xi8>
  %0 = fuse.expand %one dim 0 into [2, 3] : tensor<6xi8>
  return %0 : tensor<2x3xi8>
}

// -----

// Sizes that contradict the type are left for whoever runs into them.
// CHECK-LABEL: func.func @expand_contradiction
//       CHECK:   fuse.expand
func.func @expand_contradiction(%x: tensor<12xf32>) -> tensor<?x?xf32> {
  %five = arith.constant 5 : index
  %0 = fuse.expand %x dim 0 into [?, ?] sizes [%five, %five] : tensor<12xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @collapse_one
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x4xf32>)
//       CHECK:   return %[[X]]
func.func @collapse_one(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = fuse.collapse %x dims [0] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @expand_then_collapse
//  CHECK-SAME:   (%[[X:.*]]: tensor<3x?xf32>
//       CHECK:   return %[[X]]
func.func @expand_then_collapse(%x: tensor<3x?xf32>, %n: index) -> tensor<3x?xf32> {
  %0 = fuse.expand %x dim 1 into [?, ?] sizes [%n, %n] : tensor<3x?xf32>
  %1 = fuse.collapse %0 dims [1, 2] : tensor<3x?x?xf32>
  return %1 : tensor<3x?xf32>
}

// CHECK-LABEL: func.func @expand_then_collapse_some
//       CHECK:   fuse.expand
//       CHECK:   fuse.collapse
func.func @expand_then_collapse_some(%x: tensor<24xf32>) -> tensor<6x4xf32> {
  %0 = fuse.expand %x dim 0 into [2, 3, 4] : tensor<24xf32>
  %1 = fuse.collapse %0 dims [0, 1] : tensor<2x3x4xf32>
  return %1 : tensor<6x4xf32>
}

// CHECK-LABEL: func.func @expand_then_collapse_a_neighbour
//       CHECK:   fuse.expand
//       CHECK:   fuse.collapse
func.func @expand_then_collapse_a_neighbour(%x: tensor<4x2xf32>) -> tensor<2x4xf32> {
  %0 = fuse.expand %x dim 0 into [2, 2] : tensor<4x2xf32>
  %1 = fuse.collapse %0 dims [1, 2] : tensor<2x2x2xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @collapse_of_splat
//       CHECK:   arith.constant dense<0.000000e+00> : tensor<6xbf16>
//   CHECK-NOT:   fuse.collapse
func.func @collapse_of_splat() -> tensor<6xbf16> {
  %zero = arith.constant dense<0.0> : tensor<2x3xbf16>
  %0 = fuse.collapse %zero dims [0, 1] : tensor<2x3xbf16>
  return %0 : tensor<6xbf16>
}

// -----

// CHECK-LABEL: func.func @concat_of_one
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf32>)
//       CHECK:   return %[[X]]
func.func @concat_of_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.concat %x dim 0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @concat_of_concat
//  CHECK-SAME:   (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<2xf32>)
//       CHECK:   %[[ALL:.*]] = fuse.concat %[[B]], %[[A]], %[[B]], %[[A]] dim 0
//       CHECK:   return %[[ALL]]
func.func @concat_of_concat(%a: tensor<?xf32>, %b: tensor<2xf32>) -> tensor<?xf32> {
  %0 = fuse.concat %a, %b dim 0 : tensor<?xf32>, tensor<2xf32>
  %1 = fuse.concat %b, %0, %a dim 0 : tensor<2xf32>, tensor<?xf32>, tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @concat_of_concat_along_another_dim
//       CHECK:   fuse.concat {{.*}} dim 0
//       CHECK:   fuse.concat {{.*}} dim 1
func.func @concat_of_concat_along_another_dim(%a: tensor<2x2xf32>) -> tensor<4x4xf32> {
  %0 = fuse.concat %a, %a dim 0 : tensor<2x2xf32>, tensor<2x2xf32>
  %1 = fuse.concat %0, %0 dim 1 : tensor<4x2xf32>, tensor<4x2xf32>
  return %1 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @concat_with_nothing
//  CHECK-SAME:   (%[[A:.*]]: tensor<4x3xf32>,
//       CHECK:   return %[[A]]
func.func @concat_with_nothing(%a: tensor<4x3xf32>, %none: tensor<4x0xf32>) -> tensor<4x3xf32> {
  %0 = fuse.concat %none, %a, %none dim 1 : tensor<4x0xf32>, tensor<4x3xf32>, tensor<4x0xf32>
  return %0 : tensor<4x3xf32>
}

// The empty piece is the one that knows how many rows there are.
// CHECK-LABEL: func.func @concat_with_nothing_that_knows
//       CHECK:   fuse.concat
func.func @concat_with_nothing_that_knows(%a: tensor<?x3xf32>, %none: tensor<4x0xf32>) -> tensor<4x3xf32> {
  %0 = fuse.concat %a, %none dim 1 : tensor<?x3xf32>, tensor<4x0xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @concat_of_nothing_only
//       CHECK:   fuse.concat
func.func @concat_of_nothing_only(%none: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %0 = fuse.concat %none, %none dim 1 : tensor<4x0xf32>, tensor<4x0xf32>
  return %0 : tensor<4x0xf32>
}

// -----

// CHECK-LABEL: func.func @iota_constant_size
//       CHECK:   %[[KNOWN:.*]] = fuse.iota dim 0 : tensor<5xi32>
//       CHECK:   tensor.cast %[[KNOWN]]
func.func @iota_constant_size() -> tensor<?xi32> {
  %five = arith.constant 5 : index
  %0 = fuse.iota dim 0 sizes [%five] : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: func.func @iota_unknown_size
//       CHECK:   fuse.iota dim 0 sizes
func.func @iota_unknown_size(%n: index) -> tensor<?xi32> {
  %0 = fuse.iota dim 0 sizes [%n] : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// Without users, every op goes.
// CHECK-LABEL: func.func @unused
//  CHECK-NEXT:   return
func.func @unused(%x: tensor<4x4xf32>, %i: tensor<4xi32>, %m: tensor<4x4xi1>) {
  %0 = fuse.matmul %x, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = fuse.gather %x[%i] : tensor<4x4xf32>, tensor<4xi32>
  %2 = fuse.softmax %x dim 1 mask %m : tensor<4x4xf32>, tensor<4x4xi1>
  %3 = fuse.causal_mask top_left : tensor<4x4xi1>
  return
}
