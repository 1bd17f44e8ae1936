// Where a row does not fill its window, 0 is read behind its end. Times a factor
// of the whole row that is infinite, or divided by one that is 0, that is NaN,
// and has no place in a sum, whatever is made of it.

// RUN: fuse-run %s --entry=scaled --input=u=inf --target=simulate --chip=sm_90a | FileCheck %s
// RUN: fuse-run %s --entry=scaled --input=u=inf --target=cpu --schedule="@scaled_0:parallel = [1], sequential = [r100_0 = 16], owned = 0" | FileCheck %s
// RUN: fuse-run %s --entry=divided --input=u=0 --target=simulate --chip=sm_80 | FileCheck %s
// RUN: fuse-run %s --entry=divided --input=u=0 --target=cpu --schedule="@divided_0:parallel = [1], sequential = [r100_0 = 16], owned = 0" | FileCheck %s
// CHECK: out0: f32 64, from inf to inf

// RUN: fuse-run %s --entry=gates --input=u=inf --verify --target=simulate --chip=sm_90a | FileCheck %s --check-prefix=RIGHT
// RUN: fuse-run %s --entry=gates --input=u=inf --verify --target=cpu --schedule="@gates_0:parallel = [1, 24], sequential = [r100_0 = 16]" | FileCheck %s --check-prefix=RIGHT
// RIGHT: verify: right

// A factor that cannot be infinite needs no mask.
// RUN: fuse-opt %s --fuse-decompose --fuse-form-kernels=machine=h200 --convert-fuse-to-tile | FileCheck %s --check-prefix=TILES
// TILES-LABEL: tile.kernel @scaled_0
// TILES: tile.mask
// TILES-LABEL: tile.kernel @norms_0
// TILES-NOT: tile.mask
// TILES-LABEL: func.func @norms

!rows = tensor<64x100xf32>
!row = tensor<64xf32>

func.func @scaled(%x: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>}, %u: !row {fuse.name = "u"}) -> !row {
  %all = fuse.broadcast %u dims [0] : !row -> !rows
  %product = arith.mulf %x, %all : !rows
  %sum = fuse.reduce sum %product dims [1] : !rows
  return %sum : !row
}

func.func @divided(%x: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>}, %u: !row {fuse.name = "u"}) -> !row {
  %all = fuse.broadcast %u dims [0] : !row -> !rows
  %quotient = arith.divf %x, %all : !rows
  %product = arith.mulf %quotient, %x : !rows
  %sum = fuse.reduce sum %product dims [1] : !rows
  return %sum : !row
}

// Of an infinite factor the result need not be.
func.func @gates(%x: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>}, %u: !row {fuse.name = "u"}, %w: tensor<100x24xf32>) -> tensor<64x24xf32> {
  %all = fuse.broadcast %u dims [0] : !row -> !rows
  %product = arith.mulf %x, %all : !rows
  %gate = math.tanh %product : !rows
  %sums = fuse.matmul %gate, %w : !rows, tensor<100x24xf32> -> tensor<64x24xf32>
  return %sums : tensor<64x24xf32>
}

func.func @norms(%x: !rows) -> !row {
  %squares = arith.mulf %x, %x : !rows
  %mean = fuse.reduce mean %squares dims [1] : !rows
  %eps = arith.constant dense<1.0e-5> : !row
  %shifted = arith.addf %mean, %eps : !row
  %scale = math.rsqrt %shifted : !row
  %all = fuse.broadcast %scale dims [0] : !row -> !rows
  %normed = arith.mulf %x, %all : !rows
  %sum = fuse.reduce sum %normed dims [1] : !rows
  return %sum : !row
}
