// Factors for wgmma that threads read from slots, and rounding that is left to
// the copy engine.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile-round-factors,tile.kernel(tile-assign-layouts{warpgroups=true},tile-form-rings{engine=true},tile-split-roles,tile-verify-staged))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile-round-factors,tile.kernel(tile-assign-layouts{warpgroups=true},tile-form-rings))' | FileCheck %s --check-prefix=THREADS
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile-round-factors,tile.kernel(tile-assign-layouts{warpgroups=true},tile-form-rings{engine=true},tile-split-roles,tile-peel-pipeline,tile-verify-staged),tile-expand-rounds,convert-tile-to-nvvm)' | FileCheck %s --check-prefix=MAPS

// The right factor runs along n: it is read from the slot, with rows of 128 bytes
// along n. Both are rounded on their way.
// CHECK-LABEL: tile.kernel @tf32(
//       CHECK:   %[[RIGHT:.*]] = tile.ring feed = tma : <3 x (tensor<32x128xf32, #tile.shared<cell = [32, 128] offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0], [0, 32], [0, 64]]>>)>
//       CHECK:   %[[LEFT:.*]] = tile.ring feed = tma : <3 x (tensor<256x32xf32,
//   CHECK-NOT:   tile.round
//       CHECK:   %[[PART:.*]] = tile.wait %[[RIGHT]]
//       CHECK:   %[[W:.*]] = tile.convert_layout %[[PART]] : tensor<32x128xf32, #tile.shared<{{.*}}>> -> tensor<32x128xf32, #tile.layout<
//       CHECK:   tile.release %[[RIGHT]]
//       CHECK:   %[[X:.*]] = tile.wait %[[LEFT]]
//       CHECK:   tile.dot %[[X]], %[[W]], %{{.*}} precision = tf32 atom = wgmma
//       CHECK:   tile.release %[[LEFT]]
//       CHECK:   tile.copy %{{.*}} to %[[RIGHT]]{{.*}} part 0 rounded : memref<1024x128xf32>
//       CHECK:   tile.copy %{{.*}} to %[[LEFT]]{{.*}} part 0 rounded : memref<256x1024xf32>
//
// MAPS-LABEL: llvm.func @tf32(
//  MAPS-SAME:   tile.maps = [#tile.tensor_map<memory = 1, of = f32, box = [32, 32], swizzle = 128, rounded = true>, #tile.tensor_map<memory = 0, of = f32, box = [256, 32], swizzle = 128, rounded = true>]
//
// Threads round what they have copied.
// THREADS-LABEL: tile.kernel @tf32(
//       THREADS:   tile.ring feed = cp_async : <3 x
//       THREADS:   tile.copy %{{.*}} part 0 rounded threads = {{.*}} : memref<256x1024xf32>
//       THREADS:   tile.copy %{{.*}} part 1 rounded threads = {{.*}} : memref<1024x128xf32>
//       THREADS:   %[[PARTS:.*]]:2 = tile.wait
//  THREADS-NEXT:   %[[W:.*]] = tile.convert_layout %[[PARTS]]#1 : {{.*}} -> tensor<32x128xf32, #tile.layout<
//  THREADS-NEXT:   tile.dot %[[PARTS]]#0, %[[W]],
tile.kernel @tf32(%x: memref<256x1024xf32>, %w: memref<1024x128xf32>, %y: memref<256x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<256x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c32 iter_args(%s = %zero) -> (tensor<256x128xf32>) {
    %a = tile.load %x[%c0, %k] : memref<256x1024xf32> -> tensor<256x32xf32>
    %b = tile.load %w[%k, %c0] : memref<1024x128xf32> -> tensor<32x128xf32>
    %d = tile.dot %a, %b, %s precision = tf32 : tensor<256x32xf32>, tensor<32x128xf32> -> tensor<256x128xf32>
    scf.yield %d : tensor<256x128xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<256x128xf32>, memref<256x128xf32>
  tile.return
}

// Asked for one role, the copies are those of threads after all, and so is
// rounding.
// CHECK-LABEL: tile.kernel @one_role(
//       CHECK:   tile.ring feed = cp_async
//       CHECK:   tile.copy %{{.*}} part 0 rounded threads
//       CHECK:   tile.copy %{{.*}} part 1 rounded threads
//       CHECK:   %[[PARTS:.*]]:2 = tile.wait
//  CHECK-NEXT:   %[[W:.*]] = tile.convert_layout %[[PARTS]]#1
//  CHECK-NEXT:   tile.dot %[[PARTS]]#0, %[[W]],
tile.kernel @one_role(%x: memref<128x1024xf32>, %w: memref<1024x128xf32>, %y: memref<128x128xf32>) outputs 1 blocks() attributes {tile.roles = 1} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c32 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%c0, %k] : memref<128x1024xf32> -> tensor<128x32xf32>
    %b = tile.load %w[%k, %c0] : memref<1024x128xf32> -> tensor<32x128xf32>
    %d = tile.dot %a, %b, %s precision = tf32 : tensor<128x32xf32>, tensor<32x128xf32> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// Bytes need nothing but turning.
