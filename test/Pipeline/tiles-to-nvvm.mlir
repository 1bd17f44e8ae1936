// From tiles to LLVM for a GPU in four pipelines, each of which ends in its
// stage, or in one. What launches kernels is dropped.

// RUN: fuse-opt %s --fuse-tiles-to-placed --fuse-check-stage=stage=placed | FileCheck %s --check-prefix=PLACED
// RUN: fuse-opt %s --fuse-tiles-to-placed --fuse-placed-to-staged=chip=sm_80 --fuse-staged-to-threads --fuse-check-stage=stage=threads | FileCheck %s --check-prefix=THREADS
// RUN: fuse-opt %s --fuse-tiles-to-placed --fuse-placed-to-staged=chip=sm_80 --fuse-staged-to-threads --fuse-threads-to-llvm --fuse-check-stage=stage=llvm | FileCheck %s --check-prefix=LLVM
// RUN: fuse-opt %s --fuse-tiles-to-nvvm | FileCheck %s --check-prefix=LLVM
// RUN: not fuse-opt %s --fuse-staged-to-threads 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not fuse-opt %s --fuse-tiles-to-nvvm=chip=sm_75 2>&1 | FileCheck %s --check-prefix=OPTIONS

// What is loaded in every round alike is loaded before the loop, and a constant
// of two users is one again. bf16 is reduced in f32.
// PLACED-NOT: @host
//     PLACED: tile.kernel @sums
//     PLACED:   tile.warps = 
// PLACED-COUNT-1: arith.constant dense<2.0{{.*}}> : tensor<8x64xbf16
// PLACED-NOT:   arith.constant dense<2.0
//     PLACED:   tile.load %{{.*}} : memref<64xbf16>
//     PLACED:   scf.for
//     PLACED:     tile.load %{{.*}} : memref<?x64xbf16>
//     PLACED:     tile.reduce sum %{{.*}} : tensor<8x64xf32,
// PLACED-NOT: @host

//     THREADS: gpu.module @fuse_kernels
//     THREADS: llvm.func @sums
// THREADS-NOT: tile.load
//     THREADS:   scf.for
//     THREADS:     nvvm.shfl.sync

// Casts between bf16 and f32 are the chip's; sums of bf16 are rounded after
// every op.
//     LLVM: gpu.module @fuse_kernels
//     LLVM: llvm.func @sums
// LLVM-NOT: scf.
//     LLVM:   llvm.fpext %{{.*}} vector<{{.*}}xbf16> to vector<{{.*}}xf32>
//     LLVM:   llvm.fmul %{{.*}} : vector<{{.*}}xf32>
//     LLVM:   nvvm.shfl.sync
// LLVM-NOT: @host

// EARLY: error: 'arith.constant' op has a tile of type 'tensor<8x64xbf16>', which has no layout yet
// OPTIONS: fuse-tiles-to-nvvm: 'sm_75' is none of the chips sm_80, sm_86
tile.kernel @sums(%x: memref<?x64xbf16>, %w: memref<64xbf16>, %y: memref<8xbf16>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %x, %c0 : memref<?x64xbf16>
  %two = arith.constant dense<2.0> : tensor<8x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<8xbf16>
  %sum = scf.for %k = %c0 to %n step %c8 iter_args(%s = %zero) -> (tensor<8xbf16>) {
    %left = arith.subi %n, %k : index
    %xs = tile.load %x[%k, %c0] limits(%left) axes [0] : memref<?x64xbf16> -> tensor<8x64xbf16>
    %ws = tile.load %w[%c0] map (d0, d1) -> (d1) : memref<64xbf16> -> tensor<8x64xbf16>
    %a = arith.mulf %xs, %two : tensor<8x64xbf16>
    %b = arith.mulf %ws, %two : tensor<8x64xbf16>
    %c = arith.mulf %a, %b : tensor<8x64xbf16>
    %r = tile.reduce sum %c dims [1] : tensor<8x64xbf16> -> tensor<8xbf16>
    %t = arith.addf %s, %r : tensor<8xbf16>
    scf.yield %t : tensor<8xbf16>
  }
  tile.store %sum, %y[%c0] : tensor<8xbf16>, memref<8xbf16>
  tile.return
}

func.func @host(%x: tensor<?x64xbf16>, %w: tensor<64xbf16>) -> tensor<8xbf16> {
  %c1 = arith.constant 1 : index
  %y = tile.launch @sums blocks(%c1) (%x, %w) : (tensor<?x64xbf16>, tensor<64xbf16>) -> tensor<8xbf16>
  return %y : tensor<8xbf16>
}
