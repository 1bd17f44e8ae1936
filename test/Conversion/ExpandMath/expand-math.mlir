// Functions of vectors of f32 become polynomials. What they give is checked by
// running them, in test/Run/fused.

// RUN: fuse-opt %s --math-expand-vectors | FileCheck %s

// One rounding finds the power of two, and its bits are added to the exponent.
// CHECK-LABEL: func.func @exp
//  CHECK-SAME:   (%[[X:.*]]: vector<4xf32>)
//   CHECK-DAG:   %[[ROUNDING:.*]] = arith.constant dense<0x4B400000> : vector<4xf32>
//   CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
//   CHECK-NOT:   math.exp
//       CHECK:   %[[SUM:.*]] = math.fma %[[X]], %{{.*}}, %[[ROUNDING]]
//       CHECK:   %[[N:.*]] = arith.subf %[[SUM]], %[[ROUNDING]]
//       CHECK:   %[[BITS:.*]] = arith.bitcast %[[SUM]] : vector<4xf32> to vector<4xi32>
//       CHECK:   %[[EXPONENT:.*]] = arith.subi %[[BITS]]
// CHECK-COUNT-8: math.fma
//   CHECK-NOT:   math.fma
//       CHECK:   arith.shli %[[EXPONENT]], %{{.*}} : vector<4xi32>
//       CHECK:   arith.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
// Below the least normal number there is 0; NaN is no number, and stays.
//       CHECK:   %[[NORMAL:.*]] = arith.cmpf ole, %{{.*}}, %[[X]]
//       CHECK:   %[[FINITE:.*]] = arith.cmpf olt, %[[X]]
//       CHECK:   %[[BEYOND:.*]] = arith.addf %[[X]], %{{.*}}
//       CHECK:   %[[RESULT:.*]] = arith.select %[[NORMAL]], %{{.*}}, %[[ZERO]]
//       CHECK:   arith.select %[[FINITE]], %[[RESULT]], %[[BEYOND]]
func.func @exp(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.exp %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// In two halves, since the power itself may be no normal number.
// CHECK-LABEL: func.func @exp2
//   CHECK-NOT:   math.exp2
//       CHECK:   arith.maximumf
//       CHECK:   arith.minimumf
//       CHECK:   %[[SUM:.*]] = math.fma
//       CHECK:   %[[BITS:.*]] = arith.bitcast %[[SUM]] : vector<4xf32> to vector<4xi32>
//       CHECK:   %[[N:.*]] = arith.subi %[[BITS]]
//       CHECK:   %[[HALF:.*]] = arith.shrsi %[[N]]
//       CHECK:   arith.mulf
//       CHECK:   arith.subi %[[N]], %[[HALF]]
//       CHECK:   arith.mulf
//       CHECK:   return
func.func @exp2(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.exp2 %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @others
//   CHECK-NOT:   math.{{expm1|log|log1p|log2|tanh|erf|erfc|asin|acos}} 
//       CHECK:   return
func.func @others(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.expm1 %x : vector<4xf32>
  %1 = math.log %0 : vector<4xf32>
  %2 = math.log1p %1 : vector<4xf32>
  %3 = math.log2 %2 : vector<4xf32>
  %4 = math.tanh %3 : vector<4xf32>
  %5 = math.erf %4 : vector<4xf32>
  %6 = math.erfc %5 : vector<4xf32>
  %7 = math.asin %6 : vector<4xf32>
  %8 = math.acos %7 : vector<4xf32>
  return %8 : vector<4xf32>
}

// Upstream's polynomials for these lose digits; and scalars, and other types
// than f32, have none.
// CHECK-LABEL: func.func @kept
//       CHECK:   math.sin %{{.*}} : vector<4xf32>
//       CHECK:   math.cos %{{.*}} : vector<4xf32>
//       CHECK:   math.atan %{{.*}} : vector<4xf32>
//       CHECK:   math.cbrt %{{.*}} : vector<4xf32>
//       CHECK:   math.exp %{{.*}} : vector<4xf64>
//       CHECK:   math.exp2 %{{.*}} : vector<4xf64>
//       CHECK:   math.exp %{{.*}} : f32
//       CHECK:   math.exp2 %{{.*}} : f32
func.func @kept(%x: vector<4xf32>, %d: vector<4xf64>, %s: f32) -> (vector<4xf32>, vector<4xf64>, f32) {
  %0 = math.sin %x : vector<4xf32>
  %1 = math.cos %0 : vector<4xf32>
  %2 = math.atan %1 : vector<4xf32>
  %3 = math.cbrt %2 : vector<4xf32>
  %4 = math.exp %d : vector<4xf64>
  %5 = math.exp2 %4 : vector<4xf64>
  %6 = math.exp %s : f32
  %7 = math.exp2 %6 : f32
  return %3, %5, %7 : vector<4xf32>, vector<4xf64>, f32
}
