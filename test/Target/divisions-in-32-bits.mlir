// A loop of 100 rounds asks in each which of 11 slots is next. LLVM sees that 8
// bits are enough for that, and took ten instructions of 16 bits, where one of 32
// gives the quotient: two products of 1024 terms, 64 rows, took 7.7 us, and 6.5.

// RUN: fuse-opt %s --convert-nvvm-to-binary=chip=sm_90a | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s

// CHECK-LABEL: .entry kernel(
//   CHECK-NOT: mul.lo.s16 {{.*}}, 117
//       CHECK: mul.hi.u32
//   CHECK-NOT: mul.lo.s16 {{.*}}, 117
//       CHECK: ret;
gpu.module @code [#nvvm.target<chip = "sm_90a">] {
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i64) : i64
    %c1 = llvm.mlir.constant(1 : i64) : i64
    %c11 = llvm.mlir.constant(11 : i64) : i64
    %c100 = llvm.mlir.constant(100 : i64) : i64
    llvm.br ^loop(%c0 : i64)
  ^loop(%round: i64):
    %slot = llvm.urem %round, %c11 : i64
    %turn = llvm.udiv %round, %c11 : i64
    llvm.inline_asm has_side_effects "st.volatile.global.b64 [$0], $1; // $2", "l,l,l" %out, %slot, %turn : (!llvm.ptr<1>, i64, i64) -> ()
    %next = llvm.add %round, %c1 : i64
    %more = llvm.icmp "ult" %next, %c100 : i64
    llvm.cond_br %more, ^loop(%next : i64), ^end
  ^end:
    llvm.return
  }
}
