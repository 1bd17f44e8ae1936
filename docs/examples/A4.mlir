// A4: causal attention, long sequences.
//
//   o = softmax(q @ k^T / sqrt(128) where j <= i) @ v
//       q, k, v, o: bf16 [2,16,8192,128]  (batch, head, token, feature)
//
// One head's scores would be 256 MB; they stay on chip. Only the blocks on the diagonal need the select.

!q = tensor<2x16x8192x128xbf16>
!kt = tensor<2x16x128x8192xbf16>
!s = tensor<2x16x8192x8192xf32>
!probs = tensor<2x16x8192x8192xbf16>
!ij = tensor<2x16x8192x8192xi32>
!keep = tensor<2x16x8192x8192xi1>
!acc = tensor<2x16x8192x128xf32>

func.func @causal_attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !q {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !q {fuse.name = "v"}) -> !q {
  %i = fuse.iota dim 2 : !ij
  %j = fuse.iota dim 3 : !ij
  %keep = arith.cmpi sle, %j, %i : !ij

  %kt = fuse.transpose %k [0, 1, 3, 2] : !q
  %scores = fuse.matmul %q, %kt : !q, !kt -> !s
  %scale = arith.constant dense<0.08838834764831845> : !s  // 1/sqrt(128)
  %scaled = arith.mulf %scores, %scale : !s
  %never = arith.constant dense<0xFF800000> : !s  // -inf
  %masked = arith.select %keep, %scaled, %never : !keep, !s
  %softmax = fuse.softmax %masked dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !q -> !acc
  %o = arith.truncf %wide : !acc to !q
  return %o : !q
}
