// A schedule in braces may have commas, which are between schedules else; it is
// read back from what a crash leaves.

// RUN: fuse-opt %s --fuse-to-tiles="schedules=@f_0:{parallel = [16, 32], sequential = [r64_0 = 16], split = 2},@g_0:{parallel = [8, 64]}" | FileCheck %s
// RUN: fuse-opt %s --fuse-decompose --fuse-form-kernels="schedules=@f_0:{parallel = [16, 32], sequential = [r64_0 = 16], split = 2},@g_0:{parallel = [8, 64]}" | FileCheck %s
// RUN: fuse-opt %s --fuse-to-tiles="schedules=@g_0:{parallel = [8, 64]}" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not fuse-opt %s --fuse-to-tiles="schedules=@g_0:parallel=[8,64],split=2" 2>&1 | FileCheck %s --check-prefix=BARE

//    CHECK: #fuse.schedule<parallel = [16, 32], sequential = [r64_0 = 16], split = 2>
//    CHECK: #fuse.schedule<parallel = [8, 64]>
// PIPELINE: schedules={@g_0:{parallel = [8, 64]}}
//     BARE: error: expected a schedule as '@kernel:{parallel = [64], ...}', got '@
func.func @f(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %p = fuse.matmul %x, %w : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}
func.func @g(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = math.exp %x : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
