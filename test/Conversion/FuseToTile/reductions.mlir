// RUN: fuse-opt %s --split-input-file --convert-fuse-to-tile --canonicalize --cse | FileCheck %s

// One loop over k with one product that accumulates; what comes behind the
// product is computed behind the loop.
// CHECK-LABEL: tile.kernel @linear
//       CHECK:   %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = {{.*}}) -> (tensor<16x8xf32>) {
//       CHECK:     %[[X:.*]] = tile.load {{.*}} -> tensor<16x32xf32>
//       CHECK:     %[[W:.*]] = tile.load {{.*}} -> tensor<32x8xf32>
//       CHECK:     %[[NEXT:.*]] = tile.dot %[[X]], %[[W]], %[[ACC]]
//  CHECK-NEXT:     scf.yield %[[NEXT]]
//       CHECK:   %[[B:.*]] = tile.load {{.*}} -> tensor<8xf32>
//       CHECK:   %[[ROWS:.*]] = tile.broadcast %[[B]] dims [1]
//       CHECK:   arith.addf %[[SUM]], %[[ROWS]]
//       CHECK:   arith.maximumf
//       CHECK:   tile.store
func.func @f(%x: tensor<64x96xf32>, %w: tensor<96x24xf32>, %b: tensor<24xf32>) -> tensor<64x24xf32> {
  %y = fuse.kernel @linear(%xk = %x, %wk = %w, %bk = %b) schedule(#fuse.schedule<parallel = [16, 8], sequential = [r96_0 = 32]>) : (tensor<64x96xf32>, tensor<96x24xf32>, tensor<24xf32>) -> tensor<64x24xf32> {
    %zero = arith.constant dense<0.0> : tensor<64x24xf32>
    %p = fuse.matmul %xk, %wk : tensor<64x96xf32>, tensor<96x24xf32> -> tensor<64x24xf32>
    %r = fuse.broadcast %bk dims [1] : tensor<24xf32> -> tensor<64x24xf32>
    %s = arith.addf %p, %r : tensor<64x24xf32>
    %o = arith.maximumf %s, %zero : tensor<64x24xf32>
    fuse.yield %o : tensor<64x24xf32>
  }
  return %y : tensor<64x24xf32>
}

// -----

// Two products that share an operand share the loop and the operand's tile.
// CHECK-LABEL: tile.kernel @gate
//       CHECK:   scf.for {{.*}} -> (tensor<16x8xf32>, tensor<16x8xf32>) {
//       CHECK:     %[[X:.*]] = tile.load %{{.*}} -> tensor<16x32xf32>
//       CHECK:     %[[L:.*]] = tile.load
//       CHECK:     tile.dot %[[X]], %[[L]]
//       CHECK:     %[[R:.*]] = tile.load
//       CHECK:     tile.dot %[[X]], %[[R]]
//   CHECK-NOT:   scf.for
//       CHECK:   tile.store
func.func @f(%x: tensor<64x96xf32>, %w: tensor<96x48xf32>) -> tensor<64x24xf32> {
  %y = fuse.kernel @gate(%xk = %x, %wk = %w) schedule(#fuse.schedule<parallel = [16, 8], sequential = [r96_0 = 32]>) : (tensor<64x96xf32>, tensor<96x48xf32>) -> tensor<64x24xf32> {
    %p = fuse.matmul %xk, %wk : tensor<64x96xf32>, tensor<96x48xf32> -> tensor<64x48xf32>
    %l = fuse.slice %p[:, 0:24] : tensor<64x48xf32>
    %r = fuse.slice %p[:, 24:48] : tensor<64x48xf32>
    %o = arith.mulf %l, %r : tensor<64x24xf32>
    fuse.yield %o : tensor<64x24xf32>
  }
  return %y : tensor<64x24xf32>
}

// -----

// A product of a product is made inside of the loop that needs it.
// CHECK-LABEL: tile.kernel @chain
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       tile.dot
//       CHECK:     math.exp
//       CHECK:     tile.dot
func.func @f(%x: tensor<64x96xf32>, %w: tensor<96x48xf32>, %v: tensor<48x8xf32>) -> tensor<64x8xf32> {
  %y = fuse.kernel @chain(%xk = %x, %wk = %w, %vk = %v) schedule(#fuse.schedule<parallel = [16, 8], sequential = [r96_0 = 32, r48_0 = 16]>) : (tensor<64x96xf32>, tensor<96x48xf32>, tensor<48x8xf32>) -> tensor<64x8xf32> {
    %p = fuse.matmul %xk, %wk : tensor<64x96xf32>, tensor<96x48xf32> -> tensor<64x48xf32>
    %e = math.exp %p : tensor<64x48xf32>
    %o = fuse.matmul %e, %vk : tensor<64x48xf32>, tensor<48x8xf32> -> tensor<64x8xf32>
    fuse.yield %o : tensor<64x8xf32>
  }
  return %y : tensor<64x8xf32>
}

// -----

// What is behind a ragged end reads as 0, which is no neutral element of a
// maximum; of a sum it is.
// CHECK-LABEL: tile.kernel @ragged
//       CHECK:   scf.for
//       CHECK:     %[[X:.*]] = tile.load {{.*}} limits(%[[LEFT:.*]]) axes [1]
//   CHECK-DAG:     %[[M:.*]] = tile.mask %[[X]] limits(%[[LEFT]]) axes [1] : tensor<8x16xf32> else 0xFF800000
//   CHECK-DAG:     tile.reduce max %[[M]] dims [1]
//   CHECK-DAG:     tile.reduce sum %[[X]] dims [1]
func.func @f(%x: tensor<8x50xf32>) -> tensor<8xf32> {
  %y = fuse.kernel @ragged(%xk = %x) schedule(#fuse.schedule<parallel = [8], sequential = [r50_0 = 16]>) : (tensor<8x50xf32>) -> tensor<8xf32> {
    %m = fuse.reduce max %xk dims [1] : tensor<8x50xf32>
    %s = fuse.reduce sum %xk dims [1] : tensor<8x50xf32>
    %o = arith.addf %m, %s : tensor<8xf32>
    fuse.yield %o : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// Nothing is to be summed: the loop never runs.
// CHECK-LABEL: tile.kernel @empty
//       CHECK:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
//       CHECK:   tile.store %[[ZERO]]
func.func @f(%x: tensor<8x0xf32>) -> tensor<8xf32> {
  %y = fuse.kernel @empty(%xk = %x) : (tensor<8x0xf32>) -> tensor<8xf32> {
    %s = fuse.reduce sum %xk dims [1] : tensor<8x0xf32>
    fuse.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}
