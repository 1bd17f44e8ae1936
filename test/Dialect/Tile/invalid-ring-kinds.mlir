// Kinds of numbers that there are not, that are mixed, or that are taken for each
// other.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged))'

tile.kernel @empty(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{a ring has no parts, but needs one}}
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32, #tile.shared<cell = [4] offset = [[1], [2]]>>) or ()>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
tile.kernel @unknown(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = cp_async : !ring
  // expected-error @+1 {{found kind 2, but the ring has 2}}
  %a = tile.wait %r[%i] kind 2 : !ring
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
tile.kernel @negative(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = cp_async : !ring
  // expected-error @+1 {{found kind -1, but the ring has 2}}
  %a = tile.wait %r[%i] kind -1 : !ring
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
tile.kernel @generic(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = cp_async : !ring
  // expected-error @+1 {{waits for kind 2 of a ring with 2 kinds}}
  %a = "tile.wait"(%r, %i) <{kind = 2 : i64}> : (!ring, index) -> tensor<4xf32, #s>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
tile.kernel @other_results(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = cp_async : !ring
  // expected-error @+1 {{has other results than the parts of kind 1 of its ring}}
  %a = "tile.wait"(%r, %i) <{kind = 1 : i64}> : (!ring, index) -> tensor<4xf32, #s>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
tile.kernel @mixed(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  tile.acquire %r[%c0] : !ring
  // expected-note @+1 {{as this copy says}}
  tile.copy %x[%c0] to %r[%c0] part 1 : memref<4xf32>, !ring
  // expected-error @+1 {{copies part 0 of kind 0 to number 0, which is of kind 1}}
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  tile.release %r[%c0] : !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
tile.kernel @lacking(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-note @+1 {{since it was acquired}}
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 1 : memref<4xf32>, !ring
  // expected-error @+1 {{commits number 0, but part 2 is not copied}}
  tile.commit %r[%c0] : !ring
  %a, %b = tile.wait %r[%c0] kind 1 : !ring
  tile.release %r[%c0] : !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>) or (tensor<4xf32, #s>, tensor<4xf32, #s>)>
tile.kernel @taken_for_another(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !ring
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  tile.release %r[%c0] : !ring
  tile.acquire %r[%c1] : !ring
  // expected-note @+1 {{as this copy says}}
  tile.copy %x[%c0] to %r[%c1] part 1 : memref<4xf32>, !ring
  tile.copy %x[%c0] to %r[%c1] part 2 : memref<4xf32>, !ring
  tile.commit %r[%c1] : !ring
  // expected-error @+1 {{waits for number 1 as kind 0, but it is of kind 1}}
  %b = tile.wait %r[%c1] : !ring
  tile.release %r[%c1] : !ring
  tile.return
}
