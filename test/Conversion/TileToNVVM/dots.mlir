// Dots by their atoms. Which registers an instruction takes follows from the
// layouts; a factor is in registers, or is read from shared memory.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads --fuse-threads-to-llvm -o /dev/null

// mma.m16n8: the accumulator, and the factors for 16 and 32 bits.
#acc = #tile.layout<cell = [16, 8] reg = [[0, 1], [8, 0]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#a16 = #tile.layout<cell = [16, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#b16 = #tile.layout<cell = [16, 8] reg = [[1, 0], [8, 0]] lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>
#a32 = #tile.layout<cell = [16, 8] reg = [[8, 0], [0, 4]] lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>
#b32 = #tile.layout<cell = [8, 8] reg = [[4, 0]] lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]]>
// The same with the k of an instruction in the order of a sum's columns: it is
// the left factor as it is.
#b32paired = #tile.layout<cell = [8, 8] reg = [[1, 0]] lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>
// The same for a product of two blocks of columns and twice the depth.
#accwide = #tile.layout<cell = [16, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#adeep = #tile.layout<cell = [16, 32] reg = [[0, 1], [8, 0], [0, 8], [0, 16]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#bdeep = #tile.layout<cell = [32, 16] reg = [[1, 0], [8, 0], [16, 0], [0, 8]] lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>
// Rows are merged out of two axes.
#accrows = #tile.layout<cell = [2, 8, 8] reg = [[0, 0, 1], [1, 0, 0]] lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]]>
#arows = #tile.layout<cell = [2, 8, 16] reg = [[0, 0, 1], [1, 0, 0], [0, 0, 8]] lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]]>
#memory = #tile.shared<cell = [16, 8] offset = [[1, 0], [8, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>
// Single numbers: 4 x 8 lanes, one of the result each.
#sum = #tile.layout<cell = [4, 8] lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
#left = #tile.layout<cell = [4, 2] reg = [[0, 1]] lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]]>
#right = #tile.layout<cell = [2, 8] reg = [[1, 0]] lane = [[0, 1], [0, 2], [0, 4], [0, 0], [0, 0]]>
#sums = #tile.layout<cell = [2, 4, 8] reg = [[1, 0, 0]] lane = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0]]>
#lefts = #tile.layout<cell = [2, 4, 2] reg = [[1, 0, 0], [0, 0, 1]] lane = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 2, 0]]>
#rights = #tile.layout<cell = [2, 2, 8] reg = [[1, 0, 0], [0, 1, 0]] lane = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 0], [0, 0, 0]]>

