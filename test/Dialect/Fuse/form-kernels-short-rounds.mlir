// RUN: fuse-opt %s --fuse-form-kernels=machine=h200 | FileCheck %s

// One block that takes 64 numbers at a time waits for memory 786 times.
// CHECK-LABEL: func @sum
//       CHECK:   schedule(#fuse.schedule<parallel = [1], sequential = [r50257_0 = {{[1-9][0-9][0-9][0-9]}}], {{.*}}split = {{[0-9]+}}>)
func.func @sum(%x: tensor<1x50257xf32>) -> tensor<1xf32> {
  %y = fuse.reduce sum %x dims [1] : tensor<1x50257xf32>
  return %y : tensor<1xf32>
}
