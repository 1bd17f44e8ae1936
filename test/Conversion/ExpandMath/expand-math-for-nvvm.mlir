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
//       CHECK:   arith.bitcast %[[SUM]] : vector<2xf32> to vector<2xi32>
//       CHECK:   %[[OFF:.*]] = arith.negf %[[N]]
//       CHECK:   %[[F:.*]] = math.fma %[[X]], %{{.*}}, %[[OFF]]
//       CHECK:   %[[EXACT:.*]] = math.fma %[[X]], %{{.*}}, %[[F]]
//       CHECK:   %[[E:.*]]:2 = vector.to_elements %[[EXACT]]
//       CHECK:   llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %[[E]]#0 : (f32) -> f32
//       CHECK:   llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %[[E]]#1 : (f32) -> f32
//       CHECK:   arith.shli
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

// Scalars as well.
// CHECK-LABEL: func.func @others
//       CHECK:   math.exp %{{.*}} : vector<2xf64>
//       CHECK:   llvm.inline_asm "ex2.approx.ftz.f32
//       CHECK:   math.log %{{.*}} : vector<2xf32>
func.func @others(%d: vector<2xf64>, %s: f32, %x: vector<2xf32>) -> (vector<2xf64>, f32, vector<2xf32>) {
  %0 = math.exp %d : vector<2xf64>
  %1 = math.exp2 %s : f32
  %2 = math.log %x : vector<2xf32>
  return %0, %1, %2 : vector<2xf64>, f32, vector<2xf32>
}

// What may be approximate is one instruction, and a product where the base is
// another.
// CHECK-LABEL: func.func @approximate
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[Y:.*]]: f32)
//   CHECK-DAG:   %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
//       CHECK:   %[[P:.*]] = arith.mulf %[[X]], %[[LOG2E]] : f32
//       CHECK:   llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %[[P]]
//       CHECK:   llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %[[X]]
//       CHECK:   llvm.inline_asm "lg2.approx.ftz.f32 $0, $1;", "=f,f" %[[X]]
//       CHECK:   arith.mulf
//       CHECK:   llvm.inline_asm "lg2.approx.ftz.f32 $0, $1;", "=f,f" %[[X]]
//       CHECK:   llvm.inline_asm "lg2.approx.ftz.f32 $0, $1;", "=f,f" %[[X]]
//       CHECK:   arith.mulf
//       CHECK:   %[[LOG:.*]] = llvm.inline_asm "lg2.approx.ftz.f32 $0, $1;", "=f,f" %[[X]]
//       CHECK:   %[[E:.*]] = arith.mulf %[[Y]], %[[LOG]]
//       CHECK:   llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %[[E]]
//       CHECK:   llvm.inline_asm "tanh.approx.f32 $0, $1;", "=f,f" %[[X]]
//       CHECK:   llvm.inline_asm "sin.approx.ftz.f32 $0, $1;", "=f,f" %[[X]]
//       CHECK:   llvm.inline_asm "cos.approx.ftz.f32 $0, $1;", "=f,f" %[[X]]
//       CHECK:   %[[COS:.*]] = llvm.inline_asm "cos.approx.ftz.f32 $0, $1;", "=f,f" %[[X]]
//       CHECK:   %[[I:.*]] = llvm.inline_asm "rcp.approx.ftz.f32 $0, $1;", "=f,f" %[[COS]]
//       CHECK:   %[[SIN:.*]] = llvm.inline_asm "sin.approx.ftz.f32 $0, $1;", "=f,f" %[[X]]
//       CHECK:   arith.mulf %[[SIN]], %[[I]]
//       CHECK:   llvm.inline_asm "rsqrt.approx.ftz.f32 $0, $1;", "=f,f" %[[X]]
func.func @approximate(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
  %0 = math.exp %x fastmath<afn> : f32
  %1 = math.exp2 %x fastmath<afn> : f32
  %2 = math.log %x fastmath<afn> : f32
  %3 = math.log2 %x fastmath<afn> : f32
  %4 = math.log10 %x fastmath<afn> : f32
  %5 = math.powf %x, %y fastmath<afn> : f32
  %6 = math.tanh %x fastmath<afn> : f32
  %7 = math.sin %x fastmath<afn> : f32
  %8 = math.cos %x fastmath<afn> : f32
  %9 = math.tan %x fastmath<afn> : f32
  %10 = math.rsqrt %x fastmath<afn> : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
}

