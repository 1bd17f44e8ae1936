// A block that has a processor for itself goes on to other places of the grid,
// and copies there before it is done here.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-walk-blocks))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-walk-blocks,tile-form-rings{shared-bytes=232448 engine},tile-split-roles,tile-async-dots,tile-schedule-loops,tile-verify-staged))' | FileCheck %s --check-prefix=RINGS
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-walk-blocks,tile-form-rings{shared-bytes=232448 engine},tile-split-roles,tile-async-dots,tile-schedule-loops,tile-verify-staged),convert-tile-to-nvvm)' | FileCheck %s --check-prefix=NVVM
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-walk-blocks{processors=4}))' | FileCheck %s --check-prefix=FOUR

#sa = #tile.shared<cell = [128, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#sb = #tile.shared<cell = [64, 256] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64], [0, 128]]>
#va = #tile.layout<cell = [128, 64] reg = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [16, 0]]>
#vb = #tile.layout<cell = [64, 256] reg = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [0, 64], [0, 128]] warp = [[1, 0], [2, 0], [4, 0]]>
#acc = #tile.layout<cell = [128, 256] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
!acc = tensor<128x256xf32, #acc>

// Rows are 128 x 64, columns 64 x 256 numbers a round, so 132 blocks read least
// with 16 rows together.
// CHECK-LABEL: tile.kernel @product
//  CHECK-SAME:   blocks(%[[FIRST:.*]], %[[STEP:.*]], %[[BATCHES:.*]], %[[ROWS:.*]], %[[COLUMNS:.*]]) attributes {tile.warps = 8 : i64, walks}
//       CHECK:   %[[PLANES:.*]] = arith.muli %[[BATCHES]], %[[ROWS]]
//       CHECK:   %[[ITEMS:.*]] = arith.muli %[[PLANES]], %[[COLUMNS]]
//       CHECK:   arith.constant 16 : i32
//       CHECK:   scf.for %[[ITEM:.*]] = %[[FIRST]] to %[[ITEMS]] step %[[STEP]] {
//       CHECK:     arith.minui
//       CHECK:     scf.for
//       CHECK:       tile.dot
//       CHECK:     tile.store
//  FOUR-LABEL: tile.kernel @product
//       FOUR:   arith.constant 2 : i32

// Both roles go the same way, and count rounds through all places.
//  RINGS-LABEL: tile.kernel @product
//        RINGS:   tile.role math
//        RINGS:     scf.for {{.*}} iter_args(%[[BASE:.*]] = %{{.*}}) -> (index) {
//        RINGS:       tile.store
//        RINGS:       scf.yield %{{.*}} : index
//        RINGS:   tile.role load
//        RINGS:     scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (index) {
//        RINGS:       scf.for
//        RINGS:         tile.copy
//        RINGS:       scf.yield %{{.*}} : index

// The first extent is a parameter, too.
//   NVVM-LABEL: llvm.func @product
//    NVVM-SAME:   %{{.*}}: i64, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: !llvm.ptr {llvm.align
//    NVVM-SAME:   tile.walks
//        NVVM:   nvvm.read.ptx.sreg.ctaid.x
//        NVVM:   nvvm.read.ptx.sreg.nctaid.x
// Places are counted in 32 bits.
//        NVVM:   scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args({{.*}}) -> (index) : i32 {
tile.kernel @product(%x: memref<8x?x256xf16>, %w: memref<8x256x1024xf16>, %y: memref<8x?x1024xf32>) outputs 1 blocks(%n, %i, %j) attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %row = arith.muli %i, %c128 : index
  %column = arith.muli %j, %c256 : index
  %rows = memref.dim %x, %c1 : memref<8x?x256xf16>
  %left = arith.subi %rows, %row : index
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%s = %zero) -> (!acc) {
    %a = tile.load %x[%n, %row, %k] map (d0, d1) -> (0, d0, d1) limits(%left) axes [0] : memref<8x?x256xf16> -> tensor<128x64xf16, #va>
    %b = tile.load %w[%n, %k, %column] map (d0, d1) -> (0, d0, d1) : memref<8x256x1024xf16> -> tensor<64x256xf16, #vb>
    %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
    %bs = tile.convert_layout %b : tensor<64x256xf16, #vb> -> tensor<64x256xf16, #sb>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x256xf16, #sb> -> !acc
    scf.yield %d : !acc
  }
  tile.store %sum, %y[%n, %row, %column] map (d0, d1) -> (0, d0, d1) limits(%left) axes [0] : !acc, memref<8x?x1024xf32>
  tile.return
}

