// All floats become f64; casts vanish or go on rounding.

// RUN: fuse-opt %s --fuse-widen-floats | FileCheck %s --check-prefixes=CHECK,DROP
// RUN: fuse-opt %s --fuse-widen-floats=casts=round | FileCheck %s --check-prefixes=CHECK,ROUND

// CHECK-LABEL: func.func @casts
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf64>) -> tensor<4xf64>
//   DROP-NEXT:   %[[SUM:.*]] = arith.addf %[[X]], %[[X]] : tensor<4xf64>
//   DROP-NEXT:   return %[[SUM]]
//  ROUND-NEXT:   %[[SUM:.*]] = arith.addf %[[X]], %[[X]] : tensor<4xf64>
//  ROUND-NEXT:   %[[NARROW:.*]] = arith.truncf %[[SUM]] : tensor<4xf64> to tensor<4xbf16>
//  ROUND-NEXT:   %[[WIDE:.*]] = arith.extf %[[NARROW]] : tensor<4xbf16> to tensor<4xf64>
//  ROUND-NEXT:   return %[[WIDE]]
func.func @casts(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %wide = arith.extf %x : tensor<4xbf16> to tensor<4xf32>
  %sum = arith.addf %wide, %wide : tensor<4xf32>
  %narrow = arith.truncf %sum : tensor<4xf32> to tensor<4xbf16>
  return %narrow : tensor<4xbf16>
}

// A constant is the number that it was in its narrow type.
// CHECK-LABEL: func.func @constants
//   CHECK-DAG:   arith.constant 0.10009765625 : f64
//   CHECK-DAG:   arith.constant dense<0.10000000149011612> : tensor<4xf64>
//   CHECK-DAG:   arith.constant dense<[1.000000e+00, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
//   CHECK-DAG:   arith.constant dense<3> : tensor<4xi32>
func.func @constants() {
  %0 = arith.constant 0.1 : bf16
  %1 = arith.constant dense<0.1> : tensor<4xf32>
  %2 = arith.constant dense<[1.0, 0x7C00, 0x7E00]> : tensor<3xf16>
  %3 = arith.constant dense<3> : tensor<4xi32>
  return
}

// CHECK-LABEL: func.func @products
//       CHECK:   fuse.matmul %{{.*}}, %{{.*}} : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
func.func @products(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = fuse.matmul %x, %x precision tf32 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// What is no float stays as it is.
// CHECK-LABEL: func.func @others
//  CHECK-SAME:   (%{{.*}}: tensor<4xf64>, %{{.*}}: tensor<4xi32>, %{{.*}}: index) -> (tensor<4xi1>, tensor<?xf64>, tensor<4xi32>)
func.func @others(%x: tensor<4xf8E4M3FN>, %i: tensor<4xi32>, %n: index) -> (tensor<4xi1>, tensor<?xf16>, tensor<4xi32>) {
  %wide = arith.sitofp %i : tensor<4xi32> to tensor<4xf32>
  %0 = arith.cmpf olt, %wide, %wide : tensor<4xf32>
  %1 = fuse.iota dim 0 sizes [%n] : tensor<?xf16>
  %2 = arith.fptosi %wide : tensor<4xf32> to tensor<4xi32>
  return %0, %1, %2 : tensor<4xi1>, tensor<?xf16>, tensor<4xi32>
}

// CHECK: func.func private @declaration(tensor<4xf64>) -> f64
func.func private @declaration(tensor<4xf16>) -> f32

// -----

// The bits of a number are those of its narrow type, also in f64.
// CHECK-LABEL: @bits
//       CHECK:   %[[NARROW:.*]] = arith.truncf %{{.*}} : tensor<4xf64> to tensor<4xf32>
//       CHECK:   %[[BITS:.*]] = arith.bitcast %[[NARROW]]
//       CHECK:   %[[BACK:.*]] = arith.bitcast %[[BITS]] : tensor<4xi32> to tensor<4xf32>
//       CHECK:   arith.extf %[[BACK]] : tensor<4xf32> to tensor<4xf64>
func.func @bits(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.bitcast %x : tensor<4xf32> to tensor<4xi32>
  %1 = arith.bitcast %0 : tensor<4xi32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
