// Upstream's pointwise ops on tensors, for what the types make of them.

// RUN: %python %S/Inputs/check.py %s %t

// IN x: [7, -7, 100, -128, 127, -1]
// IN y: [2, 2, 100, -1, 1, -128]
// OUT: [9, -5, -56, 127, -128, 127]
// OUT: [5, -9, 0, -127, 126, 127]
// OUT: [14, -14, 16, -128, 127, -128]
// OUT: [7, 2, 100, -1, 127, -1]
// OUT: [2, -7, 100, -128, 1, -128]
// OUT: [7, 249 - 256, 100, -1, 127, -1]
// OUT: [7 & 2, -7 & 2, 100, -128, 1, -128]
// OUT: [7 | 2, -7 | 2, 100, -1, 127, -1]
// OUT: [7 ^ 2, -7 ^ 2, 0, 127, 126, 127]
// VERIFY: exact
func.func @i8(%x: tensor<6xi8>, %y: tensor<6xi8>)
    -> (tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>) {
  %0 = arith.addi %x, %y : tensor<6xi8>
  %1 = arith.subi %x, %y : tensor<6xi8>
  %2 = arith.muli %x, %y : tensor<6xi8>
  %3 = arith.maxsi %x, %y : tensor<6xi8>
  %4 = arith.minsi %x, %y : tensor<6xi8>
  %5 = arith.maxui %x, %y : tensor<6xi8>
  %6 = arith.andi %x, %y : tensor<6xi8>
  %7 = arith.ori %x, %y : tensor<6xi8>
  %8 = arith.xori %x, %y : tensor<6xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
    : tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>
}

// Rounding of quotients: to zero, down, up; the sign of a remainder.
// IN x: [7, -7, 7, -7, 2**31 - 1, -2**31]
// IN y: [2, 2, -2, -2, 3, 3]
// OUT: [3, -3, -3, 3, 715827882, -715827882]
// OUT: [3, -4, -4, 3, 715827882, -715827883]
// OUT: [4, -3, -3, 4, 715827883, -715827882]
// OUT: [1, -1, 1, -1, 1, -2]
// OUT: [3, 2147483644, 0, 0, 715827882, 715827882]
// OUT: [28, -28, 1, 1, -8, 0]
// OUT: [1, -2, 7, -7, 268435455, -268435456]
// VERIFY: exact
func.func @i32(%x: tensor<6xi32>, %y: tensor<6xi32>)
    -> (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) {
  %0 = arith.divsi %x, %y : tensor<6xi32>
  %1 = arith.floordivsi %x, %y : tensor<6xi32>
  %2 = arith.ceildivsi %x, %y : tensor<6xi32>
  %3 = arith.remsi %x, %y : tensor<6xi32>
  %4 = arith.divui %x, %y : tensor<6xi32>
  %by = arith.constant dense<[2, 2, 0, 0, 3, 3]> : tensor<6xi32>
  %base = arith.constant dense<[7, -7, 1, 1, -1, 0]> : tensor<6xi32>
  %5 = arith.shli %base, %by : tensor<6xi32>
  %6 = arith.shrsi %x, %by : tensor<6xi32>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>
}

// IN x: [2**62, -2**63, 5]
// IN y: [2**62, -1, -3]
// IN p: [3, -4]
// IN q: [-2, 5]
// OUT: [-2**63, 2**63 - 1, 2]
// OUT: [0, -2**63, -15]
// OUT: [False, True, False]
// OUT: [False, True, True]
// OUT: [1, 1]
// OUT: [-6, -20]
// OUT: [True, False]
// VERIFY: exact
func.func @i64_and_index(%x: tensor<3xi64>, %y: tensor<3xi64>, %p: tensor<2xindex>, %q: tensor<2xindex>)
    -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi1>, tensor<3xi1>, tensor<2xindex>, tensor<2xindex>, tensor<2xi1>) {
  %0 = arith.addi %x, %y : tensor<3xi64>
  %1 = arith.muli %x, %y : tensor<3xi64>
  %2 = arith.cmpi slt, %x, %y : tensor<3xi64>
  %3 = arith.cmpi ult, %x, %y : tensor<3xi64>
  %4 = arith.addi %p, %q : tensor<2xindex>
  %5 = arith.muli %p, %q : tensor<2xindex>
  %6 = arith.cmpi sgt, %p, %q : tensor<2xindex>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<3xi64>, tensor<3xi64>, tensor<3xi1>, tensor<3xi1>, tensor<2xindex>, tensor<2xindex>, tensor<2xi1>
}

