// What ptxas says against a kernel is a reason to take its next schedule. Here
// it says what a file tells it to, one line for each time that it is given a
// kernel. What it has assembled is not given to it again.

// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{says} =
// DEFINE: %{options} =
// DEFINE: %{variants} = aligned
// DEFINE: %{run} = rm -f %t/calls && printf '%{says}' > %t/says && \
// DEFINE:   env FAKE_PTXAS=%t FUSE_PTXAS=%S/Inputs/spilling-ptxas.sh fuse-run %s --variants=%{variants} --image=%t/made.fuse \
// DEFINE:   --fuse-report=%t/report %{options} > %t/out 2> %t/said && sort %t/calls | cat - %t/said %t/out

// Nothing is wrong, and nothing is tried.
// REDEFINE: %{options} = --entry=f --chip=sm_90a
// RUN: %{run} | FileCheck %s --check-prefix=QUIET
//      QUIET: called: fuse_0_f_0
// QUIET-NEXT: called: fuse_1_f_1
// QUIET-NEXT: {{.*}}@f on sm_90a

// The next schedule is right. Of the first one nobody hears but by the remark.
// REDEFINE: %{says} = f_0 96
// RUN: %{run} | FileCheck %s --check-prefix=NEXT --implicit-check-not=warning --implicit-check-not=called
//      NEXT: called: fuse_0_f_0
// NEXT-NEXT: called: fuse_0_f_0
// NEXT-NEXT: called: fuse_1_f_1
// NEXT-NEXT: remark: f_0 rejects #fuse.schedule<[[FIRST:.*]]>, predicted to take {{[0-9.]+}} us, since it spills 96 bytes on sm_90a with 255 registers for a thread; it takes #fuse.schedule<[[SECOND:.*]]>, predicted to take {{[0-9.]+}} us
//  NEXT-NOT: remark
//      NEXT: 1 @f_0:
//      NEXT: #fuse.schedule<[[SECOND]]>

// RUN: FileCheck %s --check-prefix=REPORT < %t/report
// REPORT: "reason": "it spills 96 bytes on sm_90a with 255 registers for a thread"

// So it is where products wait for each other.
// REDEFINE: %{says} = f_0 0 waits
// RUN: %{run} | FileCheck %s --check-prefix=WAITS --implicit-check-not=warning
//      WAITS: called: fuse_0_f_0
// WAITS-NEXT: called: fuse_0_f_0
// WAITS-NEXT: called: fuse_1_f_1
// WAITS-NEXT: remark: f_0 rejects {{.*}}, since ptxas says on sm_90a: (C7510) Potential Performance Loss: {{.*}}; it takes

// A register or two are no reason. Each is written once and read once here.
// REDEFINE: %{says} = f_0 8
// RUN: %{run} | FileCheck %s --check-prefix=FEW --implicit-check-not=remark --implicit-check-not=called
//      FEW: called
// FEW-NEXT: called
// FEW-NEXT: warning: kernel @f_0{{.*}} spills

// All kernels are judged at a time.
// REDEFINE: %{says} = f_ 24
// RUN: %{run} | FileCheck %s --check-prefix=BOTH --implicit-check-not=warning --implicit-check-not=called
// BOTH-COUNT-4: called
// BOTH-DAG: remark: f_0 rejects
// BOTH-DAG: remark: f_1 rejects

// After three other schedules that with the least faults is taken, and what is
// wrong with it is said once. Only kernels are told that are in the Image.
// REDEFINE: %{says} = f_0 96\nf_0 64\nf_0 80\nf_0 72
// RUN: %{run} | FileCheck %s --check-prefix=LEAST --implicit-check-not=called
// LEAST-COUNT-4: called: fuse_0_f_0
//    LEAST-NEXT: called: fuse_1_f_1
//     LEAST-DAG: remark: f_0 rejects {{.*}}, since it spills 96 bytes
//     LEAST-DAG: remark: f_0 rejects {{.*}}, since it spills 80 bytes
//     LEAST-DAG: remark: f_0 rejects {{.*}}, since it spills 72 bytes
//     LEAST-DAG: remark: f_0 keeps #fuse.schedule<[[KEPT:.*]]>, predicted to take {{[0-9.]+}} us, though it spills 64 bytes
//         LEAST: warning: kernel @f_0{{.*}} spills registers to memory on sm_90a: 64 bytes of stores
//     LEAST-NOT: warning
//         LEAST: #fuse.schedule<[[KEPT]]>

// If that is the last one, it is there already.
// REDEFINE: %{says} = f_0 96\nf_0 80\nf_0 72\nf_0 64
// RUN: %{run} | FileCheck %s --check-prefix=LAST --implicit-check-not=called
// LAST-COUNT-4: called: fuse_0_f_0
//    LAST-NEXT: called: fuse_1_f_1
//         LAST: warning: kernel @f_0{{.*}} spills registers to memory on sm_90a: 64 bytes of stores
//     LAST-NOT: warning

// Products that wait are worse than any spill.
// REDEFINE: %{says} = f_0 0 waits\nf_0 80\nf_0 96\nf_0 0 waits
// RUN: %{run} | FileCheck %s --check-prefix=WORSE
// WORSE: remark: f_0 keeps {{.*}}, though it spills 80 bytes

