// Where there are no clusters parts are merged by a second launch.

// RUN: fuse-opt %s --convert-fuse-to-tile=has-clusters=false --verify-diagnostics | FileCheck %s

// CHECK-LABEL: tile.kernel @sum_0(
//   CHECK-NOT:   tile.cluster
// CHECK-LABEL: tile.kernel @sum_0_merge(
func.func @sum(%x: tensor<64x4096xf32>) -> tensor<64xf32> {
  // expected-remark @+1 {{merges in a launch of its own: there are no clusters}}
  %0 = fuse.kernel @sum_0(%a = %x) schedule(#fuse.schedule<parallel = [16], sequential = [r4096_0 = 128], owned = 0, split = 4, merge = cluster>) : (tensor<64x4096xf32>) -> tensor<64xf32> {
    %1 = fuse.reduce sum %a dims [1] : tensor<64x4096xf32>
    fuse.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}
