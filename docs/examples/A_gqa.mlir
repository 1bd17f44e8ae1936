// A_gqa: causal attention in which four query heads share a head of keys and values.
//
//   o[b,h] = softmax(q[b,h] @ k[b,h/4]^T / sqrt(128) where j <= i) @ v[b,h/4]
//                                                           q, o: bf16 [2,32,4096,128]   k, v: bf16 [2,8,4096,128]
//
// Sharing heads is a broadcast: the query heads are split in (group, member), and keys and values are the same for
// every member. The four-fold copies are index arithmetic, not memory.

!q = tensor<2x32x4096x128xbf16>
!k = tensor<2x8x4096x128xbf16>
!qg = tensor<2x8x4x4096x128xbf16>
!kt = tensor<2x8x4x128x4096xbf16>
!s = tensor<2x8x4x4096x4096xf32>
!probs = tensor<2x8x4x4096x4096xbf16>
!ij = tensor<2x8x4x4096x4096xi32>
!keep = tensor<2x8x4x4096x4096xi1>
!acc = tensor<2x8x4x4096x128xf32>

func.func @grouped_query_attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"}) -> !q {
  %i = fuse.iota dim 3 : !ij
  %j = fuse.iota dim 4 : !ij
  %keep = arith.cmpi sle, %j, %i : !ij

  %queries = fuse.expand %q dim 1 into [8, 4] : !q
  %keys = fuse.broadcast %k dims [0, 1, 3, 4] : !k -> !qg
  %values = fuse.broadcast %v dims [0, 1, 3, 4] : !k -> !qg
  %kt = fuse.transpose %keys [0, 1, 2, 4, 3] : !qg
  %scores = fuse.matmul %queries, %kt : !qg, !kt -> !s
  %scale = arith.constant dense<0.08838834764831845> : !s  // 1/sqrt(128)
  %scaled = arith.mulf %scores, %scale : !s
  %never = arith.constant dense<0xFF800000> : !s  // -inf
  %masked = arith.select %keep, %scaled, %never : !keep, !s
  %softmax = fuse.softmax %masked dim 4 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %values : !probs, !qg -> !acc
  %grouped = arith.truncf %wide : !acc to !qg
  %o = fuse.collapse %grouped dims [1, 2] : !qg
  return %o : !q
}
