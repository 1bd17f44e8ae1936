// L2: LoLa, a linear layer between a LayerNorm and a gelu.
//
//   y = gelu(LayerNorm(x) @ w + b)          x: bf16 [8192,4096]   gamma, beta: f32 [4096]   w: bf16 [4096,16384]
//                                           b: f32 [16384]   y: bf16 [8192,16384]
//   LayerNorm(x)[i,:] = (x[i,:] - mean) / sqrt(var + 1e-5) * gamma + beta
//   gelu(z) = z/2 (1 + tanh(sqrt(2/pi) (z + 0.044715 z^3)))
//
// Large enough that normalising x once, in a kernel of its own, beats doing it in each of the many blocks that share a
// row: fusing must be able to lose.

!x = tensor<8192x4096xbf16>
!xf = tensor<8192x4096xf32>
!k = tensor<4096xf32>
!w = tensor<4096x16384xbf16>
!b = tensor<16384xf32>
!acc = tensor<8192x16384xf32>
!y = tensor<8192x16384xbf16>

func.func @layer_norm_linear_gelu(
    %x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 1, 1>},
    %gamma: !k {fuse.name = "gamma", fuse.fill = #fuse.fill<uniform, 0.5, 1.5>},
    %beta: !k {fuse.name = "beta"},
    %w: !w {fuse.name = "w", fuse.fill = #fuse.fill<normal, 0, 0.025>},
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
