// A long graph whose end nobody reads is searched in stretches, the last of
// which has nothing to store.

// RUN: fuse-opt %s --fuse-decompose --fuse-form-kernels=machine=h200 | FileCheck %s
// RUN: fuse-run %s --entry=first --target=cpu --verify | FileCheck %s --check-prefix=RIGHT
// RIGHT: verify: right

!t = tensor<64x64xf32>

// CHECK-LABEL: func.func @first
//       CHECK:   %[[KERNEL:.*]] = fuse.kernel @first_0
//   CHECK-NOT:   fuse.kernel
//       CHECK:   return %[[KERNEL]]
func.func @first(%x: !t) -> !t {
  %s0 = fuse.softmax %x dim 1 : !t
  %s1 = fuse.softmax %s0 dim 1 : !t
  %s2 = fuse.softmax %s1 dim 1 : !t
  %s3 = fuse.softmax %s2 dim 1 : !t
  %s4 = fuse.softmax %s3 dim 1 : !t
  %s5 = fuse.softmax %s4 dim 1 : !t
  %s6 = fuse.softmax %s5 dim 1 : !t
  %s7 = fuse.softmax %s6 dim 1 : !t
  %s8 = fuse.softmax %s7 dim 1 : !t
  %s9 = fuse.softmax %s8 dim 1 : !t
  %s10 = fuse.softmax %s9 dim 1 : !t
  %s11 = fuse.softmax %s10 dim 1 : !t
  %s12 = fuse.softmax %s11 dim 1 : !t
  %s13 = fuse.softmax %s12 dim 1 : !t
  %s14 = fuse.softmax %s13 dim 1 : !t
  %s15 = fuse.softmax %s14 dim 1 : !t
  %s16 = fuse.softmax %s15 dim 1 : !t
  %s17 = fuse.softmax %s16 dim 1 : !t
  %s18 = fuse.softmax %s17 dim 1 : !t
  %s19 = fuse.softmax %s18 dim 1 : !t
  return %s0 : !t
}

// CHECK-LABEL: func.func @nothing
//  CHECK-NEXT:   return
func.func @nothing(%x: !t) {
  %s0 = fuse.softmax %x dim 1 : !t
  %s1 = fuse.softmax %s0 dim 1 : !t
  %s2 = fuse.softmax %s1 dim 1 : !t
  %s3 = fuse.softmax %s2 dim 1 : !t
  %s4 = fuse.softmax %s3 dim 1 : !t
  %s5 = fuse.softmax %s4 dim 1 : !t
  %s6 = fuse.softmax %s5 dim 1 : !t
  %s7 = fuse.softmax %s6 dim 1 : !t
  %s8 = fuse.softmax %s7 dim 1 : !t
  %s9 = fuse.softmax %s8 dim 1 : !t
  %s10 = fuse.softmax %s9 dim 1 : !t
  %s11 = fuse.softmax %s10 dim 1 : !t
  %s12 = fuse.softmax %s11 dim 1 : !t
  %s13 = fuse.softmax %s12 dim 1 : !t
  %s14 = fuse.softmax %s13 dim 1 : !t
  %s15 = fuse.softmax %s14 dim 1 : !t
  %s16 = fuse.softmax %s15 dim 1 : !t
  %s17 = fuse.softmax %s16 dim 1 : !t
  %s18 = fuse.softmax %s17 dim 1 : !t
  %s19 = fuse.softmax %s18 dim 1 : !t
  return
}
