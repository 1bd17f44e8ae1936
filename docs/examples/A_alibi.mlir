// A_alibi: causal attention whose scores are lowered with distance, at a slope per head.
//
//   o[h] = softmax(q[h] @ k[h]^T / sqrt(128) + slope[h] (j - i) where j <= i) @ v[h]
//                                                            q, k, v, o: f32 [16,4096,128]   slope: f32 [16]
//
// An additive bias made of coordinates: it is computed where it is added and never exists as a tensor.

!q = tensor<16x4096x128xf32>
!kt = tensor<16x128x4096xf32>
!s = tensor<16x4096x4096xf32>
!ij = tensor<16x4096x4096xi32>
!keep = tensor<16x4096x4096xi1>
!slope = tensor<16xf32>

func.func @alibi_attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !q {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !q {fuse.name = "v"},
    %slope: !slope {fuse.name = "slope", fuse.fill = #fuse.fill<uniform, 0, 0.5>}) -> !q {
  %i = fuse.iota dim 1 : !ij
  %j = fuse.iota dim 2 : !ij
  %keep = arith.cmpi sle, %j, %i : !ij
  %distance = arith.subi %j, %i : !ij
  %distance_f = arith.sitofp %distance : !ij to !s
  %slopes = fuse.broadcast %slope dims [0] : !slope -> !s
  %bias = arith.mulf %slopes, %distance_f : !s

  %kt = fuse.transpose %k [0, 2, 1] : !q
  %scores = fuse.matmul %q, %kt : !q, !kt -> !s
  %scale = arith.constant dense<0.08838834764831845> : !s  // 1/sqrt(128)
  %scaled = arith.mulf %scores, %scale : !s
  %biased = arith.addf %scaled, %bias : !s
  %never = arith.constant dense<0xFF800000> : !s  // -inf
  %masked = arith.select %keep, %biased, %never : !keep, !s
  %probs = fuse.softmax %masked dim 2 : !s
  %o = fuse.matmul %probs, %v : !s, !q -> !q
  return %o : !q
}
