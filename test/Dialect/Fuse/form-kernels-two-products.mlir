// Products that are added up are one product of more terms: they have tiles as
// large, blocks that copy for each other, and one ring.

// RUN: fuse-opt %s --split-input-file --fuse-form-kernels=machine=h200 | FileCheck %s

// Where warps multiply by themselves and copy, the addresses of both loops take
// registers: tiles of 128 x 256 spilled.
// RUN: fuse-opt %s --split-input-file --fuse-form-kernels='machine=h200 warpgroups=false' | FileCheck %s --check-prefix=WARPS
// WARPS-LABEL: func @alike
//       WARPS:   parallel = [128, 128]

// CHECK-LABEL: func @alike
//       CHECK:   schedule(#fuse.schedule<parallel = [128, 256], sequential = [r4096_0 = 64], owned = 0, cluster = [2, 1]>)
!x = tensor<4096x4096xbf16>
func.func @alike(%x: !x, %w: !x, %h: !x, %u: !x) -> !x {
  %a = fuse.matmul %x, %w : !x, !x -> tensor<4096x4096xf32>
  %b = fuse.matmul %h, %u : !x, !x -> tensor<4096x4096xf32>
  %s = arith.addf %a, %b : tensor<4096x4096xf32>
  %y = arith.truncf %s : tensor<4096x4096xf32> to !x
  return %y : !x
}

// -----

// CHECK-LABEL: func @of_other_lengths
//       CHECK:   schedule(#fuse.schedule<parallel = [64, 128], sequential = [r512_0 = 64, r1024_0 = 64], owned = 0>)
func.func @of_other_lengths(%x: tensor<1024x512xbf16>, %w: tensor<512x1024xbf16>, %h: tensor<1024x1024xbf16>, %u: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %a = fuse.matmul %x, %w : tensor<1024x512xbf16>, tensor<512x1024xbf16> -> tensor<1024x1024xf32>
  %b = fuse.matmul %h, %u : tensor<1024x1024xbf16>, tensor<1024x1024xbf16> -> tensor<1024x1024xf32>
  %s = arith.addf %a, %b : tensor<1024x1024xf32>
  %y = arith.truncf %s : tensor<1024x1024xf32> to tensor<1024x1024xbf16>
  return %y : tensor<1024x1024xbf16>
}
