// Which dots four warps do together where a GPU has instructions for it, and
// how many warps that takes.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true}))' | FileCheck %s
// RUN: fuse-opt %s --tile-assign-layouts | FileCheck %s --check-prefix=NONE

// NONE-NOT: atom = wgmma

// Both factors are read from memory, as it has them: the left one along k, the
// right one along n. Each group has 64 rows.
// CHECK-LABEL: tile.kernel @both_in_memory(
//  CHECK-SAME:   tile.warps = 8 : i64
//       CHECK:   tile.dot {{.*}} atom = wgmma : tensor<128x64xf16, #tile.shared<cell = [128, 64] offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>>, tensor<64x128xf16, #tile.shared<cell = [64, 128] offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64]]>> -> tensor<128x128xf32, #tile.layout<cell = [128, 128] reg = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]] lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = {{\[\[}}16, 0], [32, 0], [64, 0]]>>
tile.kernel @both_in_memory(%x: memref<128x64xf16>, %w: memref<64x128xf16>, %y: memref<128x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf16> -> tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// Blocks of 12 warps that share a processor have 80 registers a thread if there
// are two, in which no instruction of 128 columns finds a place for its sums.
// CHECK-LABEL: tile.kernel @too_many_blocks(
//  CHECK-SAME:   tile.residents = 1 : i64
tile.kernel @too_many_blocks(%x: memref<128x64xf16>, %w: memref<64x128xf16>, %y: memref<128x128xf32>) outputs 1 blocks() attributes {tile.residents = 2} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf16> -> tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// 64 do.
// CHECK-LABEL: tile.kernel @two_blocks(
//  CHECK-SAME:   tile.residents = 2 : i64
tile.kernel @two_blocks(%x: memref<128x64xf16>, %w: memref<64x64xf16>, %y: memref<128x64xf32>) outputs 1 blocks() attributes {tile.residents = 2} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x64xf32>, memref<128x64xf32>
  tile.return
}

