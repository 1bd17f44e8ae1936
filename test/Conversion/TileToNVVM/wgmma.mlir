// Products by four warps: what their descriptors say, which pieces of assembly
// there are, and what stands between writing a factor and reading it.

// RUN: split-file %s %t
// RUN: fuse-opt %t/products.mlir --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %t/products.mlir --fuse-staged-to-threads --fuse-threads-to-llvm --fuse-nvvm-to-binary=chip=sm_90a -o /dev/null
// RUN: fuse-opt %t/invalid.mlir --convert-tile-to-nvvm --split-input-file --verify-diagnostics

//--- products.mlir
#acc = #tile.layout<cell = [64, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#acc32 = #tile.layout<cell = [64, 32] reg = [[0, 1], [8, 0], [0, 8], [0, 16]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#accblocks = #tile.layout<cell = [128, 16] reg = [[0, 1], [8, 0], [0, 8], [64, 0]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#accgroups = #tile.layout<cell = [128, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
// Where factors come from.
#v6416 = #tile.layout<cell = [64, 16] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0]]>
#v6464 = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>
#v1632 = #tile.layout<cell = [16, 32] reg = [[0, 1], [0, 2]] lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>
#v3232 = #tile.layout<cell = [32, 32] reg = [[0, 1], [0, 2], [16, 0]] lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>
#v1616 = #tile.layout<cell = [16, 16] reg = [[0, 1]] lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>
#v12816 = #tile.layout<cell = [128, 16] reg = [[0, 1], [0, 2], [0, 4], [64, 0]] lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0]]>
#w1616 = #tile.layout<cell = [16, 16] reg = [[0, 1]] lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [0, 0]]>
#w12816 = #tile.layout<cell = [128, 16] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
// Rows of 128, 64 or 32 bytes along k, or along m and n.
#k128 = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#k128n = #tile.shared<cell = [64, 16] offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8]]>
#m128 = #tile.shared<cell = [64, 16] offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8]]>
#n32 = #tile.shared<cell = [16, 32] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [0, 16]]>
#n64 = #tile.shared<cell = [32, 32] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0]]>
#k32 = #tile.shared<cell = [128, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]>
#n32s = #tile.shared<cell = [16, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#k32r = #tile.shared<cell = [64, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#plain = #tile.shared<cell = [64, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>

// Both factors are fenced before threads meet. A descriptor is the address in
// units of 16 bytes, below the distance of boxes (1, as there is one), that of
// groups of 8 rows (1024 bytes) and the kind of swizzle (1 for 128 bytes). A
// step of 16 along k is 32 bytes further on.
// CHECK-LABEL: llvm.func @k_major
//       CHECK:   llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;"
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;"
//       CHECK:   nvvm.barrier0
//       CHECK:   %[[TILE:.*]] = llvm.getelementptr %{{.*}}[8192] :
//       CHECK:   %[[ADDRESS:.*]] = llvm.ptrtoint %[[TILE]] : !llvm.ptr<3> to i32
//       CHECK:   %[[MASK:.*]] = arith.constant 262143 : i32
//       CHECK:   %[[KEPT:.*]] = arith.andi %[[ADDRESS]], %[[MASK]] : i32
//       CHECK:   %[[FOUR:.*]] = arith.constant 4 : i32
//       CHECK:   %[[UNITS:.*]] = arith.shrui %[[KEPT]], %[[FOUR]] : i32
//       CHECK:   %[[LOW:.*]] = arith.extui %[[UNITS]] : i32 to i64
//       CHECK:   %[[HIGH:.*]] = arith.constant 4611686293305360384 : i64
//       CHECK:   %[[RIGHT:.*]] = arith.ori %[[LOW]], %[[HIGH]] : i64
//       CHECK:   %[[HIGH2:.*]] = arith.constant 4611686293305360384 : i64
//       CHECK:   %[[LEFT:.*]] = arith.ori %{{.*}}, %[[HIGH2]] : i64
//       CHECK:   %[[D:.*]] = llvm.inline_asm has_side_effects "{\0A\09.reg .b64 left, right;\0A\09wgmma.fence.sync.aligned;\0A\09add.s64 left, $16, 0;\0A\09add.s64 right, $17, 0;\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, left, right, 1, 1, 1, 0, 0;\0A\09add.s64 left, $16, 2;\0A\09add.s64 right, $17, 2;\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, left, right, 1, 1, 1, 0, 0;\0A\09add.s64 left, $16, 4;\0A\09add.s64 right, $17, 4;\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, left, right, 1, 1, 1, 0, 0;\0A\09add.s64 left, $16, 6;\0A\09add.s64 right, $17, 6;\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, left, right, 1, 1, 1, 0, 0;\0A\09wgmma.commit_group.sync.aligned;\0A\09}", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,l,l" {{.*}}, %[[LEFT]], %[[RIGHT]] :
//       CHECK:   %[[D0:.*]] = llvm.extractvalue %[[D]][0]
//       CHECK:   %[[SUMS:.*]] = vector.from_elements %[[D0]],
//       CHECK:   %[[S:.*]]:8 = vector.to_elements %[[SUMS]]
//       CHECK:   llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7" %[[S]]#0,
//   CHECK-NOT:   wgmma
//       CHECK:   llvm.return
tile.kernel @k_major(%y: memref<64x16xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : tensor<64x64xf16, #v6464>
  %a1 = tile.convert_layout %a : tensor<64x64xf16, #v6464> -> tensor<64x64xf16, #k128>
  %b = arith.constant dense<1.0> : tensor<64x16xf16, #v6416>
  %b1 = tile.convert_layout %b : tensor<64x16xf16, #v6416> -> tensor<64x16xf16, #k128n>
  %start = arith.constant dense<1.0> : tensor<64x16xf32, #acc>
  %d = tile.dot %a1, %b1, %start atom = wgmma : tensor<64x64xf16, #k128>, tensor<64x16xf16, #k128n> -> tensor<64x16xf32, #acc>
  tile.store %d, %y[%c0, %c0] : tensor<64x16xf32, #acc>, memref<64x16xf32>
  tile.return
}

