// RUN: fuse-opt %s --convert-fuse-to-tile | FileCheck %s

// The number of warps is for those who compute; who merges what they have
// summed has little to do.

func.func @sum(%x: tensor<64x4096xf32>) -> tensor<64xf32> {
  %0 = fuse.kernel @sum_0(%a = %x) schedule(#fuse.schedule<parallel = [16], sequential = [r4096_0 = 128], owned = 0, split = 4, warps = 8>) : (tensor<64x4096xf32>) -> tensor<64xf32> {
    %1 = fuse.reduce sum %a dims [1] : tensor<64x4096xf32>
    fuse.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: tile.kernel @sum_0(
// CHECK-SAME: tile.warps = 8
// CHECK-LABEL: tile.kernel @sum_0_merge(
// CHECK-NOT: tile.warps
