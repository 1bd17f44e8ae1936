// Every rule of rings, broken by hand.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --tile-simulate="grid=1"

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0] of 'misses_a_number' with seed 0}}
tile.kernel @misses_a_number(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-error @+1 {{acquires number 1, but 0 is next}}
  tile.acquire %r[%c1] : !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @negative(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c1 = arith.constant -1 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-error @+1 {{has the number -1}}
  tile.acquire %r[%c1] : !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>, tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @lacks_a_part(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-note @+1 {{it was acquired here}}
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  // expected-error @+1 {{commits number 0 without part 1}}
  tile.commit %r[%c0] : !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @copies_twice(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  tile.acquire %r[%c0] : !ring
  // expected-note @+1 {{it is copied here}}
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  // expected-error @+1 {{copies part 0 of number 0 again}}
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @not_acquired(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-error @+1 {{copies number 0, which is not acquired}}
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @commits_twice(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.commit %r[%c0] : !ring
  // expected-error @+1 {{commits number 0, which is not acquired}}
  tile.commit %r[%c0] : !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @behind_too_large(%x: memref<8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-note @+1 {{it was acquired here}}
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<8xf32>, !ring
  tile.commit %r[%c0] : !ring
  tile.acquire %r[%c1] : !ring
  tile.copy %x[%c4] to %r[%c1] part 0 : memref<8xf32>, !ring
  tile.commit %r[%c1] : !ring
  // expected-error @+1 {{waits for number 0 and lets 2 commits be under way, but since its own there were 1}}
  %t = tile.wait %r[%c0] behind 2 : !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @not_committed(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-error @+1 {{waits for number 0, which is not committed}}
  %t = tile.wait %r[%c0] behind 0 : !ring
  tile.return
}

// -----

// A slot is filled in the round in which it was read: two slots would be right for one number ahead, not for two.
#l = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]]>
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @overwrites(%x: memref<40xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %r = tile.ring feed = cp_async : !ring
  scf.for %n = %c0 to %c2 step %c1 {
    %at = arith.muli %n, %c4 : index
    tile.acquire %r[%n] : !ring
    tile.copy %x[%at] to %r[%n] part 0 : memref<40xf32>, !ring
    tile.commit %r[%n] : !ring
  }
  scf.for %n = %c0 to %c5 step %c1 {
    %t = tile.wait %r[%n] behind 1 : !ring
    // expected-note @+1 {{it is read here}}
    %u = tile.convert_layout %t : tensor<4xf32, #s> -> tensor<4xf32, #l>
    tile.release %r[%n] : !ring
    %next = arith.addi %n, %c2 : index
    %at = arith.muli %next, %c4 : index
    tile.acquire %r[%next] : !ring
    // expected-error @+1 {{overwrites a slot that has been read since the threads last waited for each other}}
    tile.copy %x[%at] to %r[%next] part 0 : memref<40xf32>, !ring
    tile.commit %r[%next] : !ring
  }
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<1 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @not_released(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-note @+1 {{it was acquired here}}
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %t = tile.wait %r[%c0] : !ring
  // expected-error @+1 {{fills the slot of number 0, which has not been released}}
  tile.acquire %r[%c1] : !ring
  tile.return
}

// -----

#l = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]]>
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<1 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @never_released(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-error @+1 {{acquires number 0, which is never released}}
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %t = tile.wait %r[%c0] : !ring
  %u = tile.convert_layout %t : tensor<4xf32, #s> -> tensor<4xf32, #l>
  tile.store %u, %y[%c0] : tensor<4xf32, #l>, memref<4xf32>
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<1 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @releases_unread(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  tile.acquire %r[%c0] : !ring
  // expected-error @+1 {{releases number 0, which nobody here has waited for}}
  tile.release %r[%c0] : !ring
  tile.return
}

// -----

#l = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]]>
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<1 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @reads_released(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !ring
  // expected-note @+1 {{it was acquired here}}
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %t = tile.wait %r[%c0] : !ring
  tile.release %r[%c0] : !ring
  // expected-error @+1 {{reads number 0, which has been released}}
  %u = tile.convert_layout %t : tensor<4xf32, #s> -> tensor<4xf32, #l>
  tile.return
}

// -----

#l = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]]>
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<1 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @reads_overwritten(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !ring
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0] to %r[%c0] part 0 : memref<4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %t = tile.wait %r[%c0] : !ring
  tile.release %r[%c0] : !ring
  // expected-note @+1 {{the slot was acquired here}}
  tile.acquire %r[%c1] : !ring
  // expected-error @+1 {{reads number 0, in whose slot is number 1}}
  %u = tile.convert_layout %t : tensor<4xf32, #s> -> tensor<4xf32, #l>
  tile.return
}
