// Where a loop begins one role has to know, and the other how many rounds follow
// from that: both come from one number in memory.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-verify-staged))' | FileCheck %s
// CHECK: tile.kernel @math_decides
// CHECK: tile.kernel @load_decides

#n = #tile.layout<cell = [] lane = [[], [], [], [], []] warp = [[], []]>
#s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
!r = !tile.ring<2 x (tensor<4x8xf32, #s>)>

tile.kernel @math_decides(%x: memref<?x8xf32>, %first: memref<i32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %number = tile.load %first[] : memref<i32> -> tensor<i32, #n>
      %one = tensor.extract %number[] : tensor<i32, #n>
      %wide = arith.index_cast %one : i32 to index
      %s = arith.maxsi %wide, %c0 : index
      scf.for %k = %s to %c100 step %c1 {
        %n = arith.subi %k, %s : index
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      %number = tile.load %first[] : memref<i32> -> tensor<i32, #n>
      %one = tensor.extract %number[] : tensor<i32, #n>
      %wide = arith.index_cast %one : i32 to index
      %s = arith.maxsi %wide, %c0 : index
      %left = arith.subi %c100, %s : index
      scf.for %n = %c0 to %left step %c1 {
        tile.acquire %r[%n] : !r
        tile.copy %x[%n, %c0] to %r[%n] part 0 : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

tile.kernel @load_decides(%x: memref<?x8xf32>, %first: memref<i32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 4 {
      %number = tile.load %first[] : memref<i32> -> tensor<i32, #n>
      %one = tensor.extract %number[] : tensor<i32, #n>
      %wide = arith.index_cast %one : i32 to index
      %s = arith.maxsi %wide, %c0 : index
      %left = arith.subi %c100, %s : index
      scf.for %n = %c0 to %left step %c1 {
        %t = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
    }
    tile.role load warps 4 {
      %number = tile.load %first[] : memref<i32> -> tensor<i32, #n>
      %one = tensor.extract %number[] : tensor<i32, #n>
      %wide = arith.index_cast %one : i32 to index
      %s = arith.maxsi %wide, %c0 : index
      scf.for %k = %s to %c100 step %c1 {
        %n = arith.subi %k, %s : index
        tile.acquire %r[%n] : !r
        tile.copy %x[%n, %c0] to %r[%n] part 0 : memref<?x8xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}
