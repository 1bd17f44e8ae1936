// Blocks next to each other copy for each other what all of them read.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-clusters))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-clusters))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-clusters,tile-walk-blocks))' | FileCheck %s --check-prefix=WALK
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-clusters,tile-walk-blocks,tile-form-rings{shared-bytes=232448 engine},tile-split-roles,tile-async-dots,tile-schedule-loops,tile-verify-staged))' | FileCheck %s --check-prefix=RINGS
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-form-clusters,tile-walk-blocks,tile-form-rings{shared-bytes=232448 engine},tile-split-roles,tile-async-dots,tile-schedule-loops,tile-verify-staged),convert-tile-to-nvvm)' | FileCheck %s --check-prefix=NVVM

#sa = #tile.shared<cell = [128, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#sb = #tile.shared<cell = [64, 256] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64], [0, 128]]>
#va = #tile.layout<cell = [128, 64] reg = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [16, 0]]>
#vb = #tile.layout<cell = [64, 256] reg = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [0, 64], [0, 128]] warp = [[1, 0], [2, 0], [4, 0]]>
#acc = #tile.layout<cell = [128, 256] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x256xf32, #acc>

// Two rows of the grid read the same columns of the right factor.
// CHECK-LABEL: tile.kernel @product
//  CHECK-SAME:   tile.cluster = array<i64: 2, 1>
//       CHECK:   tile.load %{{.*}} : memref<8192x256xf16>
//   CHECK-NOT:   multicast
//       CHECK:   tile.load %{{.*}} {tile.multicast} : memref<256x8192xf16>

// What walks is clusters; a block adds its place in its own.
//  WALK-LABEL: tile.kernel @product
//   WALK-SAME:   blocks(%[[BLOCK:[^,]*]], %[[BLOCKS:[^,]*]], %[[ROWS:.*]], %[[COLUMNS:.*]]) attributes
//        WALK:   %[[ITEMS:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
//        WALK:   %[[TWO:.*]] = arith.constant 2 : index
//        WALK:   %[[OWN:.*]] = arith.remui %[[BLOCK]], %[[TWO]]
//        WALK:   %[[CLUSTER:.*]] = arith.divui %[[BLOCK]], %[[TWO]]
//        WALK:   %[[HALF:.*]] = arith.divui %[[BLOCKS]], %[[TWO]]
//        WALK:   %[[CLUSTERS:.*]] = arith.maxui %[[HALF]]
//        WALK:   %[[ALL:.*]] = arith.divui %[[ITEMS]], %[[TWO]]
//        WALK:   scf.for %{{.*}} = %[[CLUSTER]] to %[[ALL]] step %[[CLUSTERS]] {
//        WALK:     arith.index_castui %[[OWN]]

// RINGS-LABEL: tile.kernel @product
//       RINGS:   tile.role load
//       RINGS:     tile.copy %{{.*}} part 0 :
//       RINGS:     tile.copy %{{.*}} part 1 multicast :

