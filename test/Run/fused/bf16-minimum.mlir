// A minimum of bf16: no processor reduces such vectors.

// RUN: fuse-run %s --verify --seed=708 | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @graph(%arg0: tensor<9xbf16> {fuse.fill = #fuse.fill<uniform, 0.5, 1.5>, fuse.name = "a1"}) -> tensor<bf16> {
  %0 = fuse.reduce min %arg0 dims [0] : tensor<9xbf16>
  return %0 : tensor<bf16>
}
