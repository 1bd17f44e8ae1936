// A kernel becomes a function that runs a range of its blocks.

// RUN: fuse-opt %s --tile-round-factors --tile-widen-reductions --convert-tile-to-vector \
// RUN:     --math-extend-to-supported-types --math-expand-vectors | FileCheck %s
// RUN: fuse-opt %s --tile-round-factors --tile-widen-reductions --convert-tile-to-vector=vector-bits=256 --math-expand-vectors \
// RUN:   | FileCheck %s --check-prefix=NARROW

// Memory, the range of blocks, the grid, the workspace; i1 is a byte.
// CHECK-LABEL: func.func @place
//  CHECK-SAME:   (%[[X:.*]]: memref<?x?x48xi8>, %[[Y:.*]]: memref<?x?x48xi8>, %[[BEGIN:.*]]: index, %[[END:.*]]: index, %{{.*}}: index, %[[G1:.*]]: index, %{{.*}}: memref<?xi8>)
//  CHECK-SAME:   llvm.emit_c_interface
//  CHECK-SAME:   tile.workspace = 0 : i64
//       CHECK:   scf.for %[[BLOCK:.*]] = %[[BEGIN]] to %[[END]]
//   CHECK-DAG:     %[[J:.*]] = arith.remui %[[BLOCK]], %[[G1]]
//   CHECK-DAG:     %[[I:.*]] = arith.divui %[[BLOCK]], %[[G1]]
//       CHECK:     scf.for %[[C:.*]] = %c0 to %c48 step %c16
//       CHECK:       %[[LOADED:.*]] = vector.load %[[X]][%[[I]], %[[J]], %[[C]]] : memref<?x?x48xi8>, vector<16xi8>
//       CHECK:       arith.cmpi ne, %[[LOADED]]
//       CHECK:       %[[STORED:.*]] = arith.extui %{{.*}} : vector<16xi1> to vector<16xi8>
//       CHECK:       vector.store %[[STORED]], %[[Y]][%[[I]], %[[J]], %[[C]]]
//
// NARROW-LABEL: func.func @place
//       NARROW:   scf.for %{{.*}} = %c0 to %c48 step %c8
//       NARROW:     vector<8xi8>
tile.kernel @place(%x: memref<?x?x48xi1>, %y: memref<?x?x48xi1>) outputs 1 blocks(%i, %j) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %j, %c0] : memref<?x?x48xi1> -> tensor<1x1x48xi1>
  tile.store %0, %y[%i, %j, %c0] : tensor<1x1x48xi1>, memref<?x?x48xi1>
  tile.return
}

// Pointwise ops never make a tile: everything is done on one strip. What is left
// over at the end of a row is a shorter vector.
// CHECK-LABEL: func.func @pointwise
//       CHECK:   tile.workspace = 0
//       CHECK:   scf.for %[[R:.*]] = %c0 to %c5 step %c1
//       CHECK:     %[[B:.*]] = vector.load %{{.*}}[%[[R]]] : memref<5xf32>, vector<1xf32>
//       CHECK:     %[[SCALAR:.*]] = vector.extract %[[B]][0]
//       CHECK:     %[[ALL:.*]] = vector.broadcast %[[SCALAR]] : f32 to vector<16xf32>
//       CHECK:     scf.for %{{.*}} = %c0 to %c32 step %c16
//       CHECK:       %[[X:.*]] = vector.load {{.*}} vector<16xf32>
//       CHECK:       %[[SUM:.*]] = arith.addf %[[X]], %[[ALL]] : vector<16xf32>
//       CHECK:       vector.store %[[SUM]]
//       CHECK:     vector.load {{.*}} vector<3xf32>
//       CHECK:     arith.addf {{.*}} : vector<3xf32>
tile.kernel @pointwise(%x: memref<5x35xf32>, %b: memref<5xf32>, %y: memref<5x35xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<5x35xf32> -> tensor<5x35xf32>
  %1 = tile.load %b[%c0] map (d0, d1) -> (d0) : memref<5xf32> -> tensor<5x35xf32>
  %2 = arith.addf %0, %1 : tensor<5x35xf32>
  tile.store %2, %y[%c0, %c0] : tensor<5x35xf32>, memref<5x35xf32>
  tile.return
}

