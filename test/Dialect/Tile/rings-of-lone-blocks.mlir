// What a block that has a processor to itself is waiting for is all that the
// processor gets, so that it has more slots than where others are beside it.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true},tile-form-rings{engine=true slots=8 shared-bytes=232448},tile-split-roles{engine=true},tile-verify-staged))' | FileCheck %s

// CHECK-LABEL: tile.kernel @lone(
//       CHECK:   tile.ring feed = tma : <11 x
tile.kernel @lone(%x: memref<64x4096xbf16>, %w: memref<4096x4096xbf16>, %y: memref<64x4096xf32>) outputs 1 blocks(%j) attributes {tile.blocks = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %at = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c4096 step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %k] : memref<64x4096xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %at] : memref<4096x4096xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %at] : tensor<64x64xf32>, memref<64x4096xf32>
  tile.return
}

// Two of more blocks share a processor, and so do clusters of eight, of which
// there are too many for all processors.
// CHECK-LABEL: tile.kernel @many(
//       CHECK:   tile.ring feed = tma : <7 x
tile.kernel @many(%x: memref<64x4096xbf16>, %w: memref<4096x16384xbf16>, %y: memref<64x16384xf32>) outputs 1 blocks(%j) attributes {tile.blocks = 256 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %at = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c4096 step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %k] : memref<64x4096xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %at] : memref<4096x16384xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %at] : tensor<64x64xf32>, memref<64x16384xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @clusters(
//       CHECK:   tile.ring feed = tma : <7 x
tile.kernel @clusters(%x: memref<64x4096xbf16>, %w: memref<4096x8192xbf16>, %y: memref<64x8192xf32>) outputs 1 blocks(%j) attributes {tile.blocks = 128 : i64, tile.grid = array<i64: 128>, tile.cluster = array<i64: 8>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %at = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c4096 step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %k] : memref<64x4096xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %at] : memref<4096x8192xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %at] : tensor<64x64xf32>, memref<64x8192xf32>
  tile.return
}

// What threads read by themselves comes through the cache that slots leave:
// rows that begin anywhere are not copied.
// CHECK-LABEL: tile.kernel @beside_reads(
//       CHECK:   tile.ring feed = tma : <{{[2-8]}} x
tile.kernel @beside_reads(%x: memref<64x4097xbf16>, %w: memref<4096x4096xbf16>, %y: memref<64x4096xf32>) outputs 1 blocks(%j) attributes {tile.blocks = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %at = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c4096 step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %k] : memref<64x4097xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %at] : memref<4096x4096xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %at] : tensor<64x64xf32>, memref<64x4096xf32>
  tile.return
}

// Loops that follow each other have one ring, and are alone together.
// CHECK-LABEL: tile.kernel @two_loops(
//       CHECK:   tile.ring feed = tma : <11 x
//   CHECK-NOT:   tile.ring feed
//       CHECK:   tile.return
tile.kernel @two_loops(%x: memref<64x4096xbf16>, %w: memref<4096x4096xbf16>, %y: memref<64x4096xf32>, %z: memref<64x4096xf32>) outputs 2 blocks(%j) attributes {tile.blocks = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %at = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c4096 step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %k] : memref<64x4096xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %at] : memref<4096x4096xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %at] : tensor<64x64xf32>, memref<64x4096xf32>
  %other = scf.for %k = %c0 to %c4096 step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %k] : memref<64x4096xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %at] : memref<4096x4096xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %other, %z[%c0, %at] : tensor<64x64xf32>, memref<64x4096xf32>
  tile.return
}

// But no room is left for a block that never comes: the inner loop has as many
// slots of 20 KiB as fit beside two of 32 KiB, and not half of them.
// CHECK-LABEL: tile.kernel @nested(
//       CHECK:   tile.ring feed = tma : <8 x
//       CHECK:   tile.ring feed = tma : <2 x
tile.kernel @nested(%q: memref<64x128xbf16>, %k: memref<128x8192xbf16>, %v: memref<8192x4096xbf16>, %y: memref<64x4096xf32>) outputs 1 blocks(%j) attributes {tile.blocks = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c8192 = arith.constant 8192 : index
  %at = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x256xf32>
  %sum = scf.for %n = %c0 to %c8192 step %c256 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %scores = scf.for %f = %c0 to %c128 step %c32 iter_args(%t = %none) -> (tensor<64x256xf32>) {
      %a = tile.load %q[%c0, %f] : memref<64x128xbf16> -> tensor<64x32xbf16>
      %b = tile.load %k[%f, %n] : memref<128x8192xbf16> -> tensor<32x256xbf16>
      %d = tile.dot %a, %b, %t : tensor<64x32xbf16>, tensor<32x256xbf16> -> tensor<64x256xf32>
      scf.yield %d : tensor<64x256xf32>
    }
    %p = arith.truncf %scores : tensor<64x256xf32> to tensor<64x256xbf16>
    %c = tile.load %v[%n, %at] : memref<8192x4096xbf16> -> tensor<256x64xbf16>
    %e = tile.dot %p, %c, %s : tensor<64x256xbf16>, tensor<256x64xbf16> -> tensor<64x64xf32>
    scf.yield %e : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %at] : tensor<64x64xf32>, memref<64x4096xf32>
  tile.return
}

// Of many blocks, each of which goes round twice, none needs more slots than
// rounds: those beside it have the room.
// CHECK-LABEL: tile.kernel @two_rounds(
//       CHECK:   tile.ring feed = tma : <2 x
tile.kernel @two_rounds(%x: memref<64x128xbf16>, %w: memref<128x100032xbf16>, %y: memref<64x100032xf32>) outputs 1 blocks(%j) attributes {tile.blocks = 1563 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %at = arith.muli %j, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c128 step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
    %a = tile.load %x[%c0, %k] : memref<64x128xbf16> -> tensor<64x64xbf16>
    %b = tile.load %w[%k, %at] : memref<128x100032xbf16> -> tensor<64x64xbf16>
    %d = tile.dot %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %at] : tensor<64x64xf32>, memref<64x100032xf32>
  tile.return
}
