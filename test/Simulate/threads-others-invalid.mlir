// Registers that there are not, and what cannot be simulated.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --threads-simulate

// Registers are handed over by eights,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 384, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    // expected-error @+1 {{asks for 36 registers a thread, but a multiple of 8 from 24 to 256 is possible}}
    llvm.inline_asm has_side_effects "setmaxnreg.dec.sync.aligned.u32 36;", "" : () -> ()
    llvm.return
  }
}

// -----

// in the direction that is said,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 384, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    // expected-error @+1 {{asks for 40 registers a thread, which is fewer than the 168 that it has}}
    llvm.inline_asm has_side_effects "setmaxnreg.inc.sync.aligned.u32 40;", "" : () -> ()
    llvm.return
  }
}

// -----

// and nobody gets more than others leave: two thirds of 168 - 40.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 384, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    %c128 = arith.constant 128 : i32
    %isLoad = arith.cmpi ult, %tid, %c128 : i32
    scf.if %isLoad {
      llvm.inline_asm has_side_effects "setmaxnreg.dec.sync.aligned.u32 40;", "" : () -> ()
    } else {
      // expected-error @+1 {{waits for ever}}
      llvm.inline_asm has_side_effects "setmaxnreg.inc.sync.aligned.u32 240;", "" : () -> ()
    }
    llvm.return
  }
}

// -----

// What is not known is not passed over.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    // expected-error @+1 {{is assembly that cannot be simulated}}
    llvm.inline_asm has_side_effects "trap;", "" : () -> ()
    llvm.return
  }
}

// -----

// Nor what is only half of it.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    // expected-error @+1 {{is assembly that cannot be simulated}}
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned;", "~{memory}" : () -> ()
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    // expected-error @+1 {{is assembly that cannot be simulated}}
    llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [$0, {$1}], [$2];", "l,r,r,~{memory}" %base, %c0, %base : (!llvm.ptr<3>, i32, !llvm.ptr<3>) -> ()
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    // expected-error @+1 {{is assembly that cannot be simulated}}
    llvm.inline_asm has_side_effects "mapa.shared::cluster.u32 there, $0, $1;", "r,r,~{memory}" %base, %c1 : (!llvm.ptr<3>, i32) -> ()
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    llvm.store %c0, %base : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    %n = llvm.load %base : !llvm.ptr<3> -> i32
    // expected-error @+1 {{cannot be simulated: how it goes on depends on sizes, which the option}}
    scf.for %i = %c0 to %n step %c1 : i32 {
      llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    }
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    // expected-error @+1 {{is not the same for all threads of a warp that come there}}
    scf.for %i = %c0 to %tid step %c1 : i32 {
      llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    }
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{does not say how many threads it has}}
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// What another block writes is there when all have met,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared = 1024 : i64, tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" : () -> i32
    %other = arith.subi %c1, %rank : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "{\0A\09.reg .b32 there;\0A\09mapa.shared::cluster.u32 there, $0, $1;\0A\09@$3 st.shared::cluster.b32 [there], $2;\0A\09}", "r,r,r,b,~{memory}" %base, %other, %tid, %isFirst : (!llvm.ptr<3>, i32, i32, i1) -> ()
    // expected-error @+1 {{reads byte 0 of shared memory, which nobody has written}}
    %x = llvm.load %base : !llvm.ptr<3> -> i32
    llvm.return
  }
}

// -----

// who only say that they have begun tell nothing of it,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared = 1024 : i64, tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" : () -> i32
    %other = arith.subi %c1, %rank : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.relaxed.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    // expected-note @+1 {{it is written here}}
    llvm.inline_asm has_side_effects "{\0A\09.reg .b32 there;\0A\09mapa.shared::cluster.u32 there, $0, $1;\0A\09@$3 st.shared::cluster.b32 [there], $2;\0A\09}", "r,r,r,b,~{memory}" %base, %other, %tid, %isFirst : (!llvm.ptr<3>, i32, i32, i1) -> ()
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.relaxed.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    // expected-error @+1 {{reads byte 0 of shared memory, which}}
    %x = llvm.load %base : !llvm.ptr<3> -> i32
    llvm.return
  }
}

// -----

