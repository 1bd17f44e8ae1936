// Constants whose data a module names, also of rank 0, of booleans, and where they are compared with what is exact.

// RUN: fuse-run %s --target=reference --verify=exact | FileCheck %s
// RUN: fuse-run %s --target=cpu --verify | FileCheck %s
// RUN: fuse-run %s --target=simulate --verify | FileCheck %s
// CHECK-NOT: WRONG
// CHECK: out1: i32 3, from 0 to 1, mean 0.666

func.func @data(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %weights = arith.constant dense_resource<weights> : tensor<3xf16>
  %scale = arith.constant dense_resource<scale> : tensor<f32>
  %flags = arith.constant dense_resource<flags> : tensor<3xi1>
  %0 = arith.extf %weights : tensor<3xf16> to tensor<3xf32>
  %1 = fuse.broadcast %scale dims [] : tensor<f32> -> tensor<3xf32>
  %2 = arith.mulf %0, %1 : tensor<3xf32>
  %3 = arith.addf %x, %2 : tensor<3xf32>
  %4 = arith.extui %flags : tensor<3xi1> to tensor<3xi32>
  return %3, %4 : tensor<3xf32>, tensor<3xi32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x02000000003C00400000",
      scale: "0x040000000000803F",
      flags: "0x01000000010002"
    }
  }
#-}
