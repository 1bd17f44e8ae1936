// What a loop needs and runs over a variable that the loop opens anew is reduced in
// front of it. %cos varies with no variable of the loops, so that it is made outside
// of them, and the sum of %x was made inside.

// RUN: fuse-opt %s --convert-fuse-to-tile | FileCheck %s
// RUN: fuse-run %s --verify
// RUN: fuse-run %s --target=simulate --chip=sm_90a --verify

// CHECK-LABEL: tile.kernel @sum_of_sums
//       CHECK:   tile.reduce sum %{{.*}} dims [1] : tensor<4x32xf32>
//       CHECK:   math.cos
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       tile.dot
//       CHECK:       tile.reduce sum %{{.*}} dims [1, 2] : tensor<4x32x16xf32>
func.func @graph(%x: tensor<5x30xf32>, %w: tensor<30x100xf32>) -> tensor<5xf32> {
  %k = fuse.kernel @sum_of_sums(%a = %x, %b = %w)
      schedule(#fuse.schedule<parallel = [4], sequential = [r30_0 = 32, r100_0 = 16]>)
      : (tensor<5x30xf32>, tensor<30x100xf32>) -> tensor<5xf32> {
    %sum = fuse.reduce sum %a dims [1] : tensor<5x30xf32>
    %cos = math.cos %sum : tensor<5xf32>
    %wide = fuse.broadcast %cos dims [0] : tensor<5xf32> -> tensor<5x30xf32>
    %scaled = arith.mulf %a, %wide : tensor<5x30xf32>
    %product = fuse.matmul %scaled, %b : tensor<5x30xf32>, tensor<30x100xf32> -> tensor<5x100xf32>
    %many = fuse.broadcast %product dims [0, 2] : tensor<5x100xf32> -> tensor<5x30x100xf32>
    %all = fuse.reduce sum %many dims [1, 2] : tensor<5x30x100xf32>
    fuse.yield %all : tensor<5xf32>
  }
  return %k : tensor<5xf32>
}
