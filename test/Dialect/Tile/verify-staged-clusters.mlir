// Blocks of a cluster that do not do the same.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged))'

// Of the place in the grid what a cluster has in common may be used, and all of it by what blocks copy for themselves.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @pairs(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pair = arith.divui %i, %c2 : index
  %at = arith.addi %pair, %j : index
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
        tile.copy %x[%at, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

tile.kernel @apart(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
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
        tile.copy %x[%i, %c0] to %r[%n] part 0 : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

tile.kernel @walks(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%block, %blocks, %rows, %columns) attributes {walks, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %cluster = arith.divui %block, %c2 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %columns step %c1 {
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %columns step %c1 {
        tile.acquire %r[%n] : !r
        tile.copy %x[%cluster, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// The size of the grid is one that clusters divide.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
// expected-error @+1 {{cannot have its clusters: dimension 0 of the grid is 3, no multiple of 2}}
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 3, 4>, tile.cluster = array<i64: 2, 1>} {
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
        tile.copy %x[%j, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// Shares of different tiles make none.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %at = arith.addi %i, %j : index
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

// Nor is it the same where a loop carries it.
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
      %last = scf.for %n = %c0 to %c2 step %c1 iter_args(%at = %c0) -> (index) {
        tile.acquire %r[%n] : !r
        // expected-error @+1 {{is for all blocks of a cluster, but what it copies depends on which of them it is}}
        tile.copy %x[%at, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
        %next = arith.addi %at, %i : index
        scf.yield %next : index
      }
    }
  }
  tile.return
}

// -----

// A block that reads less often than another one does not let that one go on.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      // expected-note @+1 {{that depends on which of them it is}}
      scf.for %n = %c0 to %i step %c1 {
        // expected-error @+1 {{stands where not all blocks of a cluster come, or not equally often}}
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %i step %c1 {
        tile.acquire %r[%n] : !r
        tile.copy %x[%j, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// One block alone does not fill a slot.
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
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !r
        // expected-note @+1 {{that depends on which of them it is}}
        scf.if %isFirst {
          // expected-error @+1 {{stands where not all blocks of a cluster come, or not equally often}}
          tile.copy %x[%j, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        }
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// Blocks that walk are numbered; all but the cluster's number is of one block.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%block, %blocks, %rows, %columns) attributes {walks, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %own = arith.remui %block, %c2 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %columns step %c1 {
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %columns step %c1 {
        tile.acquire %r[%n] : !r
        // expected-error @+1 {{is for all blocks of a cluster, but what it copies depends on which of them it is}}
        tile.copy %x[%own, %c0] to %r[%n] part 0 multicast : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

// -----

// Before and behind roles another block may not be there.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.grid = array<i64: 4>, tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = tma : !r
  // expected-error @+1 {{fills or frees slots of other blocks, too, but only in roles are all blocks of a cluster there}}
  tile.acquire %r[%c0] : !r
  // expected-note @+1 {{this is for all of them}}
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 multicast : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  %t = tile.wait %r[%c0] : !r
  tile.release %r[%c0] : !r
}

// -----

#all = #tile.layout<cell = [64, 4] reg = [[0, 1], [0, 2], [32, 0]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#half = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
// expected-error @+1 {{cannot have its clusters: it collects from 2 blocks that are neighbours in the first dimension of the grid, which form no cluster}}
tile.kernel @k(%x: memref<64x4xf32>, %y: memref<32x4xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #all>
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x4xf32, #all>) -> (tensor<32x4xf32, #half>, tensor<32x4xf32, #half>)
  %s = arith.addf %a#0, %a#1 : tensor<32x4xf32, #half>
  tile.store %s, %y[%c0, %c0] : tensor<32x4xf32, #half>, memref<32x4xf32>
  tile.return
}

// -----

#all = #tile.layout<cell = [64, 4] reg = [[0, 1], [0, 2], [32, 0]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#half = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
// expected-error @+1 {{cannot have its clusters: it collects from 2 blocks that are neighbours in the first dimension of the grid, which form no cluster}}
tile.kernel @k(%x: memref<64x4xf32>, %y: memref<32x4xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 1, 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #all>
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x4xf32, #all>) -> (tensor<32x4xf32, #half>, tensor<32x4xf32, #half>)
  %s = arith.addf %a#0, %a#1 : tensor<32x4xf32, #half>
  tile.store %s, %y[%c0, %c0] : tensor<32x4xf32, #half>, memref<32x4xf32>
  tile.return
}

// -----

#all = #tile.layout<cell = [64, 4] reg = [[0, 1], [0, 2], [32, 0]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#half = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
// expected-error @+1 {{cannot have its clusters: it collects from 2 blocks that are neighbours in the first dimension of the grid, which form no cluster}}
tile.kernel @k(%x: memref<64x4xf32>, %y: memref<32x4xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 2, 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #all>
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x4xf32, #all>) -> (tensor<32x4xf32, #half>, tensor<32x4xf32, #half>)
  %s = arith.addf %a#0, %a#1 : tensor<32x4xf32, #half>
  tile.store %s, %y[%c0, %c0] : tensor<32x4xf32, #half>, memref<32x4xf32>
  tile.return
}

// -----

#all = #tile.layout<cell = [64, 4] reg = [[0, 1], [0, 2], [32, 0]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#half = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
// expected-error @+1 {{cannot have its clusters: it collects from 2 blocks that are neighbours in the first dimension of the grid, which form no cluster}}
tile.kernel @k(%x: memref<64x4xf32>, %y: memref<32x4xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.grid = array<i64: 4, 4>, tile.cluster = array<i64: 4, 1>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<64x4xf32> -> tensor<64x4xf32, #all>
  %a:2 = tile.collect %t axes [0] blocks 2 : (tensor<64x4xf32, #all>) -> (tensor<32x4xf32, #half>, tensor<32x4xf32, #half>)
  %s = arith.addf %a#0, %a#1 : tensor<32x4xf32, #half>
  tile.store %s, %y[%c0, %c0] : tensor<32x4xf32, #half>, memref<32x4xf32>
  tile.return
}
