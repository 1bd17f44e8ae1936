// A maximum that only keeps powers finite is taken from their arguments as a
// multiple, by one instruction.

// RUN: fuse-opt %s --tile-scale-maxima --canonicalize --cse --split-input-file | FileCheck %s

// Keys in rounds, and what is masked altogether is 0.
// CHECK-LABEL: tile.kernel @rounds
//   CHECK-DAG:   %[[C:.*]] = arith.constant dense<2.500000e-01> : tensor<16xf32>
//   CHECK-DAG:   %[[CS:.*]] = arith.constant dense<2.500000e-01> : tensor<16x64xf32>
//   CHECK-DAG:   %[[NONE:.*]] = arith.constant dense<0xFF800000> : tensor<16xf32>
//   CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16xf32>
//   CHECK-DAG:   %[[FLOOR:.*]] = arith.constant dense<-1.000000e+30> : tensor<16xf32>
//       CHECK:   %[[R:.*]]:3 = scf.for {{.*}} iter_args(%[[M:.*]] = %[[NONE]], %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
//       CHECK:     %[[S:.*]] = arith.select
//       CHECK:     %[[MOST:.*]] = tile.reduce max %[[S]]
//       CHECK:     %[[NEW:.*]] = arith.maximumf %[[M]], %[[MOST]]
//       CHECK:     %[[SAFE:.*]] = arith.maximumf %[[NEW]], %[[FLOOR]]
//       CHECK:     %[[SCALED:.*]] = arith.mulf %[[SAFE]], %[[C]] : tensor<16xf32>
//       CHECK:     %[[MINUS:.*]] = arith.negf %[[SCALED]]
//       CHECK:     %[[SHIFT:.*]] = tile.broadcast %[[MINUS]]
//       CHECK:     %[[X:.*]] = math.fma %[[S]], %[[CS]], %[[SHIFT]] : tensor<16x64xf32>
//       CHECK:     math.exp2 %[[X]] fastmath<afn>
//       CHECK:     %[[OLD:.*]] = arith.maximumf %[[M]], %[[FLOOR]]
//       CHECK:     %[[OLDSCALED:.*]] = arith.mulf %[[OLD]], %[[C]]
//       CHECK:     %[[D:.*]] = arith.subf %[[OLDSCALED]], %[[SCALED]]
//       CHECK:     math.exp2 %[[D]] : tensor<16xf32>
//       CHECK:     scf.yield %[[NEW]]
//       CHECK:   %[[EMPTY:.*]] = arith.cmpf oeq, %[[R]]#0, %[[NONE]]
//       CHECK:   %[[LAST:.*]] = arith.select %[[EMPTY]], %[[ZERO]], %[[R]]#0
//       CHECK:   %[[FLOORED:.*]] = arith.maximumf %[[R]]#0, %[[FLOOR]]
//   CHECK-DAG:   %[[A:.*]] = arith.mulf %[[FLOORED]], %[[C]]
//   CHECK-DAG:   %[[B:.*]] = arith.mulf %[[LAST]], %[[C]]
//       CHECK:   %[[E:.*]] = arith.subf %[[A]], %[[B]]
//       CHECK:   math.exp2 %[[E]] fastmath<afn>
tile.kernel @rounds(%q: memref<16x64xbf16>, %k: memref<1024x64xbf16>, %v: memref<1024x64xbf16>, %y: memref<16x64xbf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %none = arith.constant dense<0xFF800000> : tensor<16xf32>
  %nones = arith.constant dense<0xFF800000> : tensor<16x64xf32>
  %floor = arith.constant dense<-1.0e+30> : tensor<16xf32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %zeros = arith.constant dense<0.0> : tensor<16x64xf32>
  %c = arith.constant dense<0.25> : tensor<16xf32>
  %e = arith.constant dense<0.173286796> : tensor<16xf32>
  %cs = arith.constant dense<0.25> : tensor<16x64xf32>
  %queries = tile.load %q[%c0, %c0] : memref<16x64xbf16> -> tensor<16x64xbf16>
  %rows = tile.iota %c0 coefficients [1, 0] : tensor<16x64xi32>
  %0:3 = scf.for %i = %c0 to %c1024 step %c64 iter_args(%m = %none, %l = %zero, %o = %zeros) -> (tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>) {
    %keys = tile.load %k[%i, %c0] map (d0, d1) -> (d1, d0) : memref<1024x64xbf16> -> tensor<64x64xbf16>
    %all = tile.dot %queries, %keys, %zeros : tensor<16x64xbf16>, tensor<64x64xbf16> -> tensor<16x64xf32>
    %columns = tile.iota %i coefficients [0, 1] : tensor<16x64xi32>
    %kept = arith.cmpi sle, %columns, %rows : tensor<16x64xi32>
    %s = arith.select %kept, %all, %nones : tensor<16x64xi1>, tensor<16x64xf32>
    %most = tile.reduce max %s dims [1] : tensor<16x64xf32> -> tensor<16xf32>
    %new = arith.maximumf %m, %most : tensor<16xf32>
    %safe = arith.maximumf %new, %floor : tensor<16xf32>
    %shift = tile.broadcast %safe dims [0] : tensor<16xf32> -> tensor<16x64xf32>
    %difference = arith.subf %s, %shift : tensor<16x64xf32>
    %scaled = arith.mulf %difference, %cs fastmath<reassoc,contract> : tensor<16x64xf32>
    %p = math.exp2 %scaled fastmath<afn> : tensor<16x64xf32>
    %sum = tile.reduce sum %p dims [1] : tensor<16x64xf32> -> tensor<16xf32>
    %minus = arith.negf %safe : tensor<16xf32>
    %old = arith.maximumf %m, %floor : tensor<16xf32>
    %moved = arith.addf %minus, %old : tensor<16xf32>
    // A power of e, with all its digits.
    %movedScaled = arith.mulf %moved, %e : tensor<16xf32>
    %correction = math.exp %movedScaled : tensor<16xf32>
    %kept_l = arith.mulf %l, %correction : tensor<16xf32>
    %next_l = arith.addf %kept_l, %sum : tensor<16xf32>
    %narrow = arith.truncf %p : tensor<16x64xf32> to tensor<16x64xbf16>
    %values = tile.load %v[%i, %c0] : memref<1024x64xbf16> -> tensor<64x64xbf16>
    %corrections = tile.broadcast %correction dims [0] : tensor<16xf32> -> tensor<16x64xf32>
    %kept_o = arith.mulf %o, %corrections : tensor<16x64xf32>
    %next_o = tile.dot %narrow, %values, %kept_o : tensor<16x64xbf16>, tensor<64x64xbf16> -> tensor<16x64xf32>
    scf.yield %new, %next_l, %next_o : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>
  }
  %empty = arith.cmpf oeq, %0#0, %none : tensor<16xf32>
  %last = arith.select %empty, %zero, %0#0 : tensor<16xi1>, tensor<16xf32>
  %minus = arith.negf %last : tensor<16xf32>
  %floored = arith.maximumf %0#0, %floor : tensor<16xf32>
  %difference = arith.addf %minus, %floored : tensor<16xf32>
  %scaled = arith.mulf %difference, %c : tensor<16xf32>
  %f = math.exp2 %scaled fastmath<afn> : tensor<16xf32>
  %l = arith.mulf %0#1, %f : tensor<16xf32>
  %none_left = arith.cmpf oeq, %l, %zero : tensor<16xf32>
  %divisor = arith.select %none_left, %one, %l : tensor<16xi1>, tensor<16xf32>
  %inverse = arith.divf %one, %divisor fastmath<afn> : tensor<16xf32>
  %fs = tile.broadcast %f dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %o = arith.mulf %0#2, %fs : tensor<16x64xf32>
  %inverses = tile.broadcast %inverse dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %result = arith.mulf %o, %inverses : tensor<16x64xf32>
  %rounded = arith.truncf %result : tensor<16x64xf32> to tensor<16x64xbf16>
  tile.store %rounded, %y[%c0, %c0] : tensor<16x64xbf16>, memref<16x64xbf16>
  tile.return
}

