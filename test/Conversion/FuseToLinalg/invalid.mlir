// Composites have to be decomposed first, and kernels dissolved.

// RUN: fuse-opt %s --convert-fuse-to-linalg --verify-diagnostics --split-input-file

func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'fuse.relu' op is a composite, which must be decomposed before it is lowered}}
  %0 = fuse.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'fuse.kernel' op must be dissolved before it is lowered}}
  %0 = fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = arith.addf %a, %a : tensor<4xf32>
    fuse.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
