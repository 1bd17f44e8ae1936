// Loops that groups of warps do not leave early, each for a reason of its own.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-end-early))' --mlir-print-local-scope | FileCheck %s

#rows = #tile.layout<cell = [128] reg = [[8]] lane = [[0], [0], [1], [2], [4]] warp = [[16], [32], [64]]>
#columns = #tile.layout<cell = [64] reg = [[1], [8], [16], [32]] lane = [[2], [4], [0], [0], [0]] warp = [[0], [0], [0]]>
#acc = #tile.layout<cell = [128, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
#across = #tile.layout<cell = [128, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [64, 0]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [0, 32]]>
#q = #tile.shared<cell = [128, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#k = #tile.shared<cell = [64, 64] offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]]>

// This one is not kept.
// CHECK-LABEL: tile.kernel @plain(
//       CHECK:   tile.most
tile.kernel @plain(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %rounds = arith.divui %behind, %c64 : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %k = tile.wait %ring[%j] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%j] after %g : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %next = arith.addf %d, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%c0, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}

// Somebody reads the ring behind the loop, whose numbers follow those of all rounds.
// CHECK-LABEL: tile.kernel @read_behind(
//   CHECK-NOT:   tile.most
//       CHECK:   tile.return
tile.kernel @read_behind(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %rounds = arith.divui %behind, %c64 : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %k = tile.wait %ring[%j] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%j] after %g : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %next = arith.addf %d, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      %last = tile.wait %ring[%rounds] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
      tile.release %ring[%rounds] : <4 x (tensor<64x64xf16, #k>)>
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%c0, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}

// A round releases its number twice.
// CHECK-LABEL: tile.kernel @released_elsewhere(
//   CHECK-NOT:   tile.most
//       CHECK:   tile.return
tile.kernel @released_elsewhere(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %rounds = arith.divui %behind, %c64 : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %k = tile.wait %ring[%j] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%j] after %g : <4 x (tensor<64x64xf16, #k>)>
        tile.release %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %next = arith.addf %d, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%c0, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}

// Numbers that are not those of rounds.
// CHECK-LABEL: tile.kernel @other_numbers(
//   CHECK-NOT:   tile.most
//       CHECK:   tile.return
tile.kernel @other_numbers(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %rounds = arith.divui %behind, %c64 : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %n = arith.muli %j, %c2 : index
        %k = tile.wait %ring[%n] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%n] after %g : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %next = arith.addf %d, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%c0, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}

// Rounds of which each second one is left out: those that are left may be others.
// CHECK-LABEL: tile.kernel @every_second(
//   CHECK-NOT:   tile.most
//       CHECK:   tile.return
tile.kernel @every_second(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %rounds = arith.divui %behind, %c64 : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c2 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %k = tile.wait %ring[%j] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%j] after %g : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %next = arith.addf %d, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%c0, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}

// A quotient by a negative number falls.
// CHECK-LABEL: tile.kernel @negative(
//   CHECK-NOT:   tile.most
//       CHECK:   tile.return
tile.kernel @negative(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %less = arith.constant -64 : index
  %rounds = arith.divsi %behind, %less : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %k = tile.wait %ring[%j] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%j] after %g : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %next = arith.addf %d, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%c0, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}

// So does a difference from what grows.
// CHECK-LABEL: tile.kernel @subtracted(
//   CHECK-NOT:   tile.most
//       CHECK:   tile.return
tile.kernel @subtracted(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %half = arith.divui %behind, %c64 : index
  %rounds = arith.subi %c128, %half : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %k = tile.wait %ring[%j] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%j] after %g : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %next = arith.addf %d, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%c0, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}

// Rows that are further apart end elsewhere.
// CHECK-LABEL: tile.kernel @doubled(
//   CHECK-NOT:   tile.most
//       CHECK:   tile.return
tile.kernel @doubled(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %rounds = arith.divui %behind, %c64 : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [2] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %k = tile.wait %ring[%j] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%j] after %g : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %next = arith.addf %d, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%c0, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}

// The bound is not that behind the last row.
// CHECK-LABEL: tile.kernel @fewer_rows(
//   CHECK-NOT:   tile.most
//       CHECK:   tile.return
tile.kernel @fewer_rows(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c64 : index
  %rounds = arith.divui %behind, %c64 : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %k = tile.wait %ring[%j] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%j] after %g : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %next = arith.addf %d, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%c0, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}

// Groups combine what they have.
// CHECK-LABEL: tile.kernel @reduced(
//   CHECK-NOT:   tile.most
//       CHECK:   tile.return
tile.kernel @reduced(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %rounds = arith.divui %behind, %c64 : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %k = tile.wait %ring[%j] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%j] after %g : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %m = tile.reduce max %d dims [0] : tensor<128x64xf32, #acc> -> tensor<64xf32, #columns>
        %mm = tile.broadcast %m dims [1] : tensor<64xf32, #columns> -> tensor<128x64xf32, #acc>
        %e = arith.subf %d, %mm : tensor<128x64xf32, #acc>
        %next = arith.addf %e, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%c0, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}
