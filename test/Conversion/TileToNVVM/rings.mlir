// Copies that go on while others run: what one thread copies, what it waits
// for, and where slots are.

// RUN: split-file %s %t
// RUN: fuse-opt %t/rings.mlir --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %t/rings.mlir --convert-tile-to-nvvm=rounds=true | FileCheck %s --check-prefix=ROUNDS
// RUN: fuse-opt %t/rings.mlir --fuse-staged-to-threads --fuse-threads-to-llvm -o /dev/null
// RUN: fuse-opt %t/invalid.mlir --convert-tile-to-nvvm --split-input-file --verify-diagnostics

//--- rings.mlir
#v4 = #tile.layout<cell = [16, 8] reg = [[0, 1], [0, 2]] lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#v2 = #tile.layout<cell = [16, 8] reg = [[0, 1], [8, 0]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#v1 = #tile.layout<cell = [16, 8] reg = [[4, 0], [8, 0]] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#copies = #tile.layout<cell = [8, 8] reg = [[0, 1], [0, 2]] lane = [[0, 4], [1, 0], [2, 0], [4, 0], [0, 0]]>
#s = #tile.shared<cell = [16, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#column = #tile.layout<cell = [8, 8] reg = [[1, 0], [2, 0]] lane = [[4, 0], [0, 1], [0, 2], [0, 4], [0, 0]]>
#turned = #tile.shared<cell = [8, 8] offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>
#t = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>

// What threads of 4, 2 and 1 elements in a row copy; numbers of 32 bits go
// through the first cache. Each part takes 1024 bytes of each slot. A wait lets as many groups go
// on as it says, none where it says nothing, and threads meet.
// CHECK-LABEL: llvm.func @widths
//  CHECK-SAME:   tile.shared = 9216 : i64
//       CHECK:   nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
//   CHECK-NOT:   nvvm.cp.async.shared
// CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca :
//   CHECK-NOT:   nvvm.cp.async.shared
// CHECK-COUNT-4: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca :
//   CHECK-NOT:   nvvm.cp.async.shared
//       CHECK:   nvvm.cp.async.commit.group
//   CHECK-NOT:   nvvm
//       CHECK:   nvvm.cp.async.wait.group 1
//  CHECK-NEXT:   nvvm.barrier
//       CHECK:   nvvm.cp.async.wait.group 0
//  CHECK-NEXT:   nvvm.barrier
//   CHECK-NOT:   nvvm
//       CHECK:   llvm.return
tile.kernel @widths(%x: memref<16x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring feed = cp_async : !tile.ring<3 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.acquire %ring[%i] : !tile.ring<3 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.copy %x[%c0, %c0] to %ring[%i] part 0 threads = #v4 : memref<16x8xf32>, !tile.ring<3 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.copy %x[%c0, %c0] to %ring[%i] part 1 threads = #v2 : memref<16x8xf32>, !tile.ring<3 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.copy %x[%c0, %c0] to %ring[%i] part 2 threads = #v1 : memref<16x8xf32>, !tile.ring<3 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.commit %ring[%i] : !tile.ring<3 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  %a:3 = tile.wait %ring[%i] behind 1 : !tile.ring<3 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.release %ring[%i] : !tile.ring<3 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  %b:3 = tile.wait %ring[%i] : !tile.ring<3 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.return
}

