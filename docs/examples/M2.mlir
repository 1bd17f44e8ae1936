// M2: a linear layer with bias and relu, of middling size.
//
//   y = relu(x @ w + b)          x: bf16 [4096,4096]   w: bf16 [4096,4096]   b: f32 [4096]   y: bf16 [4096,4096]
//
// The same graph as M1 where there are few tiles per multiprocessor: the last, partly filled wave begins to count.

!x = tensor<4096x4096xbf16>
!w = tensor<4096x4096xbf16>
!b = tensor<4096xf32>
!acc = tensor<4096x4096xf32>
!y = tensor<4096x4096xbf16>

func.func @linear_relu(%x: !x {fuse.name = "x"}, %w: !w {fuse.name = "w"}, %b: !b {fuse.name = "b"}) -> !y {
  %product = fuse.matmul %x, %w : !x, !w -> !acc
  %bias = fuse.broadcast %b dims [1] : !b -> !acc
  %sum = arith.addf %product, %bias : !acc
  %relu = fuse.relu %sum : !acc
  %y = arith.truncf %relu : !acc to !y
  return %y : !y
}