// Where blocks have unequally much to do, those that are done first should take
// what is left.
// CHECK-LABEL: tile.kernel @triangle
//  CHECK-SAME:   blocks(%{{[^,]*}}) attributes {tile.warps = 8 : i64}
tile.kernel @triangle(%x: memref<512x256xf16>, %w: memref<256x256xf16>, %y: memref<512x256xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %zero = arith.constant dense<0.0> : !acc
  %sum = scf.for %k = %c0 to %row step %c64 iter_args(%s = %zero) -> (!acc) {
    %a = tile.load %x[%row, %k] : memref<512x256xf16> -> tensor<128x64xf16, #va>
    %b = tile.load %w[%k, %c0] : memref<256x256xf16> -> tensor<64x256xf16, #vb>
    %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
    %bs = tile.convert_layout %b : tensor<64x256xf16, #vb> -> tensor<64x256xf16, #sb>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x256xf16, #sb> -> !acc
    scf.yield %d : !acc
  }
  tile.store %sum, %y[%row, %c0] : !acc, memref<512x256xf32>
  tile.return
}

// Where it is known which have more, a block that has had the longest of one
// round takes the shortest of the next: in every other one, if it is whole, who
// is first takes the last item. What a place reads first goes through a ring of
// its own, so that it is copied while the last place is stored.
// CHECK-LABEL: tile.kernel @ordered(
//  CHECK-SAME:   blocks(%[[FIRST:[^,]*]], %[[STEP:[^,]*]], %[[HEADS:[^,]*]], %[[ROWS:[^,)]*]]) attributes {tile.order = #tile.order<slowest = [1], down = [1]>, tile.warps = 8 : i64, walks}
//   CHECK-DAG:   %[[ITEMS:.*]] = arith.muli %[[HEADS]], %[[ROWS]]
//       CHECK:   %[[BLOCK:.*]] = arith.index_castui %[[FIRST]] :
//       CHECK:   %[[BLOCKS:.*]] = arith.index_castui %[[STEP]] :
//       CHECK:   scf.for %[[ITEM:.*]] = %[[FIRST]] to %[[ITEMS]] step %[[STEP]] {
//       CHECK:     %[[OWN:.*]] = arith.index_castui %[[ITEM]] :
//       CHECK:     %[[ROUND:.*]] = arith.divui %[[OWN]], %[[BLOCKS]]
//       CHECK:     %[[BEGIN:.*]] = arith.muli %[[ROUND]], %[[BLOCKS]]
//       CHECK:     %[[END:.*]] = arith.addi %[[BEGIN]], %[[BLOCKS]]
//       CHECK:     %[[ODD:.*]] = arith.trunci %[[ROUND]] : i32 to i1
//       CHECK:     %[[WHOLE:.*]] = arith.cmpi ule, %[[END]], %{{.*}} : i32
//       CHECK:     %[[LAST:.*]] = arith.subi %[[END]], %{{.*}} : i32
//       CHECK:     %[[TURNED:.*]] = arith.subi %[[LAST]], %[[BLOCK]] : i32
//       CHECK:     %[[BOTH:.*]] = arith.andi %[[ODD]], %[[WHOLE]]
//       CHECK:     %[[TAKEN:.*]] = arith.select %[[BOTH]], %[[TURNED]], %[[OWN]] : i32
//       CHECK:     arith.remui
//       CHECK:     arith.divui
//       CHECK:     arith.subi
//       CHECK:     tile.store
//  RINGS-LABEL: tile.kernel @ordered(
//        RINGS:   tile.ring feed = tma : <4 x (tensor<64x256xf16
//        RINGS:   tile.ring feed = tma : <2 x (tensor<128x64xf16
//        RINGS:   tile.role load
//        RINGS:     scf.for
//        RINGS:       tile.copy
//        RINGS:       scf.for
//        RINGS:         tile.copy
tile.kernel @ordered(%x: memref<4x512x64xf16>, %w: memref<4x64x1024xf16>, %y: memref<4x512x256xf32>) outputs 1 blocks(%h, %i) attributes {tile.warps = 8, tile.order = #tile.order<slowest = [1], down = [1]>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %zero = arith.constant dense<0.0> : !acc
  %a = tile.load %x[%h, %row, %c0] map (d0, d1) -> (0, d0, d1) : memref<4x512x64xf16> -> tensor<128x64xf16, #va>
  %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
  %sum = scf.for %k = %c0 to %row step %c64 iter_args(%s = %zero) -> (!acc) {
    %b = tile.load %w[%h, %c0, %k] map (d0, d1) -> (0, d0, d1) : memref<4x64x1024xf16> -> tensor<64x256xf16, #vb>
    %bs = tile.convert_layout %b : tensor<64x256xf16, #vb> -> tensor<64x256xf16, #sb>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x256xf16, #sb> -> !acc
    scf.yield %d : !acc
  }
  tile.store %sum, %y[%h, %row, %c0] map (d0, d1) -> (0, d0, d1) : !acc, memref<4x512x256xf32>
  tile.return
}

