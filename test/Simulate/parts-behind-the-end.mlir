// What chunks leave is read as 0 behind the end of a dimension, where a sum of
// exponentials of what is read as 0 is none: 0 by 0 is NaN, which a norm over
// that dimension, and a product with 0, must not see.

// RUN: fuse-run %s --verify --target=simulate --chip=sm_90a --schedule="@graph_0:parallel = [1, 1], sequential = [r31_1 = 16, r31_0 = 32], owned = 0, split = 2" | FileCheck %s
// RUN: fuse-run %s --verify --target=cpu --schedule="@graph_0:parallel = [1, 1], sequential = [r31_1 = 16, r31_0 = 32], owned = 0, split = 2" | FileCheck %s
// CHECK: split = 2
// CHECK: verify: right

func.func @graph(%x: tensor<2x31x31xf32> {fuse.fill = #fuse.fill<uniform, -1, 1>},
                 %v: tensor<2x31x31xf32> {fuse.fill = #fuse.fill<uniform, -1, 1>},
                 %g: tensor<31xf32> {fuse.fill = #fuse.fill<uniform, -1, 1>},
                 %w: tensor<31x31xf32> {fuse.fill = #fuse.fill<uniform, -1, 1>}) -> tensor<2x31xf32> {
  %most = fuse.reduce max %x dims [2] : tensor<2x31x31xf32>
  %all = fuse.broadcast %most dims [0, 1] : tensor<2x31xf32> -> tensor<2x31x31xf32>
  %rest = arith.subf %x, %all : tensor<2x31x31xf32>
  %exp = math.exp %rest : tensor<2x31x31xf32>
  %sum = fuse.reduce sum %exp dims [2] : tensor<2x31x31xf32>
  %weighted = arith.mulf %exp, %v : tensor<2x31x31xf32>
  %values = fuse.reduce sum %weighted dims [2] : tensor<2x31x31xf32>
  %mean = arith.divf %values, %sum : tensor<2x31xf32>
  %norm = fuse.rms_norm %mean scale %g eps 1.0e-2 : tensor<2x31xf32>, tensor<31xf32>
  %y = fuse.matmul %norm, %w : tensor<2x31xf32>, tensor<31x31xf32> -> tensor<2x31xf32>
  return %y : tensor<2x31xf32>
}
