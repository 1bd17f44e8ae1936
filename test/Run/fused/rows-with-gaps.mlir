// What one kernel stores and another reads has rows that begin at multiples of 16
// bytes, whatever their length: copies of factors, sums of products, and what is
// reduced later; beside arguments and results, which have no gaps.

// RUN: fuse-run %s --entry=copies --verify | FileCheck %s
// RUN: fuse-run %s --entry=copies --verify --target=simulate --chip=sm_90a | FileCheck %s
// RUN: fuse-run %s --entry=copies --verify --target=simulate --chip=sm_80 | FileCheck %s
// RUN: fuse-run %s --entry=singles --verify --target=simulate --chip=sm_90a | FileCheck %s
// RUN: fuse-run %s --entry=singles --verify --target=simulate --chip=sm_80 | FileCheck %s
// RUN: fuse-run %s --entry=chain --verify --target=simulate --chip=sm_90a | FileCheck %s
// RUN: fuse-run %s --entry=chain --verify --target=simulate --chip=sm_80 | FileCheck %s
// RUN: fuse-run %s --entry=both --verify --target=simulate --chip=sm_90a | FileCheck %s
// RUN: fuse-run %s --entry=open --shape=x:3x77 --open-sizes --verify --target=simulate --chip=sm_90a | FileCheck %s
// CHECK: verify: right

