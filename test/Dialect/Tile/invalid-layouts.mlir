// One case for every message about layouts.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected 'cell'}}
#text = #tile.layout<reg = [[1]]>

// -----

// Places come in one order.
// expected-error @+1 {{expected '>'}}
#order = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]] reg = [[1]]>

// -----

// expected-error @+1 {{expected integer value}}
#number = #tile.layout<cell = [4] reg = [[x]]>

// -----

// expected-error @+1 {{the cell's extent along axis 1 is 6, expected a power of two}}
#cell = #tile.layout<cell = [4, 6] reg = [[0, 1]]>

// -----

// expected-error @+1 {{repeat has 2 axes, but the cell has 1}}
#rank = #tile.layout<cell = [2] reg = [[1]] repeat = [1, 3]>

// -----

// expected-error @+1 {{the repeat along axis 0 is 0, expected a positive number}}
#repeat = #tile.layout<cell = [2] reg = [[1]] repeat = [0]>

// -----

// expected-error @+1 {{reg basis 0 has 2 coordinates, but the cell has 1 axes}}
#basis = #tile.layout<cell = [2] reg = [[1, 0]]>

// -----

// expected-error @+1 {{warp basis 0 moves by 4 along axis 0, out of the cell's 4 positions}}
#outside = #tile.layout<cell = [4] reg = [[1], [2]] warp = [[4]]>

// -----

// expected-error @+1 {{lane has 2 bases, expected 5}}
#lanes = #tile.layout<cell = [4] lane = [[1], [2]]>

// -----

// expected-error @+1 {{no thread holds the element at [2]}}
#nobody = #tile.layout<cell = [4] reg = [[1]]>

// -----

// expected-error @+1 {{a tile has at most 4294967296 elements}}
#large = #tile.layout<cell = [65536, 131072]>

// -----

// expected-error @+1 {{offset basis 2 adds no position: two offsets would hold the same element}}
#twice = #tile.shared<cell = [2, 2] offset = [[0, 1], [1, 0], [1, 1]]>

// -----

// expected-error @+1 {{no offset holds the element at [0, 1]}}
#nowhere = #tile.shared<cell = [2, 2] offset = [[1, 0]]>

// -----

// expected-error @+1 {{expected '>'}}
#thread = #tile.shared<cell = [2] lane = [[1]]>

// -----

// expected-error @+1 {{a tile of shape [4, 2] has a layout for [4]}}
func.func private @shape(tensor<4x2xf32, #tile.layout<cell = [4] reg = [[1], [2]]>>)

// -----

// expected-error @+1 {{a tile of shape [12] has a layout for [20]}}
func.func private @shared_shape(tensor<12xf32, #tile.shared<cell = [4] offset = [[1], [2]] repeat = [5]>>)

// -----

#one = #tile.layout<cell = [4] reg = [[1], [2]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = arith.constant dense<1.0> : tensor<4xf32, #one>
  // expected-error @+1 {{makes 'tensor<4xf16, #tile.layout<cell = [4] reg = }}
  %1 = tile.convert_layout %0 : tensor<4xf32, #one> -> tensor<4xf16, #one>
  tile.return
}

// -----

#one = #tile.layout<cell = [4] reg = [[1], [2]]>
#two = #tile.layout<cell = [2, 2] reg = [[0, 1], [1, 0]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = arith.constant dense<1.0> : tensor<4xf32, #one>
  // expected-error @+1 {{but can change nothing except the layout}}
  %1 = tile.convert_layout %0 : tensor<4xf32, #one> -> tensor<2x2xf32, #two>
  tile.return
}

// -----

#one = #tile.layout<cell = [4] reg = [[1], [2]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  // expected-error @+1 {{needs tiles with layouts, but has 'tensor<4xf32>'}}
  %1 = tile.convert_layout %0 : tensor<4xf32> -> tensor<4xf32, #one>
  tile.return
}

// -----

#one = #tile.layout<cell = [4] reg = [[1], [2]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = arith.constant dense<1.0> : tensor<4xf32, #one>
  // expected-error @+1 {{needs tiles with layouts, but has 'tensor<4xf32>'}}
  %1 = tile.convert_layout %0 : tensor<4xf32, #one> -> tensor<4xf32>
  tile.return
}

// -----

// The result of a reduction is the slice that is left of its source.
#rows = #tile.layout<cell = [2, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]]>
#other = #tile.layout<cell = [2] reg = [[1]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = arith.constant dense<1.0> : tensor<2x4xf32, #rows>
  // expected-error-re @+1 {{has a result of type {{.*}}reg = {{.*}}, but what is left is {{.*}}lane = }}
  %1 = tile.reduce sum %0 dims [1] : tensor<2x4xf32, #rows> -> tensor<2xf32, #other>
  tile.return
}

// -----

// One bit of the register moves along the row and to another row.
#mixed = #tile.layout<cell = [2, 4] reg = [[1, 1], [0, 2]] lane = [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]]>
#left = #tile.layout<cell = [2] reg = [[1]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = arith.constant dense<1.0> : tensor<2x4xf32, #mixed>
  // expected-error @+1 {{which needs another layout first}}
  %1 = tile.reduce sum %0 dims [1] : tensor<2x4xf32, #mixed> -> tensor<2xf32, #left>
  tile.return
}

// -----

// The source of a broadcast is a slice of its result.
#rows = #tile.layout<cell = [2, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]]>
#other = #tile.layout<cell = [2] reg = [[1]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = arith.constant dense<1.0> : tensor<2xf32, #other>
  // expected-error @+1 {{but the result's layout needs}}
  %1 = tile.broadcast %0 dims [0] : tensor<2xf32, #other> -> tensor<2x4xf32, #rows>
  tile.return
}

// -----

#rows = #tile.layout<cell = [2, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]]>
#other = #tile.layout<cell = [4, 2] reg = [[0, 1], [1, 0], [2, 0]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = arith.constant dense<1.0> : tensor<2x4xf32, #rows>
  // expected-error @+1 {{but the permuted source is 'tensor<4x2xf32, #tile.layout<cell = [4, 2] reg = }}
  %1 = tile.transpose %0 [1, 0] : tensor<2x4xf32, #rows> -> tensor<4x2xf32, #other>
  tile.return
}

// -----

// Pointwise ops change nothing of a type but its elements.
#one = #tile.layout<cell = [2] reg = [[1]]>
#copies = #tile.layout<cell = [2] lane = [[1], [0], [0], [0], [0]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = arith.constant dense<1.0> : tensor<2xf32, #one>
  // expected-error @+1 {{are cast incompatible}}
  %1 = arith.extf %0 : tensor<2xf32, #one> to tensor<2xf64, #copies>
  tile.return
}

// -----

// expected-error @+1 {{has dimension -1, but 0 or more is needed}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, dims = [-1, 1], steps = [1, 1]>}

// -----

// expected-error @+1 {{has the strides of whoever launches, but those of divided dimensions have to be known}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8, 8], swizzle = 32, strides = true, dims = [0, 0, 1], steps = [8, 1, 1]>}
