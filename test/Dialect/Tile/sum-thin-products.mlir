// One column of a product is summed up where its factor is, if that was
// computed of a product, too, or cannot be copied ahead, or if no tensor core
// multiplies it.

// RUN: fuse-opt %s --tile-sum-thin-products | FileCheck %s

// CHECK-LABEL: tile.kernel @column
//       CHECK:   %[[H:.*]] = arith.maximumf
//       CHECK:   %[[W:.*]] = tile.load {{.*}} -> tensor<32x1xf32>
//       CHECK:   %[[FEW:.*]] = tile.reduce sum %[[W]] dims [1] : tensor<32x1xf32> -> tensor<32xf32>
//       CHECK:   %[[ALL:.*]] = tile.broadcast %[[FEW]] dims [1] : tensor<32xf32> -> tensor<16x32xf32>
//       CHECK:   %[[PRODUCTS:.*]] = arith.mulf %[[H]], %[[ALL]]
//       CHECK:   %[[SUM:.*]] = tile.reduce sum %[[PRODUCTS]] dims [1] : tensor<16x32xf32> -> tensor<16xf32>
//       CHECK:   %[[COLUMN:.*]] = tile.broadcast %[[SUM]] dims [0] : tensor<16xf32> -> tensor<16x1xf32>
//       CHECK:   %[[ADDED:.*]] = arith.addf %{{.*}}, %[[COLUMN]]
//       CHECK:   tile.store %[[ADDED]]
tile.kernel @column(%x: memref<16x8xf32>, %w: memref<8x32xf32>, %v: memref<32x1xf32>, %y: memref<16x1xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %one = arith.constant dense<1.0> : tensor<16x1xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x8xf32> -> tensor<16x8xf32>
  %1 = tile.load %w[%c0, %c0] : memref<8x32xf32> -> tensor<8x32xf32>
  %2 = tile.dot %0, %1, %zero : tensor<16x8xf32>, tensor<8x32xf32> -> tensor<16x32xf32>
  %3 = arith.maximumf %2, %zero : tensor<16x32xf32>
  %4 = tile.load %v[%c0, %c0] : memref<32x1xf32> -> tensor<32x1xf32>
  %5 = tile.dot %3, %4, %one : tensor<16x32xf32>, tensor<32x1xf32> -> tensor<16x1xf32>
  tile.store %5, %y[%c0, %c0] : tensor<16x1xf32>, memref<16x1xf32>
  tile.return
}

// A row, of factors that are narrower than the sum, with an axis that all
// share.
// CHECK-LABEL: tile.kernel @row
//       CHECK:   %[[H:.*]] = arith.truncf
//       CHECK:   %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<2x1x8xf16> to tensor<2x1x8xf32>
//       CHECK:   %[[FEW:.*]] = tile.reduce sum %[[WIDE]] dims [1] : tensor<2x1x8xf32> -> tensor<2x8xf32>
//       CHECK:   %[[ALL:.*]] = tile.broadcast %[[FEW]] dims [0, 1] : tensor<2x8xf32> -> tensor<2x8x16xf32>
//       CHECK:   %[[FACTOR:.*]] = arith.extf %[[H]]
//       CHECK:   %[[PRODUCTS:.*]] = arith.mulf %[[FACTOR]], %[[ALL]]
//       CHECK:   %[[SUM:.*]] = tile.reduce sum %[[PRODUCTS]] dims [1] : tensor<2x8x16xf32> -> tensor<2x16xf32>
//       CHECK:   tile.broadcast %[[SUM]] dims [0, 2] : tensor<2x16xf32> -> tensor<2x1x16xf32>
tile.kernel @row(%x: memref<2x8x4xf16>, %w: memref<2x4x16xf16>, %v: memref<2x1x8xf16>, %y: memref<2x1x16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<2x8x16xf32>
  %none = arith.constant dense<0.0> : tensor<2x1x16xf32>
  %0 = tile.load %x[%c0, %c0, %c0] : memref<2x8x4xf16> -> tensor<2x8x4xf16>
  %1 = tile.load %w[%c0, %c0, %c0] : memref<2x4x16xf16> -> tensor<2x4x16xf16>
  %2 = tile.dot %0, %1, %zero batch = 1 : tensor<2x8x4xf16>, tensor<2x4x16xf16> -> tensor<2x8x16xf32>
  %3 = arith.truncf %2 : tensor<2x8x16xf32> to tensor<2x8x16xf16>
  %4 = tile.load %v[%c0, %c0, %c0] : memref<2x1x8xf16> -> tensor<2x1x8xf16>
  %5 = tile.dot %4, %3, %none batch = 1 : tensor<2x1x8xf16>, tensor<2x8x16xf16> -> tensor<2x1x16xf32>
  tile.store %5, %y[%c0, %c0, %c0] : tensor<2x1x16xf32>, memref<2x1x16xf32>
  tile.return
}

