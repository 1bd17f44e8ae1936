// R4: softmax over what a causal mask and a left padding leave.
//
//   keep(i,j) = j <= i and j >= p and i >= p
//   y[i,:] = softmax of the kept x[i,:], zero elsewhere          x, y: f32 [1024,1024]   p: i32, known at run time only
//
// The mask is arithmetic on the coordinates, never an array in memory; where it is affine, as here, blocks in which
// nothing is kept are not read at all. The first p rows keep nothing and are exactly zero. `mask %keep` is the same as
// selecting between x and -inf in front of the softmax, which is how the attention examples are written.

!x = tensor<1024x1024xf32>
!ij = tensor<1024x1024xi32>
!keep = tensor<1024x1024xi1>

func.func @masked_softmax(
    %x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 2>},
    %p: tensor<i32> {fuse.name = "p", fuse.fill = #fuse.fill<constant, 5, 5>}) -> !x {
  %i = fuse.iota dim 0 : !ij
  %j = fuse.iota dim 1 : !ij
  %first = fuse.broadcast %p dims [] : tensor<i32> -> !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %real_key = arith.cmpi sge, %j, %first : !ij
  %real_query = arith.cmpi sge, %i, %first : !ij
  %real = arith.andi %real_key, %real_query : !keep
  %keep = arith.andi %causal, %real : !keep

  %y = fuse.softmax %x dim 1 mask %keep : !x, !keep
  return %y : !x
}
