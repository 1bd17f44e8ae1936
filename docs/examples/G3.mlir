// G3: GEGLU, a gate with a bias.
//
//   z = x @ w + b,   y = z[:, :11008] * gelu(z[:, 11008:])          x: bf16 [8192,4096]   w: bf16 [4096,22016]
//                                                                   b: f32 [22016]   y: bf16 [8192,11008]
//   gelu(z) = z/2 (1 + erf(z / sqrt(2)))
//
// The bias is added before z is split: slicing commutes with everything pointwise, and the compiler has to see that.

!x = tensor<8192x4096xbf16>
!w = tensor<4096x22016xbf16>
!b = tensor<22016xf32>
!z = tensor<8192x22016xf32>
!acc = tensor<8192x11008xf32>
!y = tensor<8192x11008xbf16>

func.func @geglu(
    %x: !x {fuse.name = "x"},
    %w: !w {fuse.name = "w", fuse.fill = #fuse.fill<normal, 0, 0.04>},
    %b: !b {fuse.name = "b"}) -> !y {
  %product = fuse.matmul %x, %w : !x, !w -> !z
  %bias = fuse.broadcast %b dims [1] : !b -> !z
  %z = arith.addf %product, %bias : !z
  %left = fuse.slice %z[:, 0:11008] : !z
  %right = fuse.slice %z[:, 11008:22016] : !z
  %gate = fuse.gelu erf %right : !acc
  %gated = arith.mulf %left, %gate : !acc
  %y = arith.truncf %gated : !acc to !y
  return %y : !y
}
