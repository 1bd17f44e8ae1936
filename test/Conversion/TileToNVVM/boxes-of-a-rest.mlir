// What the copy engine brings of the last tile along an axis, behind which nobody reads.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s

#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#big = #tile.shared<cell = [512, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]]>
#deep = #tile.shared<cell = [2, 8, 8] offset = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0], [1, 0, 0]]>

// The last four rows of twelve: as many bytes are waited for as come, in boxes of their own.
// CHECK-LABEL: llvm.func @rest(
//  CHECK-SAME:   %[[ALL:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64
//  CHECK-SAME:   %[[REST:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64
//  CHECK-SAME:   tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 0>, #tile.tensor_map<memory = 0, of = f32, box = [4, 8], swizzle = 0>]
//       CHECK:   %[[ISREST:.*]] = arith.cmpi slt, %{{.*}}, %c8_i32{{[_0-9]*}} : i32
//       CHECK:   %[[LESS:.*]] = arith.select %[[ISREST]], %c128_i32{{[_0-9]*}}, %c0_i32{{[_0-9]*}} : i32
//       CHECK:   %[[BYTES:.*]] = arith.subi %c256_i32{{[_0-9]*}}, %[[LESS]] : i32
//       CHECK:   mbarrier.arrive.expect_tx{{.*}}, %[[BYTES]] :
//       CHECK:   %[[ISREST1:.*]] = arith.cmpi slt, %{{.*}}, %c8_i32{{[_0-9]*}} : i32
//       CHECK:   scf.if %[[ISREST1]] {
//       CHECK:     cp.async.bulk.tensor{{.*}}, %[[REST]],
//       CHECK:   } else {
//       CHECK:     cp.async.bulk.tensor{{.*}}, %[[ALL]],
//       CHECK:   llvm.return
tile.kernel @rest(%x: memref<12x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 8 : index
  %size = arith.constant 12 : index
  %row = arith.muli %i, %rows : index
  %left = arith.subi %size, %row : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<8x8xf32, #s>)>
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.release %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.copy %x[%row, %c0] limits(%left) axes [0] unused [0] to %r[%n] part 0 : memref<12x8xf32>, !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.commit %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
  }
  tile.return
}

// Only the second number of a round has a rest.
// CHECK-LABEL: llvm.func @next_number(
//       CHECK:   mbarrier.arrive.expect_tx{{.*}}, %c256_i32{{[_0-9]*}} :
//       CHECK:   arith.subi %c256_i32
//       CHECK:   mbarrier.arrive.expect_tx
//       CHECK:   llvm.return
tile.kernel @next_number(%x: memref<12x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 8 : index
  %size = arith.constant 12 : index
  %row = arith.muli %i, %rows : index
  %left = arith.subi %size, %row : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<8x8xf32, #s>)>
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.release %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %m = arith.muli %n, %c2 : index
        %m1 = arith.addi %m, %c1 : index
        tile.acquire %r[%m] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.copy %x[%row, %c0] limits(%left) axes [0] to %r[%m] part 0 : memref<12x8xf32>, !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.commit %r[%m] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.acquire %r[%m1] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.copy %x[%row, %c0] limits(%left) axes [0] unused [0] to %r[%m1] part 0 : memref<12x8xf32>, !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.commit %r[%m1] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
  }
  tile.return
}

