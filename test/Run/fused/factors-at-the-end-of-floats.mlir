// A number that is multiplied with the argument of a power joins log2(e), or 2, where the product is a float: as infinity it
// would make NaN of 0.

// DEFINE: %{entry} = mask
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --input=x=integers:0:1 --target=simulate --chip=sm_90a --verify | FileCheck %s
// RUN: %{run}
// REDEFINE: %{entry} = tails
// RUN: %{run}
// CHECK: verify: right

func.func @mask(%x: tensor<64x64xf32> {fuse.name = "x"}) -> tensor<64x64xbf16> {
  %c = arith.constant dense<-3.4e38> : tensor<64x64xf32>
  %p = arith.mulf %x, %c : tensor<64x64xf32>
  %e = math.exp %p : tensor<64x64xf32>
  %r = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}

func.func @tails(%x: tensor<64x64xf32> {fuse.name = "x"}) -> tensor<64x64xbf16> {
  %c = arith.constant dense<3.0e38> : tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %p = arith.mulf %x, %c : tensor<64x64xf32>
  %t = math.tanh %p : tensor<64x64xf32>
  %s = arith.addf %t, %one : tensor<64x64xf32>
  %r = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xbf16>
  return %r : tensor<64x64xbf16>
}