// A slot is free when the warps of both blocks have read it, since both fill it;
// each brings two of four boxes.
//  NVVM-LABEL: llvm.func @product
//   NVVM-SAME:   tile.cluster = 2
//        NVVM:   %[[RANK:.*]] = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;"
//        NVVM:   mbarrier.init.shared::cta.b64 {{.*}}, %c1_i32{{[_0-9]*}} :
//        NVVM:   mbarrier.init.shared::cta.b64 {{.*}}, %c1_i32{{[_0-9]*}} :
//        NVVM:   mbarrier.init.shared::cta.b64 {{.*}}, %c1_i32{{[_0-9]*}} :
//        NVVM:   mbarrier.init.shared::cta.b64 {{.*}}, %c1_i32{{[_0-9]*}} :
//        NVVM:   mbarrier.init.shared::cta.b64 {{.*}}, %c16_i32{{[_0-9]*}} :
//        NVVM:   mbarrier.init.shared::cta.b64 {{.*}}, %c16_i32{{[_0-9]*}} :
//        NVVM:   mbarrier.init.shared::cta.b64 {{.*}}, %c16_i32{{[_0-9]*}} :
//        NVVM:   mbarrier.init.shared::cta.b64 {{.*}}, %c16_i32{{[_0-9]*}} :
//        NVVM:   barrier.cluster.arrive.relaxed.aligned;
//
// Two lanes of each warp tell one block each.
//        NVVM:   %[[LANE:.*]] = arith.andi %{{.*}}, %c31_i32{{[_0-9]*}} : i32
//        NVVM:   %[[TELLS:.*]] = arith.cmpi ult, %[[LANE]], %c2_i32{{[_0-9]*}} : i32
//   NVVM-NEXT:   scf.if %[[TELLS]] {
//        NVVM:   mapa.shared::cluster.u32 there, $0, $1;{{.*}}mbarrier.arrive.shared::cluster.b64 _, [there];{{.*}}%[[LANE]] :
//
// Bytes are those of both parts, whoever brings them: 128 x 64 and 64 x 256 times 2.
//        NVVM:   mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;{{.*}}, %c49152_i32{{[_0-9]*}} :
//        NVVM:   cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [
//        NVVM:   %[[SECOND0:.*]] = arith.cmpi eq, %[[RANK]], %c1_i32{{[_0-9]*}} : i32
//        NVVM:   arith.select %[[SECOND0]], %c128_i32{{[_0-9]*}}, %c0_i32{{[_0-9]*}} : i32
//        NVVM:   %[[TO0:.*]] = arith.select %{{.*}}, %c16384_i32{{[_0-9]*}}, %c0_i32{{[_0-9]*}} : i32
//        NVVM:   %[[BOTH:.*]] = arith.constant 3 : i16
//        NVVM:   cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2, $3}], [$4], $5;{{.*}}, %[[BOTH]] :
//        NVVM:   arith.select %{{.*}}, %c192_i32{{[_0-9]*}}, %c64_i32{{[_0-9]*}} : i32
//        NVVM:   arith.select %{{.*}}, %c24576_i32{{[_0-9]*}}, %c8192_i32{{[_0-9]*}} : i32
//        NVVM:   %[[BOTHTOO:.*]] = arith.constant 3 : i16
//        NVVM:   multicast::cluster {{.*}}, %[[BOTHTOO]] :
//    NVVM-NOT:   multicast::cluster
//        NVVM:   barrier.cluster.arrive.release;
tile.kernel @product(%x: memref<8192x256xf16>, %w: memref<256x8192xf16>, %y: memref<8192x8192xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 8, tile.grid = array<i64: 64, 32>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c256 : index
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%s = %zero) -> (!acc) {
    %a = tile.load %x[%row, %k] : memref<8192x256xf16> -> tensor<128x64xf16, #va>
    %b = tile.load %w[%k, %column] : memref<256x8192xf16> -> tensor<64x256xf16, #vb>
    %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
    %bs = tile.convert_layout %b : tensor<64x256xf16, #vb> -> tensor<64x256xf16, #sb>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x256xf16, #sb> -> !acc
    scf.yield %d : !acc
  }
  tile.store %sum, %y[%row, %column] : !acc, memref<8192x8192xf32>
  tile.return
}

// REMARK: remark: has no clusters: dimension 0 of the grid is 63, no multiple of 2
// CHECK-LABEL: tile.kernel @odd
//   CHECK-NOT:   tile.cluster
//   CHECK-NOT:   multicast
tile.kernel @odd(%x: memref<8064x256xf16>, %w: memref<256x8192xf16>, %y: memref<8064x8192xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 8, tile.grid = array<i64: 63, 32>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c256 : index
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%s = %zero) -> (!acc) {
    %a = tile.load %x[%row, %k] : memref<8064x256xf16> -> tensor<128x64xf16, #va>
    %b = tile.load %w[%k, %column] : memref<256x8192xf16> -> tensor<64x256xf16, #vb>
    %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
    %bs = tile.convert_layout %b : tensor<64x256xf16, #vb> -> tensor<64x256xf16, #sb>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x256xf16, #sb> -> !acc
    scf.yield %d : !acc
  }
  tile.store %sum, %y[%row, %column] : !acc, memref<8064x8192xf32>
  tile.return
}
