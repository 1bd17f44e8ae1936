// Every rule of products in flight, broken by hand.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --tile-simulate="grid=1"

#s = #tile.shared<cell = [4, 4] offset = [[0, 1], [0, 2], [1, 0], [2, 0]]>
!t = tensor<4x4xf32>
!sh = tensor<4x4xf32, #s>
!p = !tile.pending<!t>
!ring = !tile.ring<2 x (!sh)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @take_too_early(%x: memref<4x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = tma : !ring
  %zero = arith.constant dense<0.0> : !t
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<4x4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  // expected-note @+1 {{it is set off here}}
  %p, %g = tile.dot_issue %a, %a, %zero : !sh, !sh, !t -> !t
  %q, %h = tile.dot_issue %a, %a, %zero : !sh, !sh, !t -> !t
  // expected-error @+1 {{lets 2 products be under way, but since its own there were 1}}
  %z = tile.take %p behind 2 : !t
  tile.return
}

// -----

#s = #tile.shared<cell = [4, 4] offset = [[0, 1], [0, 2], [1, 0], [2, 0]]>
!t = tensor<4x4xf32>
!sh = tensor<4x4xf32, #s>
!p = !tile.pending<!t>
!ring = !tile.ring<2 x (!sh)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @retire_too_early(%x: memref<4x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = tma : !ring
  %zero = arith.constant dense<0.0> : !t
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<4x4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  // expected-note @+1 {{it is set off here}}
  %p, %g = tile.dot_issue %a, %a, %zero : !sh, !sh, !t -> !t
  // expected-error @+1 {{lets 1 products be under way, but since its own there were 0}}
  %z = tile.retire %g behind 1
  tile.return
}

// -----

#s = #tile.shared<cell = [4, 4] offset = [[0, 1], [0, 2], [1, 0], [2, 0]]>
!t = tensor<4x4xf32>
!sh = tensor<4x4xf32, #s>
!p = !tile.pending<!t>
!ring = !tile.ring<2 x (!sh)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @taken_twice(%x: memref<4x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = tma : !ring
  %zero = arith.constant dense<0.0> : !t
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<4x4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  %p, %g = tile.dot_issue %a, %a, %zero : !sh, !sh, !t -> !t
  // expected-note @+1 {{it was used up here}}
  %z = tile.take %p : !t
  // expected-error @+1 {{takes a sum that is gone}}
  %z2 = tile.take %p : !t
  tile.return
}

// -----

#s = #tile.shared<cell = [4, 4] offset = [[0, 1], [0, 2], [1, 0], [2, 0]]>
!t = tensor<4x4xf32>
!sh = tensor<4x4xf32, #s>
!p = !tile.pending<!t>
!ring = !tile.ring<2 x (!sh)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @added_onto_twice(%x: memref<4x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = tma : !ring
  %zero = arith.constant dense<0.0> : !t
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<4x4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  %p, %g = tile.dot_issue %a, %a, %zero : !sh, !sh, !t -> !t
  // expected-note @+1 {{it was used up here}}
  %q, %h = tile.dot_issue %a, %a, %p : !sh, !sh, !p -> !t
  // expected-error @+1 {{adds onto a sum that is gone}}
  %q2, %h2 = tile.dot_issue %a, %a, %p : !sh, !sh, !p -> !t
  tile.return
}

// -----

#s = #tile.shared<cell = [4, 4] offset = [[0, 1], [0, 2], [1, 0], [2, 0]]>
!t = tensor<4x4xf32>
!sh = tensor<4x4xf32, #s>
!p = !tile.pending<!t>
!ring = !tile.ring<2 x (!sh)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @release_in_flight(%x: memref<4x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = tma : !ring
  %zero = arith.constant dense<0.0> : !t
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<4x4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  // expected-note @+1 {{the product is set off here}}
  %p, %g = tile.dot_issue %a, %a, %zero : !sh, !sh, !t -> !t
  // expected-error @+1 {{releases number 0, which a product may still read}}
  tile.release %r[%c0] : !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4, 4] offset = [[0, 1], [0, 2], [1, 0], [2, 0]]>
!t = tensor<4x4xf32>
!sh = tensor<4x4xf32, #s>
!p = !tile.pending<!t>
!ring = !tile.ring<2 x (!sh)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @release_after_unfinished(%x: memref<4x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = tma : !ring
  %zero = arith.constant dense<0.0> : !t
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<4x4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  // expected-note @+1 {{the product is set off here}}
  %p, %g = tile.dot_issue %a, %a, %zero : !sh, !sh, !t -> !t
  // expected-error @+1 {{releases number 0 after a product that may be under way}}
  tile.release %r[%c0] after %g : !ring
  tile.return
}

// -----

#s = #tile.shared<cell = [4, 4] offset = [[0, 1], [0, 2], [1, 0], [2, 0]]>
!t = tensor<4x4xf32>
!sh = tensor<4x4xf32, #s>
!p = !tile.pending<!t>
!ring = !tile.ring<2 x (!sh)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @never_retired(%x: memref<4x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = tma : !ring
  %zero = arith.constant dense<0.0> : !t
  tile.acquire %r[%c0] : !ring
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<4x4xf32>, !ring
  tile.commit %r[%c0] : !ring
  %a = tile.wait %r[%c0] : !ring
  // expected-error @+1 {{is under way when its role ends}}
  %p, %g = tile.dot_issue %a, %a, %zero : !sh, !sh, !t -> !t
  tile.return
}

// -----

// A factor in registers is computed anew while a product still reads it.
#s = #tile.shared<cell = [4, 4] offset = [[0, 1], [0, 2], [1, 0], [2, 0]]>
!t = tensor<4x4xf32>
!sh = tensor<4x4xf32, #s>
!p = !tile.pending<!t>
!ring = !tile.ring<2 x (!sh)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @factor_anew(%x: memref<4x4xf32>, %y: memref<4x4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : !t
  scf.for %n = %c0 to %c2 step %c1 {
    // expected-error @+1 {{a factor is computed anew that a product may still read}}
    %a = tile.load %x[%c0, %c0] : memref<4x4xf32> -> !t
    // expected-note @+1 {{the product is set off here}}
    %p, %g = tile.dot_issue %a, %a, %zero : !t, !t, !t -> !t
  }
  tile.return
}
