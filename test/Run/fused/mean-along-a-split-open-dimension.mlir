// A mean is divided by a size that is open. Where the loop is split, who merges its parts reads nothing that has that size,
// so that kernels could not be made: only of long dimensions, and so only with some hints.

// RUN: split-file %s %t
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG

// RUN: fuse-run %t/pool.mlir --open-sizes --shape=x:2048x96/37x96/1x96 --target=simulate --chip=sm_90a --verify | %{right}
// RUN: fuse-run %t/pool.mlir --open-sizes --shape=x:2048x96/37x96/1x96 --target=simulate --chip=sm_80 --verify | %{right}
// RUN: fuse-run %t/pool.mlir --open-sizes --shape=x:2048x96/37x96/1x96 --target=cpu --verify | %{right}
// RUN: fuse-run %t/loss.mlir --open-sizes --shape=x:2048x64/37x64/1x64 --shape=y:2048x64/37x64/1x64 --target=cpu --verify | %{right}
// RUN: fuse-run %t/loss.mlir --open-sizes --shape=x:512x64/37x64/1x64 --shape=y:512x64/37x64/1x64 --target=simulate --chip=sm_80 --verify | %{right}
// CHECK: verify: right
// CHECK: verify: right
// CHECK: verify: right

//--- pool.mlir

func.func @pool(%x: tensor<?x96xf32> {fuse.name = "x"}) -> tensor<96xf32> {
  %0 = fuse.reduce mean %x dims [0] : tensor<?x96xf32>
  return %0 : tensor<96xf32>
}

//--- loss.mlir

func.func @loss(%x: tensor<?x64xf32> {fuse.name = "x"}, %y: tensor<?x64xf32> {fuse.name = "y"}) -> tensor<f32> {
  %0 = arith.subf %x, %y : tensor<?x64xf32>
  %1 = arith.mulf %0, %0 : tensor<?x64xf32>
  %2 = fuse.reduce mean %1 dims [0, 1] : tensor<?x64xf32>
  return %2 : tensor<f32>
}
