// One case for every message of the verifiers.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{has 2 outputs, but only 1 memrefs}}
tile.kernel @k(%x: memref<4xf32>) outputs 2 blocks() {
  tile.return
}

// -----

// expected-error @+1 {{argument #0 has type 'memref<4xf32, strided<[2], offset: 1>>', but memory must be row-major or have strides from its start on, and be in the default memory space}}
tile.kernel @k(%x: memref<4xf32, strided<[2], offset: 1>>) outputs 1 blocks() {
  tile.return
}

// -----

// expected-error @+1 {{argument #0 has type 'memref<4xf32, 3>', but memory must be row-major or have strides from its start on, and be in the default memory space}}
tile.kernel @k(%x: memref<4xf32, 3>) outputs 1 blocks() {
  tile.return
}

// -----

// expected-error @+1 {{has 2 promises for 1 memrefs}}
tile.kernel @k(%x: memref<4xf32>) outputs 1 blocks() attributes {promises = [#tile.promise<alignment = 16>, #tile.promise<alignment = 16>]} {
  tile.return
}

// -----

// expected-error @+1 {{promises 2 sizes of argument #0, which has rank 1}}
tile.kernel @k(%x: memref<?xf32>) outputs 1 blocks() attributes {promises = [#tile.promise<alignment = 16, sizes = [0, 1], multiples = [1, 1]>]} {
  tile.return
}

// -----

// expected-error @+1 {{promises 1 sizes, but 2 multiples}}
tile.kernel @k(%x: memref<?xf32>) outputs 1 blocks() attributes {promises = [#tile.promise<alignment = 16, sizes = [0], multiples = [4, 4]>]} {
  tile.return
}

// -----

// expected-error @+1 {{promises an alignment to 12 bytes, but a power of two is needed}}
tile.kernel @k(%x: memref<?xf32>) outputs 1 blocks() attributes {promises = [#tile.promise<alignment = 12>]} {
  tile.return
}

// -----

// expected-error @+1 {{promises a multiple of 0, but a number above 0 is needed}}
tile.kernel @k(%x: memref<?xf32>) outputs 1 blocks() attributes {promises = [#tile.promise<alignment = 16, sizes = [-1], multiples = [0]>]} {
  tile.return
}

// -----

// expected-error @+1 {{argument #1 has type 'f32', but memrefs come first and indices follow}}
tile.kernel @k(%x: memref<4xf32>, %y: f32) outputs 1 blocks() {
  tile.return
}

// -----

// expected-error @+1 {{attribute 'outputs' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
tile.kernel @k(%x: memref<4xf32>) outputs 0 blocks() {
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{has a tile of 'f16', but the memory holds 'f32'}}
  %0 = tile.load %x[%i, %j] : memref<4x8xf32> -> tensor<4x8xf16>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{has 1 indices, but the memory has rank 2}}
  %0 = tile.load %x[%i] : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{has a tile of rank 1 for memory of rank 2, which needs a map}}
  %0 = tile.load %x[%i, %j] : memref<4x8xf32> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{has the identity as its map, which must be left out}}
  %0 = "tile.load"(%x, %i, %j) <{map = affine_map<(d0, d1) -> (d0, d1)>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (memref<4x8xf32>, index, index) -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{has a map with symbols, but only axes may occur}}
  %0 = tile.load %x[%i, %j] map (d0, d1)[s0] -> (d1, d0) : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{has a map from 1 axes to 2 dimensions, but the tile has rank 2 and the memory rank 2}}
  %0 = tile.load %x[%i, %j] map (d0) -> (d0, d0) : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{but only sums of axes times numbers are allowed}}
  %0 = tile.load %x[%i, %j] map (d0, d1) -> (d0, d1 + 1) : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{but only sums of axes times numbers are allowed}}
  %0 = tile.load %x[%i, %j] map (d0, d1) -> (d0, d1 floordiv 2) : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{reads an output of the kernel, but outputs are only written}}
  %0 = tile.load %y[%i, %j] : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{has 1 limits, but 2 axes}}
  %0 = tile.load %x[%i, %j] limits(%i) axes [0, 1] : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{has 2 in 'axes', but the rank is 2}}
  %0 = tile.load %x[%i, %j] limits(%i) axes [2] : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{does not use what is behind the limit of axis 1, which has none}}
  %0 = tile.load %x[%i, %j] limits(%i) axes [0] unused [0, 1] : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{has 0 behind 1 in 'axes', which must increase}}
  %0 = tile.load %x[%i, %j] limits(%i, %j) axes [1, 0] : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{must be tile (tensor of static sizes above 0)}}
  %0 = tile.load %x[%i, %j] : memref<4x8xf32> -> tensor<?x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  // expected-error @+1 {{must be tile (tensor of static sizes above 0)}}
  %0 = tile.load %x[%i, %j] : memref<4x8xf32> -> tensor<0x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) {
  %a = memref.alloc() : memref<4x8xf32>
  // expected-error @+1 {{needs an argument of the kernel as its memory}}
  %0 = tile.load %a[%i, %i] : memref<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %p = tile.iota %i coefficients [1, 0] : tensor<4x8xi32>
  // expected-error @+1 {{has no positions, which makes it a load}}
  %0 = "tile.gather"(%x, %i, %j) <{dims = array<i64>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (memref<4x8xf32>, index, index) -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %p = tile.iota %i coefficients [1, 0] : tensor<4x8xi32>
  // expected-error @+1 {{has 1 positions, but 2 dims}}
  %0 = tile.gather %x[%i, %j] at(%p) dims [0, 1] : memref<4x8xf32>, tensor<4x8xi32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %p = tile.iota %i coefficients [1, 0] : tensor<4x8xi32>
  // expected-error @+1 {{has 3 in 'dims', but the rank is 2}}
  %0 = tile.gather %x[%i, %j] at(%p) dims [3] : memref<4x8xf32>, tensor<4x8xi32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %p = tile.iota %i coefficients [1, 0] : tensor<4x8xi32>
  // expected-error @+1 {{has positions of type 'tensor<4x8xi32>', but they need the shape of the result 'tensor<8x8xf32>'}}
  %0 = tile.gather %x[%i, %j] at(%p) dims [0] : memref<4x8xf32>, tensor<4x8xi32> -> tensor<8x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %p = tile.iota %i coefficients [1, 0] : tensor<4x8xi32>
  // expected-error @+1 {{reads an output of the kernel, but outputs are only written}}
  %0 = tile.gather %y[%i, %j] at(%p) dims [0] : memref<4x8xf32>, tensor<4x8xi32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %p = tile.iota %i coefficients [1, 0] : tensor<4x8xi32>
  // expected-error @+1 {{has 1 limits, but 2 axes}}
  %0 = tile.gather %x[%i, %j] at(%p) dims [0] limits(%i) axes [0, 1] : memref<4x8xf32>, tensor<4x8xi32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %p = tile.iota %i coefficients [1, 0] : tensor<4x8xi32>
  // expected-error @+1 {{has 1 indices, but the memory has rank 2}}
  %0 = tile.gather %x[%i] at(%p) dims [0] : memref<4x8xf32>, tensor<4x8xi32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{writes an input of the kernel, but inputs are only read}}
  tile.store %t, %x[%i, %j] : tensor<4x8xf32>, memref<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{does not use axis 1 of size 8 in its map, so that several elements go to one place}}
  tile.store %t, %y[%i, %j] map (d0, d1) -> (d0, 0) : tensor<4x8xf32>, memref<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has 1 indices, but the memory has rank 2}}
  tile.store %t, %y[%i] : tensor<4x8xf32>, memref<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i, %j) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has 2 limits, but 1 axes}}
  tile.store %t, %y[%i, %j] limits(%i, %j) axes [1] : tensor<4x8xf32>, memref<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1.0> : tensor<4x8xf16>
  %b = arith.constant dense<1.0> : tensor<8x3xf32>
  %c = arith.constant dense<1.0> : tensor<4x3xf32>
  // expected-error @+1 {{multiplies 'f16' with 'f32', but both operands need one element type}}
  %0 = tile.dot %a, %b, %c : tensor<4x8xf16>, tensor<8x3xf32> -> tensor<4x3xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1.0> : tensor<4x8xf64>
  %b = arith.constant dense<1.0> : tensor<8x3xf64>
  %c = arith.constant dense<1.0> : tensor<4x3xf32>
  // expected-error @+1 {{cannot add products of 'f64' to 'f32'}}
  %0 = tile.dot %a, %b, %c : tensor<4x8xf64>, tensor<8x3xf64> -> tensor<4x3xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1> : tensor<4x8xi32>
  %b = arith.constant dense<1> : tensor<8x3xi32>
  %c = arith.constant dense<1.0> : tensor<4x3xf32>
  // expected-error @+1 {{cannot add products of 'i32' to 'f32'}}
  %0 = tile.dot %a, %b, %c : tensor<4x8xi32>, tensor<8x3xi32> -> tensor<4x3xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1.0> : tensor<4x8xf32>
  %b = arith.constant dense<1.0> : tensor<8x3xf32>
  %c = arith.constant dense<1> : tensor<4x3xi32>
  // expected-error @+1 {{cannot add products of 'f32' to 'i32'}}
  %0 = tile.dot %a, %b, %c : tensor<4x8xf32>, tensor<8x3xf32> -> tensor<4x3xi32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %b = arith.constant dense<1.0> : tensor<2x8x3xf32>
  %c = arith.constant dense<1.0> : tensor<4x3xf32>
  // expected-error @+1 {{has 2 batch and 2 contracted axes, but operands of rank 3 and 3}}
  %0 = tile.dot %a, %b, %c batch = 2 contract = 2 : tensor<2x4x8xf32>, tensor<2x8x3xf32> -> tensor<4x3xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %b = arith.constant dense<1.0> : tensor<2x8x3xf32>
  %c = arith.constant dense<1.0> : tensor<4x3xf32>
  // expected-error @+1 {{has an accumulator of rank 2, but 1 batch, 1 row and 1 column axes}}
  %0 = tile.dot %a, %b, %c batch = 1 : tensor<2x4x8xf32>, tensor<2x8x3xf32> -> tensor<4x3xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %b = arith.constant dense<1.0> : tensor<3x8x3xf32>
  %c = arith.constant dense<1.0> : tensor<2x4x3xf32>
  // expected-error @+1 {{has batch axes [2] in the left operand, but [3] in the right one}}
  %0 = tile.dot %a, %b, %c batch = 1 : tensor<2x4x8xf32>, tensor<3x8x3xf32> -> tensor<2x4x3xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %b = arith.constant dense<1.0> : tensor<2x7x3xf32>
  %c = arith.constant dense<1.0> : tensor<2x4x3xf32>
  // expected-error @+1 {{has contracted axes [8] in the left operand, but [7] in the right one}}
  %0 = tile.dot %a, %b, %c batch = 1 : tensor<2x4x8xf32>, tensor<2x7x3xf32> -> tensor<2x4x3xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %b = arith.constant dense<1.0> : tensor<2x8x3xf32>
  %c = arith.constant dense<1.0> : tensor<5x4x3xf32>
  // expected-error @+1 {{has batch axes [2] in the operands, but [5] in the accumulator}}
  %0 = tile.dot %a, %b, %c batch = 1 : tensor<2x4x8xf32>, tensor<2x8x3xf32> -> tensor<5x4x3xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %b = arith.constant dense<1.0> : tensor<2x8x3xf32>
  %c = arith.constant dense<1.0> : tensor<2x5x3xf32>
  // expected-error @+1 {{has row axes [4] in the left operand, but [5] in the accumulator}}
  %0 = tile.dot %a, %b, %c batch = 1 : tensor<2x4x8xf32>, tensor<2x8x3xf32> -> tensor<2x5x3xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %b = arith.constant dense<1.0> : tensor<2x8x3xf32>
  %c = arith.constant dense<1.0> : tensor<2x4x6xf32>
  // expected-error @+1 {{has column axes [3] in the right operand, but [6] in the accumulator}}
  %0 = tile.dot %a, %b, %c batch = 1 : tensor<2x4x8xf32>, tensor<2x8x3xf32> -> tensor<2x4x6xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has 2 in 'dims', but the rank is 2}}
  %0 = tile.reduce sum %t dims [2] : tensor<4x8xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has 0 behind 0 in 'dims', which must increase}}
  %0 = tile.reduce sum %t dims [0, 0] : tensor<4x8xf32> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has a result of type 'tensor<8xf32>', but what is left is 'tensor<4xf32>'}}
  %0 = tile.reduce sum %t dims [1] : tensor<4x8xf32> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{makes 'f16' of 'f32'}}
  %0 = tile.broadcast %t dims [0, 1] : tensor<4x8xf32> -> tensor<4x8x2xf16>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has 1 dims for a source of rank 2}}
  %0 = tile.broadcast %t dims [0] : tensor<4x8xf32> -> tensor<4x8x2xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has 0 behind 1 in 'dims', which must increase}}
  %0 = tile.broadcast %t dims [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{axis 1 of the source has size 8, but axis 2 of the result has size 2}}
  %0 = tile.broadcast %t dims [0, 2] : tensor<4x8xf32> -> tensor<4x8x2xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has permutation [0, 0], but needs each axis of the source of rank 2 once}}
  %0 = tile.transpose %t [0, 0] : tensor<4x8xf32> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has a result of type 'tensor<4x8xf32>', but the permuted source is 'tensor<8x4xf32>'}}
  %0 = tile.transpose %t [1, 0] : tensor<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  // expected-error @+1 {{has 1 coefficients for a tile of rank 2}}
  %0 = tile.iota %i coefficients [1] : tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has no limits, which makes it the identity}}
  %0 = tile.mask %t limits() axes [] : tensor<4x8xf32> else 0.0
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has 1 limits, but 2 axes}}
  %0 = tile.mask %t limits(%i) axes [0, 1] : tensor<4x8xf32> else 0.0
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has 1 starts, but 2 axes}}
  %0 = tile.mask %t from(%i) limits(%i, %i) axes [0, 1] : tensor<4x8xf32> else 0.0
  tile.return
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %t = arith.constant dense<1.0> : tensor<4x8xf32>
  // expected-error @+1 {{has the number 0.000000e+00 : f64 for a tile of 'f32'}}
  %0 = "tile.mask"(%t, %i) <{axes = array<i64: 0>, operandSegmentSizes = array<i32: 1, 0, 1>, otherwise = 0.0 : f64}> : (tensor<4x8xf32>, index) -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<4x?xf32>, %y: memref<4x?xf32>) outputs 1 blocks(%i) {
  tile.return
}
func.func @host(%x: tensor<4x?xf32>, %w: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{launches @nothing, which is no kernel of this module}}
  %0 = tile.launch @nothing blocks(%n) (%x) sizes(%n) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// -----

