// Rows of bf16 that fill no vector: LLVM has no such vectors.

// RUN: fuse-run %s --verify=exact --seed=962 | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @graph(%arg0: tensor<9x9xbf16> {fuse.fill = #fuse.fill<integers, -3, 3>, fuse.name = "a5"}) -> tensor<9x9xbf16> {
  %0 = fuse.transpose %arg0 [0, 1] : tensor<9x9xbf16>
  return %0 : tensor<9x9xbf16>
}
