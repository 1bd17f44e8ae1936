// A block of 256 rows has too few registers for the distances to 64 points at a
// time; ptxas finds that, and smaller ones have enough.

// REQUIRES: ptxas
// DEFINE: %{run} = env FUSE_PTXAS=%ptxas fuse-run %s --chip=sm_90a --variants=aligned --image=%t.fuse
// RUN: %{run} > %t 2> %t.said
// RUN: FileCheck %s --check-prefix=SAID --implicit-check-not=warning < %t.said
// SAID: spills-rejected.mlir:[[#]]:{{[0-9]+}}: remark: nearest_0 rejects #fuse.schedule<{{.*}}>, predicted to take {{[0-9.]+}} us, since it spills {{[1-9][0-9]*}} bytes on sm_90a with {{[0-9]+}} registers for a thread; it takes #fuse.schedule<{{.*}}>, predicted to take {{[0-9.]+}} us
// RUN: FileCheck %s < %t
// CHECK: sm_90a {{[0-9]+ +[0-9]+ +}}0 {{.*}}@nearest_0

// Whoever asks for the first one has it, and a warning.
// RUN: sed -n 's/.* rejects #fuse.schedule<\(.*\)>, predicted .* it takes .*/@nearest_0:\1/p;q' %t.said > %t.first
// RUN: cat %t.first | xargs -d '\n' -I{} %{run} '--schedule={}' 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED-NOT: remark
//     ASKED: warning: kernel @nearest_0{{.*}} spills registers to memory on sm_90a

func.func @nearest(%arg0: tensor<100000x64xbf16> {fuse.name = "x"},
    %arg1: tensor<256x64xbf16> {fuse.name = "y"})
    -> (tensor<100000xf32>) {
  %0 = fuse.transpose %arg1 [1, 0] : tensor<256x64xbf16>
  %1 = fuse.matmul %arg0, %0 : tensor<100000x64xbf16>, tensor<64x256xbf16> -> tensor<100000x256xf32>
  %2 = arith.extf %arg0 : tensor<100000x64xbf16> to tensor<100000x64xf32>
  %3 = arith.extf %arg0 : tensor<100000x64xbf16> to tensor<100000x64xf32>
  %4 = arith.mulf %2, %3 : tensor<100000x64xf32>
  %5 = fuse.reduce sum %4 dims [1] : tensor<100000x64xf32>
  %6 = arith.extf %arg1 : tensor<256x64xbf16> to tensor<256x64xf32>
  %7 = arith.extf %arg1 : tensor<256x64xbf16> to tensor<256x64xf32>
  %8 = arith.mulf %6, %7 : tensor<256x64xf32>
  %9 = fuse.reduce sum %8 dims [1] : tensor<256x64xf32>
  %10 = fuse.broadcast %5 dims [0] : tensor<100000xf32> -> tensor<100000x256xf32>
  %11 = fuse.broadcast %9 dims [1] : tensor<256xf32> -> tensor<100000x256xf32>
  %12 = arith.addf %10, %11 : tensor<100000x256xf32>
  %13 = arith.constant dense<2.0> : tensor<100000x256xf32>
  %14 = arith.mulf %13, %1 : tensor<100000x256xf32>
  %15 = arith.subf %12, %14 : tensor<100000x256xf32>
  %16 = fuse.reduce min %15 dims [1] : tensor<100000x256xf32>
  return %16 : tensor<100000xf32>
}
