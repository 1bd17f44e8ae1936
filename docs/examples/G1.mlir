// G1: a split gate in tf32.
//
//   c = x @ w,   y = sigmoid(c[:, :2048]) * tanh(c[:, 2048:])
//       x: f32 [1024,2048]   w: f32 [2048,4096]   y: f32 [1024,2048]
//
// w is taken as the user has it, two halves side by side. An element of y needs one column of each half: two products
// that share x share its loop and its tiles, and c is never stored.

!x = tensor<1024x2048xf32>
!w = tensor<2048x4096xf32>
!c = tensor<1024x4096xf32>
!y = tensor<1024x2048xf32>

func.func @split_gate(
    %x: !x {fuse.name = "x"},
    %w: !w {fuse.name = "w", fuse.fill = #fuse.fill<normal, 0, 0.06>}) -> !y {
  %c = fuse.matmul %x, %w precision tf32 : !x, !w -> !c
  %left = fuse.slice %c[:, 0:2048] : !c
  %right = fuse.slice %c[:, 2048:4096] : !c
  %gate = fuse.sigmoid %left : !y
  %value = math.tanh %right : !y
  %y = arith.mulf %gate, %value : !y
  return %y : !y
}
