// Loops with functions ask for what the next round reads.

// RUN: fuse-opt %s --tile-load-ahead | FileCheck %s

#t = #tile.layout<cell = [8, 128] reg = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]] lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#r = #tile.layout<cell = [8] reg = [[1], [2], [4]] lane = [[0], [0], [0], [0], [0]]>

// Beyond the last round nothing is read, and not even one round where there is
// none.
// CHECK-LABEL: tile.kernel @rows
//  CHECK-SAME:   (%[[X:.*]]: memref<8x?xf32>, {{.*}} blocks(%[[N:.*]])
//       CHECK:   %[[IS:.*]] = arith.cmpi slt, %[[C0:.*]], %[[N]]
//       CHECK:   %[[LIMIT:.*]] = arith.select %[[IS]], %{{.*}}, %{{.*}} : index
//       CHECK:   %[[FIRST:.*]] = tile.load %[[X]][%{{.*}}, %[[C0]]] limits(%[[LIMIT]]) axes [1]
//       CHECK:   scf.for %[[I:.*]] = {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[NOW:.*]] = %[[FIRST]])
//       CHECK:     %[[NEXT:.*]] = arith.addi %[[I]], %{{.*}}
//       CHECK:     %[[LEFT:.*]] = arith.subi %[[N]], %[[NEXT]]
//       CHECK:     %[[HAS:.*]] = arith.cmpi slt, %[[NEXT]], %[[N]]
//       CHECK:     %[[LESS:.*]] = arith.select %[[HAS]], %[[LEFT]], %{{.*}} : index
//       CHECK:     %[[THEN:.*]] = tile.load %[[X]][%{{.*}}, %[[NEXT]]] limits(%[[LESS]]) axes [1]
//       CHECK:     math.exp %[[NOW]]
//       CHECK:     scf.yield %{{.*}}, %[[THEN]]
tile.kernel @rows(%x: memref<8x?xf32>, %y: memref<8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %none = arith.constant dense<0.0> : tensor<8xf32, #r>
  %0 = scf.for %i = %c0 to %n step %c128 iter_args(%sum = %none) -> (tensor<8xf32, #r>) {
    %left = arith.subi %n, %i : index
    %1 = tile.load %x[%c0, %i] limits(%left) axes [1] : memref<8x?xf32> -> tensor<8x128xf32, #t>
    %2 = math.exp %1 : tensor<8x128xf32, #t>
    %3 = tile.reduce sum %2 dims [1] : tensor<8x128xf32, #t> -> tensor<8xf32, #r>
    %4 = arith.addf %sum, %3 : tensor<8xf32, #r>
    scf.yield %4 : tensor<8xf32, #r>
  }
  tile.store %0, %y[%c0] : tensor<8xf32, #r>, memref<8xf32>
  tile.return
}

// What has no limit gets one.
// CHECK-LABEL: tile.kernel @whole
//       CHECK:   tile.load {{.*}} limits(%{{.*}}) axes [0]
//       CHECK:   scf.for
//       CHECK:     %[[HAS:.*]] = arith.cmpi slt
//       CHECK:     %[[ROWS:.*]] = arith.select %[[HAS]], %{{.*}}, %{{.*}} : index
//       CHECK:     tile.load {{.*}} limits(%[[ROWS]]) axes [0]
//       CHECK:     math.exp
tile.kernel @whole(%x: memref<8x1024xf32>, %y: memref<8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %none = arith.constant dense<0.0> : tensor<8xf32, #r>
  %0 = scf.for %i = %c0 to %c1024 step %c128 iter_args(%sum = %none) -> (tensor<8xf32, #r>) {
    %1 = tile.load %x[%c0, %i] : memref<8x1024xf32> -> tensor<8x128xf32, #t>
    %2 = math.exp %1 : tensor<8x128xf32, #t>
    %3 = tile.reduce sum %2 dims [1] : tensor<8x128xf32, #t> -> tensor<8xf32, #r>
    %4 = arith.addf %sum, %3 : tensor<8xf32, #r>
    scf.yield %4 : tensor<8xf32, #r>
  }
  tile.store %0, %y[%c0] : tensor<8xf32, #r>, memref<8xf32>
  tile.return
}

// Without functions other blocks compute while one waits; two rounds are too few;
// and where rounds write what they computed, something may be read behind it.
// CHECK-LABEL: tile.kernel @sums
//   CHECK-NOT:   tile.load
//       CHECK:   scf.for
//       CHECK:     tile.load
// CHECK-LABEL: tile.kernel @two_rounds
//   CHECK-NOT:   tile.load
//       CHECK:   scf.for
//       CHECK:     tile.load
// CHECK-LABEL: tile.kernel @stored
//   CHECK-NOT:   tile.load
//       CHECK:   scf.for
//       CHECK:     tile.load
tile.kernel @sums(%x: memref<8x1024xf32>, %y: memref<8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %none = arith.constant dense<0.0> : tensor<8xf32, #r>
  %0 = scf.for %i = %c0 to %c1024 step %c128 iter_args(%sum = %none) -> (tensor<8xf32, #r>) {
    %1 = tile.load %x[%c0, %i] : memref<8x1024xf32> -> tensor<8x128xf32, #t>
    %3 = tile.reduce sum %1 dims [1] : tensor<8x128xf32, #t> -> tensor<8xf32, #r>
    %4 = arith.addf %sum, %3 : tensor<8xf32, #r>
    scf.yield %4 : tensor<8xf32, #r>
  }
  tile.store %0, %y[%c0] : tensor<8xf32, #r>, memref<8xf32>
  tile.return
}
tile.kernel @two_rounds(%x: memref<8x256xf32>, %y: memref<8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %none = arith.constant dense<0.0> : tensor<8xf32, #r>
  %0 = scf.for %i = %c0 to %c256 step %c128 iter_args(%sum = %none) -> (tensor<8xf32, #r>) {
    %1 = tile.load %x[%c0, %i] : memref<8x256xf32> -> tensor<8x128xf32, #t>
    %2 = math.exp %1 : tensor<8x128xf32, #t>
    %3 = tile.reduce sum %2 dims [1] : tensor<8x128xf32, #t> -> tensor<8xf32, #r>
    %4 = arith.addf %sum, %3 : tensor<8xf32, #r>
    scf.yield %4 : tensor<8xf32, #r>
  }
  tile.store %0, %y[%c0] : tensor<8xf32, #r>, memref<8xf32>
  tile.return
}
tile.kernel @stored(%x: memref<8x1024xf32>, %y: memref<8x1024xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c128 {
    %1 = tile.load %x[%c0, %i] : memref<8x1024xf32> -> tensor<8x128xf32, #t>
    %2 = math.exp %1 : tensor<8x128xf32, #t>
    tile.store %2, %y[%c0, %i] : tensor<8x128xf32, #t>, memref<8x1024xf32>
  }
  tile.return
}
