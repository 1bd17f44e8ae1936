// A reduction combines in a thread first, then in a warp by shuffles, and then
// across warps through shared memory, each as far as the layout goes along what
// is combined.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads --fuse-threads-to-llvm -o /dev/null

#thread = #tile.layout<cell = [32, 4] reg = [[0, 1], [0, 2]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#kept = #tile.layout<cell = [32] lane = [[1], [2], [4], [8], [16]]>
#lanes = #tile.layout<cell = [8, 4] lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>
#quads = #tile.layout<cell = [8] lane = [[0], [0], [1], [2], [4]]>
#warps = #tile.layout<cell = [32, 4] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]] warp = [[0, 1], [0, 2]]>
#everywhere = #tile.layout<cell = [32] lane = [[1], [2], [4], [8], [16]] warp = [[0], [0]]>
#half = #tile.layout<cell = [64, 2] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]] warp = [[32, 0], [0, 1]]>
#kept64 = #tile.layout<cell = [64] lane = [[1], [2], [4], [8], [16]] warp = [[32], [0]]>
#triple = #tile.layout<cell = [32, 1] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]] repeat = [1, 3]>

// Pairs first.
// CHECK-LABEL: llvm.func @thread
//       CHECK:   %[[X:.*]] = vector.from_elements {{.*}} : vector<4xf32>
//       CHECK:   %[[A:.*]] = vector.shuffle %[[X]], %[[X]] [0]
//       CHECK:   %[[B:.*]] = vector.shuffle %[[X]], %[[X]] [1]
//       CHECK:   %[[C:.*]] = vector.shuffle %[[X]], %[[X]] [2]
//       CHECK:   %[[D:.*]] = vector.shuffle %[[X]], %[[X]] [3]
//       CHECK:   %[[AB:.*]] = arith.addf %[[A]], %[[B]] : vector<1xf32>
//       CHECK:   %[[CD:.*]] = arith.addf %[[C]], %[[D]] : vector<1xf32>
//       CHECK:   arith.addf %[[AB]], %[[CD]] : vector<1xf32>
//   CHECK-NOT:   nvvm.
//       CHECK:   llvm.return
tile.kernel @thread(%x: memref<32x4xf32>, %y: memref<32xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<32x4xf32> -> tensor<32x4xf32, #thread>
  %1 = tile.reduce sum %0 dims [1] : tensor<32x4xf32, #thread> -> tensor<32xf32, #kept>
  tile.store %1, %y[%c0] : tensor<32xf32, #kept>, memref<32xf32>
  tile.return
}

// An odd number of parts, and products.
// CHECK-LABEL: llvm.func @triple
// CHECK-COUNT-2: arith.mulf {{.*}} : vector<1xf32>
//   CHECK-NOT:   arith.mulf
//       CHECK:   llvm.return
tile.kernel @triple(%x: memref<32x3xf32>, %y: memref<32xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<32x3xf32> -> tensor<32x3xf32, #triple>
  %1 = tile.reduce prod %0 dims [1] : tensor<32x3xf32, #triple> -> tensor<32xf32, #kept>
  tile.store %1, %y[%c0] : tensor<32xf32, #kept>, memref<32xf32>
  tile.return
}

// Those lanes meet that differ in bit 0, then in bit 1.
// CHECK-LABEL: llvm.func @lanes
//  CHECK-SAME:   tile.shared = 0
//       CHECK:   %[[ONE:.*]] = arith.constant 1 : i32
//       CHECK:   nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %[[ONE]], %{{.*}} : i32 -> i32
//       CHECK:   arith.maximumf {{.*}} : vector<1xf32>
//       CHECK:   %[[TWO:.*]] = arith.constant 2 : i32
//       CHECK:   nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %[[TWO]], %{{.*}} : i32 -> i32
//       CHECK:   arith.maximumf {{.*}} : vector<1xf32>
//   CHECK-NOT:   nvvm.shfl
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   llvm.return
tile.kernel @lanes(%x: memref<8x4xf32>, %y: memref<8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x4xf32> -> tensor<8x4xf32, #lanes>
  %1 = tile.reduce max %0 dims [1] : tensor<8x4xf32, #lanes> -> tensor<8xf32, #quads>
  tile.store %1, %y[%c0] : tensor<8xf32, #quads>, memref<8xf32>
  tile.return
}

