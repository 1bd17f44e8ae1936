// Every tile gets a layout, and a conversion stands where two differ.

// RUN: fuse-opt %s --tile-assign-layouts --split-input-file | FileCheck %s
// RUN: fuse-opt %s --fuse-tiles-to-placed --split-input-file -o /dev/null

// As memory is accessed fastest: 16 bytes a thread, neighbours side by side.
// CHECK-LABEL: tile.kernel @pointwise
//  CHECK-SAME:   tile.warps = {{[1-9]}}
//       CHECK:   tile.load {{.*}} -> tensor<8x256xf32, [[ROWS:#tile.layout<[^>]+>]]>
//       CHECK:   arith.mulf {{.*}} : tensor<8x256xf32, [[ROWS]]>
//   CHECK-NOT:   tile.convert_layout
//       CHECK:   tile.store {{.*}} : tensor<8x256xf32, #tile.layout<cell = [8, 256] reg = {{\[\[}}0, 1], [0, 2], {{.*}} lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [0, 64]]
tile.kernel @pointwise(%x: memref<?x256xf32>, %y: memref<?x256xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %two = arith.constant dense<2.0> : tensor<8x256xf32>
  %0 = tile.load %x[%i, %c0] : memref<?x256xf32> -> tensor<8x256xf32>
  %1 = arith.mulf %0, %two : tensor<8x256xf32>
  tile.store %1, %y[%i, %c0] : tensor<8x256xf32>, memref<?x256xf32>
  tile.return
}

// -----

// 16 bytes are 8 halves.
// CHECK-LABEL: tile.kernel @halves
//       CHECK:   tile.load {{.*}} reg = {{\[\[}}0, 1], [0, 2], [0, 4], {{.*}} lane = {{\[\[}}0, 8], [0, 16]
tile.kernel @halves(%x: memref<8x256xf16>, %y: memref<8x256xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x256xf16> -> tensor<8x256xf16>
  tile.store %0, %y[%c0, %c0] : tensor<8x256xf16>, memref<8x256xf16>
  tile.return
}

// -----

// But of what is then an f32, as scales are that are read beside it, 16 bytes
// are four.
// CHECK-LABEL: tile.kernel @widened
//       CHECK:   tile.load {{.*}} reg = {{\[\[}}0, 1], [0, 2], {{.*}} lane = {{\[\[}}0, 4], [0, 8]
tile.kernel @widened(%x: memref<8x256xf16>, %y: memref<8x256xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x256xf16> -> tensor<8x256xf16>
  %1 = arith.extf %0 : tensor<8x256xf16> to tensor<8x256xf32>
  %2 = arith.mulf %1, %1 : tensor<8x256xf32>
  %3 = arith.truncf %2 : tensor<8x256xf32> to tensor<8x256xf16>
  tile.store %3, %y[%c0, %c0] : tensor<8x256xf16>, memref<8x256xf16>
  tile.return
}

// -----

// Nobody knows that a row of 255 is aligned.
// CHECK-LABEL: tile.kernel @unaligned
//       CHECK:   tile.load {{.*}} lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]
tile.kernel @unaligned(%x: memref<8x255xf32>, %y: memref<8x255xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x255xf32> -> tensor<8x128xf32>
  tile.store %0, %y[%c0, %c0] : tensor<8x128xf32>, memref<8x255xf32>
  tile.return
}

// -----

// What a product waits for is asked for 16 bytes at a time all the same, and cut
// out of aligned ones.
// CHECK-LABEL: tile.kernel @unaligned_factor
//       CHECK:   tile.load {{.*}} : memref<16x33xbf16> -> tensor<16x32xbf16, #tile.layout<cell = [16, 32] reg = {{\[\[}}0, 1], [0, 2], [0, 4], [8, 0]] lane
tile.kernel @unaligned_factor(%a: memref<16x33xbf16>, %b: memref<32x64xbf16>, %y: memref<16x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<16x33xbf16> -> tensor<16x32xbf16>
  %1 = tile.load %b[%c0, %c0] : memref<32x64xbf16> -> tensor<32x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %2 = tile.dot %0, %1, %zero : tensor<16x32xbf16>, tensor<32x64xbf16> -> tensor<16x64xf32>
  tile.store %2, %y[%c0, %c0] : tensor<16x64xf32>, memref<16x64xf32>
  tile.return
}

