// Which of the gathered rows are there is known to every thread, and each takes
// what its rows are of it. As bytes of words ptxas took two from the wrong half,
// so that they counted as 0 in the maximum.

// RUN: fuse-run %s --verify=exact --seed=755 | FileCheck %s
// CHECK: verify: right

func.func @graph(%x: tensor<7x3x3x13xbf16> {fuse.fill = #fuse.fill<integers, -3, 3>}, %w: tensor<117x8xbf16> {fuse.fill = #fuse.fill<integers, -3, 3>}, %b: tensor<8xf32> {fuse.fill = #fuse.fill<integers, -3, 3>}, %i: tensor<13xi32> {fuse.fill = #fuse.fill<integers, 0, 8>}) -> tensor<13x8xf32> {
  %rows = fuse.collapse %x dims [1, 2, 3] : tensor<7x3x3x13xbf16>
  %product = fuse.matmul %rows, %w : tensor<7x117xbf16>, tensor<117x8xbf16> -> tensor<7x8xf32>
  %gathered = fuse.gather %product[%i] : tensor<7x8xf32>, tensor<13xi32>
  %largest = fuse.reduce max %gathered dims [0] : tensor<13x8xf32>
  %all = fuse.broadcast %largest dims [1] : tensor<8xf32> -> tensor<13x8xf32>
  %y = arith.addf %gathered, %all : tensor<13x8xf32>
  return %y : tensor<13x8xf32>
}
