// Nothing of a graph reads beside a tensor: one element is no part of a graph,
// wherever it lies, and fuse.gather says what it gives outside.

// DEFINE: %{fails} = %S/Inputs/fails.sh 4 %t.log fuse-run %s
// RUN: %{fails} --shape=n:3 | FileCheck %s
// RUN: %{fails} --shape=n:4 | FileCheck %s
// RUN: %{fails} --shape=n:100000000000 | FileCheck %s
// CHECK: extract-outside.mlir:[[#@LINE+3]]:8: error: 'tensor.extract' does not belong to the stage 'graph'

func.func @f(%x: tensor<4xf32>, %n: index {fuse.name = "n"}) -> tensor<f32> {
  %0 = tensor.extract %x[%n] : tensor<4xf32>
  %1 = tensor.from_elements %0 : tensor<f32>
  return %1 : tensor<f32>
}
