// Products by four warps of numbers of 8 and 32 bits: factors from registers, the
// transposed product, sums that are apart.

// RUN: split-file %s %t
// RUN: fuse-opt %t/products.mlir --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true}),convert-tile-to-nvvm)' | FileCheck %t/products.mlir
// RUN: fuse-opt %t/slots.mlir --convert-tile-to-nvvm | FileCheck %t/slots.mlir
// RUN: fuse-opt %t/products.mlir --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true}))' | fuse-opt --fuse-staged-to-threads --fuse-threads-to-llvm --fuse-nvvm-to-binary=chip=sm_90a -o /dev/null

//--- products.mlir
// Both lie along k: two descriptors, and steps of 32 k. Sums start at 0 (the
// first instruction's scale is 0) and are added behind the wait. Nothing says
// which way factors lie, since there is one.
// CHECK-LABEL: llvm.func @f8_along_k
//       CHECK:   %[[D:.*]] = llvm.inline_asm has_side_effects "{\0A\09.reg .b64 left, right;\0A\09wgmma.fence.sync.aligned;\0A\09add.s64 left, $4, 0;\0A\09add.s64 right, $5, 0;\0A\09wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {$0, $1, $2, $3}, left, right, 0, 1, 1;\0A\09add.s64 left, $4, 2;\0A\09add.s64 right, $5, 2;\0A\09wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {$0, $1, $2, $3}, left, right, 1, 1, 1;\0A\09wgmma.commit_group.sync.aligned;\0A\09}", "=&f,=&f,=&f,=&f,l,l"
//       CHECK:   llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"
//       CHECK:   arith.addf
tile.kernel @f8_along_k(%x: memref<64x64xf8E4M3FN>, %w: memref<8x64xf8E4M3FN>, %y: memref<64x8xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<8x64xf8E4M3FN> -> tensor<64x8xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<64x8xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x64xf8E4M3FN>, tensor<64x8xf8E4M3FN> -> tensor<64x8xf32>
  %h = arith.truncf %d : tensor<64x8xf32> to tensor<64x8xf16>
  tile.store %h, %y[%c0, %c0] : tensor<64x8xf16>, memref<64x8xf16>
  tile.return
}

// No more than 128 products are summed together: 256 k are two pieces. The first
// is added up while the second is computed.
// CHECK-LABEL: llvm.func @f8_apart
//       CHECK:   %[[D0:.*]] = llvm.inline_asm {{.*}}right, 0, 1, 1;{{.*}}left, $4, 6;{{.*}}commit_group
//       CHECK:   llvm.inline_asm {{.*}}left, $4, {{[0-9]*}};{{.*}}right, 0, 1, 1;{{.*}}commit_group
//       CHECK:   wait_group.sync.aligned 1
//       CHECK:   arith.addf
//       CHECK:   wait_group.sync.aligned 0
//       CHECK:   arith.addf
//   CHECK-NOT:   wgmma.mma_async
tile.kernel @f8_apart(%x: memref<64x256xf8E4M3FN>, %w: memref<8x256xf8E4M3FN>, %y: memref<64x8xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x256xf8E4M3FN> -> tensor<64x256xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<8x256xf8E4M3FN> -> tensor<256x8xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<64x8xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x256xf8E4M3FN>, tensor<256x8xf8E4M3FN> -> tensor<64x8xf32>
  %h = arith.truncf %d : tensor<64x8xf32> to tensor<64x8xf16>
  tile.store %h, %y[%c0, %c0] : tensor<64x8xf16>, memref<64x8xf16>
  tile.return
}

// Of a bf16 fewer digits are seen, and 256 products are one piece.
// CHECK-LABEL: llvm.func @f8_to_bf16
//       CHECK:   llvm.inline_asm {{.*}}right, 0, 1, 1;{{.*}}left, $4, 6;{{.*}}right, 1, 1, 1;{{.*}}commit_group
//       CHECK:   wait_group.sync.aligned 0
//       CHECK:   arith.addf
//   CHECK-NOT:   wgmma.mma_async
tile.kernel @f8_to_bf16(%x: memref<64x256xf8E4M3FN>, %w: memref<8x256xf8E4M3FN>, %y: memref<64x8xbf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x256xf8E4M3FN> -> tensor<64x256xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<8x256xf8E4M3FN> -> tensor<256x8xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<64x8xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x256xf8E4M3FN>, tensor<256x8xf8E4M3FN> -> tensor<64x8xf32>
  %h = arith.truncf %d : tensor<64x8xf32> to tensor<64x8xbf16>
  tile.store %h, %y[%c0, %c0] : tensor<64x8xbf16>, memref<64x8xbf16>
  tile.return
}

