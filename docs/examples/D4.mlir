// D4: the forward pass of DLRM.
//
//   bottom = the four-layer perceptron of x (see D1)                                bottom: [batch,16]
//   c[b,:] = bottom[b,:] ++ t0[r[b,0],:] ++ ... ++ t25[r[b,25],:]                   c: [batch,432]
//            with r[b,k] = (ids[b,k] + 1) mod 100000
//   outer[b, 432 i + j] = c[b,i] c[b,j]                                             outer: [batch,186624]
//   y = sigmoid(relu(outer @ w5 + b5) @ w6 + b6)                                    y: [batch,1]
//
//   x: f32 [batch,13]   ids: i64 [batch,26]   t0 ... t25: f32 [100000,16]   w5: f32 [186624,16]   w6: f32 [16,1]
//   batch: 128 or 2048, known at run time only
//
// At batch 2048 the outer product would be 1.5 GB. It is made in registers, a block at a time, as an operand of the
// product that consumes it. The lookups are index arithmetic in front of a load, and the concatenation is only a choice
// of where to load from.

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
!h4 = tensor<?x16xf32>
!ids = tensor<?x26xi64>
!table = tensor<100000x16xf32>
!embedding = tensor<?x16xf32>
!c = tensor<?x432xf32>
!outer = tensor<?x432x432xf32>
!flat = tensor<?x186624xf32>
!w5 = tensor<186624x16xf32>
!b5 = tensor<16xf32>
!h5 = tensor<?x16xf32>
!w6 = tensor<16x1xf32>
!b6 = tensor<1xf32>
!y = tensor<?x1xf32>

