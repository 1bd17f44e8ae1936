// Factors whose rows begin within words: what brings them to shared memory.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads --fuse-threads-to-llvm --fuse-nvvm-to-binary=chip=sm_90a -o /dev/null

#acc = #tile.layout<cell = [64, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#rows = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>
#few = #tile.layout<cell = [64, 16] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0]]>
#left = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#right = #tile.shared<cell = [64, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>

// All chunks of up to four vectors are asked for together, and what has come is put
// down before others are asked for. One fence is for both factors, and none waits
// for the first of them while the second could be on its way.
// CHECK-LABEL: llvm.func @factors
//       CHECK:   llvm.inline_asm "{{([^"]*ld.global.nc.v4.b32){8}[^"]*}}"
//   CHECK-NOT:   ld.global
// CHECK-COUNT-4: llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
//   CHECK-NOT:   fence.proxy.async
//       CHECK:   llvm.inline_asm "{{([^"]*ld.global.nc.v4.b32){2}[^"]*}}"
//   CHECK-NOT:   ld.global
//       CHECK:   llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
//       CHECK:   fence.proxy.async
//   CHECK-NOT:   fence.proxy.async
//       CHECK:   nvvm.barrier0
//       CHECK:   wgmma.mma_async
tile.kernel @factors(%x: memref<64x65xbf16>, %w: memref<64x17xbf16>, %y: memref<64x16xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.load %x[%c0, %c1] : memref<64x65xbf16> -> tensor<64x64xbf16, #rows>
  %a1 = tile.convert_layout %a : tensor<64x64xbf16, #rows> -> tensor<64x64xbf16, #left>
  %b = tile.load %w[%c0, %c1] : memref<64x17xbf16> -> tensor<64x16xbf16, #few>
  %b1 = tile.convert_layout %b : tensor<64x16xbf16, #few> -> tensor<64x16xbf16, #right>
  %start = arith.constant dense<0.0> : tensor<64x16xf32, #acc>
  %d = tile.dot %a1, %b1, %start atom = wgmma : tensor<64x64xbf16, #left>, tensor<64x16xbf16, #right> -> tensor<64x16xf32, #acc>
  tile.store %d, %y[%c0, %c0] : tensor<64x16xf32, #acc>, memref<64x16xf32>
  tile.return
}

// What is also computed with stays in registers.
// CHECK-LABEL: llvm.func @both
//       CHECK:   llvm.inline_asm "{{([^"]*ld.global.nc.v4.b32){8}[^"]*}}"
//       CHECK:   arith.mulf
//       CHECK:   llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
tile.kernel @both(%x: memref<64x65xbf16>, %y: memref<64x64xbf16>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.load %x[%c0, %c1] : memref<64x65xbf16> -> tensor<64x64xbf16, #rows>
  %twice = arith.mulf %a, %a : tensor<64x64xbf16, #rows>
  %a1 = tile.convert_layout %twice : tensor<64x64xbf16, #rows> -> tensor<64x64xbf16, #left>
  %a2 = tile.convert_layout %a1 : tensor<64x64xbf16, #left> -> tensor<64x64xbf16, #rows>
  tile.store %a2, %y[%c0, %c0] : tensor<64x64xbf16, #rows>, memref<64x64xbf16>
  tile.return
}