tile.kernel @k(%x: memref<4x?xf32>, %y: memref<4x?xf32>) outputs 1 blocks(%i) {
  tile.return
}
func.func @host(%x: tensor<4x?xf32>, %w: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{has no results, but only results make it useful}}
  tile.launch @k blocks(%n) (%x) : (tensor<4x?xf32>) -> ()
  return
}

// -----

tile.kernel @k(%x: memref<4x?xf32>, %y: memref<4x?xf32>) outputs 1 blocks(%i) {
  tile.return
}
func.func @host(%x: tensor<4x?xf32>, %w: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{has 0 sizes, but its results have 1 dynamic dimensions}}
  %0 = tile.launch @k blocks(%n) (%x) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
tile.kernel @k(%x: memref<4x?xf32>, %y: memref<4x?xf32>) outputs 1 blocks(%i) {
  tile.return
}
func.func @host(%x: tensor<4x?xf32>, %w: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{has 2 dimensions of the grid, but the kernel needs 1}}
  %0 = tile.launch @k blocks(%n, %n) (%x) sizes(%n) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
tile.kernel @k(%x: memref<4x?xf32>, %y: memref<4x?xf32>) outputs 1 blocks(%i) {
  tile.return
}
func.func @host(%x: tensor<4x?xf32>, %w: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{has 2 inputs, but the kernel needs 1}}
  %0 = tile.launch @k blocks(%n) (%x, %x) sizes(%n) : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
