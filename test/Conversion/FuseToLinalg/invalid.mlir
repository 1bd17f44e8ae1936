// Composites have to be decomposed first.

// RUN: fuse-opt %s --convert-fuse-to-linalg --verify-diagnostics

func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{failed to legalize operation 'fuse.relu' that was explicitly marked illegal}}
  %0 = fuse.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
