// Functions become arithmetic, whatever the shape. How far off they are is a unit
// test of its own.

// RUN: fuse-opt %s --math-expand-functions | FileCheck %s
// RUN: fuse-opt %s --math-expand-functions=ops=math.expm1 | FileCheck %s --check-prefix=ONE

// ONE-LABEL: func.func @f32
//       ONE:   math.exp2
//   ONE-NOT:   math.expm1
//       ONE:   math.log

// CHECK-LABEL: func.func @f32
//   CHECK-NOT:   math.{{exp|exp2|expm1|log|log2|log10|log1p|cbrt|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|powf|fpowi|ipowi|sincos}} 
//   CHECK-NOT:   arith.remf
//       CHECK:   return
func.func @f32(%x: vector<4xf32>, %n: vector<4xi32>) -> (vector<4xf32>, vector<4xf32>) {
  %0 = math.exp %x : vector<4xf32>
  %1 = math.exp2 %0 : vector<4xf32>
  %2 = math.expm1 %1 : vector<4xf32>
  %3 = math.log %2 : vector<4xf32>
  %4 = math.log2 %3 : vector<4xf32>
  %5 = math.log10 %4 : vector<4xf32>
  %6 = math.log1p %5 : vector<4xf32>
  %7 = math.cbrt %6 : vector<4xf32>
  %8 = math.sin %7 : vector<4xf32>
  %9 = math.cos %8 : vector<4xf32>
  %10 = math.tan %9 : vector<4xf32>
  %11 = math.asin %10 : vector<4xf32>
  %12 = math.acos %11 : vector<4xf32>
  %13 = math.atan %12 : vector<4xf32>
  %14 = math.sinh %13 : vector<4xf32>
  %15 = math.cosh %14 : vector<4xf32>
  %16 = math.tanh %15 : vector<4xf32>
  %17 = math.asinh %16 : vector<4xf32>
  %18 = math.acosh %17 : vector<4xf32>
  %19 = math.atanh %18 : vector<4xf32>
  %20 = math.erf %19 : vector<4xf32>
  %21 = math.erfc %20 : vector<4xf32>
  %p = math.powf %21, %x : vector<4xf32>
  %a = math.atan2 %p, %x : vector<4xf32>
  %r = arith.remf %a, %x : vector<4xf32>
  %f = math.fpowi %r, %n : vector<4xf32>, vector<4xi32>
  %s, %c = math.sincos %f : vector<4xf32>
  return %s, %c : vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @f64
//   CHECK-NOT:   math.{{exp|exp2|expm1|log|log2|log10|log1p|cbrt|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|powf|fpowi|ipowi|sincos}} 
//   CHECK-NOT:   arith.remf
//       CHECK:   return
func.func @f64(%x: vector<2x3xf64>, %n: vector<2x3xi64>) -> (vector<2x3xf64>, vector<2x3xf64>) {
  %0 = math.exp %x : vector<2x3xf64>
  %1 = math.exp2 %0 : vector<2x3xf64>
  %2 = math.expm1 %1 : vector<2x3xf64>
  %3 = math.log %2 : vector<2x3xf64>
  %4 = math.log2 %3 : vector<2x3xf64>
  %5 = math.log10 %4 : vector<2x3xf64>
  %6 = math.log1p %5 : vector<2x3xf64>
  %7 = math.cbrt %6 : vector<2x3xf64>
  %8 = math.sin %7 : vector<2x3xf64>
  %9 = math.cos %8 : vector<2x3xf64>
  %10 = math.tan %9 : vector<2x3xf64>
  %11 = math.asin %10 : vector<2x3xf64>
  %12 = math.acos %11 : vector<2x3xf64>
  %13 = math.atan %12 : vector<2x3xf64>
  %14 = math.sinh %13 : vector<2x3xf64>
  %15 = math.cosh %14 : vector<2x3xf64>
  %16 = math.tanh %15 : vector<2x3xf64>
  %17 = math.asinh %16 : vector<2x3xf64>
  %18 = math.acosh %17 : vector<2x3xf64>
  %19 = math.atanh %18 : vector<2x3xf64>
  %20 = math.erf %19 : vector<2x3xf64>
  %21 = math.erfc %20 : vector<2x3xf64>
  %p = math.powf %21, %x : vector<2x3xf64>
  %a = math.atan2 %p, %x : vector<2x3xf64>
  %r = arith.remf %a, %x : vector<2x3xf64>
  %f = math.fpowi %r, %n : vector<2x3xf64>, vector<2x3xi64>
  %s, %c = math.sincos %f : vector<2x3xf64>
  return %s, %c : vector<2x3xf64>, vector<2x3xf64>
}

// CHECK-LABEL: func.func @scalar
//   CHECK-NOT:   math.{{exp|exp2|expm1|log|log2|log10|log1p|cbrt|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|powf|fpowi|ipowi|sincos}} 
//   CHECK-NOT:   arith.remf
//       CHECK:   return
func.func @scalar(%x: f64, %n: i8) -> (f64, f64) {
  %0 = math.exp %x : f64
  %1 = math.exp2 %0 : f64
  %2 = math.expm1 %1 : f64
  %3 = math.log %2 : f64
  %4 = math.log2 %3 : f64
  %5 = math.log10 %4 : f64
  %6 = math.log1p %5 : f64
  %7 = math.cbrt %6 : f64
  %8 = math.sin %7 : f64
  %9 = math.cos %8 : f64
  %10 = math.tan %9 : f64
  %11 = math.asin %10 : f64
  %12 = math.acos %11 : f64
  %13 = math.atan %12 : f64
  %14 = math.sinh %13 : f64
  %15 = math.cosh %14 : f64
  %16 = math.tanh %15 : f64
  %17 = math.asinh %16 : f64
  %18 = math.acosh %17 : f64
  %19 = math.atanh %18 : f64
  %20 = math.erf %19 : f64
  %21 = math.erfc %20 : f64
  %p = math.powf %21, %x : f64
  %a = math.atan2 %p, %x : f64
  %r = arith.remf %a, %x : f64
  %f = math.fpowi %r, %n : f64, i8
  %s, %c = math.sincos %f : f64
  return %s, %c : f64, f64
}

// CHECK-LABEL: func.func @single
//   CHECK-NOT:   math.{{exp|exp2|expm1|log|log2|log10|log1p|cbrt|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|powf|fpowi|ipowi|sincos}} 
//   CHECK-NOT:   arith.remf
//       CHECK:   return
func.func @single(%x: f32, %n: index) -> (f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.exp2 %0 : f32
  %2 = math.expm1 %1 : f32
  %3 = math.log %2 : f32
  %4 = math.log2 %3 : f32
  %5 = math.log10 %4 : f32
  %6 = math.log1p %5 : f32
  %7 = math.cbrt %6 : f32
  %8 = math.sin %7 : f32
  %9 = math.cos %8 : f32
  %10 = math.tan %9 : f32
  %11 = math.asin %10 : f32
  %12 = math.acos %11 : f32
  %13 = math.atan %12 : f32
  %14 = math.sinh %13 : f32
  %15 = math.cosh %14 : f32
  %16 = math.tanh %15 : f32
  %17 = math.asinh %16 : f32
  %18 = math.acosh %17 : f32
  %19 = math.atanh %18 : f32
  %20 = math.erf %19 : f32
  %21 = math.erfc %20 : f32
  %p = math.powf %21, %x : f32
  %a = math.atan2 %p, %x : f32
  %r = arith.remf %a, %x : f32
  %f = math.fpowi %r, %n : f32, index
  %s, %c = math.sincos %f : f32
  return %s, %c : f32, f32
}

// Only what is large takes the way of large angles.
// CHECK-LABEL: func.func @angle
//  CHECK-SAME:   (%[[X:.*]]: vector<4xf32>)
//       CHECK:   %[[SIZE:.*]] = math.absf %[[X]]
//       CHECK:   %[[BOUND:.*]] = arith.constant dense<6.553600e+04> : vector<4xf32>
//       CHECK:   %[[LARGE:.*]] = arith.cmpf olt, %[[BOUND]], %[[SIZE]]
//       CHECK:   %[[ANY:.*]] = vector.reduction <or>, %[[LARGE]] : vector<4xi1> into i1
//       CHECK:   scf.if %[[ANY]]
//       CHECK:     arith.mului_extended
func.func @angle(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.sin %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// A round for as many digits as a float has, until no element has more.
// CHECK-LABEL: func.func @remainder
//       CHECK:   scf.while (%[[REST:.*]] = %{{.*}}) : (vector<4xf32>) -> vector<4xf32>
//       CHECK:     %[[MORE:.*]] = arith.cmpf ole, %{{.*}}, %[[REST]]
//       CHECK:     %[[ANY:.*]] = vector.reduction <or>, %[[MORE]]
//       CHECK:     scf.condition(%[[ANY]])
//       CHECK:     math.trunc
func.func @remainder(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.remf %x, %y : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func.func @integers
//   CHECK-NOT:   math.ipowi
//       CHECK:   scf.while
//       CHECK:     arith.muli
//       CHECK:   return
func.func @integers(%x: vector<4xi16>, %n: vector<4xi16>) -> vector<4xi16> {
  %0 = math.ipowi %x, %n : vector<4xi16>
  return %0 : vector<4xi16>
}

// Narrower floats have to be f32 before.
// CHECK-LABEL: func.func @narrow
//       CHECK:   math.sin %{{.*}} : vector<4xf16>
func.func @narrow(%x: vector<4xf16>) -> vector<4xf16> {
  %0 = math.sin %x : vector<4xf16>
  return %0 : vector<4xf16>
}