// -----

// Blocks of a cluster tell each other maxima and sums.
// CHECK-LABEL: tile.kernel @cluster
//       CHECK:   %[[MOST:.*]] = tile.reduce max
//       CHECK:   math.fma
//       CHECK:   %[[ALL:.*]]:4 = tile.collect %[[MOST]],
//       CHECK:   %[[BOTH:.*]] = arith.maximumf %[[ALL]]#0, %[[ALL]]#1
//   CHECK-DAG:   %[[FIRST:.*]] = arith.mulf %[[ALL]]#0
//   CHECK-DAG:   %[[M:.*]] = arith.mulf %[[BOTH]]
//       CHECK:   %[[A:.*]] = arith.subf %[[FIRST]], %[[M]]
//       CHECK:   math.exp2 %[[A]] fastmath<afn>
//       CHECK:   %[[SECOND:.*]] = arith.mulf %[[ALL]]#1
//       CHECK:   %[[B:.*]] = arith.subf %[[SECOND]], %[[M]]
//       CHECK:   math.exp2 %[[B]] fastmath<afn>
tile.kernel @cluster(%x: memref<2x64x32xf32>, %y: memref<64xf32>) outputs 1 blocks(%block) attributes {tile.cluster = array<i64: 2>, tile.grid = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c = arith.constant dense<0.5> : tensor<32xf32>
  %cs = arith.constant dense<0.5> : tensor<64x32xf32>
  %cr = arith.constant dense<0.5> : tensor<64xf32>
  %0 = tile.load %x[%block, %c0, %c0] map (d0, d1) -> (0, d0, d1) : memref<2x64x32xf32> -> tensor<64x32xf32>
  %m = tile.reduce max %0 dims [1] : tensor<64x32xf32> -> tensor<64xf32>
  %shift = tile.broadcast %m dims [0] : tensor<64xf32> -> tensor<64x32xf32>
  %d = arith.subf %0, %shift : tensor<64x32xf32>
  %s = arith.mulf %d, %cs : tensor<64x32xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<64x32xf32>
  %l = tile.reduce sum %p dims [1] : tensor<64x32xf32> -> tensor<64xf32>
  %all:4 = tile.collect %m, %l axes [0, 0] blocks 2 : (tensor<64xf32>, tensor<64xf32>) -> (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>)
  %both = arith.maximumf %all#0, %all#1 : tensor<32xf32>
  %d0 = arith.subf %all#0, %both : tensor<32xf32>
  %s0 = arith.mulf %d0, %c : tensor<32xf32>
  %f0 = math.exp2 %s0 fastmath<afn> : tensor<32xf32>
  %d1 = arith.subf %all#1, %both : tensor<32xf32>
  %s1 = arith.mulf %d1, %c : tensor<32xf32>
  %f1 = math.exp2 %s1 fastmath<afn> : tensor<32xf32>
  %l0 = arith.mulf %all#2, %f0 : tensor<32xf32>
  %l1 = arith.mulf %all#3, %f1 : tensor<32xf32>
  %sum = arith.addf %l0, %l1 : tensor<32xf32>
  %part = arith.divf %l0, %sum : tensor<32xf32>
  %at = arith.muli %block, %c32 : index
  tile.store %part, %y[%at] : tensor<32xf32>, memref<64xf32>
  tile.return
}

