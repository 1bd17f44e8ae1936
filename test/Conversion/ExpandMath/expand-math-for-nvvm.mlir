// Powers of vectors of f32 are one instruction of a GPU on each element, once a
// whole number has been taken off the exponent.

// RUN: fuse-opt %s --math-expand-for-nvvm | FileCheck %s

// The number that is taken off is held within the exponents of normal floats;
// what is left is computed from the argument as it came, and has infinities and
// NaNs.
// CHECK-LABEL: func.func @exp
//  CHECK-SAME:   (%[[X:.*]]: vector<2xf32>)
//       CHECK:   arith.maxnumf %[[X]]
//       CHECK:   %[[BOUNDED:.*]] = arith.minnumf
//       CHECK:   %[[SUM:.*]] = math.fma %[[BOUNDED]]
//       CHECK:   %[[N:.*]] = arith.subf %[[SUM]]
//       CHECK:   %[[OFF:.*]] = arith.negf %[[N]]
//       CHECK:   %[[F:.*]] = math.fma %[[X]], %{{.*}}, %[[OFF]]
//       CHECK:   %[[EXACT:.*]] = math.fma %[[X]], %{{.*}}, %[[F]]
//       CHECK:   %[[BITS:.*]] = arith.bitcast %[[SUM]] : vector<2xf32> to vector<2xi32>
//       CHECK:   %[[E:.*]]:2 = vector.to_elements %[[EXACT]]
//       CHECK:   llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %[[E]]#0 : (f32) -> f32
//       CHECK:   llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %[[E]]#1 : (f32) -> f32
//       CHECK:   arith.mulf
//   CHECK-NOT:   math.exp
//       CHECK:   return
func.func @exp(%x: vector<2xf32>) -> vector<2xf32> {
  %0 = math.exp %x : vector<2xf32>
  return %0 : vector<2xf32>
}

// The factor is 1, so one product does.
// CHECK-LABEL: func.func @exp2
// CHECK-COUNT-2: math.fma
//   CHECK-NOT:   math.fma
//       CHECK:   llvm.inline_asm "ex2.approx.ftz.f32
//       CHECK:   return
func.func @exp2(%x: vector<1xf32>) -> vector<1xf32> {
  %0 = math.exp2 %x : vector<1xf32>
  return %0 : vector<1xf32>
}

// CHECK-LABEL: func.func @others
//       CHECK:   math.exp %{{.*}} : vector<2xf64>
//       CHECK:   math.exp2 %{{.*}} : f32
//       CHECK:   math.log %{{.*}} : vector<2xf32>
func.func @others(%d: vector<2xf64>, %s: f32, %x: vector<2xf32>) -> (vector<2xf64>, f32, vector<2xf32>) {
  %0 = math.exp %d : vector<2xf64>
  %1 = math.exp2 %s : f32
  %2 = math.log %x : vector<2xf32>
  return %0, %1, %2 : vector<2xf64>, f32, vector<2xf32>
}
