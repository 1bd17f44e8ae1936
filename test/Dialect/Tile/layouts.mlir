// Layouts in the types of tiles are printed as they are read, in their one
// form: the largest cell, lanes always, other places and repeats where there
// are any.

// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: tile.kernel @places
tile.kernel @places(%x: memref<64x32xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // All four places.
  // CHECK: tensor<4x64xf32, #tile.layout<cell = [4, 64] reg = [{{\[}}0, 1]] lane = [{{\[}}0, 2], [0, 4], [0, 8], [0, 16], [0, 32]] warp = [{{\[}}1, 0]] cta = [{{\[}}2, 0]]>>
  %0 = arith.constant dense<1.0> : tensor<4x64xf32, #tile.layout<cell = [4, 64] reg = [[0, 1]] lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]] warp = [[1, 0]] cta = [[2, 0]]>>
  // Lanes that are left out hold copies.
  // CHECK: tensor<2xf32, #tile.layout<cell = [2] reg = [{{\[}}1]] lane = [{{\[}}0], [0], [0], [0], [0]]>>
  %1 = arith.constant dense<1.0> : tensor<2xf32, #tile.layout<cell = [2] reg = [[1]]>>
  // A scalar.
  // CHECK: tensor<f32, #tile.layout<cell = [] lane = [{{\[}}], [], [], [], []] warp = [{{\[}}]]>>
  %2 = arith.constant dense<1.0> : tensor<f32, #tile.layout<cell = [] warp = [[]]>>
  tile.return
}

// CHECK-LABEL: tile.kernel @repeats
tile.kernel @repeats(%y: memref<4xf32>) outputs 1 blocks() {
  // An odd repeat stays one.
  // CHECK: tensor<32x6xf32, #tile.layout<cell = [32, 2] reg = [{{\[}}0, 1]] lane = [{{\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]] repeat = [1, 3]>>
  %0 = arith.constant dense<1.0> : tensor<32x6xf32, #tile.layout<cell = [32, 2] reg = [[0, 1]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]] repeat = [1, 3]>>
  // Of an even one the powers of two are more registers of the cell.
  // CHECK: tensor<192xf32, #tile.layout<cell = [64] reg = [{{\[}}32]] lane = [{{\[}}1], [2], [4], [8], [16]] repeat = [3]>>
  %1 = arith.constant dense<1.0> : tensor<192xf32, #tile.layout<cell = [32] lane = [[1], [2], [4], [8], [16]] repeat = [6]>>
  tile.return
}

// CHECK-LABEL: tile.kernel @shared
tile.kernel @shared(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = arith.constant dense<1.0> : tensor<2x12xf32, #tile.layout<cell = [2, 4] reg = [[0, 1], [0, 2], [1, 0]] repeat = [1, 3]>>
  // CHECK: tile.convert_layout %{{.*}} -> tensor<2x12xf32, #tile.shared<cell = [2, 4] offset = [{{\[}}0, 1], [0, 2], [1, 1]] repeat = [1, 3]>>
  %1 = tile.convert_layout %0 : tensor<2x12xf32, #tile.layout<cell = [2, 4] reg = [[0, 1], [0, 2], [1, 0]] repeat = [1, 3]>> -> tensor<2x12xf32, #tile.shared<cell = [2, 4] offset = [[0, 1], [0, 2], [1, 1]] repeat = [1, 3]>>
  tile.return
}

// Which atom does a dot is written behind the precision.
// CHECK-LABEL: tile.kernel @atoms
tile.kernel @atoms(%y: memref<4xf32>) outputs 1 blocks() {
  %a = arith.constant dense<1.0> : tensor<16x8xf32>
  %b = arith.constant dense<1.0> : tensor<8x8xf32>
  %c = arith.constant dense<1.0> : tensor<16x8xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} atom = outer : tensor<16x8xf32>
  %0 = tile.dot %a, %b, %c atom = outer : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} precision = tf32 atom = mma : tensor<16x8xf32>
  %1 = tile.dot %a, %b, %c precision = tf32 atom = mma : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
  tile.return
}
