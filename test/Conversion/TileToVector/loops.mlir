// What loops carry lies in the workspace, one place for each value.

// RUN: fuse-opt %s --tile-round-factors --tile-widen-reductions --convert-tile-to-vector --math-expand-vectors | FileCheck %s

// The accumulator is corrected and added to where it lies: the product has no
// place of its own. Of the operands, what does not change is copied once.
// CHECK-LABEL: func.func @in_place
//   CHECK-DAG:   %[[ACC:.*]] = memref.view %{{.*}} to memref<512xf32>
//       CHECK:   scf.for
//       CHECK:     vector.store %{{.*}} : memref<1280xf32>
//       CHECK:     scf.for %{{.*}} = %c0 to %{{.*}} step %c64
//   CHECK-NOT:       : memref<1280xf32>, vector
//       CHECK:       %[[OLD:.*]] = vector.load %[[VIEW:.*]][%{{.*}}] : memref<[[N:[0-9]+]]xf32>, vector<16xf32>
//       CHECK:       %[[SCALED:.*]] = arith.mulf %[[OLD]]
//       CHECK:       vector.store %[[SCALED]], %[[VIEW]]
//       CHECK:       vector.fma
//       CHECK:       vector.store %{{.*}}, %[[VIEW]]
tile.kernel @in_place(%a: memref<16x64xf32>, %b: memref<?x32xf32>, %y: memref<16x32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %b, %c0 : memref<?x32xf32>
  %half = arith.constant dense<0.5> : tensor<16x32xf32>
  %one = arith.constant dense<1.0> : tensor<16x32xf32>
  %0 = tile.load %a[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %1 = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %one) -> (tensor<16x32xf32>) {
    %2 = tile.load %b[%k, %c0] : memref<?x32xf32> -> tensor<64x32xf32>
    %3 = arith.mulf %acc, %half : tensor<16x32xf32>
    %4 = tile.dot %0, %2, %3 : tensor<16x64xf32>, tensor<64x32xf32> -> tensor<16x32xf32>
    scf.yield %4 : tensor<16x32xf32>
  }
  tile.store %1, %y[%c0, %c0] : tensor<16x32xf32>, memref<16x32xf32>
  tile.return
}

// Values that change places need a copy, and only one.
// CHECK-LABEL: func.func @swap
//       CHECK:   tile.workspace = 192
//   CHECK-DAG:   %[[A:.*]] = memref.view %{{.*}}[%c0][] : memref<?xi8> to memref<16xf32>
//   CHECK-DAG:   %[[B:.*]] = memref.view %{{.*}}[%c64][] : memref<?xi8> to memref<16xf32>
//   CHECK-DAG:   %[[T:.*]] = memref.view %{{.*}}[%c128][] : memref<?xi8> to memref<16xf32>
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       %[[X:.*]] = vector.load %[[B]]
//       CHECK:       vector.store %[[X]], %[[T]]
//       CHECK:       %[[Y:.*]] = vector.load %[[A]]
//       CHECK:       vector.store %[[Y]], %[[B]]
//       CHECK:       %[[Z:.*]] = vector.load %[[T]]
//       CHECK:       vector.store %[[Z]], %[[A]]
tile.kernel @swap(%x: memref<16xf32>, %y: memref<16xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %x[%c0] : memref<16xf32> -> tensor<16xf32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %1:2 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %0, %b = %zero) -> (tensor<16xf32>, tensor<16xf32>) {
    scf.yield %b, %a : tensor<16xf32>, tensor<16xf32>
  }
  tile.store %1#0, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}

// Numbers are carried as they are.
// CHECK-LABEL: func.func @numbers
//       CHECK:   %[[SUM:.*]] = scf.for %{{.*}} iter_args(%[[S:.*]] = %c0) -> (index)
//       CHECK:     scf.yield %{{.*}} : index
tile.kernel @numbers(%y: memref<16xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %0:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %c0, %t = %zero) -> (index, tensor<16xf32>) {
    %1 = arith.addi %s, %k : index
    %2 = tile.iota %s coefficients [1] : tensor<16xf32>
    %3 = arith.addf %t, %2 : tensor<16xf32>
    scf.yield %1, %3 : index, tensor<16xf32>
  }
  %4 = tile.iota %0#0 coefficients [0] : tensor<16xf32>
  %5 = arith.addf %0#1, %4 : tensor<16xf32>
  tile.store %5, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}

// Both sides of a branch write to the place of its result.
// CHECK-LABEL: func.func @branch
//       CHECK:   %[[PLACE:.*]] = memref.view
//       CHECK:   scf.if
//       CHECK:     vector.store %{{.*}}, %[[PLACE]]
//       CHECK:   else
//       CHECK:     vector.store %{{.*}}, %[[PLACE]]
//       CHECK:   vector.load %[[PLACE]]
tile.kernel @branch(%x: memref<16xf32>, %y: memref<16xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %is = arith.cmpi eq, %i, %c0 : index
  %0 = tile.load %x[%c0] : memref<16xf32> -> tensor<16xf32>
  %1 = scf.if %is -> (tensor<16xf32>) {
    %2 = arith.negf %0 : tensor<16xf32>
    scf.yield %2 : tensor<16xf32>
  } else {
    scf.yield %0 : tensor<16xf32>
  }
  tile.store %1, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}
