// A kernel has no effect, so that it goes where nobody reads what it stores,
// and what stands in it is simplified as anywhere.

// RUN: fuse-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @unused
//  CHECK-NEXT:   return
func.func @unused(%x: tensor<4xf32>) {
  %y = fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = arith.addf %a, %a : tensor<4xf32>
    fuse.yield %s : tensor<4xf32>
  }
  return
}

// CHECK-LABEL: @inside
//       CHECK:   fuse.kernel @k(%[[A:.*]] = %
//  CHECK-NEXT:     %[[E:.*]] = math.exp %[[A]]
//  CHECK-NEXT:     arith.addf %[[E]], %[[E]]
func.func @inside(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %y = fuse.kernel @k(%a = %x) : (tensor<4x2xf32>) -> tensor<4x2xf32> {
    %t = fuse.transpose %a [0, 1] : tensor<4x2xf32>
    %e = math.exp %t : tensor<4x2xf32>
    %f = math.exp %a : tensor<4x2xf32>
    %s = arith.addf %e, %f : tensor<4x2xf32>
    fuse.yield %s : tensor<4x2xf32>
  }
  return %y : tensor<4x2xf32>
}