// IN x: [1, -1, 0]
// IN y: [1, 1, -1]
// OUT: [True, False, False]
// OUT: [False, True, True]
// OUT: [False, True, False]
// OUT: [True, True, False]
// OUT: [False, False, True]
// OUT: [True, False, True]
// OUT: [False, False, True]
// OUT: [True, False, True]
// OUT: [False, True, False]
// OUT: [True, True, False]
// VERIFY: exact
func.func @compare_integers(%x: tensor<3xi16>, %y: tensor<3xi16>)
    -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %0 = arith.cmpi eq, %x, %y : tensor<3xi16>
  %1 = arith.cmpi ne, %x, %y : tensor<3xi16>
  %2 = arith.cmpi slt, %x, %y : tensor<3xi16>
  %3 = arith.cmpi sle, %x, %y : tensor<3xi16>
  %4 = arith.cmpi sgt, %x, %y : tensor<3xi16>
  %5 = arith.cmpi sge, %x, %y : tensor<3xi16>
  %6 = arith.cmpi ult, %x, %y : tensor<3xi16>
  %7 = arith.cmpi ule, %x, %y : tensor<3xi16>
  %8 = arith.cmpi ugt, %x, %y : tensor<3xi16>
  %9 = arith.cmpi uge, %x, %y : tensor<3xi16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}

// Ordered comparisons are false for a NaN, unordered ones true; -0 equals 0.
// IN x: [1, 2, nan, nan, -0.0, inf]
// IN y: [2, 1, 1, nan, 0.0, inf]
// IN h: [1, 2, nan, nan, -0.0, inf]
// IN g: [2, 1, 1, nan, 0.0, inf]
// OUT: [False, False, False, False, True, True]
// OUT: [True, True, True, True, False, False]
// OUT: [True, False, False, False, False, False]
// OUT: [True, False, True, True, True, True]
// OUT: [True, True, False, False, True, True]
// OUT: [False, False, True, True, False, False]
// OUT: [True, True, False, False, False, False]
// OUT: [False, False, True, True, True, True]
// OUT: [True, False, False, False, False, False]
// OUT: [False, True, True, True, False, False]
// VERIFY: exact
func.func @compare_floats(%x: tensor<6xf32>, %y: tensor<6xf32>, %h: tensor<6xf16>, %g: tensor<6xf16>)
    -> (tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>) {
  %0 = arith.cmpf oeq, %x, %y : tensor<6xf32>
  %1 = arith.cmpf une, %x, %y : tensor<6xf32>
  %2 = arith.cmpf olt, %x, %y : tensor<6xf32>
  %3 = arith.cmpf ule, %x, %y : tensor<6xf32>
  %4 = arith.cmpf ord, %x, %y : tensor<6xf32>
  %5 = arith.cmpf uno, %x, %y : tensor<6xf32>
  %6 = arith.cmpf one, %x, %y : tensor<6xf32>
  %7 = arith.cmpf ueq, %x, %y : tensor<6xf32>
  %8 = arith.cmpf olt, %h, %g : tensor<6xf16>
  %9 = arith.cmpf ugt, %h, %g : tensor<6xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xi1>
}

