// X_outer: a product of outer products, batch by batch; none of them is stored.
//
//   y[n, o] = sum_ij a[n, i] b[n, j] w[24 i + j, o]

func.func @outer_products(%a: tensor<37x24xf32> {fuse.name = "a"}, %b: tensor<37x24xf32> {fuse.name = "b"},
                          %w: tensor<576x10xf32> {fuse.name = "w"}) -> tensor<37x10xf32> {
  %i = fuse.broadcast %a dims [0, 1] : tensor<37x24xf32> -> tensor<37x24x24xf32>
  %j = fuse.broadcast %b dims [0, 2] : tensor<37x24xf32> -> tensor<37x24x24xf32>
  %p = arith.mulf %i, %j : tensor<37x24x24xf32>
  %f = fuse.collapse %p dims [1, 2] : tensor<37x24x24xf32>
  %y = fuse.matmul %f, %w : tensor<37x576xf32>, tensor<576x10xf32> -> tensor<37x10xf32>
  return %y : tensor<37x10xf32>
}
