// What cannot be lowered is said so.

// RUN: fuse-opt %s --convert-tile-to-nvvm --split-input-file --verify-diagnostics

// expected-error @+1 {{has no 'tile.warps', which placing it leaves}}
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() {
  tile.return
}

// -----

// expected-error @+1 {{orders dimension 2 of its grid, but that has 2}}
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.order = #tile.order<slowest = [0], down = [2]>} {
  tile.return
}

// -----

// expected-error @+1 {{cannot have its clusters: the grid has 2 dimensions, and not 1}}
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2>} {
  tile.return
}

// -----

// expected-error @+1 {{cannot have its clusters: the grid has 2 dimensions, and not 3}}
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 1, 1, 2>} {
  tile.return
}

// -----

// expected-error @+1 {{cannot have its clusters: dimension 0 of the grid is 11, no multiple of 2}}
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.grid = array<i64: 11, 12>, tile.cluster = array<i64: 2, 1>} {
  tile.return
}

// -----

// expected-error @+1 {{cannot have its clusters: nobody knows how many blocks there are}}
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1, tile.cluster = array<i64: 2>} {
  tile.return
}

// -----

// expected-error @+1 {{cannot have its clusters: the grid has 1 dimensions, but 2 extents}}
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2>} {
  tile.return
}

// -----

tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  tile.return
}

func.func @host() -> tensor<2xf32> {
  // expected-error @+1 {{is left, but what launches kernels must have been taken out before they become functions}}
  %0 = tile.launch @k blocks() () : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

#one = #tile.layout<cell = [4] reg = [[1], [2]]>
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.iota %c0 coefficients [1] : tensor<4xindex, #one>
  // expected-error @+1 {{takes a number out of a tile of rank 1, but needs one of rank 0}}
  %1 = tensor.extract %0[%c0] : tensor<4xindex, #one>
  tile.return
}

// -----

tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  // expected-error @+1 {{cannot be lowered for a GPU}}
  %0 = memref.alloc() : memref<4xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<?x?xf32>, %y: memref<2xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  // expected-error @+1 {{asks for a dimension that is known at run time only}}
  %0 = memref.dim %x, %i : memref<?x?xf32>
  tile.return
}

// -----

// In a loop, too.
tile.kernel @k(%x: memref<?x?xf32>, %y: memref<2xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %i step %c1 {
    // expected-error @+1 {{asks for a dimension that is known at run time only}}
    %0 = memref.dim %x, %k : memref<?x?xf32>
  }
  tile.return
}

// -----

#blocks = #tile.layout<cell = [2] cta = [[1]]>
#scalar = #tile.layout<cell = [] cta = [[]]>
tile.kernel @k(%x: memref<2xf32>, %y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{is laid out for 2 blocks, but those of its kernel hold tiles by 1}}
  %0 = tile.load %x[%c0] : memref<2xf32> -> tensor<2xf32, #blocks>
  %1 = tile.reduce sum %0 dims [0] : tensor<2xf32, #blocks> -> tensor<f32, #scalar>
  tile.return
}

// -----

#sum = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#left = #tile.layout<cell = [4, 2] reg = [[0, 1]] lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]]>
#right = #tile.layout<cell = [2, 8] reg = [[1, 0]] lane = [[0, 1], [0, 2], [0, 4], [0, 0], [0, 0]]>
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %a = arith.constant dense<1.0> : tensor<4x2xf32, #left>
  %b = arith.constant dense<1.0> : tensor<2x8xf32, #right>
  %c = arith.constant dense<1.0> : tensor<4x8xf32, #sum>
  // expected-error @+1 {{has no atom, which every placed dot needs}}
  %0 = tile.dot %a, %b, %c : tensor<4x2xf32, #left>, tensor<2x8xf32, #right> -> tensor<4x8xf32, #sum>
  tile.return
}

// -----

