// Signs of narrow floats are bits.

// RUN: fuse-opt %s --math-expand-copysign | FileCheck %s

// CHECK-LABEL: func.func @scalar
//  CHECK-SAME: %[[X:.*]]: bf16, %[[Y:.*]]: bf16
//       CHECK:   %[[A:.*]] = arith.bitcast %[[X]] : bf16 to i16
//       CHECK:   %[[B:.*]] = arith.bitcast %[[Y]] : bf16 to i16
//       CHECK:   %[[IS:.*]] = arith.cmpi slt, %[[B]], %{{.*}} : i16
//       CHECK:   %[[SET:.*]] = arith.ori %[[A]], %{{.*}} : i16
//       CHECK:   %[[CLEAR:.*]] = arith.andi %[[A]], %{{.*}} : i16
//       CHECK:   %[[BOTH:.*]] = arith.select %[[IS]], %[[SET]], %[[CLEAR]] : i16
//       CHECK:   arith.bitcast %[[BOTH]] : i16 to bf16
func.func @scalar(%x: bf16, %y: bf16) -> bf16 {
  %0 = math.copysign %x, %y : bf16
  return %0 : bf16
}

// CHECK-LABEL: func.func @vector
//   CHECK-DAG:   arith.constant dense<127> : vector<4xi8>
//   CHECK-DAG:   arith.constant dense<-128> : vector<4xi8>
//   CHECK-NOT:   math.copysign
func.func @vector(%x: vector<4xf8E4M3FN>, %y: vector<4xf8E4M3FN>) -> vector<4xf8E4M3FN> {
  %0 = math.copysign %x, %y : vector<4xf8E4M3FN>
  return %0 : vector<4xf8E4M3FN>
}

// CHECK-LABEL: func.func @wide
//       CHECK:   math.copysign %{{.*}}, %{{.*}} : f32
func.func @wide(%x: f32, %y: f32) -> f32 {
  %0 = math.copysign %x, %y : f32
  return %0 : f32
}
