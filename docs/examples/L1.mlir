// L1: LoLa, a linear layer between a LayerNorm and a gelu.
//
//   y = gelu(LayerNorm(x) @ w + b)          x: f16 [1024,1024]   gamma, beta: f32 [1024]   w: f16 [1024,4096]
//                                           b: f32 [4096]   y: f16 [1024,4096]
//   LayerNorm(x)[i,:] = (x[i,:] - mean) / sqrt(var + 1e-5) * gamma + beta
//   gelu(z) = z/2 (1 + tanh(sqrt(2/pi) (z + 0.044715 z^3)))
//
// The mean and the variance run over the very dimension that the product contracts: a block that owns its rows of x can
// take the statistics on its way. The bias belongs behind the division by the standard deviation.

!x = tensor<1024x1024xf16>
!xf = tensor<1024x1024xf32>
!k = tensor<1024xf32>
!w = tensor<1024x4096xf16>
!b = tensor<4096xf32>
!acc = tensor<1024x4096xf32>
!y = tensor<1024x4096xf16>

func.func @layer_norm_linear_gelu(
    %x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 1, 1>},
    %gamma: !k {fuse.name = "gamma", fuse.fill = #fuse.fill<uniform, 0.5, 1.5>},
    %beta: !k {fuse.name = "beta"},
    %w: !w {fuse.name = "w", fuse.fill = #fuse.fill<normal, 0, 0.05>},
    %b: !b {fuse.name = "b"}) -> !y {
  %wide = arith.extf %x : !x to !xf
  %normed_wide = fuse.layer_norm %wide scale %gamma shift %beta eps 1.0e-5 : !xf, !k, !k
  %normed = arith.truncf %normed_wide : !xf to !x
  %product = fuse.matmul %normed, %w : !x, !w -> !acc
  %bias = fuse.broadcast %b dims [1] : !b -> !acc
  %sum = arith.addf %product, %bias : !acc
  %gelu = fuse.gelu tanh %sum : !acc
  %y = arith.truncf %gelu : !acc to !y
  return %y : !y
}
