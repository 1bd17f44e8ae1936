// A simulated GPU: what the report says, and how a kernel that breaks a rule ends.

// RUN: fuse-run %s --entry=good --target=simulate --chip=sm_80 --repeat-bits=2 | FileCheck %s
// RUN: fuse-run %s --entry=good --target=simulate | FileCheck %s --check-prefix=DEFAULT
// CHECK: @good on a simulated sm_80
// CHECK: 0: f32 8, from 1 to 1, mean 1
// CHECK: 1: f32 3, from 2 to 2, mean 2
// DEFAULT: @good on a simulated sm_90a

// RUN: %S/Inputs/fails.sh 5 %t fuse-run %s --entry=bad --target=simulate
// RUN: FileCheck %s --check-prefix=BAD < %t/stderr
// BAD: simulate.mlir:[[@LINE+14]]:8: error: 'tile.load' op touches element [4] of a memory of shape [4]
// BAD: note: seen in block [1] of 'beside' with seed 0
// BAD: fuse-run: error: the simulation of kernel 'beside' failed

tile.kernel @ones(%y: memref<8xf32>) outputs 1 blocks(%i) {
  %c4 = arith.constant 4 : index
  %at = arith.muli %i, %c4 : index
  %t = arith.constant dense<1.0> : tensor<4xf32>
  tile.store %t, %y[%at] : tensor<4xf32>, memref<8xf32>
  tile.return
}
tile.kernel @beside(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c4 = arith.constant 4 : index
  %at = arith.muli %i, %c4 : index
  %t = tile.load %x[%at] : memref<4xf32> -> tensor<4xf32>
  tile.store %t, %y[%at] : tensor<4xf32>, memref<4xf32>
  tile.return
}
// A constant is copied, and no kernel writes it.
func.func @good() -> (tensor<8xf32>, tensor<3xf32>) {
  %c2 = arith.constant 2 : index
  %y = tile.launch @ones blocks(%c2) () : () -> tensor<8xf32>
  %two = arith.constant dense<2.0> : tensor<3xf32>
  return %y, %two : tensor<8xf32>, tensor<3xf32>
}
func.func @bad(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %y = tile.launch @beside blocks(%c2) (%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
