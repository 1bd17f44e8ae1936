// A placed kernel becomes what one of its threads does: a tile is a vector with
// an element for each register.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads --fuse-threads-to-llvm -o /dev/null

// 32 lanes, 4 registers of which follow each other.
#v4 = #tile.layout<cell = [128] reg = [[1], [2]] lane = [[4], [8], [16], [32], [64]]>
#one = #tile.layout<cell = [32] lane = [[1], [2], [4], [8], [16]]>
#warps = #tile.layout<cell = [128] lane = [[1], [2], [4], [8], [16]] warp = [[32], [64]]>
#two = #tile.layout<cell = [32, 2] reg = [[0, 1]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#flipped = #tile.layout<cell = [2, 32] reg = [[1, 0]] lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#swizzled = #tile.layout<cell = [64] reg = [[1]] lane = [[3], [4], [8], [16], [32]]>
#cells = #tile.layout<cell = [32] lane = [[1], [2], [4], [8], [16]] repeat = [3]>
#groups = #tile.layout<cell = [128] reg = [[8]] lane = [[0], [0], [1], [2], [4]] warp = [[16], [32], [64]]>
#scalar = #tile.layout<cell = []>

// Kernels are in a module of their own, with the memory that a block shares,
// whose size is said when they are launched.
// CHECK: gpu.module @fuse_kernels {
// CHECK: llvm.mlir.global external @fuse_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

// The number of warps makes the number of threads. Without a grid there is one
// block, whose place nobody asks for.
// CHECK-LABEL: llvm.func @grid0
//  CHECK-SAME:   (%{{.*}}: !llvm.ptr<1> {llvm.noalias}, %{{.*}}: !llvm.ptr<1> {llvm.noalias})
//  CHECK-SAME:   nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.shared = 0 : i64
//   CHECK-NOT:   ctaid
tile.kernel @grid0(%x: memref<128xf32>, %y: memref<128xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<128xf32> -> tensor<128xf32, #warps>
  tile.store %0, %y[%c0] : tensor<128xf32, #warps>, memref<128xf32>
  tile.return
}

// Dynamic sizes are parameters behind the memory that has them.
// CHECK-LABEL: llvm.func @grid1
//  CHECK-SAME:   (%{{.*}}: !llvm.ptr<1> {llvm.noalias}, %[[ROWS:.*]]: i64, %[[COLUMNS:.*]]: i64, %{{.*}}: !llvm.ptr<1> {llvm.noalias}, %{{.*}}: i64)
//  CHECK-SAME:   nvvm.reqntid = array<i32: 32, 1, 1>
//   CHECK-DAG:   %[[N:.*]] = arith.index_cast %[[COLUMNS]] : i64 to index
//   CHECK-DAG:   %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
//   CHECK-DAG:   %[[I:.*]] = arith.index_castui %[[BLOCK]] : i32 to index
//       CHECK:   arith.subi %[[N]], %[[I]] : index
tile.kernel @grid1(%x: memref<?x?xf32>, %y: memref<?xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %left = arith.subi %n, %i : index
  %0 = tile.load %x[%c0, %i] map (d0) -> (0, d0) limits(%left) axes [0] : memref<?x?xf32> -> tensor<32xf32, #one>
  tile.store %0, %y[%i] limits(%left) axes [0] : tensor<32xf32, #one>, memref<?xf32>
  tile.return
}

// All blocks are counted along x, the last dimension of the grid fastest; of
// every dimension but the first the extent is a parameter.
// CHECK-LABEL: llvm.func @grid3
//  CHECK-SAME:   (%{{[^ ]*}}: !llvm.ptr<1> {llvm.noalias}, %[[G1:.*]]: i32, %[[G2:.*]]: i32)
//       CHECK:   %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
//       CHECK:   %[[K:.*]] = arith.remui %[[BLOCK]], %[[G2]] : i32
//       CHECK:   %[[REST:.*]] = arith.divui %[[BLOCK]], %[[G2]] : i32
//       CHECK:   arith.index_castui %[[K]]
//       CHECK:   %[[J:.*]] = arith.remui %[[REST]], %[[G1]] : i32
//       CHECK:   %[[I:.*]] = arith.divui %[[REST]], %[[G1]] : i32
//       CHECK:   arith.index_castui %[[J]]
//       CHECK:   arith.index_castui %[[I]]
tile.kernel @grid3(%y: memref<4x4x128xf32>) outputs 1 blocks(%i, %j, %k) attributes {tile.warps = 1} {
  %0 = arith.constant dense<1.0> : tensor<32xf32, #one>
  tile.store %0, %y[%i, %j, %k] map (d0) -> (0, 0, d0) : tensor<32xf32, #one>, memref<4x4x128xf32>
  tile.return
}

