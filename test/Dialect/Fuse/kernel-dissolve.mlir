// RUN: fuse-opt %s --fuse-dissolve-kernels | FileCheck %s

// Bodies come in the order of their kernels, and schedules go.
// CHECK-LABEL: @chain(
//  CHECK-SAME:     %[[X:.*]]: tensor<?x4xf32>)
//   CHECK-NOT:   fuse.kernel
//       CHECK:   %[[E:.*]] = math.exp %[[X]]
//  CHECK-NEXT:   %[[S:.*]] = fuse.reduce sum %[[E]]
//       CHECK:   %[[N:.*]] = tensor.dim %[[E]]
//       CHECK:   fuse.broadcast %[[S]] dims [1] sizes [%[[N]]]
//   CHECK-NOT:   fuse.yield
func.func @chain(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x?xf32>) {
  %y:2 = fuse.kernel @first(%a = %x) schedule(#fuse.schedule<split = 2>)
      : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
    %e = math.exp %a : tensor<?x4xf32>
    %s = fuse.reduce sum %e dims [1] : tensor<?x4xf32>
    fuse.yield %e, %s : tensor<?x4xf32>, tensor<?xf32>
  }
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y#0, %c0 : tensor<?x4xf32>
  %z = fuse.kernel @second(%s = %y#1, %m = %n) : (tensor<?xf32>, index) -> tensor<?x?xf32> {
    %b = fuse.broadcast %s dims [1] sizes [%m] : tensor<?xf32> -> tensor<?x?xf32>
    fuse.yield %b : tensor<?x?xf32>
  }
  return %y#0, %z : tensor<?x4xf32>, tensor<?x?xf32>
}

// What is yielded may be an argument, and may be yielded twice.
// CHECK-LABEL: @nothing(
//  CHECK-SAME:     %[[X:.*]]: tensor<4xf32>)
//  CHECK-NEXT:   return %[[X]], %[[X]]
func.func @nothing(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y:2 = fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    fuse.yield %a, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %y#0, %y#1 : tensor<4xf32>, tensor<4xf32>
}
