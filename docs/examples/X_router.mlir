// X_router: the weights of experts: a softmax of a product with a temperature
// and a bias.
//
//   y = softmax((x @ w) / 0.7 + b)

func.func @router(%x: tensor<?x256xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>},
                  %w: tensor<256x67xf32> {fuse.name = "w", fuse.fill = #fuse.fill<normal, 0, 0.1>},
                  %b: tensor<67xf32> {fuse.name = "b"}) -> tensor<?x67xf32> {
  %z = arith.constant 0 : index
  %n = tensor.dim %x, %z : tensor<?x256xf32>
  %p = fuse.matmul %x, %w : tensor<?x256xf32>, tensor<256x67xf32> -> tensor<?x67xf32>
  %s = fuse.scale %p by 1.4285714 : tensor<?x67xf32>
  %c = fuse.broadcast %b dims [1] sizes [%n] : tensor<67xf32> -> tensor<?x67xf32>
  %l = arith.addf %s, %c : tensor<?x67xf32>
  %y = fuse.softmax %l dim 1 : tensor<?x67xf32>
  return %y : tensor<?x67xf32>
}
