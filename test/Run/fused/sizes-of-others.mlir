// What a dimension is split into may be the sizes of tensors that are not read, or what is left of it.

// DEFINE: %{entry} = split
// DEFINE: %{shapes} = --shape=x:12x8/0x8/35x8 --shape=y:3x4/1x4/5x4 --shape=z:4x3/0x3/7x3
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --open-sizes --verify %{shapes}
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG
// DEFINE: %{all} = %{run} --target=cpu | %{right} && %{run} --target=simulate --chip=sm_90a | %{right}
// RUN: %{all}
// CHECK: plan: {{1|2}} kernel
// CHECK: verify: right

// REDEFINE: %{entry} = summed
// RUN: %{all}

// REDEFINE: %{shapes} = --shape=x:12x8/3x8/35x8 --shape=y:3x4/1x4/5x4
// REDEFINE: %{entry} = divided
// RUN: %{all}

// REDEFINE: %{shapes} = --shape=x:12x8/3x8/35x8 --shape=y:3x4/1x4/5x4
// REDEFINE: %{entry} = both
// RUN: %{all}

// REDEFINE: %{shapes} = --shape=x:12x8/0x8/36x8
// REDEFINE: %{entry} = rest
// RUN: %{all}

func.func @split(%x: tensor<?x8xf32> {fuse.name = "x"}, %y: tensor<?x4xf32> {fuse.name = "y"},
                 %z: tensor<?x3xf32> {fuse.name = "z"}) -> tensor<?x?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?x4xf32>
  %m = tensor.dim %z, %c0 : tensor<?x3xf32>
  %e = fuse.expand %x dim 0 into [?, ?] sizes [%n, %m] : tensor<?x8xf32>
  %0 = math.exp %e : tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// What is summed is in no result.
func.func @summed(%x: tensor<?x8xf32> {fuse.name = "x"}, %y: tensor<?x4xf32> {fuse.name = "y"},
                  %z: tensor<?x3xf32> {fuse.name = "z"}) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?x4xf32>
  %m = tensor.dim %z, %c0 : tensor<?x3xf32>
  %e = fuse.expand %x dim 0 into [?, ?] sizes [%n, %m] : tensor<?x8xf32>
  %0 = fuse.reduce mean %e dims [1] : tensor<?x?x8xf32>
  return %0 : tensor<?x8xf32>
}

// The host divides.
func.func @divided(%x: tensor<?x8xf32> {fuse.name = "x"}, %y: tensor<?x4xf32> {fuse.name = "y"}) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?x4xf32>
  %b = tensor.dim %x, %c0 : tensor<?x8xf32>
  %q = arith.divui %b, %n : index
  %e = fuse.expand %x dim 0 into [?, ?] sizes [%q, %n] : tensor<?x8xf32>
  %0 = fuse.reduce sum %e dims [0] : tensor<?x?x8xf32>
  return %0 : tensor<?x8xf32>
}

// No result has either of them.
func.func @both(%x: tensor<?x8xf32> {fuse.name = "x"}, %y: tensor<?x4xf32> {fuse.name = "y"}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?x4xf32>
  %b = tensor.dim %x, %c0 : tensor<?x8xf32>
  %q = arith.divui %b, %n : index
  %e = fuse.expand %x dim 0 into [?, ?] sizes [%q, %n] : tensor<?x8xf32>
  %0 = fuse.reduce mean %e dims [0, 1] : tensor<?x?x8xf32>
  return %0 : tensor<8xf32>
}

func.func @rest(%x: tensor<?x8xf32> {fuse.name = "x"}) -> (tensor<4x8xf32>, tensor<?x8xf32>) {
  %e = fuse.expand %x dim 0 into [4, ?] : tensor<?x8xf32>
  %0 = fuse.reduce sum %e dims [1] : tensor<4x?x8xf32>
  %1 = fuse.reduce mean %e dims [0] : tensor<4x?x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<?x8xf32>
}