// Functions that come close to 1 take a power for that, and are polynomials
// below; of erf there is no faster form. The polynomials are of the size, so
// that zeros keep their signs.
// CHECK-LABEL: func.func @to_one
//  CHECK-SAME:   (%[[X:.*]]: f32)
//       CHECK:   %[[SIZE:.*]] = math.absf %[[X]]
//       CHECK:   %[[E:.*]] = llvm.inline_asm "ex2.approx.ftz.f32
//       CHECK:   %[[D:.*]] = arith.addf %[[E]], %{{.*}}
//       CHECK:   %[[I:.*]] = llvm.inline_asm "rcp.approx.ftz.f32 $0, $1;", "=f,f" %[[D]]
//       CHECK:   %[[LARGE:.*]] = math.fma %{{.*}}, %[[I]], %{{.*}}
//       CHECK:   %[[SMALL:.*]] = math.fma %{{.*}}, %[[SIZE]], %[[SIZE]]
//       CHECK:   %[[RESULT:.*]] = arith.select %{{.*}}, %[[SMALL]], %[[LARGE]]
//       CHECK:   math.copysign %[[RESULT]], %[[X]]
//       CHECK:   llvm.inline_asm "ex2.approx.ftz.f32
//       CHECK:   math.copysign
//   CHECK-NOT:   math.tanh
//   CHECK-NOT:   math.erf
//       CHECK:   return
func.func @to_one(%x: f32) -> (f32, f32) {
  %0 = math.tanh %x : f32
  %1 = math.erf %x fastmath<afn> : f32
  return %0, %1 : f32, f32
}

// A sum with a number is not too small for the instruction; other denominators
// may be.
// CHECK-LABEL: func.func @quotient
//  CHECK-SAME:   (%[[X:.*]]: f32)
//       CHECK:   %[[SUM:.*]] = arith.addf %[[X]], %{{.*}}
//       CHECK:   llvm.inline_asm "rcp.approx.ftz.f32 $0, $1;", "=f,f" %[[SUM]]
//       CHECK:   arith.divf %{{.*}}, %[[X]] fastmath<afn>
//       CHECK:   arith.divf %{{.*}}, %[[SUM]] : f32
func.func @quotient(%x: f32) -> (f32, f32, f32) {
  %one = arith.constant 1.0 : f32
  %sum = arith.addf %x, %one : f32
  %0 = arith.divf %one, %sum fastmath<afn> : f32
  %1 = arith.divf %one, %x fastmath<afn> : f32
  %2 = arith.divf %one, %sum : f32
  return %0, %1, %2 : f32, f32, f32
}

// What may be multiplied by a reciprocal is one instruction for all
// denominators, faster where they are not too small.
// CHECK-LABEL: func.func @reciprocal
//  CHECK-SAME:   (%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[V:.*]]: vector<2xf32>)
//       CHECK:   %[[SUM:.*]] = arith.addf %[[Y]], %{{.*}}
//       CHECK:   llvm.inline_asm "div.full.f32 $0, $1, $2;", "=f,f,f" %[[X]], %[[Y]]
//       CHECK:   llvm.inline_asm "div.full.ftz.f32 $0, $1, $2;", "=f,f,f" %[[X]], %[[SUM]]
//       CHECK:   %[[E:.*]]:2 = vector.to_elements %[[V]]
//       CHECK:   llvm.inline_asm "div.full.f32 $0, $1, $2;", "=f,f,f" %[[E]]#0, %{{.*}}#0
//       CHECK:   llvm.inline_asm "div.full.f32 $0, $1, $2;", "=f,f,f" %[[E]]#1, %{{.*}}#1
//       CHECK:   vector.from_elements
func.func @reciprocal(%x: f32, %y: f32, %v: vector<2xf32>) -> (f32, f32, vector<2xf32>) {
  %one = arith.constant 1.0 : f32
  %sum = arith.addf %y, %one : f32
  %0 = arith.divf %x, %y fastmath<arcp> : f32
  %1 = arith.divf %x, %sum fastmath<arcp> : f32
  %2 = arith.divf %v, %v fastmath<arcp> : vector<2xf32>
  return %0, %1, %2 : f32, f32, vector<2xf32>
}

