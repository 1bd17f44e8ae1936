// What a choice among many chooses from is read a few at a time, so that no more
// tiles are held. A few are read first.

// RUN: fuse-opt %s --fuse-to-tiles="machine=h200 shared-bytes=232448" | FileCheck %s

//   CHECK-LABEL: tile.kernel @many_0
// CHECK-COUNT-2:   tile.load
// CHECK-COUNT-1:   arith.select
// CHECK-COUNT-4:   tile.load
// CHECK-COUNT-4:   arith.select
// CHECK-COUNT-4:   tile.load
// CHECK-COUNT-4:   arith.select
func.func @many(%x0: tensor<64x16xf32>, %x1: tensor<64x16xf32>, %x2: tensor<64x16xf32>, %x3: tensor<64x16xf32>, %x4: tensor<64x16xf32>, %x5: tensor<64x16xf32>, %x6: tensor<64x16xf32>, %x7: tensor<64x16xf32>, %x8: tensor<64x16xf32>, %x9: tensor<64x16xf32>) -> tensor<64x160xf32> {
  %y = fuse.concat %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9 dim 1 : tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>
  return %y : tensor<64x160xf32>
}

// CHECK-LABEL: tile.kernel @few_0
// CHECK-COUNT-3:   tile.load
// CHECK-COUNT-2:   arith.select
func.func @few(%x0: tensor<64x16xf32>, %x1: tensor<64x16xf32>, %x2: tensor<64x16xf32>) -> tensor<64x48xf32> {
  %y = fuse.concat %x0, %x1, %x2 dim 1 : tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>
  return %y : tensor<64x48xf32>
}
