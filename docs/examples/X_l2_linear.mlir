// X_l2_linear: a linear layer on rows of length 1.
//
//   y = (x / sqrt(sum_k x[., k]^2)) @ w

func.func @l2_linear(%x: tensor<?x256xf32> {fuse.name = "x"},
                     %w: tensor<256x48xf32> {fuse.name = "w"}) -> tensor<?x48xf32> {
  %z = arith.constant 0 : index
  %n = tensor.dim %x, %z : tensor<?x256xf32>
  %q = arith.mulf %x, %x : tensor<?x256xf32>
  %s = fuse.reduce sum %q dims [1] : tensor<?x256xf32>
  %r = math.rsqrt %s : tensor<?xf32>
  %rs = fuse.broadcast %r dims [0] : tensor<?xf32> -> tensor<?x256xf32>
  %u = arith.mulf %x, %rs : tensor<?x256xf32>
  %y = fuse.matmul %u, %w : tensor<?x256xf32>, tensor<256x48xf32> -> tensor<?x48xf32>
  return %y : tensor<?x48xf32>
}