// 64 bits travel as two words, 16 as half of one; signed minima.
// CHECK-LABEL: llvm.func @widths
//       CHECK:   vector.bitcast %{{.*}} : vector<1xi64> to vector<2xi32>
// CHECK-COUNT-2: nvvm.shfl.sync bfly
//       CHECK:   vector.bitcast %{{.*}} : vector<2xi32> to vector<1xi64>
//       CHECK:   arith.minsi {{.*}} : vector<1xi64>
//       CHECK:   arith.extui %{{.*}} : i16 to i32
//       CHECK:   nvvm.shfl.sync bfly
//       CHECK:   arith.trunci %{{.*}} : i32 to i16
//       CHECK:   arith.maxsi {{.*}} : vector<1xi16>
tile.kernel @widths(%x: memref<8x4xi64>, %s: memref<8x4xi16>, %y: memref<8xi64>, %z: memref<8xi16>) outputs 2 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x4xi64> -> tensor<8x4xi64, #lanes>
  %1 = tile.reduce min %0 dims [1] : tensor<8x4xi64, #lanes> -> tensor<8xi64, #quads>
  tile.store %1, %y[%c0] : tensor<8xi64, #quads>, memref<8xi64>
  %2 = tile.load %s[%c0, %c0] : memref<8x4xi16> -> tensor<8x4xi16, #lanes>
  %3 = tile.reduce max %2 dims [1] : tensor<8x4xi16, #lanes> -> tensor<8xi16, #quads>
  tile.store %3, %z[%c0] : tensor<8xi16, #quads>, memref<8xi16>
  tile.return
}

// Every thread writes what it has and reads what those have that differ from it
// in the bits of the warp, all in the same order.
// CHECK-LABEL: llvm.func @warps
//  CHECK-SAME:   tile.shared = 512
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   llvm.store %{{.*}} : vector<1xi32>, !llvm.ptr<3>
//       CHECK:   nvvm.barrier
//       CHECK:   arith.andi
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<1xi32>
//   CHECK-NOT:   llvm.load %{{.*}} : !llvm.ptr<3>
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   llvm.return
tile.kernel @warps(%x: memref<32x4xf32>, %y: memref<32xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<32x4xf32> -> tensor<32x4xf32, #warps>
  %1 = tile.reduce sum %0 dims [1] : tensor<32x4xf32, #warps> -> tensor<32xf32, #everywhere>
  tile.store %1, %y[%c0] : tensor<32xf32, #everywhere>, memref<32xf32>
  tile.return
}

// Two warps have a row together.
// CHECK-LABEL: llvm.func @some_warps
//       CHECK:   nvvm.barrier
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3>
//   CHECK-NOT:   llvm.load %{{.*}} : !llvm.ptr<3>
//       CHECK:   llvm.return
tile.kernel @some_warps(%x: memref<64x2xf32>, %y: memref<64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x2xf32> -> tensor<64x2xf32, #half>
  %1 = tile.reduce sum %0 dims [1] : tensor<64x2xf32, #half> -> tensor<64xf32, #kept64>
  tile.store %1, %y[%c0] : tensor<64xf32, #kept64>, memref<64xf32>
  tile.return
}

// The second waits until everybody has read the first, which lies in the same
// place.
// CHECK-LABEL: llvm.func @one_after_another
//  CHECK-SAME:   tile.shared = 512
//       CHECK:   llvm.store %{{.*}} : vector<1xi32>, !llvm.ptr<3>
//       CHECK:   nvvm.barrier
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3>
//       CHECK:   nvvm.barrier
//       CHECK:   llvm.store %{{.*}} : vector<1xi32>, !llvm.ptr<3>
//       CHECK:   nvvm.barrier
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3>
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   llvm.return
tile.kernel @one_after_another(%x: memref<32x4xf32>, %y: memref<32xf32>, %z: memref<32xf32>) outputs 2 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<32x4xf32> -> tensor<32x4xf32, #warps>
  %1 = tile.reduce sum %0 dims [1] : tensor<32x4xf32, #warps> -> tensor<32xf32, #everywhere>
  %2 = tile.reduce max %0 dims [1] : tensor<32x4xf32, #warps> -> tensor<32xf32, #everywhere>
  tile.store %1, %y[%c0] : tensor<32xf32, #everywhere>, memref<32xf32>
  tile.store %2, %z[%c0] : tensor<32xf32, #everywhere>, memref<32xf32>
  tile.return
}