// The sum of a loop of products is one.
// CHECK-LABEL: tile.kernel @loop
//       CHECK:   scf.for
//       CHECK:     tile.dot
//   CHECK-NOT:   tile.dot
//       CHECK:   tile.reduce sum
tile.kernel @loop(%x: memref<16x64xf32>, %w: memref<64x32xf32>, %v: memref<32x1xf32>, %y: memref<16x1xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %none = arith.constant dense<0.0> : tensor<16x1xf32>
  %h = scf.for %k = %c0 to %c64 step %c8 iter_args(%sum = %zero) -> tensor<16x32xf32> {
    %0 = tile.load %x[%c0, %k] : memref<16x64xf32> -> tensor<16x8xf32>
    %1 = tile.load %w[%k, %c0] : memref<64x32xf32> -> tensor<8x32xf32>
    %2 = tile.dot %0, %1, %sum : tensor<16x8xf32>, tensor<8x32xf32> -> tensor<16x32xf32>
    scf.yield %2 : tensor<16x32xf32>
  }
  %4 = tile.load %v[%c0, %c0] : memref<32x1xf32> -> tensor<32x1xf32>
  %5 = tile.dot %h, %4, %none : tensor<16x32xf32>, tensor<32x1xf32> -> tensor<16x1xf32>
  tile.store %5, %y[%c0, %c0] : tensor<16x1xf32>, memref<16x1xf32>
  tile.return
}

// What is read is copied ahead for tensor cores; two columns are not one; and
// whole numbers are left to products, too.
// CHECK-LABEL: tile.kernel @others
// CHECK-COUNT-4: tile.dot
//   CHECK-NOT:   tile.reduce
tile.kernel @others(%h: memref<16x8xf16>, %x: memref<16x8xf32>, %w: memref<8x32xf32>, %v: memref<32x2xf32>, %a: memref<16x8xi32>, %z: memref<16x1xf32>, %y: memref<16x2xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %two = arith.constant dense<0.0> : tensor<16x2xf32>
  %one = arith.constant dense<0.0> : tensor<16x1xf32>
  %none = arith.constant dense<0> : tensor<16x1xi32>
  %0 = tile.load %x[%c0, %c0] : memref<16x8xf32> -> tensor<16x8xf32>
  %1 = tile.load %w[%c0, %c0] : memref<8x32xf32> -> tensor<8x32xf32>
  %half = tile.load %h[%c0, %c0] : memref<16x8xf16> -> tensor<16x8xf16>
  %first = tile.load %h[%c0, %c0] : memref<16x8xf16> -> tensor<8x1xf16>
  %read = tile.dot %half, %first, %one : tensor<16x8xf16>, tensor<8x1xf16> -> tensor<16x1xf32>
  %2 = tile.dot %0, %1, %zero : tensor<16x8xf32>, tensor<8x32xf32> -> tensor<16x32xf32>
  %4 = tile.load %v[%c0, %c0] : memref<32x2xf32> -> tensor<32x2xf32>
  %5 = tile.dot %2, %4, %two : tensor<16x32xf32>, tensor<32x2xf32> -> tensor<16x2xf32>
  %6 = tile.load %a[%c0, %c0] : memref<16x8xi32> -> tensor<16x8xi32>
  %7 = tile.load %a[%c0, %c0] : memref<16x8xi32> -> tensor<8x1xi32>
  %8 = tile.dot %6, %7, %none : tensor<16x8xi32>, tensor<8x1xi32> -> tensor<16x1xi32>
  %9 = arith.sitofp %8 : tensor<16x1xi32> to tensor<16x1xf32>
  %10 = arith.addf %read, %9 : tensor<16x1xf32>
  tile.store %10, %z[%c0, %c0] : tensor<16x1xf32>, memref<16x1xf32>
  tile.store %5, %y[%c0, %c0] : tensor<16x2xf32>, memref<16x2xf32>
  tile.return
}