// behind a fence of barriers neither,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      // expected-note @+1 {{it is written here}}
      llvm.store %c1, %base : i32, !llvm.ptr<3>
      llvm.inline_asm has_side_effects "fence.mbarrier_init.release.cluster;", "~{memory}" : () -> ()
    }
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.relaxed.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    // expected-error @+1 {{reads byte 0 of shared memory, which}}
    %x = llvm.load %base : !llvm.ptr<3> -> i32
    llvm.return
  }
}

// -----

// but of barriers, if they are fenced,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared = 1024 : i64, tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %other = llvm.getelementptr %base[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" : () -> i32
    %next = arith.subi %c1, %rank : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %base, %c1 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "fence.mbarrier_init.release.cluster;", "~{memory}" : () -> ()
      // expected-note @+1 {{it is made here}}
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %other, %c1 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.relaxed.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "{ mapa.shared::cluster.u32 there, $0, $1; mbarrier.arrive.shared::cluster.b64 _, [there]; }", "r,r,~{memory}" %base, %next : (!llvm.ptr<3>, i32) -> ()
      // expected-error @+1 {{is about a barrier that may not be made yet}}
      llvm.inline_asm has_side_effects "{ mapa.shared::cluster.u32 there, $0, $1; mbarrier.arrive.shared::cluster.b64 _, [there]; }", "r,r,~{memory}" %other, %next : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.return
  }
}

// -----

// and there have to be so many.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared = 1024 : i64, tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" : () -> i32
    %other = arith.addi %c1, %rank : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    // expected-error @+1 {{tells block 2 of a cluster of 2}}
    llvm.inline_asm has_side_effects "{\0A\09.reg .b32 there;\0A\09mapa.shared::cluster.u32 there, $0, $1;\0A\09@$3 st.shared::cluster.b32 [there], $2;\0A\09}", "r,r,r,b,~{memory}" %base, %other, %tid, %isFirst : (!llvm.ptr<3>, i32, i32, i1) -> ()
    %x = llvm.load %base : !llvm.ptr<3> -> i32
    llvm.return
  }
}

// -----

// Nobody writes to a block that has not begun, for all that is known,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared = 1024 : i64, tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" : () -> i32
    %other = arith.subi %c1, %rank : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    // expected-error @+1 {{of its cluster, which may not have begun}}
    llvm.inline_asm has_side_effects "{\0A\09.reg .b32 there;\0A\09mapa.shared::cluster.u32 there, $0, $1;\0A\09@$4 st.shared::cluster.v2.b32 [there], {$2, $3};\0A\09}", "r,r,r,r,b,~{memory}" %base, %other, %tid, %tid, %isFirst : (!llvm.ptr<3>, i32, i32, i32, i1) -> ()
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    llvm.return
  }
}

// -----

// nor two of them, which have numbers of their own, to one place,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared = 1024 : i64, tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" : () -> i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    // expected-error @+2 {{writes byte 0 of shared memory, which another warp may still write}}
    // expected-note @+1 {{it is written here}}
    llvm.inline_asm has_side_effects "{\0A\09.reg .b32 there;\0A\09mapa.shared::cluster.u32 there, $0, $1;\0A\09@$4 st.shared::cluster.v2.b32 [there], {$2, $3};\0A\09}", "r,r,r,r,b,~{memory}" %base, %c1, %tid, %tid, %isFirst : (!llvm.ptr<3>, i32, i32, i32, i1) -> ()
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    llvm.return
  }
}

// -----

// nor to where that block may write for itself.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared = 1024 : i64, tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %rank = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" : () -> i32
    %other = arith.subi %c1, %rank : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    // expected-error @+1 {{writes byte 0 of shared memory, which another warp may still write}}
    llvm.store %c0, %base : i32, !llvm.ptr<3>
    // expected-note @+1 {{it is written here}}
    llvm.inline_asm has_side_effects "{\0A\09.reg .b32 there;\0A\09mapa.shared::cluster.u32 there, $0, $1;\0A\09@$4 st.shared::cluster.v2.b32 [there], {$2, $3};\0A\09}", "r,r,r,r,b,~{memory}" %base, %other, %tid, %tid, %isFirst : (!llvm.ptr<3>, i32, i32, i32, i1) -> ()
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned;\0A\09barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    llvm.return
  }
}
