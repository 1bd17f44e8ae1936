// Columns of several tensors side by side, one of them made by two layers:
// blocks of all widths, some of which lie in one piece and some in several.

// DEFINE: %{schedule} = parallel = [16, 16]
// DEFINE: %{run} = fuse-run %s --verify=exact --schedule="@features:%{schedule}, sequential = [r20_0 = 4, r24_0 = 24]" | FileCheck %s
// RUN: %{run}
// REDEFINE: %{schedule} = parallel = [8, 64]
// RUN: %{run}
// REDEFINE: %{schedule} = parallel = [33, 4]
// RUN: %{run}
// RUN: fuse-run %s --verify=exact | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @features(%x: tensor<33x20xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %v: tensor<20x24xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<24x19xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %a: tensor<33x16xf32> {fuse.fill = #fuse.fill<integers, -9, 9>}, %ids: tensor<33xi64> {fuse.fill = #fuse.fill<integers, 0, 6>}, %table: tensor<7x17xf32> {fuse.fill = #fuse.fill<integers, -9, 9>}) -> tensor<33x52xf32> {
  %y = fuse.kernel @features(%kx = %x, %kv = %v, %kw = %w, %ka = %a, %kids = %ids, %ktable = %table) : (tensor<33x20xf32>, tensor<20x24xf32>, tensor<24x19xf32>, tensor<33x16xf32>, tensor<33xi64>, tensor<7x17xf32>) -> tensor<33x52xf32> {
    %zero = arith.constant dense<0.0> : tensor<33x24xf32>
    %h = fuse.matmul %kx, %kv : tensor<33x20xf32>, tensor<20x24xf32> -> tensor<33x24xf32>
    %r = arith.maximumf %h, %zero : tensor<33x24xf32>
    %p = fuse.matmul %r, %kw : tensor<33x24xf32>, tensor<24x19xf32> -> tensor<33x19xf32>
    %e = fuse.gather %ktable[%kids] : tensor<7x17xf32>, tensor<33xi64>
    %c = fuse.concat %p, %ka, %e dim 1 : tensor<33x19xf32>, tensor<33x16xf32>, tensor<33x17xf32>
    fuse.yield %c : tensor<33x52xf32>
  }
  return %y : tensor<33x52xf32>
}
