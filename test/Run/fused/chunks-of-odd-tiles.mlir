// Blocks that merge in a cluster share what they merge along an axis that halves
// leave whole. 192 columns are repeated parts, and 96 rows do not fill 128: such
// chunks merge in a launch of their own, whoever chose them.

// RUN: env FUSE_PTXAS=none fuse-run %s --entry=chosen --chip=sm_90a --variants=aligned --image=%t.fuse | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: #fuse.schedule<parallel = [128, {{96|192}}], {{.*}} split = {{[24]}}>
// RUN: fuse-run %s --entry=asked --verify --target=simulate --chip=sm_90a --schedule="@asked_0:parallel = [128, 192], sequential = [r512_0 = 64], owned = 0, split = 2, merge = cluster" \
// RUN:   | FileCheck %s --check-prefix=ASKED
// RUN: fuse-run %s --entry=asked --verify --target=simulate --chip=sm_90a --schedule="@asked_0:parallel = [64, 192], sequential = [r512_0 = 64], owned = 0, split = 2, merge = cluster" \
// RUN:   | FileCheck %s --check-prefix=ASKED
// ASKED: verify: right

func.func @chosen(%x: tensor<96x16384xbf16>, %w: tensor<16384x5120xbf16>) -> tensor<96x5120xbf16> {
  %product = fuse.matmul %x, %w : tensor<96x16384xbf16>, tensor<16384x5120xbf16> -> tensor<96x5120xf32>
  %relu = fuse.relu %product : tensor<96x5120xf32>
  %y = arith.truncf %relu : tensor<96x5120xf32> to tensor<96x5120xbf16>
  return %y : tensor<96x5120xbf16>
}

func.func @asked(%x: tensor<96x512xbf16> {fuse.fill = #fuse.fill<uniform, -1, 1>}, %w: tensor<512x320xbf16> {fuse.fill = #fuse.fill<uniform, -1, 1>}) -> tensor<96x320xf32> {
  %product = fuse.matmul %x, %w : tensor<96x512xbf16>, tensor<512x320xbf16> -> tensor<96x320xf32>
  return %product : tensor<96x320xf32>
}
