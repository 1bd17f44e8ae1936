// Threads that multiply number by number wait for what is on its way as long as
// the blocks of their processor multiply. Those that share it do more than
// further slots: with two slots of 16 KiB seven blocks have room, of which
// registers let six be there.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true},tile-form-rings{engine=true slots=8 shared-bytes=232448}))' | FileCheck %s

// CHECK-LABEL: tile.kernel @many(
//  CHECK-SAME:   tile.together = 8
//       CHECK:   tile.ring feed = cp_async : <2 x
tile.kernel @many(%x: memref<1536x1536xf32>, %w: memref<1536x8192xf32>, %y: memref<1536x8192xf32>) outputs 1 blocks(%i, %j) attributes {tile.blocks = 3072 : i64, tile.warps = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c1536 = arith.constant 1536 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c1536 step %c32 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%row, %k] : memref<1536x1536xf32> -> tensor<64x32xf32>
    %b = tile.load %w[%k, %column] : memref<1536x8192xf32> -> tensor<32x64xf32>
    %d = tile.dot %a, %b, %s : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%row, %column] : tensor<64x64xf32>, memref<1536x8192xf32>
  tile.return
}

// One block of a processor has nobody that multiplies meanwhile.
// CHECK-LABEL: tile.kernel @alone(
//  CHECK-SAME:   tile.together = 1
//       CHECK:   tile.ring feed = cp_async : <3 x
tile.kernel @alone(%x: memref<512x1536xf32>, %w: memref<1536x512xf32>, %y: memref<512x512xf32>) outputs 1 blocks(%i, %j) attributes {tile.blocks = 64 : i64, tile.warps = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c1536 = arith.constant 1536 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c1536 step %c32 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%row, %k] : memref<512x1536xf32> -> tensor<64x32xf32>
    %b = tile.load %w[%k, %column] : memref<1536x512xf32> -> tensor<32x64xf32>
    %d = tile.dot %a, %b, %s : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%row, %column] : tensor<64x64xf32>, memref<512x512xf32>
  tile.return
}

// A kernel that says how many slots it wants has them.
// CHECK-LABEL: tile.kernel @asked(
//       CHECK:   tile.ring feed = cp_async : <4 x
tile.kernel @asked(%x: memref<1536x1536xf32>, %w: memref<1536x8192xf32>, %y: memref<1536x8192xf32>) outputs 1 blocks(%i, %j) attributes {tile.blocks = 3072 : i64, tile.warps = 2 : i64, tile.stages = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c1536 = arith.constant 1536 : index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c1536 step %c32 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%row, %k] : memref<1536x1536xf32> -> tensor<64x32xf32>
    %b = tile.load %w[%k, %column] : memref<1536x8192xf32> -> tensor<32x64xf32>
    %d = tile.dot %a, %b, %s : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%row, %column] : tensor<64x64xf32>, memref<1536x8192xf32>
  tile.return
}
