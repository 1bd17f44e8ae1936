// A gelu by erf between two products of one kernel: with its polynomial written out beside them the kernel was refused, since all
// of it would have been in registers at a time.

// RUN: env FUSE_PTXAS=none fuse-run %s --chip=sm_90a --variants=aligned --image=%t.fuse | FileCheck %s
// CHECK: plan: 1 kernel

func.func @survey(%arg0: tensor<8192x128xbf16> {fuse.name = "x"},
    %arg1: tensor<128x512xbf16> {fuse.name = "w"},
    %arg2: tensor<512xf32> {fuse.name = "b"},
    %arg3: tensor<512x128xbf16> {fuse.name = "v"},
    %arg4: tensor<128xf32> {fuse.name = "c"})
    -> (tensor<8192x128xbf16>) {
  %0 = fuse.matmul %arg0, %arg1 : tensor<8192x128xbf16>, tensor<128x512xbf16> -> tensor<8192x512xf32>
  %1 = fuse.broadcast %arg2 dims [1] : tensor<512xf32> -> tensor<8192x512xf32>
  %2 = arith.addf %0, %1 : tensor<8192x512xf32>
  %3 = fuse.gelu erf %2 : tensor<8192x512xf32>
  %4 = arith.truncf %3 : tensor<8192x512xf32> to tensor<8192x512xbf16>
  %5 = fuse.matmul %4, %arg3 : tensor<8192x512xbf16>, tensor<512x128xbf16> -> tensor<8192x128xf32>
  %6 = fuse.broadcast %arg4 dims [1] : tensor<128xf32> -> tensor<8192x128xf32>
  %7 = arith.addf %5, %6 : tensor<8192x128xf32>
  %8 = arith.extf %arg0 : tensor<8192x128xbf16> to tensor<8192x128xf32>
  %9 = arith.addf %7, %8 : tensor<8192x128xf32>
  %10 = arith.truncf %9 : tensor<8192x128xf32> to tensor<8192x128xbf16>
  return %10 : tensor<8192x128xbf16>
}
