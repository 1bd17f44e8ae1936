// Products by single numbers: a factor that lies along k in memory lies across
// in a slot, so that a thread reads four rows of one k at a time. Elements are
// copied one by one then; lanes take 32 bytes of each of four rows.

// RUN: fuse-opt %s --tile-assign-layouts --tile-form-rings | FileCheck %s
// RUN: fuse-opt %s --tile-assign-layouts --fuse-placed-to-staged=chip=sm_90a | fuse-opt --tile-verify-staged --fuse-staged-to-threads --fuse-threads-to-llvm -o /dev/null

// CHECK-LABEL: tile.kernel @across
//       CHECK:   tile.ring {{.*}}tensor<64x32xf32, #tile.shared<cell = [64, 32] offset = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [4, 1], [8, 2], [16, 4], [0, 8], [0, 16], [32, 0]]>>
//  CHECK-SAME:     tensor<32x64xf32, #tile.shared<cell = [32, 64] offset = {{\[\[}}0, 1], [0, 2],
//       CHECK:   tile.copy %{{.*}} part 0 threads = <cell = [64, 32] reg = {{.*}} lane = {{\[\[}}0, 1], [0, 2], [0, 4], [1, 0], [2, 0]] warp = {{\[\[}}0, 8], [0, 16]]>
//       CHECK:   tile.copy %{{.*}} part 1 threads = <cell = [32, 64] reg = {{\[\[}}0, 1], [0, 2],
tile.kernel @across(%x: memref<64x512xf32>, %w: memref<512x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c512 step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %a = tile.load %x[%c0, %k] : memref<64x512xf32> -> tensor<64x32xf32>
    %b = tile.load %w[%k, %c0] : memref<512x64xf32> -> tensor<32x64xf32>
    %d = tile.dot %a, %b, %acc : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  tile.return
}

// Of few sums a thread each number is used too seldom.
// CHECK-LABEL: tile.kernel @few
//       CHECK:   tile.copy %{{.*}} part 0 threads = <cell = [16, 64] {{.*}} lane = {{\[\[}}0, 4], [0, 8]
tile.kernel @few(%x: memref<16x512xf32>, %w: memref<512x64xf32>, %y: memref<16x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %zero) -> tensor<16x64xf32> {
    %a = tile.load %x[%c0, %k] : memref<16x512xf32> -> tensor<16x64xf32>
    %b = tile.load %w[%k, %c0] : memref<512x64xf32> -> tensor<64x64xf32>
    %d = tile.dot %a, %b, %acc : tensor<16x64xf32>, tensor<64x64xf32> -> tensor<16x64xf32>
    scf.yield %d : tensor<16x64xf32>
  }
  tile.store %sum, %y[%c0, %c0] : tensor<16x64xf32>, memref<16x64xf32>
  tile.return
}

// A vector has nothing across.
// CHECK-LABEL: tile.kernel @vectors
//       CHECK:   tile.dot %{{.*}} contract = 0
//       CHECK:   tile.dot %{{.*}} : tensor<64x64xf32
tile.kernel @vectors(%x: memref<512x64xf32>, %w: memref<512x64xf32>, %y: memref<64xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %sum = scf.for %k = %c0 to %c512 step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %a = tile.load %x[%k, %c0] map (d0) -> (0, d0) : memref<512x64xf32> -> tensor<64xf32>
    %b = tile.load %w[%k, %c0] map (d0) -> (0, d0) : memref<512x64xf32> -> tensor<64xf32>
    %d = tile.dot %a, %b, %acc contract = 0 : tensor<64xf32>, tensor<64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %v = tile.load %x[%c0, %c0] map (d0) -> (0, d0) : memref<512x64xf32> -> tensor<64xf32>
  %all = tile.dot %sum, %v, %zeros : tensor<64x64xf32>, tensor<64xf32> -> tensor<64xf32>
  tile.store %all, %y[%c0] : tensor<64xf32>, memref<64xf32>
  tile.return
}