// Elements follow each other along m and n. The right factor has two boxes of 32
// bytes, 512 bytes apart, and 256 bytes between groups of 8 k.
// CHECK-LABEL: llvm.func @mn_major
//       CHECK:   %[[CONSTRIGHT:.*]] = arith.constant -4611685949705814016 : i64
//       CHECK:   %[[RIGHT:.*]] = arith.ori %{{.*}}, %[[CONSTRIGHT]] : i64
//       CHECK:   %[[CONSTLEFT:.*]] = arith.constant 4611686293305360384 : i64
//       CHECK:   %[[LEFT:.*]] = arith.ori %{{.*}}, %[[CONSTLEFT]] : i64
//       CHECK:   llvm.inline_asm has_side_effects "{\0A\09.reg .b64 left, right;\0A\09wgmma.fence.sync.aligned;\0A\09add.s64 left, $32, 0;\0A\09add.s64 right, $33, 0;\0A\09wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, left, right, 1, 1, 1, 1, 1;\0A\09wgmma.commit_group.sync.aligned;\0A\09}", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,l,l" {{.*}}, %[[LEFT]], %[[RIGHT]] :
tile.kernel @mn_major(%y: memref<64x32xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : tensor<64x16xbf16, #v6416>
  %a1 = tile.convert_layout %a : tensor<64x16xbf16, #v6416> -> tensor<64x16xbf16, #m128>
  %b = arith.constant dense<1.0> : tensor<16x32xbf16, #v1632>
  %b1 = tile.convert_layout %b : tensor<16x32xbf16, #v1632> -> tensor<16x32xbf16, #n32>
  %start = arith.constant dense<1.0> : tensor<64x32xf32, #acc32>
  %d = tile.dot %a1, %b1, %start atom = wgmma : tensor<64x16xbf16, #m128>, tensor<16x32xbf16, #n32> -> tensor<64x32xf32, #acc32>
  tile.store %d, %y[%c0, %c0] : tensor<64x32xf32, #acc32>, memref<64x32xf32>
  tile.return
}

