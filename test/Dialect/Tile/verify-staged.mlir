// Kernels of the staged form in which everything follows in its order. Those
// that passes make are seen in test/Target, where pipelines end with the check.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged))' -o /dev/null
// Nothing is said of a round in the middle of which it stops.
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged{steps=22}))' -o /dev/null
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged{steps=44}))' -o /dev/null

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#scalar = #tile.layout<cell = [] lane = [[], [], [], [], []] warp = [[], []]>
!one = !tile.ring<2 x (tensor<64x64xf16, #s>)>
!two = !tile.ring<3 x (tensor<64x64xf16, #s>, tensor<64x64xf16, #s>)>

// One role copies, one adds products to a sum that stays in flight; a slot is
// released a round later. Both are left out where there is no round.
tile.kernel @matmul(%x: memref<?x64xf16>, %y: memref<64x64xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %r = tile.ring feed = tma : !two
  tile.roles {
    tile.role math warps 4 registers 232 {
      %any = arith.cmpi sgt, %n, %c0 : index
      scf.if %any {
        %a, %b = tile.wait %r[%c0] : !two
        %p, %g = tile.dot_issue %a, %b, %zero : tensor<64x64xf16, #s>, tensor<64x64xf16, #s>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
        %last:2 = scf.for %k = %c1 to %n step %c1 iter_args(%q = %p, %h = %g) -> (!tile.pending<tensor<64x64xf32, #acc>>, !tile.group) {
          %a1, %b1 = tile.wait %r[%k] : !two
          %q1, %h1 = tile.dot_issue %a1, %b1, %q : tensor<64x64xf16, #s>, tensor<64x64xf16, #s>, !tile.pending<tensor<64x64xf32, #acc>> -> tensor<64x64xf32, #acc>
          %done = tile.retire %h behind 1
          %before = arith.subi %k, %c1 : index
          tile.release %r[%before] after %done : !two
          scf.yield %q1, %h1 : !tile.pending<tensor<64x64xf32, #acc>>, !tile.group
        }
        %done = tile.retire %last#1 behind 0
        %end = arith.subi %n, %c1 : index
        tile.release %r[%end] after %done : !two
        %sum = tile.take %last#0 : tensor<64x64xf32, #acc>
        tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32, #acc>, memref<64x64xf32>
      }
    }
    tile.role load warps 4 registers 40 {
      scf.for %k = %c0 to %n step %c1 {
        tile.acquire %r[%k] : !two
        tile.copy %x[%k, %c0] to %r[%k] part 0 : memref<?x64xf16>, !two
        tile.copy %x[%k, %c0] to %r[%k] part 1 : memref<?x64xf16>, !two
        tile.commit %r[%k] : !two
      }
    }
  }
  tile.return
}

// How many rounds there are, data says, in each round of a loop anew. Both
// roles compute it for themselves, and numbers go on from round to round.
tile.kernel @counted(%x: memref<?x64xf16>, %ids: memref<?xindex>, %y: memref<64x64xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tile.ring feed = tma : !one
  tile.roles {
    tile.role math warps 4 {
      %all = scf.for %i = %c0 to %n step %c1 iter_args(%base = %c0) -> (index) {
        %id = tile.load %ids[%i] map () -> (0) : memref<?xindex> -> tensor<index, #scalar>
        %to = tensor.extract %id[] : tensor<index, #scalar>
        %trips = arith.maxsi %to, %c0 : index
        scf.for %k = %c0 to %trips step %c1 {
          %number = arith.addi %base, %k : index
          %a = tile.wait %r[%number] : !one
          tile.release %r[%number] : !one
        }
        %next = arith.addi %base, %trips : index
        scf.yield %next : index
      }
    }
    tile.role load warps 4 {
      %all = scf.for %i = %c0 to %n step %c1 iter_args(%base = %c0) -> (index) {
        %id = tile.load %ids[%i] map () -> (0) : memref<?xindex> -> tensor<index, #scalar>
        %to = tensor.extract %id[] : tensor<index, #scalar>
        %trips = arith.maxsi %to, %c0 : index
        %next = scf.for %k = %c0 to %trips step %c1 iter_args(%number = %base) -> (index) {
          tile.acquire %r[%number] : !one
          tile.copy %x[%k, %c0] to %r[%number] part 0 : memref<?x64xf16>, !one
          tile.commit %r[%number] : !one
          %then = arith.addi %number, %c1 : index
          scf.yield %then : index
        }
        scf.yield %next : index
      }
    }
  }
  tile.return
}

// Two products in flight at a time, of which one reads registers that the next
// round computes anew, once it is done. The inner loop need not be followed.
tile.kernel @attention(%x: memref<?x64xf16>, %y: memref<64x64xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %none = arith.constant dense<0.0> : tensor<64x64xf16, #acc>
  %rounds = arith.addi %n, %c1 : index
  %queries = tile.ring feed = tma : !one
  %keys = tile.ring feed = tma : !one
  %values = tile.ring feed = tma : !one
  tile.roles {
    tile.role math warps 4 {
      %q = tile.wait %queries[%c0] : !one
      %k0 = tile.wait %keys[%c0] : !one
      %s0, %g0 = tile.dot_issue %q, %k0, %zero : tensor<64x64xf16, #s>, tensor<64x64xf16, #s>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      %first = tile.take %s0 : tensor<64x64xf32, #acc>
      tile.release %keys[%c0] after %g0 : !one
      %p0 = arith.truncf %first : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
      %end:2 = scf.for %j = %c1 to %rounds step %c1 iter_args(%o = %zero, %p = %p0) -> (tensor<64x64xf32, #acc>, tensor<64x64xf16, #acc>) {
        %before = arith.subi %j, %c1 : index
        %k = tile.wait %keys[%j] : !one
        %s, %g = tile.dot_issue %q, %k, %zero : tensor<64x64xf16, #s>, tensor<64x64xf16, #s>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
        %v = tile.wait %values[%before] : !one
        %o1, %h = tile.dot_issue %p, %v, %o : tensor<64x64xf16, #acc>, tensor<64x64xf16, #s>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
        %s1 = tile.take %s behind 1 : tensor<64x64xf32, #acc>
        tile.release %keys[%j] after %g : !one
        %s2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s1) -> (tensor<64x64xf32, #acc>) {
          %t1 = arith.addf %t, %t : tensor<64x64xf32, #acc>
          scf.yield %t1 : tensor<64x64xf32, #acc>
        }
        %o2 = tile.take %o1 behind 0 : tensor<64x64xf32, #acc>
        %p1 = arith.truncf %s2 : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
        tile.release %values[%before] after %h : !one
        scf.yield %o2, %p1 : tensor<64x64xf32, #acc>, tensor<64x64xf16, #acc>
      }
      %last = arith.subi %rounds, %c1 : index
      %v = tile.wait %values[%last] : !one
      %o, %g = tile.dot_issue %end#1, %v, %end#0 : tensor<64x64xf16, #acc>, tensor<64x64xf16, #s>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      %sum = tile.take %o : tensor<64x64xf32, #acc>
      tile.release %values[%last] after %g : !one
      tile.release %queries[%c0] after %g : !one
      tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32, #acc>, memref<64x64xf32>
    }
    tile.role load warps 4 {
      tile.acquire %queries[%c0] : !one
      tile.copy %x[%c0, %c0] to %queries[%c0] part 0 : memref<?x64xf16>, !one
      tile.commit %queries[%c0] : !one
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %keys[%j] : !one
        tile.copy %x[%j, %c0] to %keys[%j] part 0 : memref<?x64xf16>, !one
        tile.commit %keys[%j] : !one
        tile.acquire %values[%j] : !one
        tile.copy %x[%j, %c0] to %values[%j] part 0 : memref<?x64xf16>, !one
        tile.commit %values[%j] : !one
      }
    }
  }
  tile.return
}

