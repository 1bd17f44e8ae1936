// Where a row does not fill its window, 0 is read behind its end, and what is
// made of that may be infinite: a quotient by it, an exponential far from the
// maximum, a logarithm. Times a weight, which is 0 there too, it is NaN, and has
// no place in a sum.

// RUN: fuse-run %s --entry=weighted --verify | FileCheck %s
// RUN: fuse-run %s --entry=far --verify | FileCheck %s
// RUN: fuse-run %s --entry=norms --verify | FileCheck %s
// RUN: fuse-run %s --entry=logarithms --verify | FileCheck %s
// RUN: fuse-run %s --entry=factors --verify | FileCheck %s
// RUN: fuse-run %s --entry=weighted --verify --target=cpu --schedule="@weighted_0:parallel = [1], sequential = [r100_0 = 16], owned = 0" | FileCheck %s
// RUN: fuse-run %s --entry=weighted --verify --target=simulate --chip=sm_90a | FileCheck %s
// RUN: fuse-run %s --entry=far --verify --target=simulate --chip=sm_90a | FileCheck %s
// RUN: fuse-run %s --entry=norms --verify --target=simulate --chip=sm_80 | FileCheck %s
// RUN: fuse-run %s --entry=factors --verify --target=simulate --chip=sm_90a | FileCheck %s
// RUN: fuse-run %s --entry=least --verify --target=simulate --chip=sm_90a | FileCheck %s
// RUN: fuse-run %s --entry=powers --verify --target=simulate --chip=sm_80 | FileCheck %s
// RUN: fuse-run %s --entry=least --verify --target=cpu --schedule="@least_0:parallel = [1], sequential = [r100_0 = 16], owned = 0" | FileCheck %s
// RUN: fuse-run %s --entry=powers --verify --target=cpu --schedule="@powers_0:parallel = [1], sequential = [r100_0 = 16], owned = 0" | FileCheck %s
// CHECK: verify: right

!rows = tensor<64x100xf32>
!row = tensor<64xf32>

func.func @weighted(%w: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>}, %u: !row {fuse.fill = #fuse.fill<uniform, 1, 2>},
                    %x: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>}) -> !row {
  %all = fuse.broadcast %u dims [0] : !row -> !rows
  %quotient = arith.divf %all, %x : !rows
  %product = arith.mulf %w, %quotient : !rows
  %sum = fuse.reduce sum %product dims [1] : !rows
  return %sum : !row
}

// A softmax of numbers that are all near -1000.
func.func @far(%x: !rows {fuse.fill = #fuse.fill<uniform, -1000, -999>}, %v: !rows {fuse.fill = #fuse.fill<uniform, -1, 1>}) -> !row {
  %p = fuse.softmax %x dim 1 : !rows
  %product = arith.mulf %p, %v : !rows
  %sum = fuse.reduce sum %product dims [1] : !rows
  return %sum : !row
}

func.func @norms(%x: tensor<64x100x31xf32> {fuse.fill = #fuse.fill<uniform, 1, 2>}, %v: !rows {fuse.fill = #fuse.fill<uniform, -1, 1>}) -> !row {
  %squares = arith.mulf %x, %x : tensor<64x100x31xf32>
  %sum = fuse.reduce sum %squares dims [2] : tensor<64x100x31xf32>
  %scale = math.rsqrt %sum : !rows
  %product = arith.mulf %v, %scale : !rows
  %result = fuse.reduce sum %product dims [1] : !rows
  return %result : !row
}

func.func @logarithms(%x: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>}, %v: !rows {fuse.fill = #fuse.fill<uniform, -1, 1>}) -> !row {
  %log = math.log10 %x : !rows
  %product = arith.mulf %log, %v : !rows
  %sum = fuse.reduce sum %product dims [1] : !rows
  return %sum : !row
}

func.func @factors(%u: !row {fuse.fill = #fuse.fill<uniform, 1, 2>}, %x: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>},
                   %v: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>}, %w: tensor<100x24xf32> {fuse.fill = #fuse.fill<uniform, -1, 1>}) -> tensor<64x24xf32> {
  %all = fuse.broadcast %u dims [0] : !row -> !rows
  %quotient = arith.divf %all, %x : !rows
  %factor = arith.mulf %quotient, %v : !rows
  %product = fuse.matmul %factor, %w : !rows, tensor<100x24xf32> -> tensor<64x24xf32>
  return %product : tensor<64x24xf32>
}

// 0 times a negative number is -0, and 1 by that is the least number of all,
// not the largest.
func.func @least(%x: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>}, %u: !row {fuse.fill = #fuse.fill<uniform, -2, -1>}) -> !row {
  %all = fuse.broadcast %u dims [0] : !row -> !rows
  %product = arith.mulf %x, %all : !rows
  %one = arith.constant dense<1.0> : !rows
  %quotient = arith.divf %one, %product : !rows
  %min = fuse.reduce min %quotient dims [1] : !rows
  return %min : !row
}

func.func @powers(%x: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>}, %u: !row {fuse.fill = #fuse.fill<uniform, -2, -1>}) -> !row {
  %all = fuse.broadcast %u dims [0] : !row -> !rows
  %product = arith.mulf %x, %all : !rows
  %minus_one = arith.constant dense<-1.0> : !rows
  %quotient = arith.divf %minus_one, %product : !rows
  %power = math.exp %quotient : !rows
  %sum = fuse.reduce sum %power dims [1] : !rows
  return %sum : !row
}