// Row by row, then column by column.
// CHECK-LABEL: llvm.func @f16
//   CHECK-DAG:   %[[A:.*]]:8 = vector.to_elements %{{.*}} : vector<8xf16>
//   CHECK-DAG:   %[[B:.*]]:4 = vector.to_elements %{{.*}} : vector<4xf16>
//   CHECK-DAG:   %[[C:.*]]:4 = vector.to_elements %{{.*}} : vector<4xf32>
//       CHECK:   %[[A0:.*]] = vector.from_elements %[[A]]#0, %[[A]]#1 : vector<2xf16>
//       CHECK:   %[[A1:.*]] = vector.from_elements %[[A]]#2, %[[A]]#3 : vector<2xf16>
//       CHECK:   %[[A2:.*]] = vector.from_elements %[[A]]#4, %[[A]]#5 : vector<2xf16>
//       CHECK:   %[[A3:.*]] = vector.from_elements %[[A]]#6, %[[A]]#7 : vector<2xf16>
//       CHECK:   %[[B0:.*]] = vector.from_elements %[[B]]#0, %[[B]]#1 : vector<2xf16>
//       CHECK:   %[[B1:.*]] = vector.from_elements %[[B]]#2, %[[B]]#3 : vector<2xf16>
//       CHECK:   %[[D:.*]] = nvvm.mma.sync A[%[[A0]], %[[A1]], %[[A2]], %[[A3]]] B[%[[B0]], %[[B1]]] C[%[[C]]#0, %[[C]]#1, %[[C]]#2, %[[C]]#3]
//  CHECK-SAME:     shape = #nvvm.shape<m = 16, n = 8, k = 16>
//       CHECK:   llvm.extractvalue %[[D]][0]
//       CHECK:   llvm.extractvalue %[[D]][3]
//   CHECK-NOT:   nvvm.mma
//       CHECK:   llvm.return
tile.kernel @f16(%x: memref<16x16xf16>, %w: memref<16x8xf16>, %y: memref<16x8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<16x16xf16> -> tensor<16x16xf16, #a16>
  %1 = tile.load %w[%c0, %c0] : memref<16x8xf16> -> tensor<16x8xf16, #b16>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %2 = tile.dot %0, %1, %zero atom = mma : tensor<16x16xf16, #a16>, tensor<16x8xf16, #b16> -> tensor<16x8xf32, #acc>
  tile.store %2, %y[%c0, %c0] : tensor<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// Pairs of bf16 are words; a factor of 8 bits is widened to f16 first.
// CHECK-LABEL: llvm.func @others
//       CHECK:   vector.bitcast %{{.*}} : vector<2xbf16> to vector<1xi32>
//       CHECK:   nvvm.mma.sync {{.*}} multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>
//       CHECK:   arith.extf %{{.*}} : f8E4M3FN to f16
//       CHECK:   vector.from_elements %{{.*}} : vector<2xf16>
//       CHECK:   nvvm.mma.sync {{.*}} : (vector<2xf16>, vector<2xf16>, f32)
tile.kernel @others(%x: memref<16x16xbf16>, %w: memref<16x8xbf16>, %v: memref<16x16xf8E4M3FN>, %u: memref<16x8xf8E4M3FN>, %y: memref<16x8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<16x16xbf16> -> tensor<16x16xbf16, #a16>
  %1 = tile.load %w[%c0, %c0] : memref<16x8xbf16> -> tensor<16x8xbf16, #b16>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %2 = tile.dot %0, %1, %zero atom = mma : tensor<16x16xbf16, #a16>, tensor<16x8xbf16, #b16> -> tensor<16x8xf32, #acc>
  %3 = tile.load %v[%c0, %c0] : memref<16x16xf8E4M3FN> -> tensor<16x16xf8E4M3FN, #a16>
  %4 = tile.load %u[%c0, %c0] : memref<16x8xf8E4M3FN> -> tensor<16x8xf8E4M3FN, #b16>
  %5 = tile.dot %3, %4, %2 atom = mma : tensor<16x16xf8E4M3FN, #a16>, tensor<16x8xf8E4M3FN, #b16> -> tensor<16x8xf32, #acc>
  tile.store %5, %y[%c0, %c0] : tensor<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// CHECK-LABEL: llvm.func @tf32
//       CHECK:   nvvm.mma.sync {{.*}} multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>
//  CHECK-SAME:     (i32, i32, f32)
tile.kernel @tf32(%x: memref<16x8xf32>, %w: memref<8x8xf32>, %y: memref<16x8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<16x8xf32> -> tensor<16x8xf32, #a32>
  %1 = tile.load %w[%c0, %c0] : memref<8x8xf32> -> tensor<8x8xf32, #b32>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %2 = tile.dot %0, %1, %zero precision = tf32 atom = mma : tensor<16x8xf32, #a32>, tensor<8x8xf32, #b32> -> tensor<16x8xf32, #acc>
  tile.store %2, %y[%c0, %c0] : tensor<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// What is in registers as a sum is multiplied without moving; the right factor
// is read in the same order.
// CHECK-LABEL: llvm.func @tf32_of_sums
//       CHECK:   nvvm.mma.sync
//       CHECK:   %[[C0:.*]] = llvm.extractvalue %{{.*}}[0]
//       CHECK:   %[[C1:.*]] = llvm.extractvalue %{{.*}}[1]
//       CHECK:   %[[C2:.*]] = llvm.extractvalue %{{.*}}[2]
//       CHECK:   %[[C3:.*]] = llvm.extractvalue %{{.*}}[3]
//       CHECK:   %[[VECTOR:.*]] = vector.from_elements %[[C0]], %[[C1]], %[[C2]], %[[C3]] : vector<4xf32>
//       CHECK:   %[[SUM:.*]]:4 = vector.to_elements %[[VECTOR]]
//       CHECK:   %[[A0:.*]] = vector.from_elements %[[SUM]]#0 : vector<1xf32>
//       CHECK:   %[[A0BITS:.*]] = vector.bitcast %[[A0]]
//       CHECK:   %[[A0WORD:.*]] = vector.extract %[[A0BITS]]
//       CHECK:   %[[A2:.*]] = vector.from_elements %[[SUM]]#2 : vector<1xf32>
//       CHECK:   %[[A2BITS:.*]] = vector.bitcast %[[A2]]
//       CHECK:   %[[A2WORD:.*]] = vector.extract %[[A2BITS]]
//       CHECK:   %[[A1:.*]] = vector.from_elements %[[SUM]]#1 : vector<1xf32>
//       CHECK:   %[[A1BITS:.*]] = vector.bitcast %[[A1]]
//       CHECK:   %[[A1WORD:.*]] = vector.extract %[[A1BITS]]
//       CHECK:   %[[A3:.*]] = vector.from_elements %[[SUM]]#3 : vector<1xf32>
//       CHECK:   %[[A3BITS:.*]] = vector.bitcast %[[A3]]
//       CHECK:   %[[A3WORD:.*]] = vector.extract %[[A3BITS]]
//       CHECK:   nvvm.mma.sync A[%[[A0WORD]], %[[A2WORD]], %[[A1WORD]], %[[A3WORD]]]
tile.kernel @tf32_of_sums(%x: memref<16x8xf32>, %w: memref<8x8xf32>, %y: memref<16x8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<16x8xf32> -> tensor<16x8xf32, #a32>
  %1 = tile.load %w[%c0, %c0] : memref<8x8xf32> -> tensor<8x8xf32, #b32>
  %2 = tile.load %w[%c0, %c0] : memref<8x8xf32> -> tensor<8x8xf32, #b32paired>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %3 = tile.dot %0, %1, %zero precision = tf32 atom = mma : tensor<16x8xf32, #a32>, tensor<8x8xf32, #b32> -> tensor<16x8xf32, #acc>
  %4 = tile.dot %3, %2, %zero precision = tf32 atom = mma : tensor<16x8xf32, #acc>, tensor<8x8xf32, #b32paired> -> tensor<16x8xf32, #acc>
  tile.store %4, %y[%c0, %c0] : tensor<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// A number is its upper 19 bits and a rest, of which an infinity has none. Three
// products of parts are summed, the least first, and added to the other sums.
// CHECK-LABEL: llvm.func @tf32x3
//       CHECK:   %[[START:.*]] = arith.constant 0.000000e+00 : f32
//       CHECK:   %[[UPPER:.*]] = arith.constant -8192 : i32
//       CHECK:   %[[HALF:.*]] = arith.constant 4096 : i32
//       CHECK:   %[[BITS:.*]] = arith.bitcast %[[X:.*]] : f32 to i32
//       CHECK:   %[[KEPT:.*]] = arith.andi %[[BITS]], %[[UPPER]] : i32
//       CHECK:   %[[HIGH:.*]] = arith.bitcast %[[KEPT]] : i32 to f32
//       CHECK:   %[[REST:.*]] = arith.subf %[[X]], %[[HIGH]] : f32
//       CHECK:   %[[FINITE:.*]] = arith.cmpf ord, %[[REST]], %[[REST]] : f32
//       CHECK:   %[[RESTBITS:.*]] = arith.bitcast %[[REST]] : f32 to i32
//       CHECK:   %[[RAISED:.*]] = arith.addi %[[RESTBITS]], %[[HALF]] : i32
//       CHECK:   %[[ROUNDED:.*]] = arith.bitcast %[[RAISED]] : i32 to f32
//       CHECK:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
//       CHECK:   %[[SPECIAL:.*]] = arith.addf %[[X]], %[[X]] : f32
//       CHECK:   %[[WHOLE:.*]] = arith.select %[[FINITE]], %[[X]], %[[SPECIAL]] : f32
//       CHECK:   %[[PART:.*]] = arith.select %[[FINITE]], %[[X]], %[[ZERO]] : f32
//       CHECK:   %[[LOW:.*]] = arith.select %[[FINITE]], %[[ROUNDED]], %[[ZERO]] : f32
//       CHECK:   vector.from_elements %[[LOW]] : vector<1xf32>
//       CHECK:   nvvm.mma.sync {{.*}} C[%[[START]], %[[START]], %[[START]], %[[START]]] {{.*}} multiplicandAPtxType = #nvvm.mma_type<tf32>
//       CHECK:   %[[FIRST:.*]] = llvm.extractvalue %{{.*}}[0]
//       CHECK:   vector.from_elements %[[PART]] : vector<1xf32>
//       CHECK:   nvvm.mma.sync {{.*}} C[%[[FIRST]],
//       CHECK:   %[[SECOND:.*]] = llvm.extractvalue %{{.*}}[0]
//       CHECK:   vector.from_elements %[[WHOLE]] : vector<1xf32>
//       CHECK:   nvvm.mma.sync {{.*}} C[%[[SECOND]],
//       CHECK:   %[[THIRD:.*]] = llvm.extractvalue %{{.*}}[0]
//       CHECK:   arith.addf %{{.*}}, %[[THIRD]] : f32
//   CHECK-NOT:   nvvm.mma.sync
//       CHECK:   llvm.return
tile.kernel @tf32x3(%x: memref<16x8xf32>, %w: memref<8x8xf32>, %z: memref<16x8xf32>, %y: memref<16x8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<16x8xf32> -> tensor<16x8xf32, #a32>
  %1 = tile.load %w[%c0, %c0] : memref<8x8xf32> -> tensor<8x8xf32, #b32>
  %old = tile.load %z[%c0, %c0] : memref<16x8xf32> -> tensor<16x8xf32, #acc>
  %2 = tile.dot %0, %1, %old precision = tf32x3 atom = mma : tensor<16x8xf32, #a32>, tensor<8x8xf32, #b32> -> tensor<16x8xf32, #acc>
  tile.store %2, %y[%c0, %c0] : tensor<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// Every block of the result, and all of the depth: the second round adds to
// what the first left.
// CHECK-LABEL: llvm.func @blocks
//       CHECK:   %[[FIRST:.*]] = nvvm.mma.sync
//       CHECK:   %[[SUM:.*]] = llvm.extractvalue %[[FIRST]][0]
//       CHECK:   nvvm.mma.sync
//       CHECK:   nvvm.mma.sync {{.*}} C[%[[SUM]],
//       CHECK:   nvvm.mma.sync
//   CHECK-NOT:   nvvm.mma.sync
//       CHECK:   llvm.return
tile.kernel @blocks(%x: memref<16x32xf16>, %w: memref<32x16xf16>, %y: memref<16x16xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<16x32xf16> -> tensor<16x32xf16, #adeep>
  %1 = tile.load %w[%c0, %c0] : memref<32x16xf16> -> tensor<32x16xf16, #bdeep>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #accwide>
  %2 = tile.dot %0, %1, %zero atom = mma : tensor<16x32xf16, #adeep>, tensor<32x16xf16, #bdeep> -> tensor<16x16xf32, #accwide>
  tile.store %2, %y[%c0, %c0] : tensor<16x16xf32, #accwide>, memref<16x16xf32>
  tile.return
}

// CHECK-LABEL: llvm.func @merged
//       CHECK:   nvvm.mma.sync
//   CHECK-NOT:   nvvm.mma.sync
//       CHECK:   llvm.return
tile.kernel @merged(%x: memref<2x8x16xf16>, %w: memref<16x8xf16>, %y: memref<2x8x8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0, %c0] : memref<2x8x16xf16> -> tensor<2x8x16xf16, #arows>
  %1 = tile.load %w[%c0, %c0] : memref<16x8xf16> -> tensor<16x8xf16, #b16>
  %zero = arith.constant dense<0.0> : tensor<2x8x8xf32, #accrows>
  %2 = tile.dot %0, %1, %zero atom = mma : tensor<2x8x16xf16, #arows>, tensor<16x8xf16, #b16> -> tensor<2x8x8xf32, #accrows>
  tile.store %2, %y[%c0, %c0, %c0] : tensor<2x8x8xf32, #accrows>, memref<2x8x8xf32>
  tile.return
}

// What stands before a loop is waited for there, not in each of its rounds.
// CHECK-LABEL: llvm.func @read_in_rounds
//       CHECK:   llvm.store %{{.*}} : vector<{{.*}}>, !llvm.ptr<3>
//       CHECK:   nvvm.barrier
//  CHECK-NEXT:   scf.for
//   CHECK-NOT:     nvvm.barrier
//       CHECK:     llvm.load %{{.*}} : !llvm.ptr<3>
//   CHECK-NOT:     nvvm.barrier
//       CHECK:     scf.yield
tile.kernel @read_in_rounds(%x: memref<16x16xf16>, %w: memref<16x8xf16>, %y: memref<16x8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tile.load %x[%c0, %c0] : memref<16x16xf16> -> tensor<16x16xf16, #a16>
  %1 = tile.load %w[%c0, %c0] : memref<16x8xf16> -> tensor<16x8xf16, #b16>
  %2 = tile.convert_layout %1 : tensor<16x8xf16, #b16> -> tensor<16x8xf16, #memory>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<16x8xf32, #acc>) {
    %3 = tile.dot %0, %2, %s atom = mma : tensor<16x16xf16, #a16>, tensor<16x8xf16, #memory> -> tensor<16x8xf32, #acc>
    scf.yield %3 : tensor<16x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// A factor in shared memory: written, waited for, read when it is needed. In a
// loop it is not written before everybody has read the last one.
// CHECK-LABEL: llvm.func @from_memory
//  CHECK-SAME:   tile.shared = 256
//       CHECK:   scf.for
//       CHECK:     nvvm.barrier
//       CHECK:     llvm.store %{{.*}} : vector<{{.*}}>, !llvm.ptr<3>
//   CHECK-NOT:     llvm.load %{{.*}} : !llvm.ptr<3>
//       CHECK:     nvvm.barrier
//       CHECK:     llvm.load %{{.*}} : !llvm.ptr<3>
//       CHECK:     nvvm.mma.sync
//   CHECK-NOT:     nvvm.barrier
//       CHECK:     scf.yield
tile.kernel @from_memory(%x: memref<16x16xf16>, %w: memref<?x8xf16>, %y: memref<16x8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = memref.dim %w, %c0 : memref<?x8xf16>
  %0 = tile.load %x[%c0, %c0] : memref<16x16xf16> -> tensor<16x16xf16, #a16>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %sum = scf.for %k = %c0 to %n step %c16 iter_args(%s = %zero) -> (tensor<16x8xf32, #acc>) {
    %1 = tile.load %w[%k, %c0] : memref<?x8xf16> -> tensor<16x8xf16, #b16>
    %2 = tile.convert_layout %1 : tensor<16x8xf16, #b16> -> tensor<16x8xf16, #memory>
    %3 = tile.dot %0, %2, %s atom = mma : tensor<16x16xf16, #a16>, tensor<16x8xf16, #memory> -> tensor<16x8xf32, #acc>
    scf.yield %3 : tensor<16x8xf32, #acc>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<16x8xf32, #acc>, memref<16x8xf32>
  tile.return
}

// Without tensor cores: a row's number times a column's, one step of the depth
// after the other.
// CHECK-LABEL: llvm.func @outer
//   CHECK-DAG:   %[[A:.*]]:2 = vector.to_elements %{{.*}} : vector<2xf16>
//   CHECK-DAG:   %[[B:.*]]:2 = vector.to_elements %{{.*}} : vector<2xf16>
//       CHECK:   arith.extf %{{.*}} : f16 to f32
//       CHECK:   arith.extf %{{.*}} : f16 to f32
//       CHECK:   %[[FIRST:.*]] = math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
//       CHECK:   math.fma %{{.*}}, %{{.*}}, %[[FIRST]] : f32
//   CHECK-NOT:   math.fma
//       CHECK:   llvm.return
tile.kernel @outer(%x: memref<4x2xf16>, %w: memref<2x8xf16>, %y: memref<4x8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x2xf16> -> tensor<4x2xf16, #left>
  %1 = tile.load %w[%c0, %c0] : memref<2x8xf16> -> tensor<2x8xf16, #right>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32, #sum>
  %2 = tile.dot %0, %1, %zero atom = outer : tensor<4x2xf16, #left>, tensor<2x8xf16, #right> -> tensor<4x8xf32, #sum>
  tile.store %2, %y[%c0, %c0] : tensor<4x8xf32, #sum>, memref<4x8xf32>
  tile.return
}

// Integers are multiplied in the accumulator's type; a truth value is no sign.
// CHECK-LABEL: llvm.func @integers
//       CHECK:   arith.extsi %{{.*}} : i8 to i32
//       CHECK:   arith.muli {{.*}} : i32
//       CHECK:   arith.addi {{.*}} : i32
//       CHECK:   arith.trunci %{{.*}} : i64 to i32
//       CHECK:   arith.extui %{{.*}} : i1 to i32
tile.kernel @integers(%x: memref<4x2xi8>, %w: memref<2x8xi8>, %l: memref<4x2xi64>, %m: memref<2x8xi64>, %b: memref<4x2xi1>, %d: memref<2x8xi1>, %y: memref<4x8xi32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x2xi8> -> tensor<4x2xi8, #left>
  %1 = tile.load %w[%c0, %c0] : memref<2x8xi8> -> tensor<2x8xi8, #right>
  %zero = arith.constant dense<0> : tensor<4x8xi32, #sum>
  %2 = tile.dot %0, %1, %zero atom = outer : tensor<4x2xi8, #left>, tensor<2x8xi8, #right> -> tensor<4x8xi32, #sum>
  %3 = tile.load %l[%c0, %c0] : memref<4x2xi64> -> tensor<4x2xi64, #left>
  %4 = tile.load %m[%c0, %c0] : memref<2x8xi64> -> tensor<2x8xi64, #right>
  %5 = tile.dot %3, %4, %2 atom = outer : tensor<4x2xi64, #left>, tensor<2x8xi64, #right> -> tensor<4x8xi32, #sum>
  %6 = tile.load %b[%c0, %c0] : memref<4x2xi1> -> tensor<4x2xi1, #left>
  %7 = tile.load %d[%c0, %c0] : memref<2x8xi1> -> tensor<2x8xi1, #right>
  %8 = tile.dot %6, %7, %5 atom = outer : tensor<4x2xi1, #left>, tensor<2x8xi1, #right> -> tensor<4x8xi32, #sum>
  tile.store %8, %y[%c0, %c0] : tensor<4x8xi32, #sum>, memref<4x8xi32>
  tile.return
}

// A batch is more registers.
// CHECK-LABEL: llvm.func @batch
// CHECK-COUNT-4: math.fma %{{.*}} : f32
//   CHECK-NOT:   math.fma
//       CHECK:   llvm.return
tile.kernel @batch(%x: memref<2x4x2xf32>, %w: memref<2x2x8xf32>, %y: memref<2x4x8xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0, %c0] : memref<2x4x2xf32> -> tensor<2x4x2xf32, #lefts>
  %1 = tile.load %w[%c0, %c0, %c0] : memref<2x2x8xf32> -> tensor<2x2x8xf32, #rights>
  %zero = arith.constant dense<0.0> : tensor<2x4x8xf32, #sums>
  %2 = tile.dot %0, %1, %zero batch = 1 atom = outer : tensor<2x4x2xf32, #lefts>, tensor<2x2x8xf32, #rights> -> tensor<2x4x8xf32, #sums>
  tile.store %2, %y[%c0, %c0, %c0] : tensor<2x4x8xf32, #sums>, memref<2x4x8xf32>
  tile.return
}
