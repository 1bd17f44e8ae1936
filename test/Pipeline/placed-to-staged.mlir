// From placed kernels to staged ones, whose loops copy ahead, as far as the
// shared memory of a chip goes; then on to LLVM.

// RUN: fuse-opt %s --fuse-tiles-to-placed=chip=sm_80 --fuse-placed-to-staged=chip=sm_80 --fuse-check-stage=stage=staged | FileCheck %s --check-prefixes=STAGED,TWO
// RUN: fuse-opt %s --fuse-tiles-to-placed=chip=sm_90 --fuse-placed-to-staged=chip=sm_90 | FileCheck %s --check-prefixes=STAGED,THREE
// RUN: fuse-opt %s --fuse-tiles-to-placed=chip=sm_90 --fuse-placed-to-staged=chip=sm_90 --fuse-staged-to-threads --fuse-check-stage=stage=threads | FileCheck %s --check-prefix=THREADS
// RUN: fuse-opt %s --fuse-tiles-to-nvvm=chip=sm_80 | FileCheck %s --check-prefix=LLVM
// RUN: not fuse-opt %s --fuse-placed-to-staged=chip=sm_80 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not fuse-opt %s --fuse-placed-to-staged=chip=sm_75 2>&1 | FileCheck %s --check-prefix=OPTIONS
// RUN: fuse-opt %s --fuse-tiles-to-placed --fuse-placed-to-staged -o %t.mlir
// RUN: not fuse-opt %t.mlir --fuse-placed-to-staged 2>&1 | FileCheck %s --check-prefix=AGAIN

// A slot of 32 KiB: two blocks of two slots share a processor of 163 KiB, and
// two of three one of 227.
// TWO:    tile.ring feed = cp_async : <2 x (tensor<128x64xf16, #{{.*}}>, tensor<64x128xf16, #{{.*}}>)>
// THREE:   tile.ring feed = cp_async : <3 x (tensor<128x64xf16, #{{.*}}>, tensor<64x128xf16, #{{.*}}>)>
// STAGED: tile.commit
// STAGED: scf.for
// STAGED:   tile.wait
// STAGED:   scf.if
// STAGED:   tile.commit
// STAGED:   tile.dot
// STAGED:   tile.release
// STAGED: tile.store

// THREADS-COUNT-2: nvvm.cp.async.commit.group
//         THREADS: scf.for
//         THREADS:   nvvm.cp.async.wait.group 1
//    THREADS-NEXT:   nvvm.barrier
//         THREADS:   nvvm.cp.async.shared.global
//         THREADS:   nvvm.cp.async.commit.group

// LLVM: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// LLVM: nvvm.cp.async.commit.group
// LLVM: nvvm.cp.async.wait.group 0
// LLVM: nvvm.barrier

// EARLY: error: 'arith.constant' op has a tile of type {{.*}}, which has no layout yet
// OPTIONS: fuse-placed-to-staged: 'sm_75' is none of the chips sm_80, sm_86
// AGAIN: error: 'tile.ring' does not belong to the stage 'placed'
tile.kernel @product(%x: memref<1024x512xf16>, %w: memref<512x1024xf16>, %y: memref<1024x1024xf32>) outputs 1 blocks(%i, %j) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c128 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
    %a = tile.load %x[%row, %k] : memref<1024x512xf16> -> tensor<128x64xf16>
    %b = tile.load %w[%k, %column] : memref<512x1024xf16> -> tensor<64x128xf16>
    %d = tile.dot %a, %b, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %sum, %y[%row, %column] : tensor<128x128xf32>, memref<1024x1024xf32>
  tile.return
}
