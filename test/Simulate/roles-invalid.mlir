// What goes wrong between roles.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --tile-simulate="grid=1"

// Without a release the second filling of a slot waits for ever, and so does its reader.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0] of 'no_release'}}
tile.kernel @no_release(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c5 step %c1 {
        // expected-error @+1 {{waits for ever, for number 2}}
        %t = tile.wait %r[%n] : !ring
      }
    }
    tile.role load warps 1 {
      scf.for %n = %c0 to %c5 step %c1 {
        %at = arith.muli %n, %c4 : index
        // expected-note @+1 {{and 'tile.acquire' waits here, for number 2}}
        tile.acquire %r[%n] : !ring
        tile.copy %x[%at] to %r[%n] part 0 : memref<20xf32>, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}

// -----

// Three numbers are held at a time, but there are two slots.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @too_few_slots(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %t0 = tile.wait %r[%c0] : !ring
      %t1 = tile.wait %r[%c1] : !ring
      // expected-error @+1 {{waits for ever, for number 2}}
      %t2 = tile.wait %r[%c2] : !ring
      tile.release %r[%c0] : !ring
      tile.release %r[%c1] : !ring
      tile.release %r[%c2] : !ring
    }
    tile.role load warps 1 {
      scf.for %n = %c0 to %c3 step %c1 {
        %at = arith.muli %n, %c4 : index
        // expected-note @+1 {{and 'tile.acquire' waits here, for number 2}}
        tile.acquire %r[%n] : !ring
        tile.copy %x[%at] to %r[%n] part 0 : memref<20xf32>, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}

// -----

// Fewer numbers come than are waited for.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @no_more(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %t0 = tile.wait %r[%c0] : !ring
      tile.release %r[%c0] : !ring
      // expected-error @+1 {{waits for ever, for number 1}}
      %t1 = tile.wait %r[%c1] : !ring
    }
    tile.role load warps 1 {
      tile.acquire %r[%c0] : !ring
      tile.copy %x[%c0] to %r[%c0] part 0 : memref<20xf32>, !ring
      tile.commit %r[%c0] : !ring
    }
  }
  tile.return
}

// -----

// A number that nobody has waited for is no longer there.
#l = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]]>
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @reads_late(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %t0 = tile.wait %r[%c0] : !ring
      tile.release %r[%c0] : !ring
      // expected-error @+1 {{reads number 0, which has been released}}
      %u = tile.convert_layout %t0 : tensor<4xf32, #s> -> tensor<4xf32, #l>
    }
    tile.role load warps 1 {
      // expected-note @+1 {{it was acquired here}}
      tile.acquire %r[%c0] : !ring
      tile.copy %x[%c0] to %r[%c0] part 0 : memref<20xf32>, !ring
      tile.commit %r[%c0] : !ring
    }
  }
  tile.return
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @empty_commit(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %t0 = tile.wait %r[%c0] : !ring
      tile.release %r[%c0] : !ring
    }
    tile.role load warps 1 {
      // expected-error @+1 {{commits number 0, which is not acquired}}
      tile.commit %r[%c0] : !ring
    }
  }
  tile.return
}
