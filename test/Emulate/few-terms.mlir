// A product of four terms beside one of many: its terms are padded for tensor
// cores. Rows of four are loaded by threads, while the copy engine brings what
// the rounds read; or all is copied by threads.

// DEFINE: %{chip} = sm_90a
// DEFINE: %{schedule} = parallel = [128, 64], sequential = [r72_0 = 64, r4_0 = 16]
// DEFINE: %{run} = %emulate %s --chip=%{chip} --verify --schedule="@few_0:%{schedule}" | FileCheck %s
// CHECK: @few_0
// CHECK: verify: right
// RUN: %{run}
// REDEFINE: %{schedule} = parallel = [64, 128], sequential = [r72_0 = 32, r4_0 = 16]
// RUN: %{run}
// REDEFINE: %{chip} = sm_80
// RUN: %{run}

func.func @few(%x: tensor<136x72xbf16> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>},
               %w: tensor<72x136xbf16> {fuse.name = "w", fuse.fill = #fuse.fill<normal, 0, 0.1>},
               %u: tensor<136x4xbf16> {fuse.name = "u", fuse.fill = #fuse.fill<normal, 0, 1>},
               %v: tensor<4x136xbf16> {fuse.name = "v", fuse.fill = #fuse.fill<normal, 0, 1>})
    -> tensor<136x136xbf16> {
  %1 = fuse.matmul %x, %w : tensor<136x72xbf16>, tensor<72x136xbf16> -> tensor<136x136xf32>
  %2 = fuse.matmul %u, %v : tensor<136x4xbf16>, tensor<4x136xbf16> -> tensor<136x136xf32>
  %3 = arith.addf %1, %2 : tensor<136x136xf32>
  %4 = arith.truncf %3 : tensor<136x136xf32> to tensor<136x136xbf16>
  return %4 : tensor<136x136xbf16>
}
