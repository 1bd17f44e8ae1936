// Blocks of a cluster bring each other shares of what each has: in the order of the blocks, and each its own.

// RUN: fuse-opt %s --split-input-file --tile-simulate="grid=8,3 seeds=12" -o /dev/null

!x = memref<8x3x16x8xf32>
!s = memref<8x3x8xf32>
!y = memref<3x16x8xf32>
!t = memref<3x8xf32>

// What eight blocks have, to which each block looks by itself,
tile.kernel @plain(%x: !x, %s: !s, %y: !y, %t: !t) outputs 2 blocks(%i, %j) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %row = arith.muli %i, %c2 : index
  %zero = arith.constant dense<0.0> : tensor<2x8xf32>
  %three = arith.constant dense<3.0> : tensor<2x8xf32>
  %none = arith.constant dense<0.0> : tensor<1xf32>
  %two = arith.constant dense<2.0> : tensor<1xf32>
  %sum, %own = scf.for %k = %c0 to %c8 step %c1 iter_args(%a = %zero, %b = %none) -> (tensor<2x8xf32>, tensor<1xf32>) {
    %tile = tile.load %x[%k, %j, %row, %c0] map (d0, d1) -> (0, 0, d0, d1) : !x -> tensor<2x8xf32>
    %column = tile.load %s[%k, %j, %i] map (d0) -> (0, 0, d0) : !s -> tensor<1xf32>
    %more = arith.mulf %a, %three : tensor<2x8xf32>
    %next = arith.addf %more, %tile : tensor<2x8xf32>
    %twice = arith.mulf %b, %two : tensor<1xf32>
    %other = arith.addf %twice, %column : tensor<1xf32>
    scf.yield %next, %other : tensor<2x8xf32>, tensor<1xf32>
  }
  tile.store %sum, %y[%j, %row, %c0] map (d0, d1) -> (0, d0, d1) : tensor<2x8xf32>, !y
  tile.store %own, %t[%j, %i] map (d0) -> (0, d0) : tensor<1xf32>, !t
  tile.return
}

// and that they collect: of one source rows, and of the other one numbers.
tile.kernel @together(%x: !x, %s: !s, %y: !y, %t: !t) outputs 2 blocks(%i, %j) attributes {tile.cluster = array<i64: 8, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %row = arith.muli %i, %c2 : index
  %tile = tile.load %x[%i, %j, %c0, %c0] map (d0, d1) -> (0, 0, d0, d1) : !x -> tensor<16x8xf32>
  %column = tile.load %s[%i, %j, %c0] map (d0) -> (0, 0, d0) : !s -> tensor<8xf32>
  %all:16 = tile.collect %tile, %column axes [0, 0] blocks 8 : (tensor<16x8xf32>, tensor<8xf32>)
      -> (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>,
          tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  %three = arith.constant dense<3.0> : tensor<2x8xf32>
  %m1 = arith.mulf %all#0, %three : tensor<2x8xf32>
  %a1 = arith.addf %m1, %all#1 : tensor<2x8xf32>
  %m2 = arith.mulf %a1, %three : tensor<2x8xf32>
  %a2 = arith.addf %m2, %all#2 : tensor<2x8xf32>
  %m3 = arith.mulf %a2, %three : tensor<2x8xf32>
  %a3 = arith.addf %m3, %all#3 : tensor<2x8xf32>
  %m4 = arith.mulf %a3, %three : tensor<2x8xf32>
  %a4 = arith.addf %m4, %all#4 : tensor<2x8xf32>
  %m5 = arith.mulf %a4, %three : tensor<2x8xf32>
  %a5 = arith.addf %m5, %all#5 : tensor<2x8xf32>
  %m6 = arith.mulf %a5, %three : tensor<2x8xf32>
  %a6 = arith.addf %m6, %all#6 : tensor<2x8xf32>
  %m7 = arith.mulf %a6, %three : tensor<2x8xf32>
  %a7 = arith.addf %m7, %all#7 : tensor<2x8xf32>
  tile.store %a7, %y[%j, %row, %c0] map (d0, d1) -> (0, d0, d1) : tensor<2x8xf32>, !y
  %two = arith.constant dense<2.0> : tensor<1xf32>
  %n1 = arith.mulf %all#8, %two : tensor<1xf32>
  %b1 = arith.addf %n1, %all#9 : tensor<1xf32>
  %n2 = arith.mulf %b1, %two : tensor<1xf32>
  %b2 = arith.addf %n2, %all#10 : tensor<1xf32>
  %n3 = arith.mulf %b2, %two : tensor<1xf32>
  %b3 = arith.addf %n3, %all#11 : tensor<1xf32>
  %n4 = arith.mulf %b3, %two : tensor<1xf32>
  %b4 = arith.addf %n4, %all#12 : tensor<1xf32>
  %n5 = arith.mulf %b4, %two : tensor<1xf32>
  %b5 = arith.addf %n5, %all#13 : tensor<1xf32>
  %n6 = arith.mulf %b5, %two : tensor<1xf32>
  %b6 = arith.addf %n6, %all#14 : tensor<1xf32>
  %n7 = arith.mulf %b6, %two : tensor<1xf32>
  %b7 = arith.addf %n7, %all#15 : tensor<1xf32>
  tile.store %b7, %t[%j, %i] map (d0) -> (0, d0) : tensor<1xf32>, !t
  tile.return
}

// -----

// Four clusters of two beside each other, whose numbers are not those of the blocks; columns; and what was collected once
// more.
!x = memref<8x3x4x8xi32>
!y = memref<8x3x2x4xi32>

tile.kernel @plain(%x: !x, %y: !y) outputs 1 blocks(%i, %j) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %rank = arith.remui %i, %c2 : index
  %first = arith.subi %i, %rank : index
  %second = arith.addi %first, %c1 : index
  %column = arith.muli %rank, %c4 : index
  %row = arith.muli %rank, %c2 : index
  %a = tile.load %x[%first, %j, %row, %c0] map (d0, d1) -> (0, 0, d0, d1) : !x -> tensor<2x4xi32>
  %b = tile.load %x[%second, %j, %row, %c0] map (d0, d1) -> (0, 0, d0, d1) : !x -> tensor<2x4xi32>
  %c = tile.load %x[%first, %j, %row, %c4] map (d0, d1) -> (0, 0, d0, d1) : !x -> tensor<2x4xi32>
  %d = tile.load %x[%second, %j, %row, %c4] map (d0, d1) -> (0, 0, d0, d1) : !x -> tensor<2x4xi32>
  %three = arith.constant dense<3> : tensor<2x4xi32>
  %ma = arith.muli %a, %three : tensor<2x4xi32>
  %left = arith.addi %ma, %b : tensor<2x4xi32>
  %mc = arith.muli %c, %three : tensor<2x4xi32>
  %right = arith.addi %mc, %d : tensor<2x4xi32>
  %mleft = arith.muli %left, %three : tensor<2x4xi32>
  %sum = arith.addi %mleft, %right : tensor<2x4xi32>
  tile.store %sum, %y[%i, %j, %c0, %c0] map (d0, d1) -> (0, 0, d0, d1) : tensor<2x4xi32>, !y
  tile.return
}