func.func @copies(%x: tensor<70x131xbf16>, %w: tensor<131x203xbf16>, %v: tensor<203x131xbf16>) -> (tensor<70x203xf32>, tensor<70x203xf32>) {
  %xc = fuse.kernel @x(%a = %x) : (tensor<70x131xbf16>) -> tensor<70x131xbf16> {
    %c = fuse.copy %a : tensor<70x131xbf16>
    fuse.yield %c : tensor<70x131xbf16>
  }
  %wc = fuse.kernel @w(%a = %w) : (tensor<131x203xbf16>) -> tensor<131x203xbf16> {
    %c = fuse.copy %a : tensor<131x203xbf16>
    fuse.yield %c : tensor<131x203xbf16>
  }
  %vc = fuse.kernel @v(%a = %v) : (tensor<203x131xbf16>) -> tensor<203x131xbf16> {
    %c = fuse.copy %a : tensor<203x131xbf16>
    fuse.yield %c : tensor<203x131xbf16>
  }
  %y = fuse.kernel @along_n(%a = %xc, %b = %wc) schedule(#fuse.schedule<parallel = [64, 64], sequential = [r131_0 = 64]>)
      : (tensor<70x131xbf16>, tensor<131x203xbf16>) -> tensor<70x203xf32> {
    %p = fuse.matmul %a, %b : tensor<70x131xbf16>, tensor<131x203xbf16> -> tensor<70x203xf32>
    fuse.yield %p : tensor<70x203xf32>
  }
  %z = fuse.kernel @along_k(%a = %xc, %b = %vc) schedule(#fuse.schedule<parallel = [64, 64], sequential = [r131_0 = 64]>)
      : (tensor<70x131xbf16>, tensor<203x131xbf16>) -> tensor<70x203xf32> {
    %t = fuse.transpose %b [1, 0] : tensor<203x131xbf16>
    %p = fuse.matmul %a, %t : tensor<70x131xbf16>, tensor<131x203xbf16> -> tensor<70x203xf32>
    fuse.yield %p : tensor<70x203xf32>
  }
  return %y, %z : tensor<70x203xf32>, tensor<70x203xf32>
}

// Of f32 a row of 33 is a word more than a line.
func.func @singles(%x: tensor<2x35x33xf32>, %w: tensor<2x33x77xf32>) -> tensor<2x35x77xf32> {
  %xc = fuse.kernel @x(%a = %x) : (tensor<2x35x33xf32>) -> tensor<2x35x33xf32> {
    %c = fuse.copy %a : tensor<2x35x33xf32>
    fuse.yield %c : tensor<2x35x33xf32>
  }
  %wc = fuse.kernel @w(%a = %w) : (tensor<2x33x77xf32>) -> tensor<2x33x77xf32> {
    %c = fuse.copy %a : tensor<2x33x77xf32>
    fuse.yield %c : tensor<2x33x77xf32>
  }
  %y = fuse.kernel @product(%a = %xc, %b = %wc) schedule(#fuse.schedule<parallel = [1, 32, 32], sequential = [r33_0 = 16]>)
      : (tensor<2x35x33xf32>, tensor<2x33x77xf32>) -> tensor<2x35x77xf32> {
    %p = fuse.matmul %a, %b : tensor<2x35x33xf32>, tensor<2x33x77xf32> -> tensor<2x35x77xf32>
    fuse.yield %p : tensor<2x35x77xf32>
  }
  return %y : tensor<2x35x77xf32>
}

// A hidden layer of 333 numbers, that is normalised before the next one reads it.
func.func @chain(%x: tensor<67x64xf16>, %w: tensor<64x333xf16>, %v: tensor<333x50xf16>) -> tensor<67x50xf32> {
  %h = fuse.kernel @first(%a = %x, %b = %w) : (tensor<67x64xf16>, tensor<64x333xf16>) -> tensor<67x333xf16> {
    %p = fuse.matmul %a, %b : tensor<67x64xf16>, tensor<64x333xf16> -> tensor<67x333xf32>
    %n = arith.truncf %p : tensor<67x333xf32> to tensor<67x333xf16>
    fuse.yield %n : tensor<67x333xf16>
  }
  %s = fuse.kernel @middle(%a = %h) : (tensor<67x333xf16>) -> tensor<67x333xf16> {
    %m = fuse.reduce max %a dims [1] : tensor<67x333xf16>
    %b = fuse.broadcast %m dims [0] : tensor<67xf16> -> tensor<67x333xf16>
    %d = arith.subf %a, %b : tensor<67x333xf16>
    %e = math.exp %d : tensor<67x333xf16>
    fuse.yield %e : tensor<67x333xf16>
  }
  %y = fuse.kernel @last(%a = %s, %b = %v) : (tensor<67x333xf16>, tensor<333x50xf16>) -> tensor<67x50xf32> {
    %p = fuse.matmul %a, %b : tensor<67x333xf16>, tensor<333x50xf16> -> tensor<67x50xf32>
    fuse.yield %p : tensor<67x50xf32>
  }
  return %y : tensor<67x50xf32>
}

// One kernel for what only kernels see and for a result.
func.func @both(%x: tensor<40x99xf32>, %y: tensor<40x99xf32>) -> (tensor<40x99xf32>, tensor<40x99xf32>) {
  %a = fuse.kernel @tanh(%v = %x) : (tensor<40x99xf32>) -> tensor<40x99xf32> {
    %t = math.tanh %v : tensor<40x99xf32>
    fuse.yield %t : tensor<40x99xf32>
  }
  %b = fuse.kernel @sum(%v = %a, %w = %y) : (tensor<40x99xf32>, tensor<40x99xf32>) -> tensor<40x99xf32> {
    %s = arith.addf %v, %w : tensor<40x99xf32>
    fuse.yield %s : tensor<40x99xf32>
  }
  %c = fuse.kernel @twice(%v = %b, %w = %a) : (tensor<40x99xf32>, tensor<40x99xf32>) -> tensor<40x99xf32> {
    %s = arith.mulf %v, %w : tensor<40x99xf32>
    fuse.yield %s : tensor<40x99xf32>
  }
  return %b, %c : tensor<40x99xf32>, tensor<40x99xf32>
}

func.func @open(%x: tensor<?x77xbf16> {fuse.name = "x"}, %w: tensor<77x45xbf16>) -> tensor<?x45xf32> {
  %c = fuse.kernel @x(%a = %x) : (tensor<?x77xbf16>) -> tensor<?x77xbf16> {
    %t = fuse.copy %a : tensor<?x77xbf16>
    fuse.yield %t : tensor<?x77xbf16>
  }
  %y = fuse.kernel @product(%a = %c, %b = %w) : (tensor<?x77xbf16>, tensor<77x45xbf16>) -> tensor<?x45xf32> {
    %p = fuse.matmul %a, %b : tensor<?x77xbf16>, tensor<77x45xbf16> -> tensor<?x45xf32>
    fuse.yield %p : tensor<?x45xf32>
  }
  return %y : tensor<?x45xf32>
}
