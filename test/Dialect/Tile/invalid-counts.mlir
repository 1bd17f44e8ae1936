// RUN: fuse-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{has attribute 'tile.share' = 0 : i64, but needs an i64 above 0 that fits 32 bits}}
tile.kernel @count(%x: memref<8xf32>) outputs 1 blocks(%i) attributes {tile.share = 0} {
  tile.return
}

// -----

// expected-error @+1 {{has attribute 'tile.warps' = 4294967297 : i64, but needs an i64 above 0 that fits 32 bits}}
tile.kernel @count(%x: memref<8xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4294967297} {
  tile.return
}

// -----

// expected-error @+1 {{has attribute 'tile.warps' = "four", but needs an i64 above 0 that fits 32 bits}}
tile.kernel @count(%x: memref<8xf32>) outputs 1 blocks(%i) attributes {tile.warps = "four"} {
  tile.return
}

// -----

// expected-error @+1 {{has attribute 'tile.cluster' = array<i64: 0>, but needs an array of i64 above 0}}
tile.kernel @cluster(%x: memref<8xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 0>} {
  tile.return
}

// -----

// expected-error @+1 {{has attribute 'tile.grid' = array<i64: -2>, but needs an array of i64, none below 0}}
tile.kernel @grid(%x: memref<8xf32>) outputs 1 blocks(%i) attributes {tile.grid = array<i64: -2>} {
  tile.return
}

// -----

// expected-error @+1 {{has attribute 'tile.order' = 1 : i64, but needs a #tile.order}}
tile.kernel @order(%x: memref<8xf32>) outputs 1 blocks(%i) attributes {tile.order = 1} {
  tile.return
}

// -----

tile.kernel @size(%x: memref<?x4xf32>) outputs 1 blocks() {
  %c3 = arith.constant 3 : index
  // expected-error @+1 {{asks for dimension 3 of a memref that has 2}}
  %0 = memref.dim %x, %c3 : memref<?x4xf32>
  tile.return
}
