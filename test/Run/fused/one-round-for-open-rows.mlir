// A product with one round of k, in blocks that walk over rows of which nobody knows how many there are: there is a loop of
// places, whose products go on while others run, that carries nothing and may have no round. The `if` around what was
// scheduled had two ends. And what was scheduled so stored in two places, each of which took memory that was not there.

// RUN: fuse-run %s --open-sizes --shape=x:256x64/300x64/1x64/0x64 --target=simulate --chip=sm_90a --verify --repeat-bits=2 \
// RUN:   | FileCheck %s
// RUN: fuse-run %s --open-sizes --shape=x:256x64/300x64/1x64/0x64 --verify | FileCheck %s
// CHECK: 256x128
// CHECK: verify: right
// CHECK: 300x128
// CHECK: verify: right
// CHECK: 1x128
// CHECK: verify: right
// CHECK: 0x128

// RUN: env FUSE_PTXAS=none fuse-run %s --open-sizes --shape=x:256x64 --chip=sm_90a --image=%t.fuse | FileCheck %s --check-prefix=FITS
// RUN: env FUSE_PTXAS=none fuse-run %s --shape=x:100000x64 --chip=sm_90a --image=%t.fuse | FileCheck %s --check-prefix=FITS
// FITS: nothing was run

func.func @linear(%x: tensor<?x64xbf16> {fuse.name = "x"}, %w: tensor<64x128xbf16>) -> tensor<?x128xbf16> {
  %0 = fuse.matmul %x, %w : tensor<?x64xbf16>, tensor<64x128xbf16> -> tensor<?x128xf32>
  %1 = arith.truncf %0 : tensor<?x128xf32> to tensor<?x128xbf16>
  return %1 : tensor<?x128xbf16>
}
