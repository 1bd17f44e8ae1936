// What the copy engine is told wrongly, or too early, or too late.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --threads-simulate

// The copy engine brings 64 numbers of f32, of which fewer are expected.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>]} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    %bar = llvm.getelementptr %base[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %bar, %c1 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %bar, %c64 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r,~{memory}" %base, %map, %c0, %bar : (!llvm.ptr<3>, !llvm.ptr, i32, !llvm.ptr<3>) -> ()
      // expected-error @+1 {{waits for ever}}
      llvm.inline_asm has_side_effects "{ again: mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1; @done bra.uni over; bra.uni again; over: }", "r,r,~{memory}" %bar, %c0 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.return
  }
}

// -----

// They are there behind the barrier.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>]} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    %bar = llvm.getelementptr %base[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %c256 = arith.constant 256 : i32
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %bar, %c1 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %bar, %c256 : (!llvm.ptr<3>, i32) -> ()
      // expected-note @+1 {{it is written here}}
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r,~{memory}" %base, %map, %c0, %bar : (!llvm.ptr<3>, !llvm.ptr, i32, !llvm.ptr<3>) -> ()
      // expected-error @+1 {{reads byte 0 of shared memory, which the copy engine may still write}}
      %v = llvm.load %base : !llvm.ptr<3> -> i32
      llvm.inline_asm has_side_effects "{ again: mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1; @done bra.uni over; bra.uni again; over: }", "r,r,~{memory}" %bar, %c0 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.return
  }
}

// -----

// A map is a parameter.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>]} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    %bar = llvm.getelementptr %base[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %bar, %c1 : (!llvm.ptr<3>, i32) -> ()
      %other = llvm.mlir.zero : !llvm.ptr
      // expected-error @+1 {{has no tensor map of its function}}
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r,~{memory}" %base, %other, %c0, %bar : (!llvm.ptr<3>, !llvm.ptr, i32, !llvm.ptr<3>) -> ()
    }
    llvm.return
  }
}

// -----

// It brings them to blocks of the cluster only,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>], tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    %bar = llvm.getelementptr %base[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %c256 = arith.constant 256 : i32
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %bar, %c1 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    %mask = arith.constant 5 : i16
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %bar, %c256 : (!llvm.ptr<3>, i32) -> ()
      // expected-error @+1 {{has the mask 5 for a cluster of 2 blocks}}
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2}], [$3], $4;", "r,l,r,r,h,~{memory}" %base, %map, %c0, %bar, %mask : (!llvm.ptr<3>, !llvm.ptr, i32, !llvm.ptr<3>, i16) -> ()
    }
    llvm.return
  }
}

// -----

// which wait for their own bytes,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>], tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    %bar = llvm.getelementptr %base[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %c256 = arith.constant 256 : i32
    scf.if %isFirst {
      // expected-error @+1 {{makes a barrier to which at the end 0 of 1 threads have come, and which waits for -256 bytes}}
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %bar, %c1 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    %rank = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" : () -> i32
    %isLeft = arith.cmpi eq, %rank, %c0 : i32
    %isTeller = arith.andi %isLeft, %isFirst : i1
    %mask = arith.constant 3 : i16
    scf.if %isTeller {
      llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %bar, %c256 : (!llvm.ptr<3>, i32) -> ()
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2}], [$3], $4;", "r,l,r,r,h,~{memory}" %base, %map, %c0, %bar, %mask : (!llvm.ptr<3>, !llvm.ptr, i32, !llvm.ptr<3>, i16) -> ()
      llvm.inline_asm has_side_effects "{ again: mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1; @done bra.uni over; bra.uni again; over: }", "r,r,~{memory}" %bar, %c0 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    llvm.return
  }
}

// -----

// and have not ended.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>], tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    %bar = llvm.getelementptr %base[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %c256 = arith.constant 256 : i32
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %bar, %c1 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    %rank = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" : () -> i32
    %isLeft = arith.cmpi eq, %rank, %c0 : i32
    %isTeller = arith.andi %isLeft, %isFirst : i1
    %c1000 = arith.constant 1000 : i32
    %mask = arith.constant 3 : i16
    scf.if %isTeller {
      scf.for %i = %c0 to %c1000 step %c1 : i32 {
        llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
      }
      llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %bar, %c256 : (!llvm.ptr<3>, i32) -> ()
      // expected-error @+1 {{brings bytes to block 1 of its cluster, which has ended}}
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2}], [$3], $4;", "r,l,r,r,h,~{memory}" %base, %map, %c0, %bar, %mask : (!llvm.ptr<3>, !llvm.ptr, i32, !llvm.ptr<3>, i16) -> ()
    }
    llvm.return
  }
}

// -----

