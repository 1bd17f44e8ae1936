// What is never needed at the same time lies in the same place, and who writes
// there waits for those who read what was there before.

// RUN: fuse-opt %s --convert-tile-to-nvvm --split-input-file | FileCheck %s

#warp = #tile.layout<cell = [16, 16] reg = [[0, 1], [0, 2], [1, 0]] lane = [[0, 4], [0, 8], [2, 0], [4, 0], [8, 0]]>
#s = #tile.shared<cell = [16, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>

// Each tile is read by one product only, so that the two factors of the second
// lie where those of the first did: 2048 bytes, not 4096. The writes wait for
// the first product, the reads for the writes.
// CHECK-LABEL: llvm.func @one_after_the_other
//  CHECK-SAME:   tile.shared = 2048 : i64
//       CHECK:   llvm.store {{.*}}!llvm.ptr<3>
//       CHECK:   nvvm.barrier
//       CHECK:   llvm.load {{.*}}!llvm.ptr<3>
//       CHECK:   math.fma
//   CHECK-NOT:   llvm.store {{.*}}!llvm.ptr<3>
//       CHECK:   nvvm.barrier
//       CHECK:   llvm.store {{.*}}!llvm.ptr<3>
//       CHECK:   nvvm.barrier
//       CHECK:   llvm.load {{.*}}!llvm.ptr<3>
//       CHECK:   math.fma
tile.kernel @one_after_the_other(%x: memref<16x16xf32>, %y: memref<16x16xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #warp>
  %0 = tile.load %x[%c0, %c0] : memref<16x16xf32> -> tensor<16x16xf32, #warp>
  %a = tile.convert_layout %0 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
  %b = tile.convert_layout %0 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
  %1 = tile.dot %a, %b, %zero atom = outer : tensor<16x16xf32, #s>, tensor<16x16xf32, #s> -> tensor<16x16xf32, #warp>
  %c = tile.convert_layout %1 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
  %d = tile.convert_layout %0 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
  %2 = tile.dot %c, %d, %zero atom = outer : tensor<16x16xf32, #s>, tensor<16x16xf32, #s> -> tensor<16x16xf32, #warp>
  tile.store %2, %y[%c0, %c0] : tensor<16x16xf32, #warp>, memref<16x16xf32>
  tile.return
}

// -----

#warp = #tile.layout<cell = [16, 16] reg = [[0, 1], [0, 2], [1, 0]] lane = [[0, 4], [0, 8], [2, 0], [4, 0], [8, 0]]>
#s = #tile.shared<cell = [16, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>

// In a round tiles that share a place would wait for each other each time, so
// all four have their own.
// CHECK-LABEL: llvm.func @in_a_round
//  CHECK-SAME:   tile.shared = 4096 : i64
tile.kernel @in_a_round(%x: memref<16x16xf32>, %y: memref<16x16xf32>, %n: index) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #warp>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<16x16xf32, #warp> {
    %0 = tile.load %x[%c0, %c0] : memref<16x16xf32> -> tensor<16x16xf32, #warp>
    %a = tile.convert_layout %0 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
    %b = tile.convert_layout %0 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
    %1 = tile.dot %a, %b, %zero atom = outer : tensor<16x16xf32, #s>, tensor<16x16xf32, #s> -> tensor<16x16xf32, #warp>
    %c = tile.convert_layout %1 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
    %d = tile.convert_layout %0 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
    %2 = tile.dot %c, %d, %acc atom = outer : tensor<16x16xf32, #s>, tensor<16x16xf32, #s> -> tensor<16x16xf32, #warp>
    scf.yield %2 : tensor<16x16xf32, #warp>
  }
  tile.store %r, %y[%c0, %c0] : tensor<16x16xf32, #warp>, memref<16x16xf32>
  tile.return
}

// -----

#warp = #tile.layout<cell = [16, 16] reg = [[0, 1], [0, 2], [1, 0]] lane = [[0, 4], [0, 8], [2, 0], [4, 0], [8, 0]]>
#s = #tile.shared<cell = [16, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]]>
!ring = !tile.ring<2 x (tensor<16x16xf32, #s>)>

// A ring takes the place of the tiles that were read before its first copy,
// which waits for that; and what is written behind its loop waits for those who
// still read the last slot.
// CHECK-LABEL: llvm.func @ring_between
//  CHECK-SAME:   tile.shared = 2048 : i64
//       CHECK:   math.fma
//   CHECK-NOT:   nvvm.cp.async.shared
//       CHECK:   nvvm.barrier
//       CHECK:   nvvm.cp.async.shared
//       CHECK:   nvvm.cp.async.wait.group
//  CHECK-NEXT:   nvvm.barrier
//       CHECK:   math.fma
//   CHECK-NOT:   llvm.store {{.*}}!llvm.ptr<3>
//       CHECK:   nvvm.barrier
//       CHECK:   llvm.store {{.*}}!llvm.ptr<3>
tile.kernel @ring_between(%x: memref<16x16xf32>, %y: memref<16x16xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #warp>
  %ring = tile.ring feed = cp_async : !ring
  %0 = tile.load %x[%c0, %c0] : memref<16x16xf32> -> tensor<16x16xf32, #warp>
  %a = tile.convert_layout %0 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
  %b = tile.convert_layout %0 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
  %1 = tile.dot %a, %b, %zero atom = outer : tensor<16x16xf32, #s>, tensor<16x16xf32, #s> -> tensor<16x16xf32, #warp>
  tile.acquire %ring[%c0] : !ring
  tile.copy %x[%c0, %c0] to %ring[%c0] part 0 threads = #warp : memref<16x16xf32>, !ring
  tile.commit %ring[%c0] : !ring
  %p = tile.wait %ring[%c0] : !ring
  %2 = tile.dot %p, %p, %1 atom = outer : tensor<16x16xf32, #s>, tensor<16x16xf32, #s> -> tensor<16x16xf32, #warp>
  tile.release %ring[%c0] : !ring
  %c = tile.convert_layout %2 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
  %d = tile.convert_layout %1 : tensor<16x16xf32, #warp> -> tensor<16x16xf32, #s>
  %3 = tile.dot %c, %d, %zero atom = outer : tensor<16x16xf32, #s>, tensor<16x16xf32, #s> -> tensor<16x16xf32, #warp>
  tile.store %3, %y[%c0, %c0] : tensor<16x16xf32, #warp>, memref<16x16xf32>
  tile.return
}
