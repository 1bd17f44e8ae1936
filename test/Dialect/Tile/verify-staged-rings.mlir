// Rings whose numbers, parts or slots are mixed up. Each fault names both ops.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged))'

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
// Numbers begin with 0.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{it is the ring's first}}
  %r = tile.ring feed = cp_async : !r
  // expected-error @+1 {{acquires number 1, but 0 comes next}}
  tile.acquire %r[%c1] : !r
  tile.copy %x[%c1, %c1] to %r[%c1] part 0 : memref<?x8xf32>, !r
  tile.commit %r[%c1] : !r
  %a = tile.wait %r[%c1] : !r
  tile.release %r[%c1] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
// Loops around do not carry how many numbers there were.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      // expected-error @+1 {{acquires number 0, but 3 comes next}}
      tile.acquire %r[%k] : !r
      tile.copy %x[%k, %c0] to %r[%k] part 0 : memref<?x8xf32>, !r
      // expected-note @+1 {{behind this}}
      tile.commit %r[%k] : !r
      %a = tile.wait %r[%k] : !r
      tile.release %r[%k] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
// They carry a wrong sum, which is right if all rounds are equally long only.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !r
  scf.for %i = %c0 to %n step %c1 {
    %left = arith.subi %n, %i : index
    %base = arith.muli %i, %left : index
    scf.for %k = %c0 to %left step %c1 {
      %number = arith.addi %base, %k : index
      // expected-error @+1 {{acquires number 2, but 3 comes next}}
      tile.acquire %r[%number] : !r
      tile.copy %x[%k, %c0] to %r[%number] part 0 : memref<?x8xf32>, !r
      // expected-note @+1 {{behind this}}
      tile.commit %r[%number] : !r
      %a = tile.wait %r[%number] : !r
      tile.release %r[%number] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %r = tile.ring feed = cp_async : !r
  // expected-error @+1 {{has a number that is not counted, but depends on sizes, data or the block's place}}
  tile.acquire %r[%i] : !r
  tile.copy %x[%i, %i] to %r[%i] part 0 : memref<?x8xf32>, !r
  tile.commit %r[%i] : !r
  %a = tile.wait %r[%i] : !r
  tile.release %r[%i] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !r
  // expected-note @+1 {{it is acquired here}}
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  // expected-error @+1 {{acquires number 1, but 0 is not committed}}
  tile.acquire %r[%c1] : !r
  tile.commit %r[%c0] : !r
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{to this ring}}
  %r = tile.ring feed = cp_async : !r
  // expected-error @+1 {{copies number 0, which is not acquired}}
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
// Into another number than the one that was acquired.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !r
  // expected-note @+1 {{behind this}}
  tile.acquire %r[%c0] : !r
  // expected-error @+1 {{copies number 1, which is not acquired}}
  tile.copy %x[%c0, %c0] to %r[%c1] part 0 : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>, tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !r
  tile.acquire %r[%c0] : !r
  // expected-note @+1 {{it is copied here}}
  tile.copy %x[%c0, %c0] to %r[%c0] part 1 : memref<?x8xf32>, !r
  // expected-error @+1 {{copies part 1 of number 0 again}}
  tile.copy %x[%c0, %c0] to %r[%c0] part 1 : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  %a:2 = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>, tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !r
  // expected-note @+1 {{since it was acquired}}
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 1 : memref<?x8xf32>, !r
  // expected-error @+1 {{commits number 0, but part 0 is not copied}}
  tile.commit %r[%c0] : !r
  %a:2 = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
// The copy engine counts: it has no commits without copies.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = tma : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  // expected-note @+1 {{behind this}}
  tile.commit %r[%c0] : !r
  // expected-error @+1 {{commits number 1, which is not acquired}}
  tile.commit %r[%c1] : !r
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of this ring}}
  %r = tile.ring feed = tma : !r
  // expected-error @+1 {{commits number 0, which is not acquired}}
  tile.commit %r[%c0] : !r
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of this ring}}
  %r = tile.ring feed = cp_async : !r
  // expected-error @+1 {{acquires number 0, which is never committed}}
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  // expected-note @+1 {{behind this}}
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
  // expected-error @+1 {{waits for number 0, but 1 comes next}}
  %b = tile.wait %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  // expected-note @+1 {{behind this}}
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
  // expected-error @+1 {{releases number 0, but 1 comes next}}
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of this ring}}
  %r = tile.ring feed = cp_async : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  // expected-error @+1 {{releases number 0, which is not waited for}}
  tile.release %r[%c0] : !r
  %a = tile.wait %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of this ring}}
  %r = tile.ring feed = cp_async : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  // expected-error @+1 {{waits for number 0, but only 0 numbers are ever released}}
  %a = tile.wait %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
