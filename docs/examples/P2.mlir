// P2: bias and relu on a matrix that does not fit in the caches.
//
//   y[i,j] = max(x[i,j] + b[j], 0)          x, y: f32 [16384,8192]   b: f32 [8192]
//
// Bandwidth is the limit: x is read once and y written once, 1 GB in all, and nothing else reaches memory.

!x = tensor<16384x8192xf32>
!b = tensor<8192xf32>

func.func @bias_relu(%x: !x {fuse.name = "x"}, %b: !b {fuse.name = "b"}) -> !x {
  %bias = fuse.broadcast %b dims [1] : !b -> !x
  %sum = arith.addf %x, %bias : !x
  %y = fuse.relu %sum : !x
  return %y : !x
}
