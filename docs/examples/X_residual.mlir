// X_residual: a residual connection and the LayerNorm behind it; both are results.
//
//   s = x + r;  n = LayerNorm(s; g, b)

!x = tensor<?x384xf32>

func.func @residual_norm(%x: !x {fuse.name = "x"}, %r: !x {fuse.name = "r"},
                         %g: tensor<384xf32> {fuse.name = "g"}, %b: tensor<384xf32> {fuse.name = "b"}) -> (!x, !x) {
  %s = arith.addf %x, %r : !x
  %n = fuse.layer_norm %s scale %g shift %b eps 1.0e-5 : !x, tensor<384xf32>, tensor<384xf32>
  return %s, %n : !x, !x
}
