// Loops that read one after another have one ring, whose numbers go on from one to
// the next: so what the second one reads first is on its way while the first one
// ends, and each has all the memory while it runs. What lies otherwise in a slot
// is of another kind.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true},tile-stage-stores,tile-form-rings{engine=true slots=8 shared-bytes=232448},tile-split-roles{engine=true},tile-verify-staged))' | FileCheck %s

// CHECK-LABEL: tile.kernel @follow(
//       CHECK:   %[[RING:[a-z0-9_]+]] = tile.ring feed = tma : <6 x (tensor<128x64xbf16, #{{[^>]*}}>>, tensor<64x128xbf16, #{{[^>]*}}>>)>
//   CHECK-NOT:   tile.ring feed
//       CHECK:   %[[FIRST:[a-z0-9_]+]] = arith.divui %{{.*}}, %c64 : index
//       CHECK:   tile.role math
//       CHECK:     scf.for %[[N:[a-z0-9_]+]] =
//       CHECK:       tile.wait %[[RING]][%[[N]]]
//       CHECK:     scf.for %[[M:[a-z0-9_]+]] =
//       CHECK:       %[[NUMBER:[a-z0-9_]+]] = arith.addi %[[FIRST]], %[[M]] : index
//       CHECK:       tile.wait %[[RING]][%[[NUMBER]]] :
//       CHECK:   tile.role load
//       CHECK:     scf.for
//       CHECK:       tile.copy %{{.*}} part 0 :
//       CHECK:       tile.copy %{{.*}} part 1 :
//       CHECK:     scf.for
//       CHECK:       tile.acquire %[[RING]][%[[LOADED:[a-z0-9_]+]]]
//       CHECK:       tile.copy %{{.*}} to %[[RING]][%[[LOADED]]] part 0 :
//       CHECK:       tile.copy %{{.*}} to %[[RING]][%[[LOADED]]] part 1 :
tile.kernel @follow(%x: memref<?x128xbf16>, %w: memref<?x128xbf16>, %h: memref<?x128xbf16>, %u: memref<?x128xbf16>, %y: memref<128x128xf32>) outputs 1 blocks() attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %mx = memref.dim %x, %c0 : memref<?x128xbf16>
  %m = memref.dim %w, %c0 : memref<?x128xbf16>
  %nh = memref.dim %h, %c0 : memref<?x128xbf16>
  %n = memref.dim %u, %c0 : memref<?x128xbf16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %m step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
    %terms = arith.subi %mx, %k : index
    %left = arith.subi %m, %k : index
    %l = tile.load %x[%k, %c0] map (d0, d1) -> (d1, d0) limits(%terms) axes [1] : memref<?x128xbf16> -> tensor<128x64xbf16>
    %r = tile.load %w[%k, %c0] limits(%left) axes [0] : memref<?x128xbf16> -> tensor<64x128xbf16>
    %d = tile.dot %l, %r, %s : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %all = scf.for %k = %c0 to %n step %c64 iter_args(%s = %sum) -> (tensor<128x128xf32>) {
    %terms = arith.subi %nh, %k : index
    %left = arith.subi %n, %k : index
    %l = tile.load %h[%k, %c0] map (d0, d1) -> (d1, d0) limits(%terms) axes [1] : memref<?x128xbf16> -> tensor<128x64xbf16>
    %r = tile.load %u[%k, %c0] limits(%left) axes [0] : memref<?x128xbf16> -> tensor<64x128xbf16>
    %d = tile.dot %l, %r, %s : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %all, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// Rounds of 64 terms and rounds of 32.
// CHECK-LABEL: tile.kernel @kinds(
//       CHECK:   %[[RING:[a-z0-9_]+]] = tile.ring feed = tma : <6 x (tensor<128x64xbf16, #{{[^>]*}}>>, tensor<64x128xbf16, #{{[^>]*}}>>) or (tensor<128x32xbf16, #{{[^>]*}}>>, tensor<32x128xbf16, #{{[^>]*}}>>)>
//   CHECK-NOT:   tile.ring feed
//       CHECK:   tile.role math
//       CHECK:     tile.wait %[[RING]][%{{.*}}] :
//       CHECK:     tile.wait %[[RING]][%{{.*}}] kind 1 :
//       CHECK:   tile.role load
//       CHECK:     tile.copy %{{.*}} part 0 :
//       CHECK:     tile.copy %{{.*}} part 1 :
//       CHECK:     tile.copy %{{.*}} part 2 :
//       CHECK:     tile.copy %{{.*}} part 3 :
tile.kernel @kinds(%x: memref<128x512xbf16>, %w: memref<512x128xbf16>, %h: memref<128x512xbf16>, %u: memref<512x128xbf16>, %y: memref<128x128xf32>) outputs 1 blocks() attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
    %l = tile.load %x[%c0, %k] : memref<128x512xbf16> -> tensor<128x64xbf16>
    %r = tile.load %w[%k, %c0] : memref<512x128xbf16> -> tensor<64x128xbf16>
    %d = tile.dot %l, %r, %s : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %all = scf.for %k = %c0 to %c512 step %c32 iter_args(%s = %sum) -> (tensor<128x128xf32>) {
    %l = tile.load %h[%c0, %k] : memref<128x512xbf16> -> tensor<128x32xbf16>
    %r = tile.load %u[%k, %c0] : memref<512x128xbf16> -> tensor<32x128xbf16>
    %d = tile.dot %l, %r, %s : tensor<128x32xbf16>, tensor<32x128xbf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %all, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// A short product before the long one of each place: its factors would take a
// slot's memory. A place has one number for them, and eight for the long product.
// CHECK-LABEL: tile.kernel @around(
//       CHECK:   %[[RING:[a-z0-9_]+]] = tile.ring feed = tma : <4 x (tensor<128x16xbf16, #{{[^>]*}}>>, tensor<16x256xbf16, #{{[^>]*}}>>) or (tensor<128x64xbf16, #{{[^>]*}}>>, tensor<64x256xbf16, #{{[^>]*}}>>)>
//   CHECK-NOT:   tile.ring feed
//       CHECK:   tile.role math
//       CHECK:     scf.for %{{.*}} iter_args(%[[BASE:[a-z0-9_]+]] = %{{.*}})
//       CHECK:       tile.wait %[[RING]][%[[BASE]]] :
//       CHECK:       tile.release %[[RING]][%[[BASE]]]
//       CHECK:       %[[BEHIND:[a-z0-9_]+]] = arith.addi %[[BASE]], %{{.*}} : index
//       CHECK:       scf.for %[[N:[a-z0-9_]+]] =
//       CHECK:         %[[NUMBER:[a-z0-9_]+]] = arith.addi %[[BEHIND]], %[[N]] : index
//       CHECK:         tile.wait %[[RING]][%[[NUMBER]]] kind 1 :
//       CHECK:       %[[NEXT:[a-z0-9_]+]] = arith.addi %[[BASE]], %[[ALL:[a-z0-9_]+]] : index
//       CHECK:       scf.yield %[[NEXT]] : index
tile.kernel @around(%a: memref<512x16xbf16>, %b: memref<16x256xbf16>, %x: memref<512x512xbf16>, %w: memref<512x256xbf16>, %y: memref<512x256xf32>) outputs 1 blocks() attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  scf.for %i = %c0 to %c512 step %c128 {
    %p = tile.load %a[%i, %c0] : memref<512x16xbf16> -> tensor<128x16xbf16>
    %q = tile.load %b[%c0, %c0] : memref<16x256xbf16> -> tensor<16x256xbf16>
    %few = tile.dot %p, %q, %zero : tensor<128x16xbf16>, tensor<16x256xbf16> -> tensor<128x256xf32>
    %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %few) -> (tensor<128x256xf32>) {
      %l = tile.load %x[%i, %k] : memref<512x512xbf16> -> tensor<128x64xbf16>
      %r = tile.load %w[%k, %c0] : memref<512x256xbf16> -> tensor<64x256xbf16>
      %d = tile.dot %l, %r, %s : tensor<128x64xbf16>, tensor<64x256xbf16> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<128x256xf32>, memref<512x256xf32>
  }
  tile.return
}

// Where threads fill and read, each loop copies ahead for itself, in memory that
// the other one may have at another time.
// CHECK-LABEL: tile.kernel @one_role(
// CHECK-COUNT-2: tile.ring feed = cp_async
//   CHECK-NOT:   tile.roles
//       CHECK:   tile.return
tile.kernel @one_role(%x: memref<128x512xbf16>, %w: memref<512x128xbf16>, %h: memref<128x512xbf16>, %u: memref<512x128xbf16>, %y: memref<128x128xf32>) outputs 1 blocks() attributes {tile.warps = 8, tile.roles = 1} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
    %l = tile.load %x[%c0, %k] : memref<128x512xbf16> -> tensor<128x64xbf16>
    %r = tile.load %w[%k, %c0] : memref<512x128xbf16> -> tensor<64x128xbf16>
    %d = tile.dot %l, %r, %s : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %all = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %sum) -> (tensor<128x128xf32>) {
    %l = tile.load %h[%c0, %k] : memref<128x512xbf16> -> tensor<128x64xbf16>
    %r = tile.load %u[%k, %c0] : memref<512x128xbf16> -> tensor<64x128xbf16>
    %d = tile.dot %l, %r, %s : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.store %all, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}
