// M1: a linear layer with bias and relu, large.
//
//   y = relu(x @ w + b)          x: bf16 [8192,8192]   w: bf16 [8192,8192]   b: f32 [8192]   y: bf16 [8192,8192]
//
// The product accumulates in f32, and bias, relu and the one rounding to bf16 work on the accumulators: one kernel that
// does nothing that the bare product does not do but read b.

!x = tensor<8192x8192xbf16>
!w = tensor<8192x8192xbf16>
!b = tensor<8192xf32>
!acc = tensor<8192x8192xf32>
!y = tensor<8192x8192xbf16>

func.func @linear_relu(%x: !x {fuse.name = "x"}, %w: !w {fuse.name = "w"}, %b: !b {fuse.name = "b"}) -> !y {
  %product = fuse.matmul %x, %w : !x, !w -> !acc
  %bias = fuse.broadcast %b dims [1] : !b -> !acc
  %sum = arith.addf %product, %bias : !acc
  %relu = fuse.relu %sum : !acc
  %y = arith.truncf %relu : !acc to !y
  return %y : !y
}