tile.kernel @pairs(%x: !x, %y: !y) outputs 1 blocks(%i, %j) attributes {tile.cluster = array<i64: 2, 1>} {
  %c0 = arith.constant 0 : index
  %three = arith.constant dense<3> : tensor<4x4xi32>
  %tile = tile.load %x[%i, %j, %c0, %c0] map (d0, d1) -> (0, 0, d0, d1) : !x -> tensor<4x8xi32>
  %halves:2 = tile.collect %tile axes [1] blocks 2 : (tensor<4x8xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>)
  %more = arith.muli %halves#0, %three : tensor<4x4xi32>
  %both = arith.addi %more, %halves#1 : tensor<4x4xi32>
  %again:2 = tile.collect %both axes [0] blocks 2 : (tensor<4x4xi32>) -> (tensor<2x4xi32>, tensor<2x4xi32>)
  %few = arith.constant dense<3> : tensor<2x4xi32>
  %left = arith.muli %again#0, %few : tensor<2x4xi32>
  %sum = arith.addi %left, %again#1 : tensor<2x4xi32>
  tile.store %sum, %y[%i, %j, %c0, %c0] map (d0, d1) -> (0, 0, d0, d1) : tensor<2x4xi32>, !y
  tile.return
}

// -----

// Where one role loads, the other one collects.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#l = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#part = #tile.layout<cell = [1, 8] lane = [[0, 1], [0, 2], [0, 4], [0, 0], [0, 0]]>
!t = tensor<4x8xf32, #l>
!share = tensor<1x8xf32, #part>
!ring = !tile.ring<2 x (tensor<4x8xf32, #s>)>
!x = memref<3x160x8xf32>
!y = memref<8x3x8xf32>

tile.kernel @plain(%x: !x, %y: !y) outputs 1 blocks(%i, %j) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  %c80 = arith.constant 80 : index
  %zero = arith.constant dense<0.0> : tensor<1x8xf32>
  %cluster = arith.divui %i, %c4 : index
  %rank = arith.remui %i, %c4 : index
  %from = arith.muli %cluster, %c80 : index
  %own = arith.addi %from, %rank : index
  %sum = scf.for %k = %c0 to %c80 step %c4 iter_args(%acc = %zero) -> (tensor<1x8xf32>) {
    %at = arith.addi %own, %k : index
    %t = tile.load %x[%j, %at, %c0] map (d0, d1) -> (0, d0, d1) : !x -> tensor<1x8xf32>
    %more = arith.addf %acc, %t : tensor<1x8xf32>
    scf.yield %more : tensor<1x8xf32>
  }
  tile.store %sum, %y[%i, %j, %c0] map (d0, d1) -> (d0, 0, d1) : tensor<1x8xf32>, !y
  tile.return
}

tile.kernel @roles(%x: !x, %y: !y) outputs 1 blocks(%i, %j) attributes {tile.cluster = array<i64: 4, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %from = arith.muli %i, %c20 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !t
      %sum = scf.for %n = %c0 to %c5 step %c1 iter_args(%acc = %zero) -> (!t) {
        %a = tile.wait %r[%n] : !ring
        %u = tile.convert_layout %a : tensor<4x8xf32, #s> -> !t
        tile.release %r[%n] : !ring
        %more = arith.addf %acc, %u : !t
        scf.yield %more : !t
      }
      %all:4 = tile.collect %sum axes [0] blocks 4 : (!t) -> (!share, !share, !share, !share)
      %a1 = arith.addf %all#0, %all#1 : !share
      %a2 = arith.addf %a1, %all#2 : !share
      %a3 = arith.addf %a2, %all#3 : !share
      tile.store %a3, %y[%i, %j, %c0] map (d0, d1) -> (d0, 0, d1) : !share, !y
    }
    tile.role load warps 1 {
      scf.for %n = %c0 to %c5 step %c1 {
        %k = arith.muli %n, %c4 : index
        %at = arith.addi %from, %k : index
        tile.acquire %r[%n] : !ring
        tile.copy %x[%j, %at, %c0] map (d0, d1) -> (0, d0, d1) to %r[%n] part 0 : !x, !ring
        tile.commit %r[%n] : !ring
      }
    }
  }
  tile.return
}
