// A product that becomes a sum, since it has one column and its factor was a
// product, rounds its factors as its precision says: 2049 has a bit too many.

// RUN: fuse-run %s --target=simulate --chip=sm_90a --schedule="@column_0:parallel = [16, 1], sequential = [r2049_0 = 64, r64_0 = 64], owned = 0" | FileCheck %s
// RUN: fuse-run %s --target=cpu | FileCheck %s
// CHECK: out0: f32 64x1, from 131072 to 131072

func.func @column(%x: tensor<64x2049xf32> {fuse.fill = #fuse.fill<integers, 1, 1>},
                  %w: tensor<2049x64xf32> {fuse.fill = #fuse.fill<integers, 1, 1>},
                  %v: tensor<64x1xf32> {fuse.fill = #fuse.fill<integers, 1, 1>}) -> tensor<64x1xf32> {
  %0 = fuse.matmul %x, %w precision tf32 : tensor<64x2049xf32>, tensor<2049x64xf32> -> tensor<64x64xf32>
  %1 = fuse.matmul %0, %v precision tf32 : tensor<64x64xf32>, tensor<64x1xf32> -> tensor<64x1xf32>
  return %1 : tensor<64x1xf32>
}