// Per element, and all or nothing by one condition.
// IN c: [True, False, True]
// IN x: [1, 2, nan]
// IN y: [nan, 5, 6]
// IN a: [1, 2, 3]
// IN b: [-1, -2, -3]
// IN p: [True, True, False]
// OUT: [1, 5, nan]
// OUT: [1, -2, 3]
// OUT: [True, False, False]
// OUT: [nan, 5, 6]
// OUT: [False, True, False]
// OUT: [False, True, True]
// VERIFY: exact
func.func @select(%c: tensor<3xi1>, %x: tensor<3xf16>, %y: tensor<3xf16>, %a: tensor<3xindex>, %b: tensor<3xindex>, %p: tensor<3xi1>)
    -> (tensor<3xf16>, tensor<3xindex>, tensor<3xi1>, tensor<3xf16>, tensor<3xi1>, tensor<3xi1>) {
  %0 = arith.select %c, %x, %y : tensor<3xi1>, tensor<3xf16>
  %1 = arith.select %c, %a, %b : tensor<3xi1>, tensor<3xindex>
  %2 = arith.andi %c, %p : tensor<3xi1>
  %no = arith.constant false
  %3 = arith.select %no, %x, %y : tensor<3xf16>
  %all = arith.constant dense<true> : tensor<3xi1>
  %4 = arith.xori %c, %all : tensor<3xi1>
  %5 = arith.xori %c, %p : tensor<3xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xf16>, tensor<3xindex>, tensor<3xi1>, tensor<3xf16>, tensor<3xi1>, tensor<3xi1>
}

// The four operations round once, to nearest even, in the type they are in.
// IN x: [1, 3, -0.0, inf, 5e-324, 1]
// IN y: [3, 0, 0.0, inf, 0.5, -1]
// IN h: [1, 2048, 65504, 6e-8, 0.1, -1]
// IN g: [3, 1, 65504, 0.5, 0.2, -0.0]
// OUT: [4, 3, 0.0, inf, 0.5, 0.0]
// OUT: [-2, 3, -0.0, nan, -0.5, 2]
// OUT: [3, 0, -0.0, inf, 0.0, -1]
// OUT: [1 / 3, inf, nan, nan, 1e-323, -1]
// OUT: [1, 3, -0.0, nan, 5e-324, 0.0]
// OUT: [4, 2048, inf, 0.5, f16(f16(0.1) + f16(0.2)), -1]
// OUT: [-2, 2047, 0, -0.5, f16(f16(0.1) - f16(0.2)), -1]
// OUT: [3, 2048, inf, 0, f16(f16(0.1) * f16(0.2)), 0]
// OUT: [f16(1 / 3), 2048, 1, 1.1920928955078125e-07, f16(f16(0.1) / f16(0.2)), inf]
// VERIFY: none
func.func @floats(%x: tensor<6xf64>, %y: tensor<6xf64>, %h: tensor<6xf16>, %g: tensor<6xf16>)
    -> (tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>) {
  %0 = arith.addf %x, %y : tensor<6xf64>
  %1 = arith.subf %x, %y : tensor<6xf64>
  %2 = arith.mulf %x, %y : tensor<6xf64>
  %3 = arith.divf %x, %y : tensor<6xf64>
  %c = arith.constant dense<[3.0, 4.0, 1.0, 1.0, 0.5, 1.0]> : tensor<6xf64>
  %4 = arith.remf %x, %c : tensor<6xf64>
  %5 = arith.addf %h, %g : tensor<6xf16>
  %6 = arith.subf %h, %g : tensor<6xf16>
  %7 = arith.mulf %h, %g : tensor<6xf16>
  %8 = arith.divf %h, %g : tensor<6xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
    : tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>
}

// bf16 rounds after every op: 256 + 1 is 256, and stays so.
// IN x: [256, 1, 3, 3e38]
// IN y: [1, 0.00390625, 7, 3e38]
// OUT: [256, 1, 10, inf]
// OUT: [256, 1, 17, inf]
// OUT: [bf16(1 / 256), bf16(1 / 256), bf16(7 / 3), 1]
// OUT: [bf16(bf16(1 / 256) * 256), bf16(1 / 256), bf16(bf16(7 / 3) * 3), 3e38]
// VERIFY: none
func.func @narrow(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) {
  %0 = arith.addf %x, %y : tensor<4xbf16>
  %1 = arith.addf %0, %y : tensor<4xbf16>
  %2 = arith.divf %y, %x : tensor<4xbf16>
  %3 = arith.mulf %2, %x : tensor<4xbf16>
  return %0, %1, %2, %3 : tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>
}