// Nor has a ring that is filled at the same time.
// CHECK-LABEL: llvm.func @other_ring(
//       CHECK:   mbarrier.arrive.expect_tx{{.*}}, %c256_i32{{[_0-9]*}} :
//       CHECK:   arith.subi %c256_i32
//       CHECK:   mbarrier.arrive.expect_tx
//       CHECK:   llvm.return
tile.kernel @other_ring(%x: memref<12x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 8 : index
  %size = arith.constant 12 : index
  %row = arith.muli %i, %rows : index
  %left = arith.subi %size, %row : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<8x8xf32, #s>)>
  %q = tile.ring feed = tma : !tile.ring<2 x (tensor<8x8xf32, #s>)>
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.release %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        %b = tile.wait %q[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.release %q[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %q[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.copy %x[%row, %c0] limits(%left) axes [0] unused [0] to %r[%n] part 0 : memref<12x8xf32>, !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.copy %x[%row, %c0] limits(%left) axes [0] to %q[%n] part 0 : memref<12x8xf32>, !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.commit %q[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.commit %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
  }
  tile.return
}

// Where the limit is of a round, so would be how many bytes there are.
// CHECK-LABEL: llvm.func @limit_of_a_round(
//   CHECK-NOT:   arith.cmpi slt, {{.*}} : i32
//       CHECK:   cp.async.bulk.tensor
//       CHECK:   llvm.return
tile.kernel @limit_of_a_round(%x: memref<12x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 8 : index
  %size = arith.constant 12 : index
  %row = arith.muli %i, %rows : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<8x8xf32, #s>)>
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.release %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        %left = arith.subi %size, %row : index
        tile.copy %x[%row, %c0] limits(%left) axes [0] unused [0] to %r[%n] part 0 : memref<12x8xf32>, !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.commit %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
  }
  tile.return
}

// Tiles that begin between others end elsewhere.
// CHECK-LABEL: llvm.func @between_tiles(
//   CHECK-NOT:   arith.cmpi slt, {{.*}} : i32
//       CHECK:   cp.async.bulk.tensor
//       CHECK:   llvm.return
tile.kernel @between_tiles(%x: memref<12x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 4 : index
  %size = arith.constant 12 : index
  %row = arith.muli %i, %rows : index
  %left = arith.subi %size, %row : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<8x8xf32, #s>)>
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.release %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.copy %x[%row, %c0] limits(%left) axes [0] unused [0] to %r[%n] part 0 : memref<12x8xf32>, !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.commit %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
  }
  tile.return
}

// What says how many bytes are coming has to see it.
// CHECK-LABEL: llvm.func @no_acquire(
//   CHECK-NOT:   arith.cmpi slt, {{.*}} : i32
//       CHECK:   cp.async.bulk.tensor
//       CHECK:   llvm.return
tile.kernel @no_acquire(%x: memref<12x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 8 : index
  %size = arith.constant 12 : index
  %row = arith.muli %i, %rows : index
  %left = arith.subi %size, %row : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<8x8xf32, #s>)>
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.release %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        %is = arith.cmpi ult, %i, %c2 : index
        scf.if %is {
          tile.copy %x[%row, %c0] limits(%left) axes [0] unused [0] to %r[%n] part 0 : memref<12x8xf32>, !tile.ring<2 x (tensor<8x8xf32, #s>)>
        }
        tile.commit %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
  }
  tile.return
}

// A box of which one row is there is copied: of 257 rows, the second of 256.
// CHECK-LABEL: llvm.func @last_box_of_one_row(
//   CHECK-NOT:   arith.cmpi slt, {{.*}} : i32
//       CHECK:   cp.async.bulk.tensor
//       CHECK:   llvm.return
tile.kernel @last_box_of_one_row(%x: memref<769x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 512 : index
  %size = arith.constant 769 : index
  %row = arith.muli %i, %rows : index
  %left = arith.subi %size, %row : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<512x8xf32, #big>)>
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<512x8xf32, #big>)>
        tile.release %r[%n] : !tile.ring<2 x (tensor<512x8xf32, #big>)>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<512x8xf32, #big>)>
        tile.copy %x[%row, %c0] limits(%left) axes [0] unused [0] to %r[%n] part 0 : memref<769x8xf32>, !tile.ring<2 x (tensor<512x8xf32, #big>)>
        tile.commit %r[%n] : !tile.ring<2 x (tensor<512x8xf32, #big>)>
      }
    }
  }
  tile.return
}

// Boxes that are a part of the tile stay as large as they are: of 100 rows the first one is brought.
// CHECK-LABEL: llvm.func @boxes_of_some_rows(
//  CHECK-SAME:   tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [256, 8], swizzle = 0>]
//       CHECK:   %[[ISREST:.*]] = arith.cmpi slt, %{{.*}}, %c512_i32{{[_0-9]*}} : i32
//       CHECK:   arith.select %[[ISREST]], %c8192_i32{{[_0-9]*}}, %c0_i32{{[_0-9]*}} : i32
//       CHECK:   scf.if
//  CHECK-COUNT-1: cp.async.bulk.tensor
//   CHECK-NOT:   cp.async.bulk.tensor
//       CHECK:   } else {
//  CHECK-COUNT-2: cp.async.bulk.tensor
//       CHECK:   llvm.return
tile.kernel @boxes_of_some_rows(%x: memref<612x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 512 : index
  %size = arith.constant 612 : index
  %row = arith.muli %i, %rows : index
  %left = arith.subi %size, %row : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<512x8xf32, #big>)>
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<512x8xf32, #big>)>
        tile.release %r[%n] : !tile.ring<2 x (tensor<512x8xf32, #big>)>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<512x8xf32, #big>)>
        tile.copy %x[%row, %c0] limits(%left) axes [0] unused [0] to %r[%n] part 0 : memref<612x8xf32>, !tile.ring<2 x (tensor<512x8xf32, #big>)>
        tile.commit %r[%n] : !tile.ring<2 x (tensor<512x8xf32, #big>)>
      }
    }
  }
  tile.return
}

// Rows of two planes do not follow each other.
// CHECK-LABEL: llvm.func @rows_of_planes(
//   CHECK-NOT:   arith.cmpi slt, {{.*}} : i32
//       CHECK:   cp.async.bulk.tensor
//       CHECK:   llvm.return
tile.kernel @rows_of_planes(%x: memref<2x12x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 8 : index
  %size = arith.constant 12 : index
  %row = arith.muli %i, %rows : index
  %left = arith.subi %size, %row : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<2x8x8xf32, #deep>)>
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<2x8x8xf32, #deep>)>
        tile.release %r[%n] : !tile.ring<2 x (tensor<2x8x8xf32, #deep>)>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<2x8x8xf32, #deep>)>
        tile.copy %x[%c0, %row, %c0] limits(%left) axes [1] unused [1] to %r[%n] part 0 : memref<2x12x8xf32>, !tile.ring<2 x (tensor<2x8x8xf32, #deep>)>
        tile.commit %r[%n] : !tile.ring<2 x (tensor<2x8x8xf32, #deep>)>
      }
    }
  }
  tile.return
}

// Blocks that copy for each other bring the same.
// CHECK-LABEL: llvm.func @shared(
//   CHECK-NOT:   arith.cmpi slt, {{.*}} : i32
//       CHECK:   cp.async.bulk.tensor
//       CHECK:   llvm.return
tile.kernel @shared(%x: memref<12x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 4, tile.grid = array<i64: 2, 2>, tile.cluster = array<i64: 1, 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 8 : index
  %size = arith.constant 12 : index
  %row = arith.muli %i, %rows : index
  %left = arith.subi %size, %row : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<8x8xf32, #s>)>
  tile.roles {
    tile.role math warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.release %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c2 step %c1 {
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.copy %x[%row, %c0] limits(%left) axes [0] unused [0] to %r[%n] part 0 multicast : memref<12x8xf32>, !tile.ring<2 x (tensor<8x8xf32, #s>)>
        tile.commit %r[%n] : !tile.ring<2 x (tensor<8x8xf32, #s>)>
      }
    }
  }
  tile.return
}
