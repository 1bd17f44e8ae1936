// Each op becomes one loop nest or one move of its own; nothing is fused and
// nothing of the graph dialect is left.

// RUN: fuse-opt %s --convert-fuse-to-linalg | FileCheck %s
// RUN: fuse-opt %s --convert-fuse-to-linalg | FileCheck %s --check-prefix=GONE --implicit-check-not=fuse.

// GONE: module

// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[SUM:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>

// Narrow operands are multiplied in the type of the sum.
// CHECK-LABEL: func.func @matmul
//  CHECK-SAME:   (%[[A:.*]]: tensor<?x8xbf16>, %[[B:.*]]: tensor<8x4xbf16>)
//       CHECK:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
//       CHECK:   %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<?x4xf32>)
//       CHECK:   linalg.generic
//  CHECK-SAME:     indexing_maps = [#[[LHS]], #[[RHS]], #[[SUM]]]
//  CHECK-SAME:     iterator_types = ["parallel", "reduction", "parallel"]
//  CHECK-SAME:     ins(%[[A]], %[[B]]
//  CHECK-SAME:     outs(%[[ZEROS]]
//       CHECK:   %[[X:.*]] = arith.extf %{{.*}} : bf16 to f32
//       CHECK:   %[[Y:.*]] = arith.extf %{{.*}} : bf16 to f32
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[Y]] : f32
//       CHECK:   %[[NEXT:.*]] = arith.addf %{{.*}}, %[[PRODUCT]] : f32
//       CHECK:   linalg.yield %[[NEXT]]
func.func @matmul(%a: tensor<?x8xbf16>, %b: tensor<8x4xbf16>) -> tensor<?x4xf32> {
  %0 = fuse.matmul %a, %b : tensor<?x8xbf16>, tensor<8x4xbf16> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// The result may know more than the operands do, and less.
// CHECK-LABEL: func.func @matmul_sizes
//       CHECK:   tensor.cast %{{.*}} : tensor<?x4xf32> to tensor<3x?xf32>
func.func @matmul_sizes(%a: tensor<?x8xf32>, %b: tensor<8x4xf32>) -> tensor<3x?xf32> {
  %0 = fuse.matmul %a, %b : tensor<?x8xf32>, tensor<8x4xf32> -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// CHECK-LABEL: func.func @matmul_batches
//       CHECK:   iterator_types = ["parallel", "parallel", "reduction", "parallel"]
func.func @matmul_batches(%a: tensor<3x2x8xf32>, %b: tensor<3x8x4xf32>) -> tensor<3x2x4xf32> {
  %0 = fuse.matmul %a, %b : tensor<3x2x8xf32>, tensor<3x8x4xf32> -> tensor<3x2x4xf32>
  return %0 : tensor<3x2x4xf32>
}

// tf32 rounds both factors; tf32x3 is as good as ieee and means that.
// CHECK-LABEL: func.func @matmul_tf32
//       CHECK:   linalg.generic
// CHECK-COUNT-4:   arith.bitcast
//       CHECK:   arith.mulf
//       CHECK:   linalg.generic
//   CHECK-NOT:   arith.bitcast
//       CHECK:   arith.mulf
func.func @matmul_tf32(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = fuse.matmul %a, %b precision tf32 : tensor<2x8xf32>, tensor<8x4xf32> -> tensor<2x4xf32>
  %1 = fuse.matmul %a, %b precision tf32x3 : tensor<2x8xf32>, tensor<8x4xf32> -> tensor<2x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// Half precision is summed in f32 and rounded once.
// CHECK-LABEL: func.func @mean
//       CHECK:   outs(%{{.*}} : tensor<?xf32>)
//       CHECK:   linalg.generic
//       CHECK:     %[[X:.*]] = arith.extf %{{.*}} : bf16 to f32
//       CHECK:     arith.addf %{{.*}}, %[[X]] : f32
//       CHECK:   %[[COUNT:.*]] = arith.sitofp
//       CHECK:   linalg.generic
//       CHECK:     %[[MEAN:.*]] = arith.divf %{{.*}}, %[[COUNT]] : f32
//       CHECK:     arith.truncf %[[MEAN]] : f32 to bf16
func.func @mean(%x: tensor<?x8xbf16>) -> tensor<?xbf16> {
  %0 = fuse.reduce mean %x dims [1] : tensor<?x8xbf16>
  return %0 : tensor<?xbf16>
}

// A maximum needs no more digits than its operands have.
// CHECK-LABEL: func.func @max
//       CHECK:   %[[LEAST:.*]] = arith.constant 0xFC00 : f16
//       CHECK:   linalg.fill ins(%[[LEAST]]
//       CHECK:   iterator_types = ["reduction", "parallel"]
//   CHECK-NOT:   arith.extf
//       CHECK:   arith.maximumf %{{.*}} : f16
func.func @max(%x: tensor<4x8xf16>) -> tensor<8xf16> {
  %0 = fuse.reduce max %x dims [0] : tensor<4x8xf16>
  return %0 : tensor<8xf16>
}

// CHECK-LABEL: func.func @neutral
//   CHECK-DAG:   arith.constant -128 : i8
//   CHECK-DAG:   arith.maxsi
//   CHECK-DAG:   arith.constant 127 : i8
//   CHECK-DAG:   arith.minsi
//   CHECK-DAG:   arith.constant 1 : i8
//   CHECK-DAG:   arith.muli
//   CHECK-DAG:   arith.constant 0 : i8
//   CHECK-DAG:   arith.addi %{{.*}} : i8
//   CHECK-DAG:   arith.constant 0x7FF0000000000000 : f64
//   CHECK-DAG:   arith.minimumf
//   CHECK-DAG:   arith.constant 1.000000e+00 : f64
//   CHECK-DAG:   arith.mulf
func.func @neutral(%x: tensor<4xi8>, %y: tensor<4xf64>) -> (tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<f64>, tensor<f64>) {
  %0 = fuse.reduce max %x dims [0] : tensor<4xi8>
  %1 = fuse.reduce min %x dims [0] : tensor<4xi8>
  %2 = fuse.reduce prod %x dims [0] : tensor<4xi8>
  %3 = fuse.reduce sum %x dims [0] : tensor<4xi8>
  %4 = fuse.reduce min %y dims [0] : tensor<4xf64>
  %5 = fuse.reduce prod %y dims [0] : tensor<4xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<f64>, tensor<f64>
}

// A constant of one number is filled in, another one stays.
// CHECK-LABEL: func.func @constants
//       CHECK:   %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
//       CHECK:   %[[ONES:.*]] = linalg.fill ins(%[[ONE]]
//       CHECK:   %[[NUMBERS:.*]] = arith.constant dense<[1, 2]> : tensor<2xi32>
//       CHECK:   return %[[ONES]], %[[NUMBERS]]
func.func @constants() -> (tensor<4xf32>, tensor<2xi32>) {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  %1 = arith.constant dense<[1, 2]> : tensor<2xi32>
  return %0, %1 : tensor<4xf32>, tensor<2xi32>
}

// Constants that no graph computes with are left alone, too.
// CHECK-LABEL: func.func @other_constants
//   CHECK-DAG:   arith.constant dense<(1.000000e+00,2.000000e+00)> : tensor<4xcomplex<f32>>
//   CHECK-DAG:   arith.constant dense<1.000000e+00> : vector<4xf32>
func.func @other_constants() -> (tensor<4xcomplex<f32>>, vector<4xf32>) {
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  %1 = arith.constant dense<1.0> : vector<4xf32>
  return %0, %1 : tensor<4xcomplex<f32>>, vector<4xf32>
}

// Hints are for tools, and about graphs.
// CHECK-LABEL: func.func private @hints(tensor<4xf32>) -> tensor<4xf32>
func.func private @hints(tensor<4xf32> {fuse.name = "x", fuse.fill = #fuse.fill<uniform, 0, 1>}) -> (tensor<4xf32> {fuse.name = "y"})

// What is not ours is left alone.
// CHECK-LABEL: func.func @others
//       CHECK:   math.exp %{{.*}} : vector<4xf32>
func.func @others(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.exp %x : vector<4xf32>
  return %0 : vector<4xf32>
}
