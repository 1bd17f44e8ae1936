// An element beside the tensor is refused where that is known, never read.

// XFAIL: *
// RUN: fuse-run %s --shape=n:3 --input=0=7 | FileCheck %s --check-prefix=LAST
// LAST: out0: f32 scalar, from 7 to 7
// RUN: %S/Inputs/fails.sh 3 %t.log fuse-run %s --shape=n:4 | FileCheck %s
// RUN: %S/Inputs/fails.sh 3 %t.log fuse-run %s --shape=n:100000000000 | FileCheck %s
// CHECK: extract-outside.mlir:[[#@LINE+3]]:8: error: 'tensor.extract' op

func.func @f(%x: tensor<4xf32>, %n: index {fuse.name = "n"}) -> tensor<f32> {
  %0 = tensor.extract %x[%n] : tensor<4xf32>
  %1 = tensor.from_elements %0 : tensor<f32>
  return %1 : tensor<f32>
}
