// Scores that a bias of f32 is added to, which the copy engine brings in whole
// lines of 128 bytes and threads read from there.

// RUN: %emulate %s --chip=sm_90a --verify --schedule="@scores_0:parallel = [1, 64, 32], sequential = [r32_0 = 32, r192_0 = 64], cascades = [2 wrt 1 = rescale, 3 wrt 1 = rescale, 3 wrt 2 = defer]" | FileCheck %s
// CHECK: verify: right
// RUN: fuse-compile %s --chip=sm_90a --ptxas=off --cache=off --variants=aligned -o %t.fuse --schedule="@scores_0:parallel = [1, 64, 32], sequential = [r32_0 = 32, r192_0 = 64], cascades = [2 wrt 1 = rescale, 3 wrt 1 = rescale, 3 wrt 2 = defer]"
// RUN: fuse-image %t.fuse | FileCheck %s --check-prefix=MAP
// MAP: map of %3 'bias': f32 {{.*}} box 32x64, swizzle 128

func.func @scores(%q: tensor<2x128x32xbf16> {fuse.name = "x"},
    %k: tensor<2x192x32xbf16> {fuse.name = "k"},
    %v: tensor<2x192x32xbf16> {fuse.name = "v"},
    %bias: tensor<128x192xf32> {fuse.name = "bias", fuse.fill = #fuse.fill<normal, 0, 2>})
    -> (tensor<2x128x32xbf16>) {
  %0 = fuse.transpose %k [0, 2, 1] : tensor<2x192x32xbf16>
  %1 = fuse.matmul %q, %0 : tensor<2x128x32xbf16>, tensor<2x32x192xbf16> -> tensor<2x128x192xf32>
  %2 = arith.constant dense<0.125> : tensor<2x128x192xf32>
  %3 = arith.mulf %1, %2 : tensor<2x128x192xf32>
  %4 = fuse.broadcast %bias dims [1, 2] : tensor<128x192xf32> -> tensor<2x128x192xf32>
  %5 = arith.addf %3, %4 : tensor<2x128x192xf32>
  %6 = fuse.softmax %5 dim 2 : tensor<2x128x192xf32>
  %7 = arith.truncf %6 : tensor<2x128x192xf32> to tensor<2x128x192xbf16>
  %8 = fuse.matmul %7, %v : tensor<2x128x192xbf16>, tensor<2x192x32xbf16> -> tensor<2x128x32xf32>
  %9 = arith.truncf %8 : tensor<2x128x32xf32> to tensor<2x128x32xbf16>
  return %9 : tensor<2x128x32xbf16>
}
