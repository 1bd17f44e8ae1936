// Which vector ops loads and stores become.

// RUN: fuse-opt %s --tile-round-factors --tile-widen-reductions --convert-tile-to-vector | FileCheck %s

// Limits are checked once for a tile; only at the edge are there masks.
// CHECK-LABEL: func.func @limits
//  CHECK-SAME:   (%[[X:.*]]: memref<?x32xf32>, %[[Y:.*]]: memref<?x32xf32>,
//       CHECK:   %[[ROWS:.*]] = memref.dim %[[X]]
//       CHECK:   arith.cmpi sgt, %[[ROWS]], %c7
//       CHECK:   %[[WHOLE:.*]] = arith.andi
//       CHECK:   scf.if %[[WHOLE]]
//       CHECK:     vector.load %[[X]]
//       CHECK:     vector.store %{{.*}}, %[[Y]]
//       CHECK:   else
//       CHECK:     scf.for %[[R:.*]] = %c0 to %c8
//       CHECK:       %[[IN:.*]] = arith.cmpi slt, %[[R]], %[[ROWS]]
//       CHECK:       %[[MASK:.*]] = vector.broadcast %[[IN]] : i1 to vector<16xi1>
//       CHECK:       vector.maskedload %[[X]][{{.*}}], %[[MASK]]
//       CHECK:       vector.maskedstore %[[Y]]
tile.kernel @limits(%x: memref<?x32xf32>, %y: memref<?x32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x32xf32>
  %0 = tile.load %x[%c0, %c0] limits(%n) axes [0] : memref<?x32xf32> -> tensor<8x32xf32>
  tile.store %0, %y[%c0, %c0] limits(%n) axes [0] : tensor<8x32xf32>, memref<?x32xf32>
  tile.return
}

// A limit along the vectors is a mask of the first lanes, clamped.
// CHECK-LABEL: func.func @last_axis
//       CHECK:   else
//       CHECK:     %[[LEFT:.*]] = arith.minsi %{{.*}}, %c16
//       CHECK:     %[[FROM:.*]] = arith.maxsi %[[LEFT]], %c0
//       CHECK:     %[[MASK:.*]] = vector.create_mask %[[FROM]] : vector<16xi1>
//       CHECK:     vector.maskedload %{{.*}}, %[[MASK]]
tile.kernel @last_axis(%x: memref<?xf32>, %y: memref<32xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] limits(%i) axes [0] : memref<?xf32> -> tensor<32xf32>
  tile.store %0, %y[%c0] : tensor<32xf32>, memref<32xf32>
  tile.return
}

// Guarded: every index is compared with its size, as an unsigned number.
// CHECK-LABEL: func.func @guarded
//       CHECK:   scf.if
//       CHECK:     vector.load
//       CHECK:   else
//       CHECK:     arith.cmpi ult, {{.*}} : vector<16xindex>
//       CHECK:     vector.maskedload
tile.kernel @guarded(%x: memref<?xf32>, %y: memref<16xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i] guarded : memref<?xf32> -> tensor<16xf32>
  tile.store %0, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}

// Numbers that are apart are gathered and scattered.
// CHECK-LABEL: func.func @strided
//       CHECK:   vector.gather
//       CHECK:   vector.scatter
tile.kernel @strided(%x: memref<64xf32>, %y: memref<48xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] map (d0) -> (d0 * 4) : memref<64xf32> -> tensor<16xf32>
  tile.store %0, %y[%c0] map (d0) -> (d0 * 3) : tensor<16xf32>, memref<48xf32>
  tile.return
}

// What is read along one axis and written along another is transposed in
// registers, where whole blocks fit.
// CHECK-LABEL: func.func @crossing
//   CHECK-NOT:   vector.gather
// CHECK-COUNT-16: vector.load %{{.*}} vector<16xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: vector.store
tile.kernel @crossing(%x: memref<32x16xf32>, %y: memref<16x32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<32x16xf32> -> tensor<16x32xf32>
  tile.store %0, %y[%c0, %c0] : tensor<16x32xf32>, memref<16x32xf32>
  tile.return
}

// A row of a table is one load; its number is looked at once for each row.
// CHECK-LABEL: func.func @rows
//       CHECK:   scf.for %{{.*}} = %c0 to %c4
//       CHECK:     %[[ID:.*]] = arith.index_cast %{{.*}} : i64 to index
//       CHECK:     arith.cmpi ult, %[[ID]], %c100
//   CHECK-NOT:     vector.gather
//       CHECK:     vector.maskedload %{{.*}}[%[[ID]], %{{.*}}]
tile.kernel @rows(%x: memref<100x32xf32>, %ids: memref<4xi64>, %y: memref<4x32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %ids[%c0] map (d0, d1) -> (d0) : memref<4xi64> -> tensor<4x32xi64>
  %1 = tile.gather %x[%c0, %c0] at(%0) dims [0] map (d0, d1) -> (0, d1) : memref<100x32xf32>, tensor<4x32xi64> -> tensor<4x32xf32>
  tile.store %1, %y[%c0, %c0] : tensor<4x32xf32>, memref<4x32xf32>
  tile.return
}

// CHECK-LABEL: func.func @elements
//       CHECK:   vector.gather
tile.kernel @elements(%x: memref<100xf32>, %ids: memref<16xi32>, %y: memref<16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %ids[%c0] : memref<16xi32> -> tensor<16xi32>
  %1 = tile.gather %x[%c0] at(%0) dims [0] map (d0) -> (0) : memref<100xf32>, tensor<16xi32> -> tensor<16xf32>
  tile.store %1, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}

// CHECK-LABEL: func.func @mask
//       CHECK:   else
//       CHECK:     %[[MASK:.*]] = vector.create_mask
//       CHECK:     arith.select %[[MASK]], %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xf32>
tile.kernel @mask(%x: memref<16xf32>, %y: memref<16xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<16xf32> -> tensor<16xf32>
  %1 = tile.mask %0 limits(%i) axes [0] : tensor<16xf32> else 0xFF800000
  tile.store %1, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}

// Memory of rank 0 is memory of one element.
// CHECK-LABEL: func.func @scalar
//       CHECK:   %[[X:.*]] = memref.reinterpret_cast %{{.*}} : memref<f32> to memref<1xf32>
//       CHECK:   vector.load %[[X]][%c0] : memref<1xf32>, vector<1xf32>
tile.kernel @scalar(%x: memref<f32>, %y: memref<f32>) outputs 1 blocks() {
  %0 = tile.load %x[] : memref<f32> -> tensor<f32>
  tile.store %0, %y[] : tensor<f32>, memref<f32>
  tile.return
}