// CHECK-LABEL: llvm.func @grid2
//  CHECK-SAME:   (%{{.*}}: !llvm.ptr<1> {llvm.noalias}, %[[G1:.*]]: i32)
//       CHECK:   arith.remui %{{.*}}, %[[G1]]
//       CHECK:   arith.divui %{{.*}}, %[[G1]]
//   CHECK-NOT:   arith.remui
tile.kernel @grid2(%y: memref<4x128xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1} {
  %0 = arith.constant dense<1.0> : tensor<32xf32, #one>
  tile.store %0, %y[%i, %j] map (d0) -> (0, d0) : tensor<32xf32, #one>, memref<4x128xf32>
  tile.return
}

// The second dimension changes last, and from its last block on; of the first
// one, which is no parameter, the extent is what is left of all blocks.
// CHECK-LABEL: llvm.func @ordered
//  CHECK-SAME:   (%{{[^ ]*}}: !llvm.ptr<1> {llvm.noalias}, %[[G1:.*]]: i32, %[[G2:.*]]: i32)
//       CHECK:   %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
//       CHECK:   %[[K:.*]] = arith.remui %[[BLOCK]], %[[G2]] : i32
//       CHECK:   %[[REST:.*]] = arith.divui %[[BLOCK]], %[[G2]] : i32
//       CHECK:   %[[ALL:.*]] = nvvm.read.ptx.sreg.nctaid.x : i32
//       CHECK:   %[[SOME:.*]] = arith.divui %[[ALL]], %[[G1]] : i32
//       CHECK:   %[[G0:.*]] = arith.divui %[[SOME]], %[[G2]] : i32
//       CHECK:   %[[I:.*]] = arith.remui %[[REST]], %[[G0]] : i32
//       CHECK:   %[[UP:.*]] = arith.divui %[[REST]], %[[G0]] : i32
//       CHECK:   %[[LAST:.*]] = arith.subi %[[G1]], %{{.*}} : i32
//       CHECK:   %[[J:.*]] = arith.subi %[[LAST]], %[[UP]] : i32
tile.kernel @ordered(%y: memref<4x4x128xf32>) outputs 1 blocks(%i, %j, %k) attributes {tile.warps = 1, tile.order = #tile.order<slowest = [1], down = [1]>} {
  %0 = arith.constant dense<1.0> : tensor<32xf32, #one>
  tile.store %0, %y[%i, %j, %k] map (d0) -> (0, 0, d0) : tensor<32xf32, #one>, memref<4x4x128xf32>
  tile.return
}

// In three parts: the first part's blocks come first, in order of the slowest
// dimension, and the last part may be smaller.
// CHECK-LABEL: llvm.func @parts
//  CHECK-SAME:   (%{{[^ ]*}}: !llvm.ptr<1> {llvm.noalias}, %[[G1:.*]]: i32)
//       CHECK:   %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
//       CHECK:   %[[OTHERS:.*]] = arith.divui %{{.*}}, %[[G1]] : i32
//       CHECK:   %[[UP:.*]] = arith.addi %[[OTHERS]], %{{.*}} : i32
//       CHECK:   %[[MOST:.*]] = arith.divui %[[UP]], %{{.*}} : i32
//       CHECK:   %[[WHOLE:.*]] = arith.muli %[[MOST]], %[[G1]] : i32
//       CHECK:   %[[PART:.*]] = arith.divui %[[BLOCK]], %[[WHOLE]] : i32
//       CHECK:   %[[AT:.*]] = arith.remui %[[BLOCK]], %[[WHOLE]] : i32
//       CHECK:   %[[FIRST:.*]] = arith.muli %[[PART]], %[[MOST]] : i32
//       CHECK:   %[[LEFT:.*]] = arith.subi %[[OTHERS]], %[[FIRST]] : i32
//       CHECK:   %[[HERE:.*]] = arith.minui %[[MOST]], %[[LEFT]] : i32
//       CHECK:   %[[SLOW:.*]] = arith.divui %[[AT]], %[[HERE]] : i32
//       CHECK:   %[[IN:.*]] = arith.remui %[[AT]], %[[HERE]] : i32
//       CHECK:   %[[OTHER:.*]] = arith.addi %[[FIRST]], %[[IN]] : i32
//       CHECK:   %[[ROWS:.*]] = arith.muli %[[SLOW]], %[[OTHERS]] : i32
//       CHECK:   arith.addi %[[ROWS]], %[[OTHER]] : i32
tile.kernel @parts(%y: memref<4x128xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.order = #tile.order<slowest = [1], down = [1]>, tile.parts = 3} {
  %0 = arith.constant dense<1.0> : tensor<32xf32, #one>
  tile.store %0, %y[%i, %j] map (d0) -> (0, d0) : tensor<32xf32, #one>, memref<4x128xf32>
  tile.return
}

