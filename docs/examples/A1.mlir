// A1: a masked softmax of given scores, times values.
//
//   keep(i,j) = j <= i and j >= p and i >= p
//   o = softmax(att where keep) @ v
//       att: f32 [1024,1024]   v, o: f32 [1024,64]   p: i32, known at run time only
//
// The second half of attention: the softmax of a row is consumed by the product while it is being made. Rows in which
// nothing is kept are zero.

!att = tensor<1024x1024xf32>
!v = tensor<1024x64xf32>
!ij = tensor<1024x1024xi32>
!keep = tensor<1024x1024xi1>

func.func @masked_softmax_matmul(
    %att: !att {fuse.name = "att", fuse.fill = #fuse.fill<normal, 0, 2>},
    %v: !v {fuse.name = "v"},
    %p: tensor<i32> {fuse.name = "p", fuse.fill = #fuse.fill<constant, 5, 5>}) -> !v {
  %i = fuse.iota dim 0 : !ij
  %j = fuse.iota dim 1 : !ij
  %first = fuse.broadcast %p dims [] : tensor<i32> -> !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %real_key = arith.cmpi sge, %j, %first : !ij
  %real_query = arith.cmpi sge, %i, %first : !ij
  %real = arith.andi %real_key, %real_query : !keep
  %keep = arith.andi %causal, %real : !keep

  %never = arith.constant dense<0xFF800000> : !att  // -inf
  %masked = arith.select %keep, %att, %never : !keep, !att
  %probs = fuse.softmax %masked dim 1 : !att
  %o = fuse.matmul %probs, %v : !att, !v -> !v
  return %o : !v
}
