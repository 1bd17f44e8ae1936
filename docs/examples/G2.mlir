// G2: a split gate, large, in bf16.
//
//   c = x @ w,   y = sigmoid(c[:, :14336]) * tanh(c[:, 14336:])
//       x: bf16 [8192,4096]   w: bf16 [4096,28672]   y: bf16 [8192,14336]
//
// The gate is paid in the epilogue of two products that share the tiles of x; c would be 939 MB and is never stored.

!x = tensor<8192x4096xbf16>
!w = tensor<4096x28672xbf16>
!c = tensor<8192x28672xf32>
!acc = tensor<8192x14336xf32>
!y = tensor<8192x14336xbf16>

func.func @split_gate(
    %x: !x {fuse.name = "x"},
    %w: !w {fuse.name = "w", fuse.fill = #fuse.fill<normal, 0, 0.04>}) -> !y {
  %c = fuse.matmul %x, %w : !x, !w -> !c
  %left = fuse.slice %c[:, 0:14336] : !c
  %right = fuse.slice %c[:, 14336:28672] : !c
  %gate = fuse.sigmoid %left : !acc
  %value = math.tanh %right : !acc
  %product = arith.mulf %gate, %value : !acc
  %y = arith.truncf %product : !acc to !y
  return %y : !y
}
