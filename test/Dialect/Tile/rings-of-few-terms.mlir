// One ring that threads fill makes them fill all. So where the copy engine brings
// what inner rounds read, threads load by themselves what it cannot bring around
// them, as rows of 8 bytes.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true},tile-form-rings{engine=true slots=4 shared-bytes=232448},tile-split-roles{engine=true},tile-verify-staged))' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-form-rings{slots=3 shared-bytes=166912},tile-peel-pipeline))' | FileCheck %s --check-prefix=THREADS

// CHECK-LABEL: tile.kernel @few(
//   CHECK-DAG:   tile.ring feed = tma : <{{[3-9]}} x (tensor<128x64xbf16{{.*}}, tensor<64x128xbf16
//   CHECK-DAG:   tile.ring feed = tma : <1 x (tensor<16x128xbf16
//   CHECK-NOT:   tile.ring
//       CHECK:   tile.role math
//       CHECK:     tile.load %{{.*}} : memref<512x4xbf16>
//       CHECK:   tile.role load

// Without an engine threads copy all of it ahead, for which one slot is too few.
// THREADS-LABEL: tile.kernel @few(
//   THREADS-DAG:   tile.ring feed = cp_async : <2 x (tensor<128x16xbf16{{.*}}, tensor<16x128xbf16
//   THREADS-NOT:   tile.load
//       THREADS:   tile.return
tile.kernel @few(%a: memref<512x4xbf16>, %b: memref<4x512xbf16>, %x: memref<512x512xbf16>, %w: memref<512x512xbf16>, %y: memref<512x512xf32>) outputs 1 blocks(%j) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %at = arith.muli %j, %c128 : index
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  scf.for %i = %c0 to %c512 step %c128 {
    %p = tile.load %a[%i, %c0] limits(%c4) axes [1] : memref<512x4xbf16> -> tensor<128x16xbf16>
    %q = tile.load %b[%c0, %at] limits(%c4) axes [0] : memref<4x512xbf16> -> tensor<16x128xbf16>
    %few = tile.dot %p, %q, %zero : tensor<128x16xbf16>, tensor<16x128xbf16> -> tensor<128x128xf32>
    %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %few) -> (tensor<128x128xf32>) {
      %l = tile.load %x[%i, %k] : memref<512x512xbf16> -> tensor<128x64xbf16>
      %r = tile.load %w[%k, %at] : memref<512x512xbf16> -> tensor<64x128xbf16>
      %d = tile.dot %l, %r, %s : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    tile.store %sum, %y[%i, %at] : tensor<128x128xf32>, memref<512x512xf32>
  }
  tile.return
}
