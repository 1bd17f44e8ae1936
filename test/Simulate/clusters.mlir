// Blocks of a cluster run together: each brings a share of what all of them read, and what it reads alone.

// RUN: fuse-opt %s --split-input-file --tile-simulate="grid=2,4 seeds=12" -o /dev/null

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#l = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!t = tensor<4x8xf32, #l>
!sh = tensor<4x8xf32, #s>
!ring = !tile.ring<2 x (!sh, !sh)>
!x = memref<2x20x8xf32>
!w = memref<4x20x8xf32>
!y = memref<2x4x4x8xf32>

// The sum of 5 products of tiles.
tile.kernel @plain(%x: !x, %w: !w, %y: !y) outputs 1 blocks(%i, %j) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %sum = scf.for %k = %c0 to %c20 step %c4 iter_args(%acc = %zero) -> (tensor<4x8xf32>) {
    %a = tile.load %x[%i, %k, %c0] map (d0, d1) -> (0, d0, d1) : !x -> tensor<4x8xf32>
    %b = tile.load %w[%j, %k, %c0] map (d0, d1) -> (0, d0, d1) : !w -> tensor<4x8xf32>
    %c = arith.mulf %a, %b : tensor<4x8xf32>
    %next = arith.addf %acc, %c : tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  tile.store %sum, %y[%i, %j, %c0, %c0] map (d0, d1) -> (0, 0, d0, d1) : tensor<4x8xf32>, !y
  tile.return
}

// Blocks of one row read the same of the left factor.
tile.kernel @together(%x: !x, %w: !w, %y: !y) outputs 1 blocks(%i, %j) attributes {tile.cluster = array<i64: 1, 4>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !t
      %sum = scf.for %n = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (!t) {
        %a, %b = tile.wait %r[%n] : !ring
        %u = tile.convert_layout %a : !sh -> !t
        %v = tile.convert_layout %b : !sh -> !t
        tile.release %r[%n] : !ring
        %c = arith.mulf %u, %v : !t
        %more = arith.addf %acc, %c : !t
        scf.yield %more : !t
      }
      tile.store %sum, %y[%i, %j, %c0, %c0] map (d0, d1) -> (0, 0, d0, d1) : !t, !y
    }
    tile.role load warps 1 {
      scf.for %n = %c0 to %c5 step %c1 {
        %at = arith.muli %n, %c4 : index
        tile.acquire %r[%n] : !ring
        tile.copy %x[%i, %at, %c0] map (d0, d1) -> (0, d0, d1) to %r[%n] part 0 multicast : !x, !ring
        tile.copy %w[%j, %at, %c0] map (d0, d1) -> (0, d0, d1) to %r[%n] part 1 : !w, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}

// What walks is clusters of two rows, which read the same of the right factor.
tile.kernel @walks(%x: !x, %w: !w, %y: !y) outputs 1 blocks(%block, %blocks, %rows, %columns) attributes {tile.cluster = array<i64: 2, 1>, walks} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %i = arith.remui %block, %c2 : index
  %first = arith.divui %block, %c2 : index
  %step = arith.divui %blocks, %c2 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !t
      %end = scf.for %j = %first to %columns step %step iter_args(%base = %c0) -> (index) {
        %sum = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (!t) {
          %n = arith.addi %base, %k : index
          %a, %b = tile.wait %r[%n] : !ring
          %u = tile.convert_layout %a : !sh -> !t
          %v = tile.convert_layout %b : !sh -> !t
          tile.release %r[%n] : !ring
          %c = arith.mulf %u, %v : !t
          %more = arith.addf %acc, %c : !t
          scf.yield %more : !t
        }
        tile.store %sum, %y[%i, %j, %c0, %c0] map (d0, d1) -> (0, 0, d0, d1) : !t, !y
        %next = arith.addi %base, %c5 : index
        scf.yield %next : index
      }
    }
    tile.role load warps 1 {
      %end = scf.for %j = %first to %columns step %step iter_args(%base = %c0) -> (index) {
        scf.for %k = %c0 to %c5 step %c1 {
          %n = arith.addi %base, %k : index
          %at = arith.muli %k, %c4 : index
          tile.acquire %r[%n] : !ring
          tile.copy %x[%i, %at, %c0] map (d0, d1) -> (0, d0, d1) to %r[%n] part 0 : !x, !ring
          tile.copy %w[%j, %at, %c0] map (d0, d1) -> (0, d0, d1) to %r[%n] part 1 multicast : !w, !ring
          tile.commit %r[%n] : !ring
        }
        %next = arith.addi %base, %c5 : index
        scf.yield %next : index
      }
    }
  }
  tile.return
}
