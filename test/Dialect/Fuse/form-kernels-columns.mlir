// Tiles may have 192 columns where four warps multiply together, if they are of
// 16 bits, but not as many rows.

// RUN: fuse-opt %s --fuse-form-kernels=machine=h200 | FileCheck %s

// CHECK-LABEL: func.func @columns
//       CHECK:   parallel = [128, 192]
func.func @columns(%x: tensor<1024x768xf16>, %w: tensor<768x2304xf16>) -> tensor<1024x2304xf16> {
  %0 = fuse.matmul %x, %w : tensor<1024x768xf16>, tensor<768x2304xf16> -> tensor<1024x2304xf32>
  %1 = arith.truncf %0 : tensor<1024x2304xf32> to tensor<1024x2304xf16>
  return %1 : tensor<1024x2304xf16>
}

// CHECK-LABEL: func.func @rows
//   CHECK-NOT:   parallel = [192
//       CHECK:   return
func.func @rows(%x: tensor<2304x768xf16>, %w: tensor<768x1024xf16>) -> tensor<2304x1024xf16> {
  %0 = fuse.matmul %x, %w : tensor<2304x768xf16>, tensor<768x1024xf16> -> tensor<2304x1024xf32>
  %1 = arith.truncf %0 : tensor<2304x1024xf32> to tensor<2304x1024xf16>
  return %1 : tensor<2304x1024xf16>
}

// CHECK-LABEL: func.func @wide_numbers
//   CHECK-NOT:   192]
//       CHECK:   return
func.func @wide_numbers(%x: tensor<1024x768xf32>, %w: tensor<768x2304xf32>) -> tensor<1024x2304xf32> {
  %0 = fuse.matmul %x, %w precision tf32 : tensor<1024x768xf32>, tensor<768x2304xf32> -> tensor<1024x2304xf32>
  return %0 : tensor<1024x2304xf32>
}
