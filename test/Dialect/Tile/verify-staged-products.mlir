// Products in flight whose operands, sums or waits are mixed up. Each fault names
// both ops.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged))'

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// What is read after it was released may be another number.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      // expected-note @+1 {{here}}
      tile.release %r[%c0] : !r
      // expected-error @+1 {{reads number 0 of a ring, which is released}}
      %0 = tile.dot %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s> -> tensor<8x8xf32, #r>
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// So may what a product reads that is not done.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      // expected-note @+1 {{this one}}
      %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      // expected-error @+1 {{releases number 0 without waiting for a product that reads it}}
      tile.release %r[%c0] : !r
      %0 = tile.take %p : tensor<8x8xf32, #r>
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// An older product says nothing of a younger one.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      // expected-note @+1 {{this one}}
      %q, %h = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      %0 = tile.take %p behind 1 : tensor<8x8xf32, #r>
      // expected-error @+1 {{releases number 0 without waiting for a product that reads it}}
      tile.release %r[%c0] after %g : !r
      %1 = tile.take %q : tensor<8x8xf32, #r>
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      // expected-note @+1 {{this one}}
      %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      // expected-error @+1 {{comes after a product that is not retired}}
      tile.release %r[%c0] after %g : !r
      %0 = tile.take %p : tensor<8x8xf32, #r>
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// A sum is taken once.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      // expected-note @+1 {{here}}
      %0 = tile.take %p : tensor<8x8xf32, #r>
      // expected-error @+1 {{goes on with a sum that is taken or added to already}}
      %1 = tile.take %p : tensor<8x8xf32, #r>
      tile.release %r[%c0] after %g : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// Nor is it added to twice.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      // expected-note @+1 {{here}}
      %q, %h = tile.dot_issue %a, %a, %p : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, !sum -> tensor<8x8xf32, #r>
      // expected-error @+1 {{goes on with a sum that is taken or added to already}}
      %u, %i = tile.dot_issue %a, %a, %p : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, !sum -> tensor<8x8xf32, #r>
      %0 = tile.take %u : tensor<8x8xf32, #r>
      tile.release %r[%c0] after %i : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      // expected-error @+1 {{sets off a sum that nobody takes}}
      %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      %done = tile.retire %g behind 0
      tile.release %r[%c0] after %done : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// Two rounds would write one sum.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      %last = scf.for %k = %c0 to %n step %c1 iter_args(%q = %p) -> (!sum) {
        %0 = tile.take %q : tensor<8x8xf32, #r>
        // expected-note @+1 {{but with this one}}
        %q1, %h = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
        // expected-error @+1 {{carries a sum in flight that does not go on with the one that was carried}}
        scf.yield %q1 : !sum
      }
      %1 = tile.take %last : tensor<8x8xf32, #r>
      tile.release %r[%c0] after %g : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// An outer loop starts each inner one with a sum of its own.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      %last = scf.for %k = %c0 to %n step %c1 iter_args(%q = %p) -> (!sum) {
        %0 = tile.take %q : tensor<8x8xf32, #r>
        // expected-note @+1 {{but with this one}}
        %q1, %h = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
        %inner = scf.for %j = %c0 to %n step %c1 iter_args(%u = %q1) -> (!sum) {
          %u1, %i = tile.dot_issue %a, %a, %u : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, !sum -> tensor<8x8xf32, #r>
          scf.yield %u1 : !sum
        }
        // expected-error @+1 {{carries a sum in flight that does not go on with the one that was carried}}
        scf.yield %inner : !sum
      }
      %1 = tile.take %last : tensor<8x8xf32, #r>
      tile.release %r[%c0] after %g : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// While a product reads registers, the next round computes them.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %none = arith.addf %zero, %zero : tensor<8x8xf32, #r>
      %last = scf.for %k = %c0 to %n step %c1 iter_args(%f = %none) -> (tensor<8x8xf32, #r>) {
        %a = tile.wait %r[%k] : !r
        // expected-note @+1 {{this one}}
        %p, %g = tile.dot_issue %f, %a, %zero : tensor<8x8xf32, #r>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
        // expected-error @+1 {{computes registers anew that a product in flight still reads}}
        %f1 = arith.addf %f, %f : tensor<8x8xf32, #r>
        %0 = tile.take %p : tensor<8x8xf32, #r>
        tile.release %r[%k] after %g : !r
        scf.yield %f1 : tensor<8x8xf32, #r>
      }
    }
    tile.role load warps 4 {
      scf.for %k = %c0 to %n step %c1 {
        tile.acquire %r[%k] : !r
        tile.copy %x[%k, %c0] to %r[%k] part 0 : memref<?x8xf32>, !r
        tile.commit %r[%k] : !r
      }
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// In the other order there are two sets of registers for a while, of which one
// is copied to the other.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %none = arith.addf %zero, %zero : tensor<8x8xf32, #r>
      %last = scf.for %k = %c0 to %n step %c1 iter_args(%f = %none) -> (tensor<8x8xf32, #r>) {
        %a = tile.wait %r[%k] : !r
        %f1 = arith.addf %f, %f : tensor<8x8xf32, #r>
        // expected-note @+1 {{this one}}
        %p, %g = tile.dot_issue %f, %a, %zero : tensor<8x8xf32, #r>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
        %is0 = arith.cmpi eq, %k, %c0 : index
        scf.if %is0 {
        } else {
          %0 = tile.take %p : tensor<8x8xf32, #r>
          tile.release %r[%k] after %g : !r
        }
        // expected-error @+1 {{carries new values into registers that a product in flight still reads}}
        scf.yield %f1 : tensor<8x8xf32, #r>
      }
    }
    tile.role load warps 4 {
      scf.for %k = %c0 to %n step %c1 {
        tile.acquire %r[%k] : !r
        tile.copy %x[%k, %c0] to %r[%k] part 0 : memref<?x8xf32>, !r
        tile.commit %r[%k] : !r
      }
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// One product was set off since.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      // expected-note @+1 {{this one}}
      %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      %q, %h = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      // expected-error @+1 {{lets 2 products be under way, but since the one that it waits for there were only 1}}
      %0 = tile.take %p behind 2 : tensor<8x8xf32, #r>
      %1 = tile.take %q : tensor<8x8xf32, #r>
      tile.release %r[%c0] after %h : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// In the first round none was: the loop should have been entered with one.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      // expected-note @+1 {{this one}}
      %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
      %last:2 = scf.for %k = %c0 to %n step %c1 iter_args(%q = %p, %h = %g) -> (!sum, !tile.group) {
        // expected-error @+1 {{lets 1 products be under way, but since the one that it waits for there were only 0}}
        %done = tile.retire %h behind 1
        %q1, %h1 = tile.dot_issue %a, %a, %q : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, !sum -> tensor<8x8xf32, #r>
        scf.yield %q1, %h1 : !sum, !tile.group
      }
      %0 = tile.take %last#0 : tensor<8x8xf32, #r>
      tile.release %r[%c0] after %last#1 : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
// Who writes a tile looks for products among its users, not behind loops.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %0 = arith.addf %zero, %zero : tensor<8x8xf32, #r>
  // expected-note @+1 {{only who uses this name is looked for}}
  %a = tile.convert_layout %0 : tensor<8x8xf32, #r> -> tensor<8x8xf32, #s>
  scf.for %k = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<8x8xf32, #s>) {
    // expected-error @+1 {{reads under another name what needs a fence where it is written}}
    %p, %g = tile.dot_issue %zero, %b, %zero : tensor<8x8xf32, #r>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
    %1 = tile.take %p : tensor<8x8xf32, #r>
    scf.yield %b : tensor<8x8xf32, #s>
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
// A wait knows its users only, too; the products may be done at once.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = cp_async : !r
  tile.acquire %r[%c0] : !r
  tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
  tile.commit %r[%c0] : !r
  // expected-note @+1 {{only who uses this name is looked for}}
  %a = tile.wait %r[%c0] : !r
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<8x8xf32, #s>) {
    // expected-error @+1 {{reads under another name what needs a fence where it is written}}
    %1 = tile.dot %zero, %b, %zero atom = wgmma : tensor<8x8xf32, #r>, tensor<8x8xf32, #s> -> tensor<8x8xf32, #r>
    scf.yield %b : tensor<8x8xf32, #s>
  }
  tile.release %r[%c0] : !r
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
// The next round writes the same place.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  scf.for %k = %c0 to %n step %c1 {
    %0 = arith.addf %zero, %zero : tensor<8x8xf32, #r>
    // expected-error @+1 {{writes shared memory that a product in flight still reads}}
    %b = tile.convert_layout %0 : tensor<8x8xf32, #r> -> tensor<8x8xf32, #s>
    // expected-note @+1 {{this one}}
    %p, %g = tile.dot_issue %zero, %b, %zero : tensor<8x8xf32, #r>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// What another role has set off, this one cannot wait for.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  %none = arith.addf %zero, %zero : tensor<8x8xf32, #r>
  %p, %g = tile.dot_issue %none, %none, %zero : tensor<8x8xf32, #r>, tensor<8x8xf32, #r>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      // expected-error @+1 {{needs a sum that its role has set off}}
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

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  %none = arith.addf %zero, %zero : tensor<8x8xf32, #r>
  %p, %g = tile.dot_issue %none, %none, %zero : tensor<8x8xf32, #r>, tensor<8x8xf32, #r>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      // expected-error @+1 {{waits for a product that its role has not set off}}
      %done = tile.retire %g behind 0
      tile.release %r[%c0] after %done : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  %none = arith.addf %zero, %zero : tensor<8x8xf32, #r>
  %p, %g = tile.dot_issue %none, %none, %zero : tensor<8x8xf32, #r>, tensor<8x8xf32, #r>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      // expected-error @+1 {{comes after a product that its role has not set off}}
      tile.release %r[%c0] after %g : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}

// -----

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
!sum = !tile.pending<tensor<8x8xf32, #r>>
// Nor does it know when another one has written.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  %none = arith.addf %zero, %zero : tensor<8x8xf32, #r>
  %b = tile.convert_layout %none : tensor<8x8xf32, #r> -> tensor<8x8xf32, #s>
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      // expected-error @+1 {{reads shared memory that is neither waited for nor written in its role}}
      %0 = tile.dot %zero, %b, %zero : tensor<8x8xf32, #r>, tensor<8x8xf32, #s> -> tensor<8x8xf32, #r>
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

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#r = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
// The products of a loop that read what is around it have no token behind it, but
// they are retired there.
tile.kernel @k(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32, #r>
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %a = tile.wait %r[%c0] : !r
      scf.for %i = %c0 to %c3 step %c1 {
        %p, %g = tile.dot_issue %a, %a, %zero : tensor<8x8xf32, #s>, tensor<8x8xf32, #s>, tensor<8x8xf32, #r> -> tensor<8x8xf32, #r>
        %0 = tile.take %p : tensor<8x8xf32, #r>
      }
      tile.release %r[%c0] : !r
    }
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<?x8xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
}