// Extents that are known ahead are numbers, by which nothing has to be divided
// where it runs; the second part here is as large as the first.
// CHECK-LABEL: llvm.func @known
//  CHECK-SAME:   (%{{[^ ]*}}: !llvm.ptr<1> {llvm.noalias}, %{{[^ ]*}}: i32)
//   CHECK-DAG:   %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x : i32
//   CHECK-DAG:   %[[WHOLE:.*]] = arith.constant 256 : i32
//   CHECK-NOT:   nctaid
//       CHECK:   arith.divui %[[BLOCK]], %[[WHOLE]] : i32
//       CHECK:   %[[AT:.*]] = arith.remui %[[BLOCK]], %[[WHOLE]] : i32
//       CHECK:   arith.divui %[[AT]], %[[MOST:[^ ]*]] : i32
//       CHECK:   arith.remui %[[AT]], %[[MOST]] : i32
//   CHECK-NOT:   arith.minui
//       CHECK:   llvm.return
tile.kernel @known(%y: memref<64x4096xf32>) outputs 1 blocks(%i, %j) attributes {tile.warps = 1, tile.order = #tile.order<slowest = [1], down = [1]>, tile.parts = 2, tile.grid = array<i64: 64, 8>} {
  %0 = arith.constant dense<1.0> : tensor<32xf32, #one>
  tile.store %0, %y[%i, %j] map (d0) -> (0, d0) : tensor<32xf32, #one>, memref<64x4096xf32>
  tile.return
}

// What the second group of four warps has begins 64 further on, and the same
// for all lanes.
// CHECK-LABEL: llvm.func @bounds
//       CHECK:   %[[GROUP:.*]] = nvvm.shfl.sync idx
//       CHECK:   %[[PLACE:.*]] = arith.index_castui %{{.*}} : i32 to index
//       CHECK:   %[[BIT:.*]] = arith.andi %[[GROUP]], %{{.*}} : i32
//       CHECK:   %[[OWN:.*]] = arith.muli %[[BIT]], %{{.*}} : i32
//       CHECK:   %[[FIRST:.*]] = arith.index_castui %[[OWN]] : i32 to index
//       CHECK:   %[[LEAST:.*]] = arith.addi %[[PLACE]], %[[FIRST]] : index
//       CHECK:   %[[END:.*]] = arith.addi %[[PLACE]], %{{.*}} : index
//       CHECK:   %[[MOST:.*]] = arith.addi %[[END]], %{{.*}} : index
//       CHECK:   arith.subi %[[MOST]], %[[LEAST]] : index
tile.kernel @bounds(%y: memref<128xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %rows = tile.iota %i coefficients [1] : tensor<128xi32, #groups>
  %least = tile.least %rows : tensor<128xi32, #groups>
  %most = tile.most %rows : tensor<128xi32, #groups>
  %many = arith.subi %most, %least : index
  %0 = arith.constant dense<1.0> : tensor<128xf32, #groups>
  tile.store %0, %y[%many] : tensor<128xf32, #groups>, memref<128xf32>
  tile.return
}

// With a number of blocks on a processor, the code may use so many registers.
// CHECK-LABEL: llvm.func @residents
//  CHECK-SAME:   nvvm.minctasm = 2 : i32
tile.kernel @residents(%y: memref<128xf32>) outputs 1 blocks() attributes {tile.warps = 1, tile.residents = 2} {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<1.0> : tensor<32xf32, #one>
  tile.store %0, %y[%c0] : tensor<32xf32, #one>, memref<128xf32>
  tile.return
}

