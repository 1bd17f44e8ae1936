// D1: the bottom perceptron of DLRM, four layers.
//
//   h1 = relu(x @ w1 + b1),  h2 = relu(h1 @ w2 + b2),  h3 = relu(h2 @ w3 + b3),  y = h3 @ w4 + b4
//   x: f32 [batch,13]   hidden: 512, 256, 64   y: f32 [batch,16]   biases: f32
//   batch: 128 to 65536, known at run time only
//
// The second layer needs every column of the first for its rows, and so on: a kernel for the whole chain owns whole
// rows and keeps them on chip from layer to layer. The 13 columns of x fill no tile.

!x = tensor<?x13xf32>
!w1 = tensor<13x512xf32>
!b1 = tensor<512xf32>
!h1 = tensor<?x512xf32>
!w2 = tensor<512x256xf32>
!b2 = tensor<256xf32>
!h2 = tensor<?x256xf32>
!w3 = tensor<256x64xf32>
!b3 = tensor<64xf32>
!h3 = tensor<?x64xf32>
!w4 = tensor<64x16xf32>
!b4 = tensor<16xf32>
!y = tensor<?x16xf32>

func.func @dlrm_bottom_mlp(
    %x: !x {fuse.name = "x"},
    %w1: !w1 {fuse.name = "w1", fuse.fill = #fuse.fill<normal, 0, 0.4>},
    %b1: !b1 {fuse.name = "b1"},
    %w2: !w2 {fuse.name = "w2", fuse.fill = #fuse.fill<normal, 0, 0.06>},
    %b2: !b2 {fuse.name = "b2"},
    %w3: !w3 {fuse.name = "w3", fuse.fill = #fuse.fill<normal, 0, 0.09>},
    %b3: !b3 {fuse.name = "b3"},
    %w4: !w4 {fuse.name = "w4", fuse.fill = #fuse.fill<normal, 0, 0.18>},
    %b4: !b4 {fuse.name = "b4"}) -> !y {
  %c0 = arith.constant 0 : index
  %batch = tensor.dim %x, %c0 : !x

  %product1 = fuse.matmul %x, %w1 : !x, !w1 -> !h1
  %bias1 = fuse.broadcast %b1 dims [1] sizes [%batch] : !b1 -> !h1
  %sum1 = arith.addf %product1, %bias1 : !h1
  %h1 = fuse.relu %sum1 : !h1

  %product2 = fuse.matmul %h1, %w2 : !h1, !w2 -> !h2
  %bias2 = fuse.broadcast %b2 dims [1] sizes [%batch] : !b2 -> !h2
  %sum2 = arith.addf %product2, %bias2 : !h2
  %h2 = fuse.relu %sum2 : !h2

  %product3 = fuse.matmul %h2, %w3 : !h2, !w3 -> !h3
  %bias3 = fuse.broadcast %b3 dims [1] sizes [%batch] : !b3 -> !h3
  %sum3 = arith.addf %product3, %bias3 : !h3
  %h3 = fuse.relu %sum3 : !h3

  %product4 = fuse.matmul %h3, %w4 : !h3, !w4 -> !y
  %bias4 = fuse.broadcast %b4 dims [1] sizes [%batch] : !b4 -> !y
  %y = arith.addf %product4, %bias4 : !y
  return %y : !y
}
