// R1: softmax of rows that are no multiple of anything.
//
//   y[i,j] = exp(x[i,j] - m[i]) / sum_j exp(x[i,j] - m[i])   with m[i] = max_j x[i,j]          x, y: f32 [1823,781]
//
// The sum depends on the maximum, over the same dimension: a cascade. A row is owned by whoever computes it, and stays
// in registers from the maximum to the division: x is read once.

!x = tensor<1823x781xf32>

func.func @softmax(%x: !x {fuse.name = "x"}) -> !x {
  %y = fuse.softmax %x dim 1 : !x
  return %y : !x
}