// What one number for many elements is subtracted from before all are multiplied
// takes one instruction an element where the rounding of few products does not
// count, in all threads of a warp; else it is done as it is written, and always
// so where nobody allows it or there are as many numbers as elements.
// CHECK-LABEL: llvm.func @shifted
//       CHECK:   %[[X:.*]] = vector.from_elements {{.*}} : vector<4xf32>
//       CHECK:   %[[R:.*]] = vector.from_elements {{.*}} : vector<1xf32>
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[R]], %{{.*}} : vector<1xf32>
//       CHECK:   %[[SIZE:.*]] = math.absf %[[PRODUCT]]
//       CHECK:   %[[MOST:.*]] = arith.constant dense<1.280000e+02>
//       CHECK:   %[[SMALL:.*]] = arith.cmpf ole, %[[SIZE]], %[[MOST]]
//       CHECK:   %[[OWN:.*]] = vector.to_elements %[[SMALL]]
//       CHECK:   %[[ALL:.*]] = nvvm.vote.sync all %{{.*}}, %[[OWN]] -> i1
//       CHECK:   scf.if %[[ALL]] -> (vector<4xf32>) {
//       CHECK:     %[[MINUS:.*]] = arith.negf %[[PRODUCT]]
//       CHECK:     %[[EACH:.*]] = vector.shuffle %[[MINUS]]
//       CHECK:     math.fma %[[X]], %{{.*}}, %[[EACH]] : vector<4xf32>
//       CHECK:   } else {
//       CHECK:     %[[SHIFTED:.*]] = arith.subf %[[X]], %{{.*}} : vector<4xf32>
//       CHECK:     arith.mulf %[[SHIFTED]], %{{.*}} : vector<4xf32>
//       CHECK:   }
//   CHECK-NOT:   scf.if
//       CHECK:   llvm.return
#rowsof4 = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#columns = #tile.layout<cell = [4] reg = [[1], [2]] lane = [[0], [0], [0], [0], [0]]>
tile.kernel @shifted(%x: memref<32x4xf32>, %m: memref<32xf32>, %n: memref<4xf32>, %y: memref<32x4xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<32x4xf32> -> tensor<32x4xf32, #rowsof4>
  %1 = tile.load %m[%c0] : memref<32xf32> -> tensor<32xf32, #one>
  %2 = tile.load %n[%c0] : memref<4xf32> -> tensor<4xf32, #columns>
  %c = arith.constant dense<1.5> : tensor<32x4xf32, #rowsof4>
  %rows = tile.broadcast %1 dims [0] : tensor<32xf32, #one> -> tensor<32x4xf32, #rowsof4>
  %columns = tile.broadcast %2 dims [1] : tensor<4xf32, #columns> -> tensor<32x4xf32, #rowsof4>
  %d = arith.subf %0, %rows : tensor<32x4xf32, #rowsof4>
  %p = arith.mulf %d, %c fastmath<reassoc,contract> : tensor<32x4xf32, #rowsof4>
  %e = arith.subf %p, %rows : tensor<32x4xf32, #rowsof4>
  %q = arith.mulf %e, %c : tensor<32x4xf32, #rowsof4>
  %f = arith.subf %q, %columns : tensor<32x4xf32, #rowsof4>
  %r = arith.mulf %f, %c fastmath<reassoc,contract> : tensor<32x4xf32, #rowsof4>
  tile.store %r, %y[%c0, %c0] : tensor<32x4xf32, #rowsof4>, memref<32x4xf32>
  tile.return
}

// Pointwise ops on vectors, also where an operand is one number for all.
// CHECK-LABEL: llvm.func @pointwise
//       CHECK:   %[[X:.*]] = vector.from_elements {{.*}} : vector<4xf32>
//       CHECK:   %[[HALF:.*]] = arith.constant dense<5.000000e-01> : vector<4xf32>
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[HALF]] fastmath<contract> : vector<4xf32>
//       CHECK:   %[[EXP:.*]] = math.exp %[[PRODUCT]] : vector<4xf32>
//       CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
//       CHECK:   arith.select %[[FIRST]], %[[X]], %[[EXP]] : vector<4xf32>
tile.kernel @pointwise(%x: memref<128xf32>, %y: memref<128xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<128xf32> -> tensor<128xf32, #v4>
  %half = arith.constant dense<0.5> : tensor<128xf32, #v4>
  %1 = arith.mulf %0, %half fastmath<contract> : tensor<128xf32, #v4>
  %2 = math.exp %1 : tensor<128xf32, #v4>
  %first = arith.cmpi eq, %i, %c0 : index
  %3 = arith.select %first, %0, %2 : tensor<128xf32, #v4>
  tile.store %3, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}

