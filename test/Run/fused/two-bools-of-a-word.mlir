// Where rows of a gather are beyond their end is known by each thread for eight
// of them, and sent on two by two: half a word at a time.

// RUN: fuse-run %s --verify --seed=3 | FileCheck %s
// RUN: env FUSE_PTXAS=none fuse-run %s --chip=sm_90a --image=%t.fuse > %t.out
// CHECK: verify: right

func.func @graph(%x: tensor<3x33xf16>, %i: tensor<33x2xi32> {fuse.fill = #fuse.fill<integers, 0, 2>}) -> tensor<33x2x33xf32> {
  %t = fuse.transpose %x [1, 0] : tensor<3x33xf16>
  %p = fuse.matmul %x, %t : tensor<3x33xf16>, tensor<33x3xf16> -> tensor<3x3xf32>
  %s = fuse.softmax %p dim 1 : tensor<3x3xf32>
  %h = arith.truncf %s : tensor<3x3xf32> to tensor<3x3xf16>
  %y = fuse.matmul %h, %x : tensor<3x3xf16>, tensor<3x33xf16> -> tensor<3x33xf32>
  %g = fuse.gather %y[%i] : tensor<3x33xf32>, tensor<33x2xi32>
  return %g : tensor<33x2x33xf32>
}
