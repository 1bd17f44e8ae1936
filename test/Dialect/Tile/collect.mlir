// What blocks of a cluster collect is laid out as it is stored, and what they
// have as it was summed. They do not walk, nor do they copy for each other.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{clusters=true warpgroups=true}))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{clusters=true warpgroups=true},tile-form-clusters,tile-walk-blocks,tile-form-rings{shared-bytes=232448 engine},tile-split-roles,tile-async-dots,tile-schedule-loops,tile-verify-staged))' | FileCheck %s --check-prefix=STAGED
// RUN: not fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts))' 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: error: 'tile.kernel' op collects what the blocks of a cluster have, but the code for this chip has no clusters

// CHECK-LABEL: tile.kernel @product
//       CHECK:   %[[SUM:.*]] = scf.for
//       CHECK:     tile.dot
//       CHECK:   tile.collect %[[SUM]] axes [0] blocks 2 : (tensor<128x64xf32, #tile.layout<cell = [128, 64] reg = {{\[\[}}0, 1], [8, 0], {{.*}}>>) -> (tensor<64x64xf32, #[[ROWS:.*]]>, tensor<64x64xf32, #[[ROWS]]>)
//   CHECK-NOT:   tile.convert_layout
//       CHECK:   tile.store %{{.*}} : tensor<64x64xf32, #[[ROWS]]>

// STAGED-LABEL: tile.kernel @product
//  STAGED-SAME:   tile.cluster = array<i64: 2, 1>
//   STAGED-NOT:   walks
//       STAGED:   tile.role math
//       STAGED:     tile.dot_issue
//       STAGED:     tile.take
//       STAGED:     tile.collect
//       STAGED:     tile.store
//       STAGED:   tile.role load
//       STAGED:     tile.copy
//   STAGED-NOT:     multicast
tile.kernel @product(%a: memref<19200x1024xf16>, %b: memref<1024x64xf16>, %y: memref<19200x64xf32>) outputs 1 blocks(%chunk, %i) attributes {tile.warps = 8, tile.blocks = 300, tile.grid = array<i64: 2, 150>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c128 : index
  %first = arith.muli %chunk, %c512 : index
  %end = arith.addi %first, %c512 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sum = scf.for %k = %first to %end step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) {
    %0 = tile.load %a[%row, %k] : memref<19200x1024xf16> -> tensor<128x64xf16>
    %1 = tile.load %b[%k, %c0] : memref<1024x64xf16> -> tensor<64x64xf16>
    %2 = tile.dot %0, %1, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %2 : tensor<128x64xf32>
  }
  %all:2 = tile.collect %sum axes [0] blocks 2 : (tensor<128x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>)
  %share = arith.muli %chunk, %c64 : index
  %at = arith.addi %row, %share : index
  %merged = arith.addf %all#0, %all#1 : tensor<64x64xf32>
  tile.store %merged, %y[%at, %c0] : tensor<64x64xf32>, memref<19200x64xf32>
  tile.return
}
