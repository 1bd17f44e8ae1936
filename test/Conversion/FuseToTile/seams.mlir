// Where what is multiplied was put together of several tensors, each of them has
// a loop of its own, and the sums go on from one to the next.

// RUN: fuse-opt %s --fuse-to-tiles | FileCheck %s
// RUN: fuse-run %s --entry=two --verify
// RUN: fuse-run %s --entry=two --target=simulate --chip=sm_90a --verify
// RUN: fuse-run %s --entry=keys --verify
// RUN: fuse-run %s --entry=keys --target=simulate --chip=sm_90a --verify
// RUN: fuse-run %s --entry=chunks --verify
// RUN: fuse-run %s --entry=chunks --target=simulate --chip=sm_90a --verify
// RUN: fuse-run %s --entry=norm --verify
// RUN: fuse-run %s --entry=norm --target=simulate --chip=sm_90a --verify
// RUN: fuse-run %s --entry=many --verify
// RUN: fuse-run %s --entry=masked --verify
// RUN: fuse-run %s --entry=nested --verify
// RUN: fuse-run %s --entry=low --input=s=-9223372036854775808 --verify
// RUN: fuse-run %s --entry=low --input=s=9223372036854775807 --verify
// RUN: fuse-run %s --entry=low --input=s=70 --verify --target=simulate --chip=sm_90a
// RUN: fuse-run %s --entry=low --input=s=-9223372036854775808 --verify --target=simulate --chip=sm_90a

