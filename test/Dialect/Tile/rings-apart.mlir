// Loops that cannot have rings in common have rings of their own, or none: the rest
// of the road, to products in flight and copies ahead, has to take what there is.

// DEFINE: %{bytes} = 232448
// DEFINE: %{road} = fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true},tile-stage-stores,tile-form-rings{engine=true slots=8 shared-bytes=%{bytes}},tile-split-roles{engine=true},tile-async-dots,tile-schedule-loops,tile-load-early,tile-take-turns,tile-load-ahead,tile-peel-pipeline,tile-verify-staged))'
// RUN: %{road} | FileCheck %s
// REDEFINE: %{bytes} = 212000
// RUN: %{road} | FileCheck %s --check-prefix=LESS

// Two products whose factors have slots of their own, once the long one first and
// once the short one: both rings would have slots for the long one.
// CHECK-LABEL: tile.kernel @in_another_order(
//   CHECK-NOT:   ) or (
//       CHECK:   tile.return
tile.kernel @in_another_order(%x: memref<128x512xbf16>, %w: memref<512x128xbf16>, %h: memref<128x512xbf16>, %u: memref<512x128xbf16>, %y: memref<128x128xf32>, %y2: memref<128x128xf32>) outputs 2 blocks() attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %a:2 = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %zero, %t = %zero) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
    %l = tile.load %x[%c0, %k] : memref<128x512xbf16> -> tensor<128x64xbf16>
    %r = tile.load %w[%k, %c0] : memref<512x128xbf16> -> tensor<64x128xbf16>
    %d = tile.dot %l, %r, %s : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
    %l2 = tile.load %h[%c0, %k] : memref<128x512xbf16> -> tensor<128x16xbf16>
    %r2 = tile.load %u[%k, %c0] : memref<512x128xbf16> -> tensor<16x128xbf16>
    %d2 = tile.dot %l2, %r2, %t : tensor<128x16xbf16>, tensor<16x128xbf16> -> tensor<128x128xf32>
    scf.yield %d, %d2 : tensor<128x128xf32>, tensor<128x128xf32>
  }
  %b:2 = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %a#0, %t = %a#1) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
    %l2 = tile.load %h[%c0, %k] : memref<128x512xbf16> -> tensor<128x16xbf16>
    %r2 = tile.load %u[%k, %c0] : memref<512x128xbf16> -> tensor<16x128xbf16>
    %d2 = tile.dot %l2, %r2, %t : tensor<128x16xbf16>, tensor<16x128xbf16> -> tensor<128x128xf32>
    %l = tile.load %x[%c0, %k] : memref<128x512xbf16> -> tensor<128x64xbf16>
    %r = tile.load %w[%k, %c0] : memref<512x128xbf16> -> tensor<64x128xbf16>
    %d = tile.dot %l, %r, %s : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
    scf.yield %d, %d2 : tensor<128x128xf32>, tensor<128x128xf32>
  }
  tile.store %b#0, %y[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.store %b#1, %y2[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  tile.return
}

// What the loop around reads is the largest. It can do with one slot, which the
// loop in it cannot: its products are in flight while the next ones are copied.
// CHECK-LABEL: tile.kernel @largest_around(
//   CHECK-NOT:   ) or (
//       CHECK:   tile.return
tile.kernel @largest_around(%a: memref<512x256xbf16>, %b: memref<256x128xbf16>, %x: memref<512x512xbf16>, %w: memref<512x128xbf16>, %y: memref<512x128xf32>) outputs 1 blocks() attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  scf.for %i = %c0 to %c512 step %c128 {
    %p = tile.load %a[%i, %c0] : memref<512x256xbf16> -> tensor<128x256xbf16>
    %q = tile.load %b[%c0, %c0] : memref<256x128xbf16> -> tensor<256x128xbf16>
    %few = tile.dot %p, %q, %zero : tensor<128x256xbf16>, tensor<256x128xbf16> -> tensor<128x128xf32>
    %sum = scf.for %k = %c0 to %c512 step %c128 iter_args(%s = %few) -> (tensor<128x128xf32>) {
      %l = tile.load %x[%i, %k] : memref<512x512xbf16> -> tensor<128x128xbf16>
      %r = tile.load %w[%k, %c0] : memref<512x128xbf16> -> tensor<128x128xbf16>
      %d = tile.dot %l, %r, %s : tensor<128x128xbf16>, tensor<128x128xbf16> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<128x128xf32>, memref<512x128xf32>
  }
  tile.return
}

// Rows of 514 elements are copied by threads, and so all rings are filled by them.
// LESS-LABEL: tile.kernel @not_by_the_engine(
//   LESS-NOT:   tile.roles
//       LESS:   tile.return
tile.kernel @not_by_the_engine(%a: memref<512x32xbf16>, %b: memref<32x256xbf16>, %x: memref<512x512xbf16>, %w: memref<512x256xbf16>, %v: memref<512x514xbf16>, %z: memref<512x258xbf16>, %y: memref<512x256xf32>) outputs 1 blocks() attributes {tile.warps = 8} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  scf.for %i = %c0 to %c512 step %c128 {
    %p = tile.load %a[%i, %c0] : memref<512x32xbf16> -> tensor<128x32xbf16>
    %q = tile.load %b[%c0, %c0] : memref<32x256xbf16> -> tensor<32x256xbf16>
    %few = tile.dot %p, %q, %zero : tensor<128x32xbf16>, tensor<32x256xbf16> -> tensor<128x256xf32>
    %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %few) -> (tensor<128x256xf32>) {
      %l = tile.load %x[%i, %k] : memref<512x512xbf16> -> tensor<128x64xbf16>
      %r = tile.load %w[%k, %c0] : memref<512x256xbf16> -> tensor<64x256xbf16>
      %d = tile.dot %l, %r, %s : tensor<128x64xbf16>, tensor<64x256xbf16> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    %all = scf.for %k = %c0 to %c512 step %c16 iter_args(%s = %sum) -> (tensor<128x256xf32>) {
      %l = tile.load %v[%i, %k] : memref<512x514xbf16> -> tensor<128x16xbf16>
      %r = tile.load %z[%k, %c0] : memref<512x258xbf16> -> tensor<16x256xbf16>
      %d = tile.dot %l, %r, %s : tensor<128x16xbf16>, tensor<16x256xbf16> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    tile.store %all, %y[%i, %c0] : tensor<128x256xf32>, memref<512x256xf32>
  }
  tile.return
}
