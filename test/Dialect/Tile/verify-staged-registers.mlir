// Registers that a product in flight reads, under the names that loops and branches give them.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged))'

// What a loop has left is computed anew when it comes round again, while a product reads it.
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %none = arith.addf %zero, %zero : tensor<8x8xf32, #r>
      %a = tile.wait %r[%c0] : !r
      %start = tile.start %zero : tensor<8x8xf32, #r>
      %sum = scf.for %o = %c0 to %c2 step %c1 iter_args(%s = %start) -> (!sum) {
        // expected-error @+1 {{computes registers anew that a product in flight still reads}}
        %f = scf.for %i = %c0 to %c1 step %c1 iter_args(%c = %none) -> (tensor<8x8xf32, #r>) {
          %d = arith.addf %c, %c : tensor<8x8xf32, #r>
          scf.yield %d : tensor<8x8xf32, #r>
        }
        // expected-note @+1 {{this one}}
        %p, %g = tile.dot_issue %f, %a, %s : tensor<8x8xf32, #r>, tensor<8x8xf32, #s>, !sum -> tensor<8x8xf32, #r>
        scf.yield %p : !sum
      }
      %0 = tile.take %sum : tensor<8x8xf32, #r>
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

// So does a loop that is gone through, in whose registers that is.
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  %q = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %none = arith.addf %zero, %zero : tensor<8x8xf32, #r>
      %a = tile.wait %r[%c0] : !r
      %start = tile.start %zero : tensor<8x8xf32, #r>
      %sum = scf.for %o = %c0 to %c2 step %c1 iter_args(%s = %start) -> (!sum) {
        %f = scf.for %i = %c0 to %c1 step %c1 iter_args(%c = %none) -> (tensor<8x8xf32, #r>) {
          %w = tile.wait %q[%o] : !r
          tile.release %q[%o] : !r
          // expected-error @+1 {{computes registers anew that a product in flight still reads}}
          %d = arith.addf %c, %c : tensor<8x8xf32, #r>
          scf.yield %d : tensor<8x8xf32, #r>
        }
        // expected-note @+1 {{this one}}
        %p, %g = tile.dot_issue %f, %a, %s : tensor<8x8xf32, #r>, tensor<8x8xf32, #s>, !sum -> tensor<8x8xf32, #r>
        scf.yield %p : !sum
      }
      %0 = tile.take %sum : tensor<8x8xf32, #r>
      tile.release %r[%c0] : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
      scf.for %o = %c0 to %c2 step %c1 {
        tile.acquire %q[%o] : !r
        tile.copy %x[%c0, %c0] to %q[%o] part 0 : memref<?x8xf32>, !r
        tile.commit %q[%o] : !r
      }
    }
  }
}

// -----

// A branch leaves what it has in registers that a product of the round before may read.
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %none = arith.addf %zero, %zero : tensor<8x8xf32, #r>
      %a = tile.wait %r[%c0] : !r
      %start = tile.start %zero : tensor<8x8xf32, #r>
      %sum = scf.for %o = %c0 to %c2 step %c1 iter_args(%s = %start) -> (!sum) {
        %isFirst = arith.cmpi eq, %o, %c0 : index
        // expected-error @+1 {{computes registers anew that a product in flight still reads}}
        %f = scf.if %isFirst -> (tensor<8x8xf32, #r>) {
          scf.yield %none : tensor<8x8xf32, #r>
        } else {
          scf.yield %zero : tensor<8x8xf32, #r>
        }
        // expected-note @+1 {{this one}}
        %p, %g = tile.dot_issue %f, %a, %s : tensor<8x8xf32, #r>, tensor<8x8xf32, #s>, !sum -> tensor<8x8xf32, #r>
        scf.yield %p : !sum
      }
      %0 = tile.take %sum : tensor<8x8xf32, #r>
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

// What is there before a loop is copied where a round ends, while a product reads it.
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %none = arith.addf %zero, %zero : tensor<8x8xf32, #r>
      %all = arith.addf %none, %none : tensor<8x8xf32, #r>
      %a = tile.wait %r[%c0] : !r
      %p, %g = tile.dot_issue %all, %a, %zero : tensor<8x8xf32, #r>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      %f = scf.for %i = %c0 to %c1 step %c1 iter_args(%c = %none) -> (tensor<8x8xf32, #r>) {
        scf.yield %all : tensor<8x8xf32, #r>
      }
      %0 = tile.take %p : tensor<8x8xf32, #r>
      tile.release %r[%c0] : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}
