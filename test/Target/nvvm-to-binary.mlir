// From a graph to PTX in one tool, and what can be asked for on the way.

// RUN: split-file %s %t
// RUN: fuse-opt %t/graph.mlir --fuse-to-tiles=machine=h200 --fuse-tiles-to-nvvm=chip=sm_90a --fuse-nvvm-to-binary=chip=sm_90a \
// RUN:   | FileCheck %s
//      CHECK: gpu.binary @fuse_kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">,
// CHECK-SAME: kernels = <[#gpu.kernel_metadata<"twice_0",
// CHECK-SAME:   metadata = {dynamic_shared = 0 : i64, threads = 32 : i64}
// CHECK-SAME: assembly = "{{.*}}.version 8.0\0A.target sm_90a\0A
// CHECK-SAME: .visible .entry twice_0(
//  CHECK-NOT: gpu.module

// The stages around it.
// RUN: fuse-opt %t/graph.mlir --fuse-to-tiles=machine=h200 --fuse-tiles-to-nvvm=chip=sm_80 --fuse-nvvm-to-binary=chip=sm_80 --fuse-check-stage=stage=binary \
// RUN:   | FileCheck %s --check-prefix=PORTABLE
// PORTABLE: chip = "sm_80"
// PORTABLE-SAME: .target sm_80\0A
// RUN: not fuse-opt %t/graph.mlir --fuse-to-tiles=machine=h200 --fuse-nvvm-to-binary 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EARLY
// EARLY: error: 'tile.kernel' does not belong to the stage 'llvm'
// RUN: not fuse-opt %t/graph.mlir --fuse-to-tiles --fuse-tiles-to-llvm --fuse-nvvm-to-binary 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CPU
// CPU: error: 'llvm.{{.*}}' does not belong to the stage 'binary'

// Functions that are no kernels are code, but nothing that can be launched.
// RUN: fuse-opt %t/kernels.mlir --convert-nvvm-to-binary="chip=sm_100 opt-level=0" \
// RUN:   | FileCheck %s --check-prefix=TABLE
//      TABLE: gpu.binary @code [#gpu.object<#nvvm.target<O = 0, chip = "sm_100"
// TABLE-SAME: kernels = <[#gpu.kernel_metadata<"bare", !llvm.func<void ()>, metadata = {}>,
// TABLE-SAME:   #gpu.kernel_metadata<"block", !llvm.func<void (ptr<1>)>, metadata = {threads = 128 : i64}>]>
// TABLE-SAME: .func helper(

// What cannot be made is one error each.
// DEFINE: %{binary} = fuse-opt %t/kernels.mlir --convert-nvvm-to-binary
// RUN: not %{binary}=chip=sm_70 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: there is no code for the chip 'sm_70', but for sm_80, {{.*}}, sm_90a, {{.*}}sm_120
// CHIP-NOT: error
// RUN: not %{binary}=opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: opt-level is 4, but must be from 0 to 3
// RUN: env FUSE_PTXAS=none not %{binary}=format=cubin 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env FUSE_PTXAS=none not %{binary}=format=both 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: machine code needs ptxas, but there is none in FUSE_PTXAS, CUDA_HOME or the path; format=ptx needs none
// NONE-NOT: error
// RUN: env FUSE_PTXAS=%t/missing not %{binary}=format=cubin 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: kernels cannot be assembled: ptxas ('{{.*}}missing') failed: {{.*}}No such file
// RUN: not fuse-opt %t/kernels.mlir --fuse-nvvm-to-binary=format=fatbin 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: Cannot find option named 'fatbin'

// RUN: fuse-opt --help | FileCheck %s --check-prefix=HELP
// HELP:      --fuse-nvvm-to-binary
// HELP-NEXT:   --chip=<string>
// HELP-NEXT:   --format=<value>
// HELP-NEXT:     =ptx
// HELP-NEXT:     =cubin
// HELP-NEXT:     =both
// HELP-NEXT:   --opt-level=<uint>

//--- graph.mlir
func.func @twice(%x: tensor<32xf32>) -> tensor<32xf32> {
  %0 = arith.addf %x, %x : tensor<32xf32>
  return %0 : tensor<32xf32>
}

//--- kernels.mlir
gpu.module @code {
  llvm.func @block(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 2, 1>} {
    llvm.call @helper(%p) : (!llvm.ptr<1>) -> ()
    llvm.return
  }
  llvm.func @bare() attributes {nvvm.kernel} {
    llvm.return
  }
  llvm.func @helper(%p: !llvm.ptr<1>) attributes {no_inline} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.store %zero, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
