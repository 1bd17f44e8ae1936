// X_cosine: the cosine of the angle between rows of two matrices.
//
//   y[i] = sum_k a[i, k] b[i, k] / sqrt(sum_k a[i, k]^2 * sum_k b[i, k]^2)

func.func @cosine(%a: tensor<?x300xf32> {fuse.name = "a"}, %b: tensor<?x300xf32> {fuse.name = "b"}) -> tensor<?xf32> {
  %ab = arith.mulf %a, %b : tensor<?x300xf32>
  %aa = arith.mulf %a, %a : tensor<?x300xf32>
  %bb = arith.mulf %b, %b : tensor<?x300xf32>
  %dot = fuse.reduce sum %ab dims [1] : tensor<?x300xf32>
  %na = fuse.reduce sum %aa dims [1] : tensor<?x300xf32>
  %nb = fuse.reduce sum %bb dims [1] : tensor<?x300xf32>
  %n = arith.mulf %na, %nb : tensor<?xf32>
  %r = math.rsqrt %n : tensor<?xf32>
  %y = arith.mulf %dot, %r : tensor<?xf32>
  return %y : tensor<?xf32>
}
