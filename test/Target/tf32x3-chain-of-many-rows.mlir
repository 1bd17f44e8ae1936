// A chain of products whose kernel needs more shared memory than was estimated
// when it was formed: it is formed anew, for less. A schedule that was asked for
// stays, and does not fit.

// RUN: fuse-compile %s -o %t.fuse --chip=sm_90a --variants=aligned --ptxas=off
// RUN: fuse-image %t.fuse | FileCheck %s
// RUN: fuse-compile %s -o %t.fuse --chip=sm_80 --variants=aligned --ptxas=off
// RUN: fuse-image %t.fuse | FileCheck %s
// RUN: not fuse-compile %s -o %t.fuse --chip=sm_90a --variants=aligned --ptxas=off \
// RUN:   --schedule="@mlp_0:parallel = [128, 16], sequential = [r13_0 = 16, r512_0 = 256, r256_0 = 256, r64_0 = 64], owned = 0" \
// RUN:   2>&1 | FileCheck %s --check-prefix=ASKED

// CHECK: launch 0 'mlp_0'
// CHECK: KiB shared
// CHECK-NOT: launch 1

// ASKED: error: {{.*}}tf32x3-chain-of-many-rows.mlir:{{[0-9]+}}: kernel 'mlp_0' needs {{[0-9]+}} bytes of shared memory, but sm_90a has 232448 for a block; smaller tiles need less (--schedule)

func.func @mlp(%x: tensor<65536x13xf32>, %w1: tensor<13x512xf32>, %w2: tensor<512x256xf32>, %w3: tensor<256x64xf32>, %w4: tensor<64x16xf32>) -> tensor<65536x16xf32> {
  %zero1 = arith.constant dense<0.0> : tensor<65536x512xf32>
  %zero2 = arith.constant dense<0.0> : tensor<65536x256xf32>
  %zero3 = arith.constant dense<0.0> : tensor<65536x64xf32>
  %h1 = fuse.matmul %x, %w1 precision tf32x3 : tensor<65536x13xf32>, tensor<13x512xf32> -> tensor<65536x512xf32>
  %r1 = arith.maximumf %h1, %zero1 : tensor<65536x512xf32>
  %h2 = fuse.matmul %r1, %w2 precision tf32x3 : tensor<65536x512xf32>, tensor<512x256xf32> -> tensor<65536x256xf32>
  %r2 = arith.maximumf %h2, %zero2 : tensor<65536x256xf32>
  %h3 = fuse.matmul %r2, %w3 precision tf32x3 : tensor<65536x256xf32>, tensor<256x64xf32> -> tensor<65536x64xf32>
  %r3 = arith.maximumf %h3, %zero3 : tensor<65536x64xf32>
  %y = fuse.matmul %r3, %w4 precision tf32x3 : tensor<65536x64xf32>, tensor<64x16xf32> -> tensor<65536x16xf32>
  return %y : tensor<65536x16xf32>
}
