// What a product leaves in registers, two neighbours a thread, the copy engine
// stores, if it can.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-stage-stores))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-stage-stores),convert-tile-to-nvvm)' | FileCheck %s --check-prefix=NVVM

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc16 = #tile.layout<cell = [256, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0], [128, 0]]>
#rows16 = #tile.layout<cell = [256, 64] reg = [[0, 1], [0, 2], [0, 4], [64, 0], [128, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [16, 0], [32, 0]]>
#columns16 = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [16, 0], [32, 0]]>
#s256 = #tile.shared<cell = [256, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0]]>
#s128 = #tile.shared<cell = [128, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#acc8 = #tile.layout<cell = [128, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
#rows = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>

// One piece for all four warps. They write it, then one thread tells the engine.
// Whoever ends before the engine has read would take the room away.
// CHECK-LABEL: tile.kernel @one_team
//       CHECK:   tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] limits(%{{.*}}) axes [0] staged 1 :
//  NVVM-LABEL: llvm.func @one_team
//  NVVM-SAME:    tile.maps = [#tile.tensor_map<memory = 1, of = f16, box = [64, 64], swizzle = 128>]
//       NVVM:   cp.async.bulk.wait_group.read 0;
//       NVVM:   bar.sync $0, 128;
// NVVM-COUNT-4: nvvm.stmatrix
//  NVVM-NEXT:   {{.*}}fence.proxy.async.shared::cta;
//       NVVM:   bar.sync $0, 128;
//   NVVM-NOT:   scf.if
//       NVVM:   "@$4 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$0, {$1, $2}], [$3];
//  NVVM-SAME:     @$4 cp.async.bulk.commit_group;
//       NVVM:   cp.async.bulk.wait_group.read 0;
//  NVVM-NEXT:   llvm.return
tile.kernel @one_team(%x: memref<64x64xf16>, %y: memref<100x192xf16>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %at = arith.muli %i, %c64 : index
  %left = arith.subi %c100, %at : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %r = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16, #rows>
  %s = tile.convert_layout %r : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #s>
  %d = tile.dot %s, %s, %zero {atom = #tile<atom wgmma>} : tensor<64x64xf16, #s>, tensor<64x64xf16, #s> -> tensor<64x64xf32, #acc>
  %t = arith.truncf %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
  tile.store %t, %y[%at, %c0] limits(%left) axes [0] : tensor<64x64xf16, #acc>, memref<100x192xf16>
  tile.return
}

// The engine leaves out whole chunks of 16 bytes only: of rows that end within
// one it would write behind them, into what lies there in memory with gaps.
// CHECK-LABEL: tile.kernel @rows_end_within_a_chunk
//   CHECK-NOT:   staged
tile.kernel @rows_end_within_a_chunk(%x: memref<64x64xf16>, %y: memref<100x33xf16, strided<[?, 1]>>) outputs 1 blocks(%i) attributes {promises = [#tile.promise<alignment = 16>, #tile.promise<alignment = 16>], tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c33 = arith.constant 33 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %at = arith.muli %i, %c64 : index
  %left = arith.subi %c100, %at : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %r = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16, #rows>
  %s = tile.convert_layout %r : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #s>
  %d = tile.dot %s, %s, %zero {atom = #tile<atom wgmma>} : tensor<64x64xf16, #s>, tensor<64x64xf16, #s> -> tensor<64x64xf32, #acc>
  %t = arith.truncf %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
  tile.store %t, %y[%at, %c0] limits(%left, %c33) axes [0, 1] : tensor<64x64xf16, #acc>, memref<100x33xf16, strided<[?, 1]>>
  tile.return
}

// Two teams have rooms of their own, and barriers.
// CHECK-LABEL: tile.kernel @two_teams
//       CHECK:   tile.store {{.*}} staged 2 :
//  NVVM-LABEL: llvm.func @two_teams
//  NVVM-SAME:    tile.maps = [#tile.tensor_map<memory = 1, of = f32, box = [64, 32], swizzle = 128>]
//  NVVM-SAME:    tile.shared = 57344 : i64
//       NVVM:   %[[TEAMBIT:.*]] = arith.andi %{{.*}}, %c1_i32{{[_0-9]*}} : i32
//       NVVM:   %[[OFTEAM:.*]] = arith.muli %[[TEAMBIT]], %c16384_i32{{[_0-9]*}} : i32
//       NVVM:   %[[TEAM:.*]] = arith.andi %{{.*}}, %c1_i32{{[_0-9]*}} : i32
//       NVVM:   %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[24576] :
//  NVVM-NEXT:   %[[ROOMS:.*]] = llvm.getelementptr %[[FIRST]][%[[OFTEAM]]] :
//       NVVM:   arith.andi %{{.*}}, %c127_i32{{[_0-9]*}} : i32
//       NVVM:   cp.async.bulk.wait_group.read 1;
//       NVVM:   %[[BARRIER:.*]] = arith.addi %[[TEAM]], %c2_i32{{[_0-9]*}} : i32
//  NVVM-NEXT:   "bar.sync $0, 128;", "r,~{memory}" %[[BARRIER]] :
//       NVVM:   "bar.sync $0, 128;"
//       NVVM:   cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group {{.*}}, %[[ROOMS]], %{{.*}} :
//       NVVM:   cp.async.bulk.wait_group.read 1;
//       NVVM:   %[[AGAIN:.*]] = arith.addi %[[TEAM]], %c2_i32{{[_0-9]*}} : i32
//  NVVM-NEXT:   "bar.sync $0, 128;", "r,~{memory}" %[[AGAIN]] :
//       NVVM:   "bar.sync $0, 128;"
//       NVVM:   %[[ROOM2:.*]] = llvm.getelementptr %[[ROOMS]][8192] :
//       NVVM:   cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group {{.*}}, %[[ROOM2]], %{{.*}} :
//       NVVM:   cp.async.bulk.wait_group.read 0;
//   NVVM-NOT: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
tile.kernel @two_teams(%x: memref<128x64xf16>, %y: memref<128x64xf32>) outputs 1 blocks() attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc8>
  %r = tile.load %x[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16, #tile.layout<cell = [128, 64] reg = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [16, 0]]>>
  %s = tile.convert_layout %r : tensor<128x64xf16, #tile.layout<cell = [128, 64] reg = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [16, 0]]>> -> tensor<128x64xf16, #s128>
  %v = tile.load %x[%c0, %c0] : memref<128x64xf16> -> tensor<64x64xf16, #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [16, 0]]>>
  %w = tile.convert_layout %v : tensor<64x64xf16, #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [16, 0]]>> -> tensor<64x64xf16, #s>
  %d = tile.dot %s, %w, %zero {atom = #tile<atom wgmma>} : tensor<128x64xf16, #s128>, tensor<64x64xf16, #s> -> tensor<128x64xf32, #acc8>
  tile.store %d, %y[%c0, %c0] : tensor<128x64xf32, #acc8>, memref<128x64xf32>
  tile.return
}

// Of 16 warps each cannot be a team: there are not so many barriers.
// CHECK-LABEL: tile.kernel @sixteen_warps
//       CHECK:   tile.store {{.*}} staged 2 :
//  NVVM-LABEL: llvm.func @sixteen_warps
//  NVVM-SAME:    tile.maps = [#tile.tensor_map<memory = 1, of = f32, box = [64, 16], swizzle = 64>]
//   NVVM-NOT:   "bar.sync $0, 32;"
//       NVVM:   "bar.sync $0, 128;"
tile.kernel @sixteen_warps(%x: memref<256x64xf16>, %y: memref<256x64xf32>) outputs 1 blocks() attributes {tile.warps = 16} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<256x64xf32, #acc16>
  %r = tile.load %x[%c0, %c0] : memref<256x64xf16> -> tensor<256x64xf16, #rows16>
  %s = tile.convert_layout %r : tensor<256x64xf16, #rows16> -> tensor<256x64xf16, #s256>
  %v = tile.load %x[%c0, %c0] : memref<256x64xf16> -> tensor<64x64xf16, #columns16>
  %w = tile.convert_layout %v : tensor<64x64xf16, #columns16> -> tensor<64x64xf16, #s>
  %d = tile.dot %s, %w, %zero {atom = #tile<atom wgmma>} : tensor<256x64xf16, #s256>, tensor<64x64xf16, #s> -> tensor<256x64xf32, #acc16>
  tile.store %d, %y[%c0, %c0] : tensor<256x64xf32, #acc16>, memref<256x64xf32>
  tile.return
}

// Rows that begin anywhere are not for the engine, nor is a limit that is not
// where the memory ends, nor what threads store well themselves.
// CHECK-LABEL: tile.kernel @others
//   CHECK-NOT: staged
tile.kernel @others(%x: memref<64x64xf16>, %y: memref<64x67xf16>, %z: memref<64x64xf16>, %u: memref<64x64xf16>) outputs 3 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %r = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16, #rows>
  %s = tile.convert_layout %r : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #s>
  %d = tile.dot %s, %s, %zero {atom = #tile<atom wgmma>} : tensor<64x64xf16, #s>, tensor<64x64xf16, #s> -> tensor<64x64xf32, #acc>
  %t = arith.truncf %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
  tile.store %t, %y[%c0, %c0] : tensor<64x64xf16, #acc>, memref<64x67xf16>
  tile.store %t, %z[%c0, %c0] limits(%i) axes [0] : tensor<64x64xf16, #acc>, memref<64x64xf16>
  tile.store %r, %u[%c0, %c0] : tensor<64x64xf16, #rows>, memref<64x64xf16>
  tile.return
}

// Nobody multiplies by warpgroups.
// CHECK-LABEL: tile.kernel @no_product
//   CHECK-NOT: staged
tile.kernel @no_product(%y: memref<64x64xf16>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf16, #acc>
  tile.store %zero, %y[%c0, %c0] : tensor<64x64xf16, #acc>, memref<64x64xf16>
  tile.return
}
