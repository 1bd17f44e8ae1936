// That the passes on graphs see into kernels.

// RUN: fuse-opt %s --fuse-widen-floats | FileCheck %s --check-prefix=WIDE
// RUN: fuse-opt %s --fuse-decompose | FileCheck %s --check-prefix=PLAIN
// RUN: fuse-opt %s --pass-pipeline="builtin.module(func.func(fuse-bind-sizes{shapes=3x4,5}))" | FileCheck %s --check-prefix=BOUND

// WIDE-LABEL: @f
//       WIDE:   fuse.kernel @k({{.*}}) : (tensor<?x4xf64>, index) -> tensor<?x?xf64> {
//       WIDE:     arith.constant dense<1.500000e+00> : tensor<4x8xf64>
//       WIDE:     fuse.yield %{{.*}} : tensor<?x?xf64>

// PLAIN-LABEL: @f
//       PLAIN:   fuse.kernel @k

// The size is a number in the kernel, too. Its operand keeps its place.
// BOUND-LABEL: @f
//       BOUND:   fuse.kernel @k({{.*}}) : (tensor<3x4xf32>, index) -> tensor<5x8xf32> {
//       BOUND:     fuse.matmul {{.*}} -> tensor<3x8xf32>
//       BOUND:     fuse.reduce sum {{.*}} : tensor<3x8xf32>
//       BOUND:     fuse.broadcast {{.*}} dims [1] : tensor<8xf32> -> tensor<5x8xf32>
func.func @f(%x: tensor<?x4xf32>, %n: index) -> tensor<?x?xf32> {
  %y = fuse.kernel @k(%a = %x, %m = %n) : (tensor<?x4xf32>, index) -> tensor<?x?xf32> {
    %w = arith.constant dense<1.5> : tensor<4x8xf32>
    %p = fuse.matmul %a, %w : tensor<?x4xf32>, tensor<4x8xf32> -> tensor<?x8xf32>
    %s = fuse.reduce sum %p dims [0] : tensor<?x8xf32>
    %r = fuse.broadcast %s dims [1] sizes [%m] : tensor<8xf32> -> tensor<?x8xf32>
    %c = tensor.cast %r : tensor<?x8xf32> to tensor<?x?xf32>
    fuse.yield %c : tensor<?x?xf32>
  }
  return %y : tensor<?x?xf32>
}
