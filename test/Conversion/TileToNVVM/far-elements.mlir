// Elements of a thread that lie further apart than a constant of `llvm.getelementptr` can say: a tile of 256 rows of 2 MB
// was read 512 MB before its upper half.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s

#rows = #tile.layout<cell = [4, 32] reg = [[1, 0], [2, 0]] lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>

// CHECK-LABEL: llvm.func @far
//       CHECK:   %[[NEAR:.*]] = llvm.getelementptr %[[BASE:.*]][134217728] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
//       CHECK:   %[[BYTES:.*]] = arith.constant 268435456 : i64
//       CHECK:   llvm.getelementptr %[[BASE]][%[[BYTES]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
//       CHECK:   %[[MORE:.*]] = arith.constant 402653184 : i64
//       CHECK:   llvm.getelementptr %[[BASE]][%[[MORE]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
tile.kernel @far(%x: memref<4x33554432xf32>, %y: memref<4x32xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x33554432xf32> -> tensor<4x32xf32, #rows>
  tile.store %0, %y[%c0, %c0] : tensor<4x32xf32, #rows>, memref<4x32xf32>
  tile.return
}
