// What goes wrong between the blocks of a cluster.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --tile-simulate="grid=2"

// Without the release of one block the other one's slots are not empty either.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block}}
tile.kernel @no_release(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %isFirst = arith.cmpi eq, %i, %c0 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %end = arith.select %isFirst, %c5, %c1 : index
      scf.for %n = %c0 to %c5 step %c1 {
        // expected-error @+2 {{waits for ever, for number 3}}
        // expected-note @+1 {{and 'tile.wait' waits here in block 1 of the cluster, for number 3}}
        %t = tile.wait %r[%n] : !ring
        %isRead = arith.cmpi ult, %n, %end : index
        scf.if %isRead {
          tile.release %r[%n] : !ring
        }
      }
    }
    tile.role load warps 1 {
      scf.for %n = %c0 to %c5 step %c1 {
        %at = arith.muli %n, %c4 : index
        // expected-note @+2 {{and 'tile.acquire' waits here in block 0 of the cluster, for number 3}}
        // expected-note @+1 {{and 'tile.acquire' waits here in block 1 of the cluster, for number 3}}
        tile.acquire %r[%n] : !ring
        tile.copy %x[%at] to %r[%n] part 0 multicast : memref<20xf32>, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}

// -----

// A block that ends early brings no more shares.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block}}
tile.kernel @ends_early(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %isFirst = arith.cmpi eq, %i, %c0 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %end = arith.select %isFirst, %c5, %c4 : index
      scf.for %n = %c0 to %end step %c1 {
        // expected-error @+1 {{waits for ever, for number 4}}
        %t = tile.wait %r[%n] : !ring
        tile.release %r[%n] : !ring
      }
    }
    tile.role load warps 1 {
      %end = arith.select %isFirst, %c5, %c4 : index
      scf.for %n = %c0 to %end step %c1 {
        %at = arith.muli %n, %c4 : index
        tile.acquire %r[%n] : !ring
        tile.copy %x[%at] to %r[%n] part 0 multicast : memref<20xf32>, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}

// -----

// Shares are of one tile.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block}}
tile.kernel @other_tile(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %isFirst = arith.cmpi eq, %i, %c0 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c5 step %c1 {
        %t = tile.wait %r[%n] : !ring
        tile.release %r[%n] : !ring
      }
    }
    tile.role load warps 1 {
      scf.for %n = %c0 to %c5 step %c1 {
        %at = arith.muli %n, %c4 : index
        tile.acquire %r[%n] : !ring
        %else = arith.addi %at, %i : index
        // expected-error @+2 {{brings a share of part 0 of number 0 to all blocks of the cluster, but block 0 copies something else}}
        // expected-note @+1 {{it is copied here}}
        tile.copy %x[%else] guarded to %r[%n] part 0 multicast : memref<20xf32>, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}

// -----

// One block copies for itself what the other one brings a share of.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block}}
tile.kernel @alone(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %isFirst = arith.cmpi eq, %i, %c0 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c5 step %c1 {
        %t = tile.wait %r[%n] : !ring
        tile.release %r[%n] : !ring
      }
    }
    tile.role load warps 1 {
      scf.for %n = %c0 to %c5 step %c1 {
        %at = arith.muli %n, %c4 : index
        tile.acquire %r[%n] : !ring
        scf.if %isFirst {
          // expected-note @+1 {{it is copied here}}
          tile.copy %x[%at] to %r[%n] part 0 multicast : memref<20xf32>, !ring
        } else {
          // expected-error @+1 {{copies part 0 of number 0 again}}
          tile.copy %x[%at] to %r[%n] part 0 : memref<20xf32>, !ring
        }
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}

// -----

// A share of each block is needed, and one block brings none.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block}}
tile.kernel @no_share(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %isFirst = arith.cmpi eq, %i, %c0 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c5 step %c1 {
        %t = tile.wait %r[%n] : !ring
        tile.release %r[%n] : !ring
      }
    }
    tile.role load warps 1 {
      scf.for %n = %c0 to %c5 step %c1 {
        %at = arith.muli %n, %c4 : index
        // expected-note @+1 {{it was acquired here}}
        tile.acquire %r[%n] : !ring
        scf.if %isFirst {
          tile.copy %x[%at] to %r[%n] part 0 multicast : memref<20xf32>, !ring
        }
        // expected-error @+1 {{commits number 0 without part 0}}
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}

// -----

// A block gets a share that it does not ask for.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block}}
tile.kernel @not_acquired(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %isFirst = arith.cmpi eq, %i, %c0 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {

    }
    tile.role load warps 1 {
      scf.if %isFirst {
      } else {
        tile.acquire %r[%c0] : !ring
        // expected-error @+1 {{brings a share of number 0 to block 0 of its cluster, which never acquires it}}
        tile.copy %x[%c0] to %r[%c0] part 0 multicast : memref<20xf32>, !ring
        tile.commit %r[%c0] : !ring
      }
    }
  }
  tile.return
}

// -----

// Outside of roles nobody knows whether the others have begun,
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @not_begun(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %isFirst = arith.cmpi eq, %i, %c0 : index
  %c1000 = arith.constant 1000 : index
  %long = arith.select %isFirst, %c0, %c1000 : index
  scf.for %n = %c0 to %long step %c1 {
    %twice = arith.addi %n, %n : index
  }
  %r = tile.ring feed = tma : !ring
  scf.if %isFirst {
    tile.acquire %r[%c0] : !ring
    // expected-error @+1 {{reaches into block 1 of its cluster, which has not made the ring yet: only in 'tile.roles' are all of them there}}
    tile.copy %x[%c0] to %r[%c0] part 0 multicast : memref<20xf32>, !ring
    tile.commit %r[%c0] : !ring
  }
  tile.return
}

// -----

// or have ended.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
// expected-note @+1 {{seen in block [0]}}
tile.kernel @ended(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %isFirst = arith.cmpi eq, %i, %c0 : index
  %r = tile.ring feed = tma : !ring
  %c1000 = arith.constant 1000 : index
  %long = arith.select %isFirst, %c1000, %c0 : index
  scf.for %n = %c0 to %long step %c1 {
    %twice = arith.addi %n, %n : index
  }
  scf.if %isFirst {
    tile.acquire %r[%c0] : !ring
    // expected-error @+1 {{reaches into block 1 of its cluster, which has ended: only in 'tile.roles' are all of them there}}
    tile.copy %x[%c0] to %r[%c0] part 0 multicast : memref<20xf32>, !ring
    tile.commit %r[%c0] : !ring
  }
  tile.return
}

// -----

// Of so many blocks a cluster has to be.
// expected-note @+1 {{seen in block}}
tile.kernel @few(%x: memref<2x4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%i, %c0] map (d0) -> (0, d0) : memref<2x4xf32> -> tensor<4xf32>
  // expected-error @+1 {{collects from 4 blocks, but its cluster has 2}}
  %all:4 = tile.collect %t axes [0] blocks 4 : (tensor<4xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  tile.store %all#0, %y[%i] : tensor<1xf32>, memref<4xf32>
  tile.return
}

// -----

// expected-note @+1 {{seen in block}}
tile.kernel @no_cluster(%x: memref<2x4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%i, %c0] map (d0) -> (0, d0) : memref<2x4xf32> -> tensor<4xf32>
  // expected-error @+1 {{collects from 2 blocks, but its cluster has 1}}
  %all:2 = tile.collect %t axes [0] blocks 2 : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  tile.store %all#0, %y[%i] : tensor<2xf32>, memref<4xf32>
  tile.return
}

// -----

// A block waits for what nobody copies, and the other one for that block.
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
!ring = !tile.ring<2 x (tensor<4xf32, #s>)>
#l = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]]>
#half = #tile.layout<cell = [2] lane = [[1], [0], [0], [0], [0]]>
// expected-note @+1 {{seen in block}}
tile.kernel @never_comes(%x: memref<20xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %isFirst = arith.cmpi eq, %i, %c0 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : tensor<4xf32, #l>
      %sum = scf.for %n = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (tensor<4xf32, #l>) {
        // expected-note @+1 {{and 'tile.wait' waits here in block 1 of the cluster, for number 1}}
        %t = tile.wait %r[%n] : !ring
        %u = tile.convert_layout %t : tensor<4xf32, #s> -> tensor<4xf32, #l>
        tile.release %r[%n] : !ring
        %more = arith.addf %acc, %u : tensor<4xf32, #l>
        scf.yield %more : tensor<4xf32, #l>
      }
      // expected-error @+1 {{waits for ever, for the other blocks of its cluster}}
      %all:2 = tile.collect %sum axes [0] blocks 2 : (tensor<4xf32, #l>) -> (tensor<2xf32, #half>, tensor<2xf32, #half>)
      %at = arith.muli %i, %c2 : index
      tile.store %all#0, %y[%at] : tensor<2xf32, #half>, memref<4xf32>
    }
    tile.role load warps 1 {
      %end = arith.select %isFirst, %c2, %c1 : index
      scf.for %n = %c0 to %end step %c1 {
        %at = arith.muli %n, %c4 : index
        tile.acquire %r[%n] : !ring
        tile.copy %x[%at] to %r[%n] part 0 : memref<20xf32>, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}

// -----

// expected-error @+1 {{has clusters of 3 blocks in dimension 0 of its grid, which has 2 there}}
tile.kernel @grid(%y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 3>} {
  tile.return
}

// -----

// expected-error @+1 {{has clusters of 2 dimensions, but its grid has 1}}
tile.kernel @rank(%y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.cluster = array<i64: 2, 1>} {
  tile.return
}
