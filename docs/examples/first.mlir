// The example of the README: gelu(x @ w + b) for any number of rows.
func.func @linear_gelu(%x: tensor<?x64xbf16> {fuse.name = "x"},
                       %w: tensor<64x32xbf16> {fuse.name = "w"},
                       %b: tensor<32xf32> {fuse.name = "b"}) -> tensor<?x32xbf16> {
  %y = fuse.linear %x, %w bias %b
      : tensor<?x64xbf16>, tensor<64x32xbf16>, tensor<32xf32> -> tensor<?x32xf32>
  %g = fuse.gelu tanh %y : tensor<?x32xf32>
  %o = arith.truncf %g : tensor<?x32xf32> to tensor<?x32xbf16>
  return %o : tensor<?x32xbf16>
}
