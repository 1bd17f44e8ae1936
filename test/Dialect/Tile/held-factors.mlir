// A factor that is held in registers for all rounds of a loop.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true},loop-invariant-code-motion,tile-form-rings{engine=true},tile-split-roles,tile-verify-staged))' | FileCheck %s

// The next one is copied while that goes round: its slot is free when it has
// been read.
// CHECK-LABEL: tile.kernel @held(
//       CHECK:   tile.ring feed = tma : <1 x (tensor<128x128xbf16, #tile.shared<
//       CHECK:   tile.role math
//       CHECK:     scf.for
//       CHECK:       %[[PART:.*]] = tile.wait %[[HELD:[0-9]+]]{{\[}}
//       CHECK:       %[[X:.*]] = tile.convert_layout %[[PART]] : tensor<128x128xbf16, #tile.shared<{{.*}}>> -> tensor<128x128xbf16, #tile.layout<
//  CHECK-NEXT:       tile.release %[[HELD]]
//       CHECK:       scf.for
//       CHECK:         tile.dot %[[X]], %{{.*}} atom = wgmma
tile.kernel @held(%x: memref<1024x128xbf16>, %w: memref<128x1024xbf16>, %y: memref<1024x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  scf.for %i = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%i, %c0] : memref<1024x128xbf16> -> tensor<128x128xbf16>
    %most = scf.for %n = %c0 to %c1024 step %c128 iter_args(%m = %none) -> (tensor<128x128xf32>) {
      %b = tile.load %w[%c0, %n] : memref<128x1024xbf16> -> tensor<128x128xbf16>
      %zero = arith.constant dense<0.0> : tensor<128x128xf32>
      %d = tile.dot %a, %b, %zero : tensor<128x128xbf16>, tensor<128x128xbf16> -> tensor<128x128xf32>
      %1 = arith.maximumf %m, %d : tensor<128x128xf32>
      scf.yield %1 : tensor<128x128xf32>
    }
    tile.store %most, %y[%i, %c0] : tensor<128x128xf32>, memref<1024x128xf32>
  }
  tile.return
}

// A bias that is made of positions is there while the product goes on, and leaves
// no registers for a factor. One that was held all the same ptxas moved elsewhere
// while a product read it: attention with a bias by distance was wrong on an H200.
// CHECK-LABEL: tile.kernel @biased(
//       CHECK:     tile.dot %{{.*}}, %{{.*}}, %{{.*}} atom = wgmma : tensor<128x128xbf16, #tile.shared<
//       CHECK:     tile.dot %{{.*}}, %{{.*}}, %{{.*}} atom = wgmma : tensor<128x128xbf16, #tile.layout<
tile.kernel @biased(%x: memref<1024x128xbf16>, %w: memref<128x1024xbf16>, %y: memref<1024x128xf32>, %z: memref<1024x128xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  scf.for %i = %c0 to %c1024 step %c128 {
    %a = tile.load %x[%i, %c0] : memref<1024x128xbf16> -> tensor<128x128xbf16>
    %most, %sum = scf.for %n = %c0 to %c1024 step %c128 iter_args(%m = %none, %s = %none) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
      %b = tile.load %w[%c0, %n] : memref<128x1024xbf16> -> tensor<128x128xbf16>
      %zero = arith.constant dense<0.0> : tensor<128x128xf32>
      %j = tile.iota %n coefficients [0, 1] : tensor<128x128xf32>
      %bias = arith.mulf %j, %j : tensor<128x128xf32>
      %d = tile.dot %a, %b, %zero : tensor<128x128xbf16>, tensor<128x128xbf16> -> tensor<128x128xf32>
      %biased = arith.addf %d, %bias : tensor<128x128xf32>
      %p = arith.truncf %biased : tensor<128x128xf32> to tensor<128x128xbf16>
      %e = tile.dot %p, %b, %s : tensor<128x128xbf16>, tensor<128x128xbf16> -> tensor<128x128xf32>
      %1 = arith.maximumf %m, %biased : tensor<128x128xf32>
      scf.yield %1, %e : tensor<128x128xf32>, tensor<128x128xf32>
    }
    tile.store %most, %y[%i, %c0] : tensor<128x128xf32>, memref<1024x128xf32>
    tile.store %sum, %z[%i, %c0] : tensor<128x128xf32>, memref<1024x128xf32>
  }
  tile.return
}

