// A_decode: attention of one new token to everything before it.
//
//   o = softmax(q @ k^T / sqrt(128)) @ v          q, o: f32 [1,128]   k, v: f32 [65536,128]
//
// A single row of queries: to keep more than one multiprocessor busy, the keys have to be split between blocks and the
// partial results merged, with the same corrections as from one block of keys to the next.

!q = tensor<1x128xf32>
!k = tensor<65536x128xf32>
!kt = tensor<128x65536xf32>
!s = tensor<1x65536xf32>

func.func @decode_attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"}) -> !q {
  %kt = fuse.transpose %k [1, 0] : !k
  %scores = fuse.matmul %q, %kt : !q, !kt -> !s
  %scale = arith.constant dense<0.08838834764831845> : !s  // 1/sqrt(128)
  %scaled = arith.mulf %scores, %scale : !s
  %probs = fuse.softmax %scaled dim 1 : !s
  %o = fuse.matmul %probs, %v : !s, !k -> !q
  return %o : !q
}
