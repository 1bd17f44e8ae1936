// REQUIRES: ptxas

// A gelu of f32 is stored piece by piece. What later pieces need stays where it
// is computed: moved behind the pieces before, it took all that it is made of
// along, and threads spilled 936 bytes.

// RUN: fuse-run %s --chip=sm_90a --variants=aligned --image=%t.fuse | FileCheck %s
// CHECK: chip     warps  registers  spilled
// CHECK-NEXT: sm_90a 12 168 {{[0-9]?[0-9]}} {{.*}} @layer_0

func.func @layer(%x: tensor<50257x5120xbf16>, %w: tensor<5120x512xbf16>, %b: tensor<512xf32>) -> tensor<50257x512xf32> {
  %product = fuse.matmul %x, %w : tensor<50257x5120xbf16>, tensor<5120x512xbf16> -> tensor<50257x512xf32>
  %bias = fuse.broadcast %b dims [1] : tensor<512xf32> -> tensor<50257x512xf32>
  %sum = arith.addf %product, %bias : tensor<50257x512xf32>
  %gelu = fuse.gelu tanh %sum : tensor<50257x512xf32>
  return %gelu : tensor<50257x512xf32>
}
