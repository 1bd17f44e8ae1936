// A schedule's clusters are dropped, with a remark, where blocks cannot copy for
// each other: on chips whose code copies by threads, and of kernels that have
// nothing to multiply. Whoever lowers a kernel computes its place from them.

// RUN: split-file %s %t
// RUN: fuse-opt %t/product.mlir --fuse-tiles-to-nvvm=chip=sm_80 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: fuse-opt %t/product.mlir --fuse-tiles-to-nvvm=chip=sm_90 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: fuse-opt %t/product.mlir --fuse-tiles-to-nvvm=chip=sm_100 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: fuse-opt %t/product.mlir --fuse-tiles-to-nvvm=chip=sm_120 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: fuse-opt %t/product.mlir --fuse-tiles-to-nvvm=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: fuse-opt %t/rows.mlir --fuse-tiles-to-nvvm=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=ROWS

//     THREADS: product.mlir:1:1: remark: has no clusters: the code for this chip copies by threads, each block for itself
//     THREADS: product.mlir:1:1: remark: has one role: the code for this chip copies by threads
//     THREADS: llvm.func @product
// THREADS-NOT: tile.cluster

//     SIZES: product.mlir:1:1: remark: has no clusters: dimension 0 of the grid is 11, no multiple of 2
// SIZES-NOT: has one role
//     SIZES: llvm.func @product
// SIZES-NOT: tile.cluster

//     ROWS: rows.mlir:1:1: remark: has no clusters: only blocks that multiply by warpgroups
//     ROWS: rows.mlir:1:1: remark: has one role: the number of its warps is no multiple of 4
//     ROWS: llvm.func @rows
// ROWS-NOT: tile.cluster

//--- product.mlir
tile.kernel @product(%x: memref<1408x512xf16>, %w: memref<512x3072xf16>, %y: memref<1408x3072xf32>) outputs 1 blocks(%i, %j) attributes {tile.roles = 2, tile.warps = 8, tile.grid = array<i64: 11, 12>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c256 : index
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %zero) -> (tensor<128x256xf32>) {
    %a = tile.load %x[%row, %k] : memref<1408x512xf16> -> tensor<128x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x3072xf16> -> tensor<64x256xf16>
    %d = tile.dot %a, %b, %s : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  tile.store %sum, %y[%row, %column] : tensor<128x256xf32>, memref<1408x3072xf32>
  tile.return
}

//--- rows.mlir
tile.kernel @rows(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks(%i) attributes {tile.roles = 2, tile.grid = array<i64: 16>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %row = arith.muli %i, %c4 : index
  %a = tile.load %x[%row, %c0] : memref<64x64xf32> -> tensor<4x64xf32>
  %b = math.exp %a : tensor<4x64xf32>
  tile.store %b, %y[%row, %c0] : tensor<4x64xf32>, memref<64x64xf32>
  tile.return
}
