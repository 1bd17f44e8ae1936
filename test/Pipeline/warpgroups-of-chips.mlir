// Kernels are planned for products of four warps only where every chip has
// them, which the size of its shared memory does not tell.

// DEFINE: %{run} = env FUSE_PTXAS=none fuse-run %s --image=%t.fuse --variants=aligned
// RUN: %{run} --chip=sm_90a | FileCheck %s --check-prefix=GROUPS
// RUN: %{run} --chip=sm_90 | FileCheck %s --check-prefix=WARPS
// RUN: %{run} --chip=sm_100 | FileCheck %s --check-prefix=WARPS
// RUN: %{run} --chip=sm_90a,sm_100 | FileCheck %s --check-prefix=WARPS
// GROUPS: #fuse.schedule<parallel = [128, 192], {{.*}}crews = 2>
//  WARPS: #fuse.schedule<parallel = [128, 128],
//  WARPS-NOT: crews

// RUN: fuse-opt %s --fuse-to-tiles="machine=h200" | FileCheck %s --check-prefix=TILE-OF-GROUPS
// RUN: fuse-opt %s --fuse-to-tiles="machine=h200 shared-bytes=232448 warpgroups=false" | FileCheck %s --check-prefix=TILE-OF-WARPS
// TILE-OF-GROUPS: tile.dot {{.*}} -> tensor<128x192xf32>
//  TILE-OF-WARPS: tile.dot {{.*}} -> tensor<128x128xf32>

func.func @linear_relu(%x: tensor<8192x8192xbf16>, %w: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %p = fuse.matmul %x, %w : tensor<8192x8192xbf16>, tensor<8192x8192xbf16> -> tensor<8192x8192xf32>
  %r = fuse.relu %p : tensor<8192x8192xf32>
  %y = arith.truncf %r : tensor<8192x8192xf32> to tensor<8192x8192xbf16>
  return %y : tensor<8192x8192xbf16>
}
