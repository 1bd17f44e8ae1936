// A_softcap: attention whose scores are kept between -2 and 2.
//
//   o = softmax(2 tanh(q @ k^T / sqrt(128) / 2)) @ v          q, k, v, o: f32 [4096,128]
//
// Whatever is pointwise may stand between the product and the softmax.

!q = tensor<4096x128xf32>
!kt = tensor<128x4096xf32>
!s = tensor<4096x4096xf32>

func.func @softcap_attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !q {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !q {fuse.name = "v"}) -> !q {
  %kt = fuse.transpose %k [1, 0] : !q
  %scores = fuse.matmul %q, %kt : !q, !kt -> !s
  %scale = arith.constant dense<0.08838834764831845> : !s  // 1/sqrt(128)
  %scaled = arith.mulf %scores, %scale : !s
  %cap = arith.constant dense<2.0> : !s
  %relative = arith.divf %scaled, %cap : !s
  %bounded = math.tanh %relative : !s
  %capped = arith.mulf %bounded, %cap : !s
  %probs = fuse.softmax %capped dim 1 : !s
  %o = fuse.matmul %probs, %v : !s, !q -> !q
  return %o : !q
}