// A thread counts from where it is: 4 times its lane, then its registers.
// CHECK-LABEL: llvm.func @iota
//       CHECK:   %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x : i32
//       CHECK:   %[[MASK:.*]] = arith.constant 31 : i32
//       CHECK:   %[[LANE:.*]] = arith.andi %[[THREAD]], %[[MASK]] : i32
//       CHECK:   %[[FOUR:.*]] = arith.constant 4 : i32
//       CHECK:   %[[AT:.*]] = arith.muli %[[LANE]], %[[FOUR]] : i32
//       CHECK:   %[[ALL:.*]] = vector.broadcast %[[AT]] : i32 to vector<4xi32>
//       CHECK:   %[[REGISTERS:.*]] = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
//       CHECK:   %[[PLACES:.*]] = arith.addi %[[ALL]], %[[REGISTERS]] : vector<4xi32>
//       CHECK:   arith.extsi %[[PLACES]] : vector<4xi32> to vector<4xi64>
//       CHECK:   arith.constant dense<3> : vector<4xi64>
tile.kernel @iota(%y: memref<128xi64>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.iota %i coefficients [3] : tensor<128xi64, #v4>
  tile.store %0, %y[%c0] : tensor<128xi64, #v4>, memref<128xi64>
  tile.return
}

// Where a bit of the lane moves over one of a register, they are not added.
// CHECK-LABEL: llvm.func @swizzled
//       CHECK:   %[[FLIPS:.*]] = arith.constant dense<[0, 1]> : vector<2xi32>
//       CHECK:   arith.xori %{{.*}}, %[[FLIPS]] : vector<2xi32>
tile.kernel @swizzled(%y: memref<64xi32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.iota %c0 coefficients [1] : tensor<64xi32, #swizzled>
  tile.store %0, %y[%c0] : tensor<64xi32, #swizzled>, memref<64xi32>
  tile.return
}

// Repeats of a cell are its outermost registers.
// CHECK-LABEL: llvm.func @cells
//       CHECK:   arith.constant dense<[0, 32, 64]> : vector<3xi32>
tile.kernel @cells(%y: memref<96xi32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.iota %c0 coefficients [1] : tensor<96xi32, #cells>
  tile.store %0, %y[%c0] : tensor<96xi32, #cells>, memref<96xi32>
  tile.return
}

// Limits of 64 bits are cut to what no tile reaches.
// CHECK-LABEL: llvm.func @mask
//       CHECK:   %[[MOST:.*]] = arith.constant 1073741824 : index
//       CHECK:   %[[LEAST:.*]] = arith.constant -1073741824 : index
//       CHECK:   arith.minsi %{{.*}}, %[[MOST]]
//       CHECK:   arith.maxsi %{{.*}}, %[[LEAST]]
//       CHECK:   %[[INSIDE:.*]] = arith.cmpi slt, {{.*}} : vector<4xi32>
//       CHECK:   %[[ELSE:.*]] = arith.constant dense<0xFF800000> : vector<4xf32>
//       CHECK:   arith.select %[[INSIDE]], %{{.*}}, %[[ELSE]] : vector<4xi1>, vector<4xf32>
tile.kernel @mask(%x: memref<128xf32>, %y: memref<128xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<128xf32> -> tensor<128xf32, #v4>
  %1 = tile.mask %0 limits(%i) axes [0] : tensor<128xf32, #v4> else 0xFF800000
  tile.store %1, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}

// A transpose and a broadcast are other names for registers.
// CHECK-LABEL: llvm.func @names
//       CHECK:   %[[X:.*]] = vector.from_elements %{{.*}} : vector<1xf32>
//       CHECK:   %[[ALL:.*]] = vector.shuffle %[[X]], %[[X]] [0, 0] : vector<1xf32>, vector<1xf32>
//   CHECK-NOT:   vector.shuffle
//       CHECK:   %[[ELEMENTS:.*]]:2 = vector.to_elements %[[ALL]]
//   CHECK-NOT:   nvvm.
//       CHECK:   llvm.return
tile.kernel @names(%x: memref<32xf32>, %y: memref<2x32xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<32xf32> -> tensor<32xf32, #one>
  %1 = tile.broadcast %0 dims [0] : tensor<32xf32, #one> -> tensor<32x2xf32, #two>
  %2 = tile.transpose %1 [1, 0] : tensor<32x2xf32, #two> -> tensor<2x32xf32, #flipped>
  tile.store %2, %y[%c0, %c0] : tensor<2x32xf32, #flipped>, memref<2x32xf32>
  tile.return
}

