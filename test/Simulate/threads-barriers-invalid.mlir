// Barriers that count wrongly, or at which threads wait for ever.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --threads-simulate

// There are 16 barriers with numbers,
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
    // expected-error @+1 {{is about barrier 16, but a block has 16}}
    llvm.inline_asm has_side_effects "bar.sync 16, 64;", "~{memory}" : () -> ()
    llvm.return
  }
}

// -----

// at which whole warps meet,
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
    // expected-error @+1 {{is a barrier of 48 threads, but needs whole warps of the 64 threads that there are}}
    llvm.inline_asm has_side_effects "bar.sync 1, 48;", "~{memory}" : () -> ()
    llvm.return
  }
}

// -----

// of the block,
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
    // expected-error @+1 {{is a barrier of 96 threads, but needs whole warps of the 64 threads that there are}}
    llvm.inline_asm has_side_effects "bar.sync 1, 96;", "~{memory}" : () -> ()
    llvm.return
  }
}

// -----

// equally many for all,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 96, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    scf.if %isOwn {
      // expected-error @+1 {{waits for 64 threads, but others wait there for 96}}
      llvm.inline_asm has_side_effects "bar.sync 1, 64;", "~{memory}" : () -> ()
    }
    %isOther = arith.cmpi uge, %tid, %c32 : i32
    scf.if %isOther {
      // expected-note @+1 {{they wait here}}
      llvm.inline_asm has_side_effects "bar.sync 1, 96;", "~{memory}" : () -> ()
    }
    llvm.return
  }
}

// -----

// also where those of the one count have gone on by chance before those of the other come,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 160, 1, 1>, tile.shared = 1024 : i64} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c1000 = arith.constant 1000 : i32
    %isOwn = arith.cmpi ult, %tid, %c64 : i32
    scf.if %isOwn {
      // expected-note @+1 {{they wait here}}
      llvm.inline_asm has_side_effects "bar.sync 1, 64;", "~{memory}" : () -> ()
    }
    %isOther = arith.cmpi uge, %tid, %c64 : i32
    scf.if %isOther {
      scf.for %i = %c0 to %c1000 step %c1 : i32 {
        llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
      }
      // expected-error @+1 {{comes to barrier 1 for 96 threads, where others may still wait for 64: nothing says that they have gone on}}
      llvm.inline_asm has_side_effects "bar.sync 1, 96;", "~{memory}" : () -> ()
    }
    llvm.return
  }
}

// -----

// or are as many,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.shared = 1024 : i64} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c1000 = arith.constant 1000 : i32
    %isOwn = arith.cmpi ult, %tid, %c64 : i32
    scf.if %isOwn {
      // expected-note @+1 {{they wait here}}
      llvm.inline_asm has_side_effects "bar.sync 1, 64;", "~{memory}" : () -> ()
    }
    %isOther = arith.cmpi uge, %tid, %c64 : i32
    scf.if %isOther {
      scf.for %i = %c0 to %c1000 step %c1 : i32 {
        llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
      }
      // expected-error @+1 {{comes to barrier 1 for 64 threads, where others may still wait for 64: nothing says that they have gone on}}
      llvm.inline_asm has_side_effects "bar.sync 1, 64;", "~{memory}" : () -> ()
    }
    llvm.return
  }
}

// -----

// or come again without having waited;
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c1000 = arith.constant 1000 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    scf.if %isOwn {
      // expected-note @+1 {{they wait here}}
      llvm.inline_asm has_side_effects "bar.sync 1, 64;", "~{memory}" : () -> ()
      llvm.inline_asm has_side_effects "bar.sync 1, 64;", "~{memory}" : () -> ()
    }
    %isOther = arith.cmpi uge, %tid, %c32 : i32
    scf.if %isOther {
      llvm.inline_asm has_side_effects "bar.arrive 1, 64;", "~{memory}" : () -> ()
      scf.for %i = %c0 to %c1000 step %c1 : i32 {
        llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
      }
      // expected-error @+1 {{comes to barrier 1 for 64 threads, where others may still wait for 64}}
      llvm.inline_asm has_side_effects "bar.arrive 1, 64;", "~{memory}" : () -> ()
    }
    llvm.return
  }
}

// -----