// What a thread has copied it rounds when it is there, before it meets others:
// here all that lies together, though it was copied one by one. Of threads with
// the same one does.
// CHECK-LABEL: llvm.func @rounded
//       CHECK:   nvvm.cp.async.shared.global %[[TO:.*]], %{{.*}}, 4, cache = ca :
//       CHECK:   nvvm.cp.async.wait.group 0
//       CHECK:   %[[OWN:.*]] = arith.andi %[[THREAD:.*]], %{{.*}} : i32
//       CHECK:   %[[ISFIRST:.*]] = arith.cmpi eq, %[[OWN]]
//       CHECK:   scf.if %[[ISFIRST]]
//       CHECK:     %[[READ:.*]] = llvm.load %[[AT:.*]] {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
//       CHECK:   %[[NUMBERS:.*]] = vector.bitcast %[[READ]] : vector<4xi32> to vector<4xf32>
//       CHECK:   %[[BITS:.*]] = arith.bitcast %[[NUMBERS]] : vector<4xf32> to vector<4xi32>
//       CHECK:   %[[LAST:.*]] = arith.shrui %[[BITS]]
//       CHECK:   %[[ROUNDED:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NUMBERS]] : vector<4xi1>, vector<4xf32>
//       CHECK:     llvm.store %{{.*}}, %[[AT]] {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
//       CHECK:   nvvm.barrier
//   CHECK-NOT:   nvvm
//       CHECK:   llvm.return
// Where the chip can, by one instruction for each number.
// ROUNDS-LABEL: llvm.func @rounded
//       ROUNDS:   %[[NUMBERS:.*]] = vector.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
//   ROUNDS-NOT:   arith.shrui
//       ROUNDS:   %[[ALL:.*]]:4 = vector.to_elements %[[NUMBERS]]
//       ROUNDS:   nvvm.convert.float.to.tf32 %[[ALL]]#0 {rnd = #nvvm.fp_rnd_mode<rn>}
// ROUNDS-COUNT-3: nvvm.convert.float.to.tf32
//   ROUNDS-NOT:   nvvm.convert.float.to.tf32
//       ROUNDS:   llvm.return
tile.kernel @rounded(%x: memref<8x16xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring feed = cp_async : !tile.ring<2 x (tensor<8x8xf32, #turned>)>
  tile.copy %x[%c0, %c0] to %ring[%i] part 0 rounded threads = #column : memref<8x16xf32>, !tile.ring<2 x (tensor<8x8xf32, #turned>)>
  tile.commit %ring[%i] : !tile.ring<2 x (tensor<8x8xf32, #turned>)>
  %a = tile.wait %ring[%i] : !tile.ring<2 x (tensor<8x8xf32, #turned>)>
  tile.return
}

// Where a number's slot is: its rest times the bytes of a slot, behind another
// ring that is needed at the same time.
// CHECK-LABEL: llvm.func @slots
//  CHECK-SAME:   tile.shared = 4096 : i64
//       CHECK:   %[[COUNT:.*]] = arith.index_cast %{{.*}} : index to i32
//       CHECK:   %[[REST:.*]] = arith.remui %[[COUNT]], %[[TWO:.*]] : i32
//       CHECK:   %[[BYTES:.*]] = arith.muli %[[REST]], %[[SLOT:.*]] : i32
//       CHECK:   %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[BYTES]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
//       CHECK:   llvm.getelementptr %[[AT]][2048] :
//       CHECK:   nvvm.cp.async.shared.global
tile.kernel @slots(%x: memref<16x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %first = tile.ring feed = cp_async : !tile.ring<2 x (tensor<16x8xf32, #s>)>
  %ring = tile.ring feed = cp_async : !tile.ring<2 x (tensor<16x8xf32, #s>)>
  tile.acquire %first[%i] : !tile.ring<2 x (tensor<16x8xf32, #s>)>
  tile.copy %x[%c0, %c0] to %ring[%i] part 0 threads = #v4 : memref<16x8xf32>, !tile.ring<2 x (tensor<16x8xf32, #s>)>
  tile.release %first[%i] : !tile.ring<2 x (tensor<16x8xf32, #s>)>
  tile.return
}

// Beyond a limit nothing is read, and zeros are written.
// CHECK-LABEL: llvm.func @limits
//       CHECK:   %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}} : i32
//       CHECK:   %[[SIZE:.*]] = arith.select %[[INSIDE]], %c16_i32{{[_0-9]*}}, %c0_i32{{[_0-9]*}} : i32
//       CHECK:   nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = ca, %[[SIZE]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
//       CHECK:   %[[SIZE2:.*]] = arith.select %{{.*}}, %c8_i32{{[_0-9]*}}, %c0_i32{{[_0-9]*}} : i32
//       CHECK:   nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca, %[[SIZE2]] :
//       CHECK:   nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca, %{{.*}} :
//       CHECK:   %[[SIZE3:.*]] = arith.select %{{.*}}, %c4_i32{{[_0-9]*}}, %c0_i32{{[_0-9]*}} : i32
//       CHECK:   nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca, %[[SIZE3]] :
tile.kernel @limits(%x: memref<16x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring feed = cp_async : !tile.ring<2 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.copy %x[%c0, %c0] limits(%i) axes [0] to %ring[%i] part 0 threads = #v4 : memref<16x8xf32>, !tile.ring<2 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.copy %x[%c0, %c0] limits(%i) axes [0] to %ring[%i] part 1 threads = #v2 : memref<16x8xf32>, !tile.ring<2 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.copy %x[%c0, %c0] limits(%i) axes [1] to %ring[%i] part 2 threads = #v4 : memref<16x8xf32>, !tile.ring<2 x (tensor<16x8xf32, #s>, tensor<16x8xf32, #s>, tensor<16x8xf32, #s>)>
  tile.return
}

// Of threads that hold the same elements one copies them.
// CHECK-LABEL: llvm.func @copies
//       CHECK:   scf.if
//  CHECK-NEXT:     nvvm.cp.async.shared.global
//   CHECK-NOT:   nvvm.cp.async.shared
tile.kernel @copies(%x: memref<16x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %ring = tile.ring feed = cp_async : !tile.ring<2 x (tensor<8x8xf32, #t>)>
  tile.copy %x[%c0, %c0] to %ring[%i] part 0 threads = #copies : memref<16x8xf32>, !tile.ring<2 x (tensor<8x8xf32, #t>)>
  tile.return
}

//--- invalid.mlir
#s = #tile.shared<cell = [4] offset = [[1], [2]]>
tile.kernel @k(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %r = tile.ring feed = cp_async : !tile.ring<2 x (tensor<4xf32, #s>)>
  // expected-error @+1 {{needs 'threads', since a ring that cp.async fills is filled by all of them}}
  tile.copy %x[%i] to %r[%i] part 0 : memref<4xf32>, !tile.ring<2 x (tensor<4xf32, #s>)>
}

// -----

#s = #tile.shared<cell = [4] offset = [[1], [2]]>
#r = #tile.layout<cell = [4] reg = [[2]] lane = [[1], [0], [0], [0], [0]]>
tile.kernel @k(%x: memref<4xf16>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %r = tile.ring feed = cp_async : !tile.ring<2 x (tensor<4xf16, #s>)>
  // expected-error @+1 {{has no 4 bytes that follow each other in memory and in the ring for a thread, which cp.async needs}}
  tile.copy %x[%i] to %r[%i] part 0 threads = #r : memref<4xf16>, !tile.ring<2 x (tensor<4xf16, #s>)>
}