// A short product that a long one begins with has read its factors before that:
// one slot is enough for them, and the rest is for the rounds. With two slots
// those had two, and 8192x4096 by 4096x4096 with 128 terms in front took 773 us
// for 400.
// CHECK-LABEL: tile.kernel @short_before_long(
//       CHECK:   %[[ROUNDS:.*]] = tile.ring feed = tma : <{{[3-9]}} x (
//       CHECK:   %[[SHORT:.*]] = tile.ring feed = tma : <1 x (tensor<128x128xbf16, {{.*}}tensor<128x128xbf16,
//       CHECK:   tile.role math
//       CHECK:     scf.for
//       CHECK:       %[[PARTS:.*]]:2 = tile.wait %[[SHORT]]
//       CHECK:       tile.dot %[[PARTS]]#0, %[[PARTS]]#1
//  CHECK-NEXT:       tile.release %[[SHORT]]
//       CHECK:       scf.for
//       CHECK:         tile.wait %[[ROUNDS]]
tile.kernel @short_before_long(%a: memref<1024x128xbf16>, %b: memref<1024x128xbf16>, %x: memref<1024x4096xbf16>, %w: memref<4096x128xbf16>, %y: memref<1024x128xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  scf.for %i = %c0 to %c1024 step %c128 {
    %0 = tile.load %a[%i, %c0] : memref<1024x128xbf16> -> tensor<128x128xbf16>
    %1 = tile.load %b[%i, %c0] : memref<1024x128xbf16> -> tensor<128x128xbf16>
    %first = tile.dot %0, %1, %zero : tensor<128x128xbf16>, tensor<128x128xbf16> -> tensor<128x128xf32>
    %sum = scf.for %k = %c0 to %c4096 step %c64 iter_args(%s = %first) -> (tensor<128x128xf32>) {
      %2 = tile.load %x[%i, %k] : memref<1024x4096xbf16> -> tensor<128x64xbf16>
      %3 = tile.load %w[%k, %c0] : memref<4096x128xbf16> -> tensor<64x128xbf16>
      %4 = tile.dot %2, %3, %s : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
      scf.yield %4 : tensor<128x128xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<128x128xf32>, memref<1024x128xf32>
  }
  tile.return
}

// What is read behind the rounds of an inner loop is not held meanwhile where
// that takes too many registers, though it has been there since the slot was:
// 65536x13-512-256-64-16 in f16 spilled 160 bytes.
// CHECK-LABEL: tile.kernel @read_behind(
//       CHECK:     scf.for
//       CHECK:       %[[PARTS:.*]]:2 = tile.wait
//   CHECK-NOT:       tile.convert_layout %[[PARTS]]#0
//       CHECK:       scf.for
//       CHECK:         tile.dot
//       CHECK:       %[[ROW:.*]] = tile.convert_layout %[[PARTS]]#0 : tensor<256xf32, #tile.shared<
//  CHECK-NEXT:       tile.broadcast %[[ROW]]
tile.kernel @read_behind(%x: memref<1024x64xbf16>, %w: memref<64x1024xbf16>, %u: memref<1024x256xbf16>, %v: memref<2048x16xbf16>, %r: memref<2048xf32>, %y: memref<1024x16xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %few = arith.constant dense<0.0> : tensor<128x16xf32>
  %wide = arith.constant dense<0.0> : tensor<128x256xf32>
  scf.for %i = %c0 to %c1024 step %c128 {
    %row = tile.load %r[%i] : memref<2048xf32> -> tensor<256xf32>
    %last = tile.load %v[%i, %c0] : memref<2048x16xbf16> -> tensor<256x16xbf16>
    %a = tile.load %x[%i, %c0] : memref<1024x64xbf16> -> tensor<128x64xbf16>
    %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%s = %wide) -> (tensor<128x256xf32>) {
      %b = tile.load %w[%c0, %k] : memref<64x1024xbf16> -> tensor<64x64xbf16>
      %c = tile.load %u[%k, %c0] : memref<1024x256xbf16> -> tensor<64x256xbf16>
      %h = tile.dot %a, %b, %none : tensor<128x64xbf16>, tensor<64x64xbf16> -> tensor<128x64xf32>
      %p = arith.truncf %h : tensor<128x64xf32> to tensor<128x64xbf16>
      %d = tile.dot %p, %c, %s : tensor<128x64xbf16>, tensor<64x256xbf16> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    %rows = tile.broadcast %row dims [1] : tensor<256xf32> -> tensor<128x256xf32>
    %biased = arith.addf %sum, %rows : tensor<128x256xf32>
    %p = arith.truncf %biased : tensor<128x256xf32> to tensor<128x256xbf16>
    %e = tile.dot %p, %last, %few : tensor<128x256xbf16>, tensor<256x16xbf16> -> tensor<128x16xf32>
    tile.store %e, %y[%i, %c0] : tensor<128x16xf32>, memref<1024x16xf32>
  }
  tile.return
}

// Without the first product there is room for it.
// CHECK-LABEL: tile.kernel @read_before(
//       CHECK:     scf.for
//       CHECK:       %[[PARTS:.*]]:2 = tile.wait
//       CHECK:       tile.convert_layout %[[PARTS]]#0 : tensor<256xf32, #tile.shared<
//       CHECK:       scf.for
tile.kernel @read_before(%x: memref<1024x1024xbf16>, %u: memref<1024x256xbf16>, %v: memref<2048x64xbf16>, %r: memref<2048xf32>, %y: memref<1024x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %wide = arith.constant dense<0.0> : tensor<128x256xf32>
  scf.for %i = %c0 to %c1024 step %c128 {
    %row = tile.load %r[%i] : memref<2048xf32> -> tensor<256xf32>
    %last = tile.load %v[%i, %c0] : memref<2048x64xbf16> -> tensor<256x64xbf16>
    %sum = scf.for %k = %c0 to %c1024 step %c64 iter_args(%s = %wide) -> (tensor<128x256xf32>) {
      %a = tile.load %x[%i, %k] : memref<1024x1024xbf16> -> tensor<128x64xbf16>
      %c = tile.load %u[%k, %c0] : memref<1024x256xbf16> -> tensor<64x256xbf16>
      %d = tile.dot %a, %c, %s : tensor<128x64xbf16>, tensor<64x256xbf16> -> tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    %rows = tile.broadcast %row dims [1] : tensor<256xf32> -> tensor<128x256xf32>
    %biased = arith.addf %sum, %rows : tensor<128x256xf32>
    %p = arith.truncf %biased : tensor<128x256xf32> to tensor<128x256xbf16>
    %e = tile.dot %p, %last, %none : tensor<128x256xbf16>, tensor<256x64xbf16> -> tensor<128x64xf32>
    tile.store %e, %y[%i, %c0] : tensor<128x64xf32>, memref<1024x64xf32>
  }
  tile.return
}