func.func @dlrm_forward(
    %x: !x {fuse.name = "x"},
    %ids: !ids {fuse.name = "ids", fuse.fill = #fuse.fill<integers, 0, 4294967295>},
    %t0: !table {fuse.name = "t0"},
    %t1: !table {fuse.name = "t1"},
    %t2: !table {fuse.name = "t2"},
    %t3: !table {fuse.name = "t3"},
    %t4: !table {fuse.name = "t4"},
    %t5: !table {fuse.name = "t5"},
    %t6: !table {fuse.name = "t6"},
    %t7: !table {fuse.name = "t7"},
    %t8: !table {fuse.name = "t8"},
    %t9: !table {fuse.name = "t9"},
    %t10: !table {fuse.name = "t10"},
    %t11: !table {fuse.name = "t11"},
    %t12: !table {fuse.name = "t12"},
    %t13: !table {fuse.name = "t13"},
    %t14: !table {fuse.name = "t14"},
    %t15: !table {fuse.name = "t15"},
    %t16: !table {fuse.name = "t16"},
    %t17: !table {fuse.name = "t17"},
    %t18: !table {fuse.name = "t18"},
    %t19: !table {fuse.name = "t19"},
    %t20: !table {fuse.name = "t20"},
    %t21: !table {fuse.name = "t21"},
    %t22: !table {fuse.name = "t22"},
    %t23: !table {fuse.name = "t23"},
    %t24: !table {fuse.name = "t24"},
    %t25: !table {fuse.name = "t25"},
    %w1: !w1 {fuse.name = "w1", fuse.fill = #fuse.fill<normal, 0, 0.4>},
    %b1: !b1 {fuse.name = "b1"},
    %w2: !w2 {fuse.name = "w2", fuse.fill = #fuse.fill<normal, 0, 0.06>},
    %b2: !b2 {fuse.name = "b2"},
    %w3: !w3 {fuse.name = "w3", fuse.fill = #fuse.fill<normal, 0, 0.09>},
    %b3: !b3 {fuse.name = "b3"},
    %w4: !w4 {fuse.name = "w4", fuse.fill = #fuse.fill<normal, 0, 0.18>},
    %b4: !b4 {fuse.name = "b4"},
    %w5: !w5 {fuse.name = "w5", fuse.fill = #fuse.fill<normal, 0, 0.007>},
    %b5: !b5 {fuse.name = "b5"},
    %w6: !w6 {fuse.name = "w6", fuse.fill = #fuse.fill<normal, 0, 0.35>},
    %b6: !b6 {fuse.name = "b6"}) -> !y {
  %c0 = arith.constant 0 : index
  %batch = tensor.dim %x, %c0 : !x

  // The bottom perceptron.
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
  %product4 = fuse.matmul %h3, %w4 : !h3, !w4 -> !h4
  %bias4 = fuse.broadcast %b4 dims [1] sizes [%batch] : !b4 -> !h4
  %bottom = arith.addf %product4, %bias4 : !h4

  // The row of every table: (id + 1) mod cardinality. The remainder is signed, the ids are not negative.
  %one = arith.constant dense<1> : tensor<i64>
  %ones = fuse.broadcast %one dims [] sizes [%batch] : tensor<i64> -> !ids
  %cardinality = arith.constant dense<100000> : tensor<26xi64>
  %cardinalities = fuse.broadcast %cardinality dims [1] sizes [%batch] : tensor<26xi64> -> !ids
  %next = arith.addi %ids, %ones : !ids
  %rows = arith.remsi %next, %cardinalities : !ids

  // The lookups: a column of rows from each table.
  %column0 = fuse.slice %rows[:, 0:1] : !ids
  %row0 = fuse.collapse %column0 dims [0, 1] : tensor<?x1xi64>
  %e0 = fuse.gather %t0[%row0] : !table, tensor<?xi64>
  %column1 = fuse.slice %rows[:, 1:2] : !ids
  %row1 = fuse.collapse %column1 dims [0, 1] : tensor<?x1xi64>
  %e1 = fuse.gather %t1[%row1] : !table, tensor<?xi64>
  %column2 = fuse.slice %rows[:, 2:3] : !ids
  %row2 = fuse.collapse %column2 dims [0, 1] : tensor<?x1xi64>
  %e2 = fuse.gather %t2[%row2] : !table, tensor<?xi64>
  %column3 = fuse.slice %rows[:, 3:4] : !ids
  %row3 = fuse.collapse %column3 dims [0, 1] : tensor<?x1xi64>
  %e3 = fuse.gather %t3[%row3] : !table, tensor<?xi64>
  %column4 = fuse.slice %rows[:, 4:5] : !ids
  %row4 = fuse.collapse %column4 dims [0, 1] : tensor<?x1xi64>
  %e4 = fuse.gather %t4[%row4] : !table, tensor<?xi64>
  %column5 = fuse.slice %rows[:, 5:6] : !ids
  %row5 = fuse.collapse %column5 dims [0, 1] : tensor<?x1xi64>
  %e5 = fuse.gather %t5[%row5] : !table, tensor<?xi64>
  %column6 = fuse.slice %rows[:, 6:7] : !ids
  %row6 = fuse.collapse %column6 dims [0, 1] : tensor<?x1xi64>
  %e6 = fuse.gather %t6[%row6] : !table, tensor<?xi64>
  %column7 = fuse.slice %rows[:, 7:8] : !ids
  %row7 = fuse.collapse %column7 dims [0, 1] : tensor<?x1xi64>
  %e7 = fuse.gather %t7[%row7] : !table, tensor<?xi64>
  %column8 = fuse.slice %rows[:, 8:9] : !ids
  %row8 = fuse.collapse %column8 dims [0, 1] : tensor<?x1xi64>
  %e8 = fuse.gather %t8[%row8] : !table, tensor<?xi64>
  %column9 = fuse.slice %rows[:, 9:10] : !ids
  %row9 = fuse.collapse %column9 dims [0, 1] : tensor<?x1xi64>
  %e9 = fuse.gather %t9[%row9] : !table, tensor<?xi64>
  %column10 = fuse.slice %rows[:, 10:11] : !ids
  %row10 = fuse.collapse %column10 dims [0, 1] : tensor<?x1xi64>
  %e10 = fuse.gather %t10[%row10] : !table, tensor<?xi64>
  %column11 = fuse.slice %rows[:, 11:12] : !ids
  %row11 = fuse.collapse %column11 dims [0, 1] : tensor<?x1xi64>
  %e11 = fuse.gather %t11[%row11] : !table, tensor<?xi64>
  %column12 = fuse.slice %rows[:, 12:13] : !ids
  %row12 = fuse.collapse %column12 dims [0, 1] : tensor<?x1xi64>
  %e12 = fuse.gather %t12[%row12] : !table, tensor<?xi64>
  %column13 = fuse.slice %rows[:, 13:14] : !ids
  %row13 = fuse.collapse %column13 dims [0, 1] : tensor<?x1xi64>
  %e13 = fuse.gather %t13[%row13] : !table, tensor<?xi64>
  %column14 = fuse.slice %rows[:, 14:15] : !ids
  %row14 = fuse.collapse %column14 dims [0, 1] : tensor<?x1xi64>
  %e14 = fuse.gather %t14[%row14] : !table, tensor<?xi64>
  %column15 = fuse.slice %rows[:, 15:16] : !ids
  %row15 = fuse.collapse %column15 dims [0, 1] : tensor<?x1xi64>
  %e15 = fuse.gather %t15[%row15] : !table, tensor<?xi64>
  %column16 = fuse.slice %rows[:, 16:17] : !ids
  %row16 = fuse.collapse %column16 dims [0, 1] : tensor<?x1xi64>
  %e16 = fuse.gather %t16[%row16] : !table, tensor<?xi64>
  %column17 = fuse.slice %rows[:, 17:18] : !ids
  %row17 = fuse.collapse %column17 dims [0, 1] : tensor<?x1xi64>
  %e17 = fuse.gather %t17[%row17] : !table, tensor<?xi64>
  %column18 = fuse.slice %rows[:, 18:19] : !ids
  %row18 = fuse.collapse %column18 dims [0, 1] : tensor<?x1xi64>
  %e18 = fuse.gather %t18[%row18] : !table, tensor<?xi64>
  %column19 = fuse.slice %rows[:, 19:20] : !ids
  %row19 = fuse.collapse %column19 dims [0, 1] : tensor<?x1xi64>
  %e19 = fuse.gather %t19[%row19] : !table, tensor<?xi64>
  %column20 = fuse.slice %rows[:, 20:21] : !ids
  %row20 = fuse.collapse %column20 dims [0, 1] : tensor<?x1xi64>
  %e20 = fuse.gather %t20[%row20] : !table, tensor<?xi64>
  %column21 = fuse.slice %rows[:, 21:22] : !ids
  %row21 = fuse.collapse %column21 dims [0, 1] : tensor<?x1xi64>
  %e21 = fuse.gather %t21[%row21] : !table, tensor<?xi64>
  %column22 = fuse.slice %rows[:, 22:23] : !ids
  %row22 = fuse.collapse %column22 dims [0, 1] : tensor<?x1xi64>
  %e22 = fuse.gather %t22[%row22] : !table, tensor<?xi64>
  %column23 = fuse.slice %rows[:, 23:24] : !ids
  %row23 = fuse.collapse %column23 dims [0, 1] : tensor<?x1xi64>
  %e23 = fuse.gather %t23[%row23] : !table, tensor<?xi64>
  %column24 = fuse.slice %rows[:, 24:25] : !ids
  %row24 = fuse.collapse %column24 dims [0, 1] : tensor<?x1xi64>
  %e24 = fuse.gather %t24[%row24] : !table, tensor<?xi64>
  %column25 = fuse.slice %rows[:, 25:26] : !ids
  %row25 = fuse.collapse %column25 dims [0, 1] : tensor<?x1xi64>
  %e25 = fuse.gather %t25[%row25] : !table, tensor<?xi64>

  // Every product of two of the 432 features.
  %c = fuse.concat %bottom, %e0, %e1, %e2, %e3, %e4, %e5, %e6, %e7, %e8, %e9, %e10, %e11, %e12,
                   %e13, %e14, %e15, %e16, %e17, %e18, %e19, %e20, %e21, %e22, %e23, %e24, %e25 dim 1
      : !h4, !embedding, !embedding, !embedding, !embedding, !embedding, !embedding, !embedding, !embedding,
        !embedding, !embedding, !embedding, !embedding, !embedding, !embedding, !embedding, !embedding, !embedding,
        !embedding, !embedding, !embedding, !embedding, !embedding, !embedding, !embedding, !embedding, !embedding
  %left = fuse.broadcast %c dims [0, 1] : !c -> !outer
  %right = fuse.broadcast %c dims [0, 2] : !c -> !outer
  %products = arith.mulf %left, %right : !outer
  %outer = fuse.collapse %products dims [1, 2] : !outer

  // The prediction.
  %product5 = fuse.matmul %outer, %w5 : !flat, !w5 -> !h5
  %bias5 = fuse.broadcast %b5 dims [1] sizes [%batch] : !b5 -> !h5
  %sum5 = arith.addf %product5, %bias5 : !h5
  %h5 = fuse.relu %sum5 : !h5
  %product6 = fuse.matmul %h5, %w6 : !h5, !w6 -> !y
  %bias6 = fuse.broadcast %b6 dims [1] sizes [%batch] : !b6 -> !y
  %sum6 = arith.addf %product6, %bias6 : !y
  %y = fuse.sigmoid %sum6 : !y
  return %y : !y
}
