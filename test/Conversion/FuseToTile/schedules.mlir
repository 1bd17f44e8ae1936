// What a schedule asks of placing and staging reaches the kernel as attributes,
// and what it does not mention stays open.

// RUN: fuse-opt %s --convert-fuse-to-tile | FileCheck %s
// RUN: fuse-opt %s --convert-fuse-to-tile --fuse-tiles-to-placed=chip=sm_90a --fuse-placed-to-staged=chip=sm_90a | FileCheck %s --check-prefix=STAGED

// CHECK-LABEL: tile.kernel @all
//  CHECK-SAME:   tile.order = #tile.order<slowest = [1, 0], down = [1]>, tile.residents = 2 : i64, tile.roles = 1 : i64, tile.stages = 2 : i64, tile.warps = 4 : i64
// CHECK-LABEL: tile.kernel @some
//  CHECK-SAME:   tile.stages = 4 : i64}
// CHECK-LABEL: tile.kernel @none
//   CHECK-NOT:   tile.{{order|warps|stages|roles|residents}} =
//
// Two slots and no role of its own; then one slot more than would be taken, and
// roles, since nobody asked for something else.
// STAGED-LABEL: tile.kernel @all
//  STAGED-SAME:   tile.warps = 4 : i64
//       STAGED:   tile.ring feed = cp_async : <2 x
//   STAGED-NOT:   tile.roles {
// STAGED-LABEL: tile.kernel @some
//       STAGED:   tile.ring feed = tma : <4 x
//       STAGED:   tile.roles {
func.func @f(%x: tensor<256x256xf16>, %w: tensor<256x256xf16>) -> (tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>) {
  %0 = fuse.kernel @all(%a = %x, %b = %w) schedule(#fuse.schedule<parallel = [128, 128], sequential = [r256_0 = 64], warps = 4, stages = 2, roles = 1, residents = 2, order = [1 down, 0]>) : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf32> {
    %p = fuse.matmul %a, %b : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf32>
    fuse.yield %p : tensor<256x256xf32>
  }
  %1 = fuse.kernel @some(%a = %x, %b = %w) schedule(#fuse.schedule<parallel = [128, 128], sequential = [r256_0 = 64], stages = 4>) : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf32> {
    %p = fuse.matmul %a, %b : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf32>
    fuse.yield %p : tensor<256x256xf32>
  }
  %2 = fuse.kernel @none(%a = %x, %b = %w) schedule(#fuse.schedule<parallel = [128, 128], sequential = [r256_0 = 64]>) : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf32> {
    %p = fuse.matmul %a, %b : tensor<256x256xf16>, tensor<256x256xf16> -> tensor<256x256xf32>
    fuse.yield %p : tensor<256x256xf32>
  }
  return %0, %1, %2 : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>
}
