// Which stores go past the caches, and what is fetched for the next block.

// RUN: fuse-opt %s --convert-tile-to-vector=stream-bytes=4096 | FileCheck %s
// RUN: fuse-opt %s --convert-tile-to-vector | FileCheck %s --check-prefix=SMALL
// RUN: fuse-opt %s --convert-tile-to-vector=stream-bytes=0 | FileCheck %s --check-prefix=SMALL

// SMALL-NOT: nontemporal
// SMALL-NOT: llvm.fence

// Lines of a large array. Others see them behind the fence.
// CHECK-LABEL: func.func @lines
//       CHECK:   scf.for
//       CHECK:     vector.store {{.*}}{alignment = 64 : i64, nontemporal = true} : memref<64x48xf32>, vector<16xf32>
//       CHECK:   }
//       CHECK:   llvm.fence seq_cst
//  CHECK-NEXT:   return
tile.kernel @lines(%x: memref<64x48xf32>, %y: memref<64x48xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %row = arith.muli %i, %c4 : index
  %0 = tile.load %x[%row, %c0] : memref<64x48xf32> -> tensor<4x48xf32>
  %1 = math.absf %0 : tensor<4x48xf32>
  tile.store %1, %y[%row, %c0] : tensor<4x48xf32>, memref<64x48xf32>
  tile.return
}

// Half a line each, but two rounds fill one.
// CHECK-LABEL: func.func @halves
//       CHECK:   vector.store {{.*}}{alignment = 32 : i64, nontemporal = true} : memref<64x48xi16>, vector<16xi16>
tile.kernel @halves(%x: memref<64x48xi16>, %y: memref<64x48xi16>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] : memref<64x48xi16> -> tensor<1x48xi16>
  tile.store %0, %y[%i, %c0] : tensor<1x48xi16>, memref<64x48xi16>
  tile.return
}

// Half a line, and the other half is another block's.
// CHECK-LABEL: func.func @alone
//   CHECK-NOT:   nontemporal
tile.kernel @alone(%x: memref<64x48xi16>, %y: memref<64x48xi16>) outputs 1 blocks(%i, %j) {
  %c16 = arith.constant 16 : index
  %column = arith.muli %j, %c16 : index
  %0 = tile.load %x[%i, %column] : memref<64x48xi16> -> tensor<1x16xi16>
  tile.store %0, %y[%i, %column] : tensor<1x16xi16>, memref<64x48xi16>
  tile.return
}

// Rows that begin in the middle of a line.
// CHECK-LABEL: func.func @odd_rows
//   CHECK-NOT:   nontemporal
//   CHECK-NOT:   llvm.fence
tile.kernel @odd_rows(%x: memref<64x50xf32>, %y: memref<64x50xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] : memref<64x50xf32> -> tensor<1x50xf32>
  tile.store %0, %y[%i, %c0] : tensor<1x50xf32>, memref<64x50xf32>
  tile.return
}

// A block that begins in the middle of a line.
// CHECK-LABEL: func.func @odd_blocks
//   CHECK-NOT:   nontemporal
tile.kernel @odd_blocks(%x: memref<2048xf32>, %y: memref<2048xf32>) outputs 1 blocks(%i) {
  %c24 = arith.constant 24 : index
  %at = arith.muli %i, %c24 : index
  %0 = tile.load %x[%at] : memref<2048xf32> -> tensor<16xf32>
  tile.store %0, %y[%at] : tensor<16xf32>, memref<2048xf32>
  tile.return
}

// At the ragged edge there are masks, and masked stores are as ever.
// CHECK-LABEL: func.func @edge
//       CHECK:   vector.store {{.*}}nontemporal
//       CHECK:   vector.maskedstore
//   CHECK-NOT:   nontemporal
//       CHECK:   return
tile.kernel @edge(%x: memref<2056xf32>, %y: memref<2056xf32>) outputs 1 blocks(%i) {
  %c64 = arith.constant 64 : index
  %c2056 = arith.constant 2056 : index
  %at = arith.muli %i, %c64 : index
  %left = arith.subi %c2056, %at : index
  %0 = tile.load %x[%at] limits(%left) axes [0] : memref<2056xf32> -> tensor<64xf32>
  tile.store %0, %y[%at] limits(%left) axes [0] : tensor<64xf32>, memref<2056xf32>
  tile.return
}

