// A sum of no terms is 0, also where it is corrected with the maximum of nothing, or divided by its deviation.

// DEFINE: %{entry} = exponentials
// DEFINE: %{shapes} = --shape=x:2x0
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --verify %{shapes}
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG
// DEFINE: %{all} = %{run} --target=cpu | %{right} && %{run} --target=simulate --chip=sm_90a | %{right}
// RUN: %{all}
// REDEFINE: %{shapes} = --open-sizes --shape=x:2x20000/2x4/2x0
// RUN: %{all}

// REDEFINE: %{entry} = norm
// REDEFINE: %{shapes} = --open-sizes --shape=x:2x8192/2x0 --shape=y:8192x4/0x4
// RUN: %{all}
// CHECK: verify: right

func.func @exponentials(%x: tensor<2x?xf32> {fuse.name = "x"}) -> tensor<2xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf32>
  %m = fuse.reduce max %x dims [1] : tensor<2x?xf32>
  %b = fuse.broadcast %m dims [0] sizes [%n] : tensor<2xf32> -> tensor<2x?xf32>
  %d = arith.subf %x, %b : tensor<2x?xf32>
  %e = math.exp %d : tensor<2x?xf32>
  %s = fuse.reduce sum %e dims [1] : tensor<2x?xf32>
  return %s : tensor<2xf32>
}

func.func @norm(%x: tensor<2x?xf32> {fuse.name = "x"}, %y: tensor<?x4xf32> {fuse.name = "y"}) -> tensor<2x4xf32> {
  %n = fuse.layer_norm %x eps 1.0e-2 : tensor<2x?xf32>
  %p = fuse.matmul %n, %y : tensor<2x?xf32>, tensor<?x4xf32> -> tensor<2x4xf32>
  return %p : tensor<2x4xf32>
}