// One role that copies a round ahead, in loops in a loop; a branch that may be
// taken or not; a ring that nobody uses.
tile.kernel @ahead(%x: memref<?x64xf16>, %y: memref<64x64xf32>) outputs 1 blocks(%n, %m) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %unused = tile.ring feed = tma : !one
  %r = tile.ring feed = cp_async : !one
  %more = arith.cmpi slt, %n, %m : index
  scf.if %more {
    %all = scf.for %i = %c0 to %n step %c1 iter_args(%base = %c0) -> (index) {
      %is0 = arith.cmpi slt, %c0, %m : index
      scf.if %is0 {
        tile.acquire %r[%base] : !one
        tile.copy %x[%c0, %c0] to %r[%base] part 0 : memref<?x64xf16>, !one
      }
      tile.commit %r[%base] : !one
      scf.for %k = %c0 to %m step %c1 {
        %number = arith.addi %base, %k : index
        %next = arith.addi %number, %c1 : index
        %later = arith.addi %k, %c1 : index
        %is1 = arith.cmpi slt, %later, %m : index
        %a = tile.wait %r[%number] behind 0 : !one
        scf.if %is1 {
          tile.acquire %r[%next] : !one
          tile.copy %x[%later, %c0] to %r[%next] part 0 : memref<?x64xf16>, !one
        }
        tile.commit %r[%next] : !one
        tile.release %r[%number] : !one
      }
      %sum = arith.addi %base, %m : index
      scf.yield %sum : index
    }
  }
  tile.return
}

// Products read what threads and cp.async wrote, by its own name.
tile.kernel @fenced(%x: memref<?x64xf16>, %y: memref<64x64xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %r = tile.ring feed = cp_async : !one
  scf.for %k = %c0 to %n step %c1 {
    tile.acquire %r[%k] : !one
    tile.copy %x[%k, %c0] to %r[%k] part 0 : memref<?x64xf16>, !one
    tile.commit %r[%k] : !one
    %a = tile.wait %r[%k] : !one
    %0 = tile.load %x[%k, %c0] : memref<?x64xf16> -> tensor<64x64xf16, #acc>
    %b = tile.convert_layout %0 : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #s>
    %p, %g = tile.dot_issue %a, %b, %zero : tensor<64x64xf16, #s>, tensor<64x64xf16, #s>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    %sum = tile.take %p : tensor<64x64xf32, #acc>
    tile.release %r[%k] after %g : !one
  }
  tile.return
}

// Numbers that are compared without signs go on beyond the largest that has one.
#s4 = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!four = !tile.ring<2 x (tensor<4x8xf32, #s4>)>
tile.kernel @unsigned(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %first = arith.constant 9223372036854775807 : index
  %end = arith.constant -9223372036854775807 : index
  %r = tile.ring feed = tma : !four
  tile.roles {
    tile.role math warps 4 {
      scf.for unsigned %i = %first to %end step %c1 {
        %n = arith.subi %i, %first : index
        %a = tile.wait %r[%n] : !four
        tile.release %r[%n] : !four
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !four
        tile.copy %x[%c0, %c0] to %r[%n] part 0 : memref<?x8xf32>, !four
        tile.commit %r[%n] : !four
      }
    }
  }
  tile.return
}
