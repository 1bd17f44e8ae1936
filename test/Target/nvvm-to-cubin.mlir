// Machine code, what ptxas says of each kernel in a table, and what costs speed
// as a warning where the kernel was written.

// REQUIRES: ptxas
// RUN: env FUSE_PTXAS=%ptxas fuse-opt %s --fuse-nvvm-to-binary="chip=sm_90a format=both" --verify-diagnostics > %t
// RUN: FileCheck %s < %t
// RUN: fuse-opt %t -o /dev/null

//      CHECK: gpu.binary @code [#gpu.object<
// CHECK-SAME:   #gpu.kernel_metadata<"plain", {{[^{]*}} metadata = {dynamic_shared = 2048 : i64, threads = 64 : i64}>
// CHECK-SAME:   assembly = "
// CHECK-SAME: #gpu.object<
// CHECK-SAME:   #gpu.kernel_metadata<"plain", {{[^{]*}} metadata = {
// CHECK-SAME:     dynamic_shared = 2048 : i64, registers = {{[1-9][0-9]*}} : i64, resident_blocks = 32 : i64, shared = 512 : i64, spill_loads = 0 : i64, spill_stores = 0 : i64, stack = 0 : i64, threads = 64 : i64}>
// CHECK-SAME:   #gpu.kernel_metadata<"spills", {{[^{]*}} metadata = {registers = 32 : i64,
// CHECK-SAME:     spill_loads = [[BYTES:[1-9][0-9]*]] : i64, spill_stores = [[BYTES]] : i64, stack = {{[1-9]}}
// CHECK-SAME:   bin = "\7FELF

gpu.module @code {
  llvm.mlir.global internal @static() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>

  llvm.func @plain(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>, tile.shared = 2048 : i64} {
    %memory = llvm.mlir.addressof @static : !llvm.ptr<3>
    %x = llvm.load volatile %memory : !llvm.ptr<3> -> i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }

  // 64 numbers that all have to be there between reading and writing.
  // expected-warning @+1 {{kernel 'spills' spills registers to memory on sm_90a: }}
  llvm.func @spills(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxnreg = 32 : i32, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<64xf32>
    llvm.inline_asm has_side_effects "bar.sync 0;", "~{memory}" : () -> ()
    %behind = llvm.getelementptr %p[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %y = llvm.fadd %x, %x : vector<64xf32>
    llvm.store %y, %behind {alignment = 16 : i64} : vector<64xf32>, !llvm.ptr<1>
    llvm.return
  }

  // A sum is read before the product that makes it is waited for. ptxas waits,
  // in every round.
  // expected-warning @+2 {{ptxas says of kernel 'waits' on sm_90a: (C7519) warpgroup.arrive is injected}}
  // expected-warning @+1 {{ptxas says of kernel 'waits' on sm_90a: (C7517) warpgroup.wait is injected}}
  llvm.func @waits(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    llvm.inline_asm has_side_effects "{\0A.reg .f32 %s<4>; .reg .b64 %a, %n; .reg .pred %more;\0Amov.u64 %a, 0; mov.u64 %n, 0;\0Ald.global.v4.f32 {%s0, %s1, %s2, %s3}, [$0];\0Awgmma.fence.sync.aligned;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%s0, %s1, %s2, %s3}, %a, %a, 1, 1, 1, 0, 0;\0Around:\0Aadd.f32 %s0, %s0, 0f3F800000;\0Ast.global.f32 [$0+16], %s1;\0Aadd.u64 %n, %n, 1;\0Asetp.lt.u64 %more, %n, 100;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%s0, %s1, %s2, %s3}, %a, %a, 1, 1, 1, 0, 0;\0A@%more bra round;\0Awgmma.commit_group.sync.aligned;\0Awgmma.wait_group.sync.aligned 0;\0Ast.global.v4.f32 [$0], {%s0, %s1, %s2, %s3};\0A}", "l" %p : (!llvm.ptr<1>) -> ()
    llvm.return
  }
}