// Nor is a block told anything that has ended,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>], tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    %bar = llvm.getelementptr %base[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %c256 = arith.constant 256 : i32
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %bar, %c1 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    %rank = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;", "=r" : () -> i32
    %isLeft = arith.cmpi eq, %rank, %c0 : i32
    %isTeller = arith.andi %isLeft, %isFirst : i1
    %c1000 = arith.constant 1000 : i32
    scf.if %isTeller {
      scf.for %i = %c0 to %c1000 step %c1 : i32 {
        llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
      }
      // expected-error @+1 {{tells block 1 of its cluster, which has ended}}
      llvm.inline_asm has_side_effects "{ mapa.shared::cluster.u32 there, $0, $1; mbarrier.arrive.shared::cluster.b64 _, [there]; }", "r,r,~{memory}" %bar, %c1 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.return
  }
}

// -----

// or one that there is not.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>], tile.cluster = 2 : i64} {
    %base = llvm.mlir.addressof @fuse_shared : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %isFirst = arith.cmpi eq, %tid, %c0 : i32
    %isOwn = arith.cmpi ult, %tid, %c32 : i32
    %bar = llvm.getelementptr %base[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %c256 = arith.constant 256 : i32
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %bar, %c1 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
    scf.if %isFirst {
      // expected-error @+1 {{tells block 4 of a cluster of 2}}
      llvm.inline_asm has_side_effects "{ mapa.shared::cluster.u32 there, $0, $1; mbarrier.arrive.shared::cluster.b64 _, [there]; }", "r,r,~{memory}" %bar, %c4 : (!llvm.ptr<3>, i32) -> ()
    }
    llvm.return
  }
}

// -----

// What the engine stores threads have written behind a fence
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>]} {
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
    // expected-note @+1 {{it is written here}}
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    scf.if %isFirst {
      // expected-error @+1 {{has byte 0 of shared memory read beside the threads, of which one has written it without a fence since}}
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [$0, {$1}], [$2]; cp.async.bulk.commit_group;", "l,r,r,~{memory}" %map, %c0, %base : (!llvm.ptr, i32, !llvm.ptr<3>) -> ()
    }
    llvm.return
  }
}

// -----

// and a barrier;
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>]} {
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
    // expected-note @+1 {{it is written here}}
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
    // expected-error-re @+2 {{reads byte {{.*}} of shared memory, which another warp may still write}}
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [$0, {$1}], [$2]; cp.async.bulk.commit_group;", "l,r,r,~{memory}" %map, %c0, %base : (!llvm.ptr, i32, !llvm.ptr<3>) -> ()
    }
    llvm.return
  }
}

// -----

// they do not write there again before it has been read,
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>]} {
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
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    scf.if %isFirst {
      // expected-note @+1 {{it is told to read them here}}
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [$0, {$1}], [$2]; cp.async.bulk.commit_group;", "l,r,r,~{memory}" %map, %c0, %base : (!llvm.ptr, i32, !llvm.ptr<3>) -> ()
    }
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    // expected-error @+1 {{writes bytes of shared memory that the copy engine may still read}}
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "cp.async.bulk.wait_group.read 0;", "~{memory}" : () -> ()
    llvm.return
  }
}

// -----

// which the thread knows that told it, and others behind a barrier.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>]} {
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
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    scf.if %isFirst {
      // expected-note @+1 {{it is read here}}
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [$0, {$1}], [$2]; cp.async.bulk.commit_group;", "l,r,r,~{memory}" %map, %c0, %base : (!llvm.ptr, i32, !llvm.ptr<3>) -> ()
    }
    llvm.inline_asm has_side_effects "cp.async.bulk.wait_group.read 0;", "~{memory}" : () -> ()
    // expected-error-re @+1 {{writes {{bytes|byte .*}} of shared memory{{,? (that|which)}}}}
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// So it is right.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>]} {
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
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    scf.if %isFirst {
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [$0, {$1}], [$2]; cp.async.bulk.commit_group;", "l,r,r,~{memory}" %map, %c0, %base : (!llvm.ptr, i32, !llvm.ptr<3>) -> ()
    }
    llvm.inline_asm has_side_effects "cp.async.bulk.wait_group.read 0;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// A block does not end before.
gpu.module @m {
  llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // expected-note @+1 {{seen in warp}}
  llvm.func @k(%map: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 1024 : i64, tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [64], swizzle = 0>]} {
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
    llvm.store %c0, %own : i32, !llvm.ptr<3>
    llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}" : () -> ()
    llvm.inline_asm has_side_effects "bar.sync 0, 64;", "~{memory}" : () -> ()
    scf.if %isFirst {
      // expected-error @+1 {{is under way when its block ends, and reads shared memory that is not its own then}}
      llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [$0, {$1}], [$2]; cp.async.bulk.commit_group;", "l,r,r,~{memory}" %map, %c0, %base : (!llvm.ptr, i32, !llvm.ptr<3>) -> ()
    }
    llvm.return
  }
}
