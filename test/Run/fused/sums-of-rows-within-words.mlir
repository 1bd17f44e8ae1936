// Rows of 4099 numbers of 16 bits begin anywhere within words. Many of them at a
// time are cut out of chunks of 16 bytes, of which the last one of the memory
// may be no more than its elements: 48 rows have whole chunks, 47 do not.

// RUN: fuse-run %s --entry=weights --verify --schedule="@weights_0:parallel = [1, 8], sequential = [r4099_0 = 512], owned = 0" | FileCheck %s
// RUN: fuse-run %s --entry=weights --verify --target=simulate --chip=sm_90a --schedule="@weights_0:parallel = [1, 8], sequential = [r4099_0 = 512], owned = 0, split = 3" | FileCheck %s
// RUN: fuse-run %s --entry=weights --verify --target=simulate --chip=sm_80 --schedule="@weights_0:parallel = [1, 4], sequential = [r4099_0 = 1024], owned = 0" | FileCheck %s
// RUN: fuse-run %s --entry=sums --verify --target=simulate --chip=sm_90a --schedule="@sums_0:parallel = [4], sequential = [r4099_0 = 512], owned = 0" | FileCheck %s
// RUN: fuse-run %s --entry=not_whole --verify --target=simulate --chip=sm_90a --schedule="@not_whole_0:parallel = [4], sequential = [r4099_0 = 512], owned = 0" | FileCheck %s
// CHECK: verify: right

func.func @weights(%x: tensor<1x4099xbf16> {fuse.fill = #fuse.fill<uniform, -1, 1>}, %w: tensor<48x4099xbf16> {fuse.fill = #fuse.fill<uniform, -1, 1>}) -> tensor<1x48xf32> {
  %wt = fuse.transpose %w [1, 0] : tensor<48x4099xbf16>
  %y = fuse.matmul %x, %wt : tensor<1x4099xbf16>, tensor<4099x48xbf16> -> tensor<1x48xf32>
  return %y : tensor<1x48xf32>
}

func.func @sums(%x: tensor<48x4099xf16> {fuse.fill = #fuse.fill<uniform, -1, 1>}) -> tensor<48xf32> {
  %wide = arith.extf %x : tensor<48x4099xf16> to tensor<48x4099xf32>
  %y = fuse.reduce sum %wide dims [1] : tensor<48x4099xf32>
  return %y : tensor<48xf32>
}

func.func @not_whole(%x: tensor<47x4099xf16> {fuse.fill = #fuse.fill<uniform, -1, 1>}) -> tensor<47xf32> {
  %wide = arith.extf %x : tensor<47x4099xf16> to tensor<47x4099xf32>
  %y = fuse.reduce sum %wide dims [1] : tensor<47x4099xf32>
  return %y : tensor<47xf32>
}
