// A2: one head of attention in f32, causal and with a left padding.
//
//   keep(i,j) = j <= i and j >= p and i >= p
//   o = softmax(q @ k^T / sqrt(64) where keep) @ v
//       q, k, v, o: f32 [1024,64]   p: i32, known at run time only
//
// Matmul, scale, mask, softmax, matmul: there is no attention op, and none is needed for one kernel that never stores
// the 1024 x 1024 scores.

!q = tensor<1024x64xf32>
!kt = tensor<64x1024xf32>
!s = tensor<1024x1024xf32>
!ij = tensor<1024x1024xi32>
!keep = tensor<1024x1024xi1>

func.func @masked_attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !q {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !q {fuse.name = "v"},
    %p: tensor<i32> {fuse.name = "p", fuse.fill = #fuse.fill<constant, 5, 5>}) -> !q {
  %i = fuse.iota dim 0 : !ij
  %j = fuse.iota dim 1 : !ij
  %first = fuse.broadcast %p dims [] : tensor<i32> -> !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %real_key = arith.cmpi sge, %j, %first : !ij
  %real_query = arith.cmpi sge, %i, %first : !ij
  %real = arith.andi %real_key, %real_query : !keep
  %keep = arith.andi %causal, %real : !keep

  %kt = fuse.transpose %k [1, 0] : !q
  %scores = fuse.matmul %q, %kt : !q, !kt -> !s
  %scale = arith.constant dense<0.125> : !s  // 1/sqrt(64)
  %scaled = arith.mulf %scores, %scale : !s
  %never = arith.constant dense<0xFF800000> : !s  // -inf
  %masked = arith.select %keep, %scaled, %never : !keep, !s
  %probs = fuse.softmax %masked dim 1 : !s
  %o = fuse.matmul %probs, %v : !s, !q -> !q
  return %o : !q
}
