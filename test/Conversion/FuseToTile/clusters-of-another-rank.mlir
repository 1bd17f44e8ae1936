// A schedule's clusters have the dimensions of its grid. Chunks of a reduction
// are before them, and who merges chunks has none.

// RUN: split-file %s %t
// RUN: not fuse-opt %t/rank.mlir --convert-fuse-to-tile 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: fuse-opt %t/split.mlir --convert-fuse-to-tile | FileCheck %s --check-prefix=SPLIT

// RANK: rank.mlir:2:{{[0-9]+}}: error: 'fuse.kernel' op has a schedule that gives clusters 1 dimensions, but its grid has 2

//     SPLIT: tile.kernel @k(
// SPLIT-SAME: tile.cluster = array<i64: 1, 2, 1>
//     SPLIT: tile.kernel @k_merge(
// SPLIT-NOT: tile.cluster =

//--- rank.mlir
func.func @f(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = fuse.kernel @k(%a = %x, %b = %w) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r64_0 = 16], cluster = [2]>) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
    %p = fuse.matmul %a, %b : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    fuse.yield %p : tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}

//--- split.mlir
func.func @f(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = fuse.kernel @k(%a = %x, %b = %w) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r64_0 = 16], split = 2, cluster = [2, 1]>) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
    %p = fuse.matmul %a, %b : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    fuse.yield %p : tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
