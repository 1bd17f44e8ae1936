// The sum of a product of f32 meets one of f8: on a GPU they are made by different
// instructions, which leave them with different threads.

// RUN: fuse-run %s --verify=exact | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @meet(%a: tensor<13x13xf32> {fuse.fill = #fuse.fill<integers, -3, 3>},
                %b: tensor<13x31xf32> {fuse.fill = #fuse.fill<integers, -3, 3>},
                %c: tensor<13x13xf8E4M3FN> {fuse.fill = #fuse.fill<integers, -3, 3>},
                %d: tensor<13x31xf8E4M3FN> {fuse.fill = #fuse.fill<integers, -3, 3>}) -> tensor<13x31xf32> {
  %0 = fuse.matmul %a, %b : tensor<13x13xf32>, tensor<13x31xf32> -> tensor<13x31xf32>
  %1 = fuse.matmul %c, %d : tensor<13x13xf8E4M3FN>, tensor<13x31xf8E4M3FN> -> tensor<13x31xf32>
  %2 = arith.maximumf %0, %1 : tensor<13x31xf32>
  return %2 : tensor<13x31xf32>
}
