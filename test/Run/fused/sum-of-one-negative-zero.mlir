// A sum begins with 0, also one of a single -0.

// RUN: fuse-run %s --verify=exact --seed=480 | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @graph(%arg0: tensor<3x1xf32> {fuse.fill = #fuse.fill<integers, -3, 3>, fuse.name = "a0"}) -> tensor<3xf32> {
  %0 = arith.negf %arg0 : tensor<3x1xf32>
  %1 = fuse.reduce sum %0 dims [1] : tensor<3x1xf32>
  %2 = fuse.reduce min %1 dims [0] : tensor<3xf32>
  %3 = fuse.broadcast %2 dims [] : tensor<f32> -> tensor<3xf32>
  return %3 : tensor<3xf32>
}
