// Pieces whose sizes stay open: rows of several dimensions that are one, one dimension that is several, and what lies behind
// each other. Where a piece begins is a number of the kernel's arguments, then.

// DEFINE: %{entry} = linear
// DEFINE: %{shapes} = --shape=x:2x5x8/7x1x8/1x33x8/0x4x8/3x0x8
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --open-sizes --verify %{shapes}
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG
// DEFINE: %{all} = %{run} --target=cpu | %{right} && %{run} --target=simulate --chip=sm_90a | %{right} && %{run} --target=simulate --chip=sm_80 | %{right}
// RUN: %{all}
// CHECK: verify: right

// REDEFINE: %{entry} = apart
// REDEFINE: %{shapes} = --shape=x:6x4/6x4/0x4/15x1 --shape=y:2x3x4/3x2x4/0x3x4/15x1x1
// RUN: %{all}

// REDEFINE: %{entry} = append
// REDEFINE: %{shapes} = --shape=cache:2x9x8/2x9x8/1x0x8/1x40x8/2x0x8 --shape=k:2x1x8/2x3x8/1x5x8/1x0x8/2x0x8
// RUN: %{all}

// REDEFINE: %{entry} = twice
// REDEFINE: %{shapes} = --shape=x:5x4/1x7/0x3
// RUN: %{all}

// Where something has the size of both, that of one was taken for the last piece's.
// REDEFINE: %{entry} = twice_and
// REDEFINE: %{shapes} = --shape=x:5x4/1x7/0x3 --shape=y:10x4/2x7/0x3
// RUN: %{all}

// REDEFINE: %{entry} = three
// REDEFINE: %{shapes} = --shape=a:3x4/0x4/5x4 --shape=b:1x4/2x4/0x4 --shape=c:2x4/0x4/33x4
// RUN: %{all}

// REDEFINE: %{entry} = attention
// REDEFINE: %{shapes} = --shape=q:2x1x8/1x3x8 --shape=cache:2x9x8/1x70x8 --shape=k:2x1x8/1x3x8
// RUN: %{all}

func.func @linear(%x: tensor<?x?x8xf32> {fuse.name = "x"}, %w: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %rows = fuse.collapse %x dims [0, 1] : tensor<?x?x8xf32>
  %0 = fuse.matmul %rows, %w : tensor<?x8xf32>, tensor<8x4xf32> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

func.func @apart(%x: tensor<?x?xf32> {fuse.name = "x"}, %y: tensor<?x?x?xf32> {fuse.name = "y"}) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %y, %c0 : tensor<?x?x?xf32>
  %n = tensor.dim %y, %c1 : tensor<?x?x?xf32>
  %e = fuse.expand %x dim 0 into [?, ?] sizes [%m, %n] : tensor<?x?xf32>
  %0 = arith.addf %e, %y : tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

func.func @append(%cache: tensor<?x?x8xf32> {fuse.name = "cache"}, %k: tensor<?x?x8xf32> {fuse.name = "k"}) -> tensor<?x?x8xf32> {
  %0 = fuse.concat %cache, %k dim 1 : tensor<?x?x8xf32>, tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

func.func @twice(%x: tensor<?x?xf32> {fuse.name = "x"}) -> tensor<?x?xf32> {
  %0 = fuse.concat %x, %x dim 0 : tensor<?x?xf32>, tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @twice_and(%x: tensor<?x?xf32> {fuse.name = "x"}, %y: tensor<?x?xf32> {fuse.name = "y"}) -> tensor<?x?xf32> {
  %0 = fuse.concat %x, %x dim 0 : tensor<?x?xf32>, tensor<?x?xf32>
  %1 = arith.addf %0, %y : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @three(%a: tensor<?x4xf32> {fuse.name = "a"}, %b: tensor<?x4xf32> {fuse.name = "b"}, %c: tensor<?x4xf32> {fuse.name = "c"}) -> tensor<4xf32> {
  %0 = fuse.concat %a, %b, %c dim 0 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  %1 = fuse.reduce sum %0 dims [0] : tensor<?x4xf32>
  return %1 : tensor<4xf32>
}

func.func @attention(%q: tensor<?x?x8xf32> {fuse.name = "q"}, %cache: tensor<?x?x8xf32> {fuse.name = "cache"},
                     %k: tensor<?x?x8xf32> {fuse.name = "k"}) -> tensor<?x?x8xf32> {
  %all = fuse.concat %cache, %k dim 1 : tensor<?x?x8xf32>, tensor<?x?x8xf32>
  %kt = fuse.transpose %all [0, 2, 1] : tensor<?x?x8xf32>
  %s = fuse.matmul %q, %kt : tensor<?x?x8xf32>, tensor<?x8x?xf32> -> tensor<?x?x?xf32>
  %p = fuse.softmax %s dim 2 : tensor<?x?x?xf32>
  %o = fuse.matmul %p, %all : tensor<?x?x?xf32>, tensor<?x?x8xf32> -> tensor<?x?x8xf32>
  return %o : tensor<?x?x8xf32>
}
