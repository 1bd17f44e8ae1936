func.func @scaled(%x: tensor<3x5xf32> {fuse.name = "x", fuse.fill = #fuse.fill<uniform, -1, 1>}, %n: tensor<5xf32> {fuse.name = "n"})
    -> (tensor<3x5xf32> {fuse.name = "y"}, tensor<3x5xf32> {fuse.name = "same"}) {
  %c = arith.constant dense<[1.0, 0.5, -2.0, 3.0, 0.1]> : tensor<5xf32>
  %0 = arith.mulf %n, %c : tensor<5xf32>
  %1 = fuse.rms_norm %x scale %0 eps 1.0e-05 : tensor<3x5xf32>, tensor<5xf32>
  return %1, %x : tensor<3x5xf32>, tensor<3x5xf32>
}
