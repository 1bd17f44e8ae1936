// Each step reads what the one before makes at two places, which is asked for twice as often with each: a kernel of many
// steps took minutes to plan. It is cut where more elements are asked for than any kernel needs.

// RUN: split-file %s %t
// RUN: fuse-run %t/steps.mlir --target=cpu --verify | FileCheck %s
// RUN: fuse-run %t/steps.mlir --target=simulate --chip=sm_90a --verify | FileCheck %s
// RUN: fuse-run %t/doubled.mlir --target=cpu --verify --fill=integers:0:8 | FileCheck %s
// RUN: fuse-run %t/doubled.mlir --target=simulate --verify --fill=integers:0:8 | FileCheck %s
// RUN: fuse-run %t/passed.mlir --target=cpu --verify | FileCheck %s
// RUN: fuse-run %t/passed.mlir --target=simulate --verify | FileCheck %s
// CHECK: plan: {{[2-8]}} kernels
// CHECK: verify: right

//--- steps.mlir

func.func @steps(%0: tensor<128xf32>) -> tensor<128xf32> {
  %a0 = fuse.slice %0[0:64] : tensor<128xf32>
  %b0 = fuse.slice %0[64:] : tensor<128xf32>
  %s0 = arith.addf %a0, %b0 : tensor<64xf32>
  %d0 = arith.subf %a0, %b0 : tensor<64xf32>
  %e0 = fuse.expand %s0 dim 0 into [64, 1] : tensor<64xf32>
  %f0 = fuse.expand %d0 dim 0 into [64, 1] : tensor<64xf32>
  %c0 = fuse.concat %e0, %f0 dim 1 : tensor<64x1xf32>, tensor<64x1xf32>
  %x1 = fuse.collapse %c0 dims [0, 1] : tensor<64x2xf32>
  %a1 = fuse.slice %x1[0:64] : tensor<128xf32>
  %b1 = fuse.slice %x1[64:] : tensor<128xf32>
  %s1 = arith.addf %a1, %b1 : tensor<64xf32>
  %d1 = arith.subf %a1, %b1 : tensor<64xf32>
  %e1 = fuse.expand %s1 dim 0 into [64, 1] : tensor<64xf32>
  %f1 = fuse.expand %d1 dim 0 into [64, 1] : tensor<64xf32>
  %c1 = fuse.concat %e1, %f1 dim 1 : tensor<64x1xf32>, tensor<64x1xf32>
  %x2 = fuse.collapse %c1 dims [0, 1] : tensor<64x2xf32>
  %a2 = fuse.slice %x2[0:64] : tensor<128xf32>
  %b2 = fuse.slice %x2[64:] : tensor<128xf32>
  %s2 = arith.addf %a2, %b2 : tensor<64xf32>
  %d2 = arith.subf %a2, %b2 : tensor<64xf32>
  %e2 = fuse.expand %s2 dim 0 into [64, 1] : tensor<64xf32>
  %f2 = fuse.expand %d2 dim 0 into [64, 1] : tensor<64xf32>
  %c2 = fuse.concat %e2, %f2 dim 1 : tensor<64x1xf32>, tensor<64x1xf32>
  %x3 = fuse.collapse %c2 dims [0, 1] : tensor<64x2xf32>
  %a3 = fuse.slice %x3[0:64] : tensor<128xf32>
  %b3 = fuse.slice %x3[64:] : tensor<128xf32>
  %s3 = arith.addf %a3, %b3 : tensor<64xf32>
  %d3 = arith.subf %a3, %b3 : tensor<64xf32>
  %e3 = fuse.expand %s3 dim 0 into [64, 1] : tensor<64xf32>
  %f3 = fuse.expand %d3 dim 0 into [64, 1] : tensor<64xf32>
  %c3 = fuse.concat %e3, %f3 dim 1 : tensor<64x1xf32>, tensor<64x1xf32>
  %x4 = fuse.collapse %c3 dims [0, 1] : tensor<64x2xf32>
  %a4 = fuse.slice %x4[0:64] : tensor<128xf32>
  %b4 = fuse.slice %x4[64:] : tensor<128xf32>
  %s4 = arith.addf %a4, %b4 : tensor<64xf32>
  %d4 = arith.subf %a4, %b4 : tensor<64xf32>
  %e4 = fuse.expand %s4 dim 0 into [64, 1] : tensor<64xf32>
  %f4 = fuse.expand %d4 dim 0 into [64, 1] : tensor<64xf32>
  %c4 = fuse.concat %e4, %f4 dim 1 : tensor<64x1xf32>, tensor<64x1xf32>
  %x5 = fuse.collapse %c4 dims [0, 1] : tensor<64x2xf32>
  %a5 = fuse.slice %x5[0:64] : tensor<128xf32>
  %b5 = fuse.slice %x5[64:] : tensor<128xf32>
  %s5 = arith.addf %a5, %b5 : tensor<64xf32>
  %d5 = arith.subf %a5, %b5 : tensor<64xf32>
  %e5 = fuse.expand %s5 dim 0 into [64, 1] : tensor<64xf32>
  %f5 = fuse.expand %d5 dim 0 into [64, 1] : tensor<64xf32>
  %c5 = fuse.concat %e5, %f5 dim 1 : tensor<64x1xf32>, tensor<64x1xf32>
  %x6 = fuse.collapse %c5 dims [0, 1] : tensor<64x2xf32>
  %a6 = fuse.slice %x6[0:64] : tensor<128xf32>
  %b6 = fuse.slice %x6[64:] : tensor<128xf32>
  %s6 = arith.addf %a6, %b6 : tensor<64xf32>
  %d6 = arith.subf %a6, %b6 : tensor<64xf32>
  %e6 = fuse.expand %s6 dim 0 into [64, 1] : tensor<64xf32>
  %f6 = fuse.expand %d6 dim 0 into [64, 1] : tensor<64xf32>
  %c6 = fuse.concat %e6, %f6 dim 1 : tensor<64x1xf32>, tensor<64x1xf32>
  %x7 = fuse.collapse %c6 dims [0, 1] : tensor<64x2xf32>
  return %x7 : tensor<128xf32>
}

