// What a kernel stores for others is seen as they see it.

// RUN: fuse-opt %s --tile-follow-stored --split-input-file | FileCheck %s
// RUN: fuse-opt %s --tile-follow-stored --tile-relax-functions --split-input-file | FileCheck %s --check-prefix=RELAXED

// Sums of powers, of which bf16 is made.
// CHECK-LABEL: tile.kernel @powers(
//       CHECK:   tile.store %{{.*}}, %{{.*}} {tile.digits = 8 : i64}
// CHECK-LABEL: tile.kernel @merge(
//       CHECK:   tile.load %{{.*}} {tile.positive}
//       CHECK:   tile.load %{{.*}} {tile.positive}
//       CHECK:   tile.store
//   CHECK-NOT:   tile.digits
// RELAXED-LABEL: tile.kernel @powers(
//       RELAXED:   math.exp2 %{{.*}} fastmath<afn>
tile.kernel @powers(%x: memref<2x64xf32>, %y: memref<2xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] map (d0) -> (0, d0) : memref<2x64xf32> -> tensor<64xf32>
  %1 = math.exp %0 : tensor<64xf32>
  %2 = tile.reduce sum %1 dims [0] : tensor<64xf32> -> tensor<f32>
  tile.store %2, %y[%i] map () -> (0) : tensor<f32>, memref<2xf32>
  tile.return
}
tile.kernel @merge(%x: memref<2xf32>, %y: memref<1xbf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %x[%c0] map () -> (0) : memref<2xf32> -> tensor<f32>
  %1 = tile.load %x[%c1] map () -> (0) : memref<2xf32> -> tensor<f32>
  %2 = arith.addf %0, %1 : tensor<f32>
  %3 = arith.truncf %2 : tensor<f32> to tensor<bf16>
  tile.store %3, %y[%c0] map () -> (0) : tensor<bf16>, memref<1xbf16>
  tile.return
}
func.func @main(%x: tensor<2x64xf32>) -> tensor<1xbf16> {
  %c2 = arith.constant 2 : index
  %0 = tile.launch @powers blocks(%c2) (%x) : (tensor<2x64xf32>) -> tensor<2xf32>
  %1 = tile.launch @merge blocks() (%0) : (tensor<2xf32>) -> tensor<1xbf16>
  return %1 : tensor<1xbf16>
}

// -----

// Who returns them sees all digits, and what may be below zero can cancel.
// CHECK-LABEL: tile.kernel @returned(
//   CHECK-NOT:   tile.digits
// CHECK-LABEL: tile.kernel @differences(
//   CHECK-NOT:   tile.positive
//   CHECK-NOT:   tile.digits
// RELAXED-LABEL: tile.kernel @returned(
//   RELAXED-NOT:   afn
tile.kernel @returned(%x: memref<2x64xf32>, %y: memref<2xf32>, %z: memref<2xf32>) outputs 2 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] map (d0) -> (0, d0) : memref<2x64xf32> -> tensor<64xf32>
  %1 = math.exp %0 : tensor<64xf32>
  %2 = tile.reduce sum %1 dims [0] : tensor<64xf32> -> tensor<f32>
  %3 = arith.negf %2 : tensor<f32>
  tile.store %2, %y[%i] map () -> (0) : tensor<f32>, memref<2xf32>
  tile.store %3, %z[%i] map () -> (0) : tensor<f32>, memref<2xf32>
  tile.return
}
tile.kernel @differences(%x: memref<2xf32>, %y: memref<1xbf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %x[%c0] map () -> (0) : memref<2xf32> -> tensor<f32>
  %1 = tile.load %x[%c1] map () -> (0) : memref<2xf32> -> tensor<f32>
  %2 = arith.addf %0, %1 : tensor<f32>
  %3 = arith.truncf %2 : tensor<f32> to tensor<bf16>
  tile.store %3, %y[%c0] map () -> (0) : tensor<bf16>, memref<1xbf16>
  tile.return
}
func.func @main(%x: tensor<2x64xf32>) -> (tensor<2xf32>, tensor<1xbf16>) {
  %c2 = arith.constant 2 : index
  %0:2 = tile.launch @returned blocks(%c2) (%x) : (tensor<2x64xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %1 = tile.launch @differences blocks() (%0#1) : (tensor<2xf32>) -> tensor<1xbf16>
  return %0#0, %1 : tensor<2xf32>, tensor<1xbf16>
}

// -----

// Of a kernel that two launch, each counts: one reads what may be below zero.
// CHECK-LABEL: tile.kernel @powers(
//       CHECK:   tile.store
//   CHECK-NOT:   tile.digits
// CHECK-LABEL: tile.kernel @merge(
//   CHECK-NOT:   tile.positive
tile.kernel @powers(%x: memref<2xf32>, %y: memref<2xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<2xf32> -> tensor<2xf32>
  %1 = math.exp %0 : tensor<2xf32>
  tile.store %1, %y[%c0] : tensor<2xf32>, memref<2xf32>
  tile.return
}
tile.kernel @merge(%x: memref<2xf32>, %y: memref<1xbf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<2xf32> -> tensor<2xf32>
  %1 = tile.reduce sum %0 dims [0] : tensor<2xf32> -> tensor<f32>
  %2 = arith.truncf %1 : tensor<f32> to tensor<bf16>
  tile.store %2, %y[%c0] map () -> (0) : tensor<bf16>, memref<1xbf16>
  tile.return
}
func.func @main(%x: tensor<2xf32>) -> (tensor<1xbf16>, tensor<1xbf16>) {
  %0 = tile.launch @powers blocks() (%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = tile.launch @merge blocks() (%0) : (tensor<2xf32>) -> tensor<1xbf16>
  %2 = tile.launch @merge blocks() (%x) : (tensor<2xf32>) -> tensor<1xbf16>
  return %1, %2 : tensor<1xbf16>, tensor<1xbf16>
}