// A schedule that cannot be compiled is rejected, too, and worse than any that
// spills.
// REDEFINE: %{says} = f_0 96\nf_0 fails
// RUN: %{run} | FileCheck %s --check-prefix=FAILS --implicit-check-not=called --implicit-check-not=warning --implicit-check-not=error:
// FAILS-COUNT-3: called: fuse_0_f_0
//    FAILS-NEXT: called: fuse_1_f_1
//     FAILS-DAG: remark: f_0 rejects {{.*}}, since it spills 96 bytes {{.*}}; it takes #fuse.schedule<[[TAKEN:.*]]>, predicted
//     FAILS-DAG: remark: f_0 rejects {{.*}}, since it has no code: kernel @f_0: ptxas {{.*}}failed{{.*}}; it takes #fuse.schedule<[[TAKEN]]>, predicted
// REDEFINE: %{says} = f_0 96\nf_0 fails\nf_0 fails\nf_0 fails
// RUN: %{run} | FileCheck %s --check-prefix=NONE --implicit-check-not=called --implicit-check-not=error:
// NONE-COUNT-4: called: fuse_0_f_0
//    NONE-NEXT: called: fuse_1_f_1
//         NONE: remark: f_0 keeps {{.*}}, though it spills 96 bytes
//         NONE: warning: kernel @f_0{{.*}} spills registers to memory on sm_90a: 96 bytes of stores

// What a user gave stays, by an option or in the graph.
// REDEFINE: %{says} = f_0 96
// REDEFINE: %{options} = --entry=f --chip=sm_90a --schedule='@f_0:parallel = [4, 4], sequential = [r64_0 = 64]'
// RUN: %{run} | FileCheck %s --check-prefix=GIVEN --implicit-check-not=remark --implicit-check-not='called: fuse_0'
// REDEFINE: %{options} = --entry=given --chip=sm_90a
// RUN: %{run} | FileCheck %s --check-prefix=GIVEN --implicit-check-not=remark --implicit-check-not='called: fuse_0'
//      GIVEN: called: fuse_0
//      GIVEN: warning: kernel @{{.*}}f_0{{.*}} spills registers to memory on sm_90a: 96 bytes of stores

// One number can be computed in one way.
// REDEFINE: %{says} = one_0 96
// REDEFINE: %{options} = --entry=one --chip=sm_90a
// RUN: %{run} | FileCheck %s --check-prefix=ONE --implicit-check-not=called
//         ONE: called
//         ONE: remark: one_0 keeps #fuse.schedule<owned = 0>, predicted to take {{[0-9.]+}} us, though it spills 96 bytes
//         ONE: warning: kernel @one_0 spills

// The launch that merges chunks is of the kernel that made them, whose sizes may
// be open. Another schedule leads to the same code of it, which spills as much.
// REDEFINE: %{says} = sums_0_merge 96
// REDEFINE: %{options} = --entry=sums --chip=sm_90a --shape=0:100000x8 --open-sizes
// RUN: %{run} | FileCheck %s --check-prefix=MERGE --implicit-check-not=called
// MERGE-COUNT-2: called: fuse_0_sums_0
//    MERGE-NEXT: called: fuse_1_sums_0_merge
//         MERGE: remark: sums_0 rejects {{.*}}, since it spills 96 bytes

// Each chip has a say, and of its classes of memory the first.
// REDEFINE: %{says} = one_0 0\none_0 96
// REDEFINE: %{options} = --entry=one --chip=sm_80,sm_90a
// RUN: %{run} | FileCheck %s --check-prefix=CHIPS --implicit-check-not=called
// CHIPS-COUNT-2: called
//         CHIPS: remark: one_0 keeps {{.*}}, though it spills 96 bytes on sm_90a
// REDEFINE: %{says} = f_0_1 96
// REDEFINE: %{options} = --entry=f --chip=sm_90a
// REDEFINE: %{variants} = aligned,any
// RUN: %{run} | FileCheck %s --check-prefix=CLASSES --implicit-check-not=warning --implicit-check-not=called
// CLASSES-COUNT-4: called
//    CLASSES-NEXT: remark: kernel @f_0 (any) spills

func.func @f(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<1x64xf32>) {
  %p = fuse.matmul %x, %w : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %y = math.exp %p : tensor<64x64xf32>
  %s = fuse.slice %x[0:1, 0:64] : tensor<64x64xf32>
  %t = math.tanh %s : tensor<1x64xf32>
  return %y, %t : tensor<64x64xf32>, tensor<1x64xf32>
}

func.func @given(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = fuse.kernel @of_0(%a = %x) schedule(#fuse.schedule<parallel = [64]>) : (tensor<64xf32>) -> tensor<64xf32> {
    %e = math.exp %a : tensor<64xf32>
    fuse.yield %e : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}

func.func @one(%x: tensor<f32>) -> tensor<f32> {
  %y = math.exp %x : tensor<f32>
  return %y : tensor<f32>
}

func.func @sums(%x: tensor<?x8xf32>) -> tensor<8xf32> {
  %y = fuse.reduce sum %x dims [0] : tensor<?x8xf32>
  return %y : tensor<8xf32>
}
