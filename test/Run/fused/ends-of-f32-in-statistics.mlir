// What docs/Fusion.md says of numbers at the ends of f32 in statistics: a mean far
// from 0 harms no variance, distances beyond 1e19 have no squares, and a quotient
// by a sum below 2.9e-39 is not there where the sum comes late.

// DEFINE: %{entry} = variance
// DEFINE: %{x} = 1.0e19
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --input=x=%{x} --verify
// RUN: %{run} --target=cpu | FileCheck %s
// RUN: %{run} --target=simulate --chip=sm_90a | FileCheck %s
// CHECK: out0: f32 8, from 0 to 0
// CHECK: verify: right

// REDEFINE: %{x} = uniform:-1.0e18:1.0e18
// RUN: %{run} --target=cpu | FileCheck %s --check-prefix=RIGHT
// RUN: %{run} --target=simulate --chip=sm_90a | FileCheck %s --check-prefix=RIGHT
// RIGHT: out0: f32 8, from {{[0-9.]+}}e+35
// RIGHT: verify: right
// REDEFINE: %{x} = uniform:-1.0e20:1.0e20
// RUN: fuse-run %s --entry=variance --input=x=%{x} --target=cpu | FileCheck %s --check-prefix=INFINITE
// RUN: fuse-run %s --entry=variance --input=x=%{x} --target=reference | FileCheck %s --check-prefix=INFINITE
// INFINITE: out0: f32 8, from inf to inf

// REDEFINE: %{entry} = shares
// REDEFINE: %{x} = 1.0e-37
// RUN: %{run} --target=cpu | FileCheck %s --check-prefix=SHARES
// RUN: %{run} --target=simulate --chip=sm_90a | FileCheck %s --check-prefix=SHARES
// SHARES: verify: right
// RUN: fuse-run %s --entry=shares --input=x=1.0e-41 --target=cpu | FileCheck %s --check-prefix=TOO-SMALL
// TOO-SMALL: out0: f32 8x16, from {{.*}}inf

// REDEFINE: %{entry} = normed
// REDEFINE: %{x} = 1.0e10
// RUN: %{run} --target=cpu | FileCheck %s --check-prefix=SHARES
// REDEFINE: %{x} = 1.0e18
// RUN: %{run} --target=cpu --schedule="@normed_0:parallel = [8, 16], sequential = [r5000_0 = 512], owned = 0, cascades = [1 wrt 0 = sequential, 2 wrt 0 = sequential, 2 wrt 1 = sequential]" | FileCheck %s --check-prefix=SHARES

!rows = tensor<8x64xf32>
!long = tensor<8x5000xf32>

func.func @variance(%x: !rows {fuse.name = "x"}) -> tensor<8xf32> {
  %mean = fuse.reduce mean %x dims [1] : !rows
  %all = fuse.broadcast %mean dims [0] : tensor<8xf32> -> !rows
  %distance = arith.subf %x, %all : !rows
  %square = arith.mulf %distance, %distance : !rows
  %variance = fuse.reduce mean %square dims [1] : !rows
  return %variance : tensor<8xf32>
}

func.func @shares(%x: !rows {fuse.name = "x"}, %w: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %sum = fuse.reduce sum %x dims [1] : !rows
  %all = fuse.broadcast %sum dims [0] : tensor<8xf32> -> !rows
  %share = arith.divf %x, %all : !rows
  %y = fuse.matmul %share, %w : !rows, tensor<64x16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

func.func @normed(%x: !long {fuse.name = "x"}, %w: tensor<5000x16xf32>) -> tensor<8x16xf32> {
  %n = fuse.layer_norm %x eps 1.0e-5 : !long
  %y = fuse.matmul %n, %w : !long, tensor<5000x16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