// Rows of 33 numbers of 2 bytes begin within words, where only threads can read
// them; rows of 34 are copied ahead.
// CHECK-LABEL: tile.kernel @within_words
//       CHECK:   scf.for
//       CHECK:     %[[ROW:.*]] = tile.load %{{.*}} -> tensor<8xf16>
//       CHECK:     %[[W:.*]] = tile.load %{{.*}} : memref<64x33xf16> -> tensor<8x16xf16>
//       CHECK:     %[[FEW:.*]] = arith.extf %[[ROW]]
//       CHECK:     %[[ALL:.*]] = tile.broadcast %[[FEW]] dims [0] : tensor<8xf32> -> tensor<8x16xf32>
//       CHECK:     %[[WIDE:.*]] = arith.extf %[[W]]
//       CHECK:     %[[PRODUCTS:.*]] = arith.mulf %[[WIDE]], %[[ALL]]
//       CHECK:     %[[SUM:.*]] = tile.reduce sum %[[PRODUCTS]] dims [0] : tensor<8x16xf32> -> tensor<16xf32>
//       CHECK:     arith.addf %{{.*}}, %[[SUM]]
//       CHECK:   scf.for
//       CHECK:     tile.dot
tile.kernel @within_words(%x: memref<64xf16>, %w: memref<64x33xf16>, %v: memref<64x34xf16>, %y: memref<16xf32>, %z: memref<16xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %0 = scf.for %k = %c0 to %c64 step %c8 iter_args(%sum = %zero) -> (tensor<16xf32>) {
    %1 = tile.load %x[%k] : memref<64xf16> -> tensor<8xf16>
    %2 = tile.load %w[%k, %c0] : memref<64x33xf16> -> tensor<8x16xf16>
    %3 = tile.dot %1, %2, %sum : tensor<8xf16>, tensor<8x16xf16> -> tensor<16xf32>
    scf.yield %3 : tensor<16xf32>
  }
  %4 = scf.for %k = %c0 to %c64 step %c8 iter_args(%sum = %zero) -> (tensor<16xf32>) {
    %5 = tile.load %x[%k] : memref<64xf16> -> tensor<8xf16>
    %6 = tile.load %v[%k, %c0] : memref<64x34xf16> -> tensor<8x16xf16>
    %7 = tile.dot %5, %6, %sum : tensor<8xf16>, tensor<8x16xf16> -> tensor<16xf32>
    scf.yield %7 : tensor<16xf32>
  }
  tile.store %0, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.store %4, %z[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}

// Words of the only row that there is are multiplied where they are, be they
// rounded or not; those of one row of several are not.
// CHECK-LABEL: tile.kernel @words
//       CHECK:   scf.for
//   CHECK-NOT:     tile.dot
//       CHECK:     %[[W:.*]] = tile.load %{{.*}} : memref<64x16xf32> -> tensor<8x16xf32>
//       CHECK:     arith.mulf %[[W]]
//       CHECK:     tile.reduce sum {{.*}} : tensor<8x16xf32> -> tensor<16xf32>
//       CHECK:     arith.mulf %[[W]]
//       CHECK:     tile.reduce sum {{.*}} : tensor<8x16xf32> -> tensor<16xf32>
//       CHECK:   tile.dot {{.*}} : tensor<8xf32>, tensor<8x16xf32> -> tensor<16xf32>
tile.kernel @words(%x: memref<64xf32>, %w: memref<64x16xf32>, %y: memref<16xf32>, %z: memref<16xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %0:2 = scf.for %k = %c0 to %c64 step %c8 iter_args(%sum = %zero, %rounded = %zero) -> (tensor<16xf32>, tensor<16xf32>) {
    %1 = tile.load %x[%k] : memref<64xf32> -> tensor<8xf32>
    %2 = tile.load %w[%k, %c0] : memref<64x16xf32> -> tensor<8x16xf32>
    %3 = tile.dot %1, %2, %sum {tile.thin} : tensor<8xf32>, tensor<8x16xf32> -> tensor<16xf32>
    %4 = tile.dot %1, %2, %rounded precision = tf32 {tile.thin} : tensor<8xf32>, tensor<8x16xf32> -> tensor<16xf32>
    scf.yield %3, %4 : tensor<16xf32>, tensor<16xf32>
  }
  %5 = tile.load %x[%c0] : memref<64xf32> -> tensor<8xf32>
  %6 = tile.load %w[%c0, %c0] : memref<64x16xf32> -> tensor<8x16xf32>
  %7 = tile.dot %5, %6, %0#1 : tensor<8xf32>, tensor<8x16xf32> -> tensor<16xf32>
  tile.store %0#0, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.store %7, %z[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}