// In a loop each round waits for the one before it, unless the reduction can wait
// until behind the loop (postponed-sums.mlir).
// CHECK-LABEL: llvm.func @loop
//       CHECK:   scf.for
//       CHECK:     nvvm.barrier
//       CHECK:     llvm.store %{{.*}} : vector<1xi32>, !llvm.ptr<3>
//       CHECK:     nvvm.barrier
// CHECK-COUNT-4:   llvm.load %{{.*}} : !llvm.ptr<3>
//   CHECK-NOT:     nvvm.barrier
//       CHECK:     scf.yield
tile.kernel @loop(%x: memref<?x4xf32>, %y: memref<32xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %zero = arith.constant dense<0.0> : tensor<32xf32, #everywhere>
  %sum = scf.for %i = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32xf32, #everywhere>) {
    %0 = tile.load %x[%i, %c0] : memref<?x4xf32> -> tensor<32x4xf32, #warps>
    %1 = tile.reduce sum %0 dims [1] : tensor<32x4xf32, #warps> -> tensor<32xf32, #everywhere>
    %2 = arith.maximumf %s, %1 : tensor<32xf32, #everywhere>
    scf.yield %2 : tensor<32xf32, #everywhere>
  }
  tile.store %sum, %y[%c0] : tensor<32xf32, #everywhere>, memref<32xf32>
  tile.return
}

// Behind a branch that may have written, a writer waits.
// CHECK-LABEL: llvm.func @branch
//       CHECK:   scf.if
//       CHECK:     llvm.store %{{.*}} !llvm.ptr<3>
//       CHECK:     nvvm.barrier
//       CHECK:     scf.yield
//       CHECK:   else
//   CHECK-NOT:     nvvm.barrier
//       CHECK:     scf.yield
//       CHECK:   nvvm.barrier
//       CHECK:   llvm.store %{{.*}} !llvm.ptr<3>
//       CHECK:   nvvm.barrier
tile.kernel @branch(%x: memref<32x4xf32>, %y: memref<32xf32>) outputs 1 blocks(%i) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %i, %c0 : index
  %0 = tile.load %x[%c0, %c0] : memref<32x4xf32> -> tensor<32x4xf32, #warps>
  %zero = arith.constant dense<0.0> : tensor<32xf32, #everywhere>
  %1 = scf.if %first -> (tensor<32xf32, #everywhere>) {
    %2 = tile.reduce sum %0 dims [1] : tensor<32x4xf32, #warps> -> tensor<32xf32, #everywhere>
    scf.yield %2 : tensor<32xf32, #everywhere>
  } else {
    scf.yield %zero : tensor<32xf32, #everywhere>
  }
  %3 = tile.reduce max %0 dims [1] : tensor<32x4xf32, #warps> -> tensor<32xf32, #everywhere>
  %4 = arith.addf %1, %3 : tensor<32xf32, #everywhere>
  tile.store %4, %y[%c0] : tensor<32xf32, #everywhere>, memref<32xf32>
  tile.return
}

