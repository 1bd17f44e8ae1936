// A crew has its turn from the first number that it waits for to the last that it
// needs at a place; when there are no places left, the one whose turn would be next
// takes it.

// RUN: fuse-opt %s --tile-take-turns --tile-verify-staged | FileCheck %s

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!ring = !tile.ring<2 x (tensor<4x8xf32, #s>)>

// CHECK-LABEL: tile.kernel @crews
// CHECK:       tile.role math warps 4 crews 2
// CHECK:         scf.for
// CHECK:           tile.take_turn
// CHECK-NEXT:      tile.wait
// CHECK-NEXT:      tile.give_turn
// CHECK-NEXT:      tile.release
// CHECK:         %[[CREW:.*]] = tile.crew
// CHECK:         arith.divui %{{.*}}, %{{.*}} : i32
// CHECK:         %[[NEXT:.*]] = arith.remui
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %[[NEXT]], %[[CREW]]
// CHECK:         scf.if %[[IS]] {
// CHECK-NEXT:      tile.take_turn
tile.kernel @crews(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%first, %step, %items) attributes {walks} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 crews 2 {
      %crew = tile.crew
      %own = arith.muli %crew, %step : index
      %begin = arith.addi %first, %own : index
      %twice = arith.muli %step, %c2 : index
      %last = scf.for %item = %begin to %items step %twice iter_args(%number = %crew) -> index {
        %t = tile.wait %r[%number] : !ring
        tile.release %r[%number] : !ring
        %next = arith.addi %number, %c2 : index
        scf.yield %next : index
      }
    }
    tile.role load warps 4 {
      %last = scf.for %item = %first to %items step %step iter_args(%number = %c0) -> index {
        tile.acquire %r[%number] : !ring
        tile.copy %x[%c0, %c0] to %r[%number] part 0 : memref<4x8xf32>, !ring
        tile.commit %r[%number] : !ring
        %next = arith.addi %number, %c1 : index
        scf.yield %next : index
      }
    }
  }
  tile.return
}

// It goes on to the last product.
#square = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#acc = #tile.layout<cell = [8, 8] reg = [[0, 1]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[0, 0], [0, 0]]>
!squares = !tile.ring<2 x (tensor<8x8xf32, #square>)>
// CHECK-LABEL: tile.kernel @multiply
// CHECK:           tile.take_turn
// CHECK-NEXT:      tile.wait
// CHECK-NEXT:      tile.dot
// CHECK-NEXT:      tile.give_turn
tile.kernel @multiply(%x: memref<8x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%first, %step, %items) attributes {walks} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = tile.ring feed = tma : !squares
  tile.roles {
    tile.role math warps 4 crews 2 {
      %crew = tile.crew
      %zero = arith.constant dense<0.0> : tensor<8x8xf32, #acc>
      %own = arith.muli %crew, %step : index
      %begin = arith.addi %first, %own : index
      %twice = arith.muli %step, %c2 : index
      %last = scf.for %item = %begin to %items step %twice iter_args(%number = %crew) -> index {
        %t = tile.wait %r[%number] : !squares
        %d = tile.dot %t, %t, %zero : tensor<8x8xf32, #square>, tensor<8x8xf32, #square> -> tensor<8x8xf32, #acc>
        tile.release %r[%number] : !squares
        %next = arith.addi %number, %c2 : index
        scf.yield %next : index
      }
    }
    tile.role load warps 4 {
      %last = scf.for %item = %first to %items step %step iter_args(%number = %c0) -> index {
        tile.acquire %r[%number] : !squares
        tile.copy %x[%c0, %c0] to %r[%number] part 0 : memref<8x8xf32>, !squares
        tile.commit %r[%number] : !squares
        %next = arith.addi %number, %c1 : index
        scf.yield %next : index
      }
    }
  }
  tile.return
}