// Blocks that share a processor go on, too, as many as are to.
// CHECK-LABEL: tile.kernel @residents(
//  CHECK-SAME:   walks
#acc64 = #tile.layout<cell = [128, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
#b64 = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#v64 = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0], [16, 0]]>
tile.kernel @residents(%x: memref<512x256xf16>, %w: memref<256x64xf16>, %y: memref<512x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8, tile.residents = 2} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %row = arith.muli %i, %c128 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc64>
  %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc64>) {
    %a = tile.load %x[%row, %k] : memref<512x256xf16> -> tensor<128x64xf16, #va>
    %b = tile.load %w[%k, %c0] : memref<256x64xf16> -> tensor<64x64xf16, #v64>
    %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
    %bs = tile.convert_layout %b : tensor<64x64xf16, #v64> -> tensor<64x64xf16, #b64>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x64xf16, #b64> -> tensor<128x64xf32, #acc64>
    scf.yield %d : tensor<128x64xf32, #acc64>
  }
  tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc64>, memref<512x64xf32>
  tile.return
}

// Of blocks that take differently long the next one begins where one has ended.
// CHECK-LABEL: tile.kernel @unequal(
//   CHECK-NOT:   walks
//       CHECK:   tile.return
tile.kernel @unequal(%x: memref<512x256xf16>, %w: memref<256x64xf16>, %y: memref<512x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8, tile.residents = 2, tile.order = #tile.order<slowest = [0], down = [0]>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc64>
  %sum = scf.for %k = %c0 to %row step %c64 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc64>) {
    %a = tile.load %x[%row, %k] : memref<512x256xf16> -> tensor<128x64xf16, #va>
    %b = tile.load %w[%k, %c0] : memref<256x64xf16> -> tensor<64x64xf16, #v64>
    %as = tile.convert_layout %a : tensor<128x64xf16, #va> -> tensor<128x64xf16, #sa>
    %bs = tile.convert_layout %b : tensor<64x64xf16, #v64> -> tensor<64x64xf16, #b64>
    %d = tile.dot %as, %bs, %s {atom = #tile<atom wgmma>} : tensor<128x64xf16, #sa>, tensor<64x64xf16, #b64> -> tensor<128x64xf32, #acc64>
    scf.yield %d : tensor<128x64xf32, #acc64>
  }
  tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc64>, memref<512x64xf32>
  tile.return
}
