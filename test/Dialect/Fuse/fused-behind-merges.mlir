// All four gates of a cell read one product. Cell state and output are kernels of
// their own at first, of which each would compute the product anew; where they
// are one, it is computed there once.

// RUN: fuse-opt %s --fuse-decompose --fuse-form-kernels=machine=h200 | FileCheck %s
// RUN: fuse-run %s --target=simulate --chip=sm_90a --verify

// CHECK-COUNT-1: fuse.kernel
// CHECK-NOT: fuse.kernel
func.func @lstm(%x: tensor<5x24xf32>, %h: tensor<5x16xf32>, %c: tensor<5x16xf32>, %w: tensor<40x64xf32>, %b: tensor<64xf32>) -> (tensor<5x16xf32> {fuse.name="h"}, tensor<5x16xf32> {fuse.name="c"}) {
  %xh = fuse.concat %x, %h dim 1 : tensor<5x24xf32>, tensor<5x16xf32>
  %z = fuse.linear %xh, %w bias %b : tensor<5x40xf32>, tensor<40x64xf32>, tensor<64xf32> -> tensor<5x64xf32>
  %zi = fuse.slice %z[:, 0:16] : tensor<5x64xf32>
  %zf = fuse.slice %z[:, 16:32] : tensor<5x64xf32>
  %zg = fuse.slice %z[:, 32:48] : tensor<5x64xf32>
  %zo = fuse.slice %z[:, 48:64] : tensor<5x64xf32>
  %i = fuse.sigmoid %zi : tensor<5x16xf32>
  %f = fuse.sigmoid %zf : tensor<5x16xf32>
  %g = math.tanh %zg : tensor<5x16xf32>
  %o = fuse.sigmoid %zo : tensor<5x16xf32>
  %fc = arith.mulf %f, %c : tensor<5x16xf32>
  %ig = arith.mulf %i, %g : tensor<5x16xf32>
  %cn = arith.addf %fc, %ig : tensor<5x16xf32>
  %t = math.tanh %cn : tensor<5x16xf32>
  %hn = arith.mulf %o, %t : tensor<5x16xf32>
  return %hn, %cn : tensor<5x16xf32>, tensor<5x16xf32>
}
