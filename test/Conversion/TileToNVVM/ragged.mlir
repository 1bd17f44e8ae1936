// Vectors of which a part is in front of the row, or behind it.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads --fuse-threads-to-llvm -o /dev/null

#v4 = #tile.layout<cell = [128] reg = [[1], [2]] lane = [[4], [8], [16], [32], [64]]>

// What is beside the row is read, where it is memory: its last number is alone in
// its chunk. Vectors are written where they count as a whole, those that may have a
// start in them number by number else, and the last one by who has it.
// CHECK-LABEL: llvm.func @row
//       CHECK:   ld.global.nc.v4.b32
//       CHECK:   ld.global.nc.b32
//   CHECK-NOT:   ld.global
//       CHECK:   st.global.v4.b32
// CHECK-COUNT-4: st.global.b32
//   CHECK-NOT:   st.global
tile.kernel @row(%x: memref<9x101xf32>, %y: memref<9x101xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 101 : index
  %by = arith.remui %i, %c4 : index
  %at = arith.subi %c0, %by : index
  %end = arith.addi %by, %n : index
  %0 = tile.load %x[%i, %at] map (d0) -> (0, d0) from(%by) limits(%end) axes [0] : memref<9x101xf32> -> tensor<128xf32, #v4>
  tile.store %0, %y[%i, %at] map (d0) -> (0, d0) from(%by) limits(%end) axes [0] : tensor<128xf32, #v4>, memref<9x101xf32>
  tile.return
}

// Without a start none but the last one is written so, on one branch.
// CHECK-LABEL: llvm.func @end
//       CHECK:   st.global.v4.b32
//       CHECK:   scf.if
// CHECK-COUNT-3: st.global.b32
//   CHECK-NOT:   st.global
tile.kernel @end(%x: memref<128xf32>, %y: memref<101xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %n = arith.constant 101 : index
  %0 = tile.load %x[%c0] : memref<128xf32> -> tensor<128xf32, #v4>
  tile.store %0, %y[%c0] limits(%n) axes [0] : tensor<128xf32, #v4>, memref<101xf32>
  tile.return
}

// Somebody sees what is beside the row, so that it has to be 0.
// CHECK-LABEL: llvm.func @seen
//       CHECK:   ld.global.nc.v4.b32
// CHECK-COUNT-4: arith.select
//       CHECK:   llvm.return
tile.kernel @seen(%x: memref<8x101xf32>, %y: memref<128xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 101 : index
  %by = arith.remui %i, %c4 : index
  %at = arith.subi %c0, %by : index
  %end = arith.addi %by, %n : index
  %0 = tile.load %x[%i, %at] map (d0) -> (0, d0) from(%by) limits(%end) axes [0] : memref<8x101xf32> -> tensor<128xf32, #v4>
  tile.store %0, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}

// A mask with another limit does not hide what is beside the row.
// CHECK-LABEL: llvm.func @masked_elsewhere
//       CHECK:   ld.global.nc.v4.b32
// CHECK-COUNT-5: arith.select
//       CHECK:   llvm.return
tile.kernel @masked_elsewhere(%x: memref<8x101xf32>, %y: memref<128xf32>) outputs 1 blocks(%i, %other) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 101 : index
  %by = arith.remui %i, %c4 : index
  %at = arith.subi %c0, %by : index
  %end = arith.addi %by, %n : index
  %0 = tile.load %x[%i, %at] map (d0) -> (0, d0) from(%by) limits(%end) axes [0] : memref<8x101xf32> -> tensor<128xf32, #v4>
  %1 = tile.mask %0 from(%by) limits(%other) axes [0] : tensor<128xf32, #v4> else 0.0
  tile.store %1, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}

// That an index is no rest of the row's place makes it single numbers.
// CHECK-LABEL: llvm.func @other_rest
//   CHECK-NOT:   st.global.v
//       CHECK:   llvm.return
tile.kernel @other_rest(%x: memref<128xf32>, %y: memref<9x102xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 102 : index
  %by = arith.remui %i, %c4 : index
  %at = arith.subi %c0, %by : index
  %end = arith.addi %by, %n : index
  %0 = tile.load %x[%c0] : memref<128xf32> -> tensor<128xf32, #v4>
  tile.store %0, %y[%i, %at] map (d0) -> (0, d0) from(%by) limits(%end) axes [0] : tensor<128xf32, #v4>, memref<9x102xf32>
  tile.return
}

// Two numbers of a byte are no word: where a thread has no more next to each other,
// they come one by one.
#v2 = #tile.layout<cell = [64] reg = [[1]] lane = [[2], [4], [8], [16], [32]]>
// CHECK-LABEL: llvm.func @half_a_word
// CHECK-COUNT-2: ld.global.nc.u8
//   CHECK-NOT:   ld.global
// CHECK-COUNT-2: st.global.u8
//   CHECK-NOT:   st.global
//       CHECK:   llvm.return
tile.kernel @half_a_word(%x: memref<33xi1>, %y: memref<33xi1>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %n = arith.constant 33 : index
  %0 = tile.load %x[%c0] limits(%n) axes [0] : memref<33xi1> -> tensor<64xi1, #v2>
  tile.store %0, %y[%c0] limits(%n) axes [0] : tensor<64xi1, #v2>, memref<33xi1>
  tile.return
}
