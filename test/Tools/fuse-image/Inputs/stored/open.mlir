func.func @joined(%a: tensor<2x4xf32> {fuse.name = "a"}, %b: tensor<?x4xf32> {fuse.name = "b"},
                  %c: tensor<?x4xf32> {fuse.name = "c"}) -> (tensor<?x4xf32> {fuse.name = "y"}) {
  %0 = fuse.concat %a, %b dim 0 : tensor<2x4xf32>, tensor<?x4xf32>
  %1 = arith.addf %0, %c : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
