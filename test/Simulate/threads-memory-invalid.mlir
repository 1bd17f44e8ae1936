// Threads that race for shared memory.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --threads-simulate

// A warp reads what the other one writes, behind no barrier,
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
    %bytes = arith.muli %tid, %c4 : i32
    %own = llvm.getelementptr %base[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %c128 = arith.constant 128 : i32
    %turned = arith.xori %bytes, %c128 : i32
    %other = llvm.getelementptr %base[%turned] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %c1000 = arith.constant 1000 : i32
    %isOther = arith.cmpi uge, %tid, %c32 : i32
    scf.if %isOther {
      scf.for %i = %c0 to %c1000 step %c1 : i32 {
        llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
      }
    }
    scf.if %isOwn {
      // expected-note @+1 {{it is written here}}
      llvm.store %c0, %own : i32, !llvm.ptr<3>
    } else {
      // expected-error @+1 {{reads byte 0 of shared memory, which another warp may still write}}
      %v = llvm.load %other : !llvm.ptr<3> -> i32
    }
    llvm.return
  }
}

// -----

// or writes it where the other one reads.
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
    %bytes = arith.muli %tid, %c4 : i32
    %own = llvm.getelementptr %base[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %c128 = arith.constant 128 : i32
    %turned = arith.xori %bytes, %c128 : i32
    %other = llvm.getelementptr %base[%turned] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    %c1000 = arith.constant 1000 : i32
    %isOther = arith.cmpi uge, %tid, %c32 : i32
    scf.if %isOwn {
      scf.for %i = %c0 to %c1000 step %c1 : i32 {
        llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
      }
    }
    scf.if %isOwn {
      // expected-error @+1 {{writes byte 0 of shared memory, which another warp may still read}}
      llvm.store %c0, %own : i32, !llvm.ptr<3>
    } else {
      // expected-note @+1 {{it is read here}}
      %v = llvm.load %other : !llvm.ptr<3> -> i32
    }
    llvm.return
  }
}

// -----

// Behind barriers that is right; and several warps may write copies of one number.
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
    %bytes = arith.muli %tid, %c4 : i32
    %own = llvm.getelementptr %base[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %c128 = arith.constant 128 : i32
    %turned = arith.xori %bytes, %c128 : i32
    %other = llvm.getelementptr %base[%turned] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    %v = llvm.load %other : !llvm.ptr<3> -> i32
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    llvm.store %c0, %base : i32, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// Memory has an end.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 100 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    %bytes = arith.muli %tid, %c4 : i32
    %own = llvm.getelementptr %base[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    // expected-error-re @+1 {{touches bytes {{100 to 103|128 to 131}} of shared memory, of which its block has 100}}
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// What a thread copies is there when it has waited for it, and all others for that thread.
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
    %bytes = arith.muli %tid, %c4 : i32
    %own = llvm.getelementptr %base[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %c128 = arith.constant 128 : i32
    %turned = arith.xori %bytes, %c128 : i32
    %other = llvm.getelementptr %base[%turned] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %from = llvm.mlir.zero : !llvm.ptr<1>
    // expected-note @+1 {{it is written here}}
    nvvm.cp.async.shared.global %own, %from, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    // expected-error-re @+1 {{reads byte {{0|128}} of shared memory, which another warp may still write}}
    %v = llvm.load %other : !llvm.ptr<3> -> i32
    llvm.return
  }
}

// -----

// Threads do not end before their copies.
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
    %bytes = arith.muli %tid, %c4 : i32
    %own = llvm.getelementptr %base[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %from = llvm.mlir.zero : !llvm.ptr<1>
    // expected-error @+1 {{is under way when its threads end}}
    nvvm.cp.async.shared.global %own, %from, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    llvm.return
  }
}

// -----

// What products of a warpgroup read has been written,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c16 = arith.constant 16 : i32
    %zero = arith.constant 0 : i64
    %from = llvm.mlir.zero : !llvm.ptr<1>
    %at = arith.remui %tid, %c16 : i32
    %bytes = arith.muli %at, %c16 : i32
    %own = llvm.getelementptr %base[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    nvvm.cp.async.shared.global %own, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "bar.sync 0, 128;", "~{memory}" : () -> ()
    // expected-error @+1 {{reads byte 256 of shared memory, which nobody has written}}
    llvm.inline_asm has_side_effects "{ add.s64 left, $0, 1; add.s64 right, $1, 16; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {}, left, right, 1, 1, 1, 0, 0; }", "l,l" %zero, %zero : (i64, i64) -> ()
    llvm.return
  }
}

// -----

// and fenced by who has,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c16 = arith.constant 16 : i32
    %zero = arith.constant 0 : i64
    %from = llvm.mlir.zero : !llvm.ptr<1>
    %at = arith.remui %tid, %c16 : i32
    %bytes = arith.muli %at, %c16 : i32
    %own = llvm.getelementptr %base[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    // expected-note @+1 {{it is written here}}
    nvvm.cp.async.shared.global %own, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    llvm.inline_asm has_side_effects "bar.sync 0, 128;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
    // expected-error @+1 {{has byte 16 of shared memory read beside the threads, of which one has written it without a fence since}}
    llvm.inline_asm has_side_effects "{ add.s64 left, $0, 1; add.s64 right, $1, 15; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {}, left, right, 1, 1, 1, 0, 0; }", "l,l" %zero, %zero : (i64, i64) -> ()
    llvm.return
  }
}

// -----

// when it was there.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c16 = arith.constant 16 : i32
    %zero = arith.constant 0 : i64
    %from = llvm.mlir.zero : !llvm.ptr<1>
    %at = arith.remui %tid, %c16 : i32
    %bytes = arith.muli %at, %c16 : i32
    %own = llvm.getelementptr %base[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    // expected-note @+1 {{it is written here}}
    nvvm.cp.async.shared.global %own, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "bar.sync 0, 128;", "~{memory}" : () -> ()
    nvvm.cp.async.wait.group 0
    llvm.inline_asm has_side_effects "bar.sync 0, 128;", "~{memory}" : () -> ()
    // expected-error @+1 {{has byte 16 of shared memory read beside the threads, of which one has written it without a fence since}}
    llvm.inline_asm has_side_effects "{ add.s64 left, $0, 1; add.s64 right, $1, 15; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {}, left, right, 1, 1, 1, 0, 0; }", "l,l" %zero, %zero : (i64, i64) -> ()
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.shared = 1024 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c16 = arith.constant 16 : i32
    %zero = arith.constant 0 : i64
    %from = llvm.mlir.zero : !llvm.ptr<1>
    %at = arith.remui %tid, %c16 : i32
    %bytes = arith.muli %at, %c16 : i32
    %own = llvm.getelementptr %base[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    nvvm.cp.async.shared.global %own, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "bar.sync 0, 128;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "{ add.s64 left, $0, 1; add.s64 right, $1, 15; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {}, left, right, 1, 1, 1, 0, 0; }", "l,l" %zero, %zero : (i64, i64) -> ()
    llvm.return
  }
}