// who has met one of them may come, in another number, too;
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 160, 1, 1>, tile.shared = 1024 : i64} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c1000 = arith.constant 1000 : i32
    %isOwn = arith.cmpi ult, %tid, %c64 : i32
    scf.if %isOwn {
      llvm.inline_asm has_side_effects "bar.sync 1, 64;", "~{memory}" : () -> ()
    }
    llvm.inline_asm has_side_effects "bar.sync 0, 160;", "~{memory}" : () -> ()
    %isOther = arith.cmpi uge, %tid, %c64 : i32
    scf.if %isOther {
      llvm.inline_asm has_side_effects "bar.sync 1, 96;", "~{memory}" : () -> ()
    }
    llvm.return
  }
}

// -----

// and with all of their threads.
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
    scf.if %isFirst {
      // expected-error @+1 {{needs all threads of its warp, of which some do not come here}}
      llvm.inline_asm has_side_effects "bar.sync 1, 64;", "~{memory}" : () -> ()
    }
    llvm.return
  }
}

// -----

// Who comes to another one waits for ever.
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
    scf.if %isOwn {
      // expected-error @+1 {{waits for ever}}
      llvm.inline_asm has_side_effects "bar.sync 1, 64;", "~{memory}" : () -> ()
    }
    %isOther = arith.cmpi uge, %tid, %c32 : i32
    scf.if %isOther {
      // expected-note @+1 {{and warp 1 of block 0 waits here}}
      llvm.inline_asm has_side_effects "bar.sync 2, 64;", "~{memory}" : () -> ()
    }
    llvm.return
  }
}

// -----

// A barrier in memory has to be made,
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
    scf.if %isFirst {
      // expected-error @+1 {{is about the barrier at byte 0 of shared memory, where none is made}}
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
    }
    llvm.return
  }
}

// -----

// before others use it,
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
    scf.if %isFirst {
      // expected-note @+1 {{it is made here}}
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %base, %c1 : (!llvm.ptr<3>, i32) -> ()
    }
    %isLast = arith.cmpi eq, %tid, %c32 : i32
    %c1000 = arith.constant 1000 : i32
    scf.for %i = %c0 to %c1000 step %c1 : i32 {
      llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
    }
    scf.if %isLast {
      // expected-error @+1 {{is about a barrier that may not be made yet}}
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
    }
    llvm.return
  }
}

// -----

// for somebody.
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
    scf.if %isFirst {
      // expected-error @+1 {{makes a barrier for 0 threads}}
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %base, %c0 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.return
  }
}

// -----

// Threads that are missing at the end were not meant,
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
    scf.if %isFirst {
      // expected-error @+1 {{makes a barrier to which at the end 1 of 4 threads have come, and which waits for 0 bytes}}
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %base, %c4 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
    }
    llvm.return
  }
}

// -----

// nor are other ones than before: here it is one warp for both of two, and then the other one.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    scf.if %isFirst {
      // expected-note @+1 {{the barrier is made for 2 threads here}}
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %base, %c2 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
    }
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    %isLast = arith.cmpi eq, %tid, %c32 : i32
    scf.if %isLast {
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
      // expected-error @+1 {{ends a phase to which other warps have come, or more often, than to the one before}}
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
    }
    llvm.return
  }
}

// -----

// A phase is over once, and whoever comes later sees the next one.
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
    scf.if %isFirst {
      // expected-note @+1 {{the barrier is made here}}
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %base, %c1 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
      // expected-error @+1 {{has missed a phase of its barrier: 3 are over, and its warp last saw 0}}
      llvm.inline_asm has_side_effects "{ again: mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1; @done bra.uni over; bra.uni again; over: }", "r,r,~{memory}" %base, %c0 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.return
  }
}

// -----

// Bytes that do not come are waited for,
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
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %base, %c1 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %base, %c64 : (!llvm.ptr<3>, i32) -> ()
      // expected-error @+1 {{waits for ever}}
      llvm.inline_asm has_side_effects "{ again: mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1; @done bra.uni over; bra.uni again; over: }", "r,r,~{memory}" %base, %c0 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.return
  }
}

// -----

// Until they have come nobody begins the next phase,
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
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %base, %c1 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %base, %c64 : (!llvm.ptr<3>, i32) -> ()
      // expected-error @+1 {{comes to a barrier to which all of its 1 threads have come, and which waits for 64 bytes}}
      llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %base : (!llvm.ptr<3>) -> ()
    }
    llvm.return
  }
}

// -----

// and not more of them than a barrier counts.
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
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %base, %c1 : (!llvm.ptr<3>, i32) -> ()
      %many = arith.constant 1048576 : i32
      // expected-error @+1 {{makes a barrier wait for 1048576 bytes, but it can count 1048575}}
      llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %base, %many : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.return
  }
}
