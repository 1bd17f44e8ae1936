// Two blocks bring each other shares of a factor, through a ring of two slots that is gone through several times, and walk
// to another place while the copy engine stores. Each part that keeps that in order is missed.

// RUN: fuse-opt %s --fuse-tiles-to-placed --fuse-placed-to-staged --fuse-staged-to-threads > %t.mlir
// RUN: fuse-opt %t.mlir --threads-simulate=seeds=8 -o /dev/null
// RUN: FileCheck %s --check-prefix=PARTS < %t.mlir
// RUN: not fuse-opt %t.mlir --threads-simulate=grid=2,2,2 -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: error: 'llvm.func' op has a grid of 2 dimensions, but the option 'grid' has 3
// PARTS: setmaxnreg.inc
// PARTS: wait_group.read 1
// PARTS: setmaxnreg.dec
// PARTS: multicast::cluster

// DEFINE: %{fault} =
// DEFINE: %{broken} = sed -e '%{fault}' %t.mlir | not fuse-opt --threads-simulate -o /dev/null 2>&1 | FileCheck %s --check-prefix

// A mask of one block: the other one waits for its bytes.
// REDEFINE: %{fault} = s/constant 3 : i16/constant 1 : i16/
// RUN: %{broken}=FOREVER
// FOREVER: error: 'llvm.inline_asm' op waits for ever

// A mask of three.
// REDEFINE: %{fault} = s/constant 3 : i16/constant 7 : i16/
// RUN: %{broken}=MASK
// MASK: error: 'llvm.inline_asm' op has the mask 7 for a cluster of 2 blocks

// Slots are freed in the own block only: the other one's are filled when they are not empty.
// REDEFINE: %{fault} = s/mapa.shared::cluster.u32 there, $0, $1;.*barrier.arrive.shared::cluster.b64 _, \[there\];.*}", "r,r,~{memory}" \(%[0-9]*\), %[0-9]* :.*/mbarrier.arrive.shared::cta.b64 _, [$0]; }", "r,~{memory}" \1 : (!llvm.ptr<3>) -> ()/
// RUN: %{broken}=OTHERS
// OTHERS: error: 'llvm.inline_asm' op writes byte {{.*}} of shared memory, which {{the copy engine may still write|another warp may still read}}

// A barrier that waits for half of the warps.
// REDEFINE: %{fault} = s/constant 16 : i32/constant 8 : i32/
// RUN: %{broken}=HALF
// HALF: error: 'llvm.inline_asm' op {{ends a phase|has missed a phase|writes byte .*, which (the copy engine may still write|another warp may still read)}}

// Fewer bytes than come: as many as the thread's number says.
// REDEFINE: %{fault} = s/\(expect_tx.*\), %c24576_i32[_0-9]*/\1, %0/
// RUN: %{broken}=FOREVER

// A block begins, or ends, without the other one.
// REDEFINE: %{fault} = /barrier.cluster.arrive.relaxed.aligned/d
// RUN: %{broken}=BEGIN
// BEGIN: error: 'llvm.inline_asm' op is about {{a barrier that may not be made yet|the barrier at byte .* where none is made}}
// REDEFINE: %{fault} = /barrier.cluster.arrive.release;/d
// RUN: %{broken}=END
// END: error: 'llvm.inline_asm' op {{tells|brings bytes to}} block {{.}} of its cluster, which has ended

// A room is written while it is read; by others than who has waited; without a fence; and is read at the end.
// REDEFINE: %{fault} = s/wait_group.read 1/wait_group.read 2/
// RUN: %{broken}=ROOM
// ROOM: error: 'llvm.store' op writes bytes of shared memory that the copy engine may still read
// REDEFINE: %{fault} = /bar.sync/d
// RUN: %{broken}=MET
// MET: error: {{.*}} op {{writes|reads|has}} {{.*}} of shared memory
// REDEFINE: %{fault} = /fence.proxy.async/d
// RUN: %{broken}=FENCE
// FENCE: error: 'llvm.inline_asm' op has byte {{.*}} of shared memory read beside the threads, of which one has written it without a fence since
// REDEFINE: %{fault} = s/wait_group.read 0/wait_group.read 1/
// RUN: %{broken}=OUT
// OUT: error: 'llvm.inline_asm' op is under way when its block ends

// Two teams at one barrier, and one that there is not.
// REDEFINE: %{fault} = s/bar.sync $0, 128/bar.sync $0, 256/
// RUN: %{broken}=FOREVER
// REDEFINE: %{fault} = s/bar.sync $0, 128;", "r,/bar.sync 16, 128;", "r,/
// RUN: %{broken}=NUMBER
// NUMBER: error: 'llvm.inline_asm' op is about barrier 16, but a block has 16

// More registers than there are.
// REDEFINE: %{fault} = s/setmaxnreg.inc.sync.aligned.u32 [0-9]*/setmaxnreg.inc.sync.aligned.u32 240/
// RUN: %{broken}=FOREVER

// A product that does not wait for its factors.
// REDEFINE: %{fault} = 0,/mbarrier.try_wait/{/mbarrier.try_wait/d}
// RUN: %{broken}=EARLY
// EARLY: error: 'llvm.inline_asm' op reads byte {{.*}}, which {{nobody has written|the copy engine may still write}}

tile.kernel @product(%x: memref<1536x256xf16>, %w: memref<256x768xf16>, %y: memref<1536x768xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 8, tile.stages = 2, tile.grid = array<i64: 12, 12>, tile.blocks = 144 : i64, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32>) {
    %a = tile.load %x[%row, %k] : memref<1536x256xf16> -> tensor<128x64xf16>
    %b = tile.load %w[%k, %column] : memref<256x768xf16> -> tensor<64x64xf16>
    %d = tile.dot %a, %b, %s : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  tile.store %sum, %y[%row, %column] : tensor<128x64xf32>, memref<1536x768xf32>
  tile.return
}
