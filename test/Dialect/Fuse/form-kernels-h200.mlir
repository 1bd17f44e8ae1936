// Tiles for a machine that spreads them over threads by layouts: every size is
// a power of two, also where a variable is shorter or its range no multiple.
// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-form-kernels=machine=h200 | FileCheck %s
// A CPU takes short ranges as they are.
// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-form-kernels | FileCheck %s --check-prefix=CPU

// A row is held whole, and so it is read once.
// CHECK: fuse.kernel @softmax_0({{.*}} schedule(#fuse.schedule<parallel = [1], sequential = [r781_0 = 1024], owned = 1>)
//   CPU: fuse.kernel @softmax_0(
func.func @softmax(%x: tensor<1823x781xf32>) -> tensor<1823x781xf32> {
  %y = fuse.softmax %x dim 1 : tensor<1823x781xf32>
  return %y : tensor<1823x781xf32>
}

// -----

// CHECK: fuse.kernel @odd_0({{.*}} schedule(#fuse.schedule<parallel = [{{(1|2|4|8|16|32|64|128|256|512), (4|16|32|64|128|256|512)}}], sequential = [r13_0 = 16]
//   CPU: fuse.kernel @odd_0({{.*}} sequential = [r13_0 = 13]
func.func @odd(%x: tensor<197x13xf32>, %w: tensor<13x197xf32>) -> tensor<197x197xf32> {
  %y = fuse.matmul %x, %w : tensor<197x13xf32>, tensor<13x197xf32> -> tensor<197x197xf32>
  return %y : tensor<197x197xf32>
}

// -----

// CHECK: fuse.kernel @narrow_0({{.*}} schedule(#fuse.schedule<parallel = [{{(1|2|4|8|16|32|64|128|256|512), (1|4)}}], sequential = [r13_0 = {{(1|4|16)}}]
func.func @narrow(%x: tensor<4099x13xf32>, %w: tensor<13x3xf32>) -> tensor<4099x3xf32> {
  %y = fuse.matmul %x, %w : tensor<4099x13xf32>, tensor<13x3xf32> -> tensor<4099x3xf32>
  return %y : tensor<4099x3xf32>
}
