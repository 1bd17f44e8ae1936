// A_window: attention to the last 512 tokens.
//
//   keep(i,j) = j <= i and j + 512 > i
//   o = softmax(q @ k^T / sqrt(128) where keep) @ v          q, k, v, o: f32 [8192,128]
//
// The window is one more affine comparison, so the loop over keys gets a start as well as an end, and the work grows
// with the window, not with the square of the length.

!q = tensor<8192x128xf32>
!kt = tensor<128x8192xf32>
!s = tensor<8192x8192xf32>
!ij = tensor<8192x8192xi32>
!keep = tensor<8192x8192xi1>

func.func @sliding_window_attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !q {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !q {fuse.name = "v"}) -> !q {
  %i = fuse.iota dim 0 : !ij
  %j = fuse.iota dim 1 : !ij
  %window = arith.constant dense<512> : !ij
  %end = arith.addi %j, %window : !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %near = arith.cmpi sgt, %end, %i : !ij
  %keep = arith.andi %causal, %near : !keep

  %kt = fuse.transpose %k [1, 0] : !q
  %scores = fuse.matmul %q, %kt : !q, !kt -> !s
  %scale = arith.constant dense<0.08838834764831845> : !s  // 1/sqrt(128)
  %scaled = arith.mulf %scores, %scale : !s
  %never = arith.constant dense<0xFF800000> : !s  // -inf
  %masked = arith.select %keep, %scaled, %never : !keep, !s
  %probs = fuse.softmax %masked dim 1 : !s
  %o = fuse.matmul %probs, %v : !s, !q -> !q
  return %o : !q
}
