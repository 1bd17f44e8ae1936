// A schedule that was rejected is not taken, nor one that has the same code, and
// a remark says what is taken in its place.

// RUN: fuse-opt %s --fuse-form-kernels="machine=h200" | FileCheck %s --check-prefix=BEST
// DEFINE: %{best} = parallel = [16, 256], sequential = [r256_0 = 32], owned = 0, split = 8, merge = cluster, warps = 8
// DEFINE: %{form} = fuse-opt %s --remark-format=emitRemark --remarks-filter=schedule
// RUN: %{form} --fuse-form-kernels="machine=h200 rejected=@f_0:{%{best}}:{1.2}:{it spills 8 bytes, they say}" > %t 2> %t.why
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=WHY < %t.why
// BEST: fuse.kernel @f_0({{.*}} schedule(#fuse.schedule<parallel = [16, 256], sequential = [r256_0 = 32], owned = 0, split = 8, merge = cluster, warps = 8>)
// BEST: fuse.kernel @f_1(
// BEST: fuse.kernel @one_0({{.*}} schedule(#fuse.schedule<owned = 0>)
// CHECK-NOT: parallel = [16, 256], sequential = [r256_0 = 32], owned = 0, split
//     CHECK: fuse.kernel @f_0({{.*}} schedule(#fuse.schedule<parallel = [{{[0-9]+, [0-9]+}}], sequential = [r256_0 = {{[0-9]+}}], owned = 0{{.*}}>)
//     CHECK: fuse.kernel @f_1(
// WHY: remark: [Missed] FormKernels {{.*}}f_0 rejects #fuse.schedule<parallel = [16, 256]{{.*}}>, predicted to take {{[0-9.]+}} us, since it spills 8 bytes, they say; it takes #fuse.schedule<{{.*}}>, predicted to take {{[0-9.]+}} us

// In as many chunks as that or in others, the code is the same.
// RUN: %{form} --fuse-form-kernels="machine=h200 rejected=@f_0:{parallel = [16, 256], sequential = [r256_0 = 32], owned = 0, split = 4, merge = cluster, warps = 8}" 2> %t.why | FileCheck %s
// RUN: FileCheck %s --check-prefix=UNSAID < %t.why
// UNSAID: f_0 rejects #fuse.schedule<{{.*}}>, predicted to take {{[0-9.]+}} us; it takes

// There is one way to compute one number. Of what is rejected the first stays.
// RUN: %{form} --fuse-form-kernels="machine=h200 rejected=@one_0:{owned = 0}:{1}:{it spills},@one_0:{owned = 0, warps = 2}" 2> %t.why | FileCheck %s --check-prefix=BEST
// RUN: FileCheck %s --check-prefix=KEPT < %t.why
//      KEPT: remark: [Missed] FormKernels {{.*}}one_0 keeps #fuse.schedule<owned = 0>, predicted to take 1.05 us, though it spills
//      KEPT: remark: [Missed] FormKernels {{.*}}one_0 rejects #fuse.schedule<owned = 0, warps = 2>, predicted to take {{[0-9.]+}} us; it takes #fuse.schedule<owned = 0>, predicted to take 1.05 us

// So it does where all others are predicted to take longer than it is thought
// to: by nothing, and then by half.
// RUN: %{form} --fuse-form-kernels="machine=h200 rejected=@f_0:{%{best}}:{1}:{it spills}" 2> %t.why | FileCheck %s --check-prefix=BEST
// RUN: FileCheck %s --check-prefix=SLOWER < %t.why
// SLOWER: f_0 keeps #fuse.schedule<parallel = [16, 256]{{.*}}>, predicted to take {{[0-9.]+}} us, though it spills; any other is predicted to take {{[0-9.]+}} us or more