// The second walk over a row finds it in the caches, and only waits for what it
// writes: it asks for lines of 2 KiB further on.
// CHECK-LABEL: func.func @writes
//       CHECK:   arith.maximumf {{.*}} fastmath<nsz>
//       CHECK:   scf.for %[[C:[^ ]*]] = %c0 to %c64 step %c16
//       CHECK:     math.exp
//       CHECK:     vector.store {{.*}} : memref<80xf32>
//       CHECK:   scf.for %[[C:[^ ]*]] = %c0 to %c64 step %c16
//       CHECK:     %[[AHEAD:.*]] = arith.addi %[[C]], %c512{{.*}}
//       CHECK:     memref.prefetch %arg1[{{.*}}, %[[AHEAD]]], write, locality<3>, data : memref<64x64xf32>
//  CHECK-NEXT:     vector.store %{{.*}}, %arg1[{{[^]]*}}] : memref<64x64xf32>
//   CHECK-NOT:   llvm.fence
//       CHECK:   return
tile.kernel @writes(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] : memref<64x64xf32> -> tensor<1x64xf32>
  %1 = tile.reduce max %0 dims [1] : tensor<1x64xf32> -> tensor<1xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<1xf32> -> tensor<1x64xf32>
  %3 = arith.subf %0, %2 : tensor<1x64xf32>
  %4 = math.exp %3 : tensor<1x64xf32>
  %5 = tile.reduce sum %4 dims [1] : tensor<1x64xf32> -> tensor<1xf32>
  %6 = tile.broadcast %5 dims [0] : tensor<1xf32> -> tensor<1x64xf32>
  %7 = arith.divf %4, %6 : tensor<1x64xf32>
  tile.store %7, %y[%i, %c0] : tensor<1x64xf32>, memref<64x64xf32>
  tile.return
}

// The second of three walks over the rows asks for those of the next block.
// CHECK-LABEL: func.func @walks
//       CHECK:   scf.for %[[I:.*]] =
//       CHECK:     %[[ROW:.*]] = arith.muli %[[I]], %c2
//       CHECK:     arith.maximumf
//       CHECK:     scf.for %[[R:.*]] = %c0 to %c2 step
//       CHECK:       scf.for %[[C:[^ ]*]] = %c0 to %c2048 step %c64
//       CHECK:         %[[AT:.*]] = arith.addi %[[ROW]], %[[R]]
//       CHECK:         %[[NEXT:.*]] = arith.addi %[[AT]], %c2
//  CHECK-NEXT:         memref.prefetch %{{.*}}[%[[NEXT]], %[[C]]], read, locality<2>, data
//       CHECK:         scf.yield
//   CHECK-NOT:   memref.prefetch
//       CHECK:   return
tile.kernel @walks(%x: memref<256x2048xf32>, %y: memref<256x2048xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %row = arith.muli %i, %c2 : index
  %0 = tile.load %x[%row, %c0] : memref<256x2048xf32> -> tensor<2x2048xf32>
  %1 = tile.reduce max %0 dims [1] : tensor<2x2048xf32> -> tensor<2xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<2xf32> -> tensor<2x2048xf32>
  %3 = arith.subf %0, %2 : tensor<2x2048xf32>
  %4 = tile.reduce sum %3 dims [1] : tensor<2x2048xf32> -> tensor<2xf32>
  %5 = tile.broadcast %4 dims [0] : tensor<2xf32> -> tensor<2x2048xf32>
  %6 = arith.subf %0, %5 : tensor<2x2048xf32>
  tile.store %6, %y[%row, %c0] : tensor<2x2048xf32>, memref<256x2048xf32>
  tile.return
}

// Every block reads the same.
// CHECK-LABEL: func.func @common
//   CHECK-NOT:   memref.prefetch
tile.kernel @common(%x: memref<1048576xf32>, %y: memref<64x16xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<1048576xf32> -> tensor<16xf32>
  %1 = tile.reduce max %0 dims [0] : tensor<16xf32> -> tensor<f32>
  %2 = tile.broadcast %1 dims [] : tensor<f32> -> tensor<16xf32>
  %3 = arith.subf %0, %2 : tensor<16xf32>
  tile.store %3, %y[%i, %c0] map (d0) -> (0, d0) : tensor<16xf32>, memref<64x16xf32>
  tile.return
}
