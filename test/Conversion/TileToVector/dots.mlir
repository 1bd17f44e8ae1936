// Dots keep a block of the result in registers.

// RUN: fuse-opt %s --tile-round-factors --tile-widen-reductions --convert-tile-to-vector | FileCheck %s
// RUN: fuse-opt %s --tile-round-factors --tile-widen-reductions --convert-tile-to-vector=vector-bits=256 \
// RUN:   | FileCheck %s --check-prefix=NARROW

// 28 rows in two blocks of 14, two vectors each; operands are widened when they
// are copied, and what is added to is the splat in which the registers start.
// CHECK-LABEL: func.func @dot
//       CHECK:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
//       CHECK:   arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
//       CHECK:   arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
//       CHECK:   scf.for %[[ROW:.*]] = %c0 to %c28 step %c14
//       CHECK:     %[[SUMS:.*]]:28 = scf.for %{{.*}} = %c0 to %c64 step %c1 iter_args(%{{.*}} = %[[ZERO]]
//       CHECK:       %[[B0:.*]] = vector.load {{.*}} vector<16xf32>
//       CHECK:       %[[B1:.*]] = vector.load {{.*}} vector<16xf32>
//       CHECK:       %[[A:.*]] = memref.load
//       CHECK:       %[[A0:.*]] = vector.broadcast %[[A]]
//       CHECK:       vector.fma %[[A0]], %[[B0]]
//       CHECK:       vector.fma %{{.*}}, %[[B1]]
//       CHECK:     vector.store %[[SUMS]]#0
//
// NARROW-LABEL: func.func @dot
//       NARROW:   :12 = scf.for
tile.kernel @dot(%a: memref<28x64xf16>, %b: memref<64x32xf16>, %y: memref<28x32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<28x64xf16> -> tensor<28x64xf16>
  %1 = tile.load %b[%c0, %c0] : memref<64x32xf16> -> tensor<64x32xf16>
  %zero = arith.constant dense<0.0> : tensor<28x32xf32>
  %2 = tile.dot %0, %1, %zero : tensor<28x64xf16>, tensor<64x32xf16> -> tensor<28x32xf32>
  tile.store %2, %y[%c0, %c0] : tensor<28x32xf32>, memref<28x32xf32>
  tile.return
}

// 17 rows are 9 and 8; 37 columns are 32 and 5.
// CHECK-LABEL: func.func @ragged
//       CHECK:   :18 = scf.for
//       CHECK:   :16 = scf.for
//       CHECK:   %[[LAST:.*]]:9 = scf.for {{.*}} vector<5xi32>
//       CHECK:     arith.muli {{.*}} : vector<5xi32>
//       CHECK:     arith.addi {{.*}} : vector<5xi32>
//       CHECK:   :8 = scf.for {{.*}} vector<5xi32>
tile.kernel @ragged(%a: memref<17x3xi8>, %b: memref<3x37xi8>, %y: memref<17x37xi32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<17x3xi8> -> tensor<17x3xi8>
  %1 = tile.load %b[%c0, %c0] : memref<3x37xi8> -> tensor<3x37xi8>
  %zero = arith.constant dense<0> : tensor<17x37xi32>
  %2 = tile.dot %0, %1, %zero : tensor<17x3xi8>, tensor<3x37xi8> -> tensor<17x37xi32>
  tile.store %2, %y[%c0, %c0] : tensor<17x37xi32>, memref<17x37xi32>
  tile.return
}

// One row: nothing is copied, and the products are added as they are read.
// CHECK-LABEL: func.func @thin
//       CHECK:   scf.for %[[K:.*]] = %c0 to %c64 step %c1 iter_args
//       CHECK:     vector.load %{{.*}}[%[[K]], %{{.*}}] : memref<64x32xf32>, vector<16xf32>
//       CHECK:     vector.fma
tile.kernel @thin(%a: memref<1x64xf32>, %b: memref<64x32xf32>, %y: memref<1x32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<1x64xf32> -> tensor<1x64xf32>
  %1 = tile.load %b[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<1x32xf32>
  %2 = tile.dot %0, %1, %zero : tensor<1x64xf32>, tensor<64x32xf32> -> tensor<1x32xf32>
  tile.store %2, %y[%c0, %c0] : tensor<1x32xf32>, memref<1x32xf32>
  tile.return
}

// With the other operand transposed the vectors run along what is summed over.
// CHECK-LABEL: func.func @thin_transposed
//       CHECK:   scf.for %[[N:.*]] = %c0 to %c32 step %c1
//       CHECK:     vector.load %{{.*}}[%[[N]], %{{.*}}] : memref<32x64xf32>, vector<16xf32>
//       CHECK:     vector.fma
//   CHECK-NOT:   vector.gather
tile.kernel @thin_transposed(%a: memref<1x64xf32>, %b: memref<32x64xf32>, %y: memref<1x32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<1x64xf32> -> tensor<1x64xf32>
  %1 = tile.load %b[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<32x64xf32> -> tensor<64x32xf32>
  %zero = arith.constant dense<0.0> : tensor<1x32xf32>
  %2 = tile.dot %0, %1, %zero : tensor<1x64xf32>, tensor<64x32xf32> -> tensor<1x32xf32>
  tile.store %2, %y[%c0, %c0] : tensor<1x32xf32>, memref<1x32xf32>
  tile.return
}

// Batches are a loop around it.
// CHECK-LABEL: func.func @batches
//       CHECK:   scf.for %[[BATCH:.*]] = %c0 to %c3 step %c1
//       CHECK:     :8 = scf.for
tile.kernel @batches(%a: memref<3x4x8xf32>, %b: memref<3x8x32xf32>, %y: memref<3x4x32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0, %c0] : memref<3x4x8xf32> -> tensor<3x4x8xf32>
  %1 = tile.load %b[%c0, %c0, %c0] : memref<3x8x32xf32> -> tensor<3x8x32xf32>
  %zero = arith.constant dense<0.0> : tensor<3x4x32xf32>
  %2 = tile.dot %0, %1, %zero batch = 1 : tensor<3x4x8xf32>, tensor<3x8x32xf32> -> tensor<3x4x32xf32>
  tile.store %2, %y[%c0, %c0, %c0] : tensor<3x4x32xf32>, memref<3x4x32xf32>
  tile.return
}
