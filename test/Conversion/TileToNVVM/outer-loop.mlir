// Products without tensor cores: more than fits where instructions are fetched
// from is a loop over parts of k.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts),convert-tile-to-nvvm)' | FileCheck %s
// RUN: fuse-opt %s --tile-assign-layouts | fuse-opt --fuse-staged-to-threads --fuse-threads-to-llvm -o /dev/null

// 32 sums a thread, so that 32 k are 1024 instructions. What comes 32 k later is
// an exclusive or away, since chunks of a row change places.
// CHECK-LABEL: llvm.func @in_parts
//       CHECK:   scf.for
//       CHECK:   %[[TWO:.*]] = arith.constant 2 : index
//       CHECK:   scf.for %[[PART:.*]] = %{{.*}} to %[[TWO]] step
//       CHECK:     %[[ROUND:.*]] = arith.index_cast %[[PART]] : index to i32
//       CHECK:     arith.andi %[[ROUND]]
//       CHECK:     arith.xori
// CHECK-COUNT-1024:  math.fma
//   CHECK-NOT:   math.fma
//       CHECK:   llvm.return
tile.kernel @in_parts(%x: memref<64x640xf32>, %w: memref<640x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c640 = arith.constant 640 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c640 step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %k] : memref<64x640xf32> -> tensor<64x64xf32>
    %b = tile.load %w[%k, %c0] : memref<640x64xf32> -> tensor<64x64xf32>
    %d = tile.dot %a, %b, %s : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// What is done once is fetched once, and 256 instructions are a round.
// CHECK-LABEL: llvm.func @once
//       CHECK:   %[[EIGHT:.*]] = arith.constant 8 : index
//       CHECK:   scf.for %{{.*}} = %{{.*}} to %[[EIGHT]] step
// CHECK-COUNT-256: math.fma
//   CHECK-NOT:   math.fma
//       CHECK:   llvm.return
tile.kernel @once(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %b = tile.load %w[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// Parts would not be equal.
// CHECK-LABEL: llvm.func @at_once
//   CHECK-NOT:   scf.for
// CHECK-COUNT-1536:  math.fma
//   CHECK-NOT:   math.fma
//       CHECK:   llvm.return
tile.kernel @at_once(%x: memref<64x48xf32>, %w: memref<48x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<64x48xf32> -> tensor<64x48xf32>
  %b = tile.load %w[%c0, %c0] : memref<48x64xf32> -> tensor<48x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %a, %b, %zero : tensor<64x48xf32>, tensor<48x64xf32> -> tensor<64x64xf32>
  tile.store %d, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}
