// A schedule that cannot be is told of, though the kernel of another one has been
// made by then, and is none of the graph any more.

// RUN: not fuse-run %s --target=cpu --schedule="@f_0:parallel = [1], owned = 0" --schedule="@f_1:parallel = [1], sequential = [r99_0 = 16], owned = 0" 2>&1 | FileCheck %s
// CHECK-NOT: there is a schedule for
// CHECK: gives a tile to r99_0, which no reduction of it runs over; they run over r48_0
func.func @f(%x: tensor<64x100xf32>, %y: tensor<32x48xf32>) -> (tensor<64xf32>, tensor<32xf32>) {
  %s = fuse.reduce sum %x dims [1] : tensor<64x100xf32>
  %t = fuse.reduce sum %y dims [1] : tensor<32x48xf32>
  return %s, %t : tensor<64xf32>, tensor<32xf32>
}
