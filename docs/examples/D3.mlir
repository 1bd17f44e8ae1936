// D3: a linear layer with a low-rank correction (LoRA).
//
//   y = relu(x @ w + 0.5 (x @ down) @ up + b)          x: bf16 [4096,4096]   w: bf16 [4096,4096]   down: bf16 [4096,16]
//                                                      up: bf16 [16,4096]   b: f32 [4096]   y: bf16 [4096,4096]
//
// x @ down has 16 columns and shares its loop and its tiles of x with x @ w; its product with `up` has only 16 terms
// and belongs behind that loop. Rounding x @ down to bf16 is the user's wish, and is done.

!x = tensor<4096x4096xbf16>
!w = tensor<4096x4096xbf16>
!down = tensor<4096x16xbf16>
!up = tensor<16x4096xbf16>
!b = tensor<4096xf32>
!low = tensor<4096x16xbf16>
!lowacc = tensor<4096x16xf32>
!acc = tensor<4096x4096xf32>
!y = tensor<4096x4096xbf16>

func.func @lora_linear_relu(
    %x: !x {fuse.name = "x"},
    %w: !w {fuse.name = "w"},
    %down: !down {fuse.name = "down", fuse.fill = #fuse.fill<normal, 0, 0.03>},
    %up: !up {fuse.name = "up"},
    %b: !b {fuse.name = "b"}) -> !y {
  %full = fuse.matmul %x, %w : !x, !w -> !acc
  %low_wide = fuse.matmul %x, %down : !x, !down -> !lowacc
  %low = arith.truncf %low_wide : !lowacc to !low
  %correction = fuse.matmul %low, %up : !low, !up -> !acc
  %half = arith.constant dense<0.5> : !acc
  %halved = arith.mulf %correction, %half : !acc
  %sum = arith.addf %full, %halved : !acc
  %bias = fuse.broadcast %b dims [1] : !b -> !acc
  %biased = arith.addf %sum, %bias : !acc
  %relu = fuse.relu %biased : !acc
  %y = arith.truncf %relu : !acc to !y
  return %y : !y
}
