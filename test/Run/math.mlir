// Every function of arith and math on floats, in f32 and f64: what it gives at the
// ends of its domain and of the numbers, and that it is right in between.

// RUN: %python %S/Inputs/check.py %s %t

// On generated data, which is what is run again on a GPU.
// RUN: fuse-run %s --entry=generated_f32 --verify | FileCheck %s --check-prefix=GENERATED
// RUN: fuse-run %s --entry=generated_f64 --verify | FileCheck %s --check-prefix=GENERATED
// GENERATED: verify: right
// GENERATED-NOT: WRONG

// Zeros, infinities and NaN.
// IN x: [0, -0.0, inf, -inf, nan]
// OUT: [1, 1, inf, 0, nan]
// OUT: [1, 1, inf, 0, nan]
// OUT: [-inf, -inf, inf, nan, nan]
// OUT: [-inf, -inf, inf, nan, nan]
// OUT: [-inf, -inf, inf, nan, nan]
// OUT: [0, -0.0, inf, nan, nan]
// OUT: [0, -0.0, inf, -inf, nan]
// OUT: [0, -0.0, nan, nan, nan]
// OUT: [1, 1, nan, nan, nan]
// OUT: [0, -0.0, nan, nan, nan]
// OUT: [0, -0.0, nan, nan, nan]
// OUT: [0, -0.0, inf, -inf, nan]
// OUT: [1, 1, inf, inf, nan]
// OUT: [0, -0.0, 1, -1, nan]
// OUT: [0, -0.0, inf, -inf, nan]
// OUT: [nan, nan, inf, nan, nan]
// OUT: [0, -0.0, nan, nan, nan]
// OUT: [1, 1, 0, 2, nan]
// OUT: [inf, -inf, 0, nan, nan]
// VERIFY: none
func.func @ends_f32(%x: tensor<5xf32>)
    -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = math.exp %x : tensor<5xf32>
  %1 = math.exp2 %x : tensor<5xf32>
  %2 = math.log %x : tensor<5xf32>
  %3 = math.log2 %x : tensor<5xf32>
  %4 = math.log10 %x : tensor<5xf32>
  %5 = math.log1p %x : tensor<5xf32>
  %6 = math.cbrt %x : tensor<5xf32>
  %7 = math.sin %x : tensor<5xf32>
  %8 = math.cos %x : tensor<5xf32>
  %9 = math.tan %x : tensor<5xf32>
  %10 = math.asin %x : tensor<5xf32>
  %11 = math.sinh %x : tensor<5xf32>
  %12 = math.cosh %x : tensor<5xf32>
  %13 = math.tanh %x : tensor<5xf32>
  %14 = math.asinh %x : tensor<5xf32>
  %15 = math.acosh %x : tensor<5xf32>
  %16 = math.atanh %x : tensor<5xf32>
  %17 = math.erfc %x : tensor<5xf32>
  %18 = math.rsqrt %x : tensor<5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18
    : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

// These forget the sign of -0 on a CPU.
// IN x: [0, inf, -inf, nan, -0.0]
// OUT within 0: [0, inf, -1, nan, 0]
// OUT within 0: [0, 1, -1, nan, 0]
// VERIFY: none
func.func @unsigned_ends_f32(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %0 = math.expm1 %x : tensor<5xf32>
  %1 = math.erf %x : tensor<5xf32>
  return %0, %1 : tensor<5xf32>, tensor<5xf32>
}

// IN x: [0, inf, -inf, 1, -1]
// OUT within 2e-7: [pi / 2, nan, nan, 0, pi]
// OUT within 2e-7: [0, pi / 2, -pi / 2, pi / 4, -pi / 4]
// VERIFY: none
func.func @angles_f32(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %0 = math.acos %x : tensor<5xf32>
  %1 = math.atan %x : tensor<5xf32>
  return %0, %1 : tensor<5xf32>, tensor<5xf32>
}

