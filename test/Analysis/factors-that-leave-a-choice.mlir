// What a sum is multiplied with behind a choice comes late only if it is finite where nothing is chosen.

// RUN: fuse-opt %s --split-input-file --fuse-print-cascades -o /dev/null | FileCheck %s

// Sizes and 1 are never 0.
// CHECK-LABEL: @above_one
//       CHECK: defer wrt
func.func @above_one(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %ax = math.absf %x : tensor<4x64xf32>
  %a = fuse.reduce sum %ax dims [1] : tensor<4x64xf32>
  %d = arith.addf %a, %one : tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// Numbers of both signs and 1 may be.
// CHECK-LABEL: @of_both_signs
//       CHECK: sequential: a factor that may be infinite
func.func @of_both_signs(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %d = arith.addf %s, %one : tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// So may sizes less 1,
// CHECK-LABEL: @less_one
//       CHECK: sequential: a factor that may be infinite
func.func @less_one(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %ax = math.absf %x : tensor<4x64xf32>
  %a = fuse.reduce sum %ax dims [1] : tensor<4x64xf32>
  %minus = arith.constant dense<-1.0> : tensor<4xf32>
  %d = arith.addf %a, %minus : tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// and two that are 0 both.
// CHECK-LABEL: @two_sizes
//       CHECK: sequential: a factor that may be infinite
func.func @two_sizes(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %ax = math.absf %x : tensor<4x64xf32>
  %xx = arith.mulf %y, %y : tensor<4x64xf32>
  %a = fuse.reduce sum %ax dims [1] : tensor<4x64xf32>
  %q = fuse.reduce sum %xx dims [1] : tensor<4x64xf32>
  %d = arith.addf %a, %q : tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// Products of two rows are no squares.
// CHECK-LABEL: @products
//       CHECK: sequential: a factor that may be infinite
func.func @products(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %xy = arith.mulf %x, %y : tensor<4x64xf32>
  %p = fuse.reduce sum %xy dims [1] : tensor<4x64xf32>
  %d = arith.addf %p, %one : tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// Squares are.
// CHECK-LABEL: @squares
//       CHECK: defer wrt
func.func @squares(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %xx = arith.mulf %y, %y : tensor<4x64xf32>
  %q = fuse.reduce sum %xx dims [1] : tensor<4x64xf32>
  %d = arith.addf %q, %one : tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// What is at least 0 may be 0,
// CHECK-LABEL: @at_least_zero
//       CHECK: sequential: a factor that may be infinite
func.func @at_least_zero(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %d = arith.maximumf %s, %zero : tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// what is at least 1 not.
// CHECK-LABEL: @at_least_one
//       CHECK: defer wrt
func.func @at_least_one(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %d = arith.maximumf %s, %one : tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// A choice that takes 1 in place of 0 is none.
// CHECK-LABEL: @guarded
//       CHECK: defer wrt
func.func @guarded(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %is = arith.cmpf oeq, %s, %zero : tensor<4xf32>
  %d = arith.select %is, %one, %s : tensor<4xi1>, tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// It takes another number that may be 0,
// CHECK-LABEL: @guarded_by_another
//       CHECK: sequential: a factor that may be infinite
func.func @guarded_by_another(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %ax = math.absf %x : tensor<4x64xf32>
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %a = fuse.reduce sum %ax dims [1] : tensor<4x64xf32>
  %is = arith.cmpf oeq, %s, %zero : tensor<4xf32>
  %d = arith.select %is, %a, %s : tensor<4xi1>, tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// asks for another one,
// CHECK-LABEL: @another_guarded
//       CHECK: sequential: a factor that may be infinite
func.func @another_guarded(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %ax = math.absf %x : tensor<4x64xf32>
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %a = fuse.reduce sum %ax dims [1] : tensor<4x64xf32>
  %is = arith.cmpf oeq, %a, %zero : tensor<4xf32>
  %d = arith.select %is, %one, %s : tensor<4xi1>, tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// or whether that is something else.
// CHECK-LABEL: @guarded_from_one
//       CHECK: sequential: a factor that may be infinite
func.func @guarded_from_one(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %is = arith.cmpf oeq, %s, %one : tensor<4xf32>
  %d = arith.select %is, %one, %s : tensor<4xi1>, tensor<4xf32>
  %f = arith.divf %one, %d : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// A root of 0 has no reciprocal,
// CHECK-LABEL: @root
//       CHECK: sequential: a factor that may be infinite
func.func @root(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %ax = math.absf %x : tensor<4x64xf32>
  %a = fuse.reduce sum %ax dims [1] : tensor<4x64xf32>
  %f = math.rsqrt %a : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// nor has 0 a logarithm.
// CHECK-LABEL: @logarithm
//       CHECK: sequential: a factor that may be infinite
func.func @logarithm(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %ax = math.absf %x : tensor<4x64xf32>
  %a = fuse.reduce sum %ax dims [1] : tensor<4x64xf32>
  %f = math.log %a : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// Exponentials overflow.
// CHECK-LABEL: @exponential
//       CHECK: sequential: a factor that may be infinite
func.func @exponential(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %k: tensor<4x64xi1>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %ax = math.absf %x : tensor<4x64xf32>
  %a = fuse.reduce sum %ax dims [1] : tensor<4x64xf32>
  %f = math.exp %a : tensor<4xf32>
  %all = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %scaled = arith.mulf %x, %all : tensor<4x64xf32>
  %kept = arith.select %k, %scaled, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %kept dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}