//--- doubled.mlir

func.func @doubled(%0: tensor<9xi32>) -> tensor<9xi32> {
  %1 = fuse.gather %0[%0] : tensor<9xi32>, tensor<9xi32>
  %2 = fuse.gather %1[%1] : tensor<9xi32>, tensor<9xi32>
  %3 = fuse.gather %2[%2] : tensor<9xi32>, tensor<9xi32>
  %4 = fuse.gather %3[%3] : tensor<9xi32>, tensor<9xi32>
  %5 = fuse.gather %4[%4] : tensor<9xi32>, tensor<9xi32>
  %6 = fuse.gather %5[%5] : tensor<9xi32>, tensor<9xi32>
  %7 = fuse.gather %6[%6] : tensor<9xi32>, tensor<9xi32>
  %8 = fuse.gather %7[%7] : tensor<9xi32>, tensor<9xi32>
  %9 = fuse.gather %8[%8] : tensor<9xi32>, tensor<9xi32>
  %10 = fuse.gather %9[%9] : tensor<9xi32>, tensor<9xi32>
  %11 = fuse.gather %10[%10] : tensor<9xi32>, tensor<9xi32>
  %12 = fuse.gather %11[%11] : tensor<9xi32>, tensor<9xi32>
  %13 = fuse.gather %12[%12] : tensor<9xi32>, tensor<9xi32>
  %14 = fuse.gather %13[%13] : tensor<9xi32>, tensor<9xi32>
  %15 = fuse.gather %14[%14] : tensor<9xi32>, tensor<9xi32>
  %16 = fuse.gather %15[%15] : tensor<9xi32>, tensor<9xi32>
  %17 = fuse.gather %16[%16] : tensor<9xi32>, tensor<9xi32>
  %18 = fuse.gather %17[%17] : tensor<9xi32>, tensor<9xi32>
  %19 = fuse.gather %18[%18] : tensor<9xi32>, tensor<9xi32>
  %20 = fuse.gather %19[%19] : tensor<9xi32>, tensor<9xi32>
  %21 = fuse.gather %20[%20] : tensor<9xi32>, tensor<9xi32>
  %22 = fuse.gather %21[%21] : tensor<9xi32>, tensor<9xi32>
  %23 = fuse.gather %22[%22] : tensor<9xi32>, tensor<9xi32>
  %24 = fuse.gather %23[%23] : tensor<9xi32>, tensor<9xi32>
  %25 = fuse.gather %24[%24] : tensor<9xi32>, tensor<9xi32>
  return %25 : tensor<9xi32>
}

//--- passed.mlir

