// Casts between scalars or vectors of 8 or 16 bits and others are done on bits,
// and all other casts are left alone. What they give is checked by running them.

// RUN: fuse-opt %s --arith-expand-narrow-casts | FileCheck %s
// RUN: fuse-opt %s --arith-expand-narrow-casts --canonicalize \
// RUN:   | FileCheck %s --check-prefix=FOLD
// RUN: fuse-opt %s --arith-expand-narrow-casts=native-f16 \
// RUN:   | FileCheck %s --check-prefix=NATIVE
// RUN: fuse-opt %s --arith-expand-narrow-casts=native-bf16 \
// RUN:   | FileCheck %s --check-prefix=BF16
// RUN: fuse-opt %s --arith-expand-narrow-casts="native-f16 native-bf16" \
// RUN:   | FileCheck %s --check-prefix=BOTH

// CHECK-LABEL: func.func @extend_f16
//  CHECK-SAME:   (%[[X:.*]]: f16)
//   CHECK-NOT:   arith.extf
//       CHECK:   arith.bitcast %[[X]] : f16 to i16
//       CHECK:   arith.bitcast %{{.*}} : i32 to f32
//   CHECK-NOT:   f64
// NATIVE-LABEL: func.func @extend_f16
//       NATIVE:   arith.extf %{{.*}} : f16 to f32
// BF16-LABEL: func.func @extend_f16
//   BF16-NOT:   arith.extf
// BOTH-LABEL: func.func @extend_f16
//       BOTH:   arith.extf %{{.*}} : f16 to f32
func.func @extend_f16(%x: f16) -> f32 {
  %0 = arith.extf %x : f16 to f32
  return %0 : f32
}

// CHECK-LABEL: func.func @extend_f8
//       CHECK:   arith.bitcast %{{.*}} : f8E4M3FN to i8
//   CHECK-NOT:   arith.truncf
//       CHECK:   return %{{.*}} : f64
func.func @extend_f8(%x: f8E4M3FN) -> f64 {
  %0 = arith.extf %x : f8E4M3FN to f64
  return %0 : f64
}

// CHECK-LABEL: func.func @truncate_bf16
//   CHECK-NOT:   arith.{{extf|truncf}}
//       CHECK:   arith.trunci %{{.*}} : i32 to i16
//       CHECK:   arith.bitcast %{{.*}} : i16 to bf16
// NATIVE-LABEL: func.func @truncate_bf16
//   NATIVE-NOT:   arith.truncf
// BF16-LABEL: func.func @truncate_bf16
//       BF16:   arith.truncf %{{.*}} : f32 to bf16
// BOTH-LABEL: func.func @truncate_bf16
//       BOTH:   arith.truncf %{{.*}} : f32 to bf16
func.func @truncate_bf16(%x: f32) -> bf16 {
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}

// Straight from f64: by way of f32 it would be rounded twice.
// CHECK-LABEL: func.func @truncate_f64
//   CHECK-NOT:   arith.truncf
//       CHECK:   arith.trunci %{{.*}} : i64 to i16
// NATIVE-LABEL: func.func @truncate_f64
//   NATIVE-NOT:   arith.truncf
//       NATIVE:   return
func.func @truncate_f64(%x: f64) -> f16 {
  %0 = arith.truncf %x : f64 to f16
  return %0 : f16
}

// CHECK-LABEL: func.func @vectors
//   CHECK-NOT:   arith.{{extf|truncf}}
//       CHECK:   arith.trunci %{{.*}} : vector<8xi32> to vector<8xi8>
//       CHECK:   arith.bitcast %{{.*}} : vector<8xi8> to vector<8xf8E4M3FN>
func.func @vectors(%x: vector<8xbf16>) -> vector<8xf8E4M3FN> {
  %0 = arith.truncf %x : vector<8xbf16> to vector<8xf8E4M3FN>
  return %0 : vector<8xf8E4M3FN>
}

// Both types are narrow, and one of them may be the processor's.
// CHECK-LABEL: func.func @truncate_f16_to_f8
//   CHECK-NOT:   arith.{{extf|truncf}}
//       CHECK:   arith.bitcast %{{.*}} : i8 to f8E4M3FN
// NATIVE-LABEL: func.func @truncate_f16_to_f8
//  NATIVE-SAME:   (%[[X:.*]]: f16)
//       NATIVE:   %[[WIDE:.*]] = arith.extf %[[X]] : f16 to f32
//       NATIVE:   arith.cmpf uno, %[[WIDE]], %[[WIDE]] : f32
//       NATIVE:   arith.bitcast %{{.*}} : i8 to f8E4M3FN
func.func @truncate_f16_to_f8(%x: f16) -> f8E4M3FN {
  %0 = arith.truncf %x : f16 to f8E4M3FN
  return %0 : f8E4M3FN
}

