// What is 0 in f16 without a factor, and is not with it: the factor does not come late. Such are powers of what is far below a
// maximum, where only those are chosen and made a sum of 1, and small numbers whose size is divided by.

// DEFINE: %{entry} = chosen
// DEFINE: %{data} = --input=far=30
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --verify %{data}
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG --implicit-check-not=defer
// DEFINE: %{all} = %{run} --target=cpu | %{right} && %{run} --target=simulate --chip=sm_90a | %{right}
// RUN: %{all}
// CHECK: verify: right

// REDEFINE: %{entry} = sizes
// REDEFINE: %{data} = --input=x=normal:0:1.0e-9
// RUN: %{all}

// A sum of powers below a maximum has a term of 1, and may wait: what is divided by it is smaller still. So may one with a
// term for nothing, of which either is 1.
// DEFINE: %{late} = fuse-run %s --entry=%{entry} --target=cpu --verify
// REDEFINE: %{entry} = whole
// RUN: %{late} | FileCheck %s --check-prefix=LATE
// REDEFINE: %{entry} = masked
// RUN: %{late} | FileCheck %s --check-prefix=LATE
// REDEFINE: %{entry} = nothing
// RUN: %{late} | FileCheck %s --check-prefix=LATE
// LATE: 2 wrt 1 = defer
// LATE: verify: right

func.func @chosen(%x: tensor<64x256xf32>, %far: tensor<f32> {fuse.name = "far"}, %w: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %i = fuse.iota dim 1 : tensor<64x256xi32>
  %begin = arith.constant dense<200> : tensor<64x256xi32>
  %is = arith.cmpi sge, %i, %begin : tensor<64x256xi32>
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %far2 = fuse.broadcast %far dims [] : tensor<f32> -> tensor<64x256xf32>
  %further = arith.subf %x, %far2 : tensor<64x256xf32>
  %s = arith.select %is, %further, %x : tensor<64x256xi1>, tensor<64x256xf32>
  %m = fuse.reduce max %s dims [1] : tensor<64x256xf32>
  %mb = fuse.broadcast %m dims [0] : tensor<64xf32> -> tensor<64x256xf32>
  %d = arith.subf %s, %mb : tensor<64x256xf32>
  %e = math.exp %d : tensor<64x256xf32>
  %p = arith.select %is, %e, %zero : tensor<64x256xi1>, tensor<64x256xf32>
  %sum = fuse.reduce sum %p dims [1] : tensor<64x256xf32>
  %sb = fuse.broadcast %sum dims [0] : tensor<64xf32> -> tensor<64x256xf32>
  %n = arith.divf %p, %sb : tensor<64x256xf32>
  %h = arith.truncf %n : tensor<64x256xf32> to tensor<64x256xf16>
  %y = fuse.matmul %h, %w : tensor<64x256xf16>, tensor<256x64xf16> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @sizes(%x: tensor<64x256xf32> {fuse.name = "x"}, %w: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %t = math.tanh %x : tensor<64x256xf32>
  %a = math.absf %t : tensor<64x256xf32>
  %sum = fuse.reduce sum %a dims [1] : tensor<64x256xf32>
  %sb = fuse.broadcast %sum dims [0] : tensor<64xf32> -> tensor<64x256xf32>
  %n = arith.divf %t, %sb : tensor<64x256xf32>
  %h = arith.truncf %n : tensor<64x256xf32> to tensor<64x256xf16>
  %y = fuse.matmul %h, %w : tensor<64x256xf16>, tensor<256x64xf16> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @whole(%x: tensor<64x256xf32>, %w: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %n = fuse.softmax %x dim 1 : tensor<64x256xf32>
  %h = arith.truncf %n : tensor<64x256xf32> to tensor<64x256xf16>
  %y = fuse.matmul %h, %w : tensor<64x256xf16>, tensor<256x64xf16> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @masked(%x: tensor<64x256xf32>, %keep: tensor<64x256xi1>, %w: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %n = fuse.softmax %x dim 1 mask %keep : tensor<64x256xf32>, tensor<64x256xi1>
  %h = arith.truncf %n : tensor<64x256xf32> to tensor<64x256xf16>
  %y = fuse.matmul %h, %w : tensor<64x256xf16>, tensor<256x64xf16> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @nothing(%x: tensor<64x256xf32>, %none: tensor<64xf32>, %w: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %most = fuse.reduce max %x dims [1] : tensor<64x256xf32>
  %m = arith.maximumf %most, %none : tensor<64xf32>
  %mb = fuse.broadcast %m dims [0] : tensor<64xf32> -> tensor<64x256xf32>
  %d = arith.subf %x, %mb : tensor<64x256xf32>
  %e = math.exp %d : tensor<64x256xf32>
  %sum = fuse.reduce sum %e dims [1] : tensor<64x256xf32>
  %dn = arith.subf %none, %m : tensor<64xf32>
  %en = math.exp %dn : tensor<64xf32>
  %all = arith.addf %sum, %en : tensor<64xf32>
  %sb = fuse.broadcast %all dims [0] : tensor<64xf32> -> tensor<64x256xf32>
  %n = arith.divf %e, %sb : tensor<64x256xf32>
  %h = arith.truncf %n : tensor<64x256xf32> to tensor<64x256xf16>
  %y = fuse.matmul %h, %w : tensor<64x256xf16>, tensor<256x64xf16> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
