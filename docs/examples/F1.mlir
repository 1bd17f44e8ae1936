// F1: a two-layer perceptron whose hidden layer is far larger than its input and output.
//
//   y = relu(x @ w1) @ w2
//       x: bf16 [135168,128]   w1: bf16 [128,4096]   w2: bf16 [4096,128]   y: bf16 [135168,128]
//
// The hidden layer would be 1.1 GB, against 35 MB each for x and y. A block that owns whole rows of y can walk over the
// hidden dimension, make a slab of it and consume it at once: one kernel, nothing of the hidden layer stored.

!x = tensor<135168x128xbf16>
!w1 = tensor<128x4096xbf16>
!w2 = tensor<4096x128xbf16>
!h = tensor<135168x4096xbf16>
!hf = tensor<135168x4096xf32>
!acc = tensor<135168x128xf32>
!y = tensor<135168x128xbf16>

func.func @mlp(
    %x: !x {fuse.name = "x"},
    %w1: !w1 {fuse.name = "w1"},
    %w2: !w2 {fuse.name = "w2"}) -> !y {
  %product = fuse.matmul %x, %w1 : !x, !w1 -> !hf
  %relu = fuse.relu %product : !hf
  %hidden = arith.truncf %relu : !hf to !h
  %out = fuse.matmul %hidden, %w2 : !h, !w2 -> !acc
  %y = arith.truncf %out : !acc to !y
  return %y : !y
}
