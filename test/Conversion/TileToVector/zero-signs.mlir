// A maximum of which nobody sees which zero it is may be either; what is
// stored, divides, or is reduced again is the one that it should be.

// RUN: fuse-opt %s --convert-tile-to-vector | FileCheck %s

// CHECK-LABEL: func.func @exponential
//       CHECK:   arith.maximumf {{.*}} fastmath<nsz> : vector<16xf32>
tile.kernel @exponential(%x: memref<8x64xf32>, %y: memref<8x64xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x64xf32> -> tensor<8x64xf32>
  %1 = tile.reduce max %0 dims [1] : tensor<8x64xf32> -> tensor<8xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<8xf32> -> tensor<8x64xf32>
  %3 = arith.subf %0, %2 : tensor<8x64xf32>
  %4 = math.exp %3 : tensor<8x64xf32>
  tile.store %4, %y[%c0, %c0] : tensor<8x64xf32>, memref<8x64xf32>
  tile.return
}

// CHECK-LABEL: func.func @stored
//   CHECK-NOT:   nsz
//       CHECK:   return
tile.kernel @stored(%x: memref<8x64xf32>, %y: memref<8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x64xf32> -> tensor<8x64xf32>
  %1 = tile.reduce max %0 dims [1] : tensor<8x64xf32> -> tensor<8xf32>
  tile.store %1, %y[%c0] : tensor<8xf32>, memref<8xf32>
  tile.return
}

// CHECK-LABEL: func.func @divides
//   CHECK-NOT:   nsz
//       CHECK:   return
tile.kernel @divides(%x: memref<8x64xf32>, %y: memref<8x64xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x64xf32> -> tensor<8x64xf32>
  %1 = tile.reduce min %0 dims [1] : tensor<8x64xf32> -> tensor<8xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<8xf32> -> tensor<8x64xf32>
  %3 = arith.divf %0, %2 : tensor<8x64xf32>
  tile.store %3, %y[%c0, %c0] : tensor<8x64xf32>, memref<8x64xf32>
  tile.return
}
