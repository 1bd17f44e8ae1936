// Products of f32 by three of tf32, of which the later ones multiply what the
// earlier ones made, in one kernel: sums that are factors where they are.

// RUN: fuse-run %s --entry=chain --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=reals --verify --seed=3 | FileCheck %s
// RUN: fuse-run %s --entry=softmax --verify --seed=4 | FileCheck %s
// RUN: fuse-run %s --entry=infinities --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=odd --verify=exact | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

func.func @chain(%x: tensor<96x13xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %v: tensor<13x64xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<64x32xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<96x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<96x64xf32>
  %h = fuse.matmul %x, %v precision tf32x3 : tensor<96x13xf32>, tensor<13x64xf32> -> tensor<96x64xf32>
  %r = arith.maximumf %h, %zero : tensor<96x64xf32>
  %y = fuse.matmul %r, %w precision tf32x3 : tensor<96x64xf32>, tensor<64x32xf32> -> tensor<96x32xf32>
  return %y : tensor<96x32xf32>
}

func.func @reals(%x: tensor<96x64xf32>, %v: tensor<64x64xf32>, %w: tensor<64x32xf32>) -> tensor<96x32xf32> {
  %h = fuse.matmul %x, %v precision tf32x3 : tensor<96x64xf32>, tensor<64x64xf32> -> tensor<96x64xf32>
  %y = fuse.matmul %h, %w precision tf32x3 : tensor<96x64xf32>, tensor<64x32xf32> -> tensor<96x32xf32>
  return %y : tensor<96x32xf32>
}

func.func @softmax(%q: tensor<64x32xf32>, %k: tensor<128x32xf32>, %v: tensor<128x32xf32>) -> tensor<64x32xf32> {
  %kt = fuse.transpose %k [1, 0] : tensor<128x32xf32>
  %s = fuse.matmul %q, %kt precision tf32x3 : tensor<64x32xf32>, tensor<32x128xf32> -> tensor<64x128xf32>
  %p = fuse.softmax %s dim 1 : tensor<64x128xf32>
  %o = fuse.matmul %p, %v precision tf32x3 : tensor<64x128xf32>, tensor<128x32xf32> -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// Division by zero makes infinities of both signs, and NaNs, in one factor; the
// other has zeros, and infinities, too.
func.func @infinities(%x: tensor<32x8xf32> {fuse.fill = #fuse.fill<integers, -3, 3>}, %w: tensor<8x16xf32> {fuse.fill = #fuse.fill<integers, -9, 9>}) -> tensor<32x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x8xf32>
  %one = arith.constant dense<3.0> : tensor<32x8xf32>
  %none = arith.constant dense<0.0> : tensor<8x16xf32>
  %most = arith.constant dense<9.0> : tensor<8x16xf32>
  %isMost = arith.cmpf oge, %x, %one : tensor<32x8xf32>
  %divided = arith.divf %x, %zero : tensor<32x8xf32>
  %a = arith.select %isMost, %divided, %x : tensor<32x8xi1>, tensor<32x8xf32>
  %isLast = arith.cmpf oge, %w, %most : tensor<8x16xf32>
  %other = arith.divf %w, %none : tensor<8x16xf32>
  %b = arith.select %isLast, %other, %w : tensor<8x16xi1>, tensor<8x16xf32>
  %y = fuse.matmul %a, %b precision tf32x3 : tensor<32x8xf32>, tensor<8x16xf32> -> tensor<32x16xf32>
  return %y : tensor<32x16xf32>
}

func.func @odd(%x: tensor<17x7xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %v: tensor<7x33xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<33x3xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<17x3xf32> {
  %h = fuse.matmul %x, %v precision tf32x3 : tensor<17x7xf32>, tensor<7x33xf32> -> tensor<17x33xf32>
  %y = fuse.matmul %h, %w precision tf32x3 : tensor<17x33xf32>, tensor<33x3xf32> -> tensor<17x3xf32>
  return %y : tensor<17x3xf32>
}
