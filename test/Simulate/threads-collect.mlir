// Blocks of a cluster collect what each has: all meet, each writes to the others, all meet again, and each reads what it got.
// Each part that keeps that in order is missed.

// RUN: fuse-opt %s --fuse-tiles-to-placed --fuse-placed-to-staged --fuse-staged-to-threads > %t.mlir
// RUN: fuse-opt %t.mlir --threads-simulate=seeds=8 -o /dev/null
// RUN: FileCheck %s --check-prefix=PARTS < %t.mlir
// PARTS: llvm.func @product
// PARTS: setmaxnreg.inc
// PARTS: barrier.cluster.arrive.release.aligned;{{.*}}barrier.cluster.wait.acquire.aligned;
// PARTS: st.shared::cluster.v4.b32
// PARTS: barrier.cluster.arrive.release.aligned;{{.*}}barrier.cluster.wait.acquire.aligned;
// PARTS: setmaxnreg.dec
// PARTS-COUNT-2: barrier.cluster.arrive.release;{{.*}}barrier.cluster.wait.acquire;
// PARTS: llvm.func @dots
// PARTS: nvvm.cp.async

// DEFINE: %{fault} =
// DEFINE: %{broken} = sed -e '%{fault}' %t.mlir | not fuse-opt --threads-simulate -o /dev/null 2>&1 | FileCheck %s --check-prefix

// Nobody waits until all have begun; until all have written; or the role that loads only comes once, or not at all.
// REDEFINE: %{fault} = /@product/,/st.shared::cluster/{/barrier.cluster/d};/barrier.cluster.arrive.release;/{N;s/.*\n//}
// RUN: %{broken}=BEGUN
// BEGUN: error: 'llvm.inline_asm' op writes to block {{.}} of its cluster, which may not have begun
// BEGUN: seen in warp {{.*}} of 'product'
// REDEFINE: %{fault} = /st.shared::cluster/,/llvm.load/{/barrier.cluster/d};/barrier.cluster.arrive.release;/{N;s/.*\n//}
// RUN: %{broken}=WRITTEN
// WRITTEN: error: 'llvm.load' op reads byte {{.*}} of shared memory, which {{nobody has written|another warp may still write}}
// WRITTEN: seen in warp {{.*}} of 'product'
// REDEFINE: %{fault} = /barrier.cluster.arrive.release;/{N;s/.*\n//}
// RUN: %{broken}=FOREVER
// REDEFINE: %{fault} = /barrier.cluster.arrive.release;/d
// RUN: %{broken}=FOREVER
// FOREVER: error: 'llvm.inline_asm' op waits for ever
// FOREVER: seen in warp {{.*}} of 'product'

// All write to one place.
// REDEFINE: %{fault} = s/llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" *: () -> i32/arith.constant 0 : i32/
// RUN: %{broken}=PLACE
// PLACE: error: 'llvm.inline_asm' op writes byte {{.*}} of shared memory, which another warp may still write

// All have begun, but copies still come to where others write, or threads still read there.
// REDEFINE: %{fault} = /@dots/,/st.shared::cluster/{/barrier.cluster/d;s/.*nvvm.read.ptx.sreg.tid.x.*/&\nllvm.inline_asm has_side_effects "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;", "~{memory}" : () -> ()/}
// RUN: %{broken}=COPIES
// COPIES: error: 'llvm.inline_asm' op writes byte {{.*}} of shared memory, which another warp may still {{write|read}}
// COPIES: seen in warp {{.*}} of 'dots'
// REDEFINE: %{fault} = /@dots/,/llvm.return/{/st.shared::cluster/,/llvm.load/{/barrier.cluster/d}}
// RUN: %{broken}=OTHERS
// OTHERS: error: {{.*}} of shared memory, which {{nobody has written|another warp may still (write|read)}}
// OTHERS: seen in warp {{.*}} of 'dots'

// Two in a row: others still read what was collected first. So do threads of the block that use the memory anew.
// REDEFINE: %{fault} = /@twice/,/llvm.return/{/llvm.load.*ptr<3>/,/st.shared::cluster/{/barrier.cluster/d}}
// RUN: %{broken}=TWICE
// TWICE: error: {{.*}} of shared memory, which another warp may still {{write|read}}
// TWICE: seen in warp {{.*}} of 'twice'
// REDEFINE: %{fault} = /@behind/,/llvm.store/{/nvvm.barrier0/d}
// RUN: %{broken}=BEHIND
// BEHIND: error: 'llvm.store' op writes byte {{.*}} of shared memory, which another warp may still read
// BEHIND: seen in warp {{.*}} of 'behind'

