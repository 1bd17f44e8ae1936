// Kernels that keep the rules give the same numbers with all timings, in the abstract form and staged by hand.

// RUN: fuse-opt %s --split-input-file --tile-simulate="grid=2 seeds=12" -o /dev/null
// RUN: not fuse-opt %s --split-input-file --tile-simulate="grid=2,1" 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: 'tile.kernel' op has a grid of 1 dimensions, but the option 'grid' has 2

#l = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!ring = !tile.ring<3 x (tensor<4x8xf32, #s>)>

// The sum of 5 tiles.
tile.kernel @plain(%x: memref<2x20x8xf32>, %y: memref<2x4x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %sum = scf.for %k = %c0 to %c20 step %c4 iter_args(%acc = %zero) -> (tensor<4x8xf32>) {
    %t = tile.load %x[%i, %k, %c0] map (d0, d1) -> (0, d0, d1) : memref<2x20x8xf32> -> tensor<4x8xf32>
    %next = arith.addf %acc, %t : tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  tile.store %sum, %y[%i, %c0, %c0] map (d0, d1) -> (0, d0, d1) : tensor<4x8xf32>, memref<2x4x8xf32>
  tile.return
}

// One strand copies two tiles ahead.
tile.kernel @ahead(%x: memref<2x20x8xf32>, %y: memref<2x4x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #l>
  %r = tile.ring feed = cp_async : !ring
  scf.for %n = %c0 to %c2 step %c1 {
    %at = arith.muli %n, %c4 : index
    tile.acquire %r[%n] : !ring
    tile.copy %x[%i, %at, %c0] map (d0, d1) -> (0, d0, d1) to %r[%n] part 0 : memref<2x20x8xf32>, !ring
    tile.commit %r[%n] : !ring
  }
  %sum = scf.for %n = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (tensor<4x8xf32, #l>) {
    %t = tile.wait %r[%n] behind 1 : !ring
    %next = arith.addi %n, %c2 : index
    %isThere = arith.cmpi ult, %next, %c5 : index
    scf.if %isThere {
      %at = arith.muli %next, %c4 : index
      tile.acquire %r[%next] : !ring
      tile.copy %x[%i, %at, %c0] map (d0, d1) -> (0, d0, d1) to %r[%next] part 0 : memref<2x20x8xf32>, !ring
    }
    tile.commit %r[%next] : !ring
    %u = tile.convert_layout %t : tensor<4x8xf32, #s> -> tensor<4x8xf32, #l>
    %more = arith.addf %acc, %u : tensor<4x8xf32, #l>
    tile.release %r[%n] : !ring
    scf.yield %more : tensor<4x8xf32, #l>
  }
  tile.store %sum, %y[%i, %c0, %c0] map (d0, d1) -> (0, d0, d1) : tensor<4x8xf32, #l>, memref<2x4x8xf32>
  tile.return
}

// One role copies, another one reads.
tile.kernel @roles(%x: memref<2x20x8xf32>, %y: memref<2x4x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : tensor<4x8xf32, #l>
      %sum = scf.for %n = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (tensor<4x8xf32, #l>) {
        %t = tile.wait %r[%n] : !ring
        %u = tile.convert_layout %t : tensor<4x8xf32, #s> -> tensor<4x8xf32, #l>
        tile.release %r[%n] : !ring
        %more = arith.addf %acc, %u : tensor<4x8xf32, #l>
        scf.yield %more : tensor<4x8xf32, #l>
      }
      tile.store %sum, %y[%i, %c0, %c0] map (d0, d1) -> (0, d0, d1) : tensor<4x8xf32, #l>, memref<2x4x8xf32>
    }
    tile.role load warps 1 {
      scf.for %n = %c0 to %c5 step %c1 {
        %at = arith.muli %n, %c4 : index
        tile.acquire %r[%n] : !ring
        tile.copy %x[%i, %at, %c0] map (d0, d1) -> (0, d0, d1) to %r[%n] part 0 : memref<2x20x8xf32>, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}

// -----

#a = #tile.shared<cell = [8, 4] offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>
#b = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!ring = !tile.ring<2 x (tensor<8x4xf16, #a>, tensor<4x8xf16, #b>)>

tile.kernel @product(%x: memref<16x20xf16>, %w: memref<20x8xf16>, %y: memref<16x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c20 = arith.constant 20 : index
  %row = arith.muli %i, %c8 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %sum = scf.for %k = %c0 to %c20 step %c4 iter_args(%acc = %zero) -> (tensor<8x8xf32>) {
    %a = tile.load %x[%row, %k] : memref<16x20xf16> -> tensor<8x4xf16>
    %b = tile.load %w[%k, %c0] : memref<20x8xf16> -> tensor<4x8xf16>
    %next = tile.dot %a, %b, %acc : tensor<8x4xf16>, tensor<4x8xf16> -> tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  tile.store %sum, %y[%row, %c0] : tensor<8x8xf32>, memref<16x8xf32>
  tile.return
}

// Each product is retired a round later than it is set off, and its slot is released then.
tile.kernel @in_flight(%x: memref<16x20xf16>, %w: memref<20x8xf16>, %y: memref<16x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %row = arith.muli %i, %c8 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : tensor<8x8xf32>
      %a0, %b0 = tile.wait %r[%c0] : !ring
      %p0, %g0 = tile.dot_issue %a0, %b0, %zero : tensor<8x4xf16, #a>, tensor<4x8xf16, #b>, tensor<8x8xf32> -> tensor<8x8xf32>
      %p, %g = scf.for %n = %c1 to %c5 step %c1 iter_args(%q = %p0, %u = %g0) -> (!tile.pending<tensor<8x8xf32>>, !tile.group) {
        %a, %b = tile.wait %r[%n] : !ring
        %q1, %u1 = tile.dot_issue %a, %b, %q : tensor<8x4xf16, #a>, tensor<4x8xf16, #b>, !tile.pending<tensor<8x8xf32>> -> tensor<8x8xf32>
        %h = tile.retire %u behind 1
        %last = arith.subi %n, %c1 : index
        tile.release %r[%last] after %h : !ring
        scf.yield %q1, %u1 : !tile.pending<tensor<8x8xf32>>, !tile.group
      }
      %h = tile.retire %g behind 0
      %c4_0 = arith.constant 4 : index
      tile.release %r[%c4_0] after %h : !ring
      %sum = tile.take %p : tensor<8x8xf32>
      tile.store %sum, %y[%row, %c0] : tensor<8x8xf32>, memref<16x8xf32>
    }
    tile.role load warps 1 {
      scf.for %n = %c0 to %c5 step %c1 {
        %at = arith.muli %n, %c4 : index
        tile.acquire %r[%n] : !ring
        tile.copy %x[%row, %at] to %r[%n] part 0 : memref<16x20xf16>, !ring
        tile.copy %w[%at, %c0] to %r[%n] part 1 : memref<20x8xf16>, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}
