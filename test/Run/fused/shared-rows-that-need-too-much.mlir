// A plan in which four blocks share rows asked for 256 KiB of shared memory, since what goes from one
// layout to another there is room for as a whole, and so did the plans that were tried for less.

// RUN: fuse-run %s --verify --seed=3 | FileCheck %s
// RUN: fuse-run %s --chip=sm_90a --variants=aligned --image=%t.fuse
// CHECK: verify: right

func.func @graph(%x: tensor<17x3x17x4xf16> {fuse.fill = #fuse.fill<uniform, -1, 1>}, %i: tensor<17x17xi32> {fuse.fill = #fuse.fill<integers, 0, 18>}) -> (tensor<17x17x4xf16>, tensor<17x3x17x4xf16>, tensor<17xf16>) {
  %product = fuse.reduce prod %x dims [1, 2] : tensor<17x3x17x4xf16>
  %softmax = fuse.softmax %product dim 0 : tensor<17x4xf16>
  %exp = math.exp %x : tensor<17x3x17x4xf16>
  %rows = fuse.gather %softmax[%i] : tensor<17x4xf16>, tensor<17x17xi32>
  %largest = fuse.reduce max %rows dims [0, 2] : tensor<17x17x4xf16>
  %all = fuse.broadcast %largest dims [1] : tensor<17xf16> -> tensor<17x17x4xf16>
  %half = arith.constant dense<0.5> : tensor<17x17x4xf16>
  %scale = arith.addf %all, %half : tensor<17x17x4xf16>
  %y = arith.divf %rows, %scale : tensor<17x17x4xf16>
  return %y, %exp, %largest : tensor<17x17x4xf16>, tensor<17x3x17x4xf16>, tensor<17xf16>
}
