// ptxas saves registers, and spills for that, if it is not told that one block
// at a time is enough. It is told where it has spilled.

// RUN: env FUSE_PTXAS=%S/Inputs/saving-ptxas.sh fuse-opt %s --fuse-nvvm-to-binary="chip=sm_90a format=both" \
// RUN:   --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: gpu.binary @mended
//       CHECK: assembly = "{{.*}}.entry plain({{.*}}.minnctapersm 1
//  CHECK-SAME: registers = 200 : i64, {{.*}}spill_loads = 0 : i64, spill_stores = 0 : i64
gpu.module @mended {
  llvm.func @plain(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    llvm.return
  }
}

// -----

// What it says itself stays, and where nothing helps nothing is changed.
// CHECK-LABEL: gpu.binary @left
//   CHECK-NOT: .minnctapersm
//       CHECK: assembly = "{{.*}}.entry always(
//   CHECK-NOT: .minnctapersm
//       CHECK: .entry asks({{.*}}.minnctapersm 2
//   CHECK-NOT: .minnctapersm
//       CHECK: registers = 32 : i64, {{.*}}spill_loads = 96 : i64, spill_stores = 96 : i64
gpu.module @left {
  // expected-warning @+1 {{kernel 'always' spills registers to memory on sm_90a: 96 bytes of stores}}
  llvm.func @always(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
    llvm.return
  }
  llvm.func @asks(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 64, 1, 1>} {
    llvm.return
  }
}

// -----

// Where there are few blocks, of few warps, ptxas is told at once.
// CHECK-LABEL: gpu.binary @few
//       CHECK: assembly = "{{.*}}.entry few({{[^{]*}}.minnctapersm 1{{[^{]*}}{
//   CHECK-NOT: .minnctapersm
//       CHECK: registers = 200 : i64
gpu.module @few {
  llvm.func @few(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared = 0, tile.blocks = 256} {
    llvm.return
  }
  // expected-warning @+1 {{kernel 'always' spills registers to memory on sm_90a: 96 bytes of stores}}
  llvm.func @always(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared = 0, tile.blocks = 4096} {
    llvm.return
  }
}

// -----

// Where blocks leave registers to spare it is told how many there are for a
// processor, of 132; not where a processor would have no room for them.
// CHECK-LABEL: gpu.binary @spare
//       CHECK: assembly = "{{.*}}.entry spare({{[^{]*}}.minnctapersm 5{{[^{]*}}{
//   CHECK-NOT: .minnctapersm
//       CHECK: .entry spare_of_many(
//   CHECK-NOT: .minnctapersm
//       CHECK: registers = 200 : i64
gpu.module @spare {
  llvm.func @spare(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.shared = 0, tile.blocks = 600} {
    llvm.return
  }
  llvm.func @spare_of_many(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.shared = 0, tile.blocks = 60000} {
    llvm.return
  }
}

// -----

// Where a schedule counts on two blocks at a time, and registers let there be
// one, it is told of both, unless it spills then.
// CHECK-LABEL: gpu.binary @counted
//       CHECK: assembly = "{{.*}}.entry wide({{[^{]*}}.minnctapersm 2{{[^{]*}}{
//       CHECK: registers = 128 : i64
gpu.module @counted {
  llvm.func @wide(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>, tile.shared = 32768, tile.blocks = 600, tile.together = 2} {
    llvm.return
  }
}

// -----

// CHECK-LABEL: gpu.binary @not_counted
//   CHECK-NOT: .minnctapersm
//       CHECK: registers = 180 : i64
gpu.module @not_counted {
  llvm.func @wider(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>, tile.shared = 32768, tile.blocks = 600, tile.together = 2} {
    llvm.return
  }
}

// -----

// What spills with all that a thread can have is told of eight fewer.
// CHECK-LABEL: gpu.binary @full
//       CHECK: assembly = "{{.*}}.entry full({{[^{]*}}.maxnreg 248{{[^{]*}}{
//   CHECK-NOT: .minnctapersm
//       CHECK: registers = 248 : i64, {{.*}}spill_loads = 0 : i64
gpu.module @full {
  llvm.func @full(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>} {
    llvm.return
  }
}

// -----

// What spills a few bytes still is told of two more numbers.
// CHECK-LABEL: gpu.binary @fuller
//       CHECK: assembly = "{{.*}}.entry fuller({{[^{]*}}.maxnreg 241{{[^{]*}}{
//   CHECK-NOT: .maxnreg
//       CHECK: registers = 241 : i64, {{.*}}spill_loads = 0 : i64
gpu.module @fuller {
  llvm.func @fuller(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>} {
    llvm.return
  }
}