tile.kernel @k(%x: memref<4x?xf32>, %y: memref<4x?xf32>) outputs 1 blocks(%i) {
  tile.return
}
func.func @host(%x: tensor<4x?xf32>, %w: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{has 2 results, but the kernel needs 1}}
  %0:2 = tile.launch @k blocks(%n) (%x) sizes(%n, %n) : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>)
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
tile.kernel @k(%x: memref<4x?xf32>, %y: memref<4x?xf32>) outputs 1 blocks(%i) {
  tile.return
}
func.func @host(%x: tensor<4x?xf32>, %w: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{input #0 is 'tensor<4xf32>', but the kernel needs 'memref<4x?xf32>'}}
  %0 = tile.launch @k blocks(%n) (%w) sizes(%n) : (tensor<4xf32>) -> tensor<4x?xf32>
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
tile.kernel @k(%x: memref<4x?xf32>, %y: memref<4x?xf32>) outputs 1 blocks(%i) {
  tile.return
}
func.func @host(%x: tensor<4x?xf32>, %w: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{result #0 is 'tensor<5x?xf32>', but the kernel needs 'memref<4x?xf32>'}}
  %0 = tile.launch @k blocks(%n) (%x) sizes(%n) : (tensor<4x?xf32>) -> tensor<5x?xf32>
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
tile.kernel @k(%x: memref<4x?xf32>, %y: memref<4x?xf32>) outputs 1 blocks(%i) {
  tile.return
}
func.func @host(%x: tensor<4x?xf32>, %w: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{result #0 is 'tensor<4x?xf16>', but the kernel needs 'memref<4x?xf32>'}}
  %0 = tile.launch @k blocks(%n) (%x) sizes(%n) : (tensor<4x?xf32>) -> tensor<4x?xf16>
  return
}

// -----

tile.kernel @k(%x: memref<4xi32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %0 = tile.load %x[%i] : memref<4xi32> -> tensor<4xi32>
  // expected-error @below {{needs what 'tile.iota' counts, which is in order}}
  %1 = tile.most %0 : tensor<4xi32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%b) attributes {tile.cluster = array<i64: 2>, tile.grid = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
  // expected-error @+1 {{collects from 3 blocks, but needs 2, 4 or 8}}
  %a:3 = tile.collect %t axes [0] blocks 3 : (tensor<64x32xf32>) -> (tensor<21x32xf32>, tensor<21x32xf32>, tensor<21x32xf32>)
  tile.return
}

// -----

tile.kernel @k(%x: memref<64x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%b) attributes {tile.cluster = array<i64: 2>, tile.grid = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
  // expected-error @+1 {{has 2 axes for 1 sources}}
  %a:2 = tile.collect %t axes [0, 1] blocks 2 : (tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
  tile.return
}

// -----

tile.kernel @k(%x: memref<64x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%b) attributes {tile.cluster = array<i64: 2>, tile.grid = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
  // expected-error @+1 {{has 1 results, but needs one of each of 2 blocks for each of 1 sources}}
  %a = tile.collect %t axes [0] blocks 2 : (tensor<64x32xf32>) -> tensor<32x32xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%b) attributes {tile.cluster = array<i64: 2>, tile.grid = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
  // expected-error @+1 {{cuts axis 2 of a source of rank 2}}
  %a:2 = tile.collect %t axes [2] blocks 2 : (tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
  tile.return
}

// -----

tile.kernel @k(%x: memref<63x32xf32>, %y: memref<63x32xf32>) outputs 1 blocks(%b) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<63x32xf32> -> tensor<63x32xf32>
  // expected-error @+1 {{cuts an axis of 63 elements into 2 shares}}
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<63x32xf32>) -> (tensor<31x32xf32>, tensor<31x32xf32>)
  tile.return
}

// -----

tile.kernel @k(%x: memref<64x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%b) attributes {tile.cluster = array<i64: 2>, tile.grid = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
  // expected-error @+1 {{has a result of type 'tensor<64x16xf32>', but a share is 'tensor<32x32xf32>'}}
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<64x16xf32>)
  tile.return
}

// -----

tile.kernel @k(%x: memref<64x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%b) attributes {tile.cluster = array<i64: 2>, tile.grid = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
  // expected-error @+1 {{has a result of type 'tensor<32x32xf16>', but a share is 'tensor<32x32xf32>'}}
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x32xf32>) -> (tensor<32x32xf16>, tensor<32x32xf16>)
  tile.return
}

// -----

tile.kernel @k(%x: memref<64x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%b) attributes {tile.cluster = array<i64: 2>, tile.grid = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %b step %c1 {
    // expected-error @+1 {{is where not all blocks come once: it stands in a kernel, or in the role that computes}}
    %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
  }
  tile.return
}

// -----

tile.kernel @k(%x: memref<64x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%b) {
  %c0 = arith.constant 0 : index
  tile.roles {
    tile.role math warps 4 {
    }
    tile.role load warps 4 {
      %t = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
      // expected-error @+1 {{is where not all blocks come once: it stands in a kernel, or in the role that computes}}
      %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
    }
  }
  tile.return
}
