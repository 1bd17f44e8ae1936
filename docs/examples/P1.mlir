// P1: bias and relu on a matrix that fits in the caches.
//
//   y[i,j] = max(x[i,j] + b[j], 0)          x, y: f32 [128,512]   b: f32 [512]
//
// The bias is broadcast by an op of its own: nothing in the graph broadcasts silently. At this size the launch is the
// cost, so what counts is that there is one.

!x = tensor<128x512xf32>
!b = tensor<512xf32>

func.func @bias_relu(%x: !x {fuse.name = "x"}, %b: !b {fuse.name = "b"}) -> !x {
  %bias = fuse.broadcast %b dims [1] : !b -> !x
  %sum = arith.addf %x, %bias : !x
  %y = fuse.relu %sum : !x
  return %y : !x
}
