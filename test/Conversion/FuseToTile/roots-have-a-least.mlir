// A root of what is not small is not 0, so that 0 behind the end of a row is
// still 0 when it is divided by it, and nothing is masked.

// RUN: fuse-opt %s --fuse-to-tiles=machine=h200 | FileCheck %s

// CHECK-LABEL: tile.kernel @norms_0(
//   CHECK-NOT:   tile.mask
//       CHECK:   tile.return
!rows = tensor<64x100xf32>
!row = tensor<64xf32>
func.func @norms(%x: !rows) -> !row {
  %squares = arith.mulf %x, %x : !rows
  %mean = fuse.reduce mean %squares dims [1] : !rows
  %eps = arith.constant dense<1.0e-5> : !row
  %shifted = arith.addf %mean, %eps : !row
  %root = math.sqrt %shifted : !row
  %all = fuse.broadcast %root dims [0] : !row -> !rows
  %normed = arith.divf %x, %all : !rows
  %sum = fuse.reduce sum %normed dims [1] : !rows
  return %sum : !row
}

// Without the least it may be.
// CHECK-LABEL: tile.kernel @small_0(
//       CHECK:   tile.mask
func.func @small(%x: !rows) -> !row {
  %squares = arith.mulf %x, %x : !rows
  %mean = fuse.reduce mean %squares dims [1] : !rows
  %root = math.sqrt %mean : !row
  %all = fuse.broadcast %root dims [0] : !row -> !rows
  %normed = arith.divf %x, %all : !rows
  %sum = fuse.reduce sum %normed dims [1] : !rows
  return %sum : !row
}
