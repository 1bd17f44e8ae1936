// Blocks that have the chunks of a split loop merge them, each a share.

// RUN: fuse-opt %s --convert-fuse-to-tile --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

// Nothing goes through memory: the parts are no arguments.
// CHECK-LABEL: tile.kernel @sum_0(
//  CHECK-SAME:   %{{.*}}: memref<64x4096xf32>, %[[Y:.*]]: memref<64xf32>) outputs 1 blocks(%[[CHUNK:.*]], %[[ROW:.*]]) attributes
//  CHECK-SAME:   tile.blocks = 16 : i64, tile.cluster = array<i64: 4, 1>, tile.grid = array<i64: 4, 4>, tile.warps = 8
//   CHECK-DAG:   %[[C16:.*]] = arith.constant 16 : index
//   CHECK-DAG:   %[[C4:.*]] = arith.constant 4 : index
//       CHECK:   %[[FIRST:.*]] = arith.muli %[[ROW]], %[[C16]]
//       CHECK:   %[[SUM:.*]] = scf.for
//       CHECK:   %[[ALL:.*]]:4 = tile.collect %[[SUM]] axes [0] blocks 4 : (tensor<16xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
//       CHECK:   %[[SHARE:.*]] = arith.muli %[[CHUNK]], %[[C4]]
//       CHECK:   %[[AT:.*]] = arith.addi %[[FIRST]], %[[SHARE]]
//       CHECK:   %[[A:.*]] = arith.addf %[[ALL]]#0, %{{.*}} : tensor<4xf32>
//       CHECK:   %[[B:.*]] = arith.addf %[[A]], %[[ALL]]#1
//       CHECK:   %[[C:.*]] = arith.addf %[[B]], %[[ALL]]#2
//       CHECK:   %[[D:.*]] = arith.addf %[[C]], %[[ALL]]#3
//       CHECK:   tile.store %[[D]], %[[Y]][%[[AT]]] : tensor<4xf32>, memref<64xf32>
//   CHECK-NOT:   tile.kernel
//       CHECK: func.func @sum
//       CHECK:   tile.launch @sum_0
//   CHECK-NOT:   tile.launch
func.func @sum(%x: tensor<64x4096xf32>) -> tensor<64xf32> {
  %0 = fuse.kernel @sum_0(%a = %x) schedule(#fuse.schedule<parallel = [16], sequential = [r4096_0 = 128], owned = 0, split = 4, merge = cluster, warps = 8>) : (tensor<64x4096xf32>) -> tensor<64xf32> {
    %1 = fuse.reduce sum %a dims [1] : tensor<64x4096xf32>
    fuse.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// Of a statistic and what is corrected by it each block has a share of the same
// rows. The last rows of the last window are none.
// CHECK-LABEL: tile.kernel @means_0(
//   CHECK-DAG:   %[[C50:.*]] = arith.constant 50 : index
//       CHECK:   %[[ALL:.*]]:6 = tile.collect %{{.*}}#0, %{{.*}}#1, %{{.*}}#2 axes [0, 0, 0] blocks 2 :
//       CHECK:   arith.maximumf %[[ALL]]#0, %[[ALL]]#1
//       CHECK:   %[[LEFT:.*]] = arith.subi %[[C50]], %{{.*}}
//       CHECK:   tile.store %{{.*}} limits(%[[LEFT]]) axes [0] : tensor<16x8xf32>, memref<50x8xf32>
func.func @means(%x: tensor<50x256xf32>, %v: tensor<256x8xf32>) -> tensor<50x8xf32> {
  %0 = fuse.kernel @means_0(%a = %x, %b = %v) schedule(#fuse.schedule<parallel = [32, 8], sequential = [r256_0 = 64], owned = 0, cascades = [1 wrt 0 = rescale, 2 wrt 0 = rescale, 2 wrt 1 = defer], split = 2, merge = cluster>) : (tensor<50x256xf32>, tensor<256x8xf32>) -> tensor<50x8xf32> {
    %most = fuse.reduce max %a dims [1] : tensor<50x256xf32>
    %mosts = fuse.broadcast %most dims [0] : tensor<50xf32> -> tensor<50x256xf32>
    %less = arith.subf %a, %mosts : tensor<50x256xf32>
    %powers = math.exp %less : tensor<50x256xf32>
    %sum = fuse.reduce sum %powers dims [1] : tensor<50x256xf32>
    %sums = fuse.broadcast %sum dims [0] : tensor<50xf32> -> tensor<50x256xf32>
    %shares = arith.divf %powers, %sums : tensor<50x256xf32>
    %1 = fuse.matmul %shares, %b : tensor<50x256xf32>, tensor<256x8xf32> -> tensor<50x8xf32>
    fuse.yield %1 : tensor<50x8xf32>
  }
  return %0 : tensor<50x8xf32>
}

// -----

// Of rows that are padded one block would have all, so columns are shared.
// CHECK-LABEL: tile.kernel @row_0(
//       CHECK:   tile.collect %{{.*}} axes [1] blocks 8 : (tensor<8x64xf32>) -> (tensor<8x8xf32>,
func.func @row(%x: tensor<1x512xf32>, %w: tensor<512x128xf32>) -> tensor<1x128xf32> {
  %0 = fuse.kernel @row_0(%a = %x, %b = %w) schedule(#fuse.schedule<parallel = [8, 64], sequential = [r512_0 = 64], owned = 0, split = 8, merge = cluster>) : (tensor<1x512xf32>, tensor<512x128xf32>) -> tensor<1x128xf32> {
    %1 = fuse.matmul %a, %b : tensor<1x512xf32>, tensor<512x128xf32> -> tensor<1x128xf32>
    fuse.yield %1 : tensor<1x128xf32>
  }
  return %0 : tensor<1x128xf32>
}

// -----

// CHECK-LABEL: tile.kernel @few_0(
//   CHECK-NOT:   tile.collect
// CHECK-LABEL: tile.kernel @few_0_merge(
func.func @few(%x: tensor<64x4096xf32>) -> tensor<64xf32> {
  // expected-remark @+1 {{merges in a launch of its own: no window of its grid, whose size is known, has enough for each block}}
  %0 = fuse.kernel @few_0(%a = %x) schedule(#fuse.schedule<parallel = [8], sequential = [r4096_0 = 128], owned = 0, split = 8, merge = cluster>) : (tensor<64x4096xf32>) -> tensor<64xf32> {
    %1 = fuse.reduce sum %a dims [1] : tensor<64x4096xf32>
    fuse.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// Nobody knows how many clusters there are.
// CHECK-LABEL: tile.kernel @open_0(
//   CHECK-NOT:   tile.collect
// CHECK-LABEL: tile.kernel @open_0_merge(
func.func @open(%x: tensor<?x4096xf32>) -> tensor<?xf32> {
  // expected-remark @+1 {{merges in a launch of its own: no window of its grid, whose size is known, has enough for each block}}
  %0 = fuse.kernel @open_0(%a = %x) schedule(#fuse.schedule<parallel = [16], sequential = [r4096_0 = 128], owned = 0, split = 4, merge = cluster>) : (tensor<?x4096xf32>) -> tensor<?xf32> {
    %1 = fuse.reduce sum %a dims [1] : tensor<?x4096xf32>
    fuse.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: tile.kernel @whole_0(
//   CHECK-NOT:   tile.collect
//   CHECK-NOT: tile.kernel
func.func @whole(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-remark @+1 {{merges in a launch of its own: no loop of it is split}}
  %0 = fuse.kernel @whole_0(%a = %x) schedule(#fuse.schedule<parallel = [16, 16], split = 4, merge = cluster>) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
    %1 = math.exp %a : tensor<64x64xf32>
    fuse.yield %1 : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}
