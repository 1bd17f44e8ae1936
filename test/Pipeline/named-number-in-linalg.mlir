// A number that is named ends no process where nobody has read it before.

// RUN: fuse-opt %s --fuse-linalg-to-llvm | FileCheck %s
// CHECK: llvm.mlir.global private constant @__constant_xf32(1.000000e+00 : f32)

func.func @scale() -> tensor<f32> {
  %0 = arith.constant dense_resource<scale> : tensor<f32>
  return %0 : tensor<f32>
}

{-#
  dialect_resources: {
    builtin: {
      scale: "0x040000000000803F"
    }
  }
#-}