// A left factor in registers has four words a step: rows 0 and 8, then the same
// 8 columns on. Rows of 64 bytes are swizzle 2, and a step is 16 of them.
// CHECK-LABEL: llvm.func @registers
//       CHECK:   %[[CONSTRIGHT:.*]] = arith.constant -9223371899415756800 : i64
//       CHECK:   %[[RIGHT:.*]] = arith.ori %{{.*}}, %[[CONSTRIGHT]] : i64
//       CHECK:   %[[A:.*]]:16 = vector.to_elements %{{.*}} : vector<16xf16>
//       CHECK:   vector.from_elements %[[A]]#0, %[[A]]#1 :
//       CHECK:   vector.from_elements %[[A]]#2, %[[A]]#3 :
//       CHECK:   vector.from_elements %[[A]]#4, %[[A]]#5 :
//       CHECK:   vector.from_elements %[[A]]#6, %[[A]]#7 :
//       CHECK:   vector.from_elements %[[A]]#8, %[[A]]#9 :
//       CHECK:   llvm.inline_asm has_side_effects "{\0A\09.reg .b64 left, right;\0A\09wgmma.fence.sync.aligned;\0A\09add.s64 right, $40, 0;\0A\09wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, {$32, $33, $34, $35}, right, 1, 1, 1, 1;\0A\09add.s64 right, $40, 64;\0A\09wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, {$36, $37, $38, $39}, right, 1, 1, 1, 1;\0A\09wgmma.commit_group.sync.aligned;\0A\09}", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,r,r,r,r,r,r,r,r,l" {{.*}}, %[[RIGHT]] :
tile.kernel @registers(%y: memref<64x32xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : tensor<64x32xf16, #acc32>
  %b = arith.constant dense<1.0> : tensor<32x32xf16, #v3232>
  %b1 = tile.convert_layout %b : tensor<32x32xf16, #v3232> -> tensor<32x32xf16, #n64>
  %start = arith.constant dense<1.0> : tensor<64x32xf32, #acc32>
  %d = tile.dot %a, %b1, %start atom = wgmma : tensor<64x32xf16, #acc32>, tensor<32x32xf16, #n64> -> tensor<64x32xf32, #acc32>
  tile.store %d, %y[%c0, %c0] : tensor<64x32xf32, #acc32>, memref<64x32xf32>
  tile.return
}

// Four warps with two blocks of 64 rows: the second one starts 2048 bytes on.
// Together they are one group, for whose 16 sums one wait is enough.
// CHECK-LABEL: llvm.func @blocks
//   CHECK-NOT:   nvvm.shfl
//       CHECK:   llvm.inline_asm has_side_effects "{\0A\09.reg .b64 left, right;\0A\09wgmma.fence.sync.aligned;\0A\09add.s64 left, $32, 0;\0A\09add.s64 right, $33, 0;\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, left, right, 1, 1, 1, 0, 1;\0A\09add.s64 left, $32, 128;\0A\09add.s64 right, $33, 0;\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$8, $9, $10, $11, $12, $13, $14, $15}, left, right, 1, 1, 1, 0, 1;\0A\09wgmma.commit_group.sync.aligned;\0A\09}", {{.*}} %[[C:.*]]#0, %[[C]]#1, {{.*}}, %[[C]]#15, %{{.*}}, %{{.*}} : (f32
//       CHECK:   llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
//   CHECK-NOT:   wgmma
//       CHECK:   llvm.return
tile.kernel @blocks(%y: memref<128x16xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : tensor<128x16xf16, #v12816>
  %a1 = tile.convert_layout %a : tensor<128x16xf16, #v12816> -> tensor<128x16xf16, #k32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16, #v1616>
  %b1 = tile.convert_layout %b : tensor<16x16xf16, #v1616> -> tensor<16x16xf16, #n32s>
  %start = arith.constant dense<1.0> : tensor<128x16xf32, #accblocks>
  %d = tile.dot %a1, %b1, %start atom = wgmma : tensor<128x16xf16, #k32>, tensor<16x16xf16, #n32s> -> tensor<128x16xf32, #accblocks>
  tile.store %d, %y[%c0, %c0] : tensor<128x16xf32, #accblocks>, memref<128x16xf32>
  tile.return
}

