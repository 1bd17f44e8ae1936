// Crews take turns: what they wait for, and in which order.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --tile-verify-staged

// Whether the numbers before one are complete is known in turn only.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!ring = !tile.ring<2 x (tensor<4x8xf32, #s>)>

tile.kernel @out_of_turn(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%first, %step, %items) attributes {walks} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-note @+1 {{of this ring}}
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 crews 2 {
      %crew = tile.crew
      %own = arith.muli %crew, %step : index
      %begin = arith.addi %first, %own : index
      %twice = arith.muli %step, %c2 : index
      %last = scf.for %item = %begin to %items step %twice iter_args(%number = %crew) -> index {
        // expected-error @+1 {{waits for number 0 when it is not its crew's turn: whether those before it are complete is not known}}
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

// -----

// Each has its own numbers.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!ring = !tile.ring<2 x (tensor<4x8xf32, #s>)>

tile.kernel @same_numbers(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%first, %step, %items) attributes {walks} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-note @+1 {{of this ring}}
  %r = tile.ring feed = tma : !ring
  tile.roles {
    tile.role math warps 4 crews 2 {
      %crew = tile.crew
      %own = arith.muli %crew, %step : index
      %begin = arith.addi %first, %own : index
      %twice = arith.muli %step, %c2 : index
      %last = scf.for %item = %begin to %items step %twice iter_args(%number = %c0) -> index {
        tile.take_turn
        // expected-error @+1 {{waits for number 0 in its crew's turn, but 1 is the next that nobody has waited for}}
        %t = tile.wait %r[%number] : !ring
        tile.give_turn
        tile.release %r[%number] : !ring
        %next = arith.addi %number, %c2 : index
        scf.yield %next : index
      }
      %length = arith.subi %items, %first : index
      %some = arith.maxsi %length, %c0 : index
      %less = arith.subi %step, %c1 : index
      %more = arith.addi %some, %less : index
      %places = arith.divui %more, %step : index
      %next = arith.remui %places, %c2 : index
      %isNext = arith.cmpi eq, %next, %crew : index
      scf.if %isNext {
        tile.take_turn
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

// -----

// A turn that nobody gives is waited for by the other one.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!ring = !tile.ring<2 x (tensor<4x8xf32, #s>)>

tile.kernel @kept(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%first, %step, %items) attributes {walks} {
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
        // expected-error @+1 {{waits for ever: crew 1 never gets its turn}}
        tile.take_turn
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

// -----

#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!ring = !tile.ring<2 x (tensor<4x8xf32, #s>)>

tile.kernel @given_twice(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%first, %step, %items) attributes {walks} {
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
        tile.take_turn
        %t = tile.wait %r[%number] : !ring
        tile.give_turn
        // expected-error @+1 {{gives a turn that its crew does not have}}
        tile.give_turn
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

// -----

// As many turns are taken as are given.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!ring = !tile.ring<2 x (tensor<4x8xf32, #s>)>

tile.kernel @left(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%first, %step, %items) attributes {walks} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = tile.ring feed = tma : !ring
  tile.roles {
    // expected-error @+1 {{ends with a turn that no crew has taken}}
    tile.role math warps 4 crews 2 {
      %crew = tile.crew
      %own = arith.muli %crew, %step : index
      %begin = arith.addi %first, %own : index
      %twice = arith.muli %step, %c2 : index
      %last = scf.for %item = %begin to %items step %twice iter_args(%number = %crew) -> index {
        tile.take_turn
        %t = tile.wait %r[%number] : !ring
        tile.give_turn
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

// -----

// A crew has one turn at a time.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!ring = !tile.ring<2 x (tensor<4x8xf32, #s>)>

tile.kernel @taken_twice(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%first, %step, %items) attributes {walks} {
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
        // expected-note @+1 {{it was taken here}}
        tile.take_turn
        // expected-error @+1 {{takes a turn that its crew has}}
        tile.take_turn
        %t = tile.wait %r[%number] : !ring
        tile.give_turn
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

// -----

// In its turn it waits for each number once.
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!ring = !tile.ring<2 x (tensor<4x8xf32, #s>)>

tile.kernel @waited_twice(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%first, %step, %items) attributes {walks} {
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
        tile.take_turn
        // expected-note @+1 {{behind this}}
        %t = tile.wait %r[%number] : !ring
        // expected-error @+1 {{waits for number 0, but 1 comes next}}
        %u = tile.wait %r[%number] : !ring
        tile.give_turn
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
