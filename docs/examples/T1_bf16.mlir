// T1_bf16: one block of GPT-2 in bf16, 12 heads.
//
//   n1 = LayerNorm(x; g1, be1)                         x, y: bf16 [1024,768]   LayerNorm as in R3
//   q, k, v = the three thirds of n1 @ wqkv + bqkv,    each in 12 heads of 64
//   o[h] = softmax(q[h] @ k[h]^T / sqrt(64) where j <= i) @ v[h]
//   h = x + o @ wo + bo                                o with its heads side by side
//   n2 = LayerNorm(h; g2, be2)
//   y = h + gelu(n2 @ w1 + b1) @ w2 + b2               gelu in its tanh form, hidden width 3072
//
// Weights are bf16; biases, scales and shifts f32. The graph is T1's.

!x = tensor<1024x768xbf16>
!xf = tensor<1024x768xf32>
!vec = tensor<768xf32>
!wqkv = tensor<768x2304xbf16>
!bqkv = tensor<2304xf32>
!qkv = tensor<1024x2304xbf16>
!qkvf = tensor<1024x2304xf32>
!split = tensor<1024x12x64xbf16>
!head = tensor<12x1024x64xbf16>
!headf = tensor<12x1024x64xf32>
!kt = tensor<12x64x1024xbf16>
!s = tensor<12x1024x1024xf32>
!probs = tensor<12x1024x1024xbf16>
!ij = tensor<12x1024x1024xi32>
!keep = tensor<12x1024x1024xi1>
!wo = tensor<768x768xbf16>
!w1 = tensor<768x3072xbf16>
!b1 = tensor<3072xf32>
!mid = tensor<1024x3072xbf16>
!midf = tensor<1024x3072xf32>
!w2 = tensor<3072x768xbf16>

func.func @gpt2_block(
    %x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>},
    %g1: !vec {fuse.name = "g1", fuse.fill = #fuse.fill<uniform, 0.5, 1.5>},
    %be1: !vec {fuse.name = "be1"},
    %wqkv: !wqkv {fuse.name = "wqkv", fuse.fill = #fuse.fill<normal, 0, 0.036>},
    %bqkv: !bqkv {fuse.name = "bqkv"},
    %wo: !wo {fuse.name = "wo", fuse.fill = #fuse.fill<normal, 0, 0.036>},
    %bo: !vec {fuse.name = "bo"},
    %g2: !vec {fuse.name = "g2", fuse.fill = #fuse.fill<uniform, 0.5, 1.5>},
    %be2: !vec {fuse.name = "be2"},
    %w1: !w1 {fuse.name = "w1", fuse.fill = #fuse.fill<normal, 0, 0.036>},
    %b1: !b1 {fuse.name = "b1"},
    %w2: !w2 {fuse.name = "w2", fuse.fill = #fuse.fill<normal, 0, 0.018>},
    %b2: !vec {fuse.name = "b2"}) -> !x {
  // The first norm, and queries, keys and values in one product.
  %x_wide = arith.extf %x : !x to !xf
  %n1_wide = fuse.layer_norm %x_wide scale %g1 shift %be1 eps 1.0e-5 : !xf, !vec, !vec
  %n1 = arith.truncf %n1_wide : !xf to !x
  %qkv_product = fuse.matmul %n1, %wqkv : !x, !wqkv -> !qkvf
  %qkv_bias = fuse.broadcast %bqkv dims [1] : !bqkv -> !qkvf
  %qkv_wide = arith.addf %qkv_product, %qkv_bias : !qkvf
  %qkv = arith.truncf %qkv_wide : !qkvf to !qkv

  // Heads are views of its thirds.
  %q_third = fuse.slice %qkv[:, 0:768] : !qkv
  %k_third = fuse.slice %qkv[:, 768:1536] : !qkv
  %v_third = fuse.slice %qkv[:, 1536:2304] : !qkv
  %q_split = fuse.expand %q_third dim 1 into [12, 64] : !x
  %k_split = fuse.expand %k_third dim 1 into [12, 64] : !x
  %v_split = fuse.expand %v_third dim 1 into [12, 64] : !x
  %q = fuse.transpose %q_split [1, 0, 2] : !split
  %kt = fuse.transpose %k_split [1, 2, 0] : !split
  %v = fuse.transpose %v_split [1, 0, 2] : !split

  // Causal attention.
  %i = fuse.iota dim 1 : !ij
  %j = fuse.iota dim 2 : !ij
  %keep = arith.cmpi sle, %j, %i : !ij
  %scores = fuse.matmul %q, %kt : !head, !kt -> !s
  %scale = arith.constant dense<0.125> : !s  // 1/sqrt(64)
  %scaled = arith.mulf %scores, %scale : !s
  %never = arith.constant dense<0xFF800000> : !s  // -inf
  %masked = arith.select %keep, %scaled, %never : !keep, !s
  %softmax = fuse.softmax %masked dim 2 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %o_wide = fuse.matmul %probs, %v : !probs, !head -> !headf
  %o_heads = arith.truncf %o_wide : !headf to !head

  // Its projection, and the residual.
  %o_split = fuse.transpose %o_heads [1, 0, 2] : !head
  %o = fuse.collapse %o_split dims [1, 2] : !split
  %o_product = fuse.matmul %o, %wo : !x, !wo -> !xf
  %o_bias = fuse.broadcast %bo dims [1] : !vec -> !xf
  %projected = arith.addf %o_product, %o_bias : !xf
  %h_sum = arith.addf %x_wide, %projected : !xf
  %h = arith.truncf %h_sum : !xf to !x

  // The second norm, the perceptron, and the residual.
  %h_wide = arith.extf %h : !x to !xf
  %n2_wide = fuse.layer_norm %h_wide scale %g2 shift %be2 eps 1.0e-5 : !xf, !vec, !vec
  %n2 = arith.truncf %n2_wide : !xf to !x
  %mid_product = fuse.matmul %n2, %w1 : !x, !w1 -> !midf
  %mid_bias = fuse.broadcast %b1 dims [1] : !b1 -> !midf
  %mid_sum = arith.addf %mid_product, %mid_bias : !midf
  %mid_gelu = fuse.gelu tanh %mid_sum : !midf
  %mid = arith.truncf %mid_gelu : !midf to !mid
  %y_product = fuse.matmul %mid, %w2 : !mid, !w2 -> !xf
  %y_bias = fuse.broadcast %b2 dims [1] : !vec -> !xf
  %perceptron = arith.addf %y_product, %y_bias : !xf
  %y_sum = arith.addf %h_wide, %perceptron : !xf
  %y = arith.truncf %y_sum : !xf to !x
  return %y : !x
}