// And across blocks that share a tile, each of which tells all what it has; they
// meet when all have begun, and when all have told. Eight lanes have different
// rows, and one warp of each is enough.
#blocks = #tile.layout<cell = [8, 16] lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]] warp = [[0, 4]] cta = [[0, 8]]>
#known = #tile.layout<cell = [8] lane = [[0], [0], [1], [2], [4]] warp = [[0]] cta = [[0]]>
// CHECK-LABEL: llvm.func @blocks
//  CHECK-SAME:   tile.cluster = 2
//       CHECK:   %[[RANK:.*]] = llvm.inline_asm "mov.u32 $0, %cluster_ctarank;"
//       CHECK:   llvm.inline_asm has_side_effects "barrier.cluster.arrive.relaxed.aligned;\0A\09barrier.cluster.wait.acquire.aligned;"
//       CHECK:   nvvm.barrier0
//       CHECK:   llvm.inline_asm has_side_effects "{\0A\09.reg .b32 there;\0A\09mapa.shared::cluster.u32 there, $0, $1;\0A\09@$3 st.shared::cluster.b32 [there], $2;\0A\09}"
//       CHECK:   llvm.inline_asm has_side_effects "{\0A\09.reg .b32 there;\0A\09mapa.shared::cluster.u32 there, $0, $1;\0A\09@$3 st.shared::cluster.b32 [there], $2;\0A\09}"
//       CHECK:   llvm.inline_asm has_side_effects "barrier.cluster.arrive.release.aligned;\0A\09barrier.cluster.wait.acquire.aligned;"
//       CHECK:   llvm.load {{.*}} : !llvm.ptr<3>
//       CHECK:   llvm.load {{.*}} : !llvm.ptr<3>
//       CHECK:   arith.addf {{.*}} : vector<1xf32>
//   CHECK-NOT:   barrier
//       CHECK:   llvm.return
tile.kernel @blocks(%x: memref<8x16xf32>, %y: memref<8xf32>) outputs 1 blocks() attributes {tile.warps = 2, tile.share = 2} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<8x16xf32> -> tensor<8x16xf32, #blocks>
  %1 = tile.reduce sum %0 dims [1] : tensor<8x16xf32, #blocks> -> tensor<8xf32, #known>
  tile.store %1, %y[%c0] : tensor<8xf32, #known>, memref<8xf32>
  tile.return
}

// Products are added by the instruction that multiplies, four at a time; not
// those of what comes from memory, nor if somebody else needs them.
#many = #tile.layout<cell = [8, 32] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]]>
#few = #tile.layout<cell = [8] lane = [[0], [0], [1], [2], [4]]>
// CHECK-LABEL: llvm.func @products
//       CHECK:   arith.subf
//       CHECK:   %[[A:.*]] = arith.mulf %{{.*}} : vector<1xf32>
//       CHECK:   %[[B:.*]] = math.fma %{{.*}}, %{{.*}}, %[[A]] : vector<1xf32>
//       CHECK:   %[[C:.*]] = math.fma %{{.*}}, %{{.*}}, %[[B]] : vector<1xf32>
//       CHECK:   %[[D:.*]] = math.fma %{{.*}}, %{{.*}}, %[[C]] : vector<1xf32>
//       CHECK:   arith.mulf %{{.*}} : vector<1xf32>
// CHECK-COUNT-3: math.fma %{{.*}} : vector<1xf32>
//   CHECK-NOT:   math.fma
//       CHECK:   llvm.return
tile.kernel @products(%x: memref<8x32xf32>, %y: memref<8xf32>, %z: memref<8xf32>, %w: memref<8xf32>, %v: memref<8x32xf32>) outputs 4 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<8x32xf32, #many>
  %0 = tile.load %x[%c0, %c0] : memref<8x32xf32> -> tensor<8x32xf32, #many>
  %1 = arith.subf %0, %one : tensor<8x32xf32, #many>
  %2 = arith.mulf %1, %1 : tensor<8x32xf32, #many>
  %3 = tile.reduce sum %2 dims [1] : tensor<8x32xf32, #many> -> tensor<8xf32, #few>
  tile.store %3, %y[%c0] : tensor<8xf32, #few>, memref<8xf32>
  %4 = arith.mulf %0, %0 : tensor<8x32xf32, #many>
  %5 = tile.reduce sum %4 dims [1] : tensor<8x32xf32, #many> -> tensor<8xf32, #few>
  tile.store %5, %z[%c0] : tensor<8xf32, #few>, memref<8xf32>
  %6 = arith.mulf %0, %1 : tensor<8x32xf32, #many>
  %7 = tile.reduce sum %6 dims [1] : tensor<8x32xf32, #many> -> tensor<8xf32, #few>
  tile.store %7, %w[%c0] : tensor<8xf32, #few>, memref<8xf32>
  tile.store %6, %v[%c0, %c0] : tensor<8x32xf32, #many>, memref<8x32xf32>
  tile.return
}
