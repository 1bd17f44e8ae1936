// Tiles begin at the last multiple of 16 bytes before their rows.

// RUN: fuse-opt %s --tile-align-rows=short-tile=0 --canonicalize --cse | FileCheck %s

// Row i begins i mod 8 numbers behind a multiple of 16 bytes. What is computed of
// positions in the row moves, too.
// CHECK-LABEL: tile.kernel @held
//  CHECK-SAME:   %[[X:.*]]: memref<9x1001xbf16>, %[[Y:.*]]: memref<9x1001xbf16>) outputs 1 blocks(%[[I:.*]])
//   CHECK-DAG:   %[[C8:.*]] = arith.constant 8 : index
//   CHECK-DAG:   %[[C1001:.*]] = arith.constant 1001 : index
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
//       CHECK:   %[[BY:.*]] = arith.remui %[[I]], %[[C8]]
//       CHECK:   %[[END:.*]] = arith.addi %[[BY]], %[[C1001]]
//       CHECK:   %[[AT:.*]] = arith.subi %[[C0]], %[[BY]]
//       CHECK:   tile.load %[[X]][%[[I]], %[[AT]]] map (d0) -> (0, d0) from(%[[BY]]) limits(%[[END]]) axes [0]
//       CHECK:   tile.iota %[[AT]]
//       CHECK:   tile.mask %{{.*}} from(%[[BY]]) limits(%[[END]]) axes [0]
//       CHECK:   tile.store %{{.*}}, %[[Y]][%[[I]], %[[AT]]] map (d0) -> (0, d0) from(%[[BY]]) limits(%[[END]]) axes [0]
tile.kernel @held(%x: memref<9x1001xbf16>, %y: memref<9x1001xbf16>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1001 : index
  %0 = tile.load %x[%i, %c0] map (d0) -> (0, d0) limits(%n) axes [0] : memref<9x1001xbf16> -> tensor<1024xbf16>
  %at = tile.iota %c0 coefficients [1] : tensor<1024xbf16>
  %1 = arith.mulf %0, %at : tensor<1024xbf16>
  %2 = tile.mask %1 limits(%n) axes [0] : tensor<1024xbf16> else 1.0
  %3 = tile.reduce prod %2 dims [0] : tensor<1024xbf16> -> tensor<bf16>
  %4 = tile.broadcast %3 dims [] : tensor<bf16> -> tensor<1024xbf16>
  %5 = arith.mulf %1, %4 : tensor<1024xbf16>
  tile.store %5, %y[%i, %c0] map (d0) -> (0, d0) limits(%n) axes [0] : tensor<1024xbf16>, memref<9x1001xbf16>
  tile.return
}

// A row that is walked may take a round more. In all rounds but the first one
// the start is in front of the tile.
// CHECK-LABEL: tile.kernel @walked
//  CHECK-SAME:   blocks(%[[I:.*]])
//   CHECK-DAG:   %[[C3:.*]] = arith.constant 3 : index
//   CHECK-DAG:   %[[C4:.*]] = arith.constant 4 : index
//       CHECK:   %[[ROW:.*]] = arith.muli %[[I]], %[[C3]]
//       CHECK:   %[[BY:.*]] = arith.remui %[[ROW]], %[[C4]]
//       CHECK:   %[[END:.*]] = arith.addi %[[BY]], %{{.*}}
//       CHECK:   scf.for %[[O:.*]] = %{{.*}} to %[[END]] step
//       CHECK:     %[[START:.*]] = arith.subi %[[BY]], %[[O]]
//       CHECK:     %[[LEFT:.*]] = arith.subi %[[END]], %[[O]]
//       CHECK:     %[[AT:.*]] = arith.subi %[[O]], %[[BY]]
//       CHECK:     tile.load %{{.*}}[%[[I]], %[[AT]]] map (d0) -> (0, d0) from(%[[START]]) limits(%[[LEFT]]) axes [0]
tile.kernel @walked(%x: memref<9x4099xf32>, %y: memref<9xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 512 : index
  %n = arith.constant 4099 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = scf.for %o = %c0 to %n step %step iter_args(%s = %zero) -> tensor<f32> {
    %left = arith.subi %n, %o : index
    %0 = tile.load %x[%i, %o] map (d0) -> (0, d0) limits(%left) axes [0] : memref<9x4099xf32> -> tensor<512xf32>
    %1 = tile.reduce sum %0 dims [0] : tensor<512xf32> -> tensor<f32>
    %2 = arith.addf %s, %1 : tensor<f32>
    scf.yield %2 : tensor<f32>
  }
  tile.store %sum, %y[%i] map () -> (0) : tensor<f32>, memref<9xf32>
  tile.return
}

