// What another product adds to a sum of products is what the sum begins with,
// so that not both take registers at a time. What is only read, or comes from
// the loop itself, is added behind it.

// RUN: fuse-opt %s --convert-fuse-to-tile | FileCheck %s
// RUN: fuse-run %s --entry=f --verify
// RUN: fuse-run %s --entry=both --verify
// RUN: fuse-run %s --entry=f --target=simulate --chip=sm_90a --verify

// CHECK-LABEL: tile.kernel @scaled
//       CHECK:   %[[LOW:.*]] = tile.dot {{.*}} : tensor<64x8xbf16>, tensor<8x64xbf16>
//       CHECK:   %[[HALF:.*]] = arith.mulf %[[LOW]],
//       CHECK:   %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[HALF]])
//   CHECK-NOT:   arith.addf
//       CHECK:   tile.store %[[SUM]]
func.func @f(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>, %a: tensor<64x8xbf16>, %b: tensor<8x64xbf16>) -> tensor<64x64xf32> {
  %0 = fuse.kernel @scaled(%x_ = %x, %w_ = %w, %a_ = %a, %b_ = %b) schedule(#fuse.schedule<parallel = [64, 64], sequential = [r64_0 = 16, r8_0 = 8]>) : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x8xbf16>, tensor<8x64xbf16>) -> tensor<64x64xf32> {
    %p = fuse.matmul %x_, %w_ : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    %q = fuse.matmul %a_, %b_ : tensor<64x8xbf16>, tensor<8x64xbf16> -> tensor<64x64xf32>
    %half = arith.constant dense<0.3> : tensor<64x64xf32>
    %s = arith.mulf %q, %half : tensor<64x64xf32>
    %r = arith.addf %p, %s : tensor<64x64xf32>
    fuse.yield %r : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// Of two loops the second begins with what the first has summed.
// CHECK-LABEL: tile.kernel @two
//       CHECK:   %[[FIRST:.*]] = scf.for
//       CHECK:   %[[SECOND:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
//       CHECK:   tile.store %[[SECOND]]
// CHECK-LABEL: tile.kernel @read
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %cst
//       CHECK:   tile.load
//       CHECK:   arith.addf
// A sum that is needed by itself, too, stays.
// CHECK-LABEL: tile.kernel @kept
//       CHECK:   arith.addf
//       CHECK:   tile.store
//       CHECK:   tile.store
func.func @both(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %a: tensor<64x32xf32>, %b: tensor<32x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = fuse.kernel @two(%x_ = %x, %w_ = %w, %a_ = %a, %b_ = %b) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r64_0 = 16, r32_0 = 16]>) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32> {
    %p = fuse.matmul %x_, %w_ : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    %q = fuse.matmul %a_, %b_ : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    %r = arith.addf %p, %q : tensor<64x64xf32>
    fuse.yield %r : tensor<64x64xf32>
  }
  %1 = fuse.kernel @read(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r64_0 = 16]>) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
    %p = fuse.matmul %x_, %w_ : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    %r = arith.addf %p, %w_ : tensor<64x64xf32>
    fuse.yield %r : tensor<64x64xf32>
  }
  %2:2 = fuse.kernel @kept(%x_ = %x, %w_ = %w, %a_ = %a, %b_ = %b) schedule(#fuse.schedule<parallel = [16, 16], sequential = [r64_0 = 16, r32_0 = 32]>) : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x32xf32>, tensor<32x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %p = fuse.matmul %x_, %w_ : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    %q = fuse.matmul %a_, %b_ : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
    %c = arith.constant dense<2.0> : tensor<64x64xf32>
    %s = arith.mulf %q, %c : tensor<64x64xf32>
    %r = arith.addf %p, %s : tensor<64x64xf32>
    fuse.yield %r, %p : tensor<64x64xf32>, tensor<64x64xf32>
  }
  return %0, %1, %2#0, %2#1 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
