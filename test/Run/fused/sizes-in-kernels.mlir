// Sizes that stay open, asked for in a kernel: the corner of a causal mask that lies at the last key, and results whose sizes are
// those of an input by no op between them.

// DEFINE: %{entry} = bottom_right
// DEFINE: %{shapes} = --shape=q:2x5x8/1x1x8/2x64x8 --shape=k:2x7x8/1x300x8/2x64x8 --shape=v:2x7x8/1x300x8/2x64x8
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --open-sizes --verify %{shapes}
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG
// DEFINE: %{all} = %{run} --target=cpu | %{right} && %{run} --target=simulate --chip=sm_90a | %{right}
// RUN: %{all}
// CHECK: plan: 1 kernel
// CHECK-NOT: tensor.dim
// CHECK: verify: right

// Fewer keys than queries: the first ones have none.
// REDEFINE: %{shapes} = --shape=q:2x9x8 --shape=k:2x4x8 --shape=v:2x4x8
// RUN: %{all}

// REDEFINE: %{entry} = beside
// REDEFINE: %{shapes} = --shape=x:5x3/1x7/0x4
// RUN: %{all}

!q = tensor<?x?x8xf32>

func.func @bottom_right(%q: !q {fuse.name = "q"}, %k: !q {fuse.name = "k"}, %v: !q {fuse.name = "v"}) -> !q {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %q, %c0 : !q
  %n = tensor.dim %q, %c1 : !q
  %l = tensor.dim %k, %c1 : !q
  %kt = fuse.transpose %k [0, 2, 1] : !q
  %s = fuse.matmul %q, %kt : !q, tensor<?x8x?xf32> -> tensor<?x?x?xf32>
  %m = fuse.causal_mask bottom_right sizes [%b, %n, %l] : tensor<?x?x?xi1>
  %p = fuse.softmax %s dim 2 mask %m : tensor<?x?x?xf32>, tensor<?x?x?xi1>
  %o = fuse.matmul %p, %v : tensor<?x?x?xf32>, !q -> !q
  return %o : !q
}

func.func @beside(%x: tensor<?x?xf32> {fuse.name = "x"}) -> (tensor<?xf32>, tensor<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %s = fuse.reduce sum %x dims [1] : tensor<?x?xf32>
  %j = fuse.iota dim 1 sizes [%m, %n] : tensor<?x?xi32>
  return %s, %j : tensor<?xf32>, tensor<?x?xi32>
}
