// M3: a linear layer with bias and relu, small.
//
//   y = relu(x @ w + b)          x: f16 [1024,1024]   w: f16 [1024,4096]   b: f32 [4096]   y: f16 [1024,4096]
//
// Ten microseconds of work: the start of the kernel and its epilogue weigh as much as the product.

!x = tensor<1024x1024xf16>
!w = tensor<1024x4096xf16>
!b = tensor<4096xf32>
!acc = tensor<1024x4096xf32>
!y = tensor<1024x4096xf16>

func.func @linear_relu(%x: !x {fuse.name = "x"}, %w: !w {fuse.name = "w"}, %b: !b {fuse.name = "b"}) -> !y {
  %product = fuse.matmul %x, %w : !x, !w -> !acc
  %bias = fuse.broadcast %b dims [1] : !b -> !acc
  %sum = arith.addf %product, %bias : !acc
  %relu = fuse.relu %sum : !acc
  %y = arith.truncf %relu : !acc to !y
  return %y : !y
}