// Copied a round more than there are.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{this one}}
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      scf.for %k = %c0 to %n step %c1 {
        %a = tile.wait %r[%k] : !r
        tile.release %r[%k] : !r
      }
    }
    tile.role load warps 4 {
      %more = arith.addi %n, %c1 : index
      scf.for %k = %c0 to %more step %c1 {
        tile.acquire %r[%k] : !r
        tile.copy %x[%k, %c0] to %r[%k] part 0 : memref<?x8xf32>, !r
        // expected-error @+1 {{is the last of a ring of which 1 numbers are filled, but not waited for}}
        tile.commit %r[%k] : !r
      }
    }
  }
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
// Both are unfilled when the loop begins, and one may be.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  // expected-note @+1 {{the last that was filled}}
  tile.commit %r[%c0] : !r
  // expected-error @+1 {{lets 1 commits be under way, but since number 0 there were only 0}}
  %a = tile.wait %r[%c0] behind 1 : !r
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{this one}}
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      // expected-error @+1 {{says how many commits may be under way, but its role does not fill the ring}}
      %a = tile.wait %r[%c0] behind 0 : !r
      tile.release %r[%c0] : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
// Three numbers are copied ahead, but there are two slots.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expected-note @+1 {{of this ring}}
  %r = tile.ring feed = cp_async : !r
  scf.for %k = %c0 to %c3 step %c1 {
    // expected-error @+1 {{waits for ever: number 0, which is in its slot, is not released before}}
    tile.acquire %r[%k] : !r
    tile.copy %x[%k, %c0] to %r[%k] part 0 : memref<?x8xf32>, !r
    tile.commit %r[%k] : !r
  }
  scf.for %k = %c0 to %c3 step %c1 {
    %a = tile.wait %r[%k] : !r
    tile.release %r[%k] : !r
  }
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of this ring}}
  %r = tile.ring feed = cp_async : !r
  // expected-error @+1 {{waits for ever: number 0 is not filled before}}
  %a = tile.wait %r[%c0] : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<1 x (tensor<4x8xf32, #s>)>
// Two rings are filled in another order than they are read, and too shallow
// for it.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.ring feed = tma : !r
  // expected-note @+1 {{of this ring}}
  %b = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      // expected-error @+1 {{waits for ever: number 0 is not filled before}}
      %0 = tile.wait %b[%c0] : !r
      tile.release %b[%c0] : !r
      %1 = tile.wait %a[%c0] : !r
      tile.release %a[%c0] : !r
      %2 = tile.wait %a[%c1] : !r
      tile.release %a[%c1] : !r
    }
    tile.role load warps 4 {
      tile.acquire %a[%c0] : !r
      tile.copy %x[%c0, %c0] to %a[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %a[%c0] : !r
      // expected-note @+1 {{while this waits for number 1 of its ring}}
      tile.acquire %a[%c1] : !r
      tile.copy %x[%c0, %c0] to %a[%c1] part 0 : memref<?x8xf32>, !r
      tile.commit %a[%c1] : !r
      tile.acquire %b[%c0] : !r
      tile.copy %x[%c0, %c0] to %b[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %b[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<1 x (tensor<4x8xf32, #s>)>
// Acquiring waits for other roles, not for other threads of one.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{a slot of this ring}}
  %r = tile.ring feed = cp_async : !r
  scf.for %k = %c0 to %n step %c1 {
    // expected-error @+1 {{fills the slot of number 0, which other threads may still read: none has waited since it was released}}
    tile.acquire %r[%k] : !r
    tile.copy %x[%k, %c0] to %r[%k] part 0 : memref<?x8xf32>, !r
    tile.commit %r[%k] : !r
    %a = tile.wait %r[%k] : !r
    tile.release %r[%k] : !r
  }
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<1 x (tensor<4x8xf32, #s>)>
// A loop that goes on until something is seen cannot be followed.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %r = tile.ring feed = cp_async : !r
  // expected-error @+1 {{decides what is done to rings, but only 'scf.for', 'scf.if' and roles can be followed}}
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    tile.acquire %r[%c0] : !r
    tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
    tile.commit %r[%c0] : !r
    %a = tile.wait %r[%c0] : !r
    tile.release %r[%c0] : !r
    scf.yield
  }
}

// -----

// A number is committed once.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  // expected-note @+1 {{behind this}}
  tile.commit %r[%c0] : !r
  // expected-error @+1 {{commits number 0, which is not acquired}}
  tile.commit %r[%c0] : !r
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

// Another one is not, as long as one is open.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = cp_async : !r
  // expected-note @+1 {{behind this}}
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  // expected-error @+1 {{commits number 1, which is not acquired}}
  tile.commit %r[%c1] : !r
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

// What is committed without having been acquired is not there.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{of this ring}}
  %r = tile.ring feed = cp_async : !r
  tile.commit %r[%c0] : !r
  // expected-error @+1 {{waits for ever: number 0 is not filled before}}
  %a = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

// What the copy engine is told is no group that may be under way.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !r
  %e = tile.ring feed = tma : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  // expected-note @+1 {{the last that was filled}}
  tile.commit %r[%c0] : !r
  tile.acquire %e[%c0] : !r
  tile.copy %x[%c0, %c0] to %e[%c0] part 0 : memref<?x8xf32>, !r
  tile.commit %e[%c0] : !r
  // expected-error @+1 {{lets 1 commits be under way, but since number 0 there were only 0}}
  %a = tile.wait %r[%c0] behind 1 : !r
  tile.release %r[%c0] : !r
  %b = tile.wait %e[%c0] : !r
  tile.release %e[%c0] : !r
}