// -----

// What is stored for another kernel has to go with the maximum as it is.
// CHECK-LABEL: tile.kernel @sums
//   CHECK-NOT:   math.fma
tile.kernel @sums(%x: memref<16x64xf32>, %y: memref<16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cs = arith.constant dense<0.25> : tensor<16x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %m = tile.reduce max %0 dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %shift = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %0, %shift : tensor<16x64xf32>
  %s = arith.mulf %d, %cs : tensor<16x64xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<16x64xf32>
  %l = tile.reduce sum %p dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  tile.store %l, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}

// -----

// A logarithm of the sum, to which the maximum is added again.
// CHECK-LABEL: tile.kernel @logarithm
//   CHECK-NOT:   math.fma
tile.kernel @logarithm(%x: memref<16x64xf32>, %y: memref<16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cs = arith.constant dense<0.25> : tensor<16x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %m = tile.reduce max %0 dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %shift = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %0, %shift : tensor<16x64xf32>
  %s = arith.mulf %d, %cs : tensor<16x64xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<16x64xf32>
  %l = tile.reduce sum %p dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %log = math.log2 %l : tensor<16xf32>
  %sum = arith.addf %log, %m : tensor<16xf32>
  tile.store %sum, %y[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}

// -----

// Multiples of floats that are not small would be infinite.
// CHECK-LABEL: tile.kernel @larger
//   CHECK-NOT:   math.fma
tile.kernel @larger(%x: memref<16x64xf32>, %y: memref<16x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cs = arith.constant dense<2.5> : tensor<16x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %m = tile.reduce max %0 dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %shift = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %0, %shift : tensor<16x64xf32>
  %s = arith.mulf %d, %cs : tensor<16x64xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<16x64xf32>
  %l = tile.reduce sum %p dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %ls = tile.broadcast %l dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %result = arith.divf %p, %ls : tensor<16x64xf32>
  tile.store %result, %y[%c0, %c0] : tensor<16x64xf32>, memref<16x64xf32>
  tile.return
}

// -----

// The same row by other factors, of which one is 1: both have to be of the same
// multiple.
// CHECK-LABEL: tile.kernel @factors
//   CHECK-NOT:   math.fma
tile.kernel @factors(%x: memref<16x64xf32>, %y: memref<16x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cs = arith.constant dense<0.25> : tensor<16x64xf32>
  %ones = arith.constant dense<1.0> : tensor<16x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %m = tile.reduce max %0 dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %shift = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %0, %shift : tensor<16x64xf32>
  %s = arith.mulf %d, %cs : tensor<16x64xf32>
  %t = arith.mulf %d, %ones : tensor<16x64xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<16x64xf32>
  %r = math.exp2 %t fastmath<afn> : tensor<16x64xf32>
  %both = arith.divf %p, %r : tensor<16x64xf32>
  tile.store %both, %y[%c0, %c0] : tensor<16x64xf32>, memref<16x64xf32>
  tile.return
}

// -----

// A maximum that another kernel has stored, with which its sums go.
// CHECK-LABEL: tile.kernel @stored
//   CHECK-NOT:   math.fma
tile.kernel @stored(%x: memref<16x64xf32>, %most: memref<16xf32>, %y: memref<16x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cs = arith.constant dense<0.25> : tensor<16x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %m = tile.load %most[%c0] : memref<16xf32> -> tensor<16xf32>
  %shift = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %0, %shift : tensor<16x64xf32>
  %s = arith.mulf %d, %cs : tensor<16x64xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<16x64xf32>
  %l = tile.reduce sum %p dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %ls = tile.broadcast %l dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %result = arith.divf %p, %ls : tensor<16x64xf32>
  tile.store %result, %y[%c0, %c0] : tensor<16x64xf32>, memref<16x64xf32>
  tile.return
}

// -----

// A number is added that the sums' factor is not in.
// CHECK-LABEL: tile.kernel @added
//   CHECK-NOT:   math.fma
tile.kernel @added(%x: memref<16x64xf32>, %y: memref<16x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cs = arith.constant dense<0.25> : tensor<16x64xf32>
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %m = tile.reduce max %0 dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %shift = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %0, %shift : tensor<16x64xf32>
  %s = arith.mulf %d, %cs : tensor<16x64xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<16x64xf32>
  %l = tile.reduce sum %p dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %more = arith.addf %l, %one : tensor<16xf32>
  %ls = tile.broadcast %more dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %result = arith.divf %p, %ls : tensor<16x64xf32>
  tile.store %result, %y[%c0, %c0] : tensor<16x64xf32>, memref<16x64xf32>
  tile.return
}

// -----

// Without rounds there is nothing to correct.
// CHECK-LABEL: tile.kernel @row
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   %[[MOST:.*]] = tile.reduce max %[[X]]
//       CHECK:   %[[M:.*]] = arith.mulf %[[MOST]]
//       CHECK:   %[[MINUS:.*]] = arith.negf %[[M]]
//       CHECK:   %[[SHIFT:.*]] = tile.broadcast %[[MINUS]]
//       CHECK:   math.fma %[[X]], %{{.*}}, %[[SHIFT]]
tile.kernel @row(%x: memref<16x64xf32>, %y: memref<16x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cs = arith.constant dense<0.25> : tensor<16x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %m = tile.reduce max %0 dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %shift = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %0, %shift : tensor<16x64xf32>
  %s = arith.mulf %d, %cs : tensor<16x64xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<16x64xf32>
  %l = tile.reduce sum %p dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %ls = tile.broadcast %l dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %result = arith.divf %p, %ls : tensor<16x64xf32>
  tile.store %result, %y[%c0, %c0] : tensor<16x64xf32>, memref<16x64xf32>
  tile.return
}

// -----

// A product with 0.18 is rounded. Beyond 2^30 that would be by more than what
// cancels as a float, so a row whose maximum is there has 0.25 instead.
// CHECK-LABEL: tile.kernel @rounded
//   CHECK-DAG:   %[[LEAST:.*]] = arith.constant dense<4.2949673E+9> : tensor<16xf32>
//   CHECK-DAG:   %[[EXACT:.*]] = arith.constant dense<2.500000e-01> : tensor<16xf32>
//   CHECK-DAG:   %[[C:.*]] = arith.constant dense<1.800000e-01> : tensor<16xf32>
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   %[[MOST:.*]] = tile.reduce max %[[X]]
//       CHECK:   %[[SIZE:.*]] = math.absf %[[MOST]]
//       CHECK:   %[[LARGE:.*]] = arith.cmpf oge, %[[SIZE]], %[[LEAST]]
//       CHECK:   %[[FACTOR:.*]] = arith.select %[[LARGE]], %[[EXACT]], %[[C]]
//   CHECK-DAG:   %[[FACTORS:.*]] = tile.broadcast %[[FACTOR]]
//   CHECK-DAG:   %[[M:.*]] = arith.mulf %[[MOST]], %[[FACTOR]]
//       CHECK:   %[[MINUS:.*]] = arith.negf %[[M]]
//       CHECK:   %[[SHIFT:.*]] = tile.broadcast %[[MINUS]]
//       CHECK:   math.fma %[[X]], %[[FACTORS]], %[[SHIFT]]
tile.kernel @rounded(%x: memref<16x64xf32>, %v: memref<64x64xbf16>, %y: memref<16x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cs = arith.constant dense<0.18> : tensor<16x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<16x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %m = tile.reduce max %0 dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %shift = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %0, %shift : tensor<16x64xf32>
  %s = arith.mulf %d, %cs : tensor<16x64xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<16x64xf32>
  %l = tile.reduce sum %p dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %ls = tile.broadcast %l dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %low = arith.truncf %p : tensor<16x64xf32> to tensor<16x64xbf16>
  %values = tile.load %v[%c0, %c0] : memref<64x64xbf16> -> tensor<64x64xbf16>
  %o = tile.dot %low, %values, %zeros : tensor<16x64xbf16>, tensor<64x64xbf16> -> tensor<16x64xf32>
  %result = arith.divf %o, %ls : tensor<16x64xf32>
  tile.store %result, %y[%c0, %c0] : tensor<16x64xf32>, memref<16x64xf32>
  tile.return
}

// -----

// Numbers of f16 have room for less: 2^28.
// CHECK-LABEL: tile.kernel @half
//       CHECK:   arith.constant dense<1.07374182E+9> : tensor<16xf32>
//       CHECK:   math.fma
tile.kernel @half(%x: memref<16x64xf32>, %v: memref<64x64xf16>, %y: memref<16x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cs = arith.constant dense<0.18> : tensor<16x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<16x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %m = tile.reduce max %0 dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %shift = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %0, %shift : tensor<16x64xf32>
  %s = arith.mulf %d, %cs : tensor<16x64xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<16x64xf32>
  %l = tile.reduce sum %p dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %ls = tile.broadcast %l dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %low = arith.truncf %p : tensor<16x64xf32> to tensor<16x64xf16>
  %values = tile.load %v[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %o = tile.dot %low, %values, %zeros : tensor<16x64xf16>, tensor<64x64xf16> -> tensor<16x64xf32>
  %result = arith.divf %o, %ls : tensor<16x64xf32>
  tile.store %result, %y[%c0, %c0] : tensor<16x64xf32>, memref<16x64xf32>
  tile.return
}

// -----

// Those of 8 bits have none.
// CHECK-LABEL: tile.kernel @byte
//   CHECK-NOT:   math.fma
tile.kernel @byte(%x: memref<16x64xf32>, %v: memref<64x64xf8E4M3FN>, %y: memref<16x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %cs = arith.constant dense<0.25> : tensor<16x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<16x64xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x64xf32> -> tensor<16x64xf32>
  %m = tile.reduce max %0 dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %shift = tile.broadcast %m dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %d = arith.subf %0, %shift : tensor<16x64xf32>
  %s = arith.mulf %d, %cs : tensor<16x64xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<16x64xf32>
  %l = tile.reduce sum %p dims [1] : tensor<16x64xf32> -> tensor<16xf32>
  %ls = tile.broadcast %l dims [0] : tensor<16xf32> -> tensor<16x64xf32>
  %low = arith.truncf %p : tensor<16x64xf32> to tensor<16x64xf8E4M3FN>
  %values = tile.load %v[%c0, %c0] : memref<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %o = tile.dot %low, %values, %zeros : tensor<16x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<16x64xf32>
  %result = arith.divf %o, %ls : tensor<16x64xf32>
  tile.store %result, %y[%c0, %c0] : tensor<16x64xf32>, memref<16x64xf32>
  tile.return
}

// -----

// So would those of 1.44, which become 1 for large numbers. What was summed with
// a large maximum counts for nothing beside a small one, and the other way round.
// CHECK-LABEL: tile.kernel @unscaled
//   CHECK-DAG:   %[[NONE:.*]] = arith.constant dense<0xFF800000> : tensor<32xf32>
//   CHECK-DAG:   %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<64xf32>
//   CHECK-DAG:   %[[C:.*]] = arith.constant dense<1.44269502> : tensor<64xf32>
//   CHECK-DAG:   %[[LEAST:.*]] = arith.constant dense<0x4E000000> : tensor<64xf32>
//       CHECK:   %[[MOST:.*]] = tile.reduce max
//       CHECK:   %[[SIZE:.*]] = math.absf %[[MOST]]
//       CHECK:   %[[LARGE:.*]] = arith.cmpf oge, %[[SIZE]], %[[LEAST]]
//       CHECK:   arith.select %[[LARGE]], %[[ONE]], %[[C]]
//       CHECK:   math.fma
//       CHECK:   %[[ALL:.*]]:4 = tile.collect
//       CHECK:   %[[BOTH:.*]] = arith.maximumf %[[ALL]]#0, %[[ALL]]#1
//   CHECK-DAG:   %[[FIRSTSIZE:.*]] = math.absf %[[ALL]]#0
//   CHECK-DAG:   %[[FIRST:.*]] = arith.cmpf oge, %[[FIRSTSIZE]]
//   CHECK-DAG:   %[[BOTHSIZE:.*]] = math.absf %[[BOTH]]
//   CHECK-DAG:   %[[SECOND:.*]] = arith.cmpf oge, %[[BOTHSIZE]]
//       CHECK:   %[[DIFFERENCE:.*]] = arith.subf
//       CHECK:   %[[ALIKE:.*]] = arith.cmpi eq, %[[FIRST]], %[[SECOND]]
//       CHECK:   %[[KEPT:.*]] = arith.select %[[ALIKE]], %[[DIFFERENCE]], %[[NONE]]
//       CHECK:   math.exp2 %[[KEPT]] fastmath<afn>
tile.kernel @unscaled(%x: memref<2x64x32xf32>, %y: memref<64xf32>) outputs 1 blocks(%block) attributes {tile.cluster = array<i64: 2>, tile.grid = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c = arith.constant dense<1.44269502> : tensor<32xf32>
  %cs = arith.constant dense<1.44269502> : tensor<64x32xf32>
  %0 = tile.load %x[%block, %c0, %c0] map (d0, d1) -> (0, d0, d1) : memref<2x64x32xf32> -> tensor<64x32xf32>
  %m = tile.reduce max %0 dims [1] : tensor<64x32xf32> -> tensor<64xf32>
  %shift = tile.broadcast %m dims [0] : tensor<64xf32> -> tensor<64x32xf32>
  %d = arith.subf %0, %shift : tensor<64x32xf32>
  %s = arith.mulf %d, %cs : tensor<64x32xf32>
  %p = math.exp2 %s fastmath<afn> : tensor<64x32xf32>
  %l = tile.reduce sum %p dims [1] : tensor<64x32xf32> -> tensor<64xf32>
  %all:4 = tile.collect %m, %l axes [0, 0] blocks 2 : (tensor<64xf32>, tensor<64xf32>) -> (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>)
  %both = arith.maximumf %all#0, %all#1 : tensor<32xf32>
  %d0 = arith.subf %all#0, %both : tensor<32xf32>
  %s0 = arith.mulf %d0, %c : tensor<32xf32>
  %f0 = math.exp2 %s0 fastmath<afn> : tensor<32xf32>
  %l0 = arith.mulf %all#2, %f0 : tensor<32xf32>
  %sum = arith.addf %l0, %all#3 : tensor<32xf32>
  %part = arith.divf %l0, %sum : tensor<32xf32>
  %at = arith.muli %block, %c32 : index
  tile.store %part, %y[%at] : tensor<32xf32>, memref<64xf32>
  tile.return
}
