// What a kernel may look like, and that it is read back as it was printed.

// RUN: fuse-opt %s --verify-roundtrip | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt --fuse-check-stage="stage=graph" | FileCheck %s

// The body has names of its own, which may be those of what is around it.
// CHECK-LABEL: func.func @two_results(
//  CHECK-SAME:     %[[X:.*]]: tensor<8x16xf32>, %[[G:.*]]: tensor<16xf32>)
//       CHECK:   %[[Y:.*]]:2 = fuse.kernel @norm(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[G]])
//  CHECK-SAME:     schedule(#fuse.schedule<parallel = [8, 16]>)
//  CHECK-SAME:     : (tensor<8x16xf32>, tensor<16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
//       CHECK:     fuse.broadcast %[[B]]
//       CHECK:     fuse.yield %{{.*}}, %{{.*}} : tensor<8x16xf32>, tensor<8xf32>
//       CHECK:   return %[[Y]]#0, %[[Y]]#1
func.func @two_results(%x: tensor<8x16xf32>, %g: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
  %y:2 = fuse.kernel @norm(%x = %x, %g = %g) schedule(#fuse.schedule<parallel = [8, 16]>)
      : (tensor<8x16xf32>, tensor<16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
    %v = fuse.broadcast %g dims [1] : tensor<16xf32> -> tensor<8x16xf32>
    %p = arith.mulf %x, %v : tensor<8x16xf32>
    %s = fuse.reduce sum %p dims [1] : tensor<8x16xf32>
    fuse.yield %p, %s : tensor<8x16xf32>, tensor<8xf32>
  }
  return %y#0, %y#1 : tensor<8x16xf32>, tensor<8xf32>
}

// Sizes are operands, and may be computed with.
// CHECK-LABEL: func.func @sizes(
//       CHECK:   fuse.kernel @rows({{.*}}) : (tensor<?xf32>, index) -> tensor<?x?xf32> {
//       CHECK:     arith.muli {{.*}} : index
func.func @sizes(%x: tensor<?xf32>, %n: index) -> tensor<?x?xf32> {
  %y = fuse.kernel @rows(%a = %x, %m = %n) : (tensor<?xf32>, index) -> tensor<?x?xf32> {
    %c2 = arith.constant 2 : index
    %twice = arith.muli %m, %c2 : index
    %r = fuse.broadcast %a dims [1] sizes [%twice] : tensor<?xf32> -> tensor<?x?xf32>
    fuse.yield %r : tensor<?x?xf32>
  }
  return %y : tensor<?x?xf32>
}

// Nothing need be read. Other attributes are kept.
// CHECK-LABEL: func.func @count(
//       CHECK:   fuse.kernel @count() attributes {note = 1 : i64} : () -> tensor<4xi32> {
func.func @count() -> tensor<4xi32> {
  %y = fuse.kernel @count() attributes {note = 1} : () -> tensor<4xi32> {
    %i = fuse.iota dim 0 : tensor<4xi32>
    fuse.yield %i : tensor<4xi32>
  }
  return %y : tensor<4xi32>
}

// Two functions may have kernels of one name.
// CHECK-LABEL: func.func @same_name(
//       CHECK:   fuse.kernel @count(
func.func @same_name() -> tensor<4xi32> {
  %y = fuse.kernel @count() : () -> tensor<4xi32> {
    %i = fuse.iota dim 0 : tensor<4xi32>
    fuse.yield %i : tensor<4xi32>
  }
  return %y : tensor<4xi32>
}