// What a user gives stays, in `schedules` or in the graph, and so does what was
// not rejected. Kernels that are not there are none of this pass's business.
// RUN: %{form} --fuse-form-kernels="machine=h200 schedules=@one_0:{owned = 0, warps = 4} rejected=@one_0:{owned = 0, warps = 4},@given_0:{owned = 0},@none:{owned = 0}" 2> %t.why | FileCheck %s --check-prefix=GIVEN
// GIVEN: fuse.kernel @f_0({{.*}} schedule(#fuse.schedule<parallel = [16, 256]
// GIVEN: fuse.kernel @one_0({{.*}} schedule(#fuse.schedule<owned = 0, warps = 4>)
// GIVEN: fuse.kernel @given_0({{.*}} schedule(#fuse.schedule<owned = 0>)

// A kernel that was drawn without a schedule has one that was found.
// RUN: %{form} --fuse-form-kernels="machine=h200 rejected=@drawn_0:{parallel = [1], sequential = [r64_0 = 64], owned = 0}" 2>&1 | FileCheck %s --check-prefix=DRAWN
//     DRAWN: drawn_0 rejects #fuse.schedule<parallel = [1], sequential = [r64_0 = 64], owned = 0>
// DRAWN-NOT: fuse.kernel @drawn_0({{.*}} schedule(#fuse.schedule<parallel = [1], sequential = [r64_0 = 64], owned = 0>)

// The report has it, too.
// RUN: fuse-opt %s --fuse-form-kernels="machine=h200 report=%t.json rejected=@f_0:{%{best}}:{}:{it spills}" -o /dev/null
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
//      REPORT: "rejected": [
// REPORT-NEXT:   {
// REPORT-NEXT:     "schedule": "#fuse.schedule<parallel = [16, 256], {{.*}}>",
// REPORT-NEXT:     "predicted_us": {{[0-9.]+}},
// REPORT-NEXT:     "reason": "it spills"

// A pipeline passes it on, and is told what is wrong.
// RUN: fuse-opt %s --fuse-to-tiles="machine=h200 rejected=@f_0:{%{best}}" | FileCheck %s --check-prefix=TILES
// TILES-NOT: parallel = [16, 256], sequential = [r256_0 = 32], owned = 0, split = 8
// TILES: tile.kernel @f_0(
// RUN: not fuse-opt %s --fuse-form-kernels="rejected=f_0" 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: expected a schedule as '@kernel:{parallel = [64], ...}', got 'f_0'
// RUN: not fuse-opt %s --fuse-form-kernels="rejected=@f_0:{tiles = [4]}" 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not fuse-opt %s --fuse-form-kernels="rejected=@f_0:{owned = 0}:{it spills}" 2>&1 | FileCheck %s --check-prefix=FACTOR
// FACTOR: error: expected how many times as long as predicted the schedule of @f_0 takes, at least 1, got 'it spills'
// WRONG: error: in the schedule of @f_0: 'tiles = [4]' is no schedule

func.func @f(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<1x64xf32>) {
  %p = fuse.matmul %x, %w : tensor<256x256xf32>, tensor<256x256xf32> -> tensor<256x256xf32>
  %y = math.exp %p : tensor<256x256xf32>
  %s = fuse.slice %x[0:1, 0:64] : tensor<256x256xf32>
  %t = math.tanh %s : tensor<1x64xf32>
  return %y, %t : tensor<256x256xf32>, tensor<1x64xf32>
}

func.func @one(%x: tensor<f32>) -> tensor<f32> {
  %y = math.exp %x : tensor<f32>
  return %y : tensor<f32>
}

func.func @given(%x: tensor<f32>) -> tensor<f32> {
  %y = fuse.kernel @given_0(%a = %x) schedule(#fuse.schedule<owned = 0>) : (tensor<f32>) -> tensor<f32> {
    %e = math.exp %a : tensor<f32>
    fuse.yield %e : tensor<f32>
  }
  return %y : tensor<f32>
}

func.func @drawn(%x: tensor<64x64xf32>) -> tensor<64xf32> {
  %y = fuse.kernel @drawn_0(%a = %x) : (tensor<64x64xf32>) -> tensor<64xf32> {
    %s = fuse.reduce sum %a dims [1] : tensor<64x64xf32>
    fuse.yield %s : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}