// maximumf and minimumf are NaN if either is; maxnumf and minnumf only if both.
// IN x: [nan, 1, nan, -inf, 2]
// IN y: [1, nan, nan, inf, 3]
// IN h: [nan, 1, nan, -inf, 2]
// IN g: [1, nan, nan, inf, 3]
// OUT: [nan, nan, nan, inf, 3]
// OUT: [nan, nan, nan, -inf, 2]
// OUT: [1, 1, nan, inf, 3]
// OUT: [1, 1, nan, -inf, 2]
// OUT: [nan, nan, nan, inf, 3]
// OUT: [1, 1, nan, -inf, 2]
// OUT: [nan, -1, nan, inf, -2]
// OUT: [nan, 1, nan, inf, 2]
// OUT: [1, -1, nan, -inf, 2]
// VERIFY: exact
func.func @max_min(%x: tensor<5xf32>, %y: tensor<5xf32>, %h: tensor<5xbf16>, %g: tensor<5xbf16>)
    -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = arith.maximumf %x, %y : tensor<5xf32>
  %1 = arith.minimumf %x, %y : tensor<5xf32>
  %2 = arith.maxnumf %x, %y : tensor<5xf32>
  %3 = arith.minnumf %x, %y : tensor<5xf32>
  %4 = arith.maximumf %h, %g : tensor<5xbf16>
  %5 = arith.minnumf %h, %g : tensor<5xbf16>
  %6 = arith.negf %x : tensor<5xf32>
  %7 = math.absf %x : tensor<5xf32>
  %n = arith.constant dense<[1.0, -1.0, 1.0, -1.0, 1.0]> : tensor<5xf32>
  %abs = math.absf %3 : tensor<5xf32>
  %8 = math.copysign %abs, %n : tensor<5xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
    : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xbf16>, tensor<5xbf16>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

// Functions of math, against Python's.
// IN x: [k / 8 for k in range(1, 60)]
// OUT within 1e-15: [exp(v) for v in x]
// OUT within 1e-15: [2.0 ** v for v in x]
// OUT within 1e-15: [log(v) for v in x]
// OUT within 1e-15: [log2(v) for v in x]
// OUT within 1e-15: [log1p(v) for v in x]
// OUT within 1e-15: [expm1(v) for v in x]
// OUT: [sqrt(v) for v in x]
// OUT within 1e-15: [1 / sqrt(v) for v in x]
// OUT within 1e-15: [sin(v) for v in x]
// OUT within 1e-15: [cos(v) for v in x]
// OUT within 1e-15: [tanh(v) for v in x]
// OUT within 1e-15: [erf(v) for v in x]
// OUT within 1e-15: [v ** 1.5 for v in x]
// OUT: [float(floor(v)) for v in x]
// OUT: [float(ceil(v)) for v in x]
// OUT: [float(round(v)) for v in x]
// VERIFY: within 1e-14
func.func @math_f64(%x: tensor<59xf64>)
    -> (tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>,
        tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>) {
  %0 = math.exp %x : tensor<59xf64>
  %1 = math.exp2 %x : tensor<59xf64>
  %2 = math.log %x : tensor<59xf64>
  %3 = math.log2 %x : tensor<59xf64>
  %4 = math.log1p %x : tensor<59xf64>
  %5 = math.expm1 %x : tensor<59xf64>
  %6 = math.sqrt %x : tensor<59xf64>
  %7 = math.rsqrt %x : tensor<59xf64>
  %8 = math.sin %x : tensor<59xf64>
  %9 = math.cos %x : tensor<59xf64>
  %10 = math.tanh %x : tensor<59xf64>
  %11 = math.erf %x : tensor<59xf64>
  %c = arith.constant dense<1.5> : tensor<59xf64>
  %12 = math.powf %x, %c : tensor<59xf64>
  %13 = math.floor %x : tensor<59xf64>
  %14 = math.ceil %x : tensor<59xf64>
  %15 = math.roundeven %x : tensor<59xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15
    : tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>,
      tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>, tensor<59xf64>
}