// MAPS-LABEL: llvm.func @f8(
//  MAPS-SAME:   tile.maps = [#tile.tensor_map<memory = 1, of = f8E4M3FN, box = [64, 128], swizzle = 128>, #tile.tensor_map<memory = 0, of = f8E4M3FN, box = [128, 64], swizzle = 64>]
//
// CHECK-LABEL: tile.kernel @f8(
//       CHECK:   tile.ring feed = tma
//       CHECK:   %[[PART:.*]] = tile.wait
//  CHECK-NEXT:   %[[W:.*]] = tile.convert_layout %[[PART]]
//  CHECK-NEXT:   tile.release
//  CHECK-NEXT:   %[[X:.*]] = tile.wait
//  CHECK-NEXT:   tile.dot %[[X]], %[[W]],
tile.kernel @f8(%x: memref<128x1024xf8E4M3FN>, %w: memref<1024x128xf8E4M3FN>, %y: memref<128x128xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%c0, %k] : memref<128x1024xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
    %b = tile.load %w[%k, %c0] : memref<1024x128xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
    %d = tile.dot %a, %b, %s : tensor<128x64xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %sum : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %h, %y[%c0, %c0] : tensor<128x128xf16>, memref<128x128xf16>
  tile.return
}

// What a factor is computed from is copied ahead, too, and read by those who
// compute it.
// CHECK-LABEL: tile.kernel @computed(
//       CHECK:   tile.ring feed = tma
//       CHECK:   %[[PART:.*]] = tile.wait
//       CHECK:   %[[X:.*]] = tile.convert_layout %[[PART]] : {{.*}} -> tensor<128x64xf16, #tile.layout<
//       CHECK:   tile.release
//       CHECK:   %[[W:.*]] = tile.wait
//       CHECK:   %[[TWICE:.*]] = arith.addf %[[X]], %[[X]]
//       CHECK:   %[[A:.*]] = tile.convert_layout %[[TWICE]] : {{.*}} -> tensor<128x64xf16, #tile.shared<
//       CHECK:   tile.dot %[[A]], %[[W]],
tile.kernel @computed(%x: memref<128x1024xf16>, %w: memref<1024x128xf16>, %y: memref<128x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%c0, %k] : memref<128x1024xf16> -> tensor<128x64xf16>
    %twice = arith.addf %a, %a : tensor<128x64xf16>
    %b = tile.load %w[%k, %c0] : memref<1024x128xf16> -> tensor<64x128xf16>
    %d = tile.dot %twice, %b, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// What warps multiply by themselves the engine does not lay as they read it.
// Threads copy it and round it, and no load is rounded before the next one.
// CHECK-LABEL: tile.kernel @few_columns(
//       CHECK:   tile.ring feed = cp_async
//   CHECK-NOT:   tile.round
//       CHECK:   tile.copy %{{.*}} part 0 rounded threads
//       CHECK:   tile.copy %{{.*}} part 1 rounded threads
//   CHECK-NOT:   tile.round
//       CHECK:   tile.dot {{.*}} precision = tf32 atom = mma
tile.kernel @few_columns(%x: memref<64x1024xf32>, %w: memref<1024x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c32 iter_args(%s = %zero) -> (tensor<64x32xf32>) {
    %a = tile.load %x[%c0, %k] : memref<64x1024xf32> -> tensor<64x32xf32>
    %b = tile.load %w[%k, %c0] : memref<1024x32xf32> -> tensor<32x32xf32>
    %d = tile.dot %a, %b, %s precision = tf32 : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x32xf32>, memref<64x32xf32>
  tile.return
}
