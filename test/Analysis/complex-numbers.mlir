// A complex number is no element, and no reason to crash.

// RUN: fuse-opt %s --fuse-print-elements --verify-diagnostics -o /dev/null
// RUN: fuse-opt %s --fuse-print-cascades --verify-diagnostics -o /dev/null

func.func @constant() -> tensor<4xcomplex<f32>> {
  // expected-error @below {{does not make its elements one by one, as kernels need it}}
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