// CHECK-LABEL: func.func @extend_f8_to_f16
//   CHECK-NOT:   arith.{{extf|truncf}}
//       CHECK:   arith.bitcast %{{.*}} : i16 to f16
// NATIVE-LABEL: func.func @extend_f8_to_f16
//       NATIVE:   %[[HALF:.*]] = arith.truncf %{{.*}} : f32 to f16
//  NATIVE-NEXT:   return %[[HALF]]
func.func @extend_f8_to_f16(%x: f8E4M3FN) -> f16 {
  %0 = arith.extf %x : f8E4M3FN to f16
  return %0 : f16
}

// What goes to f64 or comes from there is not rounded on the way.
// NATIVE-LABEL: func.func @truncate_f64_to_f16
//   NATIVE-NOT:   arith.{{extf|truncf}}
//       NATIVE:   arith.bitcast %{{.*}} : i16 to f16
func.func @truncate_f64_to_f16(%x: f64) -> f16 {
  %0 = arith.truncf %x : f64 to f16
  return %0 : f16
}

// CHECK-LABEL: func.func @wide
//       CHECK:   arith.extf %{{.*}} : f32 to f64
//       CHECK:   arith.truncf %{{.*}} : f64 to f32
func.func @wide(%x: f32) -> f32 {
  %0 = arith.extf %x : f32 to f64
  %1 = arith.truncf %0 : f64 to f32
  return %1 : f32
}

// Tensors have become loops before.
// CHECK-LABEL: func.func @tensors
//       CHECK:   arith.extf %{{.*}} : tensor<4xf16> to tensor<4xf32>
func.func @tensors(%x: tensor<4xf16>) -> tensor<4xf32> {
  %0 = arith.extf %x : tensor<4xf16> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What is too large becomes 448 in f8E4M3FN and infinity in f16; ties go to
// even; the least denormal of f16 is exact.
// FOLD-LABEL: func.func @numbers
//   FOLD-DAG:   %[[LARGE:.*]] = arith.constant 4.480000e+02 : f8E4M3FN
//   FOLD-DAG:   %[[INFINITY:.*]] = arith.constant 0x7C00 : f16
//   FOLD-DAG:   %[[EVEN:.*]] = arith.constant 1.000000e+00 : bf16
//   FOLD-DAG:   %[[LEAST:.*]] = arith.constant 5.96046448E-8 : f32
//       FOLD:   return %[[LARGE]], %[[INFINITY]], %[[EVEN]], %[[LEAST]]
func.func @numbers() -> (f8E4M3FN, f16, bf16, f32) {
  %large = arith.constant 1.0e30 : f32
  %f8 = arith.truncf %large : f32 to f8E4M3FN
  %f16 = arith.truncf %large : f32 to f16
  %tie = arith.constant 1.00390625 : f32
  %bf16 = arith.truncf %tie : f32 to bf16
  %denormal = arith.constant 5.96046448e-8 : f16
  %least = arith.extf %denormal : f16 to f32
  return %f8, %f16, %bf16, %least : f8E4M3FN, f16, bf16, f32
}

// What is repeated is repeated as bits.
// CHECK-LABEL: func.func @broadcast_bf16
//       CHECK:   %[[BITS:.*]] = arith.bitcast %{{.*}} : bf16 to i16
//       CHECK:   %[[MANY:.*]] = vector.broadcast %[[BITS]] : i16 to vector<16xi16>
//       CHECK:   arith.bitcast %[[MANY]] : vector<16xi16> to vector<16xbf16>
func.func @broadcast_bf16(%x: bf16) -> vector<16xbf16> {
  %0 = vector.broadcast %x : bf16 to vector<16xbf16>
  return %0 : vector<16xbf16>
}

// CHECK-LABEL: func.func @broadcast_rows
//       CHECK:   vector.broadcast %{{.*}} : vector<4x1xi8> to vector<4x8xi8>
func.func @broadcast_rows(%x: vector<4x1xf8E4M3FN>) -> vector<4x8xf8E4M3FN> {
  %0 = vector.broadcast %x : vector<4x1xf8E4M3FN> to vector<4x8xf8E4M3FN>
  return %0 : vector<4x8xf8E4M3FN>
}
