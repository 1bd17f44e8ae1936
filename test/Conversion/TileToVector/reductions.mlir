// Reductions along vectors and across them.

// RUN: fuse-opt %s --tile-round-factors --tile-widen-reductions --convert-tile-to-vector --math-expand-vectors | FileCheck %s

// Four vectors at a time, then one, then the lanes of it; the three elements
// that are left over have a vector of their own.
// CHECK-LABEL: func.func @along
//       CHECK:   %[[SUMS:.*]]:5 = scf.for %{{.*}} = %c0 to %c128 step %c64
//       CHECK:     arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
//       CHECK:   vector.load {{.*}} vector<3xf32>
//       CHECK:   vector.extract_strided_slice %{{.*}} {offsets = [0], sizes = [8]
//       CHECK:   vector.store %{{.*}} : memref<4xf32>, vector<1xf32>
tile.kernel @along(%x: memref<4x131xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x131xf32> -> tensor<4x131xf32>
  %1 = tile.reduce sum %0 dims [1] : tensor<4x131xf32> -> tensor<4xf32>
  tile.store %1, %y[%c0] : tensor<4xf32>, memref<4xf32>
  tile.return
}

// CHECK-LABEL: func.func @across
//       CHECK:   %[[MAX:.*]]:2 = scf.for %[[R:.*]] = %c0 to %c64 step %c1 iter_args
//       CHECK:     vector.load %{{.*}}[%[[R]], %c0]
//       CHECK:     arith.maximumf
//       CHECK:     vector.load %{{.*}}[%[[R]], %c16]
//       CHECK:     arith.maximumf
//       CHECK:   vector.store %[[MAX]]#0
//       CHECK:   vector.store %[[MAX]]#1
tile.kernel @across(%x: memref<64x32xf32>, %y: memref<32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
  %1 = tile.reduce max %0 dims [0] : tensor<64x32xf32> -> tensor<32xf32>
  tile.store %1, %y[%c0] : tensor<32xf32>, memref<32xf32>
  tile.return
}

// Two reductions of the same elements share a nest, and the load in it.
// CHECK-LABEL: func.func @together
//       CHECK:   %[[X:.*]] = vector.load %{{.*}} : memref<4x16xf32>, vector<16xf32>
//  CHECK-NEXT:   arith.mulf %[[X]], %[[X]]
//   CHECK-NOT:   memref<4x16xf32>, vector
tile.kernel @together(%x: memref<4x16xf32>, %y: memref<4xf32>, %z: memref<4xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x16xf32> -> tensor<4x16xf32>
  %1 = tile.reduce sum %0 dims [1] : tensor<4x16xf32> -> tensor<4xf32>
  %2 = arith.mulf %0, %0 : tensor<4x16xf32>
  %3 = tile.reduce sum %2 dims [1] : tensor<4x16xf32> -> tensor<4xf32>
  tile.store %1, %y[%c0] : tensor<4xf32>, memref<4xf32>
  tile.store %3, %z[%c0] : tensor<4xf32>, memref<4xf32>
  tile.return
}

// A reduction that needs the result of another one comes behind it.
// CHECK-LABEL: func.func @behind
//       CHECK:   arith.maximumf
//       CHECK:   arith.subf
//       CHECK:   arith.addf
tile.kernel @behind(%x: memref<4x16xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x16xf32> -> tensor<4x16xf32>
  %1 = tile.reduce max %0 dims [1] : tensor<4x16xf32> -> tensor<4xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<4xf32> -> tensor<4x16xf32>
  %3 = arith.subf %0, %2 : tensor<4x16xf32>
  %4 = tile.reduce sum %3 dims [1] : tensor<4x16xf32> -> tensor<4xf32>
  tile.store %4, %y[%c0] : tensor<4xf32>, memref<4xf32>
  tile.return
}

// The neutral element of every kind.
// CHECK-LABEL: func.func @kinds
//   CHECK-DAG:   dense<-0.000000e+00> : vector<16xf32>
//   CHECK-DAG:   dense<0x7F800000> : vector<16xf32>
//   CHECK-DAG:   dense<1> : vector<16xi32>
//   CHECK-DAG:   dense<-2147483648> : vector<16xi32>
//   CHECK-DAG:   arith.minimumf
//   CHECK-DAG:   arith.muli
//   CHECK-DAG:   arith.maxsi
tile.kernel @kinds(%x: memref<256xf32>, %n: memref<256xi32>, %a: memref<f32>, %b: memref<f32>, %c: memref<i32>, %d: memref<i32>) outputs 4 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<256xf32> -> tensor<256xf32>
  %1 = tile.load %n[%c0] : memref<256xi32> -> tensor<256xi32>
  %2 = tile.reduce sum %0 dims [0] : tensor<256xf32> -> tensor<f32>
  %3 = tile.reduce min %0 dims [0] : tensor<256xf32> -> tensor<f32>
  %4 = tile.reduce prod %1 dims [0] : tensor<256xi32> -> tensor<i32>
  %5 = tile.reduce max %1 dims [0] : tensor<256xi32> -> tensor<i32>
  tile.store %2, %a[] : tensor<f32>, memref<f32>
  tile.store %3, %b[] : tensor<f32>, memref<f32>
  tile.store %4, %c[] : tensor<i32>, memref<i32>
  tile.store %5, %d[] : tensor<i32>, memref<i32>
  tile.return
}

// What is kept because it is read again is summed as it is written.
// CHECK-LABEL: func.func @made
//       CHECK:   %[[SUM:.*]] = scf.for {{.*}} step %c16 iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (vector<16xf32>)
//       CHECK:     math.fma
//       CHECK:     vector.store %[[EXP:.*]], %[[KEPT:.*]][%{{.*}}] :
//       CHECK:     %[[NEXT:.*]] = arith.addf %[[SO_FAR]], %[[EXP]] : vector<16xf32>
//       CHECK:     scf.yield %[[NEXT]]
//   CHECK-NOT:   math.fma
//       CHECK:   vector.load %[[KEPT]][%
//       CHECK:   arith.divf
tile.kernel @made(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] : memref<64x64xf32> -> tensor<1x64xf32>
  %1 = math.exp %0 : tensor<1x64xf32>
  %2 = tile.reduce sum %1 dims [1] : tensor<1x64xf32> -> tensor<1xf32>
  %3 = tile.broadcast %2 dims [0] : tensor<1xf32> -> tensor<1x64xf32>
  %4 = arith.divf %1, %3 : tensor<1x64xf32>
  tile.store %4, %y[%i, %c0] : tensor<1x64xf32>, memref<64x64xf32>
  tile.return
}

// But not where it is reduced by what is known only behind it.
// CHECK-LABEL: func.func @made_behind
//       CHECK:   math.fma
//       CHECK:   vector.store
//       CHECK:   arith.maximumf
//       CHECK:   vector.load
//       CHECK:   arith.subf
//       CHECK:   arith.addf
//       CHECK:   return
tile.kernel @made_behind(%x: memref<64x64xf32>, %y: memref<64xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] : memref<64x64xf32> -> tensor<1x64xf32>
  %1 = math.exp %0 : tensor<1x64xf32>
  %2 = tile.reduce max %1 dims [1] : tensor<1x64xf32> -> tensor<1xf32>
  %3 = tile.broadcast %2 dims [0] : tensor<1xf32> -> tensor<1x64xf32>
  %4 = arith.subf %1, %3 : tensor<1x64xf32>
  %5 = tile.reduce sum %4 dims [1] : tensor<1x64xf32> -> tensor<1xf32>
  tile.store %5, %y[%i] : tensor<1xf32>, memref<64xf32>
  tile.return
}
