// A3p: A3 with a left padding of its own for every batch element.
//
//   keep(b,i,j) = j <= i and j >= pad[b] and i >= pad[b]
//   o = softmax(q @ k^T / sqrt(64) where keep) @ v            q, k, v, o: bf16 [16,16,1024,64]   pad: i32 [16]
//
// The mask reads a number that depends on the batch element: the first block of keys is a load away, known before the
// loop starts. The rows of padding tokens are zero, and are written.

!q = tensor<16x16x1024x64xbf16>
!kt = tensor<16x16x64x1024xbf16>
!s = tensor<16x16x1024x1024xf32>
!probs = tensor<16x16x1024x1024xbf16>
!ij = tensor<16x16x1024x1024xi32>
!keep = tensor<16x16x1024x1024xi1>
!pad = tensor<16xi32>
!acc = tensor<16x16x1024x64xf32>

func.func @padded_causal_attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !q {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !q {fuse.name = "v"},
    %pad: !pad {fuse.name = "pad", fuse.fill = #fuse.fill<integers, 0, 512>}) -> !q {
  %i = fuse.iota dim 2 : !ij
  %j = fuse.iota dim 3 : !ij
  %first = fuse.broadcast %pad dims [0] : !pad -> !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %real_key = arith.cmpi sge, %j, %first : !ij
  %real_query = arith.cmpi sge, %i, %first : !ij
  %real = arith.andi %real_key, %real_query : !keep
  %keep = arith.andi %causal, %real : !keep

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