// Eight warps with one block each four: a group adds its own 2048 bytes to the
// address, and its number is the same register in all lanes.
// CHECK-LABEL: llvm.func @groups
//       CHECK:   %[[NUMBER:.*]] = arith.shrui %{{.*}}, %c7_i32{{[_0-9]*}} : i32
//       CHECK:   %[[GROUP:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[NUMBER]],
//       CHECK:   %[[BYTES:.*]] = arith.constant 2048 : i32
//       CHECK:   %[[OWN:.*]] = arith.muli %[[GROUP]], %[[BYTES]] : i32
//       CHECK:   %[[ADDRESS:.*]] = arith.addi %{{.*}}, %[[OWN]] : i32
//       CHECK:   arith.andi %[[ADDRESS]],
//       CHECK:   llvm.inline_asm has_side_effects "{\0A\09.reg .b64 left, right;\0A\09wgmma.fence.sync.aligned;\0A\09add.s64 left, $16, 0;\0A\09add.s64 right, $17, 0;\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, left, right, 1, 1, 1, 0, 1;\0A\09wgmma.commit_group.sync.aligned;\0A\09}"
//       CHECK:   wgmma.wait_group
//   CHECK-NOT:   wgmma
//       CHECK:   llvm.return
tile.kernel @groups(%y: memref<128x16xf32>) outputs 1 blocks() attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : tensor<128x16xf16, #w12816>
  %a1 = tile.convert_layout %a : tensor<128x16xf16, #w12816> -> tensor<128x16xf16, #k32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16, #w1616>
  %b1 = tile.convert_layout %b : tensor<16x16xf16, #w1616> -> tensor<16x16xf16, #n32s>
  %start = arith.constant dense<1.0> : tensor<128x16xf32, #accgroups>
  %d = tile.dot %a1, %b1, %start atom = wgmma : tensor<128x16xf16, #k32>, tensor<16x16xf16, #n32s> -> tensor<128x16xf32, #accgroups>
  tile.store %d, %y[%c0, %c0] : tensor<128x16xf32, #accgroups>, memref<128x16xf32>
  tile.return
}

