// The element that is named as the worst is one that is wrong.

// RUN: fuse-run %s --verify=exact > %t; test $? -eq 1
// RUN: FileCheck %s < %t
// CHECK: verify: WRONG in 1 element; worst at [1]: got 0, wanted -9.99999971e-51, error 1e-50 of 0 allowed

// -1e-50 is -0 in f32, which is right for the first element; a sum with 0 is 0.
func.func @f() -> tensor<2xf32> {
  %x = arith.constant dense<[-1.0e-30, -1.0e-30]> : tensor<2xf32>
  %y = arith.constant dense<[1.0e-20, 1.0e-20]> : tensor<2xf32>
  %zeros = arith.constant dense<[-0.0, 0.0]> : tensor<2xf32>
  %product = arith.mulf %x, %y : tensor<2xf32>
  %0 = arith.addf %product, %zeros : tensor<2xf32>
  return %0 : tensor<2xf32>
}
