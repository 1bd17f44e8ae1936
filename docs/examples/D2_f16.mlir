// D2_f16: the top perceptron of DLRM in f16.
//
//   y = sigmoid(relu(x @ w1 + b1) @ w2 + b2)
//   x: f16 [batch,512]   hidden: 256   y: f16 [batch,1]   biases: f32
//   batch: 128 to 65536, known at run time only
//
// D2 with f16 in memory and between the layers; bias, relu and sigmoid work in f32.

!x = tensor<?x512xf16>
!w1 = tensor<512x256xf16>
!b1 = tensor<256xf32>
!acc1 = tensor<?x256xf32>
!h1 = tensor<?x256xf16>
!w2 = tensor<256x1xf16>
!b2 = tensor<1xf32>
!acc2 = tensor<?x1xf32>
!y = tensor<?x1xf16>

func.func @dlrm_top_mlp(
    %x: !x {fuse.name = "x"},
    %w1: !w1 {fuse.name = "w1", fuse.fill = #fuse.fill<normal, 0, 0.06>},
    %b1: !b1 {fuse.name = "b1"},
    %w2: !w2 {fuse.name = "w2", fuse.fill = #fuse.fill<normal, 0, 0.09>},
    %b2: !b2 {fuse.name = "b2"}) -> !y {
  %c0 = arith.constant 0 : index
  %batch = tensor.dim %x, %c0 : !x

  %product1 = fuse.matmul %x, %w1 : !x, !w1 -> !acc1
  %bias1 = fuse.broadcast %b1 dims [1] sizes [%batch] : !b1 -> !acc1
  %sum1 = arith.addf %product1, %bias1 : !acc1
  %relu1 = fuse.relu %sum1 : !acc1
  %h1 = arith.truncf %relu1 : !acc1 to !h1

  %product2 = fuse.matmul %h1, %w2 : !h1, !w2 -> !acc2
  %bias2 = fuse.broadcast %b2 dims [1] sizes [%batch] : !b2 -> !acc2
  %sum2 = arith.addf %product2, %bias2 : !acc2
  %sigmoid2 = fuse.sigmoid %sum2 : !acc2
  %y = arith.truncf %sigmoid2 : !acc2 to !y
  return %y : !y
}
