// Rows of one element, of 13, of 781 and of 50257; one row, three, and a million. Where rows are short a GPU's threads read as
// memory likes it, and exchange what they have before they reduce.

// DEFINE: %{entry} = softmax
// DEFINE: %{verify} = --verify
// DEFINE: %{run} = fuse-run %s %{verify} --seed=7 --entry=%{entry} --shape
// RUN: %{run}=x:1x1 | FileCheck %s
// RUN: %{run}=x:3x1 | FileCheck %s
// RUN: %{run}=x:1x13 | FileCheck %s
// RUN: %{run}=x:131x13 | FileCheck %s
// RUN: %{run}=x:1000x3 | FileCheck %s
// RUN: %{run}=x:70x63 | FileCheck %s
// RUN: %{run}=x:3x781 | FileCheck %s
// RUN: %{run}=x:3x50257 | FileCheck %s
// RUN: %{run}=x:1000000x1 | FileCheck %s
// RUN: %{run}=x:1x1000000 | FileCheck %s
// CHECK: verify: right

// REDEFINE: %{entry} = layer_norm
// RUN: %{run}=x:1x1 --shape=gamma:1 --shape=beta:1 | FileCheck %s
// RUN: %{run}=x:131x13 --shape=gamma:13 --shape=beta:13 | FileCheck %s
// RUN: %{run}=x:1000x3 --shape=gamma:3 --shape=beta:3 | FileCheck %s
// RUN: %{run}=x:3x781 --shape=gamma:781 --shape=beta:781 | FileCheck %s
// RUN: %{run}=x:3x50257 --shape=gamma:50257 --shape=beta:50257 | FileCheck %s
// RUN: %{run}=x:1x1000000 --shape=gamma:1000000 --shape=beta:1000000 | FileCheck %s

// REDEFINE: %{entry} = sums
// RUN: %{run}=x:1x1 | FileCheck %s --check-prefix=BOTH
// RUN: %{run}=x:1x13 | FileCheck %s --check-prefix=BOTH
// RUN: %{run}=x:131x13 | FileCheck %s --check-prefix=BOTH
// RUN: %{run}=x:3x781 | FileCheck %s --check-prefix=BOTH
// RUN: %{run}=x:1x50257 | FileCheck %s --check-prefix=BOTH
// RUN: %{run}=x:1000000x13 | FileCheck %s --check-prefix=BOTH
// RUN: %{run}=x:3x1000000 | FileCheck %s --check-prefix=BOTH
// REDEFINE: %{verify} = --verify=exact
// RUN: %{run}=x:1000000x3 --fill=integers:-4:4 | FileCheck %s --check-prefix=BOTH
// REDEFINE: %{verify} = --verify
// BOTH-COUNT-2: verify: right

// REDEFINE: %{entry} = bias_relu
// RUN: %{run}=x:3x1 --shape=b:1 | FileCheck %s
// RUN: %{run}=x:3x781 --shape=b:781 | FileCheck %s
// RUN: %{run}=x:1x50257 --shape=b:50257 | FileCheck %s
// RUN: %{run}=x:1000000x13 --shape=b:13 | FileCheck %s

func.func @softmax(%x: tensor<?x?xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 3>}) -> tensor<?x?xf32> {
  %y = fuse.softmax %x dim 1 : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

func.func @layer_norm(
    %x: tensor<?x?xbf16> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>}, %gamma: tensor<?xf32> {fuse.name = "gamma"},
    %beta: tensor<?xf32> {fuse.name = "beta"}) -> tensor<?x?xbf16> {
  %wide = arith.extf %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %normed = fuse.layer_norm %wide scale %gamma shift %beta eps 1.0e-5 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
  %y = arith.truncf %normed : tensor<?x?xf32> to tensor<?x?xbf16>
  return %y : tensor<?x?xbf16>
}

// Of rows, and of columns.
func.func @sums(%x: tensor<?x?xf32> {fuse.name = "x"}) -> (tensor<?xf32>, tensor<?xf32>) {
  %rows = fuse.reduce sum %x dims [1] : tensor<?x?xf32>
  %columns = fuse.reduce sum %x dims [0] : tensor<?x?xf32>
  return %rows, %columns : tensor<?xf32>, tensor<?xf32>
}

func.func @bias_relu(%x: tensor<?x?xf32> {fuse.name = "x"}, %b: tensor<?xf32> {fuse.name = "b"}) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %bias = fuse.broadcast %b dims [1] sizes [%m] : tensor<?xf32> -> tensor<?x?xf32>
  %sum = arith.addf %x, %bias : tensor<?x?xf32>
  %y = fuse.relu %sum : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
