// Rows that four blocks hold together, of numbers of each width, which they tell
// each other in stores of one to eight bytes; on every chip that has clusters,
// and by a block for itself on one that has none.

// DEFINE: %{type} = f64
// DEFINE: %{kind} = sum
// DEFINE: %{minus} = arith.subf
// DEFINE: %{fill} = normal, 0, 2
// DEFINE: %{make} = sed 's/TYPE/%{type}/g; s/KIND/%{kind}/; s/MINUS/%{minus}/; s/FILL/%{fill}/' %s > %t.mlir
// DEFINE: %{schedule} = --schedule="@rows_0:parallel = [1], sequential = [r5001_0 = 8192], owned = 1, share = 4, warps = 2"
// DEFINE: %{run} = %{make} && %emulate %t.mlir --chip=sm_90a --verify %{schedule} | FileCheck %s
// CHECK: verify: right
// RUN: %{run}
// REDEFINE: %{type} = bf16
// REDEFINE: %{kind} = max
// RUN: %{run}
// REDEFINE: %{type} = i8
// REDEFINE: %{minus} = arith.subi
// REDEFINE: %{fill} = integers, -9, 9
// RUN: %{run}

// RUN: fuse-compile %t.mlir --chip=sm_90,sm_100,sm_120 --cache=off %{schedule} -o %t.fuse
// RUN: fuse-image %t.fuse | FileCheck %s --check-prefix=CLUSTERS
// CLUSTERS-COUNT-3: grid [12], threads 64x1x1, cluster 4x1x1
// RUN: fuse-compile %t.mlir --chip=sm_80 --ptxas=off --cache=off %{schedule} -o %t.fuse 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: kernel @rows_0 has blocks that share no tiles: the code for this chip has no clusters
// RUN: fuse-image %t.fuse | FileCheck %s --check-prefix=ALONE
// ALONE: grid [3], threads 64x1x1,
// ALONE-NOT: cluster

func.func @rows(%x: tensor<3x5001xTYPE> {fuse.name = "x", fuse.fill = #fuse.fill<FILL>}) -> (tensor<3xTYPE>, tensor<3x5001xTYPE>) {
  %whole = fuse.reduce KIND %x dims [1] : tensor<3x5001xTYPE>
  %all = fuse.broadcast %whole dims [0] : tensor<3xTYPE> -> tensor<3x5001xTYPE>
  %y = MINUS %x, %all : tensor<3x5001xTYPE>
  return %whole, %y : tensor<3xTYPE>, tensor<3x5001xTYPE>
}