// What cp.async wrote is fenced behind the wait, by each thread for its own.
// CHECK-LABEL: llvm.func @ring
//       CHECK:   nvvm.cp.async.wait.group 1
//  CHECK-NEXT:   llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;"
//  CHECK-NEXT:   nvvm.barrier0
//       CHECK:   wgmma.mma_async
!r = !tile.ring<2 x (tensor<16x16xf16, #n32s>)>
tile.kernel @ring(%x: memref<16x16xf16>, %y: memref<128x16xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !r
  %a = arith.constant dense<1.0> : tensor<128x16xf16, #accblocks>
  %start = arith.constant dense<1.0> : tensor<128x16xf32, #accblocks>
  %b = tile.wait %r[%i] behind 1 : !r
  %d = tile.dot %a, %b, %start atom = wgmma : tensor<128x16xf16, #accblocks>, tensor<16x16xf16, #n32s> -> tensor<128x16xf32, #accblocks>
  tile.store %d, %y[%c0, %c0] : tensor<128x16xf32, #accblocks>, memref<128x16xf32>
  tile.return
}

// Other instructions read by themselves, so that nothing has to be fenced.
// CHECK-LABEL: llvm.func @no_fence
//   CHECK-NOT:   fence.proxy
//       CHECK:   nvvm.mma.sync
//   CHECK-NOT:   fence.proxy
//       CHECK:   llvm.return
tile.kernel @no_fence(%y: memref<128x16xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : tensor<128x16xf16, #v12816>
  %a1 = tile.convert_layout %a : tensor<128x16xf16, #v12816> -> tensor<128x16xf16, #k32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16, #v1616>
  %b1 = tile.convert_layout %b : tensor<16x16xf16, #v1616> -> tensor<16x16xf16, #n32s>
  %start = arith.constant dense<1.0> : tensor<128x16xf32, #accblocks>
  %d = tile.dot %a1, %b1, %start atom = mma : tensor<128x16xf16, #k32>, tensor<16x16xf16, #n32s> -> tensor<128x16xf32, #accblocks>
  tile.store %d, %y[%c0, %c0] : tensor<128x16xf32, #accblocks>, memref<128x16xf32>
  tile.return
}

//--- invalid.mlir
#other = #tile.layout<cell = [64, 16] reg = [[0, 1], [0, 8], [8, 0]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#v6416 = #tile.layout<cell = [64, 16] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0]]>
#v6464 = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>
#k128 = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#k128n = #tile.shared<cell = [64, 16] offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8]]>
tile.kernel @k(%y: memref<64x16xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : tensor<64x64xf16, #v6464>
  %a1 = tile.convert_layout %a : tensor<64x64xf16, #v6464> -> tensor<64x64xf16, #k128>
  %b = arith.constant dense<1.0> : tensor<64x16xf16, #v6416>
  %b1 = tile.convert_layout %b : tensor<64x16xf16, #v6416> -> tensor<64x16xf16, #k128n>
  %start = arith.constant dense<1.0> : tensor<64x16xf32, #other>
  // expected-error @+1 {{has an accumulator that is not laid out for wgmma}}
  %d = tile.dot %a1, %b1, %start atom = wgmma : tensor<64x64xf16, #k128>, tensor<64x16xf16, #k128n> -> tensor<64x16xf32, #other>
  tile.store %d, %y[%c0, %c0] : tensor<64x16xf32, #other>, memref<64x16xf32>
  tile.return
}

// -----

// Two warps are no group.
#two = #tile.layout<cell = [128, 16] reg = [[0, 1], [8, 0], [0, 8], [32, 0], [64, 0]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0]]>
#vt = #tile.layout<cell = [128, 16] reg = [[0, 1], [0, 2], [0, 4], [64, 0], [32, 0]] lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0]]>
#vs = #tile.layout<cell = [16, 16] reg = [[0, 1], [8, 0]] lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]] warp = [[4, 0]]>
#k32 = #tile.shared<cell = [128, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]>
#n32s = #tile.shared<cell = [16, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
tile.kernel @k(%y: memref<128x16xf32>) outputs 1 blocks() attributes {tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : tensor<128x16xf16, #vt>
  %a1 = tile.convert_layout %a : tensor<128x16xf16, #vt> -> tensor<128x16xf16, #k32>
  %b = arith.constant dense<1.0> : tensor<16x16xf16, #vs>
  %b1 = tile.convert_layout %b : tensor<16x16xf16, #vs> -> tensor<16x16xf16, #n32s>
  %start = arith.constant dense<1.0> : tensor<128x16xf32, #two>
  // expected-error @+1 {{has an accumulator that is not laid out for wgmma}}
  %d = tile.dot %a1, %b1, %start atom = wgmma : tensor<128x16xf16, #k32>, tensor<16x16xf16, #n32s> -> tensor<128x16xf32, #two>
  tile.store %d, %y[%c0, %c0] : tensor<128x16xf32, #two>, memref<128x16xf32>
  tile.return
}

// -----

// Rows of 32 bytes, but not swizzled.
#acc = #tile.layout<cell = [64, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#v6416 = #tile.layout<cell = [64, 16] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0]]>
#v1616 = #tile.layout<cell = [16, 16] reg = [[0, 1]] lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>
#n32s = #tile.shared<cell = [16, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#plain = #tile.shared<cell = [64, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
tile.kernel @k(%y: memref<64x16xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : tensor<64x16xf16, #v6416>
  %a1 = tile.convert_layout %a : tensor<64x16xf16, #v6416> -> tensor<64x16xf16, #plain>
  %b = arith.constant dense<1.0> : tensor<16x16xf16, #v1616>
  %b1 = tile.convert_layout %b : tensor<16x16xf16, #v1616> -> tensor<16x16xf16, #n32s>
  %start = arith.constant dense<1.0> : tensor<64x16xf32, #acc>
  // expected-error @+1 {{has a factor of type 'tensor<64x16xf16, #tile.shared<cell = [64, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>>', which no descriptor of wgmma describes}}
  %d = tile.dot %a1, %b1, %start atom = wgmma : tensor<64x16xf16, #plain>, tensor<16x16xf16, #n32s> -> tensor<64x16xf32, #acc>
  tile.store %d, %y[%c0, %c0] : tensor<64x16xf32, #acc>, memref<64x16xf32>
  tile.return
}

// -----

// The right factor is looked at, too.
#acc = #tile.layout<cell = [64, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#v6416 = #tile.layout<cell = [64, 16] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0]]>
#v6464 = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>
#k128 = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#plain = #tile.shared<cell = [64, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
tile.kernel @k(%y: memref<64x16xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<1.0> : tensor<64x64xf16, #v6464>
  %a1 = tile.convert_layout %a : tensor<64x64xf16, #v6464> -> tensor<64x64xf16, #k128>
  %b = arith.constant dense<1.0> : tensor<64x16xf16, #v6416>
  %b1 = tile.convert_layout %b : tensor<64x16xf16, #v6416> -> tensor<64x16xf16, #plain>
  %start = arith.constant dense<1.0> : tensor<64x16xf32, #acc>
  // expected-error @+1 {{which no descriptor of wgmma describes}}
  %d = tile.dot %a1, %b1, %start atom = wgmma : tensor<64x64xf16, #k128>, tensor<64x16xf16, #plain> -> tensor<64x16xf32, #acc>
  tile.store %d, %y[%c0, %c0] : tensor<64x16xf32, #acc>, memref<64x16xf32>
  tile.return
}