// Two reciprocals by that of a product, of which neither is NaN or 0; of what is
// left over one for itself.
// CHECK-LABEL: func.func @pairs
//  CHECK-SAME:   (%[[E:.*]]: vector<3xf32>)
//       CHECK:   %[[HELD:.*]] = arith.minnumf %[[E]], %{{.*}} : vector<3xf32>
//       CHECK:   %[[EACH:.*]]:3 = vector.to_elements %[[HELD]]
//       CHECK:   %[[A:.*]] = math.fma %[[EACH]]#0, %[[SCALE:.*]], %[[SCALE]] : f32
//       CHECK:   %[[B:.*]] = arith.addf %[[EACH]]#1, %{{.*}} : f32
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[A]], %[[B]] : f32
//       CHECK:   %[[SHARED:.*]] = llvm.inline_asm "rcp.approx.ftz.f32 $0, $1;", "=f,f" %[[PRODUCT]]
//       CHECK:   %[[WITHOUT:.*]] = arith.mulf %[[SHARED]], %[[B]] : f32
//       CHECK:   %[[FIRST:.*]] = llvm.inline_asm "mul.rn.ftz.f32 $0, $1, $2;", "=f,f,f" %[[WITHOUT]], %[[SCALE]] :
//       CHECK:   %[[SECOND:.*]] = llvm.inline_asm "mul.rn.ftz.f32 $0, $1, $2;", "=f,f,f" %[[SHARED]], %[[A]] :
//       CHECK:   %[[OWN:.*]]:3 = vector.to_elements %[[E]]
//       CHECK:   %[[LAST:.*]] = arith.addf %[[OWN]]#2, %{{.*}} : f32
//       CHECK:   %[[THIRD:.*]] = llvm.inline_asm "rcp.approx.ftz.f32 $0, $1;", "=f,f" %[[LAST]]
//       CHECK:   vector.from_elements %[[FIRST]], %[[SECOND]], %[[THIRD]]
func.func @pairs(%power: vector<3xf32>) -> vector<3xf32> {
  %one = arith.constant dense<1.0> : vector<3xf32>
  %sum = arith.addf %power, %one : vector<3xf32>
  %0 = arith.divf %one, %sum fastmath<afn> {tile.paired} : vector<3xf32>
  return %0 : vector<3xf32>
}

// f64 has no such instructions, and other flags ask for none.
// CHECK-LABEL: func.func @exact
//       CHECK:   math.sin %{{.*}} fastmath<afn> : vector<2xf64>
//       CHECK:   math.tanh %{{.*}} : vector<2xf64>
//       CHECK:   math.sin %{{.*}} fastmath<reassoc,nnan,ninf,nsz,arcp,contract> : vector<2xf32>
func.func @exact(%d: vector<2xf64>, %x: vector<2xf32>) -> (vector<2xf64>, vector<2xf64>, vector<2xf32>) {
  %0 = math.sin %d fastmath<afn> : vector<2xf64>
  %1 = math.tanh %d : vector<2xf64>
  %2 = math.sin %x fastmath<reassoc,nnan,ninf,nsz,arcp,contract> : vector<2xf32>
  return %0, %1, %2 : vector<2xf64>, vector<2xf64>, vector<2xf32>
}
