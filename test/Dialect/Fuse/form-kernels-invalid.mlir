// What a schedule of the command line can have wrong, and what no kernel holds.

// RUN: not fuse-opt %s --fuse-form-kernels="schedules=@g_0:parallel=[4]" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: a schedule is for @g_0, but the kernels are @f_0
// RUN: not fuse-opt %s --fuse-form-kernels="schedules=f_0" 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: expected a schedule as '@kernel:{parallel = [64], ...}', got 'f_0'
// RUN: not fuse-opt %s --fuse-form-kernels="schedules=@f_0:tiles=[4]" 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: in the schedule of @f_0:
// RUN: not fuse-opt %s --fuse-form-kernels="report=%t/missing/report.json" 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: error: cannot write the report: {{.*}}No such file or directory
// RUN: not fuse-opt %s --fuse-form-kernels="threads=0" 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: threads is 0, but must be from 1 to 1024
// RUN: not fuse-opt %s --fuse-to-tiles="machine=h200 shared-part=2" 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: shared-part is 2.00, but must be above 0 and at most 1
// RUN: fuse-opt %s --fuse-form-kernels="schedules=@f_0:parallel=[4]" | FileCheck %s
// CHECK: fuse.kernel @f_0(%{{.*}}) schedule(#fuse.schedule<parallel = [4]>)

func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = math.exp %x : tensor<64xf32>
  return %e : tensor<64xf32>
}
