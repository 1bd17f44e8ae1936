// G1i: a split gate in true f32.
//
//   c = x @ w,   y = sigmoid(c[:, :2048]) * tanh(c[:, 2048:])
//       x: f32 [1024,2048]   w: f32 [2048,4096]   y: f32 [1024,2048]
//
// G1 with the accuracy of f32, which is what an f32 product means when nothing else is said.

!x = tensor<1024x2048xf32>
!w = tensor<2048x4096xf32>
!c = tensor<1024x4096xf32>
!y = tensor<1024x2048xf32>

func.func @split_gate(
    %x: !x {fuse.name = "x"},
    %w: !w {fuse.name = "w", fuse.fill = #fuse.fill<normal, 0, 0.06>}) -> !y {
  %c = fuse.matmul %x, %w : !x, !w -> !c
  %left = fuse.slice %c[:, 0:2048] : !c
  %right = fuse.slice %c[:, 2048:4096] : !c
  %gate = fuse.sigmoid %left : !y
  %value = math.tanh %right : !y
  %y = arith.mulf %gate, %value : !y
  return %y : !y
}
