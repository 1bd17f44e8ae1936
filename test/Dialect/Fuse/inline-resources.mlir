// Named data become numbers, a byte for a boolean.

// RUN: fuse-opt %s --fuse-inline-resources --verify-diagnostics --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @data
//       CHECK:   arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
//       CHECK:   arith.constant dense<1.000000e+00> : tensor<f32>
//       CHECK:   arith.constant dense<[true, false, true]> : tensor<3xi1>
//       CHECK:   arith.constant dense<7> : tensor<1xindex>
func.func @data() {
  %0 = arith.constant dense_resource<weights> : tensor<2xf32>
  %1 = arith.constant dense_resource<scale> : tensor<f32>
  %2 = arith.constant dense_resource<flags> : tensor<3xi1>
  %3 = arith.constant dense_resource<place> : tensor<1xindex>
  return
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040",
      scale: "0x040000000000803F",
      flags: "0x01000000010002",
      place: "0x080000000700000000000000"
    }
  }
#-}

// -----

func.func @missing() {
  // expected-error @+1 {{'arith.constant' op names data that the module does not have}}
  %0 = arith.constant dense_resource<nowhere> : tensor<2xf32>
  return
}

// -----

func.func @short() {
  // expected-error @+1 {{'arith.constant' op names data of 4 bytes, but its type needs 8}}
  %0 = arith.constant dense_resource<half> : tensor<2xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      half: "0x040000000000803F"
    }
  }
#-}
