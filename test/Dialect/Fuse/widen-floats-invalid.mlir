// What has no meaning in another width is refused.

// RUN: fuse-opt %s --fuse-widen-floats --verify-diagnostics --split-input-file

func.func @composite(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.scale' op is a composite, which must be decomposed before floats are widened}}
  %0 = fuse.scale %x by 0.1 : tensor<4xf32>
  return
}

// -----

func.func @resource() {
  // expected-error @+1 {{'arith.constant' op has a value that cannot be widened; only numbers and dense elements can}}
  %0 = arith.constant dense_resource<weights> : tensor<2xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}
