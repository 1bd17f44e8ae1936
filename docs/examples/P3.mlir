// P3: what stands behind the two products of a LoRA layer, with a relu.
//
//   z[i,j] = max(x[i,j] + 0.5 y[i,j] + b[j], 0)          x, y, z: f32 [16384,8192]   b: f32 [8192]
//
// Five ops and two large inputs, one pass over memory: x and y are read once, z is written once.

!x = tensor<16384x8192xf32>
!b = tensor<8192xf32>

func.func @lora_epilogue_relu(%x: !x {fuse.name = "x"}, %y: !x {fuse.name = "y"}, %b: !b {fuse.name = "b"}) -> !x {
  %half = arith.constant dense<0.5> : !x
  %halved = arith.mulf %y, %half : !x
  %sum = arith.addf %x, %halved : !x
  %bias = fuse.broadcast %b dims [1] : !b -> !x
  %biased = arith.addf %sum, %bias : !x
  %z = fuse.relu %biased : !x
  return %z : !x
}
