// A3: causal attention, many short heads.
//
//   o = softmax(q @ k^T / sqrt(64) where j <= i) @ v
//       q, k, v, o: bf16 [16,16,1024,64]  (batch, head, token, feature)
//
// Scores and softmax are f32, the probabilities are rounded to bf16 for the second product. Half of the blocks of
// scores are above the diagonal: the bounds of the loop over keys follow from the mask, nobody writes them.

!q = tensor<16x16x1024x64xbf16>
!kt = tensor<16x16x64x1024xbf16>
!s = tensor<16x16x1024x1024xf32>
!probs = tensor<16x16x1024x1024xbf16>
!ij = tensor<16x16x1024x1024xi32>
!keep = tensor<16x16x1024x1024xi1>
!acc = tensor<16x16x1024x64xf32>

func.func @causal_attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !q {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !q {fuse.name = "v"}) -> !q {
  %i = fuse.iota dim 2 : !ij
  %j = fuse.iota dim 3 : !ij
  %keep = arith.cmpi sle, %j, %i : !ij

  %kt = fuse.transpose %k [0, 1, 3, 2] : !q
  %scores = fuse.matmul %q, %kt : !q, !kt -> !s
  %scale = arith.constant dense<0.125> : !s  // 1/sqrt(64)
  %scaled = arith.mulf %scores, %scale : !s
  %never = arith.constant dense<0xFF800000> : !s  // -inf
  %masked = arith.select %keep, %scaled, %never : !keep, !s
  %softmax = fuse.softmax %masked dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !q -> !acc
  %o = arith.truncf %wide : !acc to !q
  return %o : !q
}