// A number out of a tile bounds a loop, which carries vectors; so does a branch.
// CHECK-LABEL: llvm.func @control_flow
//       CHECK:   %[[N:.*]] = vector.extract %{{.*}}[0] : index from vector<1xindex>
//       CHECK:   scf.for %{{.*}} = %c0{{.*}} to %[[N]] step %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (vector<1xf32>)
//       CHECK:     %[[NEXT:.*]] = arith.addf %[[SUM]], %{{.*}} : vector<1xf32>
//       CHECK:     scf.yield %[[NEXT]] : vector<1xf32>
//       CHECK:   scf.if %{{.*}} -> (vector<1xf32>)
//       CHECK:     scf.yield
//       CHECK:   else
//       CHECK:     scf.yield
//       CHECK:   scf.if %{{.*}} {
//       CHECK:     llvm.store
tile.kernel @control_flow(%x: memref<?x32xf32>, %n: memref<1xindex>, %y: memref<32xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %n[%c0] map () -> (0) : memref<1xindex> -> tensor<index, #scalar>
  %end = tensor.extract %0[] : tensor<index, #scalar>
  %zero = arith.constant dense<0.0> : tensor<32xf32, #one>
  %sum = scf.for %k = %c0 to %end step %c1 iter_args(%s = %zero) -> (tensor<32xf32, #one>) {
    %1 = tile.load %x[%k, %c0] map (d0) -> (0, d0) : memref<?x32xf32> -> tensor<32xf32, #one>
    %2 = arith.addf %s, %1 : tensor<32xf32, #one>
    scf.yield %2 : tensor<32xf32, #one>
  }
  %first = arith.cmpi eq, %i, %c0 : index
  %3 = scf.if %first -> (tensor<32xf32, #one>) {
    scf.yield %sum : tensor<32xf32, #one>
  } else {
    scf.yield %zero : tensor<32xf32, #one>
  }
  scf.if %first {
    tile.store %3, %y[%c0] : tensor<32xf32, #one>, memref<32xf32>
  }
  tile.return
}

// Positions that f32 holds are converted once for a thread, and each of its
// registers adds its constant; those that may be too large are converted one by
// one.
#rows = #tile.layout<cell = [4, 64] reg = [[0, 1], [2, 0]] lane = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]] warp = [[0, 32]]>
// CHECK-LABEL: llvm.func @positions
//       CHECK:   scf.for
//       CHECK:     %[[REAL:.*]] = arith.sitofp %{{.*}} : i32 to f32
//       CHECK:     %[[ALL:.*]] = vector.broadcast %[[REAL]] : f32 to vector<4xf32>
//       CHECK:     %[[OWN:.*]] = arith.constant dense<[0.000000e+00, 1.000000e+00, -6.000000e+00, -5.000000e+00]>
//       CHECK:     arith.addf %[[ALL]], %[[OWN]] : vector<4xf32>
//       CHECK:   arith.sitofp %{{.*}} : vector<4xi32> to vector<4xf32>
tile.kernel @positions(%y: memref<4x6400xf32>, %z: memref<4x64xf32>) outputs 2 blocks(%i) attributes {tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  scf.for %k = %c0 to %c100 step %c1 {
    %at = arith.muli %k, %c64 : index
    %0 = tile.iota %at coefficients [-3, 1] : tensor<4x64xi32, #rows>
    %1 = arith.sitofp %0 : tensor<4x64xi32, #rows> to tensor<4x64xf32, #rows>
    tile.store %1, %y[%c0, %at] : tensor<4x64xf32, #rows>, memref<4x6400xf32>
  }
  %2 = tile.iota %i coefficients [-3, 1] : tensor<4x64xi32, #rows>
  %3 = arith.sitofp %2 : tensor<4x64xi32, #rows> to tensor<4x64xf32, #rows>
  tile.store %3, %z[%c0, %c0] : tensor<4x64xf32, #rows>, memref<4x64xf32>
  tile.return
}
