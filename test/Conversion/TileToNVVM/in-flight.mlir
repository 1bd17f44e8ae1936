// Products that go on: set off, waited for with others under way, and started
// at zero by the instruction itself.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads --fuse-threads-to-llvm --fuse-nvvm-to-binary=chip=sm_90a -o /dev/null

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#rows = #tile.layout<cell = [64] reg = [[8]] lane = [[0], [0], [1], [2], [4]] warp = [[16], [32]]>
#v = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>

// CHECK-LABEL: llvm.func @in_flight
// Zero is not put into registers first, and only the first step leaves it out.
//       CHECK:   %[[FIRST:.*]] = llvm.inline_asm has_side_effects "{{.*}}right, 0, 1, 1, 0, 1;{{.*}}right, 1, 1, 1, 0, 1;{{.*}}commit_group{{.*}}", "=&f,{{[^"]*}},l,l"
//   CHECK-NOT:   wait_group
// The second is added to what the first one writes.
//       CHECK:   llvm.inline_asm has_side_effects "{{.*}}right, 1, 1, 1, 0, 1;{{.*}}commit_group{{.*}}", "=f,{{[^"]*}},0,1,
//       CHECK:   llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 1;", ""
// A number is compared with bits that none has, and the branch ends what may be
// moved.
//       CHECK:   %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
//  CHECK-NEXT:   llvm.inline_asm has_side_effects "{{.*}}setp.ne.b32{{.*}}bra over{{.*}}nanosleep{{.*}}", "r" %[[BITS]]
// The sum is what the wait makes of it.
//       CHECK:   llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,{{[^"]*}},0,1,
//       CHECK:   llvm.return
tile.kernel @in_flight(%x: memref<64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %ones = arith.constant dense<1.0> : tensor<64x64xf16, #v>
  %a = tile.convert_layout %ones : tensor<64x64xf16, #v> -> tensor<64x64xf16, #s>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %rows = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32, #rows>
  %p = tile.start %zero : tensor<64x64xf32, #acc>
  %p1, %g1 = tile.dot_issue %a, %a, %p : tensor<64x64xf16, #s>, tensor<64x64xf16, #s>, !tile.pending<tensor<64x64xf32, #acc>> -> tensor<64x64xf32, #acc>
  %p2, %g2 = tile.dot_issue %a, %a, %p1 : tensor<64x64xf16, #s>, tensor<64x64xf16, #s>, !tile.pending<tensor<64x64xf32, #acc>> -> tensor<64x64xf32, #acc>
  %done = tile.retire %g1 behind 1
  tile.pin %rows : tensor<64xf32, #rows>
  %sum = tile.take %p2 : tensor<64x64xf32, #acc>
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32, #acc>, memref<64x64xf32>
  tile.return
}

// Numbers that are held go through a branch that is never taken, on an address
// that is none: no register is needed for that, and what is made of them stands
// behind it.
// CHECK-LABEL: llvm.func @held
//       CHECK:   %[[ADDRESS:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<1> to i64
//       CHECK:   %[[HIGH:.*]] = arith.shrui %[[ADDRESS]]
//       CHECK:   %[[WORD:.*]] = arith.trunci %[[HIGH]] : i64 to i32
//       CHECK:   %[[NEVER:.*]] = arith.cmpi eq, %[[WORD]], %{{.*}} : i32
//       CHECK:   %[[HELD:.*]] = llvm.inline_asm has_side_effects "{{.*}}@!$4 bra over{{.*}}nanosleep{{.*}}", "=f,=f,0,1,b,~{memory}" %{{.*}}, %{{.*}}, %[[NEVER]]
//       CHECK:   llvm.extractvalue %[[HELD]][0]
tile.kernel @held(%x: memref<64xf32>, %y: memref<64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32, #rows>
  %1 = tile.hold %0 : tensor<64xf32, #rows>
  tile.store %1, %y[%c0] : tensor<64xf32, #rows>, memref<64xf32>
  tile.return
}