// The same in f32, and through f32 in the half precisions.
// IN x: [k / 8 for k in range(1, 60)]
// IN h: [k / 8 for k in range(1, 60)]
// IN b: [k / 8 for k in range(1, 60)]
// OUT within 2e-7: [exp(v) for v in x]
// OUT within 2e-7: [log(v) for v in x]
// OUT within 2e-7: [tanh(v) for v in x]
// OUT within 2e-7: [erf(v) for v in x]
// OUT within 2e-7: [sin(v) for v in x]
// OUT: [f32(sqrt(v)) for v in x]
// OUT within 2e-7: [1 / sqrt(v) for v in x]
// OUT within 1e-3: [exp(v) for v in h]
// OUT within 1e-3: [log(v) for v in h]
// OUT within 1e-3: [tanh(v) for v in h]
// OUT within 1e-3: [erf(v) for v in h]
// OUT within 1e-2: [exp(v) for v in b]
// OUT within 1e-2: [log(v) for v in b]
// OUT within 1e-2: [1 / sqrt(v) for v in b]
// VERIFY: within 1e-2
func.func @math_narrow(%x: tensor<59xf32>, %h: tensor<59xf16>, %b: tensor<59xbf16>)
    -> (tensor<59xf32>, tensor<59xf32>, tensor<59xf32>, tensor<59xf32>, tensor<59xf32>, tensor<59xf32>, tensor<59xf32>,
        tensor<59xf16>, tensor<59xf16>, tensor<59xf16>, tensor<59xf16>, tensor<59xbf16>, tensor<59xbf16>, tensor<59xbf16>) {
  %0 = math.exp %x : tensor<59xf32>
  %1 = math.log %x : tensor<59xf32>
  %2 = math.tanh %x : tensor<59xf32>
  %3 = math.erf %x : tensor<59xf32>
  %4 = math.sin %x : tensor<59xf32>
  %5 = math.sqrt %x : tensor<59xf32>
  %6 = math.rsqrt %x : tensor<59xf32>
  %7 = math.exp %h : tensor<59xf16>
  %8 = math.log %h : tensor<59xf16>
  %9 = math.tanh %h : tensor<59xf16>
  %10 = math.erf %h : tensor<59xf16>
  %11 = math.exp %b : tensor<59xbf16>
  %12 = math.log %b : tensor<59xbf16>
  %13 = math.rsqrt %b : tensor<59xbf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13
    : tensor<59xf32>, tensor<59xf32>, tensor<59xf32>, tensor<59xf32>, tensor<59xf32>, tensor<59xf32>, tensor<59xf32>,
      tensor<59xf16>, tensor<59xf16>, tensor<59xf16>, tensor<59xf16>, tensor<59xbf16>, tensor<59xbf16>, tensor<59xbf16>
}

// Where the functions leave the numbers.
// IN x: [inf, -inf, nan, 0.0, -0.0, -1]
// OUT within 1e-6: [inf, 0, nan, 1, 1, exp(-1)]
// OUT: [inf, nan, nan, -inf, -inf, nan]
// OUT: [inf, nan, nan, 0.0, -0.0, nan]
// OUT: [0, nan, nan, inf, -inf, nan]
// OUT within 1e-6: [1, -1, nan, 0, 0, tanh(-1)]
// OUT within 1e-6: [1, -1, nan, 0, 0, erf(-1)]
// OUT within 1e-6: [nan, nan, nan, 0, 0, sin(-1)]
// OUT within 1e-6: [inf, inf, nan, 0, 0, 1]
// VERIFY: none
func.func @math_at_the_ends(%x: tensor<6xf32>)
    -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %0 = math.exp %x : tensor<6xf32>
  %1 = math.log %x : tensor<6xf32>
  %2 = math.sqrt %x : tensor<6xf32>
  %3 = math.rsqrt %x : tensor<6xf32>
  %4 = math.tanh %x : tensor<6xf32>
  %5 = math.erf %x : tensor<6xf32>
  %6 = math.sin %x : tensor<6xf32>
  %two = arith.constant dense<2.0> : tensor<6xf32>
  %7 = math.powf %x, %two : tensor<6xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7
    : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}
