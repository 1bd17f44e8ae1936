// Channels that four blocks hold together. What they divide is the axis of which each gets as much: of 13 x 37 in 16 x 64
// the first one has 13 of 16 in four parts, the second one 37 of 64, of which the last part would be empty. With a scale
// for each column, of which all need all, it is the last one.

// DEFINE: %{scale} = 1
// DEFINE: %{dims} = [1]
// DEFINE: %{owned} = [0, 2]
// DEFINE: %{make} = sed 's/SCALE/tensor<%{scale}xf32>/g; s/DIMS/%{dims}/' %s > %t.mlir
// DEFINE: %{schedule} = --schedule="@norm_0:parallel = [1, 1], sequential = [r13_0 = 16, r37_0 = 64], owned = %{owned}, share = 4, warps = 2"
// DEFINE: %{run} = %{make} && %emulate %t.mlir --chip=sm_90a --verify %{schedule} | FileCheck %s
// CHECK: verify: right
// REDEFINE: %{scale} = 5
// RUN: %{run}
// RUN: fuse-run %t.mlir --chip=sm_90a --image=%t.fuse %{schedule} --dump-stages=%t.stages > /dev/null
// RUN: FileCheck %s --check-prefix=ROWS < %t.stages/4-sm_90a-placed.mlir
// ROWS: tensor<16x64xf32, #tile.layout<{{.*}} cta = {{\[\[}}4, 0], [8, 0]]>>
// REDEFINE: %{scale} = 37
// REDEFINE: %{dims} = [2]
// RUN: %{run}
// RUN: fuse-run %t.mlir --chip=sm_90a --image=%t.fuse %{schedule} --dump-stages=%t.stages > /dev/null
// RUN: FileCheck %s --check-prefix=COLUMNS < %t.stages/4-sm_90a-placed.mlir
// COLUMNS: tensor<16x64xf32, #tile.layout<{{.*}} cta = {{\[\[}}0, 16], [0, 32]]>>

func.func @norm(%x: tensor<13x5x37xbf16> {fuse.name = "x"}, %s: SCALE {fuse.name = "s"}) -> tensor<13x5x37xf32> {
  %0 = arith.extf %x : tensor<13x5x37xbf16> to tensor<13x5x37xf32>
  %1 = fuse.reduce mean %0 dims [0, 2] : tensor<13x5x37xf32>
  %2 = fuse.broadcast %1 dims [1] : tensor<5xf32> -> tensor<13x5x37xf32>
  %3 = arith.subf %0, %2 : tensor<13x5x37xf32>
  %4 = arith.mulf %3, %3 : tensor<13x5x37xf32>
  %5 = fuse.reduce mean %4 dims [0, 2] : tensor<13x5x37xf32>
  %6 = arith.constant dense<1.0e-05> : tensor<5xf32>
  %7 = arith.addf %5, %6 : tensor<5xf32>
  %8 = math.rsqrt %7 : tensor<5xf32>
  %9 = fuse.broadcast %8 dims [1] : tensor<5xf32> -> tensor<13x5x37xf32>
  %10 = arith.mulf %3, %9 : tensor<13x5x37xf32>
  %11 = fuse.broadcast %s dims DIMS : SCALE -> tensor<13x5x37xf32>
  %12 = arith.mulf %10, %11 : tensor<13x5x37xf32>
  return %12 : tensor<13x5x37xf32>
}
