// RUN: fuse-opt %s --fuse-reorder-sums="stride=3" | FileCheck %s
// RUN: fuse-opt %s --fuse-reorder-sums="stride=1" | FileCheck %s --check-prefix=SAME
// SAME-NOT: fuse.concat

// Both factors of a product, along what is summed.
// CHECK-LABEL: @product
//       CHECK:   %[[X0:.*]] = fuse.slice %arg0[:, :, ::3] : tensor<2x5x8xf32>
//       CHECK:   %[[X1:.*]] = fuse.slice %arg0[:, :, 1::3]
//       CHECK:   %[[X2:.*]] = fuse.slice %arg0[:, :, 2::3]
//       CHECK:   %[[X:.*]] = fuse.concat %[[X0]], %[[X1]], %[[X2]] dim 2 : tensor<2x5x3xf32>, tensor<2x5x3xf32>, tensor<2x5x2xf32>
//       CHECK:   fuse.slice %arg1[:, 2::3, :]
//       CHECK:   %[[W:.*]] = fuse.concat {{.*}} dim 1
//       CHECK:   fuse.matmul %[[X]], %[[W]]
func.func @product(%x: tensor<2x5x8xf32>, %w: tensor<2x8x4xf32>) -> tensor<2x5x4xf32> {
  %0 = fuse.matmul %x, %w : tensor<2x5x8xf32>, tensor<2x8x4xf32> -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}

// Every dimension that is summed; no more parts than there are terms.
// CHECK-LABEL: @mean
//       CHECK:   %[[ROWS:.*]] = fuse.concat {{.*}} dim 0 : tensor<1x7xf32>, tensor<1x7xf32>
//       CHECK:   %[[BOTH:.*]] = fuse.concat {{.*}} dim 1 : tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>
//       CHECK:   fuse.reduce mean %[[BOTH]]
func.func @mean(%x: tensor<2x7xf32>) -> tensor<f32> {
  %0 = fuse.reduce mean %x dims [0, 1] : tensor<2x7xf32>
  return %0 : tensor<f32>
}

// Any order gives the same, or the order cannot be known.
// CHECK-LABEL: @others
//   CHECK-NOT:   fuse.slice
//       CHECK:   return
func.func @others(%x: tensor<4x7xf32>, %y: tensor<4x?xf32>, %w: tensor<7x2xf32>, %e: tensor<4x0xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4x2xf32>, tensor<4xf32>) {
  %0 = fuse.reduce max %x dims [1] : tensor<4x7xf32>
  %1 = fuse.reduce sum %y dims [1] : tensor<4x?xf32>
  %2 = fuse.matmul %y, %w : tensor<4x?xf32>, tensor<7x2xf32> -> tensor<4x2xf32>
  %3 = fuse.reduce sum %e dims [1] : tensor<4x0xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4x2xf32>, tensor<4xf32>
}