#sum = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#left = #tile.layout<cell = [4, 2] reg = [[0, 1]] lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]]>
#right = #tile.layout<cell = [2, 8] reg = [[1, 0]] lane = [[0, 1], [0, 2], [0, 4], [0, 0], [0, 0]]>
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %a = arith.constant dense<1.0> : tensor<4x2xf16, #left>
  %b = arith.constant dense<1.0> : tensor<2x8xf16, #right>
  %c = arith.constant dense<1.0> : tensor<4x8xf32, #sum>
  // expected-error @+1 {{has sizes that its atom does not divide}}
  %0 = tile.dot %a, %b, %c atom = mma : tensor<4x2xf16, #left>, tensor<2x8xf16, #right> -> tensor<4x8xf32, #sum>
  tile.return
}

// -----

#sum = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#everything = #tile.layout<cell = [4, 2] reg = [[0, 1], [1, 0], [2, 0]]>
#right = #tile.layout<cell = [2, 8] reg = [[1, 0]] lane = [[0, 1], [0, 2], [0, 4], [0, 0], [0, 0]]>
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %a = arith.constant dense<1.0> : tensor<4x2xf32, #everything>
  %b = arith.constant dense<1.0> : tensor<2x8xf32, #right>
  %c = arith.constant dense<1.0> : tensor<4x8xf32, #sum>
  // expected-error @+1 {{but its atom needs it laid out as cell=[4, 2] reg=}}
  %0 = tile.dot %a, %b, %c atom = outer : tensor<4x2xf32, #everything>, tensor<2x8xf32, #right> -> tensor<4x8xf32, #sum>
  tile.return
}

// -----

#left = #tile.layout<cell = [2, 4, 2] reg = [[0, 0, 1]] lane = [[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 0, 0]] repeat = [1, 3, 1]>
#right = #tile.layout<cell = [2, 4] reg = [[1, 0]] lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]]>
#sum = #tile.layout<cell = [2, 4, 4] lane = [[0, 0, 1], [0, 0, 2], [0, 1, 0], [0, 2, 0], [1, 0, 0]] repeat = [1, 3, 1]>
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %a = arith.constant dense<1.0> : tensor<2x12x2xf32, #left>
  %b = arith.constant dense<1.0> : tensor<2x4xf32, #right>
  %c = arith.constant dense<1.0> : tensor<2x12x4xf32, #sum>
  // expected-error @+1 {{has axes that cannot be merged}}
  %0 = tile.dot %a, %b, %c atom = outer : tensor<2x12x2xf32, #left>, tensor<2x4xf32, #right> -> tensor<2x12x4xf32, #sum>
  tile.return
}

// -----

#s = #tile.shared<cell = [2] offset = [[1]]>
tile.kernel @loaded_to_shared(%x: memref<2xf32>, %y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{is neither in a ring nor what 'tile.convert_layout' made of one in registers}}
  %0 = tile.load %x[%c0] : memref<2xf32> -> tensor<2xf32, #s>
  tile.return
}

// -----

tile.kernel @not_placed(%x: memref<2xf32>, %y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'tensor<2xf32>' has no layout}}
  %0 = tile.load %x[%c0] : memref<2xf32> -> tensor<2xf32>
  tile.return
}

// -----

#l = #tile.layout<cell = [4] reg = [[1]] warp = [[2]]>
tile.kernel @other_warps(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks() attributes {tile.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{is laid out for 2 warps, but its kernel has 1}}
  %0 = tile.load %x[%c0] : memref<4xf32> -> tensor<4xf32, #l>
  tile.return
}

// -----

#s = #tile.shared<cell = [2] offset = [[1]]>
#t = #tile.shared<cell = [2] offset = [[1]]>
#l = #tile.layout<cell = [2] reg = [[1]]>
tile.kernel @from_shared_to_shared(%x: memref<2xf32>, %y: memref<2xf32>) outputs 1 blocks() attributes {tile.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<2xf32> -> tensor<2xf32, #l>
  // expected-error@+1 {{is used otherwise than as a factor of a dot, or to be brought into registers}}
  %1 = tile.convert_layout %0 : tensor<2xf32, #l> -> tensor<2xf32, #s>
  %2 = tile.convert_layout %1 : tensor<2xf32, #s> -> tensor<2xf32, #t>
  tile.return
}