// Rows of two types and of two dimensions begin together; what every row is
// multiplied with does not, but has to agree.
// CHECK-LABEL: tile.kernel @several
//  CHECK-SAME:   blocks(%[[I:.*]], %[[J:.*]])
//   CHECK-DAG:   %[[C5:.*]] = arith.constant 5 : index
//   CHECK-DAG:   %[[C8:.*]] = arith.constant 8 : index
//       CHECK:   %[[ROW:.*]] = arith.muli %[[I]], %[[C5]]
//       CHECK:   %[[BY:.*]] = arith.remui
//  CHECK-SAME:   %[[C8]]
//       CHECK:   %[[AT:.*]] = arith.subi %{{.*}}, %[[BY]]
//       CHECK:   tile.load %{{.*}}[%[[I]], %[[J]], %[[AT]]] map {{.*}} from(%[[BY]])
//       CHECK:   tile.load %{{.*}}[%[[AT]]] from(%[[BY]])
//       CHECK:   tile.store %{{.*}}, %{{.*}}[%[[I]], %[[J]], %[[AT]]] map {{.*}} from(%[[BY]])
tile.kernel @several(%x: memref<4x3x999xbf16>, %g: memref<999xf32>, %y: memref<4x3x999xf32>) outputs 1 blocks(%i, %j) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 999 : index
  %0 = tile.load %x[%i, %j, %c0] map (d0) -> (0, 0, d0) limits(%n) axes [0] : memref<4x3x999xbf16> -> tensor<1024xbf16>
  %1 = arith.extf %0 : tensor<1024xbf16> to tensor<1024xf32>
  %2 = tile.load %g[%c0] limits(%n) axes [0] : memref<999xf32> -> tensor<1024xf32>
  %3 = arith.mulf %1, %2 : tensor<1024xf32>
  tile.store %3, %y[%i, %j, %c0] map (d0) -> (0, 0, d0) limits(%n) axes [0] : tensor<1024xf32>, memref<4x3x999xf32>
  tile.return
}

// There is no room for 1023 numbers that begin somewhere in eight.
// CHECK-LABEL: tile.kernel @no_room
//   CHECK-NOT:   from
tile.kernel @no_room(%x: memref<9x1023xbf16>, %y: memref<9x1023xbf16>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1023 : index
  %0 = tile.load %x[%i, %c0] map (d0) -> (0, d0) limits(%n) axes [0] : memref<9x1023xbf16> -> tensor<1024xbf16>
  tile.store %0, %y[%i, %c0] map (d0) -> (0, d0) limits(%n) axes [0] : tensor<1024xbf16>, memref<9x1023xbf16>
  tile.return
}

// Rows that begin at multiples of 16 bytes stay, and so do those of memory that
// does not.
// CHECK-LABEL: tile.kernel @aligned
//   CHECK-NOT:   from
tile.kernel @aligned(%x: memref<9x1000xbf16>, %y: memref<9x1000xbf16>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1000 : index
  %0 = tile.load %x[%i, %c0] map (d0) -> (0, d0) limits(%n) axes [0] : memref<9x1000xbf16> -> tensor<1024xbf16>
  tile.store %0, %y[%i, %c0] map (d0) -> (0, d0) limits(%n) axes [0] : tensor<1024xbf16>, memref<9x1000xbf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @anywhere
//   CHECK-NOT:   from
tile.kernel @anywhere(%x: memref<9x1001xbf16>, %y: memref<9x1001xbf16>) outputs 1 blocks(%i) attributes {promises = [#tile.promise<alignment = 2>, #tile.promise<alignment = 2>]} {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1001 : index
  %0 = tile.load %x[%i, %c0] map (d0) -> (0, d0) limits(%n) axes [0] : memref<9x1001xbf16> -> tensor<1024xbf16>
  tile.store %0, %y[%i, %c0] map (d0) -> (0, d0) limits(%n) axes [0] : tensor<1024xbf16>, memref<9x1001xbf16>
  tile.return
}

// Several rows begin at several places.
// CHECK-LABEL: tile.kernel @rows
//   CHECK-NOT:   from
tile.kernel @rows(%x: memref<8x1001xbf16>, %y: memref<8x1001xbf16>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1001 : index
  %0 = tile.load %x[%c0, %c0] limits(%n) axes [1] : memref<8x1001xbf16> -> tensor<8x1024xbf16>
  tile.store %0, %y[%c0, %c0] limits(%n) axes [1] : tensor<8x1024xbf16>, memref<8x1001xbf16>
  tile.return
}

// What a product reads goes to shared memory as it is.
// CHECK-LABEL: tile.kernel @product
//   CHECK-NOT:   from
tile.kernel @product(%x: memref<9x1001xf32>, %w: memref<1001x16xf32>, %y: memref<9x16xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1001 : index
  %zero = arith.constant dense<0.0> : tensor<1x16xf32>
  %0 = tile.load %x[%i, %c0] limits(%n) axes [1] : memref<9x1001xf32> -> tensor<1x1024xf32>
  %1 = tile.load %w[%c0, %c0] limits(%n) axes [0] : memref<1001x16xf32> -> tensor<1024x16xf32>
  %2 = tile.dot %0, %1, %zero : tensor<1x1024xf32>, tensor<1024x16xf32> -> tensor<1x16xf32>
  tile.store %2, %y[%i, %c0] : tensor<1x16xf32>, memref<9x16xf32>
  tile.return
}

// A loop whose counter says more than where tiles are gets no round more.
// CHECK-LABEL: tile.kernel @counted
//   CHECK-NOT:   from
tile.kernel @counted(%x: memref<9x4099xf32>, %y: memref<9xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 512 : index
  %n = arith.constant 4099 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %sum = scf.for %o = %c0 to %n step %step iter_args(%s = %zero) -> tensor<f32> {
    %left = arith.subi %n, %o : index
    %0 = tile.load %x[%i, %o] map (d0) -> (0, d0) limits(%left) axes [0] : memref<9x4099xf32> -> tensor<512xf32>
    %1 = tile.reduce sum %0 dims [0] : tensor<512xf32> -> tensor<f32>
    %2 = arith.addf %s, %1 : tensor<f32>
    %3 = tile.iota %o coefficients [] : tensor<f32>
    %4 = arith.addf %2, %3 : tensor<f32>
    scf.yield %4 : tensor<f32>
  }
  tile.store %sum, %y[%i] map () -> (0) : tensor<f32>, memref<9xf32>
  tile.return
}
