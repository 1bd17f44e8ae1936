// M4: a linear layer with bias and relu in tf32.
//
//   y = relu(x @ w + b)          x: f32 [4096,4096]   w: f32 [4096,4096]   b: f32 [4096]   y: f32 [4096,4096]
//
// f32 in memory, 11 significant bits in the product: tf32 is never assumed, the graph has to ask for it.

!x = tensor<4096x4096xf32>
!w = tensor<4096x4096xf32>
!b = tensor<4096xf32>
!y = tensor<4096x4096xf32>

func.func @linear_relu(%x: !x {fuse.name = "x"}, %w: !w {fuse.name = "w"}, %b: !b {fuse.name = "b"}) -> !y {
  %product = fuse.matmul %x, %w precision tf32 : !x, !w -> !y
  %bias = fuse.broadcast %b dims [1] : !b -> !y
  %sum = arith.addf %product, %bias : !y
  %y = fuse.relu %sum : !y
  return %y : !y
}
