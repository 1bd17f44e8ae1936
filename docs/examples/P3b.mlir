// P3b: what stands behind the two products of a LoRA layer, with a sigmoid.
//
//   z[i,j] = sigmoid(x[i,j] + 0.5 y[i,j] + b[j])          x, y, z: f32 [16384,8192]   b: f32 [8192]
//
// P3 with another activation. An exponential per element costs nothing while bandwidth is the limit.

!x = tensor<16384x8192xf32>
!b = tensor<8192xf32>

func.func @lora_epilogue_sigmoid(%x: !x {fuse.name = "x"}, %y: !x {fuse.name = "y"}, %b: !b {fuse.name = "b"}) -> !x {
  %half = arith.constant dense<0.5> : !x
  %halved = arith.mulf %y, %half : !x
  %sum = arith.addf %x, %halved : !x
  %bias = fuse.broadcast %b dims [1] : !b -> !x
  %biased = arith.addf %sum, %bias : !x
  %z = fuse.sigmoid %biased : !x
  return %z : !x
}
