func.func @twice(%x: tensor<?x8xf32> {fuse.name = "x"}) -> (tensor<?x8xf32> {fuse.name = "y"}) {
  %0 = arith.addf %x, %x : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
