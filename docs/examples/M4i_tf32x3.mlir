// M4i_tf32x3: M4i on the tensor cores.
//
//   y = relu(x @ w + b)          x: f32 [4096,4096]   w: f32 [4096,4096]   b: f32 [4096]   y: f32 [4096,4096]
//
// Each f32 is split in two tf32 and three of the four products are summed: nearly f32's accuracy from units that only
// multiply tf32. Another result than M4i's in the last bits, so it, too, has to be asked for.

!x = tensor<4096x4096xf32>
!w = tensor<4096x4096xf32>
!b = tensor<4096xf32>
!y = tensor<4096x4096xf32>

func.func @linear_relu(%x: !x {fuse.name = "x"}, %w: !w {fuse.name = "w"}, %b: !b {fuse.name = "b"}) -> !y {
  %product = fuse.matmul %x, %w precision tf32x3 : !x, !w -> !y
  %bias = fuse.broadcast %b dims [1] : !b -> !y
  %sum = arith.addf %product, %bias : !y
  %y = fuse.relu %sum : !y
  return %y : !y
}
