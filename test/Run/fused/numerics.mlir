// Where digits or ranges are lost, if they are: large scores, rows that are
// masked as a whole, sums of one element and of very many, and graphs all of
// whose sizes are equal, so that only names tell their variables apart.

// DEFINE: %{schedule} =
// DEFINE: %{scores} = fuse-run %s --entry=scores --seed=5 --verify --schedule="@softmax:%{schedule}" | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

// REDEFINE: %{schedule} = parallel = [4], sequential = [r300_0 = 64], owned = 1, cascades = [1 wrt 0 = rescale]
// RUN: %{scores}
// REDEFINE: %{schedule} = parallel = [7], sequential = [r300_0 = 37], owned = 1, cascades = [1 wrt 0 = sequential]
// RUN: %{scores}
// REDEFINE: %{schedule} = parallel = [1], sequential = [r300_0 = 300], owned = 1
// RUN: %{scores}
func.func @scores(%x: tensor<33x300xf32> {fuse.fill = #fuse.fill<normal, 0, 10000>}) -> tensor<33x300xf32> {
  %y = fuse.kernel @softmax(%k = %x) : (tensor<33x300xf32>) -> tensor<33x300xf32> {
    %m = fuse.reduce max %k dims [1] : tensor<33x300xf32>
    %ms = fuse.broadcast %m dims [0] : tensor<33xf32> -> tensor<33x300xf32>
    %c = arith.subf %k, %ms : tensor<33x300xf32>
    %e = math.exp %c : tensor<33x300xf32>
    %l = fuse.reduce sum %e dims [1] : tensor<33x300xf32>
    %ls = fuse.broadcast %l dims [0] : tensor<33xf32> -> tensor<33x300xf32>
    %p = arith.divf %e, %ls : tensor<33x300xf32>
    fuse.yield %p : tensor<33x300xf32>
  }
  return %y : tensor<33x300xf32>
}

// Left padding of every length up to all of the row; keys, queries and columns
// are 24 each.
// DEFINE: %{pad} = 0
// DEFINE: %{square} = fuse-run %s --entry=square --seed=6 --input=pad=%{pad} --verify --schedule="@attention:%{schedule}" | FileCheck %s
// REDEFINE: %{schedule} = parallel = [8, 24], sequential = [r24_0 = 5, r24_1 = 24]
// RUN: %{square}
// REDEFINE: %{pad} = 13
// RUN: %{square}
// REDEFINE: %{pad} = 24
// RUN: %{square}
// REDEFINE: %{schedule} = parallel = [5, 7], sequential = [r24_0 = 8, r24_1 = 7]
// RUN: %{square}
// REDEFINE: %{pad} = 13
// RUN: %{square}
// REDEFINE: %{schedule} = parallel = [8, 24], sequential = [r24_0 = 4, r24_1 = 24], split = 3
// RUN: %{square} --check-prefix=SPLIT
// SPLIT: plan: 2 kernels
// SPLIT: verify: right
func.func @square(%x: tensor<24x24xf32>, %pad: tensor<i32> {fuse.name = "pad"}) -> tensor<24x24xf32> {
  %y = fuse.kernel @attention(%k = %x, %p = %pad) : (tensor<24x24xf32>, tensor<i32>) -> tensor<24x24xf32> {
    %low = arith.constant dense<0xFF800000> : tensor<24x24xf32>
    %one = arith.constant dense<1.0> : tensor<24xf32>
    %zero = arith.constant dense<0.0> : tensor<24xf32>
    %least = arith.constant dense<0xFF800000> : tensor<24xf32>
    %t = fuse.transpose %k [1, 0] : tensor<24x24xf32>
    %s = fuse.matmul %k, %t : tensor<24x24xf32>, tensor<24x24xf32> -> tensor<24x24xf32>
    %i = fuse.iota dim 0 : tensor<24x24xi32>
    %j = fuse.iota dim 1 : tensor<24x24xi32>
    %pads = fuse.broadcast %p dims [] : tensor<i32> -> tensor<24x24xi32>
    %past = arith.cmpi sle, %j, %i : tensor<24x24xi32>
    %real = arith.cmpi sge, %j, %pads : tensor<24x24xi32>
    %keep = arith.andi %past, %real : tensor<24x24xi1>
    %masked = arith.select %keep, %s, %low : tensor<24x24xi1>, tensor<24x24xf32>
    %m = fuse.reduce max %masked dims [1] : tensor<24x24xf32>
    %none = arith.cmpf oeq, %m, %least : tensor<24xf32>
    %safe = arith.select %none, %zero, %m : tensor<24xi1>, tensor<24xf32>
    %ms = fuse.broadcast %safe dims [0] : tensor<24xf32> -> tensor<24x24xf32>
    %c = arith.subf %masked, %ms : tensor<24x24xf32>
    %e = math.exp %c : tensor<24x24xf32>
    %l = fuse.reduce sum %e dims [1] : tensor<24x24xf32>
    %empty = arith.cmpf oeq, %l, %zero : tensor<24xf32>
    %d = arith.select %empty, %one, %l : tensor<24xi1>, tensor<24xf32>
    %ds = fuse.broadcast %d dims [0] : tensor<24xf32> -> tensor<24x24xf32>
    %w = arith.divf %e, %ds : tensor<24x24xf32>
    %o = fuse.matmul %w, %k : tensor<24x24xf32>, tensor<24x24xf32> -> tensor<24x24xf32>
    fuse.yield %o : tensor<24x24xf32>
  }
  return %y : tensor<24x24xf32>
}

// RUN: fuse-run %s --entry=sums --shape=0:3x1 --shape=1:1x5 --verify | FileCheck %s
// RUN: fuse-run %s --entry=sums --shape=0:3x65536 --shape=1:65536x5 --verify | FileCheck %s
// RUN: fuse-run %s --entry=sums --shape=0:3x65536 --shape=1:65536x5 --input=0=normal:1000:1 --verify | FileCheck %s
func.func @sums(%x: tensor<3x?xf32>, %w: tensor<?x5xf32>) -> tensor<3x5xf32> {
  %p = fuse.matmul %x, %w : tensor<3x?xf32>, tensor<?x5xf32> -> tensor<3x5xf32>
  return %p : tensor<3x5xf32>
}