// What is expensive and needed twice lies in the workspace; what is cheap is
// done twice.
// CHECK-LABEL: func.func @shared
//       CHECK:   tile.workspace = 128
//       CHECK:   %[[KEPT:.*]] = memref.view %{{.*}} : memref<?xi8> to memref<32xf32>
//       CHECK:   arith.divf
//       CHECK:   vector.store %{{.*}}, %[[KEPT]]
//       CHECK:   vector.load %[[KEPT]]
//       CHECK:   arith.negf
//       CHECK:   vector.load %[[KEPT]]
//       CHECK:   arith.negf
//   CHECK-NOT:   arith.divf
tile.kernel @shared(%x: memref<32xf32>, %y: memref<32xf32>, %z: memref<32xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<32xf32> -> tensor<32xf32>
  %one = arith.constant dense<1.0> : tensor<32xf32>
  %1 = arith.divf %one, %0 : tensor<32xf32>
  %2 = arith.negf %1 : tensor<32xf32>
  tile.store %2, %y[%c0] : tensor<32xf32>, memref<32xf32>
  tile.store %2, %z[%c0] : tensor<32xf32>, memref<32xf32>
  tile.return
}

// Functions of f32, and of what is narrower, become polynomials; f64 stays.
// CHECK-LABEL: func.func @functions
//   CHECK-NOT:   math.exp {{.*}}xf32
//       CHECK:   math.exp %{{.*}} : vector<16xf64>
//   CHECK-NOT:   math.tanh
//       CHECK:   arith.truncf %{{.*}} : vector<16xf32> to vector<16xf16>
//   CHECK-NOT:   math.exp2
//       CHECK:   arith.minimumf %{{.*}} : vector<16xf32>
//       CHECK:   arith.shrsi %{{.*}} : vector<16xi32>
// Upstream's polynomial for the sine loses digits where x is large.
//       CHECK:   math.sin %{{.*}} : vector<16xf32>
tile.kernel @functions(%x: memref<16xf64>, %h: memref<16xf16>, %s: memref<16xf32>, %y: memref<16xf64>, %z: memref<16xf16>, %u: memref<16xf32>) outputs 3 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<16xf64> -> tensor<16xf64>
  %1 = math.exp %0 : tensor<16xf64>
  tile.store %1, %y[%c0] : tensor<16xf64>, memref<16xf64>
  %2 = tile.load %h[%c0] : memref<16xf16> -> tensor<16xf16>
  %3 = math.tanh %2 : tensor<16xf16>
  tile.store %3, %z[%c0] : tensor<16xf16>, memref<16xf16>
  %4 = tile.load %s[%c0] : memref<16xf32> -> tensor<16xf32>
  %5 = math.exp2 %4 : tensor<16xf32>
  %6 = math.sin %5 : tensor<16xf32>
  tile.store %6, %u[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}

// A number out of a tile is a limit of a loop.
// CHECK-LABEL: func.func @extract
//       CHECK:   %[[V:.*]] = vector.load %{{.*}} : memref<8xindex>, vector<1xindex>
//       CHECK:   %[[N:.*]] = vector.extract %[[V]][0]
//       CHECK:   scf.for %{{.*}} = %c0 to %[[N]]
tile.kernel @extract(%n: memref<8xindex>, %y: memref<8xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %n[%c1] map () -> (0) : memref<8xindex> -> tensor<index>
  %1 = tensor.extract %0[] : tensor<index>
  scf.for %k = %c0 to %1 step %c1 {
    %2 = tile.iota %k coefficients [1] : tensor<8xf32>
    tile.store %2, %y[%c0] : tensor<8xf32>, memref<8xf32>
  }
  tile.return
}