// -----

// The first axis is the fast one.
// CHECK-LABEL: tile.kernel @columns
//       CHECK:   tile.load {{.*}} reg = {{\[\[}}1, 0], [2, 0], {{.*}} lane = {{\[\[}}4, 0], [8, 0], [16, 0], [32, 0],
tile.kernel @columns(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<64x64xf32> -> tensor<64x64xf32>
  tile.store %0, %y[%c0, %c0] map (d0, d1) -> (d1, d0) : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// -----

// Extents that are no power of two repeat a cell.
// CHECK-LABEL: tile.kernel @odd
//       CHECK:   tile.load {{.*}} -> tensor<6x384xf32, #tile.layout<cell = [2, 128] {{.*}} repeat = [3, 3]>>
tile.kernel @odd(%x: memref<6x384xf32>, %y: memref<6x384xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<6x384xf32> -> tensor<6x384xf32>
  tile.store %0, %y[%c0, %c0] : tensor<6x384xf32>, memref<6x384xf32>
  tile.return
}

// -----

// A statistic of rows is the slice of the tile that it is made of. Broadcast
// back, it is where it is needed.
// CHECK-LABEL: tile.kernel @rows
//       CHECK:   tile.load {{.*}} -> tensor<32x256xf32, [[TILE:#tile.layout<[^>]+>]]>
//       CHECK:   tile.reduce max {{.*}} -> tensor<32xf32, [[ROW:#tile.layout<cell = \[32\] [^>]*lane = \[\[0\], \[0\], \[0\], \[0\], \[0\]\][^>]*>]]>
//   CHECK-NOT:   tile.convert_layout
//       CHECK:   tile.broadcast %{{.*}} dims [0] : tensor<32xf32, [[ROW]]> -> tensor<32x256xf32, [[TILE]]>
//       CHECK:   arith.subf
//   CHECK-NOT:   tile.convert_layout
//       CHECK:   tile.store
tile.kernel @rows(%x: memref<32x256xf32>, %y: memref<32x256xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<32x256xf32> -> tensor<32x256xf32>
  %1 = tile.reduce max %0 dims [1] : tensor<32x256xf32> -> tensor<32xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<32xf32> -> tensor<32x256xf32>
  %3 = arith.subf %0, %2 : tensor<32x256xf32>
  tile.store %3, %y[%c0, %c0] : tensor<32x256xf32>, memref<32x256xf32>
  tile.return
}

// -----

// A bias is loaded by the threads that add it.
// CHECK-LABEL: tile.kernel @bias
//       CHECK:   tile.load %{{.*}}[%c0] : memref<64xf32> -> tensor<64xf32, [[BIAS:#tile.layout<[^>]+>]]>
//       CHECK:   tile.broadcast %{{.*}} dims [1] : tensor<64xf32, [[BIAS]]>
tile.kernel @bias(%x: memref<64x64xf32>, %b: memref<64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %1 = tile.load %b[%c0] : memref<64xf32> -> tensor<64xf32>
  %2 = tile.broadcast %1 dims [1] : tensor<64xf32> -> tensor<64x64xf32>
  %3 = arith.addf %0, %2 : tensor<64x64xf32>
  tile.store %3, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// -----

// Other names for the same registers: a transpose converts nothing where rows of
// 64 bytes are moved on both sides.
// CHECK-LABEL: tile.kernel @transpose_of_pieces
//       CHECK:   tile.transpose
//   CHECK-NOT:   tile.convert_layout
//       CHECK:   tile.store
tile.kernel @transpose_of_pieces(%x: memref<4x16x64xf32>, %y: memref<16x4x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0, %c0] : memref<4x16x64xf32> -> tensor<4x16x64xf32>
  %1 = tile.transpose %0 [1, 0, 2] : tensor<4x16x64xf32> -> tensor<16x4x64xf32>
  tile.store %1, %y[%c0, %c0, %c0] : tensor<16x4x64xf32>, memref<16x4x64xf32>
  tile.return
}

// -----

// What is stored across what was read goes through an exchange, so that both
// are in vectors.
// CHECK-LABEL: tile.kernel @transpose
//       CHECK:   tile.load {{.*}} -> tensor<64x64xf16, #tile.layout<cell = [64, 64] reg = {{\[\[}}0, 1], [0, 2], [0, 4],
//       CHECK:   arith.negf
//       CHECK:   tile.transpose
//       CHECK:   tile.convert_layout {{.*}} -> tensor<64x64xf16, #tile.layout<cell = [64, 64] reg = {{\[\[}}0, 1], [0, 2], [0, 4],
//       CHECK:   tile.store
tile.kernel @transpose(%x: memref<64x64xf16>, %y: memref<64x64xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %1 = arith.negf %0 : tensor<64x64xf16>
  %2 = tile.transpose %1 [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  tile.store %2, %y[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16>
  tile.return
}

// -----

// So do several of them.
// CHECK-LABEL: tile.kernel @transposes
//       CHECK:   tile.convert_layout
//  CHECK-NEXT:   tile.store
//       CHECK:   tile.convert_layout
//  CHECK-NEXT:   tile.store
tile.kernel @transposes(%x: memref<64x64xf16>, %z: memref<64x64xf16>, %y: memref<64x64xf16>, %w: memref<64x64xf16>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %1 = tile.load %z[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %2 = tile.transpose %0 [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  tile.store %2, %y[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16>
  %3 = tile.transpose %1 [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  tile.store %3, %w[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16>
  tile.return
}

// -----

// Sums of products whose rows no vector divides are stored by lanes side by
// side; those of others as they are.
// CHECK-LABEL: tile.kernel @odd_sums
//       CHECK:   tile.dot {{.*}} atom = mma
//       CHECK:   %[[ROWS:.*]] = tile.convert_layout {{.*}} lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]
//  CHECK-NEXT:   tile.store %[[ROWS]]
//       CHECK:   %[[SUM:.*]] = tile.dot {{.*}} atom = mma
//  CHECK-NEXT:   tile.store %[[SUM]]
tile.kernel @odd_sums(%x: memref<64x64xf16>, %w: memref<64x64xf16>, %y: memref<64x77xf32>, %z: memref<64x64xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %1 = tile.load %w[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %2 = tile.dot %0, %1, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %2, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x77xf32>
  %3 = tile.dot %1, %0, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  tile.store %3, %z[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// -----

// So are those of which vectors of 8 bytes are the longest, which the copy engine does not store.
// CHECK-LABEL: tile.kernel @sums_in_short_vectors
//       CHECK:   tile.dot {{.*}} atom = mma
//       CHECK:   %[[ROWS:.*]] = tile.convert_layout {{.*}} reg = {{\[\[}}0, 1], [0, 2], {{.*}} lane = {{\[\[}}0, 4], [0, 8], [0, 16]
//  CHECK-NEXT:   tile.store %[[ROWS]]
tile.kernel @sums_in_short_vectors(%x: memref<64x64xf16>, %w: memref<64x64xf16>, %y: memref<64x100xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %1 = tile.load %w[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %2 = tile.dot %0, %1, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %3 = arith.truncf %2 : tensor<64x64xf32> to tensor<64x64xf16>
  tile.store %3, %y[%c0, %c0] : tensor<64x64xf16>, memref<64x100xf16>
  tile.return
}

// -----

// Added to its transpose, a tile has to move.
// CHECK-LABEL: tile.kernel @symmetric
//       CHECK:   %[[X:.*]] = tile.load {{.*}} -> tensor<64x64xf32, [[TILE:#tile.layout<[^>]+>]]>
//       CHECK:   %[[T:.*]] = tile.transpose %[[X]] {{.*}} -> tensor<64x64xf32, [[OTHER:#tile.layout<[^>]+>]]>
//       CHECK:   %[[MOVED:.*]] = tile.convert_layout %[[T]] : tensor<64x64xf32, [[OTHER]]> -> tensor<64x64xf32, [[TILE]]>
//       CHECK:   arith.addf %[[X]], %[[MOVED]] : tensor<64x64xf32, [[TILE]]>
tile.kernel @symmetric(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %1 = tile.transpose %0 [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %2 = arith.addf %0, %1 : tensor<64x64xf32>
  tile.store %2, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// -----

// The accumulator as mma.sync wants it, the factors in shared memory.
// CHECK-LABEL: tile.kernel @mma
//   CHECK-DAG:   %[[A:.*]] = tile.convert_layout {{.*}} -> tensor<32x32xf16, #tile.shared<
//   CHECK-DAG:   %[[B:.*]] = tile.convert_layout {{.*}} -> tensor<32x64xf16, #tile.shared<
//       CHECK:   tile.dot %[[A]], %[[B]], %{{.*}} atom = mma
//  CHECK-SAME:     -> tensor<32x64xf32, #tile.layout<cell = [32, 64] reg = {{\[\[}}0, 1], [8, 0]{{.*}} lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]
tile.kernel @mma(%a: memref<32x32xf16>, %b: memref<32x64xf16>, %y: memref<32x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<32x32xf16> -> tensor<32x32xf16>
  %1 = tile.load %b[%c0, %c0] : memref<32x64xf16> -> tensor<32x64xf16>
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %2 = tile.dot %0, %1, %zero : tensor<32x32xf16>, tensor<32x64xf16> -> tensor<32x64xf32>
  tile.store %2, %y[%c0, %c0] : tensor<32x64xf32>, memref<32x64xf32>
  tile.return
}

// -----

// Three products of parts are done by the same instruction, except where four
// warps do them together. What was computed is the left factor of the next
// product in the registers where it is.
// CHECK-LABEL: tile.kernel @tf32x3(
//       CHECK:   %[[SUM:.*]] = tile.dot {{.*}} precision = tf32x3 atom = mma {{.*}} -> tensor<32x32xf32, #[[ACC:.*]]>
//       CHECK:   tile.dot %[[SUM]], {{.*}} precision = tf32x3 atom = mma : tensor<32x32xf32, #[[ACC]]>
tile.kernel @tf32x3(%x: memref<32x32xf32>, %w: memref<32x32xf32>, %y: memref<32x32xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<32x32xf32> -> tensor<32x32xf32>
  %1 = tile.load %w[%c0, %c0] : memref<32x32xf32> -> tensor<32x32xf32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %2 = tile.dot %0, %1, %zero precision = tf32x3 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %3 = tile.dot %2, %1, %zero precision = tf32x3 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %3, %y[%c0, %c0] : tensor<32x32xf32>, memref<32x32xf32>
  tile.return
}

// -----

// f32 as it is has no such instruction, rounded to tf32 it has. Sizes that it
// does not divide are done without, too.
// CHECK-LABEL: tile.kernel @atoms
//       CHECK:   tile.dot {{.*}} atom = outer {{.*}} -> tensor<32x32xf32
//       CHECK:   tile.dot {{.*}} precision = tf32 atom = mma {{.*}} -> tensor<32x32xf32
//       CHECK:   tile.dot {{.*}} precision = tf32 atom = outer {{.*}} -> tensor<32x4xf32
//       CHECK:   tile.dot {{.*}} atom = outer {{.*}} -> tensor<32x32xi32
tile.kernel @atoms(%a: memref<32x32xf32>, %i: memref<32x32xi32>, %y: memref<32x32xf32>, %z: memref<32x32xf32>, %w: memref<32x4xf32>, %v: memref<32x32xi32>) outputs 4 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %a[%c0, %c0] : memref<32x32xf32> -> tensor<32x32xf32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %1 = tile.dot %0, %0, %zero : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %1, %y[%c0, %c0] : tensor<32x32xf32>, memref<32x32xf32>
  %2 = tile.dot %0, %0, %zero precision = tf32 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %2, %z[%c0, %c0] : tensor<32x32xf32>, memref<32x32xf32>
  %3 = tile.load %a[%c0, %c0] : memref<32x32xf32> -> tensor<32x4xf32>
  %narrow = arith.constant dense<0.0> : tensor<32x4xf32>
  %4 = tile.dot %0, %3, %narrow precision = tf32 : tensor<32x32xf32>, tensor<32x4xf32> -> tensor<32x4xf32>
  tile.store %4, %w[%c0, %c0] : tensor<32x4xf32>, memref<32x4xf32>
  %5 = tile.load %i[%c0, %c0] : memref<32x32xi32> -> tensor<32x32xi32>
  %none = arith.constant dense<0> : tensor<32x32xi32>
  %6 = tile.dot %5, %5, %none : tensor<32x32xi32>, tensor<32x32xi32> -> tensor<32x32xi32>
  tile.store %6, %v[%c0, %c0] : tensor<32x32xi32>, memref<32x32xi32>
  tile.return
}

// -----

// As in attention: what one dot makes is a factor of the next where it is.
// CHECK-LABEL: tile.kernel @chain
//       CHECK:   tile.dot {{.*}} -> tensor<16x16xf32, [[SUM:#tile.layout<[^>]+>]]>
//       CHECK:   tile.reduce max
//       CHECK:   tile.broadcast {{.*}} -> tensor<16x16xf32, [[SUM]]>
//       CHECK:   %[[P:.*]] = arith.truncf {{.*}} to tensor<16x16xf16, [[SUM]]>
//   CHECK-NOT:   tile.convert_layout %[[P]]
//       CHECK:   tile.dot %[[P]], %{{.*}} atom = mma : tensor<16x16xf16, [[SUM]]>, tensor<16x16xf16, #tile.shared<
tile.kernel @chain(%q: memref<16x16xf16>, %k: memref<16x16xf16>, %v: memref<16x16xf16>, %y: memref<16x16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %q[%c0, %c0] : memref<16x16xf16> -> tensor<16x16xf16>
  %1 = tile.load %k[%c0, %c0] : memref<16x16xf16> -> tensor<16x16xf16>
  %2 = tile.load %v[%c0, %c0] : memref<16x16xf16> -> tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %s = tile.dot %0, %1, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %m = tile.reduce max %s dims [1] : tensor<16x16xf32> -> tensor<16xf32>
  %mb = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x16xf32>
  %d = arith.subf %s, %mb : tensor<16x16xf32>
  %p = arith.truncf %d : tensor<16x16xf32> to tensor<16x16xf16>
  %o = tile.dot %p, %2, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.store %o, %y[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
  tile.return
}

// -----

// What a loop carries has one layout on all of its ways, and what a branch
// gives, too.
// CHECK-LABEL: tile.kernel @control_flow
//       CHECK:   scf.for {{.*}} -> (tensor<64xf32, [[CARRIED:#tile.layout<[^>]+>]]>)
//       CHECK:     tile.load {{.*}} -> tensor<64xf32, [[CARRIED]]>
//       CHECK:     scf.yield %{{.*}} : tensor<64xf32, [[CARRIED]]>
//       CHECK:   scf.if %{{.*}} -> (tensor<64xf32, [[CARRIED]]>)
//   CHECK-NOT:   tile.convert_layout
//       CHECK:   tile.store
tile.kernel @control_flow(%x: memref<64x64xf32>, %y: memref<64xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %zero) -> (tensor<64xf32>) {
    %0 = tile.load %x[%k, %c0] map (d0) -> (0, d0) : memref<64x64xf32> -> tensor<64xf32>
    %1 = arith.addf %s, %0 : tensor<64xf32>
    scf.yield %1 : tensor<64xf32>
  }
  %first = arith.cmpi eq, %i, %c0 : index
  %all = scf.if %first -> (tensor<64xf32>) {
    scf.yield %sum : tensor<64xf32>
  } else {
    scf.yield %zero : tensor<64xf32>
  }
  tile.store %all, %y[%c0] : tensor<64xf32>, memref<64xf32>
  tile.return
}

// -----

// A number that two tiles are made with ties them to nothing.
// CHECK-LABEL: tile.kernel @constant
//   CHECK-DAG:   %[[ONE:.*]] = arith.constant dense<1.0{{.*}}> : tensor<64x64xf32, [[ROWS:#tile.layout<cell = \[64, 64\] reg = \[\[0, 1\][^>]+>]]>
//   CHECK-DAG:   %[[OTHER:.*]] = arith.constant dense<1.0{{.*}}> : tensor<64x64xf32, [[COLUMNS:#tile.layout<cell = \[64, 64\] reg = \[\[1, 0\][^>]+>]]>
//   CHECK-NOT:   tile.convert_layout
//   CHECK-DAG:   arith.addf %{{.*}}, %[[ONE]] : tensor<64x64xf32, [[ROWS]]>
//   CHECK-DAG:   arith.addf %{{.*}}, %[[OTHER]] : tensor<64x64xf32, [[COLUMNS]]>
//   CHECK-NOT:   tile.convert_layout
//       CHECK:   tile.return
tile.kernel @constant(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %z: memref<64x64xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %1 = arith.addf %0, %one : tensor<64x64xf32>
  tile.store %1, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  %2 = tile.load %x[%c0, %c0] map (d0, d1) -> (d1, d0) : memref<64x64xf32> -> tensor<64x64xf32>
  %3 = arith.addf %2, %one : tensor<64x64xf32>
  tile.store %3, %z[%c0, %c0] map (d0, d1) -> (d1, d0) : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// -----

// A scalar is known to everybody.
// CHECK-LABEL: tile.kernel @scalar
//       CHECK:   tile.load {{.*}} -> tensor<i64, #tile.layout<cell = [] lane = {{\[\[}}], [], [], [], []]
tile.kernel @scalar(%n: memref<1xi64>, %y: memref<64xi64>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %n[%c0] map () -> (0) : memref<1xi64> -> tensor<i64>
  %1 = tile.broadcast %0 dims [] : tensor<i64> -> tensor<64xi64>
  tile.store %1, %y[%c0] : tensor<64xi64>, memref<64xi64>
  tile.return
}

// -----

// Of 16 rows warps share the columns, and the product behind, of whose columns
// there are enough for two of them, is made four times.
// CHECK-LABEL: tile.kernel @few_rows
//  CHECK-SAME:   tile.warps = 8
//       CHECK:   tile.dot {{.*}} -> tensor<16x256xf32, #tile.layout<{{.*}}warp = {{\[\[}}0, 32], [0, 64], [0, 128]]>>
//       CHECK:   tile.dot {{.*}} -> tensor<16x16xf32, #tile.layout<{{.*}}warp = {{\[\[}}0, 8], [0, 0], [0, 0]]>>
tile.kernel @few_rows(%x: memref<16x64xf16>, %w: memref<64x256xf16>, %v: memref<256x16xf16>, %y: memref<16x16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x256xf32>
  %nothing = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf16> -> tensor<16x64xf16>
  %1 = tile.load %w[%c0, %c0] : memref<64x256xf16> -> tensor<64x256xf16>
  %2 = tile.dot %0, %1, %zero : tensor<16x64xf16>, tensor<64x256xf16> -> tensor<16x256xf32>
  %3 = arith.truncf %2 : tensor<16x256xf32> to tensor<16x256xf16>
  %4 = tile.load %v[%c0, %c0] : memref<256x16xf16> -> tensor<256x16xf16>
  %5 = tile.dot %3, %4, %nothing : tensor<16x256xf16>, tensor<256x16xf16> -> tensor<16x16xf32>
  tile.store %5, %y[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
  tile.return
}

// -----

// Short rows are read side by side, and then a thread has one: what is reduced
// stays in it, and is computed with once.
// CHECK-LABEL: tile.kernel @short_rows
//       CHECK:   tile.load {{.*}} lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [1, 0]]
//       CHECK:   tile.convert_layout {{.*}} -> tensor<128x16xf32, [[ROW:#tile.layout<cell = \[128, 16\] reg = \[\[0, 1\], \[0, 2\], \[0, 4\], \[0, 8\], \[64, 0\]\] [^>]+>]]>
//       CHECK:   tile.reduce sum {{.*}} -> tensor<128xf32, #tile.layout<cell = [128] reg = {{\[\[}}64]] lane = {{\[\[}}4], [8], [16], [32], [1]]
//       CHECK:   arith.divf {{.*}} : tensor<128x16xf32, [[ROW]]>
//       CHECK:   tile.convert_layout {{.*}} lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [1, 0]]
//       CHECK:   tile.store
tile.kernel @short_rows(%x: memref<?x13xf32>, %y: memref<?x13xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] : memref<?x13xf32> -> tensor<128x16xf32>
  %sum = tile.reduce sum %0 dims [1] : tensor<128x16xf32> -> tensor<128xf32>
  %all = tile.broadcast %sum dims [0] : tensor<128xf32> -> tensor<128x16xf32>
  %1 = arith.divf %0, %all : tensor<128x16xf32>
  tile.store %1, %y[%i, %c0] : tensor<128x16xf32>, memref<?x13xf32>
  tile.return
}

// -----

// Where a thread has four of a row anyway, nothing is exchanged.
// CHECK-LABEL: tile.kernel @longer_rows
//   CHECK-NOT:   tile.convert_layout
//       CHECK:   tile.return
tile.kernel @longer_rows(%x: memref<?x64xf32>, %y: memref<?xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] : memref<?x64xf32> -> tensor<32x64xf32>
  %sum = tile.reduce sum %0 dims [1] : tensor<32x64xf32> -> tensor<32xf32>
  tile.store %sum, %y[%i] : tensor<32xf32>, memref<?xf32>
  tile.return
}

// -----

// Rows of 50257 halves begin within words. What is only reduced of them is cut
// out of chunks of 16 bytes, 8 elements at a time, where a thread has as many.
// CHECK-LABEL: tile.kernel @sums_of_rows_within_words
//       CHECK:   tile.load {{.*}} -> tensor<8x512xf16, #tile.layout<cell = [8, 512] reg = {{\[\[}}0, 1], [0, 2], [0, 4],
tile.kernel @sums_of_rows_within_words(%x: memref<3072x50257xf16>, %y: memref<3072xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %0 = arith.muli %i, %c8 : index
  %1 = tile.load %x[%0, %c0] : memref<3072x50257xf16> -> tensor<8x512xf16>
  %2 = arith.extf %1 : tensor<8x512xf16> to tensor<8x512xf32>
  %3 = tile.reduce sum %2 dims [1] : tensor<8x512xf32> -> tensor<8xf32>
  tile.store %3, %y[%0] : tensor<8xf32>, memref<3072xf32>
  tile.return
}

// -----

// Of seven such rows the last chunk would reach beyond the memory.
// CHECK-LABEL: tile.kernel @sums_of_seven_rows
//       CHECK:   tile.load {{.*}} lane = {{\[\[}}0, 1], [0, 2], [0, 4]
tile.kernel @sums_of_seven_rows(%x: memref<7x50257xf16>, %y: memref<7xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %1 = tile.load %x[%c0, %c0] limits(%c7) axes [0] : memref<7x50257xf16> -> tensor<8x512xf16>
  %2 = arith.extf %1 : tensor<8x512xf16> to tensor<8x512xf32>
  %3 = tile.reduce sum %2 dims [1] : tensor<8x512xf32> -> tensor<8xf32>
  tile.store %3, %y[%c0] limits(%c7) axes [0] : tensor<8xf32>, memref<7xf32>
  tile.return
}

// What warps reduce together and need again has fewer of them.
// CHECK-LABEL: tile.kernel @columns_again(
//  CHECK-SAME:   tile.warps = 8 : i64
// CHECK-LABEL: tile.kernel @columns(
//  CHECK-SAME:   tile.warps = 16 : i64
tile.kernel @columns_again(%x: memref<1024x16xf32>, %y: memref<1024x16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<1024x16xf32> -> tensor<1024x16xf32>
  %1 = tile.reduce max %0 dims [0] : tensor<1024x16xf32> -> tensor<16xf32>
  %2 = tile.broadcast %1 dims [1] : tensor<16xf32> -> tensor<1024x16xf32>
  %3 = arith.subf %0, %2 : tensor<1024x16xf32>
  tile.store %3, %y[%c0, %c0] : tensor<1024x16xf32>, memref<1024x16xf32>
  tile.return
}
tile.kernel @columns(%x: memref<1024x16xf32>, %y: memref<16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<1024x16xf32> -> tensor<1024x16xf32>
  %1 = tile.reduce sum %0 dims [0] : tensor<1024x16xf32> -> tensor<16xf32>
  tile.store %1, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}
