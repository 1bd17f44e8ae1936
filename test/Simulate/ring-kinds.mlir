// What one kind leaves in a slot is not there for another one, and nobody takes a
// number for one of another kind.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --tile-simulate="grid=1"

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
#l = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]]>
!ring = !tile.ring<1 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
// Right as it is.
tile.kernel @both(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !ring
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  tile.release %r[%c0] : !ring
  tile.acquire %r[%c1] : !ring
  tile.copy %x[%c0] to %r[%c1] part 1 : memref<4xf32>, !ring
  tile.copy %x[%c0] to %r[%c1] part 2 : memref<4xf32>, !ring
  tile.commit %r[%c1] : !ring
  %b, %c = tile.wait %r[%c1] kind 1 : !ring
  %read = tile.convert_layout %c : tensor<4xf32, #s> -> tensor<4xf32, #l>
  tile.release %r[%c1] : !ring
  tile.store %read, %y[%c0] : tensor<4xf32, #l>, memref<4xf32>
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @mixes(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  tile.acquire %r[%c0] : !ring
  // expected-note @+1 {{as this copy says}}
  tile.copy %x[%c0] to %r[%c0] part 1 : memref<4xf32>, !ring
  // expected-error @+1 {{copies part 0 of kind 0 to number 0, which is of kind 1}}
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @lacks(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-note @+1 {{it was acquired here}}
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 1 : memref<4xf32>, !ring
  // expected-error @+1 {{commits number 0 without part 2}}
  tile.commit %r[%c0] : !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @takes(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  tile.acquire %r[%c0] : !ring
  // expected-note @+1 {{as this copy says}}
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.commit %r[%c0] : !ring
  // expected-error @+1 {{waits for number 0 as kind 1, but it is of kind 0}}
  %a, %b = tile.wait %r[%c0] kind 1 : !ring
  tile.return
}
