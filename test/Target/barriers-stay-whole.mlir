// A barrier between two branches of one condition is one of all threads. LLVM
// gave one to each side of the branches, and blocks waited for ever.

// RUN: fuse-opt %s --convert-nvvm-to-binary=chip=sm_90a | FileCheck %s
// RUN: sed 's/bar.sync 1, 128;/bar.red.or.pred p, 1, 128, p;/' %s | fuse-opt --convert-nvvm-to-binary=chip=sm_90a \
// RUN:   | FileCheck %s --check-prefix=VOTE
// CHECK-COUNT-1: bar.sync
//     CHECK-NOT: bar.sync
//  VOTE-COUNT-1: bar.red
//      VOTE-NOT: bar.red
gpu.module @code [#nvvm.target<chip = "sm_90a">] {
  llvm.func @kernel() attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %isFirst = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %isFirst, ^first, ^between
  ^first:
    llvm.inline_asm has_side_effects "cp.async.bulk.commit_group;", "" : () -> ()
    llvm.br ^between
  ^between:
    llvm.inline_asm has_side_effects "bar.sync 1, 128;", "~{memory}" : () -> ()
    llvm.cond_br %isFirst, ^second, ^end
  ^second:
    llvm.inline_asm has_side_effects "cp.async.bulk.wait_group.read 0;", "" : () -> ()
    llvm.br ^end
  ^end:
    llvm.return
  }
}
