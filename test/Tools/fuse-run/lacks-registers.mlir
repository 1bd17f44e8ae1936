// An activation of many numbers at a time between two products, the sums of the first of which are the factor of the second:
// registers do not suffice for the schedules that the model likes best, which have no code then, and one of the next ones is taken.

// DEFINE: %{run} = env FUSE_PTXAS=none fuse-run %s --chip=sm_90a --variants=aligned --image=%t.fuse
// RUN: %{run} > %t 2> %t.said
// RUN: FileCheck %s --check-prefix=SAID --implicit-check-not=error < %t.said
// SAID: lacks-registers.mlir:[[#]]:{{[0-9]+}}: remark: survey_0 rejects #fuse.schedule<{{.*}}>, predicted to take {{[0-9.]+}} us, since it has no code: 'tile.dot_issue' op holds its left factor in registers, of which a thread needs about {{[0-9]+}} in this loop and has 255; smaller tiles need fewer; it takes #fuse.schedule<{{.*}}>
// RUN: FileCheck %s < %t
// CHECK: plan: 1 kernel

// Whoever asks for one of them hears of it.
// RUN: sed -n 's/.* rejects #fuse.schedule<\(.*\)>, predicted .* it takes .*/@survey_0:\1/p;q' %t.said > %t.first
// RUN: cat %t.first | xargs -d '\n' -I{} not %{run} '--schedule={}' 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED-NOT: remark
//     ASKED: error: 'tile.dot_issue' op holds its left factor in registers

func.func @survey(%arg0: tensor<8192x128xbf16> {fuse.name = "x"},
    %arg1: tensor<128x512xbf16> {fuse.name = "w"},
    %arg2: tensor<512xf32> {fuse.name = "b"},
    %arg3: tensor<512x128xbf16> {fuse.name = "v"},
    %arg4: tensor<128xf32> {fuse.name = "c"})
    -> (tensor<8192x128xbf16>) {
  %0 = fuse.matmul %arg0, %arg1 : tensor<8192x128xbf16>, tensor<128x512xbf16> -> tensor<8192x512xf32>
  %1 = fuse.broadcast %arg2 dims [1] : tensor<512xf32> -> tensor<8192x512xf32>
  %2 = arith.addf %0, %1 : tensor<8192x512xf32>
  %one = arith.constant dense<1.0> : tensor<8192x512xf32>
  %two = arith.constant dense<2.0> : tensor<8192x512xf32>
  %a = arith.mulf %2, %2 : tensor<8192x512xf32>
  %p = arith.addf %2, %one : tensor<8192x512xf32>
  %q = arith.addf %a, %two : tensor<8192x512xf32>
  %r = arith.mulf %p, %q : tensor<8192x512xf32>
  %s = arith.maximumf %r, %a : tensor<8192x512xf32>
  %t = arith.mulf %s, %q : tensor<8192x512xf32>
  %u = arith.subf %t, %p : tensor<8192x512xf32>
  %v = arith.mulf %u, %r : tensor<8192x512xf32>
  %3 = arith.addf %v, %2 : tensor<8192x512xf32>
  %4 = arith.truncf %3 : tensor<8192x512xf32> to tensor<8192x512xbf16>
  %5 = fuse.matmul %4, %arg3 : tensor<8192x512xbf16>, tensor<512x128xbf16> -> tensor<8192x128xf32>
  %6 = fuse.broadcast %arg4 dims [1] : tensor<128xf32> -> tensor<8192x128xf32>
  %7 = arith.addf %5, %6 : tensor<8192x128xf32>
  %8 = arith.extf %arg0 : tensor<8192x128xbf16> to tensor<8192x128xf32>
  %9 = arith.addf %7, %8 : tensor<8192x128xf32>
  %10 = arith.truncf %9 : tensor<8192x128xf32> to tensor<8192x128xbf16>
  return %10 : tensor<8192x128xbf16>
}
