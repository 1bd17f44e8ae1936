// Rings that the copy engine fills: barriers and their phases, boxes, and what
// warps with a role of their own do.

// RUN: split-file %s %t
// RUN: fuse-opt %t/engine.mlir --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %t/engine.mlir --fuse-staged-to-threads --fuse-threads-to-llvm --fuse-nvvm-to-binary=chip=sm_90a -o /dev/null
// RUN: fuse-opt %t/invalid.mlir --convert-tile-to-nvvm --split-input-file --verify-diagnostics

//--- engine.mlir
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#boxes = #tile.shared<cell = [8, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [0, 32]]>
#row = #tile.layout<cell = [4] lane = [[0], [0], [0], [0], [0]] warp = [[0], [1], [2]]>
#halves = #tile.layout<cell = [4, 64] lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]] warp = [[0, 32], [1, 0], [2, 0]]>
// Each copy has a tensor map, which is a parameter that stays where the launch
// put it. Only one block is on a processor, so that its registers are known.
// CHECK-LABEL: llvm.func @engine
//  CHECK-SAME:   %[[MAP0:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %[[MAP1:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
//  CHECK-SAME:   nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 384, 1, 1>
//  CHECK-SAME:   tile.maps = [#tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 0>, #tile.tensor_map<memory = 1, of = f32, box = [8, 32], swizzle = 128>]
//  CHECK-SAME:   tile.shared = 10288 : i64
//       CHECK:   %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
//       CHECK:   %[[SHARED:.*]] = llvm.mlir.addressof
//
// Behind the slots, three barriers that the engine's bytes turn, then three that
// eight warps turn.
//       CHECK:   %[[ISFIRST:.*]] = arith.cmpi eq, %[[THREAD]], %c0_i32{{[_0-9]*}} : i32
//       CHECK:   scf.if %[[ISFIRST]] {
//       CHECK:   %[[B0:.*]] = llvm.getelementptr %[[SHARED]][10240] :
//       CHECK:   llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %[[B0]], %c1_i32{{[_0-9]*}} :
//       CHECK:   %[[B1:.*]] = llvm.getelementptr %[[SHARED]][10248] :
//       CHECK:   llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %[[B1]], %c1_i32{{[_0-9]*}} :
//       CHECK:   %[[B2:.*]] = llvm.getelementptr %[[SHARED]][10256] :
//       CHECK:   llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %[[B2]], %c1_i32{{[_0-9]*}} :
//       CHECK:   %[[B3:.*]] = llvm.getelementptr %[[SHARED]][10264] :
//       CHECK:   llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %[[B3]], %c8_i32{{[_0-9]*}} :
//       CHECK:   %[[B4:.*]] = llvm.getelementptr %[[SHARED]][10272] :
//       CHECK:   llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %[[B4]], %c8_i32{{[_0-9]*}} :
//       CHECK:   %[[B5:.*]] = llvm.getelementptr %[[SHARED]][10280] :
//       CHECK:   llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %[[B5]], %c8_i32{{[_0-9]*}} :
//  CHECK-NEXT:   llvm.inline_asm has_side_effects "fence.mbarrier_init.release.cluster;"
//       CHECK:   nvvm.barrier0
//
// The role that computes waits for the phase of how many times the slot was used
// before, and of each warp one lane says that all have read.
//       CHECK:   %[[ISMATH:.*]] = arith.cmpi ult, %{{.*}}, %c8_i32{{[_0-9]*}} : i32
//       CHECK:   scf.if %[[ISMATH]] {
//  CHECK-NEXT:   llvm.inline_asm has_side_effects "setmaxnreg.inc.sync.aligned.u32 232;"
//       CHECK:   %[[FULLREST:.*]] = arith.remui %{{.*}}, %c3_i32{{[_0-9]*}} : i32
//       CHECK:   %[[FULLBYTES:.*]] = arith.muli %[[FULLREST]], %c8_i32{{[_0-9]*}} : i32
//       CHECK:   %[[FULLSLOT:.*]] = llvm.getelementptr %[[SHARED]][%[[FULLBYTES]]] :
//       CHECK:   %[[FULL:.*]] = llvm.getelementptr %[[FULLSLOT]][10240] :
//       CHECK:   %[[TIMES:.*]] = arith.divui %{{.*}}, %c3_i32{{[_0-9]*}} : i32
//       CHECK:   %[[PHASE:.*]] = arith.andi %[[TIMES]], %c1_i32{{[_0-9]*}} : i32
//  CHECK-NEXT:   llvm.inline_asm has_side_effects "{\0A\09.reg .pred done;\0A\09again:\0A\09mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;\0A\09@done bra.uni over;\0A\09bra.uni again;\0A\09over:\0A\09}", "r,r,~{memory}" %[[FULL]], %[[PHASE]] :
//       CHECK:   nvvm.bar.warp.sync
//       CHECK:   %[[LANE:.*]] = arith.andi %[[THREAD]], %c31_i32{{[_0-9]*}} : i32
//       CHECK:   %[[ISLANE:.*]] = arith.cmpi eq, %[[LANE]], %c0_i32{{[_0-9]*}} : i32
//       CHECK:   scf.if %[[ISLANE]] {
//       CHECK:   %[[READREST:.*]] = arith.remui %{{.*}}, %c3_i32{{[_0-9]*}} : i32
//       CHECK:   %[[READBYTES:.*]] = arith.muli %[[READREST]], %c8_i32{{[_0-9]*}} : i32
//       CHECK:   %[[READSLOT:.*]] = llvm.getelementptr %[[SHARED]][%[[READBYTES]]] :
//       CHECK:   %[[READ:.*]] = llvm.getelementptr %[[READSLOT]][10264] :
//  CHECK-NEXT:   llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %[[READ]] :
//
// Where its warps meet, they leave the others alone.
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   llvm.inline_asm has_side_effects "bar.sync 1, 256;", "~{memory}"
//   CHECK-NOT:   nvvm.barrier
//
// One thread of the other role copies. It waits for the opposite phase, so that
// the first round finds every slot read, and says how many bytes come: 8 x 8 and
// 8 x 64 times 4, without what parts are filled up with.
//       CHECK:   } else {
//  CHECK-NEXT:   llvm.inline_asm has_side_effects "setmaxnreg.dec.sync.aligned.u32 40;"
//       CHECK:   %[[ISONE:.*]] = arith.cmpi eq, %[[THREAD]], %c256_i32{{[_0-9]*}} : i32
//       CHECK:   scf.if %[[ISONE]] {
//       CHECK:   %[[AT:.*]] = arith.muli %{{.*}}, %{{.*}} : index
//       CHECK:   %[[TIMES2:.*]] = arith.divui %{{.*}}, %c3_i32{{[_0-9]*}} : i32
//       CHECK:   %[[LAST:.*]] = arith.andi %[[TIMES2]], %c1_i32{{[_0-9]*}} : i32
//       CHECK:   %[[BEFORE:.*]] = arith.xori %[[LAST]], %c1_i32{{[_0-9]*}} : i32
//       CHECK:   %[[EMPTYREST:.*]] = arith.remui %{{.*}}, %c3_i32{{[_0-9]*}} : i32
//       CHECK:   %[[EMPTYBYTES:.*]] = arith.muli %[[EMPTYREST]], %c8_i32{{[_0-9]*}} : i32
//       CHECK:   %[[EMPTYSLOT:.*]] = llvm.getelementptr %[[SHARED]][%[[EMPTYBYTES]]] :
//       CHECK:   %[[EMPTY:.*]] = llvm.getelementptr %[[EMPTYSLOT]][10264] :
//  CHECK-NEXT:   llvm.inline_asm has_side_effects "{\0A\09.reg .pred done;\0A\09again:\0A\09mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;\0A\09@done bra.uni over;\0A\09bra.uni again;\0A\09over:\0A\09}", "r,r,~{memory}" %[[EMPTY]], %[[BEFORE]] :
//       CHECK:   %[[COMESREST:.*]] = arith.remui %{{.*}}, %c3_i32{{[_0-9]*}} : i32
//       CHECK:   %[[COMESBYTES:.*]] = arith.muli %[[COMESREST]], %c8_i32{{[_0-9]*}} : i32
//       CHECK:   %[[COMESSLOT:.*]] = llvm.getelementptr %[[SHARED]][%[[COMESBYTES]]] :
//       CHECK:   %[[COMES:.*]] = llvm.getelementptr %[[COMESSLOT]][10240] :
//       CHECK:   llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %[[COMES]], %c2304_i32{{[_0-9]*}} :
//
// Columns come first, then rows. The second part is in two boxes of 32 columns,
// 1024 bytes apart.
//       CHECK:   %[[PARTREST:.*]] = arith.remui %{{.*}}, %c3_i32{{[_0-9]*}} : i32
//       CHECK:   %[[PARTBYTES:.*]] = arith.muli %[[PARTREST]], %c3072_i32{{[_0-9]*}} : i32
//       CHECK:   %[[PARTSLOT:.*]] = llvm.getelementptr %[[SHARED]][%[[PARTBYTES]]] :
//       CHECK:   %[[PART:.*]] = llvm.getelementptr %[[PARTSLOT]][1024] :
//       CHECK:   %[[BARREST:.*]] = arith.remui %{{.*}}, %c3_i32{{[_0-9]*}} : i32
//       CHECK:   %[[BARBYTES:.*]] = arith.muli %[[BARREST]], %c8_i32{{[_0-9]*}} : i32
//       CHECK:   %[[BARSLOT:.*]] = llvm.getelementptr %[[SHARED]][%[[BARBYTES]]] :
//       CHECK:   %[[BAR:.*]] = llvm.getelementptr %[[BARSLOT]][10240] :
//       CHECK:   %[[ROW:.*]] = arith.index_cast %[[AT]] : index to i32
//  CHECK-NEXT:   llvm.inline_asm has_side_effects "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,~{memory}" %[[PART]], %[[MAP0]], %c0_i32{{[_0-9]*}}, %[[ROW]], %[[BAR]] :
//       CHECK:   %[[PART1REST:.*]] = arith.remui %{{.*}}, %c3_i32{{[_0-9]*}} : i32
//       CHECK:   %[[PART1BYTES:.*]] = arith.muli %[[PART1REST]], %c3072_i32{{[_0-9]*}} : i32
//       CHECK:   %[[PART1SLOT:.*]] = llvm.getelementptr %[[SHARED]][%[[PART1BYTES]]] :
//       CHECK:   %[[PART1:.*]] = llvm.getelementptr %[[PART1SLOT]][1024] :
//       CHECK:   %[[BAR1REST:.*]] = arith.remui %{{.*}}, %c3_i32{{[_0-9]*}} : i32
//       CHECK:   %[[BAR1BYTES:.*]] = arith.muli %[[BAR1REST]], %c8_i32{{[_0-9]*}} : i32
//       CHECK:   %[[BAR1SLOT:.*]] = llvm.getelementptr %[[SHARED]][%[[BAR1BYTES]]] :
//       CHECK:   %[[BAR1:.*]] = llvm.getelementptr %[[BAR1SLOT]][10240] :
//       CHECK:   %[[BOX0:.*]] = llvm.getelementptr %[[PART1]][1024] :
//       CHECK:   %[[COLUMN0:.*]] = arith.index_cast %[[AT]] : index to i32
//       CHECK:   llvm.inline_asm has_side_effects "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,~{memory}" %[[BOX0]], %[[MAP1]], %[[COLUMN0]], %c8_i32{{[_0-9]*}}, %[[BAR1]] :
//       CHECK:   %[[BOX1:.*]] = llvm.getelementptr %[[PART1]][2048] :
//       CHECK:   %[[AGAIN:.*]] = arith.index_cast %[[AT]] : index to i32
//       CHECK:   %[[COLUMN1:.*]] = arith.addi %[[AGAIN]], %c32_i32{{[_0-9]*}} : i32
//       CHECK:   llvm.inline_asm has_side_effects "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,~{memory}" %[[BOX1]], %[[MAP1]], %[[COLUMN1]], %c8_i32{{[_0-9]*}}, %[[BAR1]] :
//   CHECK-NOT:   llvm.inline_asm
//       CHECK:   llvm.return
!r = !tile.ring<3 x (tensor<8x8xf32, #s>, tensor<8x64xf32, #boxes>)>
tile.kernel @engine(%x: memref<60x8xf32>, %z: memref<16x256xf32>, %w: memref<4x64xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role math warps 8 registers 232 {
      scf.for %n = %c0 to %c8 step %c1 {
        %a, %b = tile.wait %r[%n] : !r
        tile.release %r[%n] : !r
      }
      %t = tile.load %w[%c0, %c0] : memref<4x64xf32> -> tensor<4x64xf32, #halves>
      %m = tile.reduce max %t dims [1] : tensor<4x64xf32, #halves> -> tensor<4xf32, #row>
      tile.store %m, %y[%c0] : tensor<4xf32, #row>, memref<4xf32>
    }
    tile.role load warps 4 registers 40 {
      scf.for %n = %c0 to %c8 step %c1 {
        %at = arith.muli %n, %c8 : index
        tile.acquire %r[%n] : !r
        tile.copy %x[%at, %c0] to %r[%n] part 0 : memref<60x8xf32>, !r
        tile.copy %z[%c8, %at] to %r[%n] part 1 : memref<16x256xf32>, !r
        tile.commit %r[%n] : !r
      }
    }
  }
  tile.return
}

//--- invalid.mlir
#s = #tile.shared<cell = [8, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
tile.kernel @k(%x: memref<8x?xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role load warps 4 {
      tile.acquire %r[%c0] : !r
      // expected-error @+1 {{is no copy of boxes, which the copy engine needs}}
      tile.copy %x[%i, %c0] to %r[%c0] part 0 : memref<8x?xf32>, !r
      tile.commit %r[%c0] : !r
    }
  }
  tile.return
}

// -----

// Boxes, but not in the order of the ring's layout.
#s = #tile.shared<cell = [8, 8] offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>
!r = !tile.ring<2 x (tensor<8x8xf32, #s>)>
tile.kernel @k(%x: memref<64x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %r = tile.ring feed = tma : !r
  tile.roles {
    tile.role load warps 4 {
      // expected-error @+1 {{is no copy of boxes, which the copy engine needs}}
      tile.copy %x[%i, %c0] to %r[%c0] part 0 : memref<64x8xf32>, !r
    }
  }
  tile.return
}
