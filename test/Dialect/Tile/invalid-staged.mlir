// What is wrong with a single op of the staged form. How ops follow each other
// is the subject of verify-staged.mlir.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{a ring has 0 slots, but needs one}}
  %r = tile.ring feed = tma : !tile.ring<0 x (tensor<4xf32, #tile.shared<cell = [4] offset = [[1], [2]]>>)>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{a ring has no parts, but needs one}}
  %r = tile.ring feed = tma : !tile.ring<2 x ()>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{a ring has a part of type 'tensor<4xf32>', but needs tiles in shared memory}}
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32>)>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{expected 'x'}}
  %r = tile.ring feed = tma : !tile.ring<2 (tensor<4xf32>)>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{invalid kind of type specified}}
  %r = tile.ring feed = tma : !tile.ring<2 x (f32)>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+2 {{expected ::fuse::tile::Feed to be one of: cp_async, tma}}
  // expected-error @+1 {{failed to parse Tile_FeedAttr}}
  %r = tile.ring feed = store : !tile.ring<2 x (tensor<4xf32>)>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
tile.kernel @k(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32, #s>)>
  // expected-error @+1 {{fills part 1 of a ring with 1 parts}}
  tile.copy %x[%i] to %r[%i] part 1 : memref<4xf32>, !tile.ring<2 x (tensor<4xf32, #s>)>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
tile.kernel @k(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32, #s>)>
  // expected-error @+1 {{attribute 'part' failed to satisfy constraint}}
  "tile.copy"(%x, %i, %r, %i) <{part = -1, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>}> : (memref<4xf32>, index, !tile.ring<2 x (tensor<4xf32, #s>)>, index) -> ()
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
tile.kernel @k(%x: memref<4xf16>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32, #s>)>
  // expected-error @+1 {{has a tile of 'f32', but the memory holds 'f16'}}
  tile.copy %x[%i] to %r[%i] part 0 : memref<4xf16>, !tile.ring<2 x (tensor<4xf32, #s>)>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
tile.kernel @k(%x: memref<4xf16>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf16, #s>)>
  // expected-error @+1 {{rounds numbers of type 'f16', but only f32 can be rounded}}
  tile.copy %x[%i] to %r[%i] part 0 rounded : memref<4xf16>, !tile.ring<2 x (tensor<4xf16, #s>)>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32, #s>)>
  // expected-error @+1 {{reads an output of the kernel, but outputs are only written}}
  tile.copy %y[%i] to %r[%i] part 0 : memref<4xf32>, !tile.ring<2 x (tensor<4xf32, #s>)>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
tile.kernel @k(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32, #s>)>
  // expected-error @+1 {{does not use what is behind the limit of axis 0, which has none}}
  tile.copy %x[%i] unused [0] to %r[%i] part 0 : memref<4xf32>, !tile.ring<2 x (tensor<4xf32, #s>)>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
tile.kernel @k(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32, #s>)>
  // expected-error @+1 {{has 1 limits, but 2 axes}}
  tile.copy %x[%i] limits(%i) axes [0, 1] to %r[%i] part 0 : memref<4xf32>, !tile.ring<2 x (tensor<4xf32, #s>)>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
#eight = #tile.layout<cell = [8] lane = [[1], [2], [4], [0], [0]]>
tile.kernel @k(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = cp_async : !tile.ring<2 x (tensor<4xf32, #s>)>
  // expected-error @+1 {{is divided wrongly}}
  tile.copy %x[%i] to %r[%i] part 0 threads = #eight : memref<4xf32>, !tile.ring<2 x (tensor<4xf32, #s>)>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  // expected-error @+1 {{found 'tensor<4xf32>', but needs a ring}}
  %0 = tile.wait %i[%i] : tensor<4xf32>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
#t = #tile.shared<cell = [4] offset = [[2], [1]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32, #s>)>
  // expected-error @+1 {{has other results than the parts of kind 0 of its ring}}
  %0 = "tile.wait"(%r, %i) : (!tile.ring<2 x (tensor<4xf32, #s>)>, index) -> tensor<4xf32, #t>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32, #s>)>
  // expected-error @+1 {{attribute 'behind' failed to satisfy constraint}}
  %0 = "tile.wait"(%r, %i) <{behind = -1}> : (!tile.ring<2 x (tensor<4xf32, #s>)>, index) -> tensor<4xf32, #s>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %a = arith.constant dense<0.0> : tensor<4x8xf32>
  %b = arith.constant dense<0.0> : tensor<8x4xf32>
  %c = arith.constant dense<0.0> : tensor<4x4xf64>
  // expected-error @+1 {{makes a sum of type 'tensor<4x4xf32>' of one of type 'tensor<4x4xf64>'}}
  %p, %g = tile.dot_issue %a, %b, %c : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf64> -> tensor<4x4xf32>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %a = arith.constant dense<0.0> : tensor<4x8xf32>
  %b = arith.constant dense<0.0> : tensor<4x4xf32>
  %c = arith.constant dense<0.0> : tensor<4x4xf32>
  // expected-error @+1 {{has contracted axes [8] in the left operand, but [4] in the right one}}
  %p, %g = tile.dot_issue %a, %b, %c : tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %a = arith.constant dense<0.0> : tensor<4x8xf32>
  %b = arith.constant dense<0.0> : tensor<8x4xf32>
  %c = arith.constant dense<0.0> : tensor<4x4xf32>
  %p, %g = tile.dot_issue %a, %b, %c : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  // expected-error @+1 {{takes a tile of type 'tensor<4x4xf64>' out of '!tile.pending<tensor<4x4xf32>>'}}
  %0 = "tile.take"(%p) : (!tile.pending<tensor<4x4xf32>>) -> tensor<4x4xf64>
}

// -----

// What is in flight cannot be computed with.
tile.kernel @k(%y: memref<4x4xf32>) outputs 1 blocks(%i) {
  %a = arith.constant dense<0.0> : tensor<4x8xf32>
  %b = arith.constant dense<0.0> : tensor<8x4xf32>
  %c = arith.constant dense<0.0> : tensor<4x4xf32>
  %p, %g = tile.dot_issue %a, %b, %c : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  // expected-error @+1 {{invalid kind of type specified}}
  tile.store %p, %y[%i, %i] : !tile.pending<tensor<4x4xf32>>, memref<4x4xf32>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    // expected-error @+1 {{stands in 'tile.roles', but only 'tile.role' may}}
    %c0 = arith.constant 0 : index
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    tile.role math warps 4 {
    }
    // expected-error @+1 {{is the second one of kind math}}
    tile.role math warps 4 {
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{expects parent op 'tile.roles'}}
  tile.role math warps 4 {
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %true = arith.constant true
  scf.if %true {
    // expected-error @+1 {{expects parent op 'tile.kernel'}}
    tile.roles {
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    // expected-error @+1 {{attribute 'warps' failed to satisfy constraint}}
    tile.role math warps 0 {
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    // expected-error @+1 {{attribute 'registers' failed to satisfy constraint}}
    tile.role math warps 4 registers 0 {
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    // expected-error @+1 {{has 2 crews, but only those who compute have several}}
    tile.role load warps 4 crews 2 {
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    // expected-error @+1 {{has 3 crews, but there are barriers for 2}}
    tile.role math warps 4 crews 3 {
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    tile.role math warps 4 {
      // expected-error @+1 {{stands in no 'tile.role' that has crews}}
      tile.take_turn
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  // expected-error @+1 {{starts '!tile.pending<tensor<8xf32>>' with a tile of type 'tensor<4xf32>'}}
  %p = "tile.start"(%zero) : (tensor<4xf32>) -> !tile.pending<tensor<8xf32>>
}
