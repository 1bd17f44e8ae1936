// How the number of a block in its cluster gets to what is copied for all of them.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged))'

// What three blocks have in common those of a pair need not.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %at = arith.divui %i, %c3 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !r
        // expected-error @+1 {{is for all blocks of a cluster, but what it copies depends on which of them it is}}
        tile.copy %x[%at, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// Nor is it what one block in a row of numbers has.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%block, %blocks, %rows, %columns) attributes {walks, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %at = arith.divui %block, %c1 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !r
        // expected-error @+1 {{is for all blocks of a cluster, but what it copies depends on which of them it is}}
        tile.copy %x[%at, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// A block goes round a loop as often as its number says, and counts.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      %at = scf.for %k = %c0 to %i step %c1 iter_args(%count = %c0) -> index {
        %next = arith.addi %count, %c1 : index
        scf.yield %next : index
      }
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !r
        // expected-error @+1 {{is for all blocks of a cluster, but what it copies depends on which of them it is}}
        tile.copy %x[%at, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// The number decides between two that all blocks know.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %row = arith.remui %i, %c2 : index
  %isFirst = arith.cmpi eq, %row, %c0 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      %at = scf.if %isFirst -> index {
        scf.yield %c0 : index
      } else {
        scf.yield %c2 : index
      }
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !r
        // expected-error @+1 {{is for all blocks of a cluster, but what it copies depends on which of them it is}}
        tile.copy %x[%at, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// Something else decides whether it is the number.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %isLate = arith.cmpi ne, %j, %c0 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      %at = scf.if %isLate -> index {
        scf.yield %c0 : index
      } else {
        scf.yield %i : index
      }
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !r
        // expected-error @+1 {{is for all blocks of a cluster, but what it copies depends on which of them it is}}
        tile.copy %x[%at, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// Where a copy ends may depend on it as well as where it begins.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !r
        // expected-error @+1 {{is for all blocks of a cluster, but what it copies depends on which of them it is}}
        tile.copy %x[%j, %c0] limits(%i) axes [0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// Threads copy to their own block.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.grid = array<i64: 4>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%i, %c0] to %r[%c0] part 0 multicast : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  %t = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
  tile.return
}
