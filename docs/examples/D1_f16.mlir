// D1_f16: the bottom perceptron of DLRM in f16.
//
//   h1 = relu(x @ w1 + b1),  h2 = relu(h1 @ w2 + b2),  h3 = relu(h2 @ w3 + b3),  y = h3 @ w4 + b4
//   x: f16 [batch,13]   hidden: 512, 256, 64   y: f16 [batch,16]   biases: f32
//   batch: 128 to 65536, known at run time only
//
// D1 with f16 in memory and between the layers: every layer accumulates, adds its bias and applies its relu in f32 and
// is rounded once.

!x = tensor<?x13xf16>
!w1 = tensor<13x512xf16>
!b1 = tensor<512xf32>
!acc1 = tensor<?x512xf32>
!h1 = tensor<?x512xf16>
!w2 = tensor<512x256xf16>
!b2 = tensor<256xf32>
!acc2 = tensor<?x256xf32>
!h2 = tensor<?x256xf16>
!w3 = tensor<256x64xf16>
!b3 = tensor<64xf32>
!acc3 = tensor<?x64xf32>
!h3 = tensor<?x64xf16>
!w4 = tensor<64x16xf16>
!b4 = tensor<16xf32>
!acc4 = tensor<?x16xf32>
!y = tensor<?x16xf16>

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

  %product1 = fuse.matmul %x, %w1 : !x, !w1 -> !acc1
  %bias1 = fuse.broadcast %b1 dims [1] sizes [%batch] : !b1 -> !acc1
  %sum1 = arith.addf %product1, %bias1 : !acc1
  %relu1 = fuse.relu %sum1 : !acc1
  %h1 = arith.truncf %relu1 : !acc1 to !h1

  %product2 = fuse.matmul %h1, %w2 : !h1, !w2 -> !acc2
  %bias2 = fuse.broadcast %b2 dims [1] sizes [%batch] : !b2 -> !acc2
  %sum2 = arith.addf %product2, %bias2 : !acc2
  %relu2 = fuse.relu %sum2 : !acc2
  %h2 = arith.truncf %relu2 : !acc2 to !h2

  %product3 = fuse.matmul %h2, %w3 : !h2, !w3 -> !acc3
  %bias3 = fuse.broadcast %b3 dims [1] sizes [%batch] : !b3 -> !acc3
  %sum3 = arith.addf %product3, %bias3 : !acc3
  %relu3 = fuse.relu %sum3 : !acc3
  %h3 = arith.truncf %relu3 : !acc3 to !h3

  %product4 = fuse.matmul %h3, %w4 : !h3, !w4 -> !acc4
  %bias4 = fuse.broadcast %b4 dims [1] sizes [%batch] : !b4 -> !acc4
  %sum4 = arith.addf %product4, %bias4 : !acc4
  %y = arith.truncf %sum4 : !acc4 to !y
  return %y : !y
}