// -----

// expected-error @+1 {{cannot have its clusters: blocks that hold tiles together are one already}}
tile.kernel @k(%y: memref<2xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1, tile.grid = array<i64: 4>, tile.cluster = array<i64: 2>, tile.share = 2} {
  tile.return
}

// -----

#all = #tile.layout<cell = [64, 4] reg = [[0, 1], [0, 2], [32, 0]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#half = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
// expected-error @+1 {{cannot have its clusters: it collects from 2 blocks that are neighbours in the first dimension of the grid, which form no cluster}}
tile.kernel @k(%x: memref<64x4xf32>, %y: memref<32x4xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #all>
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x4xf32, #all>) -> (tensor<32x4xf32, #half>, tensor<32x4xf32, #half>)
  %s = arith.addf %a#0, %a#1 : tensor<32x4xf32, #half>
  tile.store %s, %y[%c0, %c0] : tensor<32x4xf32, #half>, memref<32x4xf32>
  tile.return
}

// -----

#all = #tile.layout<cell = [64, 4] reg = [[0, 1], [0, 2], [32, 0]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#half = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
// expected-error @+1 {{cannot have its clusters: it collects from 2 blocks that are neighbours in the first dimension of the grid, which form no cluster}}
tile.kernel @k(%x: memref<64x4xf32>, %y: memref<32x4xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 1, 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #all>
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x4xf32, #all>) -> (tensor<32x4xf32, #half>, tensor<32x4xf32, #half>)
  %s = arith.addf %a#0, %a#1 : tensor<32x4xf32, #half>
  tile.store %s, %y[%c0, %c0] : tensor<32x4xf32, #half>, memref<32x4xf32>
  tile.return
}

// -----

#all = #tile.layout<cell = [64, 4] reg = [[0, 1], [0, 2], [32, 0]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#half = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
// expected-error @+1 {{cannot have its clusters: it collects from 2 blocks that are neighbours in the first dimension of the grid, which form no cluster}}
tile.kernel @k(%x: memref<64x4xf32>, %y: memref<32x4xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #all>
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x4xf32, #all>) -> (tensor<32x4xf32, #half>, tensor<32x4xf32, #half>)
  %s = arith.addf %a#0, %a#1 : tensor<32x4xf32, #half>
  tile.store %s, %y[%c0, %c0] : tensor<32x4xf32, #half>, memref<32x4xf32>
  tile.return
}

// -----

#all = #tile.layout<cell = [64, 4] reg = [[0, 1], [0, 2], [32, 0]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#half = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
// expected-error @+1 {{cannot have its clusters: it collects from 2 blocks that are neighbours in the first dimension of the grid, which form no cluster}}
tile.kernel @k(%x: memref<64x4xf32>, %y: memref<32x4xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 4, 1>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #all>
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x4xf32, #all>) -> (tensor<32x4xf32, #half>, tensor<32x4xf32, #half>)
  %s = arith.addf %a#0, %a#1 : tensor<32x4xf32, #half>
  tile.store %s, %y[%c0, %c0] : tensor<32x4xf32, #half>, memref<32x4xf32>
  tile.return
}

// -----

// What a lane has of one share it does not have of the other.
#all = #tile.layout<cell = [64, 4] reg = [[16, 0], [0, 2], [32, 1]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1]]>
#half = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
tile.kernel @k(%x: memref<64x4xf32>, %y: memref<32x4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1, tile.grid = array<i64: 2>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #all>
  // expected-error @+1 {{has a source 0 whose shares no registers keep apart}}
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x4xf32, #all>) -> (tensor<32x4xf32, #half>, tensor<32x4xf32, #half>)
  tile.store %a#0, %y[%c0, %c0] : tensor<32x4xf32, #half>, memref<32x4xf32>
  tile.return
}
