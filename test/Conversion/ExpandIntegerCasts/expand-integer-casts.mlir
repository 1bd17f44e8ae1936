// Scalar integers become narrow floats by way of f64, or of f32 if that holds them,
// and are rounded once. What
// that gives is checked by running it, in test/Run/casts.mlir.

// RUN: fuse-opt %s --arith-expand-integer-casts | FileCheck %s
// RUN: fuse-opt %s --arith-expand-integer-casts --arith-expand-narrow-casts --canonicalize \
// RUN:   | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @signed
//  CHECK-SAME:   (%[[X:.*]]: i32)
//  CHECK-NEXT:   %[[WIDE:.*]] = arith.sitofp %[[X]] : i32 to f64
//  CHECK-NEXT:   %[[Y:.*]] = arith.truncf %[[WIDE]] : f64 to bf16
//  CHECK-NEXT:   return %[[Y]]
func.func @signed(%x: i32) -> bf16 {
  %0 = arith.sitofp %x : i32 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func.func @unsigned
//  CHECK-SAME:   (%[[X:.*]]: i1)
//  CHECK-NEXT:   %[[WIDE:.*]] = arith.uitofp %[[X]] : i1 to f32
//  CHECK-NEXT:   %[[Y:.*]] = arith.truncf %[[WIDE]] : f32 to f8E4M3FN
//  CHECK-NEXT:   return %[[Y]]
func.func @unsigned(%x: i1) -> f8E4M3FN {
  %0 = arith.uitofp %x : i1 to f8E4M3FN
  return %0 : f8E4M3FN
}

// CHECK-LABEL: func.func @bytes
//       CHECK:   %[[WIDE:.*]] = arith.sitofp %{{.*}} : vector<4xi8> to vector<4xf32>
//       CHECK:   arith.truncf %[[WIDE]] : vector<4xf32> to vector<4xbf16>
func.func @bytes(%x: vector<4xi8>) -> vector<4xbf16> {
  %0 = arith.sitofp %x : vector<4xi8> to vector<4xbf16>
  return %0 : vector<4xbf16>
}

// f64 does not hold all integers of 64 bits: the low bits become one, where any
// is set and the number is large.
// CHECK-LABEL: func.func @long
//  CHECK-SAME:   (%[[X:.*]]: i64)
//   CHECK-DAG:   %[[LOW:.*]] = arith.andi %[[X]], %c4095
//   CHECK-DAG:   %[[HIGH:.*]] = arith.andi %[[X]], %c-4096
//   CHECK-DAG:   %[[JOINED:.*]] = arith.ori %[[HIGH]], %c2048
//   CHECK-DAG:   %[[WHOLE:.*]] = arith.cmpi eq, %[[LOW]], %c0
//   CHECK-DAG:   %[[SHIFTED:.*]] = arith.addi %[[X]], %c9007199254740992
//   CHECK-DAG:   %[[SMALL:.*]] = arith.cmpi ult, %[[SHIFTED]], %c18014398509481984
//       CHECK:   %[[EXACT:.*]] = arith.ori %[[WHOLE]], %[[SMALL]]
//       CHECK:   %[[INTEGER:.*]] = arith.select %[[EXACT]], %[[X]], %[[JOINED]]
//       CHECK:   %[[WIDE:.*]] = arith.sitofp %[[INTEGER]] : i64 to f64
//       CHECK:   arith.truncf %[[WIDE]] : f64 to f16
func.func @long(%x: i64) -> f16 {
  %0 = arith.sitofp %x : i64 to f16
  return %0 : f16
}

// CHECK-LABEL: func.func @unsigned_long
//       CHECK:   %[[INTEGER:.*]] = arith.select
//       CHECK:   %[[WIDE:.*]] = arith.uitofp %[[INTEGER]] : i64 to f64
//       CHECK:   arith.truncf %[[WIDE]] : f64 to bf16
func.func @unsigned_long(%x: i64) -> bf16 {
  %0 = arith.uitofp %x : i64 to bf16
  return %0 : bf16
}

// Casts to wide floats round once as they are, and those of tensors have become
// loops before.
// CHECK-LABEL: func.func @others
//  CHECK-NEXT:   arith.sitofp %{{.*}} : i64 to f32
//  CHECK-NEXT:   arith.uitofp %{{.*}} : i64 to f64
//  CHECK-NEXT:   arith.sitofp %{{.*}} : tensor<4xi32> to tensor<4xbf16>
//  CHECK-NEXT:   arith.fptosi %{{.*}} : bf16 to i32
//  CHECK-NEXT:   return
func.func @others(%x: i64, %t: tensor<4xi32>, %h: bf16) -> (f32, f64, tensor<4xbf16>, i32) {
  %0 = arith.sitofp %x : i64 to f32
  %1 = arith.uitofp %x : i64 to f64
  %2 = arith.sitofp %t : tensor<4xi32> to tensor<4xbf16>
  %3 = arith.fptosi %h : bf16 to i32
  return %0, %1, %2, %3 : f32, f64, tensor<4xbf16>, i32
}

// 33685505 is a bit more than half-way between 33554432 and 33816576, and
// 2^54 + 2^46 + 1 than half-way between 2^54 and the next bf16; on the tie it is
// the even one. An unsigned -1 is 2^64, which is more than an f16 holds.
// FOLD-LABEL: func.func @numbers
//   FOLD-DAG:   %[[MORE:.*]] = arith.constant 3.381660e+07 : bf16
//   FOLD-DAG:   %[[TIE:.*]] = arith.constant 3.355440e+07 : bf16
//   FOLD-DAG:   %[[LONG:.*]] = arith.constant 1.815510e+16 : bf16
//   FOLD-DAG:   %[[LONG_TIE:.*]] = arith.constant 1.801440e+16 : bf16
//   FOLD-DAG:   %[[INFINITY:.*]] = arith.constant 0x7C00 : f16
//       FOLD:   return %[[MORE]], %[[TIE]], %[[LONG]], %[[LONG_TIE]], %[[INFINITY]]
func.func @numbers() -> (bf16, bf16, bf16, bf16, f16) {
  %more = arith.constant 33685505 : i64
  %0 = arith.sitofp %more : i64 to bf16
  %tie = arith.constant 33685504 : i32
  %1 = arith.uitofp %tie : i32 to bf16
  %long = arith.constant 18084767253659649 : i64
  %2 = arith.sitofp %long : i64 to bf16
  %long_tie = arith.constant 18084767253659648 : i64
  %3 = arith.uitofp %long_tie : i64 to bf16
  %all = arith.constant -1 : i64
  %4 = arith.uitofp %all : i64 to f16
  return %0, %1, %2, %3, %4 : bf16, bf16, bf16, bf16, f16
}

// CHECK-LABEL: func.func @vectors
//       CHECK:   arith.constant dense<4095> : vector<4xi64>
//       CHECK:   %[[WIDE:.*]] = arith.sitofp %{{.*}} : vector<4xi64> to vector<4xf64>
//       CHECK:   arith.truncf %[[WIDE]] : vector<4xf64> to vector<4xf16>
func.func @vectors(%x: vector<4xi64>) -> vector<4xf16> {
  %0 = arith.sitofp %x : vector<4xi64> to vector<4xf16>
  return %0 : vector<4xf16>
}
