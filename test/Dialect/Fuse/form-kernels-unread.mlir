// One kernel stored a product for another. As one kernel they store what is read
// elsewhere, and nothing else.

// RUN: fuse-opt %s --fuse-form-kernels=machine=cpu | FileCheck %s
// RUN: fuse-run %s --entry=squares --target=cpu --verify | FileCheck %s --check-prefix=RIGHT
// RUN: fuse-run %s --entry=returned --target=cpu --verify | FileCheck %s --check-prefix=RIGHT
// RIGHT: verify: right
// RIGHT: verify: right

!f32 = tensor<512x128xf32>
!bf16 = tensor<512x128xbf16>

// CHECK-LABEL: func.func @squares
// CHECK: %[[KERNEL:.*]]:2 = fuse.kernel @squares_0
// CHECK:   fuse.matmul
// CHECK:   fuse.yield %{{.*}}, %{{.*}} : tensor<512x128xbf16>, tensor<512xf32>
// CHECK-NOT: fuse.kernel
// CHECK: return %[[KERNEL]]#0, %[[KERNEL]]#1
func.func @squares(%x: tensor<512x256xbf16>, %w: tensor<256x128xbf16>) -> (!bf16, tensor<512xf32>) {
  %y = fuse.matmul %x, %w : tensor<512x256xbf16>, tensor<256x128xbf16> -> !f32
  %t = arith.truncf %y : !f32 to !bf16
  %q = arith.mulf %y, %y : !f32
  %s = fuse.reduce sum %q dims [1] : !f32
  return %t, %s : !bf16, tensor<512xf32>
}

// What is a result is stored.
// CHECK-LABEL: func.func @returned
// CHECK:   fuse.matmul
// CHECK:   fuse.yield
// CHECK-SAME: tensor<512x128xf32>
func.func @returned(%x: tensor<512x256xbf16>, %w: tensor<256x128xbf16>) -> (!bf16, !f32, tensor<512xf32>) {
  %y = fuse.matmul %x, %w : tensor<512x256xbf16>, tensor<256x128xbf16> -> !f32
  %t = arith.truncf %y : !f32 to !bf16
  %q = arith.mulf %y, %y : !f32
  %s = fuse.reduce sum %q dims [1] : !f32
  return %t, %y, %s : !bf16, !f32, tensor<512xf32>
}