// Angles of many turns, the last of which is as near a multiple of pi/2 as any.
// IN x: [f32(1e5), f32(1e10), f32(1e20), f32(3.4e38), f32(-16367173 * 2.0**72)]
// OUT within 2e-7: [sin(v) for v in x]
// OUT within 2e-7: [cos(v) for v in x]
// OUT within 4e-7: [tan(v) for v in x]
// OUT within 2e-7: [sin(v) for v in x]
// OUT within 2e-7: [cos(v) for v in x]
// VERIFY: none
func.func @large_angles_f32(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = math.sin %x : tensor<5xf32>
  %1 = math.cos %x : tensor<5xf32>
  %2 = math.tan %x : tensor<5xf32>
  %3, %4 = math.sincos %x : tensor<5xf32>
  return %0, %1, %2, %3, %4 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

// Powers by IEEE 754.
// IN x: [0, -0.0, -0.0, 0, -0.0, inf, -inf, -inf, -1, 1, nan, -2, -2, -8, 0.5, 2, nan, -1]
// IN y: [2, 3, -3, -1, -2, -1, 3, -3, inf, nan, 0, 3, -2, 0.5, inf, -inf, 1, 1e30]
// OUT: [0, -0.0, -inf, inf, inf, 0, -inf, -0.0, 1, 1, 1, -8, 0.25, nan, 0, 0, nan, 1]
// VERIFY: none
func.func @powers_f32(%x: tensor<18xf32>, %y: tensor<18xf32>) -> tensor<18xf32> {
  %0 = math.powf %x, %y : tensor<18xf32>
  return %0 : tensor<18xf32>
}

// IN y: [0, -0.0, 0, -0.0, 1, -1, inf, -inf, inf, 1, 1, nan]
// IN x: [1, 1, -1, -0.0, 0, -0.0, inf, -inf, -1, inf, -inf, 1]
// OUT within 2e-7: [0, -0.0, pi, -pi, pi / 2, -pi / 2, pi / 4, -3 * pi / 4, pi / 2, 0, pi, nan]
// VERIFY: none
func.func @quadrants_f32(%y: tensor<12xf32>, %x: tensor<12xf32>) -> tensor<12xf32> {
  %0 = math.atan2 %y, %x : tensor<12xf32>
  return %0 : tensor<12xf32>
}

// Remainders are exact, however far apart the numbers are.
// IN x: [5.5, -5.5, 5.5, -0.0, inf, 1, 1, nan, 3e38, 3e38, 1e-45, 7]
// IN y: [2, 2, -2, 3, 2, 0, inf, 1, 1e-45, 3, 1, 0.1]
// OUT: [fmod(v, w) if isfinite(v) and w != 0 else nan for v, w in zip(x, y)]
// VERIFY: none
func.func @remainders_f32(%x: tensor<12xf32>, %y: tensor<12xf32>) -> tensor<12xf32> {
  %0 = arith.remf %x, %y : tensor<12xf32>
  return %0 : tensor<12xf32>
}

// IN x: [0, -0.0, -0.0, 2, -2, nan, inf, -3, 1.5]
// IN n: [0, 3, -3, -3, 5, 0, -1, 2, 40]
// OUT within 1e-6: [1, -0.0, -inf, 0.125, -32, 1, 0, 9, 1.5**40]
// VERIFY: none
func.func @whole_powers_f32(%x: tensor<9xf32>, %n: tensor<9xi32>) -> tensor<9xf32> {
  %0 = math.fpowi %x, %n : tensor<9xf32>, tensor<9xi32>
  return %0 : tensor<9xf32>
}

// Zeros, infinities and NaN.
// IN x: [0, -0.0, inf, -inf, nan]
// OUT: [1, 1, inf, 0, nan]
// OUT: [1, 1, inf, 0, nan]
// OUT: [-inf, -inf, inf, nan, nan]
// OUT: [-inf, -inf, inf, nan, nan]
// OUT: [-inf, -inf, inf, nan, nan]
// OUT: [0, -0.0, inf, nan, nan]
// OUT: [0, -0.0, inf, -inf, nan]
// OUT: [0, -0.0, nan, nan, nan]
// OUT: [1, 1, nan, nan, nan]
// OUT: [0, -0.0, nan, nan, nan]
// OUT: [0, -0.0, nan, nan, nan]
// OUT: [0, -0.0, inf, -inf, nan]
// OUT: [1, 1, inf, inf, nan]
// OUT: [0, -0.0, 1, -1, nan]
// OUT: [0, -0.0, inf, -inf, nan]
// OUT: [nan, nan, inf, nan, nan]
// OUT: [0, -0.0, nan, nan, nan]
// OUT: [1, 1, 0, 2, nan]
// OUT: [inf, -inf, 0, nan, nan]
// VERIFY: none
func.func @ends_f64(%x: tensor<5xf64>)
    -> (tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) {
  %0 = math.exp %x : tensor<5xf64>
  %1 = math.exp2 %x : tensor<5xf64>
  %2 = math.log %x : tensor<5xf64>
  %3 = math.log2 %x : tensor<5xf64>
  %4 = math.log10 %x : tensor<5xf64>
  %5 = math.log1p %x : tensor<5xf64>
  %6 = math.cbrt %x : tensor<5xf64>
  %7 = math.sin %x : tensor<5xf64>
  %8 = math.cos %x : tensor<5xf64>
  %9 = math.tan %x : tensor<5xf64>
  %10 = math.asin %x : tensor<5xf64>
  %11 = math.sinh %x : tensor<5xf64>
  %12 = math.cosh %x : tensor<5xf64>
  %13 = math.tanh %x : tensor<5xf64>
  %14 = math.asinh %x : tensor<5xf64>
  %15 = math.acosh %x : tensor<5xf64>
  %16 = math.atanh %x : tensor<5xf64>
  %17 = math.erfc %x : tensor<5xf64>
  %18 = math.rsqrt %x : tensor<5xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18
    : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>
}

// These forget the sign of -0 on a CPU.
// IN x: [0, inf, -inf, nan, -0.0]
// OUT within 0: [0, inf, -1, nan, 0]
// OUT within 0: [0, 1, -1, nan, 0]
// VERIFY: none
func.func @unsigned_ends_f64(%x: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>) {
  %0 = math.expm1 %x : tensor<5xf64>
  %1 = math.erf %x : tensor<5xf64>
  return %0, %1 : tensor<5xf64>, tensor<5xf64>
}

// IN x: [0, inf, -inf, 1, -1]
// OUT within 4e-16: [pi / 2, nan, nan, 0, pi]
// OUT within 4e-16: [0, pi / 2, -pi / 2, pi / 4, -pi / 4]
// VERIFY: none
func.func @angles_f64(%x: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>) {
  %0 = math.acos %x : tensor<5xf64>
  %1 = math.atan %x : tensor<5xf64>
  return %0, %1 : tensor<5xf64>, tensor<5xf64>
}

// Angles of many turns.
// IN x: [1e5, 1e10, 1e22, 1.7e308]
// OUT within 4e-16: [sin(v) for v in x]
// OUT within 4e-16: [cos(v) for v in x]
// OUT within 1e-15: [tan(v) for v in x]
// OUT within 4e-16: [sin(v) for v in x]
// OUT within 4e-16: [cos(v) for v in x]
// VERIFY: none
func.func @large_angles_f64(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %0 = math.sin %x : tensor<4xf64>
  %1 = math.cos %x : tensor<4xf64>
  %2 = math.tan %x : tensor<4xf64>
  %3, %4 = math.sincos %x : tensor<4xf64>
  return %0, %1, %2, %3, %4 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// No f64 is nearer to a multiple of pi/2. C libraries lose some digits here, so nobody's functions say what is wanted.
// IN x: [-6381956970095103 * 2.0**797]
// OUT within 4e-16: [-1]
// OUT within 4e-16: [-4.687165924254627611e-19]
// OUT within 2e-15: [2.133485385753703838e18]
// VERIFY: expect 2e-15
func.func @nearest_angle_f64(%x: tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) {
  %0 = math.sin %x : tensor<1xf64>
  %1 = math.cos %x : tensor<1xf64>
  %2 = math.tan %x : tensor<1xf64>
  return %0, %1, %2 : tensor<1xf64>, tensor<1xf64>, tensor<1xf64>
}

// Powers by IEEE 754.
// IN x: [0, -0.0, -0.0, 0, -0.0, inf, -inf, -inf, -1, 1, nan, -2, -2, -8, 0.5, 2, nan, -1]
// IN y: [2, 3, -3, -1, -2, -1, 3, -3, inf, nan, 0, 3, -2, 0.5, inf, -inf, 1, 1e30]
// OUT: [0, -0.0, -inf, inf, inf, 0, -inf, -0.0, 1, 1, 1, -8, 0.25, nan, 0, 0, nan, 1]
// VERIFY: none
func.func @powers_f64(%x: tensor<18xf64>, %y: tensor<18xf64>) -> tensor<18xf64> {
  %0 = math.powf %x, %y : tensor<18xf64>
  return %0 : tensor<18xf64>
}

// IN y: [0, -0.0, 0, -0.0, 1, -1, inf, -inf, inf, 1, 1, nan]
// IN x: [1, 1, -1, -0.0, 0, -0.0, inf, -inf, -1, inf, -inf, 1]
// OUT within 4e-16: [0, -0.0, pi, -pi, pi / 2, -pi / 2, pi / 4, -3 * pi / 4, pi / 2, 0, pi, nan]
// VERIFY: none
func.func @quadrants_f64(%y: tensor<12xf64>, %x: tensor<12xf64>) -> tensor<12xf64> {
  %0 = math.atan2 %y, %x : tensor<12xf64>
  return %0 : tensor<12xf64>
}

// Remainders are exact, however far apart the numbers are.
// IN x: [5.5, -5.5, 5.5, -0.0, inf, 1, 1, nan, 1.7e308, 1.7e308, 5e-324, 7]
// IN y: [2, 2, -2, 3, 2, 0, inf, 1, 5e-324, 3, 1, 0.1]
// OUT: [fmod(v, w) if isfinite(v) and w != 0 else nan for v, w in zip(x, y)]
// VERIFY: none
func.func @remainders_f64(%x: tensor<12xf64>, %y: tensor<12xf64>) -> tensor<12xf64> {
  %0 = arith.remf %x, %y : tensor<12xf64>
  return %0 : tensor<12xf64>
}

// IN x: [0, -0.0, -0.0, 2, -2, nan, inf, -3, 1.5]
// IN n: [0, 3, -3, -3, 5, 0, -1, 2, 40]
// OUT within 1e-14: [1, -0.0, -inf, 0.125, -32, 1, 0, 9, 1.5**40]
// VERIFY: none
func.func @whole_powers_f64(%x: tensor<9xf64>, %n: tensor<9xi32>) -> tensor<9xf64> {
  %0 = math.fpowi %x, %n : tensor<9xf64>, tensor<9xi32>
  return %0 : tensor<9xf64>
}

// Powers of integers wrap around; those that are fractions are 0.
// IN x: [2, -2, 3, 0, 7, -1, 1, -1, 2]
// IN n: [10, 31, 40, 0, 1, -3, -5, -4, -1]
// OUT: [1024, -2147483648, (3**40 + 2**31) % 2**32 - 2**31, 1, 7, -1, 1, 1, 0]
// VERIFY: exact
func.func @powers_of_integers(%x: tensor<9xi32>, %n: tensor<9xi32>) -> tensor<9xi32> {
  %0 = math.ipowi %x, %n : tensor<9xi32>
  return %0 : tensor<9xi32>
}

// Negative powers of 0 are 0, too, whatever is known when it is compiled.
// IN x: [0, 0, 0, 0, 0]
// IN n: [-1, -2, -2147483648, 0, 3]
// OUT: [0, 0, 0, 1, 0]
// VERIFY: exact
func.func @powers_of_zero_i32(%x: tensor<5xi32>, %n: tensor<5xi32>) -> tensor<5xi32> {
  %0 = math.ipowi %x, %n : tensor<5xi32>
  return %0 : tensor<5xi32>
}

// IN x: [0, 0, 0, 0, 0]
// IN n: [-1, -2, -2**63, 0, 3]
// OUT: [0, 0, 0, 1, 0]
// VERIFY: exact
func.func @powers_of_zero_i64(%x: tensor<5xi64>, %n: tensor<5xi64>) -> tensor<5xi64> {
  %0 = math.ipowi %x, %n : tensor<5xi64>
  return %0 : tensor<5xi64>
}

// IN n: [-1, -128, 0, 127]
// OUT: [0, 0, 1, 0]
// VERIFY: exact
func.func @powers_of_constant_zero(%n: tensor<4xi8>) -> tensor<4xi8> {
  %x = arith.constant dense<0> : tensor<4xi8>
  %0 = math.ipowi %x, %n : tensor<4xi8>
  return %0 : tensor<4xi8>
}

// IN x: [0, 1, -1, 2, -128]
// OUT: [0, 1, -1, 0, 0]
// VERIFY: exact
func.func @reciprocals_of_integers(%x: tensor<5xi8>) -> tensor<5xi8> {
  %n = arith.constant dense<-1> : tensor<5xi8>
  %0 = math.ipowi %x, %n : tensor<5xi8>
  return %0 : tensor<5xi8>
}

// IN x: [0, 1, 0, 1]
// IN n: [0, 0, 1, 1]
// OUT: [1, 1, 0, 1]
// VERIFY: exact
func.func @powers_of_bools(%x: tensor<4xi1>, %n: tensor<4xi1>) -> tensor<4xi1> {
  %0 = math.ipowi %x, %n : tensor<4xi1>
  return %0 : tensor<4xi1>
}

func.func @generated_f32(%x: tensor<1024xf32> {fuse.fill = #fuse.fill<normal, 0, 100>}, %m: tensor<1024xf32> {fuse.fill = #fuse.fill<uniform, -5, 5>},
    %u: tensor<1024xf32> {fuse.fill = #fuse.fill<uniform, -0.9, 0.9>}, %p: tensor<1024xf32> {fuse.fill = #fuse.fill<uniform, 1.5, 50>})
    -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) {
  %0 = math.sin %x : tensor<1024xf32>
  %1 = math.cos %x : tensor<1024xf32>
  %2 = math.tan %x : tensor<1024xf32>
  %3 = math.atan %x : tensor<1024xf32>
  %4 = math.asinh %x : tensor<1024xf32>
  %5 = math.erf %x : tensor<1024xf32>
  %6 = math.erfc %x : tensor<1024xf32>
  %7 = math.tanh %x : tensor<1024xf32>
  %8 = math.cbrt %x : tensor<1024xf32>
  %9 = math.exp %m : tensor<1024xf32>
  %10 = math.exp2 %m : tensor<1024xf32>
  %11 = math.expm1 %m : tensor<1024xf32>
  %12 = math.sinh %m : tensor<1024xf32>
  %13 = math.cosh %m : tensor<1024xf32>
  %14 = math.asin %u : tensor<1024xf32>
  %15 = math.acos %u : tensor<1024xf32>
  %16 = math.atanh %u : tensor<1024xf32>
  %17 = math.log1p %u : tensor<1024xf32>
  %18 = math.log %p : tensor<1024xf32>
  %19 = math.log2 %p : tensor<1024xf32>
  %20 = math.log10 %p : tensor<1024xf32>
  %21 = math.acosh %p : tensor<1024xf32>
  %22 = math.rsqrt %p : tensor<1024xf32>
  %23 = math.powf %p, %m : tensor<1024xf32>
  %24 = math.atan2 %x, %m : tensor<1024xf32>
  %25 = arith.remf %x, %u : tensor<1024xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25
    : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
}

func.func @generated_f64(%x: tensor<1024xf64> {fuse.fill = #fuse.fill<normal, 0, 100>}, %m: tensor<1024xf64> {fuse.fill = #fuse.fill<uniform, -5, 5>},
    %u: tensor<1024xf64> {fuse.fill = #fuse.fill<uniform, -0.9, 0.9>}, %p: tensor<1024xf64> {fuse.fill = #fuse.fill<uniform, 1.5, 50>})
    -> (tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>) {
  %0 = math.sin %x : tensor<1024xf64>
  %1 = math.cos %x : tensor<1024xf64>
  %2 = math.tan %x : tensor<1024xf64>
  %3 = math.atan %x : tensor<1024xf64>
  %4 = math.asinh %x : tensor<1024xf64>
  %5 = math.erf %x : tensor<1024xf64>
  %6 = math.erfc %x : tensor<1024xf64>
  %7 = math.tanh %x : tensor<1024xf64>
  %8 = math.cbrt %x : tensor<1024xf64>
  %9 = math.exp %m : tensor<1024xf64>
  %10 = math.exp2 %m : tensor<1024xf64>
  %11 = math.expm1 %m : tensor<1024xf64>
  %12 = math.sinh %m : tensor<1024xf64>
  %13 = math.cosh %m : tensor<1024xf64>
  %14 = math.asin %u : tensor<1024xf64>
  %15 = math.acos %u : tensor<1024xf64>
  %16 = math.atanh %u : tensor<1024xf64>
  %17 = math.log1p %u : tensor<1024xf64>
  %18 = math.log %p : tensor<1024xf64>
  %19 = math.log2 %p : tensor<1024xf64>
  %20 = math.log10 %p : tensor<1024xf64>
  %21 = math.acosh %p : tensor<1024xf64>
  %22 = math.rsqrt %p : tensor<1024xf64>
  %23 = math.powf %p, %m : tensor<1024xf64>
  %24 = math.atan2 %x, %m : tensor<1024xf64>
  %25 = arith.remf %x, %u : tensor<1024xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25
    : tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>, tensor<1024xf64>
}
