// No index space in common.
func.func @two(%x: tensor<64xf32>, %y: tensor<48xf32>) -> (tensor<64xf32>, tensor<48xf32>) {
  %a = math.exp %x : tensor<64xf32>
  %b = math.exp %y : tensor<48xf32>
  return %a, %b : tensor<64xf32>, tensor<48xf32>
}
