// Graphs whose sizes are not known are lowered as others are.

// RUN: fuse-opt %s --fuse-reference-to-linalg --fuse-linalg-to-llvm | FileCheck %s

// CHECK: llvm.func @moves
func.func @moves(%x: tensor<?x?xf32>, %n: index) -> tensor<?x4xf32> {
  %tail = fuse.slice %x[1:, ::2] : tensor<?x?xf32>
  %both = fuse.concat %tail, %tail dim 1 : tensor<?x?xf32>, tensor<?x?xf32>
  %split = fuse.expand %both dim 1 into [?, 4] : tensor<?x?xf32>
  %rows = fuse.collapse %split dims [0, 1] : tensor<?x?x4xf32>
  %repeated = fuse.broadcast %rows dims [1, 2] sizes [%n] : tensor<?x4xf32> -> tensor<?x?x4xf32>
  %sum = fuse.reduce sum %repeated dims [0] : tensor<?x?x4xf32>
  return %sum : tensor<?x4xf32>
}

// CHECK: llvm.func @rows
func.func @rows(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %mask = fuse.causal_mask bottom_right window 3 sizes [%n, %n] : tensor<?x?xi1>
  %same = tensor.cast %x : tensor<?x?xf32> to tensor<?x?xf32>
  %soft = fuse.softmax %same dim 1 mask %mask : tensor<?x?xf32>, tensor<?x?xi1>
  %norm = fuse.layer_norm %soft eps 1.0e-5 : tensor<?x?xf32>
  return %norm : tensor<?x?xf32>
}

// A declaration has nothing to lower.
// CHECK: llvm.func {{.*}}@declaration
func.func private @declaration(tensor<4xf32>)