// The fewest rows and warps.
// CHECK-LABEL: tile.kernel @bf16(
//  CHECK-SAME:   tile.warps = 4 : i64
//       CHECK:   tile.dot {{.*}} atom = wgmma
tile.kernel @bf16(%x: memref<64x32xbf16>, %w: memref<32x64xbf16>, %y: memref<64x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x32xbf16> -> tensor<64x32xbf16>
  %b = tile.load %w[%c0, %c0] : memref<32x64xbf16> -> tensor<32x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// Four warps have 64 rows, however large the sum is: with eight of them columns
// would be divided, which wgmma cannot.
// CHECK-LABEL: tile.kernel @few_rows(
//  CHECK-SAME:   tile.warps = 4 : i64
//       CHECK:   tile.dot {{.*}} atom = wgmma
tile.kernel @few_rows(%x: memref<64x32xbf16>, %w: memref<32x256xbf16>, %y: memref<64x256xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x32xbf16> -> tensor<64x32xbf16>
  %b = tile.load %w[%c0, %c0] : memref<32x256xbf16> -> tensor<32x256xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x32xbf16>, tensor<32x256xbf16> -> tensor<64x256xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x256xf32>, memref<64x256xf32>
  tile.return
}

// As many warps as asked for, and fewer than one would take.
// CHECK-LABEL: tile.kernel @asked(
//  CHECK-SAME:   tile.warps = 4 : i64
//       CHECK:   tile.dot {{.*}} atom = wgmma
tile.kernel @asked(%x: memref<128x64xf16>, %w: memref<64x128xf16>, %y: memref<128x128xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf16> -> tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// 16 warps would need 256 rows; then columns are divided, which wgmma cannot.
// CHECK-LABEL: tile.kernel @asked_more(
//  CHECK-SAME:   tile.warps = 16 : i64
//       CHECK:   tile.dot {{.*}} atom = mma
tile.kernel @asked_more(%x: memref<128x64xf16>, %w: memref<64x128xf16>, %y: memref<128x128xf32>) outputs 1 blocks() attributes {tile.warps = 16} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf16> -> tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// No group of four.
// CHECK-LABEL: tile.kernel @two_warps(
//  CHECK-SAME:   tile.warps = 2 : i64
//       CHECK:   tile.dot {{.*}} atom = mma
tile.kernel @two_warps(%x: memref<128x64xf16>, %w: memref<64x64xf16>, %y: memref<128x64xf32>) outputs 1 blocks() attributes {tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x64xf32>, memref<128x64xf32>
  tile.return
}

// 192 sums in each thread fit in its registers.
// CHECK-LABEL: tile.kernel @most_sums(
//  CHECK-SAME:   tile.warps = 4 : i64
//       CHECK:   tile.dot {{.*}} atom = wgmma
tile.kernel @most_sums(%x: memref<128x64xf16>, %w: memref<64x192xf16>, %y: memref<128x192xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x192xf16> -> tensor<64x192xf16>
  %zero = arith.constant dense<0.0> : tensor<128x192xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf16>, tensor<64x192xf16> -> tensor<128x192xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x192xf32>, memref<128x192xf32>
  tile.return
}

// 256 do not.
// CHECK-LABEL: tile.kernel @too_many_sums(
//  CHECK-SAME:   tile.warps = 4 : i64
//       CHECK:   tile.dot {{.*}} atom = mma
tile.kernel @too_many_sums(%x: memref<128x64xf16>, %w: memref<64x256xf16>, %y: memref<128x256xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x256xf16> -> tensor<64x256xf16>
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x256xf32>, memref<128x256xf32>
  tile.return
}

// Where rows are few but columns enough, the product is the transposed one:
// warps follow each other along columns.
// CHECK-LABEL: tile.kernel @rows_8(
//       CHECK:   tile.dot {{.*}} atom = wgmma {{.*}} -> tensor<8x128xf32, #tile.layout<cell = [8, 128] {{.*}} warp = {{\[\[}}0, 16], [0, 32]]>>
tile.kernel @rows_8(%x: memref<8x64xf16>, %w: memref<64x128xf16>, %y: memref<8x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x64xf16> -> tensor<8x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf16> -> tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<8x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<8x64xf16>, tensor<64x128xf16> -> tensor<8x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<8x128xf32>, memref<8x128xf32>
  tile.return
}

// Along k or not, as 16 bits always may.
// CHECK-LABEL: tile.kernel @rows_96(
//       CHECK:   tile.dot {{.*}} atom = wgmma {{.*}} warp = {{\[\[}}0, 16], [0, 32], [0, 64]]
tile.kernel @rows_96(%x: memref<96x64xf16>, %w: memref<128x64xf16>, %y: memref<96x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<96x64xf16> -> tensor<96x64xf16>
  %b = tile.load %w[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<128x64xf16> -> tensor<64x128xf16>
  %zero = arith.constant dense<0.0> : tensor<96x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<96x64xf16>, tensor<64x128xf16> -> tensor<96x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<96x128xf32>, memref<96x128xf32>
  tile.return
}

// Everything below is for other instructions. Rows come by 64, or columns do.
// CHECK-LABEL: tile.kernel @columns_96(
//       CHECK:   tile.dot {{.*}} atom = mma
tile.kernel @columns_96(%x: memref<32x64xf16>, %w: memref<64x96xf16>, %y: memref<32x96xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<32x64xf16> -> tensor<32x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x96xf16> -> tensor<64x96xf16>
  %zero = arith.constant dense<0.0> : tensor<32x96xf32>
  %d = tile.dot %a, %b, %zero : tensor<32x64xf16>, tensor<64x96xf16> -> tensor<32x96xf32>
  tile.store %d, %y[%c0, %c0] : tensor<32x96xf32>, memref<32x96xf32>
  tile.return
}

// A step along k is 16, with every instruction for 16 bits.
// CHECK-LABEL: tile.kernel @depth_8(
//       CHECK:   tile.dot {{.*}} atom = outer
tile.kernel @depth_8(%x: memref<128x8xf16>, %w: memref<8x128xf16>, %y: memref<128x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x8xf16> -> tensor<128x8xf16>
  %b = tile.load %w[%c0, %c0] : memref<8x128xf16> -> tensor<8x128xf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x8xf16>, tensor<8x128xf16> -> tensor<128x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// Eight columns are no row of 32 bytes, so the right factor lies along k.
// CHECK-LABEL: tile.kernel @columns_8(
//       CHECK:   tile.dot {{.*}} atom = wgmma
tile.kernel @columns_8(%x: memref<64x16xf16>, %w: memref<16x8xf16>, %y: memref<64x8xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x16xf16> -> tensor<64x16xf16>
  %b = tile.load %w[%c0, %c0] : memref<16x8xf16> -> tensor<16x8xf16>
  %zero = arith.constant dense<0.0> : tensor<64x8xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x16xf16>, tensor<16x8xf16> -> tensor<64x8xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x8xf32>, memref<64x8xf32>
  tile.return
}

// Numbers of 32 and 8 bits are read along k only. Here both lie so.
// CHECK-LABEL: tile.kernel @tf32_along_k(
//       CHECK:   tile.dot {{.*}} atom = wgmma : tensor<128x64xf32, #tile.shared<cell = [128, 64] offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0], [64, 0], [0, 32]]>>, tensor<64x128xf32, #tile.shared<cell = [64, 128] offset = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [4, 1], [8, 2], [16, 4], [0, 8], [0, 16], [0, 32], [0, 64], [32, 0]]>> -> tensor<128x128xf32, #tile.layout<cell = [128, 128] reg = {{\[\[}}0, 1], [8, 0], [0, 8],
tile.kernel @tf32_along_k(%x: memref<128x64xf32>, %w: memref<128x64xf32>, %y: memref<128x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf32> -> tensor<128x64xf32>
  %b = tile.load %w[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<128x64xf32> -> tensor<64x128xf32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero precision = tf32 : tensor<128x64xf32>, tensor<64x128xf32> -> tensor<128x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @f8_along_k(
//       CHECK:   tile.dot {{.*}} atom = wgmma : tensor<128x64xf8E4M3FN, #tile.shared<cell = [128, 64] offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 16], [4, 32], {{.*}}>>, tensor<64x128xf8E4M3FN, #tile.shared<cell = [64, 128] offset = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [0, 1], [16, 2], [32, 4],
tile.kernel @f8_along_k(%x: memref<128x64xf8E4M3FN>, %w: memref<128x64xf8E4M3FN>, %y: memref<128x128xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<128x64xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
  %h = arith.truncf %d : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %h, %y[%c0, %c0] : tensor<128x128xf16>, memref<128x128xf16>
  tile.return
}

// The right factor runs along n: its columns become the instruction's rows, which
// come from registers, and so do those of the result. A thread has neighbouring
// columns of both.
// CHECK-LABEL: tile.kernel @tf32(
//       CHECK:   tile.dot {{.*}} atom = wgmma : tensor<128x64xf32, #tile.shared<{{.*}}>>, tensor<64x128xf32, #tile.layout<cell = [64, 128] reg = {{\[\[}}0, 1], [4, 0], [8, 0], [16, 0], [32, 0]] lane = {{\[\[}}1, 0], [2, 0], [0, 2], [0, 16], [0, 4]] warp = {{\[\[}}0, 8], [0, 32], [0, 64]]>> -> tensor<128x128xf32, #tile.layout<cell = [128, 128] reg = {{\[\[}}1, 0], [0, 1], [8, 0], [16, 0], [32, 0], [64, 0]] lane = {{\[\[}}2, 0], [4, 0], [0, 2], [0, 16], [0, 4]] warp = {{\[\[}}0, 8], [0, 32], [0, 64]]>>
tile.kernel @tf32(%x: memref<128x64xf32>, %w: memref<64x128xf32>, %y: memref<128x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf32> -> tensor<128x64xf32>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf32> -> tensor<64x128xf32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero precision = tf32 : tensor<128x64xf32>, tensor<64x128xf32> -> tensor<128x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @f8(
//       CHECK:   tile.dot {{.*}} atom = wgmma : tensor<128x64xf8E4M3FN, #tile.shared<{{.*}}>>, tensor<64x128xf8E4M3FN, #tile.layout<cell = [64, 128] reg = {{\[\[}}1, 0], [2, 0], [0, 1], [16, 0], [32, 0]] lane = {{\[\[}}4, 0], [8, 0], [0, 2], [0, 4], [0, 8]] warp = {{\[\[}}0, 16], [0, 32], [0, 64]]>> -> tensor<128x128xf32, #tile.layout<cell = [128, 128] reg = {{\[\[}}1, 0], [0, 1], [8, 0], [16, 0], [32, 0], [64, 0]] lane = {{\[\[}}2, 0], [4, 0], [0, 2], [0, 4], [0, 8]] warp = {{\[\[}}0, 16], [0, 32], [0, 64]]>>
tile.kernel @f8(%x: memref<128x64xf8E4M3FN>, %w: memref<64x128xf8E4M3FN>, %y: memref<128x128xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
  %h = arith.truncf %d : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %h, %y[%c0, %c0] : tensor<128x128xf16>, memref<128x128xf16>
  tile.return
}

// The left one does: nothing is turned round.
// CHECK-LABEL: tile.kernel @f8_left_along_m(
//       CHECK:   tile.dot {{.*}} atom = wgmma : tensor<128x64xf8E4M3FN, #tile.layout<cell = [128, 64] reg = {{\[\[}}0, 1], [0, 2], [1, 0], [0, 16], [0, 32]] lane = {{\[\[}}0, 4], [0, 8], [2, 0], [4, 0], [8, 0]] warp = {{\[\[}}16, 0], [32, 0], [64, 0]]>>, tensor<64x128xf8E4M3FN, #tile.shared<{{.*}}>> -> tensor<128x128xf32, #tile.layout<cell = [128, 128] reg = {{\[\[}}0, 1], [1, 0], [0, 8],
tile.kernel @f8_left_along_m(%x: memref<64x128xf8E4M3FN>, %w: memref<128x64xf8E4M3FN>, %y: memref<128x128xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<64x128xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<128x64xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
  %h = arith.truncf %d : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %h, %y[%c0, %c0] : tensor<128x128xf16>, memref<128x128xf16>
  tile.return
}

// Both do, and one of them would have to be turned in memory.
// CHECK-LABEL: tile.kernel @f8_none_along_k(
//       CHECK:   tile.dot {{.*}} atom = mma
tile.kernel @f8_none_along_k(%x: memref<64x128xf8E4M3FN>, %w: memref<64x128xf8E4M3FN>, %y: memref<128x128xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<64x128xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
  %h = arith.truncf %d : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %h, %y[%c0, %c0] : tensor<128x128xf16>, memref<128x128xf16>
  tile.return
}

// An f32 would show that few digits are kept of products of 8-bit numbers, and
// so would what makes errors larger.
// CHECK-LABEL: tile.kernel @f8_in_full(
//       CHECK:   tile.dot {{.*}} atom = mma
tile.kernel @f8_in_full(%x: memref<128x64xf8E4M3FN>, %w: memref<64x128xf8E4M3FN>, %y: memref<128x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @f8_exp(
//       CHECK:   tile.dot {{.*}} atom = mma
tile.kernel @f8_exp(%x: memref<128x64xf8E4M3FN>, %w: memref<64x128xf8E4M3FN>, %y: memref<128x128xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
  %e = math.exp %d : tensor<128x128xf32>
  %h = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %h, %y[%c0, %c0] : tensor<128x128xf16>, memref<128x128xf16>
  tile.return
}

// A loop carries it, and an activation is no obstacle. Of a bf16 fewer digits
// are seen than of an f16, so more products may be summed together.
// CHECK-LABEL: tile.kernel @f8_loop(
//       CHECK:   tile.dot {{.*}} atom = wgmma {tile.apart = 256 : i64} :
tile.kernel @f8_loop(%x: memref<128x256xf8E4M3FN>, %w: memref<256x128xf8E4M3FN>, %y: memref<128x128xbf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%c0, %k] : memref<128x256xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
    %b = tile.load %w[%k, %c0] : memref<256x128xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
    %d = tile.dot %a, %b, %s : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %t = math.tanh %sum : tensor<128x128xf32>
  %r = arith.maximumf %t, %zero : tensor<128x128xf32>
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xbf16>
  tile.store %h, %y[%c0, %c0] : tensor<128x128xbf16>, memref<128x128xbf16>
  tile.return
}

// Sums of numbers of 8 bits are kept apart, for which there have to be registers
// beside them: 128 and 64.
// CHECK-LABEL: tile.kernel @f8_most_sums(
//       CHECK:   tile.dot {{.*}} atom = wgmma
tile.kernel @f8_most_sums(%x: memref<128x64xf8E4M3FN>, %w: memref<64x128xf8E4M3FN>, %y: memref<128x128xf16>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
  %h = arith.truncf %d : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %h, %y[%c0, %c0] : tensor<128x128xf16>, memref<128x128xf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @f8_too_many_sums(
//       CHECK:   tile.dot {{.*}} atom = mma
tile.kernel @f8_too_many_sums(%x: memref<192x64xf8E4M3FN>, %w: memref<64x128xf8E4M3FN>, %y: memref<192x128xf16>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<192x64xf8E4M3FN> -> tensor<192x64xf8E4M3FN>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %zero = arith.constant dense<0.0> : tensor<192x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<192x64xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<192x128xf32>
  %h = arith.truncf %d : tensor<192x128xf32> to tensor<192x128xf16>
  tile.store %h, %y[%c0, %c0] : tensor<192x128xf16>, memref<192x128xf16>
  tile.return
}

// CHECK-LABEL: tile.kernel @f32(
//       CHECK:   tile.dot {{.*}} atom = outer
tile.kernel @f32(%x: memref<128x64xf32>, %w: memref<64x128xf32>, %y: memref<128x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<128x64xf32> -> tensor<128x64xf32>
  %b = tile.load %w[%c0, %c0] : memref<64x128xf32> -> tensor<64x128xf32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = tile.dot %a, %b, %zero : tensor<128x64xf32>, tensor<64x128xf32> -> tensor<128x128xf32>
  tile.store %d, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// A vector is no matrix of one column.
// CHECK-LABEL: tile.kernel @vector(
//   CHECK-NOT:   wgmma
tile.kernel @vector(%x: memref<64x64xf16>, %w: memref<64xf16>, %y: memref<64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %b = tile.load %w[%c0] : memref<64xf16> -> tensor<64xf16>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x64xf16>, tensor<64xf16> -> tensor<64xf32>
  tile.store %d, %y[%c0] : tensor<64xf32>, memref<64xf32>
  tile.return
}

// A product of products: the left factor stays in registers, where it was made.
// CHECK-LABEL: tile.kernel @chain(
//       CHECK:   %[[FIRST:.*]] = tile.dot {{.*}} atom = wgmma
//       CHECK:   %[[P:.*]] = arith.truncf %[[FIRST]]
//       CHECK:   tile.dot %{{.*}} atom = wgmma : tensor<64x64xf16, #tile.layout<{{.*}}>, tensor<64x64xf16, #tile.shared<
tile.kernel @chain(%x: memref<64x64xf16>, %w: memref<64x64xf16>, %y: memref<64x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %b = tile.load %w[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %p = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
  %e = tile.dot %p, %b, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %e, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// A batch of products is several of them.
// CHECK-LABEL: tile.kernel @batch(
//       CHECK:   tile.dot {{.*}} atom = mma
tile.kernel @batch(%x: memref<2x64x64xf16>, %y: memref<2x64x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0, %c0] : memref<2x64x64xf16> -> tensor<2x64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<2x64x64xf32>
  %d = tile.dot %a, %a, %zero batch = 1 : tensor<2x64x64xf16>, tensor<2x64x64xf16> -> tensor<2x64x64xf32>
  tile.store %d, %y[%c0, %c0, %c0] : tensor<2x64x64xf32>, memref<2x64x64xf32>
  tile.return
}

// Numbers that are split are read from shared memory by threads: the factor that
// gives the rows, which here is the right one, so that they can be split in
// registers, and the other one as the instruction wants it, too.
// CHECK-LABEL: tile.kernel @split(
//       CHECK:   tile.dot {{.*}} precision = tf32x3 atom = wgmma : tensor<8x32xf32, #tile.shared<cell = [8, 32] offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16]]>>, tensor<32x64xf32, #tile.shared<{{.*}}>> -> tensor<8x64xf32, #tile.layout<
tile.kernel @split(%x: memref<8x32xf32>, %w: memref<32x64xf32>, %y: memref<8x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x32xf32> -> tensor<8x32xf32>
  %b = tile.load %w[%c0, %c0] : memref<32x64xf32> -> tensor<32x64xf32>
  %zero = arith.constant dense<0.0> : tensor<8x64xf32>
  %d = tile.dot %a, %b, %zero precision = tf32x3 : tensor<8x32xf32>, tensor<32x64xf32> -> tensor<8x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<8x64xf32>, memref<8x64xf32>
  tile.return
}

// For fewer rows and columns it is done without tensor cores, and where there is
// no wgmma by mma.sync.
// CHECK-LABEL: tile.kernel @few_split(
//       CHECK:   tile.dot {{.*}} precision = tf32x3 atom = outer
// NONE-LABEL: tile.kernel @few_split(
//       NONE:   tile.dot {{.*}} precision = tf32x3 atom = mma
tile.kernel @few_split(%x: memref<16x32xf32>, %w: memref<32x16xf32>, %y: memref<16x16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<16x32xf32> -> tensor<16x32xf32>
  %b = tile.load %w[%c0, %c0] : memref<32x16xf32> -> tensor<32x16xf32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %a, %b, %zero precision = tf32x3 : tensor<16x32xf32>, tensor<32x16xf32> -> tensor<16x16xf32>
  tile.store %d, %y[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
  tile.return
}

// What a loop multiplies with in each of its rounds is held in registers.
// CHECK-LABEL: tile.kernel @held(
//       CHECK:   scf.for
//       CHECK:     %[[X:.*]] = tile.load
//       CHECK:     %[[HELD:.*]] = tile.convert_layout %[[X]] : {{.*}} -> tensor<128x128xbf16, #tile.layout<
//       CHECK:     tile.dot %[[HELD]], %{{.*}} atom = wgmma
tile.kernel @held(%x: memref<128x128xbf16>, %w: memref<128x1024xbf16>, %y: memref<128x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %most = scf.for %n = %c0 to %c1024 step %c128 iter_args(%m = %none) -> (tensor<128x128xf32>) {
    %row = arith.muli %c0, %c128 : index
    %a = tile.load %x[%row, %c0] : memref<128x128xbf16> -> tensor<128x128xbf16>
    %b = tile.load %w[%c0, %n] : memref<128x1024xbf16> -> tensor<128x128xbf16>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %d = tile.dot %a, %b, %zero : tensor<128x128xbf16>, tensor<128x128xbf16> -> tensor<128x128xf32>
    %1 = arith.maximumf %m, %d : tensor<128x128xf32>
    scf.yield %1 : tensor<128x128xf32>
  }
  tile.store %most, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// Two blocks on a processor have no registers for it.
// CHECK-LABEL: tile.kernel @held_by_two(
//  CHECK-SAME:   tile.residents = 2
//       CHECK:   tile.dot %{{.*}} atom = wgmma : tensor<128x128xbf16, #tile.shared<
tile.kernel @held_by_two(%x: memref<128x128xbf16>, %w: memref<128x1024xbf16>, %y: memref<128x64xf32>) outputs 1 blocks() attributes {tile.residents = 2} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a = tile.load %x[%c0, %c0] : memref<128x128xbf16> -> tensor<128x128xbf16>
  %most = scf.for %n = %c0 to %c1024 step %c64 iter_args(%m = %none) -> (tensor<128x64xf32>) {
    %b = tile.load %w[%c0, %n] : memref<128x1024xbf16> -> tensor<128x64xbf16>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %d = tile.dot %a, %b, %zero : tensor<128x128xbf16>, tensor<128x64xbf16> -> tensor<128x64xf32>
    %half = tile.load %w[%n, %c0] : memref<128x1024xbf16> -> tensor<64x64xbf16>
    %p = arith.truncf %d : tensor<128x64xf32> to tensor<128x64xbf16>
    %1 = tile.dot %p, %half, %m : tensor<128x64xbf16>, tensor<64x64xbf16> -> tensor<128x64xf32>
    scf.yield %1 : tensor<128x64xf32>
  }
  tile.store %most, %y[%c0, %c0] : tensor<128x64xf32>, memref<128x64xf32>
  tile.return
}
