// Rows of f64 that begin anywhere are cut out of chunks of 16 bytes on a GPU: an
// element there has more than a word.

// RUN: fuse-run %s --verify --seed=308 | FileCheck %s
// CHECK-COUNT-2: verify: right
// RUN: env FUSE_PTXAS=none fuse-run %s --chip=sm_80 --image=%t.fuse > %t.out

func.func @graph(%x: tensor<4x5xf64>) -> (tensor<4x5xf64>, tensor<4x5x4x5xf64>) {
  %ones = arith.constant dense<1.0> : tensor<5x5xf64>
  %y = fuse.matmul %x, %ones : tensor<4x5xf64>, tensor<5x5xf64> -> tensor<4x5xf64>
  %z = fuse.broadcast %x dims [0, 1] : tensor<4x5xf64> -> tensor<4x5x4x5xf64>
  return %y, %z : tensor<4x5xf64>, tensor<4x5x4x5xf64>
}
