// RUN: fuse-opt %s --split-input-file --convert-fuse-to-tile --canonicalize --cse | FileCheck %s

// The sum follows the maximum while it moves: what has been summed is scaled by
// exp(old - new), and behind the loop once more, to the true maximum.
// CHECK-LABEL: tile.kernel @rescale
//       CHECK:   scf.for {{.*}} iter_args(%[[M:.*]] = {{.*}}, %[[L:.*]] = {{.*}}) -> (tensor<8xf32>, tensor<8xf32>) {
//       CHECK:     %[[BLOCK:.*]] = tile.reduce max
//       CHECK:     %[[NEW:.*]] = arith.maximumf %[[M]], %[[BLOCK]]
//       CHECK:     tile.reduce sum
//       CHECK:     %[[F:.*]] = math.exp
//       CHECK:     %[[MOVED:.*]] = arith.mulf %[[L]], %[[F]]
//       CHECK:     %[[NEXT:.*]] = arith.addf %[[MOVED]]
//       CHECK:     scf.yield %[[NEW]], %[[NEXT]]
//       CHECK:   }
//   CHECK-NOT:   scf.for
//       CHECK:   tile.store
func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %y = fuse.kernel @rescale(%xk = %x) schedule(#fuse.schedule<parallel = [8], sequential = [r64_0 = 16], cascades = [1 wrt 0 = rescale]>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %m = fuse.reduce max %xk dims [1] : tensor<8x64xf32>
    %b = fuse.broadcast %m dims [0] : tensor<8xf32> -> tensor<8x64xf32>
    %c = arith.subf %xk, %b : tensor<8x64xf32>
    %e = math.exp %c : tensor<8x64xf32>
    %l = fuse.reduce sum %e dims [1] : tensor<8x64xf32>
    fuse.yield %l : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// The same in two loops, because the schedule says so.
// CHECK-LABEL: tile.kernel @sequential
//       CHECK:   scf.for {{.*}} -> (tensor<8xf32>) {
//       CHECK:     tile.reduce max
//       CHECK:   scf.for {{.*}} -> (tensor<8xf32>) {
//       CHECK:     math.exp
//       CHECK:     tile.reduce sum
func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %y = fuse.kernel @sequential(%xk = %x) schedule(#fuse.schedule<parallel = [8], sequential = [r64_0 = 16], cascades = [1 wrt 0 = sequential]>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %m = fuse.reduce max %xk dims [1] : tensor<8x64xf32>
    %b = fuse.broadcast %m dims [0] : tensor<8xf32> -> tensor<8x64xf32>
    %c = arith.subf %xk, %b : tensor<8x64xf32>
    %e = math.exp %c : tensor<8x64xf32>
    %l = fuse.reduce sum %e dims [1] : tensor<8x64xf32>
    fuse.yield %l : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// A factor waits until behind the loop: x reaches the product as it is.
// CHECK-LABEL: tile.kernel @defer
//       CHECK:   scf.for
//       CHECK:     %[[X:.*]] = tile.load
//   CHECK-DAG:     tile.reduce sum
//   CHECK-DAG:     tile.dot %[[X]]
//       CHECK:     scf.yield
//   CHECK-NOT:   scf.for
//       CHECK:   math.rsqrt
//       CHECK:   arith.mulf
//       CHECK:   tile.store
func.func @f(%x: tensor<8x64xf32>, %w: tensor<64x8xf32>) -> tensor<8x8xf32> {
  %y = fuse.kernel @defer(%xk = %x, %wk = %w) schedule(#fuse.schedule<parallel = [8, 8], sequential = [r64_0 = 16], cascades = [1 wrt 0 = defer]>) : (tensor<8x64xf32>, tensor<64x8xf32>) -> tensor<8x8xf32> {
    %q = arith.mulf %xk, %xk : tensor<8x64xf32>
    %s = fuse.reduce sum %q dims [1] : tensor<8x64xf32>
    %r = math.rsqrt %s : tensor<8xf32>
    %b = fuse.broadcast %r dims [0] : tensor<8xf32> -> tensor<8x64xf32>
    %n = arith.mulf %xk, %b : tensor<8x64xf32>
    %p = fuse.matmul %n, %wk : tensor<8x64xf32>, tensor<64x8xf32> -> tensor<8x8xf32>
    fuse.yield %p : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// -----

// Keys behind the last query of the block are not visited at all.
// CHECK-LABEL: tile.kernel @causal
//  CHECK-SAME:   blocks(%[[I:.*]])
//   CHECK-DAG:   %[[C8:.*]] = arith.constant 8 : index
//       CHECK:   %[[ROW:.*]] = arith.muli %[[I]], %[[C8]]
//       CHECK:   %[[END:.*]] = arith.addi %[[ROW]], %[[C8]]
//       CHECK:   %[[STOP:.*]] = arith.minsi %[[END]]
//       CHECK:   scf.for %{{.*}} = %{{.*}} to %[[STOP]]
func.func @f(%x: tensor<64x64xf32>) -> tensor<64xf32> {
  %y = fuse.kernel @causal(%xk = %x) schedule(#fuse.schedule<parallel = [8], sequential = [r64_0 = 16]>) : (tensor<64x64xf32>) -> tensor<64xf32> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %i = fuse.iota dim 0 : tensor<64x64xi32>
    %j = fuse.iota dim 1 : tensor<64x64xi32>
    %keep = arith.cmpi sle, %j, %i : tensor<64x64xi32>
    %m = arith.select %keep, %xk, %zero : tensor<64x64xi1>, tensor<64x64xf32>
    %s = fuse.reduce sum %m dims [1] : tensor<64x64xf32>
    fuse.yield %s : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}

// -----

// Four blocks share the sum, and a second launch merges what they have found,
// always in the same order.
// CHECK-LABEL: tile.kernel @split(
//  CHECK-SAME:   blocks(%{{.*}}, %{{.*}})
//       CHECK:   scf.for
//       CHECK:   tile.store {{.*}} memref<4x8xf32>
// CHECK-LABEL: tile.kernel @split_merge(
//   CHECK-NOT:   scf.for
//       CHECK:   tile.load {{.*}}[%c0, {{.*}} memref<4x8xf32> -> tensor<8xf32>
//       CHECK:   %[[ONE:.*]] = arith.addf
//       CHECK:   tile.load {{.*}}[%c1, {{.*}} memref<4x8xf32> -> tensor<8xf32>
//       CHECK:   %[[TWO:.*]] = arith.addf %[[ONE]]
//       CHECK:   tile.load {{.*}}[%c2, {{.*}} memref<4x8xf32> -> tensor<8xf32>
//       CHECK:   %[[THREE:.*]] = arith.addf %[[TWO]]
//       CHECK:   tile.load {{.*}}[%c3, {{.*}} memref<4x8xf32> -> tensor<8xf32>
//       CHECK:   %[[FOUR:.*]] = arith.addf %[[THREE]]
//       CHECK:   tile.store %[[FOUR]]
// CHECK-LABEL: func.func @f
//       CHECK:   %[[PARTS:.*]] = tile.launch @split blocks(%c4, %c1)
//       CHECK:   tile.launch @split_merge blocks(%c1) (%[[PARTS]])
func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %y = fuse.kernel @split(%xk = %x) schedule(#fuse.schedule<parallel = [8], sequential = [r64_0 = 16], split = 4>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %s = fuse.reduce sum %xk dims [1] : tensor<8x64xf32>
    fuse.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// Merging looks for the maximum of all chunks first. Then each chunk's sum is
// moved to it, by one exponential, and none waits for the one before.
// CHECK-LABEL: tile.kernel @split_rescale(
// CHECK-LABEL: tile.kernel @split_rescale_merge(
//  CHECK-SAME:   %[[M:[a-z0-9_]*]]: memref<2x8xf32>, %[[L:[a-z0-9_]*]]: memref<2x8xf32>
//   CHECK-NOT:   {{scf.for|math.exp .*tensor}}
//       CHECK:   tile.load %[[M]][%c0
//       CHECK:   %[[M1:.*]] = tile.load %[[M]][%c1
//       CHECK:   arith.maximumf {{.*}}%[[M1]]
//       CHECK:   tile.load %[[L]][%c0
//       CHECK:   math.exp
//       CHECK:   arith.mulf
//       CHECK:   tile.load %[[L]][%c1
//       CHECK:   math.exp
//       CHECK:   arith.mulf
//       CHECK:   arith.addf
// From where the path ended to the maximum, as behind any loop.
//       CHECK:   math.exp
//       CHECK:   arith.mulf
//   CHECK-NOT:   math.exp
//       CHECK:   tile.store
func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %y = fuse.kernel @split_rescale(%xk = %x) schedule(#fuse.schedule<parallel = [8], sequential = [r64_0 = 16], cascades = [1 wrt 0 = rescale], split = 2>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %m = fuse.reduce max %xk dims [1] : tensor<8x64xf32>
    %b = fuse.broadcast %m dims [0] : tensor<8xf32> -> tensor<8x64xf32>
    %c = arith.subf %xk, %b : tensor<8x64xf32>
    %e = math.exp %c : tensor<8x64xf32>
    %l = fuse.reduce sum %e dims [1] : tensor<8x64xf32>
    fuse.yield %l : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// Of many chunks, some are asked for at a time. Blocks that merge are small, and
// smaller where there are more chunks.
// CHECK-LABEL: tile.kernel @split_product(
//       CHECK:   tile.store {{.*}} tensor<64x64xf32>, memref<36x64x64xf32>
// CHECK-LABEL: tile.kernel @split_product_merge(
//   CHECK-NOT:   scf.for
// CHECK-COUNT-36: tile.load {{.*}} memref<36x64x64xf32> -> tensor<64xf32>
//   CHECK-NOT:   tile.load
//       CHECK:   tile.store {{.*}} tensor<64xf32>, memref<64x64xf32>
// CHECK-LABEL: func.func @f
//       CHECK:   tile.launch @split_product blocks(%c36, %c1{{.*}}, %c1{{.*}})
//       CHECK:   tile.launch @split_product_merge blocks(%c64, %c1{{.*}})
func.func @f(%x: tensor<64x720xf32>, %w: tensor<720x64xf32>) -> tensor<64x64xf32> {
  %y = fuse.kernel @split_product(%xk = %x, %wk = %w) schedule(#fuse.schedule<parallel = [64, 64], sequential = [r720_0 = 20], split = 36>) : (tensor<64x720xf32>, tensor<720x64xf32>) -> tensor<64x64xf32> {
    %p = fuse.matmul %xk, %wk : tensor<64x720xf32>, tensor<720x64xf32> -> tensor<64x64xf32>
    fuse.yield %p : tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