// Groups of warps multiply what a role loads.
tile.kernel @product(%x: memref<256x256xf16>, %w: memref<256x128xf16>, %y: memref<256x128xf32>) outputs 1 blocks(%part, %i, %j) attributes {tile.warps = 8, tile.stages = 2, tile.grid = array<i64: 2, 2, 2>, tile.blocks = 8 : i64, tile.cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c64 : index
  %from = arith.muli %part, %c128 : index
  %to = arith.addi %from, %c128 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sum = scf.for %k = %from to %to step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) {
    %a = tile.load %x[%row, %k] : memref<256x256xf16> -> tensor<128x64xf16>
    %b = tile.load %w[%k, %column] : memref<256x128xf16> -> tensor<64x64xf16>
    %d = tile.dot %a, %b, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %all:2 = tile.collect %sum axes [0] blocks 2 : (tensor<128x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>)
  %both = arith.addf %all#0, %all#1 : tensor<64x64xf32>
  %first = arith.muli %part, %c64 : index
  %own = arith.addi %row, %first : index
  tile.store %both, %y[%own, %column] : tensor<64x64xf32>, memref<256x128xf32>
  tile.return
}

// Threads copy, to where the others write later.
tile.kernel @dots(%x: memref<64x256xf32>, %w: memref<256x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%part) attributes {tile.warps = 4, tile.stages = 2, tile.grid = array<i64: 4>, tile.cluster = array<i64: 4>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %from = arith.muli %part, %c64 : index
  %to = arith.addi %from, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %sum = scf.for %k = %from to %to step %c32 iter_args(%s = %zero) -> (tensor<64x32xf32>) {
    %a = tile.load %x[%c0, %k] : memref<64x256xf32> -> tensor<64x32xf32>
    %b = tile.load %w[%k, %c0] : memref<256x32xf32> -> tensor<32x32xf32>
    %d = tile.dot %a, %b, %s : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
    scf.yield %d : tensor<64x32xf32>
  }
  %all:4 = tile.collect %sum axes [0] blocks 4 : (tensor<64x32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>)
  %one = arith.addf %all#0, %all#1 : tensor<16x32xf32>
  %other = arith.addf %all#2, %all#3 : tensor<16x32xf32>
  %both = arith.addf %one, %other : tensor<16x32xf32>
  %own = arith.muli %part, %c16 : index
  tile.store %both, %y[%own, %c0] : tensor<16x32xf32>, memref<64x32xf32>
  tile.return
}

// What is collected twice has one place.
tile.kernel @twice(%x: memref<2x64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks(%part) attributes {tile.warps = 4, tile.grid = array<i64: 2>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %a = tile.load %x[%part, %c0, %c0] map (d0, d1) -> (0, d0, d1) : memref<2x64x64xf32> -> tensor<64x64xf32>
  %all:2 = tile.collect %a axes [0] blocks 2 : (tensor<64x64xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>)
  %both = arith.addf %all#0, %all#1 : tensor<32x64xf32>
  %again:2 = tile.collect %both axes [1] blocks 2 : (tensor<32x64xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
  %own = arith.muli %part, %c32 : index
  tile.store %again#0, %y[%c0, %own] : tensor<32x32xf32>, memref<64x64xf32>
  tile.store %again#1, %y[%c32, %own] : tensor<32x32xf32>, memref<64x64xf32>
  tile.return
}

// So has a factor behind it.
tile.kernel @behind(%x: memref<2x64x32xf32>, %w: memref<32x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%part) attributes {tile.warps = 4, tile.grid = array<i64: 2>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %a = tile.load %x[%part, %c0, %c0] map (d0, d1) -> (0, d0, d1) : memref<2x64x32xf32> -> tensor<64x32xf32>
  %all:2 = tile.collect %a axes [0] blocks 2 : (tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
  %both = arith.addf %all#0, %all#1 : tensor<32x32xf32>
  %b = tile.load %w[%c0, %c0] : memref<32x32xf32> -> tensor<32x32xf32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tile.dot %both, %b, %zero : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %own = arith.muli %part, %c32 : index
  tile.store %d, %y[%own, %c0] : tensor<32x32xf32>, memref<64x32xf32>
  tile.return
}