func.func @passed(%x: tensor<16xf32>, %i: tensor<16xi32>, %j: tensor<16xi32>) -> tensor<16xf32> {
  %a0 = fuse.gather %x[%i] : tensor<16xf32>, tensor<16xi32>
  %b0 = fuse.gather %x[%j] : tensor<16xf32>, tensor<16xi32>
  %y0 = arith.addf %a0, %b0 : tensor<16xf32>
  %a1 = fuse.gather %y0[%i] : tensor<16xf32>, tensor<16xi32>
  %b1 = fuse.gather %y0[%j] : tensor<16xf32>, tensor<16xi32>
  %y1 = arith.addf %a1, %b1 : tensor<16xf32>
  %a2 = fuse.gather %y1[%i] : tensor<16xf32>, tensor<16xi32>
  %b2 = fuse.gather %y1[%j] : tensor<16xf32>, tensor<16xi32>
  %y2 = arith.addf %a2, %b2 : tensor<16xf32>
  %a3 = fuse.gather %y2[%i] : tensor<16xf32>, tensor<16xi32>
  %b3 = fuse.gather %y2[%j] : tensor<16xf32>, tensor<16xi32>
  %y3 = arith.addf %a3, %b3 : tensor<16xf32>
  %a4 = fuse.gather %y3[%i] : tensor<16xf32>, tensor<16xi32>
  %b4 = fuse.gather %y3[%j] : tensor<16xf32>, tensor<16xi32>
  %y4 = arith.addf %a4, %b4 : tensor<16xf32>
  %a5 = fuse.gather %y4[%i] : tensor<16xf32>, tensor<16xi32>
  %b5 = fuse.gather %y4[%j] : tensor<16xf32>, tensor<16xi32>
  %y5 = arith.addf %a5, %b5 : tensor<16xf32>
  %a6 = fuse.gather %y5[%i] : tensor<16xf32>, tensor<16xi32>
  %b6 = fuse.gather %y5[%j] : tensor<16xf32>, tensor<16xi32>
  %y6 = arith.addf %a6, %b6 : tensor<16xf32>
  %a7 = fuse.gather %y6[%i] : tensor<16xf32>, tensor<16xi32>
  %b7 = fuse.gather %y6[%j] : tensor<16xf32>, tensor<16xi32>
  %y7 = arith.addf %a7, %b7 : tensor<16xf32>
  %a8 = fuse.gather %y7[%i] : tensor<16xf32>, tensor<16xi32>
  %b8 = fuse.gather %y7[%j] : tensor<16xf32>, tensor<16xi32>
  %y8 = arith.addf %a8, %b8 : tensor<16xf32>
  %a9 = fuse.gather %y8[%i] : tensor<16xf32>, tensor<16xi32>
  %b9 = fuse.gather %y8[%j] : tensor<16xf32>, tensor<16xi32>
  %y9 = arith.addf %a9, %b9 : tensor<16xf32>
  %a10 = fuse.gather %y9[%i] : tensor<16xf32>, tensor<16xi32>
  %b10 = fuse.gather %y9[%j] : tensor<16xf32>, tensor<16xi32>
  %y10 = arith.addf %a10, %b10 : tensor<16xf32>
  %a11 = fuse.gather %y10[%i] : tensor<16xf32>, tensor<16xi32>
  %b11 = fuse.gather %y10[%j] : tensor<16xf32>, tensor<16xi32>
  %y11 = arith.addf %a11, %b11 : tensor<16xf32>
  %a12 = fuse.gather %y11[%i] : tensor<16xf32>, tensor<16xi32>
  %b12 = fuse.gather %y11[%j] : tensor<16xf32>, tensor<16xi32>
  %y12 = arith.addf %a12, %b12 : tensor<16xf32>
  %a13 = fuse.gather %y12[%i] : tensor<16xf32>, tensor<16xi32>
  %b13 = fuse.gather %y12[%j] : tensor<16xf32>, tensor<16xi32>
  %y13 = arith.addf %a13, %b13 : tensor<16xf32>
  %a14 = fuse.gather %y13[%i] : tensor<16xf32>, tensor<16xi32>
  %b14 = fuse.gather %y13[%j] : tensor<16xf32>, tensor<16xi32>
  %y14 = arith.addf %a14, %b14 : tensor<16xf32>
  %a15 = fuse.gather %y14[%i] : tensor<16xf32>, tensor<16xi32>
  %b15 = fuse.gather %y14[%j] : tensor<16xf32>, tensor<16xi32>
  %y15 = arith.addf %a15, %b15 : tensor<16xf32>
  return %y15 : tensor<16xf32>
}
