// Any variables of the output may be owned, whatever lies between them or behind them.

// RUN: fuse-run %s --verify --schedule="@norm_0:parallel = [2, 3, 4], sequential = [r7_0 = 3]" | FileCheck %s
// CHECK: verify: right
// DEFINE: %{owned} = [0]
// DEFINE: %{run} = fuse-run %s --verify --schedule="@norm_0:parallel = [2, 3, 4], sequential = [r7_0 = 3, r9_0 = 4], owned = %{owned}" | FileCheck %s
// RUN: %{run}
// REDEFINE: %{owned} = [1]
// RUN: %{run}
// REDEFINE: %{owned} = [2, 0]
// RUN: %{run}
// REDEFINE: %{owned} = [0, 1]
// RUN: %{run}
// REDEFINE: %{owned} = [0, 1, 2]
// RUN: %{run}
// REDEFINE: %{owned} = 1
// RUN: %{run}

func.func @norm(%x: tensor<7x5x9xf32> {fuse.name = "x"}) -> tensor<7x5x9xf32> {
  %sum = fuse.reduce sum %x dims [0, 2] : tensor<7x5x9xf32>
  %all = fuse.broadcast %sum dims [1] : tensor<5xf32> -> tensor<7x5x9xf32>
  %y = arith.divf %x, %all : tensor<7x5x9xf32>
  return %y : tensor<7x5x9xf32>
}
