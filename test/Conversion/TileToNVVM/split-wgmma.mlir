// Products of f32 by three of tf32: what is written to shared memory, when
// threads meet, and what a round with infinities does.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true},loop-invariant-code-motion),cse,convert-tile-to-nvvm)' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true},loop-invariant-code-motion),cse)' | fuse-opt --fuse-staged-to-threads --fuse-threads-to-llvm --fuse-nvvm-to-binary=chip=sm_90a -o /dev/null

// A thread has four words of the left factor. Of the right one it writes what
// the instruction does not read: half of what that cuts off is added first.
// CHECK-LABEL: llvm.func @along_k
//       CHECK:   llvm.alloca %{{.*}} x f32
//       CHECK:   nvvm.barrier
//       CHECK:   %[[HIGH:.*]] = arith.constant -8192 : i32
//       CHECK:   arith.andi %{{.*}}, %[[HIGH]]
//       CHECK:   arith.subf
//       CHECK:   %[[HALF:.*]] = arith.constant 4096 : i32
//       CHECK:   arith.addi %{{.*}}, %[[HALF]]
//       CHECK:   llvm.inline_asm {{.*}}fence.proxy.async
//       CHECK:   %[[ANY:.*]] = llvm.inline_asm {{.*}}bar.red.or.pred any, $2, 128, own
//       CHECK:   %[[RIGHT:.*]] = arith.cmpi ne, %[[ANY]]
// A warp also asks for infinities in its rows.
//       CHECK:   arith.cmpf uno
//       CHECK:   %[[OWN:.*]] = arith.ori %{{.*}}, %[[RIGHT]]
//       CHECK:   %[[RARE:.*]] = nvvm.vote.sync any %{{.*}}, %[[OWN]]
// The least first, each with one step; the first starts the sum.
//       CHECK:   llvm.inline_asm has_side_effects "{\0A\09.reg .b64 left, right;\0A\09wgmma.fence.sync.aligned;\0A\09add.s64 right, $8, 0;\0A\09wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, right, 0, 1, 1;\0A\09add.s64 right, $13, 0;\0A\09wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$9, $10, $11, $12}, right, 1, 1, 1;\0A\09add.s64 right, $18, 0;\0A\09wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, {$14, $15, $16, $17}, right, 1, 1, 1;\0A\09wgmma.commit_group.sync.aligned;\0A\09}"
//       CHECK:   wgmma.wait_group.sync.aligned 0
//       CHECK:   llvm.inline_asm "@!$3 add.f32 $0, $1, $2;", "=f,0,f,b" %{{.*}}, %{{.*}}, %[[RARE]]
// One k at a time, and one column, with sums in memory.
//       CHECK:   scf.if %[[RARE]]
//       CHECK:     llvm.store volatile
//       CHECK:     scf.for
//       CHECK:       scf.for %{{.*}} : i32 {
//       CHECK:         %[[COLUMN:.*]] = llvm.load volatile
// CHECK-COUNT-2:       math.fma %{{.*}}, %[[COLUMN]]
//   CHECK-NOT:         math.fma
//       CHECK:     llvm.load volatile
tile.kernel @along_k(%x: memref<64x8xf32>, %w: memref<8x8xf32>, %y: memref<64x8xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x8xf32> -> tensor<64x8xf32>
  %b = tile.load %w[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<8x8xf32> -> tensor<8x8xf32>
  %start = arith.constant dense<1.0> : tensor<64x8xf32>
  %d = tile.dot %a, %b, %start precision = tf32x3 : tensor<64x8xf32>, tensor<8x8xf32> -> tensor<64x8xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x8xf32>, memref<64x8xf32>
  tile.return
}

// What two products have in common is split once. What starts at 0 is what the
// instructions write.
// CHECK-LABEL: llvm.func @common
//       CHECK:   arith.subf
//       CHECK:   bar.red.or.pred
//       CHECK:   wgmma.wait_group
//   CHECK-NOT:   add.f32
//   CHECK-NOT:   bar.red.or.pred
//       CHECK:   wgmma.wait_group
tile.kernel @common(%x: memref<8x8xf32>, %w: memref<8x128xf32>, %y: memref<8x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xf32> -> tensor<8x8xf32>
  %b = tile.load %w[%c0, %c0] : memref<8x128xf32> -> tensor<8x64xf32>
  %c = tile.load %w[%c0, %c64] : memref<8x128xf32> -> tensor<8x64xf32>
  %zero = arith.constant dense<0.0> : tensor<8x64xf32>
  %d = tile.dot %a, %b, %zero precision = tf32x3 : tensor<8x8xf32>, tensor<8x64xf32> -> tensor<8x64xf32>
  %e = tile.dot %a, %c, %zero precision = tf32x3 : tensor<8x8xf32>, tensor<8x64xf32> -> tensor<8x64xf32>
  %f = arith.mulf %d, %e : tensor<8x64xf32>
  tile.store %f, %y[%c0, %c0] : tensor<8x64xf32>, memref<8x64xf32>
  tile.return
}

// What stays in the rounds of a loop is split before it: the rest is behind the
// tile, and rounds do not meet.
// CHECK-LABEL: llvm.func @held
//       CHECK:   arith.subf
//       CHECK:   fence.proxy.async
//       CHECK:   bar.red.or.pred
//       CHECK:   scf.for {{.*}} iter_args
//   CHECK-NOT:     bar.red
//       CHECK:     wgmma.wait_group
tile.kernel @held(%x: memref<64x32xf32>, %w: memref<8x32xf32>, %y: memref<64x8xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %start = arith.constant dense<1.0> : tensor<64x8xf32>
  %b = tile.load %w[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<8x32xf32> -> tensor<32x8xf32>
  %d = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %start) -> (tensor<64x8xf32>) {
    %a = tile.load %x[%i, %c0] map (d0, d1) -> (0, d1) : memref<64x32xf32> -> tensor<64x32xf32>
    %next = tile.dot %a, %b, %sum precision = tf32x3 : tensor<64x32xf32>, tensor<32x8xf32> -> tensor<64x8xf32>
    scf.yield %next : tensor<64x8xf32>
  }
  tile.store %d, %y[%c0, %c0] : tensor<64x8xf32>, memref<64x8xf32>
  tile.return
}
