// D2: the top perceptron of DLRM, two layers.
//
//   y = sigmoid(relu(x @ w1 + b1) @ w2 + b2)
//   x: f32 [batch,512]   hidden: 256   y: f32 [batch,1]   biases: f32
//   batch: 128 to 65536, known at run time only
//
// The last layer has a single column: a product in name, a reduction over the hidden row in fact.

!x = tensor<?x512xf32>
!w1 = tensor<512x256xf32>
!b1 = tensor<256xf32>
!h1 = tensor<?x256xf32>
!w2 = tensor<256x1xf32>
!b2 = tensor<1xf32>
!y = tensor<?x1xf32>

func.func @dlrm_top_mlp(
    %x: !x {fuse.name = "x"},
    %w1: !w1 {fuse.name = "w1", fuse.fill = #fuse.fill<normal, 0, 0.06>},
    %b1: !b1 {fuse.name = "b1"},
    %w2: !w2 {fuse.name = "w2", fuse.fill = #fuse.fill<normal, 0, 0.09>},
    %b2: !b2 {fuse.name = "b2"}) -> !y {
  %c0 = arith.constant 0 : index
  %batch = tensor.dim %x, %c0 : !x

  %product1 = fuse.matmul %x, %w1 : !x, !w1 -> !h1
  %bias1 = fuse.broadcast %b1 dims [1] sizes [%batch] : !b1 -> !h1
  %sum1 = arith.addf %product1, %bias1 : !h1
  %h1 = fuse.relu %sum1 : !h1

  %product2 = fuse.matmul %h1, %w2 : !h1, !w2 -> !y
  %bias2 = fuse.broadcast %b2 dims [1] sizes [%batch] : !b2 -> !y
  %sum2 = arith.addf %product2, %bias2 : !y
  %y = fuse.sigmoid %sum2 : !y
  return %y : !y
}
