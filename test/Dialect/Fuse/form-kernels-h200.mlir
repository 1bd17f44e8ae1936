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

// -----

// What every block that shares a factor would make of it again is made once,
// since only what is read as it is can be copied ahead.
// CHECK: fuse.kernel @scaled_0({{.*}} -> tensor<2048x2048xf16>
// CHECK: fuse.kernel @scaled_1({{.*}} -> tensor<2048x2048xf32>
func.func @scaled(%x: tensor<2048x2048xf16>, %w: tensor<2048x2048xf16>) -> tensor<2048x2048xf32> {
  %y = math.tanh %x : tensor<2048x2048xf16>
  %z = fuse.matmul %y, %w : tensor<2048x2048xf16>, tensor<2048x2048xf16> -> tensor<2048x2048xf32>
  return %z : tensor<2048x2048xf32>
}

// -----

// A product of few rows is made in few blocks, so it is one kernel.
// CHECK: fuse.kernel @few_0({{.*}} -> tensor<16x4096xf32>
// CHECK-NOT: fuse.kernel
func.func @few(%x: tensor<16x64xf16>, %w: tensor<64x4096xf16>) -> tensor<16x4096xf32> {
  %y = math.tanh %x : tensor<16x64xf16>
  %z = fuse.matmul %y, %w : tensor<16x64xf16>, tensor<64x4096xf16> -> tensor<16x4096xf32>
  return %z : tensor<16x4096xf32>
}

// -----

// A scale that all rows read does not make them share a block.
// CHECK: fuse.kernel @rows_0({{.*}} schedule(#fuse.schedule<parallel = [1], sequential = [r4096_0 = 4096]
func.func @rows(%x: tensor<8192x4096xf32>, %g: tensor<4096xf32>) -> tensor<8192x4096xf32> {
  %y = fuse.rms_norm %x scale %g eps 1.0e-5 : tensor<8192x4096xf32>, tensor<4096xf32>
  return %y : tensor<8192x4096xf32>
}
