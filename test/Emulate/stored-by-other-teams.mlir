// Two tiles that a kernel stores in pieces may be those of other teams: 64 threads
// write pieces of the one, 128 those of the other, and barriers of both had the same
// numbers, so that warps that were ahead met with those that were not.
// Bytes are put down by `stmatrix`, four of a row by a thread.

// RUN: fuse-run %s --chip=sm_90a --most-kernels=1 --variants=aligned --image=%t.fuse --dump-stages=%t.stages > /dev/null
// RUN: cat %t.stages/*-sm_90a-threads.mlir | FileCheck %s --check-prefix=CODE
// CODE-COUNT-2: llvm.inline_asm has_side_effects {{.*}}"bar.sync $0, 64;"
//         CODE: llvm.inline_asm has_side_effects {{.*}}"bar.sync 1, 128;"
//         CODE: llvm.inline_asm has_side_effects {{.*}}"bar.sync $0, 128;"
//         CODE: nvvm.stmatrix %{{.*}}, %[[WORDS:[0-9]+]]#0, %[[WORDS]]#1 {{.*}}layout = #nvvm.mma_layout<row>
//         CODE: llvm.inline_asm has_side_effects {{.*}}"bar.sync $0, 128;"
//         CODE: llvm.inline_asm has_side_effects {{.*}}"bar.sync 1, 128;"

// RUN: %emulate %s --chip=sm_90a --most-kernels=1 --verify | FileCheck %s
// CHECK: verify: right
// CHECK: verify: right

!factor = tensor<256x256xf32>

func.func @bytes(%x: !factor, %w: !factor) -> (!factor, tensor<256x256xf8E4M3FN>) {
  %y = fuse.matmul %x, %w precision tf32 : !factor, !factor -> !factor
  %z = arith.truncf %x : !factor to tensor<256x256xf8E4M3FN>
  return %y, %z : !factor, tensor<256x256xf8E4M3FN>
}
