// Contradictions are found inside of kernels, at the op that brings them
// together.

// RUN: fuse-opt %s --pass-pipeline="builtin.module(func.func(fuse-bind-sizes{shapes=3x4,5x2}))" --verify-diagnostics

func.func @contradiction(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = fuse.kernel @k(%a = %x, %b = %w) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> {
    // expected-error @+2 {{'fuse.matmul' op contracts 4 columns of lhs with 5 rows of rhs}}
    // expected-note @-2 {{rhs comes from here}}
    %p = fuse.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    fuse.yield %p : tensor<?x?xf32>
  }
  return %y : tensor<?x?xf32>
}
