// M5: a linear layer with bias and relu on 8-bit floats.
//
//   y = relu((x @ w) * sx * sw + b)          x: f8E4M3FN [8192,8192]   w: f8E4M3FN [8192,8192]   sx, sw: f32
//                                            b: f32 [8192]   y: bf16 [8192,8192]
//
// One scale per tensor: both are read once per block and multiply the f32 accumulators in the epilogue.

!x = tensor<8192x8192xf8E4M3FN>
!w = tensor<8192x8192xf8E4M3FN>
!b = tensor<8192xf32>
!acc = tensor<8192x8192xf32>
!y = tensor<8192x8192xbf16>

func.func @scaled_linear_relu(
    %x: !x {fuse.name = "x"},
    %w: !w {fuse.name = "w"},
    %sx: tensor<f32> {fuse.name = "sx", fuse.fill = #fuse.fill<uniform, 0.5, 1.5>},
    %sw: tensor<f32> {fuse.name = "sw", fuse.fill = #fuse.fill<uniform, 0.02, 0.04>},
    %b: !b {fuse.name = "b"}) -> !y {
  %product = fuse.matmul %x, %w : !x, !w -> !acc
  %scale = arith.mulf %sx, %sw : tensor<f32>
  %scale_all = fuse.broadcast %scale dims [] : tensor<f32> -> !acc
  %scaled = arith.mulf %product, %scale_all : !acc
  %bias = fuse.broadcast %b dims [1] : !b -> !acc
  %sum = arith.addf %scaled, %bias : !acc
  %relu = fuse.relu %sum : !acc
  %y = arith.truncf %relu : !acc to !y
  return %y : !y
}
