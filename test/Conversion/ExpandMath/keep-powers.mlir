// LLVM makes nothing of powers that has no code.

// RUN: fuse-opt %s --math-keep-powers | FileCheck %s

// CHECK-LABEL: func.func @varies
//       CHECK:   math.powf %{{.*}}, %{{.*}} fastmath<nnan> : vector<4xf64>
func.func @varies(%x: vector<4xf64>, %i: vector<4xi32>) -> vector<4xf64> {
  %y = arith.sitofp %i : vector<4xi32> to vector<4xf64>
  %0 = math.powf %x, %y fastmath<nnan, afn> : vector<4xf64>
  return %0 : vector<4xf64>
}

// CHECK-LABEL: func.func @constant
//       CHECK:   math.powf %{{.*}}, %{{.*}} fastmath<afn> : f32
func.func @constant(%x: f32) -> f32 {
  %c = arith.constant 3.0 : f32
  %0 = math.powf %x, %c fastmath<afn> : f32
  return %0 : f32
}
