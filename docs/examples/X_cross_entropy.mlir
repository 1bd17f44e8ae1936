// X_cross_entropy: the loss of each token, without its row of logits.
//
//   z = x @ w
//   loss[i] = log(sum_j exp(z[i, j] - max_j z[i, j])) + max_j z[i, j] - z[i, label[i]]
//
// The logit of the label is the product of the row with one column, which is
// looked up: rows of the transposed weights.

func.func @cross_entropy(%x: tensor<41x128xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>},
                         %wt: tensor<1000x128xf32> {fuse.name = "wt", fuse.fill = #fuse.fill<normal, 0, 0.3>},
                         %label: tensor<41xi32> {fuse.name = "label", fuse.fill = #fuse.fill<integers, 0, 999>}) -> tensor<41xf32> {
  %w = fuse.transpose %wt [1, 0] : tensor<1000x128xf32>
  %z = fuse.matmul %x, %w : tensor<41x128xf32>, tensor<128x1000xf32> -> tensor<41x1000xf32>
  %m = fuse.reduce max %z dims [1] : tensor<41x1000xf32>
  %ms = fuse.broadcast %m dims [0] : tensor<41xf32> -> tensor<41x1000xf32>
  %c = arith.subf %z, %ms : tensor<41x1000xf32>
  %e = math.exp %c : tensor<41x1000xf32>
  %l = fuse.reduce sum %e dims [1] : tensor<41x1000xf32>
  %log = math.log %l : tensor<41xf32>
  %rows = fuse.gather %wt[%label] : tensor<1000x128xf32>, tensor<41xi32>
  %products = arith.mulf %x, %rows : tensor<41x128xf32>
  %own = fuse.reduce sum %products dims [1] : tensor<41x128xf32>
  %all = arith.addf %log, %m : tensor<41xf32>
  %loss = arith.subf %all, %own : tensor<41xf32>
  return %loss : tensor<41xf32>
}
