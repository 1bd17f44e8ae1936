// RUN: fuse-opt %s --fuse-copy-factors | FileCheck %s

// Rows of 777 bf16 begin anywhere, of 1000 at multiples of 16 bytes.
// CHECK-LABEL: func.func @rows
//  CHECK-SAME:     %[[X:.*]]: tensor<512x777xbf16>, %[[W:.*]]: tensor<777x1000xbf16>
//       CHECK:   %[[C:.*]] = fuse.copy %[[X]] : tensor<512x777xbf16>
//       CHECK:   fuse.matmul %[[C]], %[[W]]
func.func @rows(%x: tensor<512x777xbf16>, %w: tensor<777x1000xbf16>) -> tensor<512x1000xf32> {
  %y = fuse.matmul %x, %w : tensor<512x777xbf16>, tensor<777x1000xbf16> -> tensor<512x1000xf32>
  return %y : tensor<512x1000xf32>
}

// Behind views it is what they show that is copied, once for all products; others
// read the argument as before.
// CHECK-LABEL: func.func @views
//  CHECK-SAME:     %[[X:.*]]: tensor<?x777xf16>, %[[W:.*]]: tensor<64x777xf16>
//   CHECK-DAG:   %[[XC:.*]] = fuse.copy %[[X]] : tensor<?x777xf16>
//   CHECK-DAG:   %[[WC:.*]] = fuse.copy %[[W]] : tensor<64x777xf16>
//   CHECK-DAG:   %[[WT:.*]] = fuse.transpose %[[WC]] [1, 0]
//       CHECK:   fuse.matmul %[[XC]], %[[WT]]
//       CHECK:   fuse.matmul %[[XC]], %[[WT]]
//       CHECK:   math.tanh %[[X]]
func.func @views(%x: tensor<?x777xf16>, %w: tensor<64x777xf16>) -> (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x777xf16>) {
  %t = fuse.transpose %w [1, 0] : tensor<64x777xf16>
  %y = fuse.matmul %x, %t : tensor<?x777xf16>, tensor<777x64xf16> -> tensor<?x64xf32>
  %z = fuse.matmul %x, %t : tensor<?x777xf16>, tensor<777x64xf16> -> tensor<?x64xf32>
  %n = math.tanh %x : tensor<?x777xf16>
  return %y, %z, %n : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x777xf16>
}

// Of rows that begin anywhere a slice is copied, not all of them; so is one that
// begins within a vector.
// CHECK-LABEL: func.func @slices
//       CHECK:   %[[S:.*]] = fuse.slice %{{.*}}[:, :64]
//       CHECK:   %[[SC:.*]] = fuse.copy %[[S]] : tensor<512x64xbf16>
//       CHECK:   %[[T:.*]] = fuse.slice %{{.*}}[3:67, :]
//       CHECK:   %[[U:.*]] = fuse.slice %{{.*}}[:, 3:67]
//       CHECK:   %[[UC:.*]] = fuse.copy %[[U]] : tensor<128x64xbf16>
//       CHECK:   fuse.matmul %[[SC]], %[[T]]
//       CHECK:   fuse.matmul %[[UC]], %[[T]]
func.func @slices(%x: tensor<512x777xbf16>, %w: tensor<128x128xbf16>) -> (tensor<512x128xf32>, tensor<128x128xf32>) {
  %s = fuse.slice %x[:, :64] : tensor<512x777xbf16>
  %t = fuse.slice %w[3:67, :] : tensor<128x128xbf16>
  %u = fuse.slice %w[:, 3:67] : tensor<128x128xbf16>
  %y = fuse.matmul %s, %t : tensor<512x64xbf16>, tensor<64x128xbf16> -> tensor<512x128xf32>
  %z = fuse.matmul %u, %t : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
  return %y, %z : tensor<512x128xf32>, tensor<128x128xf32>
}

// What is known only later, has one number a row, or is computed, stays; so do
// kernels that somebody drew.
// CHECK-LABEL: func.func @stays
//   CHECK-NOT:   fuse.copy
func.func @stays(%x: tensor<512x?xbf16>, %w: tensor<?x64xbf16>, %v: tensor<777x1xf32>, %u: tensor<512x777xf32>)
    -> (tensor<512x64xf32>, tensor<512x1xf32>, tensor<512x512xf32>) {
  %y = fuse.matmul %x, %w : tensor<512x?xbf16>, tensor<?x64xbf16> -> tensor<512x64xf32>
  %e = math.tanh %u : tensor<512x777xf32>
  %z = fuse.matmul %e, %v : tensor<512x777xf32>, tensor<777x1xf32> -> tensor<512x1xf32>
  %k = fuse.kernel @drawn(%a = %u) : (tensor<512x777xf32>) -> tensor<512x512xf32> {
    %t = fuse.transpose %a [1, 0] : tensor<512x777xf32>
    %p = fuse.matmul %a, %t : tensor<512x777xf32>, tensor<777x512xf32> -> tensor<512x512xf32>
    fuse.yield %p : tensor<512x512xf32>
  }
  return %y, %z, %k : tensor<512x64xf32>, tensor<512x1xf32>, tensor<512x512xf32>
}

// A result is seen by others, and so lies as they expect it; what only kernels
// see does not.
// CHECK-LABEL: func.func @results
//       CHECK:   %[[Y:.*]] = math.tanh
//       CHECK:   %[[C:.*]] = fuse.copy %[[Y]]
//       CHECK:   fuse.matmul %[[C]]
//       CHECK:   %[[E:.*]] = math.exp
//       CHECK:   fuse.matmul %[[E]]
func.func @results(%x: tensor<512x777xf16>, %w: tensor<777x64xf16>) -> (tensor<512x777xf16>, tensor<512x64xf32>, tensor<512x64xf32>) {
  %y = math.tanh %x : tensor<512x777xf16>
  %z = fuse.matmul %y, %w : tensor<512x777xf16>, tensor<777x64xf16> -> tensor<512x64xf32>
  %e = math.exp %x : tensor<512x777xf16>
  %u = fuse.matmul %e, %w : tensor<512x777xf16>, tensor<777x64xf16> -> tensor<512x64xf32>
  return %y, %z, %u : tensor<512x777xf16>, tensor<512x64xf32>, tensor<512x64xf32>
}
