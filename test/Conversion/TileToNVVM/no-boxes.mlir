// What the copy engine cannot be told.

// RUN: fuse-opt %s --convert-tile-to-nvvm --split-input-file --verify-diagnostics

// Rows from the last one on.
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
tile.kernel @k(%x: memref<64x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      // expected-error @+1 {{is no copy of boxes, which the copy engine needs}}
      tile.copy %x[%i, %c0] map (d0, d1) -> (d0 * -1, d1) to %r[%c0] part 0 : memref<64x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
  tile.return
}

// -----

// Every second row of an odd number.
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
tile.kernel @k(%x: memref<63x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      // expected-error @+1 {{is no copy of boxes, which the copy engine needs}}
      tile.copy %x[%i, %c0] map (d0, d1) -> (d0 * 2, d1) disjoint to %r[%c0] part 0 : memref<63x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
  tile.return
}

// -----

// Columns that are apart.
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
tile.kernel @k(%x: memref<64x8xf32, strided<[16, 2]>>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      // expected-error @+1 {{is no copy of boxes, which the copy engine needs}}
      tile.copy %x[%i, %c0] to %r[%c0] part 0 : memref<64x8xf32, strided<[16, 2]>>, !r
      tile.commit %r[%c0] : !r
    }
  }
  tile.return
}

// -----

// Nothing.
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
tile.kernel @k(%x: memref<0x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      // expected-error @+1 {{is no copy of boxes, which the copy engine needs}}
      tile.copy %x[%i, %c0] to %r[%c0] part 0 : memref<0x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
  tile.return
}

// -----

// All rows of a tile but one.
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
tile.kernel @k(%x: memref<64x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      // expected-error @+1 {{is no copy of boxes, which the copy engine needs}}
      tile.copy %x[%i, %c0] limits(%c7) axes [0] to %r[%c0] part 0 : memref<64x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
  tile.return
}
