// A quotient that a choice keeps from a sum, where it would be one by 0, stays inside of it: a factor of the whole sum would be
// infinite, and 0 times that no number.

// DEFINE: %{entry} = softmax
// DEFINE: %{input} = --input=k=0
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --verify %{input}
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG
// DEFINE: %{all} = %{run} --target=cpu | %{right} && %{run} --target=simulate --chip=sm_90a | %{right}
// RUN: %{all}
// REDEFINE: %{input} =
// RUN: %{all}
// REDEFINE: %{entry} = shares
// REDEFINE: %{input} = --input=x=0
// RUN: %{all}
// CHECK: verify: right

// A sum of numbers of both signs and 1 may be 0, too.
// REDEFINE: %{entry} = shifted
// REDEFINE: %{input} = --input=x=-1 --input=k=0
// RUN: %{all}

// A divisor that is never 0 may wait.
// REDEFINE: %{entry} = guarded
// REDEFINE: %{input} = "--schedule=@guarded_0:parallel = [4, 8], sequential = [r4096_0 = 64], owned = 0, cascades = [1 wrt 0 = defer]"
// RUN: %{all}

!row = tensor<4x4096xf32>
!kept = tensor<4x4096xi1>

func.func @softmax(%x: !row, %k: !kept {fuse.name = "k"}, %v: tensor<4096x8xf32>) -> tensor<4x8xf32> {
  %z = arith.constant dense<0.0> : !row
  %none = arith.constant dense<0xFF800000> : !row
  %xm = arith.select %k, %x, %none : !kept, !row
  %m = fuse.reduce max %xm dims [1] : !row
  %mb = fuse.broadcast %m dims [0] : tensor<4xf32> -> !row
  %d = arith.subf %xm, %mb : !row
  %e0 = math.exp %d : !row
  %e = arith.select %k, %e0, %z : !kept, !row
  %s = fuse.reduce sum %e dims [1] : !row
  %sb = fuse.broadcast %s dims [0] : tensor<4xf32> -> !row
  %p = arith.divf %e, %sb : !row
  %q = arith.select %k, %p, %z : !kept, !row
  %o = fuse.matmul %q, %v : !row, tensor<4096x8xf32> -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

func.func @shares(%x: !row {fuse.name = "x"}, %v: tensor<4096x8xf32>) -> tensor<4x8xf32> {
  %z = arith.constant dense<0.0> : !row
  %a = math.absf %x : !row
  %s = fuse.reduce sum %a dims [1] : !row
  %sb = fuse.broadcast %s dims [0] : tensor<4xf32> -> !row
  %p = arith.divf %x, %sb : !row
  %c = arith.cmpf ogt, %a, %z : !row
  %q = arith.select %c, %p, %z : !kept, !row
  %o = fuse.matmul %q, %v : !row, tensor<4096x8xf32> -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

func.func @shifted(%x: tensor<4xf32> {fuse.name = "x"}, %k: !kept {fuse.name = "k"}, %v: tensor<4096x8xf32>) -> tensor<4x8xf32> {
  %z = arith.constant dense<0.0> : !row
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %part = arith.constant dense<0.000244140625> : !row
  %y = fuse.broadcast %x dims [0] : tensor<4xf32> -> !row
  %w = arith.mulf %y, %part : !row
  %s = fuse.reduce sum %w dims [1] : !row
  %t = arith.addf %s, %one : tensor<4xf32>
  %tb = fuse.broadcast %t dims [0] : tensor<4xf32> -> !row
  %p = arith.divf %y, %tb : !row
  %q = arith.select %k, %p, %z : !kept, !row
  %o = fuse.matmul %q, %v : !row, tensor<4096x8xf32> -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}

func.func @guarded(%x: !row, %k: !kept, %v: tensor<4096x8xf32>) -> tensor<4x8xf32> {
  %z = arith.constant dense<0.0> : !row
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %a = math.absf %x : !row
  %s = fuse.reduce sum %a dims [1] : !row
  %isZero = arith.cmpf oeq, %s, %zero : tensor<4xf32>
  %safe = arith.select %isZero, %one, %s : tensor<4xi1>, tensor<4xf32>
  %sb = fuse.broadcast %safe dims [0] : tensor<4xf32> -> !row
  %p = arith.divf %x, %sb : !row
  %q = arith.select %k, %p, %z : !kept, !row
  %o = fuse.matmul %q, %v : !row, tensor<4096x8xf32> -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}