// Pieces may end within a round: what is behind is left out on both sides, as
// the right factor goes on there and may be infinite.
// CHECK-LABEL: tile.kernel @two
//   CHECK-NOT:   arith.select
//       CHECK:   %[[FIRST:.*]] = scf.for %[[K:.*]] = %c0 to %c100 step %c64 iter_args(%{{.*}} = %cst)
//       CHECK:     %[[LEFT:.*]] = arith.subi %c100, %[[K]]
//       CHECK:     tile.load %{{.*}}[%{{.*}}, %[[K]]] limits(%[[LEFT]]{{.*}} : memref<64x100xf16>
//       CHECK:     tile.load %{{.*}}[%[[K]], %{{.*}}] limits(%[[LEFT]]{{.*}} : memref<192x64xf16>
//       CHECK:   scf.for %[[K:.*]] = %c0 to %c92 step %c64 iter_args(%{{.*}} = %[[FIRST]])
//       CHECK:     tile.load %{{.*}}[%{{.*}}, %[[K]]] limits({{.*}} : memref<64x92xf16>
//       CHECK:     %[[AT:.*]] = arith.addi %[[K]], %c100
//       CHECK:     tile.load %{{.*}}[%[[AT]], %{{.*}}] limits({{.*}} : memref<192x64xf16>
//   CHECK-NOT:   arith.select
//       CHECK:   tile.return
func.func @two(%x: tensor<64x100xf16>, %h: tensor<64x92xf16>, %w: tensor<192x64xf16>) -> tensor<64x64xf32> {
  %0 = fuse.kernel @two(%x_ = %x, %h_ = %h, %w_ = %w) schedule(#fuse.schedule<parallel = [64, 64], sequential = [r192_0 = 64]>) : (tensor<64x100xf16>, tensor<64x92xf16>, tensor<192x64xf16>) -> tensor<64x64xf32> {
    %both = fuse.concat %x_, %h_ dim 1 : tensor<64x100xf16>, tensor<64x92xf16>
    %y = fuse.matmul %both, %w_ : tensor<64x192xf16>, tensor<192x64xf16> -> tensor<64x64xf32>
    fuse.yield %y : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// Keys and values that were there before and new ones: maximum, sum and product
// of an attention go on together, and so does the product inside.
// CHECK-LABEL: tile.kernel @keys
//   CHECK-NOT:   tile.broadcast {{.*}}xi1>
//       CHECK:   %[[BEFORE:.*]]:3 = scf.for %{{.*}} = %c0 to %c64 step %c32 iter_args(
//       CHECK:     tile.load {{.*}} : memref<2x64x16xf16>
//       CHECK:     tile.dot
//       CHECK:     tile.reduce max
//       CHECK:     tile.load {{.*}} : memref<2x64x16xf16>
//       CHECK:     tile.dot
//       CHECK:   }
// The second one has a single round.
//       CHECK:   tile.load {{.*}} : memref<2x5x16xf16>
//       CHECK:   tile.dot
//       CHECK:   arith.maximumf %[[BEFORE]]#0,
//       CHECK:   arith.mulf %[[BEFORE]]#1,
//       CHECK:   tile.load {{.*}} : memref<2x5x16xf16>
//       CHECK:   arith.mulf %[[BEFORE]]#2,
//       CHECK:   tile.dot
func.func @keys(%q: tensor<2x16x16xf16>, %k: tensor<2x64x16xf16>, %v: tensor<2x64x16xf16>, %new_k: tensor<2x5x16xf16>, %new_v: tensor<2x5x16xf16>) -> tensor<2x16x16xf32> {
  %0 = fuse.kernel @keys(%q_ = %q, %k_ = %k, %v_ = %v, %nk = %new_k, %nv = %new_v) schedule(#fuse.schedule<parallel = [1, 16, 16], sequential = [r16_0 = 16, r69_0 = 32], cascades = [2 wrt 1 = rescale, 3 wrt 1 = rescale, 3 wrt 2 = defer]>) : (tensor<2x16x16xf16>, tensor<2x64x16xf16>, tensor<2x64x16xf16>, tensor<2x5x16xf16>, tensor<2x5x16xf16>) -> tensor<2x16x16xf32> {
    %keys = fuse.concat %k_, %nk dim 1 : tensor<2x64x16xf16>, tensor<2x5x16xf16>
    %values = fuse.concat %v_, %nv dim 1 : tensor<2x64x16xf16>, tensor<2x5x16xf16>
    %turned = fuse.transpose %keys [0, 2, 1] : tensor<2x69x16xf16>
    %s = fuse.matmul %q_, %turned : tensor<2x16x16xf16>, tensor<2x16x69xf16> -> tensor<2x16x69xf32>
    %max = fuse.reduce max %s dims [2] : tensor<2x16x69xf32>
    %maxes = fuse.broadcast %max dims [0, 1] : tensor<2x16xf32> -> tensor<2x16x69xf32>
    %less = arith.subf %s, %maxes : tensor<2x16x69xf32>
    %e = math.exp %less : tensor<2x16x69xf32>
    %sum = fuse.reduce sum %e dims [2] : tensor<2x16x69xf32>
    %sums = fuse.broadcast %sum dims [0, 1] : tensor<2x16xf32> -> tensor<2x16x69xf32>
    %p = arith.divf %e, %sums : tensor<2x16x69xf32>
    %narrow = arith.truncf %p : tensor<2x16x69xf32> to tensor<2x16x69xf16>
    %o = fuse.matmul %narrow, %values : tensor<2x16x69xf16>, tensor<2x69x16xf16> -> tensor<2x16x16xf32>
    fuse.yield %o : tensor<2x16x16xf32>
  }
  return %0 : tensor<2x16x16xf32>
}

// Each chunk of a split loop has its share of each part.
// CHECK-LABEL: tile.kernel @chunks
//       CHECK:   %[[FIRST:.*]] = scf.for %{{.*}} = %[[LOW:.*]] to %{{.*}} step %c16
//   CHECK-NOT:   arith.select {{.*}}xi1>
//       CHECK:   scf.for %{{.*}} iter_args(%{{.*}} = %[[FIRST]])
//       CHECK:   tile.store
func.func @chunks(%x: tensor<16x48xf16>, %h: tensor<16x64xf16>, %w: tensor<112x16xf16>) -> tensor<16x16xf32> {
  %0 = fuse.kernel @chunks(%x_ = %x, %h_ = %h, %w_ = %w) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r112_0 = 16], split = 2>) : (tensor<16x48xf16>, tensor<16x64xf16>, tensor<112x16xf16>) -> tensor<16x16xf32> {
    %both = fuse.concat %x_, %h_ dim 1 : tensor<16x48xf16>, tensor<16x64xf16>
    %y = fuse.matmul %both, %w_ : tensor<16x112xf16>, tensor<112x16xf16> -> tensor<16x16xf32>
    fuse.yield %y : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// A norm of what was put together, around the mean of the first rounds.
// CHECK-LABEL: tile.kernel @norm
// CHECK-COUNT-2: scf.for
//   CHECK-NOT:   scf.for
//       CHECK:   tile.return
func.func @norm(%x: tensor<16x32xf32>, %h: tensor<16x16xf32>, %w: tensor<48x16xf32>) -> tensor<16x16xf32> {
  %0 = fuse.kernel @norm(%x_ = %x, %h_ = %h, %w_ = %w) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r48_0 = 8], cascades = [1 wrt 0 = pilot, 2 wrt 0 = pilot, 2 wrt 1 = defer]>) : (tensor<16x32xf32>, tensor<16x16xf32>, tensor<48x16xf32>) -> tensor<16x16xf32> {
    %both = fuse.concat %x_, %h_ dim 1 : tensor<16x32xf32>, tensor<16x16xf32>
    %mean = fuse.reduce mean %both dims [1] : tensor<16x48xf32>
    %means = fuse.broadcast %mean dims [0] : tensor<16xf32> -> tensor<16x48xf32>
    %from = arith.subf %both, %means : tensor<16x48xf32>
    %square = arith.mulf %from, %from : tensor<16x48xf32>
    %variance = fuse.reduce mean %square dims [1] : tensor<16x48xf32>
    %scale = math.rsqrt %variance : tensor<16xf32>
    %scales = fuse.broadcast %scale dims [0] : tensor<16xf32> -> tensor<16x48xf32>
    %n = arith.mulf %from, %scales : tensor<16x48xf32>
    %y = fuse.matmul %n, %w_ : tensor<16x48xf32>, tensor<48x16xf32> -> tensor<16x16xf32>
    fuse.yield %y : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// More pieces than are worth the code are one loop.
// CHECK-LABEL: tile.kernel @many
//       CHECK:   scf.for %{{.*}} = %c0 to %c80 step %c16
//       CHECK:     arith.select
//   CHECK-NOT:   scf.for
//       CHECK:   tile.return
func.func @many(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %w: tensor<80x16xf32>) -> tensor<16x16xf32> {
  %0 = fuse.kernel @many(%a_ = %a, %b_ = %b, %w_ = %w) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r80_0 = 16]>) : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<80x16xf32>) -> tensor<16x16xf32> {
    %all = fuse.concat %a_, %b_, %a_, %b_, %a_ dim 1 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
    %y = fuse.matmul %all, %w_ : tensor<16x80xf32>, tensor<80x16xf32> -> tensor<16x16xf32>
    fuse.yield %y : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// A mask ends a loop, and no other one begins there.
// CHECK-LABEL: tile.kernel @masked
//       CHECK:   scf.for %{{.*}} = %c0 to %c40 step %c16
//   CHECK-NOT:   scf.for
//       CHECK:   tile.return
func.func @masked(%x: tensor<16x80xf32>, %w: tensor<80x16xf32>) -> tensor<16x16xf32> {
  %0 = fuse.kernel @masked(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r80_0 = 16]>) : (tensor<16x80xf32>, tensor<80x16xf32>) -> tensor<16x16xf32> {
    %k = fuse.iota dim 1 : tensor<16x80xi32>
    %end = arith.constant dense<40> : tensor<16x80xi32>
    %is = arith.cmpi slt, %k, %end : tensor<16x80xi32>
    %zero = arith.constant dense<0.0> : tensor<16x80xf32>
    %m = arith.select %is, %x_, %zero : tensor<16x80xi1>, tensor<16x80xf32>
    %y = fuse.matmul %m, %w_ : tensor<16x80xf32>, tensor<80x16xf32> -> tensor<16x16xf32>
    fuse.yield %y : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// In a part there are no parts, or code would grow with each loop in a loop: the
// product inside of each of two loops has one.
// CHECK-LABEL: tile.kernel @nested
// CHECK-COUNT-4: scf.for
//   CHECK-NOT:   scf.for
//       CHECK:   tile.return
func.func @nested(%x: tensor<16x32xf32>, %u: tensor<32x64xf32>, %v: tensor<32x64xf32>, %w: tensor<64x16xf32>) -> tensor<16x16xf32> {
  %0 = fuse.kernel @nested(%x_ = %x, %u_ = %u, %v_ = %v, %w_ = %w) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r64_0 = 16, r128_0 = 16]>) : (tensor<16x32xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<64x16xf32>) -> tensor<16x16xf32> {
    %xs = fuse.concat %x_, %x_ dim 1 : tensor<16x32xf32>, tensor<16x32xf32>
    %us = fuse.concat %u_, %v_ dim 0 : tensor<32x64xf32>, tensor<32x64xf32>
    %h = fuse.matmul %xs, %us : tensor<16x64xf32>, tensor<64x64xf32> -> tensor<16x64xf32>
    %hs = fuse.concat %h, %h dim 1 : tensor<16x64xf32>, tensor<16x64xf32>
    %ws = fuse.concat %w_, %w_ dim 0 : tensor<64x16xf32>, tensor<64x16xf32>
    %y = fuse.matmul %hs, %ws : tensor<16x128xf32>, tensor<128x16xf32> -> tensor<16x16xf32>
    fuse.yield %y : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// What is loaded may be any number, also less what comes before a part.
func.func @low(%x: tensor<16x64xf32>, %h: tensor<16x64xf32>, %w: tensor<128x16xf32>, %s: tensor<16xi64> {fuse.name = "s"}) -> tensor<16x16xf32> {
  %0 = fuse.kernel @low(%x_ = %x, %h_ = %h, %w_ = %w, %s_ = %s) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r128_0 = 32]>) : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<128x16xf32>, tensor<16xi64>) -> tensor<16x16xf32> {
    %both = fuse.concat %x_, %h_ dim 1 : tensor<16x64xf32>, tensor<16x64xf32>
    %k = fuse.iota dim 1 : tensor<16x128xi64>
    %starts = fuse.broadcast %s_ dims [0] : tensor<16xi64> -> tensor<16x128xi64>
    %is = arith.cmpi sge, %k, %starts : tensor<16x128xi64>
    %zero = arith.constant dense<0.0> : tensor<16x128xf32>
    %m = arith.select %is, %both, %zero : tensor<16x128xi1>, tensor<16x128xf32>
    %y = fuse.matmul %m, %w_ : tensor<16x128xf32>, tensor<128x16xf32> -> tensor<16x16xf32>
    fuse.yield %y : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}
