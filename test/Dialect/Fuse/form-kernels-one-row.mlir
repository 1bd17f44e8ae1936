// One row that no block can hold: what is known of it is one number, which is stored like those of many rows, so that
// all blocks divide by it. A softmax of a million numbers had one block for that.

// RUN: fuse-opt %s --fuse-decompose --fuse-form-kernels=machine=h200 --split-input-file | FileCheck %s

// CHECK-LABEL: func @softmax
//       CHECK:   fuse.kernel @softmax_0({{.*}} -> (tensor<1xf32>, tensor<1xf32>)
//       CHECK:   fuse.kernel @softmax_1({{.*}} -> tensor<1x1000000xf32>
func.func @softmax(%x: tensor<1x1000000xf32>) -> tensor<1x1000000xf32> {
  %y = fuse.softmax %x dim 1 : tensor<1x1000000xf32>
  return %y : tensor<1x1000000xf32>
}

// -----

// A whole tensor by its norm.
// CHECK-LABEL: func @by_norm
//       CHECK:   fuse.kernel @by_norm_0({{.*}} -> tensor<f32>
//       CHECK:   fuse.kernel @by_norm_1({{.*}} -> tensor<4096x4096xf32>
func.func @by_norm(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %squares = arith.mulf %x, %x : tensor<4096x4096xf32>
  %sum = fuse.reduce sum %squares dims [0, 1] : tensor<4096x4096xf32>
  %scale = math.rsqrt %sum : tensor<f32>
  %scales = fuse.broadcast %scale dims [] : tensor<f32> -> tensor<4096x4096xf32>
  %y = arith.mulf %x, %scales : tensor<4096x4096xf32>
  return %y : tensor<4096x4096xf32>
}
