// Functions are computed of at most so many elements at a time, and what is one
// instruction is left as it is.

// RUN: fuse-opt %s --math-split-vectors=elements=4 --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @long
//       CHECK: %[[all:.*]]:6 = vector.to_elements %arg0 : vector<6xf32>
//       CHECK: %[[low:.*]] = vector.from_elements %[[all]]#0, %[[all]]#1, %[[all]]#2, %[[all]]#3 : vector<4xf32>
//       CHECK: math.tanh %[[low]] fastmath<afn> : vector<4xf32>
//       CHECK: %[[high:.*]] = vector.from_elements %[[all]]#4, %[[all]]#5 : vector<2xf32>
//       CHECK: math.tanh %[[high]] fastmath<afn> : vector<2xf32>
//       CHECK: vector.from_elements {{.*}} : vector<6xf32>
func.func @long(%x: vector<6xf32>) -> vector<6xf32> {
  %y = math.tanh %x fastmath<afn> : vector<6xf32>
  return %y : vector<6xf32>
}

// -----

// Operands of other types are taken apart with it.
// CHECK-LABEL: func.func @mixed
// CHECK-COUNT-2: math.fpowi %{{.*}}, %{{.*}} : vector<4xf32>, vector<4xi32>
func.func @mixed(%x: vector<8xf32>, %n: vector<8xi32>) -> vector<8xf32> {
  %y = math.fpowi %x, %n : vector<8xf32>, vector<8xi32>
  return %y : vector<8xf32>
}

// -----

// CHECK-LABEL: func.func @untouched
//   CHECK-NOT: vector.from_elements
//       CHECK: arith.divf %{{.*}} : vector<4xf32>
//       CHECK: math.fma %{{.*}} : vector<8xf32>
//       CHECK: math.exp %{{.*}} : f32
func.func @untouched(%x: vector<4xf32>, %y: vector<8xf32>, %z: f32) -> (vector<4xf32>, vector<8xf32>, f32) {
  %a = arith.divf %x, %x : vector<4xf32>
  %b = math.fma %y, %y, %y : vector<8xf32>
  %c = math.exp %z : f32
  return %a, %b, %c : vector<4xf32>, vector<8xf32>, f32
}
