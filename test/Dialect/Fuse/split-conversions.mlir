// RUN: fuse-opt %s --fuse-split-conversions | FileCheck %s

// CHECK-LABEL: func.func @distance
//   CHECK-DAG:   %[[I:.*]] = fuse.iota dim 0
//   CHECK-DAG:   %[[J:.*]] = fuse.iota dim 1
//   CHECK-DAG:   %[[X:.*]] = arith.sitofp %[[J]]
//   CHECK-DAG:   %[[Y:.*]] = arith.sitofp %[[I]]
//       CHECK:   %[[D:.*]] = arith.subf %[[X]], %[[Y]]
//       CHECK:   return %[[D]]
func.func @distance() -> tensor<64x128xf32> {
  %i = fuse.iota dim 0 : tensor<64x128xi32>
  %j = fuse.iota dim 1 : tensor<64x128xi32>
  %d = arith.subi %j, %i : tensor<64x128xi32>
  %f = arith.sitofp %d : tensor<64x128xi32> to tensor<64x128xf32>
  return %f : tensor<64x128xf32>
}

// What a float has not, or an integer wraps at, stays; so does what is not
// known.
// CHECK-LABEL: func.func @stays
//       CHECK:   arith.subi
//       CHECK:   arith.sitofp
//       CHECK:   arith.addi
//       CHECK:   arith.sitofp
//       CHECK:   arith.subi
//       CHECK:   arith.sitofp
func.func @stays(%x: tensor<64x128xi32>) -> (tensor<2x33554432xf32>, tensor<64x128xf32>, tensor<64x128xf32>) {
  %i = fuse.iota dim 0 : tensor<2x33554432xi32>
  %j = fuse.iota dim 1 : tensor<2x33554432xi32>
  %d = arith.subi %j, %i : tensor<2x33554432xi32>
  %f = arith.sitofp %d : tensor<2x33554432xi32> to tensor<2x33554432xf32>
  %k = fuse.iota dim 1 : tensor<64x128xi8>
  %hundred = arith.constant dense<100> : tensor<64x128xi8>
  %wraps = arith.addi %k, %hundred : tensor<64x128xi8>
  %g = arith.sitofp %wraps : tensor<64x128xi8> to tensor<64x128xf32>
  %l = fuse.iota dim 1 : tensor<64x128xi32>
  %e = arith.subi %l, %x : tensor<64x128xi32>
  %h = arith.sitofp %e : tensor<64x128xi32> to tensor<64x128xf32>
  return %f, %g, %h : tensor<2x33554432xf32>, tensor<64x128xf32>, tensor<64x128xf32>
}