// The right factor runs along n: four words of it, and the left one's
// descriptor.
// CHECK-LABEL: llvm.func @tf32_transposed
//       CHECK:   %[[D:.*]] = llvm.inline_asm has_side_effects "{\0A\09.reg .b64 left, right;\0A\09wgmma.fence.sync.aligned;\0A\09add.s64 right, $16, 0;\0A\09wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$8, $9, $10, $11}, right, 1, 1, 1;\0A\09add.s64 right, $16, 2;\0A\09wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$12, $13, $14, $15}, right, 1, 1, 1;\0A\09wgmma.commit_group.sync.aligned;\0A\09}", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r,l"
//       CHECK:   llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"
tile.kernel @tf32_transposed(%x: memref<8x16xf32>, %w: memref<16x64xf32>, %y: memref<8x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x16xf32> -> tensor<8x16xf32>
  %b = tile.load %w[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %start = arith.constant dense<1.0> : tensor<8x64xf32>
  %d = tile.dot %a, %b, %start precision = tf32 : tensor<8x16xf32>, tensor<16x64xf32> -> tensor<8x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<8x64xf32>, memref<8x64xf32>
  tile.return
}

// 192 rows of the left factor give columns, 64 at a time at most: four blocks of
// 48 share what they take of the right one. Each writes to the registers of the
// last but one, when those have been added up.
// CHECK-LABEL: llvm.func @f8_blocks
//       CHECK:   m64n48k32.f32.e4m3.e4m3 {{.*}}, {$24, $25, $26, $27}, right, 0, 1, 1;{{.*}}commit_group{{.*}}" %[[W0:[0-9]+]], %[[W1:[0-9]+]], %[[W2:[0-9]+]], %[[W3:[0-9]+]], %[[X:[0-9]+]] :
//       CHECK:   m64n48k32.f32.e4m3.e4m3 {{.*}}, {$24, $25, $26, $27}, right, 0, 1, 1;{{.*}}commit_group{{.*}}" %[[W0]], %[[W1]], %[[W2]], %[[W3]], %[[X]] :
//       CHECK:   wait_group.sync.aligned 1
//       CHECK:   %[[FREE:[0-9]+]]:24 = vector.to_elements
//       CHECK:   arith.addf
//       CHECK:   m64n48k32.f32.e4m3.e4m3 {{.*}}, {$48, $49, $50, $51}, right, 0, 1, 1;{{.*}}commit_group{{.*}},22,23,r,r,r,r,l" %[[FREE]]#0, {{.*}}%[[W0]], %[[W1]], %[[W2]], %[[W3]], %[[X]] :
//       CHECK:   wait_group.sync.aligned 1
//       CHECK:   wgmma.mma_async
//       CHECK:   wait_group.sync.aligned 1
//       CHECK:   wait_group.sync.aligned 0
//   CHECK-NOT:   wgmma.mma_async
tile.kernel @f8_blocks(%x: memref<192x32xf8E4M3FN>, %w: memref<32x64xf8E4M3FN>, %y: memref<192x64xf16>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<192x32xf8E4M3FN> -> tensor<192x32xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] : memref<32x64xf8E4M3FN> -> tensor<32x64xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<192x64xf32>
  %d = tile.dot %a, %b, %zero : tensor<192x32xf8E4M3FN>, tensor<32x64xf8E4M3FN> -> tensor<192x64xf32>
  %h = arith.truncf %d : tensor<192x64xf32> to tensor<192x64xf16>
  tile.store %h, %y[%c0, %c0] : tensor<192x64xf16>, memref<192x64xf16>
  tile.return
}

//--- slots.mlir
#bytes = #tile.shared<cell = [64, 32] offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [0, 1], [16, 2], [32, 4], [0, 8], [0, 16]]>
#a8 = #tile.layout<cell = [64, 32] reg = [[0, 1], [0, 2], [1, 0], [0, 16]] lane = [[0, 4], [0, 8], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0]]>
#words = #tile.shared<cell = [64, 8] offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [4, 1], [8, 2], [16, 4], [32, 0]]>
#a32 = #tile.layout<cell = [64, 8] reg = [[1, 0], [0, 4]] lane = [[0, 1], [0, 2], [2, 0], [16, 0], [4, 0]] warp = [[8, 0], [32, 0]]>

// Threads read slots of rings: bytes that run along the rows by one ldmatrix,
// words by two.
// CHECK-LABEL: llvm.func @slots
// CHECK-COUNT-1:   nvvm.ldmatrix {{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32
//     CHECK-NOT:   nvvm.ldmatrix
// CHECK-COUNT-2:   llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
//     CHECK-NOT:   llvm.load
//         CHECK:   llvm.return
tile.kernel @slots(%x: memref<64x32xf8E4M3FN>, %y: memref<64x32xf8E4M3FN>, %z: memref<64x8xf32>) outputs 2 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : <2 x (tensor<64x32xf8E4M3FN, #bytes>, tensor<64x8xf32, #words>)>
  %s:2 = tile.wait %r[%c0] : !tile.ring<2 x (tensor<64x32xf8E4M3FN, #bytes>, tensor<64x8xf32, #words>)>
  %t = tile.convert_layout %s#0 : tensor<64x32xf8E4M3FN, #bytes> -> tensor<64x32xf8E4M3FN, #a8>
  %u = tile.convert_layout %s#1 : tensor<64x8xf32, #words> -> tensor<64x8xf32, #a32>
  tile.store %t, %y[%c0, %c0] : tensor<64x32xf8E4M3FN, #a8>, memref<64x32xf8E4M3FN>
  tile.store %u, %z[%c0, %c0] : tensor<64x8xf32, #a32>, memref<64x8xf32>
  tile.return
}
