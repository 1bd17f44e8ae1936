// A_segment: attention within segments, for several texts packed into one sequence.
//
//   o = softmax(q @ k^T / sqrt(128) where segment[i] = segment[j]) @ v          q, k, v, o: f32 [4096,128]
//                                                                              segment: i32 [4096]
//
// This mask is data: it says nothing about which blocks are empty, and is still only a select on the way.

!q = tensor<4096x128xf32>
!kt = tensor<128x4096xf32>
!s = tensor<4096x4096xf32>
!ij = tensor<4096x4096xi32>
!keep = tensor<4096x4096xi1>
!segment = tensor<4096xi32>

func.func @segment_attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !q {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !q {fuse.name = "v"},
    %segment: !segment {fuse.name = "segment", fuse.fill = #fuse.fill<integers, 0, 3>}) -> !q {
  %of_query = fuse.broadcast %segment dims [0] : !segment -> !ij
  %of_key = fuse.broadcast %segment dims [1] : !segment -> !ij
  %keep = arith.cmpi eq, %of_query, %of_key : !ij

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
