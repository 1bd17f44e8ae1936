// Chunks of a reduction over two dimensions, of which the first has no elements:
// there is no round, although a window is as long as one element. A block read
// what is not there, and a minimum was 0.

// RUN: fuse-run %s --verify=exact --target=simulate --chip=sm_90a --schedule="@graph_0:parallel = [1], sequential = [r0_0 = 1, r1_0 = 1], owned = 0, split = 2" | FileCheck %s
// RUN: fuse-run %s --verify=exact --target=cpu --schedule="@graph_0:parallel = [1], sequential = [r0_0 = 1, r1_0 = 1], owned = 0, split = 2" | FileCheck %s
// CHECK: split = 2
// CHECK: verify: right

func.func @graph(%x: tensor<0x1x1xf32>) -> tensor<1xf32> {
  %0 = fuse.reduce min %x dims [0, 2] : tensor<0x1x1xf32>
  return %0 : tensor<1xf32>
}
