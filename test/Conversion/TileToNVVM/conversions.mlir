// The three kinds of conversions, by what the layouts need.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads --fuse-threads-to-llvm -o /dev/null

#ab = #tile.layout<cell = [128] reg = [[1], [2]] lane = [[4], [8], [16], [32], [64]]>
#ba = #tile.layout<cell = [128] reg = [[2], [1]] lane = [[4], [8], [16], [32], [64]]>
#all = #tile.layout<cell = [8] reg = [[1], [2], [4]] lane = [[0], [0], [0], [0], [0]]>
#spread = #tile.layout<cell = [8] reg = [[1]] lane = [[4], [2], [0], [0], [0]]>
#two = #tile.layout<cell = [8] reg = [[1]] lane = [[2], [0], [0], [0], [4]]>
#split = #tile.layout<cell = [64] reg = [[1]] lane = [[2], [4], [8], [16], [32]]>
#joined = #tile.layout<cell = [64] reg = [[32]] lane = [[1], [2], [4], [8], [16]]>
#warps = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0], [32, 0]] lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]] warp = [[2, 0]]>
#other = #tile.layout<cell = [64, 64] reg = [[1, 0], [2, 0], [0, 4], [0, 8], [0, 16], [0, 32]] lane = [[4, 0], [8, 0], [16, 0], [32, 0], [0, 1]] warp = [[0, 2]]>

// Every thread has what it needs: other names.
// CHECK-LABEL: llvm.func @registers
//  CHECK-SAME:   tile.shared = 0
//       CHECK:   %[[X:.*]] = vector.from_elements {{.*}} : vector<4xf32>
//       CHECK:   vector.shuffle %[[X]], %[[X]] [0, 2, 1, 3]
//   CHECK-NOT:   nvvm.shfl
//   CHECK-NOT:   !llvm.ptr<3>, i32
//       CHECK:   llvm.return
tile.kernel @registers(%x: memref<128xf32>, %y: memref<128xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<128xf32> -> tensor<128xf32, #ab>
  %1 = tile.convert_layout %0 : tensor<128xf32, #ab> -> tensor<128xf32, #ba>
  tile.store %1, %y[%c0] : tensor<128xf32, #ba>, memref<128xf32>
  tile.return
}

// Every warp has.
// CHECK-LABEL: llvm.func @shuffles
//  CHECK-SAME:   tile.shared = 0
//       CHECK:   nvvm.shfl.sync
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   llvm.return
tile.kernel @shuffles(%x: memref<64xf32>, %y: memref<64xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32, #split>
  %1 = tile.convert_layout %0 : tensor<64xf32, #split> -> tensor<64xf32, #joined>
  tile.store %1, %y[%c0] : tensor<64xf32, #joined>, memref<64xf32>
  tile.return
}

// Through shared memory: written, waited for, read. Where columns become rows
// only one side moves vectors.
// CHECK-LABEL: llvm.func @shared
//  CHECK-SAME:   tile.shared = 16384
//   CHECK-NOT:   nvvm.barrier
// CHECK-COUNT-16: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
//       CHECK:   nvvm.barrier
// CHECK-COUNT-64: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<1xi32>
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   llvm.return
tile.kernel @shared(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32, #warps>
  %1 = tile.convert_layout %0 : tensor<64x64xf32, #warps> -> tensor<64x64xf32, #other>
  tile.store %1, %y[%c0, %c0] : tensor<64x64xf32, #other>, memref<64x64xf32>
  tile.return
}

// The same way back waits until everybody has read.
// CHECK-LABEL: llvm.func @back
//  CHECK-SAME:   tile.shared = 16384
//       CHECK:   llvm.store %{{.*}} !llvm.ptr<3>
//       CHECK:   nvvm.barrier
//       CHECK:   llvm.load %{{.*}} !llvm.ptr<3>
//       CHECK:   nvvm.barrier
//       CHECK:   llvm.store %{{.*}} !llvm.ptr<3>
//       CHECK:   nvvm.barrier
//       CHECK:   llvm.load %{{.*}} !llvm.ptr<3>
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   llvm.return
tile.kernel @back(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32, #warps>
  %1 = tile.convert_layout %0 : tensor<64x64xf32, #warps> -> tensor<64x64xf32, #other>
  %2 = arith.negf %1 : tensor<64x64xf32, #other>
  %3 = tile.convert_layout %2 : tensor<64x64xf32, #other> -> tensor<64x64xf32, #warps>
  tile.store %3, %y[%c0, %c0] : tensor<64x64xf32, #warps>, memref<64x64xf32>
  tile.return
}

// Two bytes that stay together are half a word, and sent as that.
// CHECK-LABEL: llvm.func @halves
//       CHECK:   vector.bitcast %{{.*}} : vector<2xi8> to vector<1xi16>
//       CHECK:   nvvm.shfl.sync
//       CHECK:   vector.bitcast %{{.*}} : vector<1xi16> to vector<2xi8>
tile.kernel @halves(%x: memref<8xi1>, %y: memref<8xi1>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<8xi1> -> tensor<8xi1, #spread>
  %1 = tile.convert_layout %0 : tensor<8xi1, #spread> -> tensor<8xi1, #two>
  tile.store %1, %y[%c0] : tensor<8xi1, #two>, memref<8xi1>
  tile.return
}

// What is only chosen among is no bytes: of halves of words ptxas took the wrong
// one, and a maximum of gathered rows lost two of them.
// CHECK-LABEL: llvm.func @chosen
//       CHECK:   arith.cmpi ne, %{{.*}} : vector<8xi8>
//   CHECK-NOT:   vector.bitcast
//       CHECK:   arith.select %{{.*}} : i1
//   CHECK-NOT:   vector.bitcast
//       CHECK:   arith.extui %{{.*}} : vector<2xi1> to vector<2xi8>
tile.kernel @chosen(%x: memref<8xi1>, %y: memref<8xi1>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<8xi1> -> tensor<8xi1, #all>
  %1 = tile.convert_layout %0 : tensor<8xi1, #all> -> tensor<8xi1, #two>
  tile.store %1, %y[%c0] : tensor<8xi1, #two>, memref<8xi1>
  tile.return
}
