// Why a sum does not join the loop of what it needs, or joins it in one way only.

// RUN: fuse-opt %s --split-input-file --fuse-print-cascades -o /dev/null | FileCheck %s
// RUN: fuse-opt %s --split-input-file --fuse-print-cascades=strategy=pilot -o /dev/null | FileCheck %s --check-prefix=PILOT
// RUN: fuse-opt %s --split-input-file --fuse-print-cascades=strategy=rescale -o /dev/null | FileCheck %s --check-prefix=RESCALE

// A number that a factor would have kept in the range of f16.
// CHECK-LABEL: @cast_of_any_number
// CHECK: sequential: what is cast to a type of fewer exponents may be too large
func.func @cast_of_any_number(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf16> {
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %sb = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %t0 = arith.mulf %x, %sb : tensor<4x64xf32>
  %t = arith.truncf %t0 : tensor<4x64xf32> to tensor<4x64xf16>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf16>
  return %sum : tensor<4xf16>
}

// -----

// Powers of what is at least a minimum have no end.
// CHECK-LABEL: @cast_of_powers_above_one
// CHECK: sequential: what is cast to a type of fewer exponents may be too large
func.func @cast_of_powers_above_one(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf16> {
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %n = fuse.reduce min %x dims [1] : tensor<4x64xf32>
  %sb = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %nb = fuse.broadcast %n dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %d = arith.subf %x, %nb : tensor<4x64xf32>
  %e = math.exp %d : tensor<4x64xf32>
  %t0 = arith.mulf %e, %sb : tensor<4x64xf32>
  %t = arith.truncf %t0 : tensor<4x64xf32> to tensor<4x64xf16>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf16>
  return %sum : tensor<4xf16>
}

// -----

// Digits that it would have kept.
// CHECK-LABEL: @cast_of_small_numbers
// CHECK: sequential: what is cast to a type of fewer exponents may be too small
func.func @cast_of_small_numbers(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf16> {
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %sb = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %e = math.tanh %x : tensor<4x64xf32>
  %t0 = arith.mulf %e, %sb : tensor<4x64xf32>
  %t = arith.truncf %t0 : tensor<4x64xf32> to tensor<4x64xf16>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf16>
  return %sum : tensor<4xf16>
}

// -----

// A quotient may be large where its divisor is small,
// CHECK-LABEL: @quotient_by_any_number
// CHECK: sequential: what is cast to a type of fewer exponents may be too small
func.func @quotient_by_any_number(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf16> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %ax = math.absf %x : tensor<4x64xf32>
  %a = fuse.reduce sum %ax dims [1] : tensor<4x64xf32>
  %f = arith.divf %one, %a : tensor<4xf32>
  %fb = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %e = math.tanh %x : tensor<4x64xf32>
  %t0 = arith.mulf %e, %fb : tensor<4x64xf32>
  %t = arith.truncf %t0 : tensor<4x64xf32> to tensor<4x64xf16>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf16>
  return %sum : tensor<4xf16>
}

// -----

// which one of powers is not: one of them is 1.
// CHECK-LABEL: @part_of_a_sum
// CHECK: defer wrt
func.func @part_of_a_sum(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf16> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %largest = fuse.reduce max %x dims [1] : tensor<4x64xf32>
  %lb = fuse.broadcast %largest dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %ld = arith.subf %x, %lb : tensor<4x64xf32>
  %le = math.exp %ld : tensor<4x64xf32>
  %ls = fuse.reduce sum %le dims [1] : tensor<4x64xf32>
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %f = arith.divf %one, %ls : tensor<4xf32>
  %fb = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %e = math.tanh %x : tensor<4x64xf32>
  %t0 = arith.mulf %e, %fb : tensor<4x64xf32>
  %t = arith.truncf %t0 : tensor<4x64xf32> to tensor<4x64xf16>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf16>
  return %sum : tensor<4xf16>
}

// -----

// Two in place of one may be more than 1.
// CHECK-LABEL: @more_than_a_part
// CHECK: sequential: what is cast to a type of fewer exponents may be too small
func.func @more_than_a_part(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf16> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %largest = fuse.reduce max %x dims [1] : tensor<4x64xf32>
  %lb = fuse.broadcast %largest dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %ld = arith.subf %x, %lb : tensor<4x64xf32>
  %le = math.exp %ld : tensor<4x64xf32>
  %ls = fuse.reduce sum %le dims [1] : tensor<4x64xf32>
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %f = arith.divf %two, %ls : tensor<4xf32>
  %fb = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %e = math.tanh %x : tensor<4x64xf32>
  %t0 = arith.mulf %e, %fb : tensor<4x64xf32>
  %t = arith.truncf %t0 : tensor<4x64xf32> to tensor<4x64xf16>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf16>
  return %sum : tensor<4xf16>
}

// -----

// Of three factors in f16 two may be out of its range,
// CHECK-LABEL: @products_of_f16
// CHECK: sequential: a product in a type of few exponents may be out of its range
func.func @products_of_f16(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf16> {
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %sh = arith.truncf %s : tensor<4xf32> to tensor<4xf16>
  %shb = fuse.broadcast %sh dims [0] : tensor<4xf16> -> tensor<4x64xf16>
  %t0 = arith.mulf %h, %shb : tensor<4x64xf16>
  %t = arith.mulf %t0, %g : tensor<4x64xf16>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf16>
  return %sum : tensor<4xf16>
}

// -----

// and so may a quotient.
// CHECK-LABEL: @quotients_of_f16
// CHECK: sequential: a product in a type of few exponents may be out of its range
func.func @quotients_of_f16(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf16> {
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %sh = arith.truncf %s : tensor<4xf32> to tensor<4xf16>
  %shb = fuse.broadcast %sh dims [0] : tensor<4xf16> -> tensor<4x64xf16>
  %t0 = arith.mulf %h, %shb : tensor<4x64xf16>
  %t = arith.divf %t0, %g : tensor<4x64xf16>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf16>
  return %sum : tensor<4xf16>
}

// -----

// What is summed depends on how large the statistic is.
// CHECK-LABEL: @asked_of_a_statistic
// CHECK: sequential: the body is not separable
func.func @asked_of_a_statistic(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x64xf32>
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %sb = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %c = arith.cmpf ogt, %x, %sb : tensor<4x64xf32>
  %t = arith.select %c, %x, %zeros : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// A sum of what varies and what is awaited divides nothing apart.
// CHECK-LABEL: @divided_by_a_sum
// CHECK: sequential: the body is not separable
func.func @divided_by_a_sum(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf32> {
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %sb = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %d = arith.addf %y, %sb : tensor<4x64xf32>
  %t = arith.divf %x, %d : tensor<4x64xf32>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// What is added to a statistic is no shift of what varies.
// CHECK-LABEL: @sums_of_statistics
// CHECK: defer wrt
func.func @sums_of_statistics(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf32> {
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %q = fuse.reduce sum %y dims [1] : tensor<4x64xf32>
  %sb = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %qb = fuse.broadcast %q dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %d = arith.addf %sb, %qb : tensor<4x64xf32>
  %t = arith.mulf %x, %d : tensor<4x64xf32>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// A maximum bounds what it is one of, not twice as much.
// CHECK-LABEL: @beyond_the_maximum
// CHECK: sequential: an exponential is not bounded by the running max
func.func @beyond_the_maximum(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf32> {
  %m = fuse.reduce max %x dims [1] : tensor<4x64xf32>
  %mb = fuse.broadcast %m dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %d2 = arith.addf %x, %x : tensor<4x64xf32>
  %d = arith.subf %d2, %mb : tensor<4x64xf32>
  %t = math.exp %d : tensor<4x64xf32>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// Before anything is summed there is no quotient by it.
// CHECK-LABEL: @around_a_quotient
// CHECK: sequential: what the sum is around has no finite value before the first block
func.func @around_a_quotient(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %f = arith.divf %one, %s : tensor<4xf32>
  %fb = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %d = arith.subf %x, %fb : tensor<4x64xf32>
  %t = arith.mulf %d, %d : tensor<4x64xf32>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// A quotient by what moves is no polynomial.
// RESCALE-LABEL: @quotient_by_a_distance
// RESCALE: sequential: the body is neither a polynomial nor an exponential
func.func @quotient_by_a_distance(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf32> {
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %sb = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %d = arith.subf %x, %sb : tensor<4x64xf32>
  %t = arith.divf %y, %d : tensor<4x64xf32>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// What is chosen by what moves is none either.
// RESCALE-LABEL: @chosen_by_a_distance
// RESCALE: sequential: the body is neither a polynomial nor an exponential
func.func @chosen_by_a_distance(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf32> {
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %sb = fuse.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %d = arith.subf %x, %sb : tensor<4x64xf32>
  %c = arith.cmpf ogt, %x, %sb : tensor<4x64xf32>
  %t = arith.select %c, %d, %y : tensor<4x64xi1>, tensor<4x64xf32>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// Nor is a power of what moves together with something else.
// CHECK-LABEL: @power_and_more
// CHECK: sequential: what the sum is around has no finite value before the first block
func.func @power_and_more(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf32> {
  %m = fuse.reduce max %x dims [1] : tensor<4x64xf32>
  %mb = fuse.broadcast %m dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %d = arith.subf %x, %mb : tensor<4x64xf32>
  %e = math.exp %d : tensor<4x64xf32>
  %t = arith.addf %e, %mb : tensor<4x64xf32>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}

// -----

// A seventh of the sum of 64 is no mean.
// PILOT-LABEL: @around_no_mean
// PILOT: sequential: only a mean can be a pilot
func.func @around_no_mean(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>, %h: tensor<4x64xf16>, %g: tensor<4x64xf16>) -> tensor<4xf32> {
  %s = fuse.reduce sum %x dims [1] : tensor<4x64xf32>
  %seven = arith.constant dense<7.0> : tensor<4xf32>
  %f = arith.divf %s, %seven : tensor<4xf32>
  %fb = fuse.broadcast %f dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %d = arith.subf %x, %fb : tensor<4x64xf32>
  %t = arith.mulf %d, %d : tensor<4x64xf32>
  %sum = fuse.reduce sum %t dims [1] : tensor<4x64xf32>
  return %sum : tensor<4xf32>
}
