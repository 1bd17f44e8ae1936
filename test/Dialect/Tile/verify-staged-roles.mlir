// Roles that cannot do what they are told to.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged))'

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = tma : !r
  // expected-note @+1 {{here}}
  tile.acquire %r[%c0] : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      tile.release %r[%c0] : !r
    }
    tile.role load warps 4 {
      // expected-error @+1 {{fills a ring that another role fills, too}}
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !r
  tile.roles {
    tile.role math warps 4 {
      // expected-note @+1 {{here}}
      %a = tile.wait %r[%c0] : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
      // expected-error @+1 {{reads a ring that another role reads, too}}
      tile.release %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{this one}}
  %r = tile.ring feed = cp_async : !r
  // expected-error @+1 {{reads a ring that nobody fills}}
  %a = tile.wait %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{this one}}
  %r = tile.ring feed = cp_async : !r
  // expected-error @+1 {{fills a ring that nobody reads}}
  tile.commit %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %true = arith.constant true
  // expected-note @+1 {{this one}}
  %r = tile.ring feed = cp_async : !r
  // expected-error @+1 {{hands on a ring, but rings have one name only}}
  %0 = arith.select %true, %r, %r : !r
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = ub.poison : !r
  // expected-error @+1 {{needs a ring as 'tile.ring' made it, under no other name}}
  tile.commit %0[%c0] : !r
}

// -----

// An element of a tile that has several is not in every thread.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#flags = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %flags: memref<4xi1>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = cp_async : !r
  %t = tile.load %flags[%c0] : memref<4xi1> -> tensor<4xi1, #flags>
  // expected-note @+1 {{not every thread has this element}}
  %is = tensor.extract %t[%c0] : tensor<4xi1, #flags>
  scf.if %is {
    // expected-error @+1 {{stands where threads come that need not all agree}}
    tile.acquire %r[%c0] : !r
    tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
    tile.commit %r[%c0] : !r
    %a = tile.wait %r[%c0] : !r
    tile.release %r[%c0] : !r
  }
}

// -----

#counts = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]]>
#acc = #tile.layout<cell = [4, 4] lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]]>
tile.kernel @k(%counts: memref<4xindex>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<4x4xf32, #acc>
  %t = tile.load %counts[%c0] : memref<4xindex> -> tensor<4xindex, #counts>
  // expected-note @+1 {{not every thread has this element}}
  %count = tensor.extract %t[%c0] : tensor<4xindex, #counts>
  %double = arith.addi %count, %count : index
  scf.for %k = %c0 to %double step %c1 {
    // expected-error @+1 {{stands where threads come that need not all agree}}
    %0 = tile.dot %zero, %zero, %zero : tensor<4x4xf32, #acc>, tensor<4x4xf32, #acc> -> tensor<4x4xf32, #acc>
  }
}

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#wide = #tile.layout<cell = [4] lane = [[1], [2], [0], [0], [0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{such as this one}}
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      tile.release %r[%c0] : !r
    }
    tile.role load warps 4 {
      // expected-error @+1 {{needs all threads of its role, but one thread alone fills rings for the copy engine}}
      %t = tile.iota %c0 coefficients [1] : tensor<4xi32, #wide>
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    // expected-error @+1 {{has 2 warps, but where they have registers given, they come in fours}}
    tile.role math warps 2 registers 40 {
    }
  }
}

// -----

#a = #tile.layout<cell = [4, 4] lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  %zero = arith.constant dense<0.0> : tensor<4x4xf32, #a>
  tile.roles {
    // expected-error @+1 {{has 6 warps, but where they set off products, they come in fours}}
    tile.role math warps 6 {
      %p, %g = tile.dot_issue %zero, %zero, %zero : tensor<4x4xf32, #a>, tensor<4x4xf32, #a>, tensor<4x4xf32, #a> -> tensor<4x4xf32, #a>
      %0 = tile.take %p : tensor<4x4xf32, #a>
    }
  }
}

// -----

#a = #tile.layout<cell = [4, 4] lane = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 0]]>
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() attributes {tile.warps = 2} {
  %zero = arith.constant dense<0.0> : tensor<4x4xf32, #a>
  // expected-error @+1 {{is set off by 2 warps, but they come in fours}}
  %p, %g = tile.dot_issue %zero, %zero, %zero : tensor<4x4xf32, #a>, tensor<4x4xf32, #a>, tensor<4x4xf32, #a> -> tensor<4x4xf32, #a>
  %0 = tile.take %p : tensor<4x4xf32, #a>
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    // expected-error @+1 {{has 36 registers a thread, but needs a multiple of 8 from 24 to 256}}
    tile.role math warps 4 registers 36 {
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    // expected-error @+1 {{has 16 registers a thread, but needs a multiple of 8 from 24 to 256}}
    tile.role math warps 4 registers 16 {
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  tile.roles {
    // expected-error @+1 {{has 264 registers a thread, but needs a multiple of 8 from 24 to 256}}
    tile.role math warps 4 registers 264 {
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{takes 66560 registers, but its 12 warps start with 64512}}
  tile.roles {
    tile.role math warps 8 registers 240 {
    }
    tile.role load warps 4 registers 40 {
    }
  }
}

// -----

// A processor has them, but 640 threads start with 96 each.
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{takes 62464 registers, but its 20 warps start with 61440}}
  tile.roles {
    tile.role math warps 16 registers 112 {
    }
    tile.role load warps 4 registers 40 {
    }
  }
}

// -----

// Who says nothing keeps what it has.
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{takes 66560 registers, but its 12 warps start with 64512}}
  tile.roles {
    tile.role math warps 8 registers 176 {
    }
    tile.role load warps 4 {
    }
  }
}

// -----

tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() {
  // expected-error @+1 {{has 36 warps, but a block has 32 at most}}
  tile.roles {
    tile.role math warps 32 {
    }
    tile.role load warps 4 {
    }
  }
}

// -----

// Nor does one thread store for all, though nothing comes of that.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>
#r = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #r>
  // expected-note @+1 {{such as this one}}
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      tile.release %r[%c0] : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
      // expected-error @+1 {{needs all threads of its role, but one thread alone fills rings for the copy engine}}
      tile.store %zero, %y[%c0, %c0] : tensor<4x8xf32, #r>, memref<4x8xf32>
    }
  }
}

// -----

// Blocks that share a processor share its registers.
tile.kernel @k(%y: memref<4xf32>) outputs 1 blocks() attributes {tile.residents = 2} {
  // expected-error @+1 {{takes 49152 registers, but its 8 warps start with 32768}}
  tile.roles {
    tile.role math warps 4 registers 240 {
    }
    tile.role load warps 4 registers 144 {
    }
  }
}
