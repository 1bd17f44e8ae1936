// Casts: every code of the narrow floats, ties, overflow, denormals and NaN.

// RUN: %python %S/Inputs/check.py %s %t

// To a wider type every code is the number that its format says, and back it
// is the same code; only NaNs may change theirs.
// IN a: bits(range(256))
// OUT: a
// OUT: a
// OUT: a
// OUT: a
// OUT: a
// OUT: a
// VERIFY: round
func.func @all_f8(%a: tensor<256xf8E4M3FN>)
    -> (tensor<256xf32>, tensor<256xf64>, tensor<256xf16>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FN>) {
  %0 = arith.extf %a : tensor<256xf8E4M3FN> to tensor<256xf32>
  %1 = arith.extf %a : tensor<256xf8E4M3FN> to tensor<256xf64>
  %2 = arith.extf %a : tensor<256xf8E4M3FN> to tensor<256xf16>
  %3 = arith.truncf %0 : tensor<256xf32> to tensor<256xf8E4M3FN>
  %4 = arith.truncf %1 : tensor<256xf64> to tensor<256xf8E4M3FN>
  %5 = arith.truncf %2 : tensor<256xf16> to tensor<256xf8E4M3FN>
  return %0, %1, %2, %3, %4, %5
    : tensor<256xf32>, tensor<256xf64>, tensor<256xf16>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FN>
}

// IN a: bits(range(65536))
// OUT: a
// OUT: a
// OUT: a
// OUT: a
// VERIFY: round
func.func @all_f16(%a: tensor<65536xf16>)
    -> (tensor<65536xf32>, tensor<65536xf64>, tensor<65536xf16>, tensor<65536xf16>) {
  %0 = arith.extf %a : tensor<65536xf16> to tensor<65536xf32>
  %1 = arith.extf %a : tensor<65536xf16> to tensor<65536xf64>
  %2 = arith.truncf %0 : tensor<65536xf32> to tensor<65536xf16>
  %3 = arith.truncf %1 : tensor<65536xf64> to tensor<65536xf16>
  return %0, %1, %2, %3
    : tensor<65536xf32>, tensor<65536xf64>, tensor<65536xf16>, tensor<65536xf16>
}

// IN a: bits(range(65536))
// OUT: a
// OUT: a
// OUT: a
// OUT: a
// VERIFY: round
func.func @all_bf16(%a: tensor<65536xbf16>)
    -> (tensor<65536xf32>, tensor<65536xf64>, tensor<65536xbf16>, tensor<65536xbf16>) {
  %0 = arith.extf %a : tensor<65536xbf16> to tensor<65536xf32>
  %1 = arith.extf %a : tensor<65536xbf16> to tensor<65536xf64>
  %2 = arith.truncf %0 : tensor<65536xf32> to tensor<65536xbf16>
  %3 = arith.truncf %1 : tensor<65536xf64> to tensor<65536xbf16>
  return %0, %1, %2, %3
    : tensor<65536xf32>, tensor<65536xf64>, tensor<65536xbf16>, tensor<65536xbf16>
}

// Half-way between any two neighbours, and a bit to either side of it. The
// numbers are exact in f64; of the sides f32 can tell only some from the tie.
// IN x: [s * (lo + (hi - lo) / 2 + d * (hi - lo)) for s in (1, -1) for d in (0, 2**-20, -2**-20)
//        for lo, hi in [(f8(k * 2.0**e), f8((k + 1) * 2.0**e)) for e in range(-9, 6) for k in range(8, 16)
//                       if (k + 1) * 2.0**e <= 448] + [(k * 2.0**-9, (k + 1) * 2.0**-9) for k in range(8)]]
// OUT: each(f8, x)
// OUT: each(f8, each(f32, x))
// VERIFY: round
func.func @ties_f8(%x: tensor<?xf64>) -> (tensor<?xf8E4M3FN>, tensor<?xf8E4M3FN>) {
  %0 = arith.truncf %x : tensor<?xf64> to tensor<?xf8E4M3FN>
  %y = arith.truncf %x : tensor<?xf64> to tensor<?xf32>
  %1 = arith.truncf %y : tensor<?xf32> to tensor<?xf8E4M3FN>
  return %0, %1 : tensor<?xf8E4M3FN>, tensor<?xf8E4M3FN>
}

// IN x: [s * (k + 0.5 + d) * 2.0**e for s in (1, -1) for d in (0, 2**-40, -2**-40) for e in (-24, -14, -10, 0, 5)
//        for k in [0, 1, 2, 3, 1022, 1023, 1024, 1025, 1026, 2046, 2047]]
// OUT: each(f16, x)
// OUT: each(bf16, x)
// OUT: each(f32, x)
// OUT: each(f16, each(f32, x))
// OUT: each(bf16, each(f32, x))
// VERIFY: round
func.func @ties_half(%x: tensor<?xf64>) -> (tensor<?xf16>, tensor<?xbf16>, tensor<?xf32>, tensor<?xf16>, tensor<?xbf16>) {
  %0 = arith.truncf %x : tensor<?xf64> to tensor<?xf16>
  %1 = arith.truncf %x : tensor<?xf64> to tensor<?xbf16>
  %2 = arith.truncf %x : tensor<?xf64> to tensor<?xf32>
  %3 = arith.truncf %2 : tensor<?xf32> to tensor<?xf16>
  %4 = arith.truncf %2 : tensor<?xf32> to tensor<?xbf16>
  return %0, %1, %2, %3, %4 : tensor<?xf16>, tensor<?xbf16>, tensor<?xf32>, tensor<?xf16>, tensor<?xbf16>
}

// f8E4M3FN saturates at 448, the others become infinite half-way to the number
// that would be next; what is too small becomes a zero with its sign.
// IN x: [448, 464, 1e30, -1e300, inf, -inf, nan, 2**-10, -2**-10, 2**-10 * 1.0001, -1e-300, 65519.99, 65520, -65520, 2**-25, -2**-25 * 1.001,
//        3.3895313892515355e38, 3.396e38, 3.4028235677973366e38, -3.4028235677973362e38, 2.0**-150, 2.0**-150 * 1.0001, -0.0]
// OUT: [448, 448, 448, -448, 448, -448, nan, 0.0, -0.0, 2**-9, -0.0, 448, 448, -448, 0.0, -0.0, 448, 448, 448, -448, 0.0, 0.0, -0.0]
// OUT: [448, 464, inf, -inf, inf, -inf, nan, 2**-10, -2**-10, f16(2**-10 * 1.0001), -0.0, 65504, inf, -inf, 0.0, -2**-24, inf, inf, inf, -inf, 0.0, 0.0, -0.0]
// OUT: each(bf16, x)
// OUT: [448, 464, f32(1e30), -inf, inf, -inf, nan, 2**-10, -2**-10, f32(2**-10 * 1.0001), -0.0, f32(65519.99), 65520, -65520, 2**-25, f32(-2**-25 * 1.001),
//       f32(3.3895313892515355e38), f32(3.396e38), inf, f32(-3.4028235677973362e38), 0.0, 2.0**-149, -0.0]
// VERIFY: round
func.func @range(%x: tensor<23xf64>) -> (tensor<23xf8E4M3FN>, tensor<23xf16>, tensor<23xbf16>, tensor<23xf32>) {
  %0 = arith.truncf %x : tensor<23xf64> to tensor<23xf8E4M3FN>
  %1 = arith.truncf %x : tensor<23xf64> to tensor<23xf16>
  %2 = arith.truncf %x : tensor<23xf64> to tensor<23xbf16>
  %3 = arith.truncf %x : tensor<23xf64> to tensor<23xf32>
  return %0, %1, %2, %3 : tensor<23xf8E4M3FN>, tensor<23xf16>, tensor<23xbf16>, tensor<23xf32>
}

// IN a: [-128, -1, 0, 127]
// IN b: [True, False, True, False]
// IN c: [2**31 - 1, -2**31, 65537, 255]
// IN d: [2**63 - 1, -2**63, 2**32 + 5, -1]
// IN e: [-1, 5, 2**40, 0]
// OUT: a
// OUT: [128, 255, 0, 127]
// OUT: [-1, 0, -1, 0]
// OUT: [1, 0, 1, 0]
// OUT: [-1, 0, 1, 255]
// OUT: [False, False, True, True]
// OUT: [-1, 0, 5, -1]
// OUT: [-1, 0, 5, -1]
// OUT: [-1, 5, 0, 0]
// OUT: a
// OUT: [-1, 5, 2**40, 0]
// OUT: [2**32 - 1, 0, 5, 2**32 - 1]
// VERIFY: exact
func.func @integers(%a: tensor<4xi8>, %b: tensor<4xi1>, %c: tensor<4xi32>, %d: tensor<4xi64>, %e: tensor<4xindex>)
    -> (tensor<4xi64>, tensor<4xi16>, tensor<4xi8>, tensor<4xi32>, tensor<4xi16>, tensor<4xi1>, tensor<4xi32>, tensor<4xi8>, tensor<4xi32>,
        tensor<4xindex>, tensor<4xi64>, tensor<4xindex>) {
  %0 = arith.extsi %a : tensor<4xi8> to tensor<4xi64>
  %1 = arith.extui %a : tensor<4xi8> to tensor<4xi16>
  %2 = arith.extsi %b : tensor<4xi1> to tensor<4xi8>
  %3 = arith.extui %b : tensor<4xi1> to tensor<4xi32>
  %4 = arith.trunci %c : tensor<4xi32> to tensor<4xi16>
  %odd = arith.constant dense<[0, 1, 0, 0]> : tensor<4xi32>
  %c2 = arith.addi %c, %odd : tensor<4xi32>
  %flip = arith.constant dense<[1, 1, 0, 0]> : tensor<4xi32>
  %c3 = arith.xori %c2, %flip : tensor<4xi32>
  %5 = arith.trunci %c3 : tensor<4xi32> to tensor<4xi1>
  %6 = arith.trunci %d : tensor<4xi64> to tensor<4xi32>
  %7 = arith.trunci %d : tensor<4xi64> to tensor<4xi8>
  %8 = arith.index_cast %e : tensor<4xindex> to tensor<4xi32>
  %9 = arith.index_cast %a : tensor<4xi8> to tensor<4xindex>
  %10 = arith.index_cast %e : tensor<4xindex> to tensor<4xi64>
  %11 = arith.index_castui %6 : tensor<4xi32> to tensor<4xindex>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
    : tensor<4xi64>, tensor<4xi16>, tensor<4xi8>, tensor<4xi32>, tensor<4xi16>, tensor<4xi1>, tensor<4xi32>, tensor<4xi8>, tensor<4xi32>,
      tensor<4xindex>, tensor<4xi64>, tensor<4xindex>
}

// Integers to floats round once: 2^24 + 1 is a tie in f32, and 2^53 + 2^29 + 1
// would be one in f32 if it went through f64.
// IN a: [2**24 + 1, -2**24 - 3, 2**31 - 1, 0]
// IN b: [2**53 + 1, 2**53 + 2**29 + 1, -2**63, 2**63 - 1]
// IN c: [True, False]
// IN d: [-128, 127]
// OUT: [2**24, -2**24 - 4, 2**31, 0]
// OUT: a
// OUT: [2**53, f32(Fraction(b[1])), -2**63, 2**63]
// OUT: [2**53, 2**53 + 2**29, -2**63, 2**63]
// OUT: [1, 0]
// OUT: [-1, 0]
// OUT: [-128, 127]
// OUT: [128, 127]
// OUT: [-128, 127]
// OUT: [inf, -inf, inf, 0]
// OUT: [2**24, -2**24, 2**31, 0]
// OUT: [448, -448, 448, 0]
// VERIFY: none
func.func @from_integers(%a: tensor<4xi32>, %b: tensor<4xi64>, %c: tensor<2xi1>, %d: tensor<2xi8>)
    -> (tensor<4xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf16>, tensor<2xbf16>, tensor<2xf64>,
        tensor<4xf16>, tensor<4xbf16>, tensor<4xf8E4M3FN>) {
  %0 = arith.sitofp %a : tensor<4xi32> to tensor<4xf32>
  %1 = arith.sitofp %a : tensor<4xi32> to tensor<4xf64>
  %2 = arith.sitofp %b : tensor<4xi64> to tensor<4xf32>
  %3 = arith.sitofp %b : tensor<4xi64> to tensor<4xf64>
  %4 = arith.uitofp %c : tensor<2xi1> to tensor<2xf32>
  %5 = arith.sitofp %c : tensor<2xi1> to tensor<2xf32>
  %6 = arith.sitofp %d : tensor<2xi8> to tensor<2xf16>
  %7 = arith.uitofp %d : tensor<2xi8> to tensor<2xbf16>
  %8 = arith.sitofp %d : tensor<2xi8> to tensor<2xf64>
  %9 = arith.sitofp %a : tensor<4xi32> to tensor<4xf16>
  %10 = arith.sitofp %a : tensor<4xi32> to tensor<4xbf16>
  %11 = arith.truncf %0 : tensor<4xf32> to tensor<4xf8E4M3FN>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
    : tensor<4xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf16>, tensor<2xbf16>, tensor<2xf64>,
      tensor<4xf16>, tensor<4xbf16>, tensor<4xf8E4M3FN>
}

// Once is harder to narrow floats, of which f32 and even f64 hold the ties: what
// decides 33685505 is its last bit. To either side of a tie, and on it, as far
// out as 64 bits go; f16 has no number larger than 65504.
// IN a: [33685505, 33685504, 33685503, -33685505, -33685504, -33685503, 2**31 - 1, -2**31, 16843009, -16842752,
//        32784 * 2 + 1, 2049, 2051, 65519, 65520, -65519, -65520, 4098, 4097, 1]
// OUT: [33816576, 33554432, 33554432, -33816576, -33554432, -33554432, 2**31, -2**31, 16908288, -16777216,
//       65536, 2048, 2048, 65536, 65536, -65536, -65536, 4096, 4096, 1]
// OUT: each(lambda n: f16(Fraction(n)), a)
// OUT: each(lambda n: bf16(Fraction(n % 2**32)), a)
// OUT: each(lambda n: f16(Fraction(n % 2**32)), a)
// VERIFY: none
func.func @from_i32_once(%a: tensor<20xi32>) -> (tensor<20xbf16>, tensor<20xf16>, tensor<20xbf16>, tensor<20xf16>) {
  %0 = arith.sitofp %a : tensor<20xi32> to tensor<20xbf16>
  %1 = arith.sitofp %a : tensor<20xi32> to tensor<20xf16>
  %2 = arith.uitofp %a : tensor<20xi32> to tensor<20xbf16>
  %3 = arith.uitofp %a : tensor<20xi32> to tensor<20xf16>
  return %0, %1, %2, %3 : tensor<20xbf16>, tensor<20xf16>, tensor<20xbf16>, tensor<20xf16>
}

// IN a: [s * n for s in (1, -1) for n in [33685505, 33685504, 2049, 2051, 65519, 65520, 2**53 + 1, 2**53 - 1, 2**53, 2**54 + 1, 2**63 - 1, 2**63 - 2**53, 0, 4095, 4096]
//        + [odd * 2**(e - 8) + d for e in range(53, 63) for odd in (257, 259) for d in (-2048, -1, 0, 1, 2048, 4096)]
//        + [odd * 2**(e - 11) + d for e in (54, 62) for odd in (2049, 2051) for d in (-1, 0, 1)]] + [-2**63]
// OUT: each(lambda n: bf16(Fraction(n)), a)
// OUT: each(lambda n: f16(Fraction(n)), a)
// OUT: each(lambda n: bf16(Fraction(n % 2**64)), a)
// OUT: each(lambda n: f16(Fraction(n % 2**64)), a)
// OUT: each(lambda n: f32(Fraction(n)), a)
// OUT: each(lambda n: f32(Fraction(n % 2**64)), a)
// VERIFY: none
func.func @from_i64_once(%a: tensor<?xi64>) -> (tensor<?xbf16>, tensor<?xf16>, tensor<?xbf16>, tensor<?xf16>, tensor<?xf32>, tensor<?xf32>) {
  %0 = arith.sitofp %a : tensor<?xi64> to tensor<?xbf16>
  %1 = arith.sitofp %a : tensor<?xi64> to tensor<?xf16>
  %2 = arith.uitofp %a : tensor<?xi64> to tensor<?xbf16>
  %3 = arith.uitofp %a : tensor<?xi64> to tensor<?xf16>
  %4 = arith.sitofp %a : tensor<?xi64> to tensor<?xf32>
  %5 = arith.uitofp %a : tensor<?xi64> to tensor<?xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<?xbf16>, tensor<?xf16>, tensor<?xbf16>, tensor<?xf16>, tensor<?xf32>, tensor<?xf32>
}

// The numbers themselves, not only what the definitions say.
// IN a: [33685505, -33685505, 33685504, 2**54 + 2**46 + 1, 2**54 + 2**46]
// OUT: [33816576, -33816576, 33554432, 2**54 + 2**47, 2**54]
// OUT: [33816576, 2**64, 33554432, 2**54 + 2**47, 2**54]
// VERIFY: none
func.func @from_i64_by_hand(%a: tensor<5xi64>) -> (tensor<5xbf16>, tensor<5xbf16>) {
  %0 = arith.sitofp %a : tensor<5xi64> to tensor<5xbf16>
  %1 = arith.uitofp %a : tensor<5xi64> to tensor<5xbf16>
  return %0, %1 : tensor<5xbf16>, tensor<5xbf16>
}

// Small integers are exact, or as near as f8E4M3FN allows.
// IN a: bits(range(256))
// OUT: each(lambda n: f16(n), a)
// OUT: each(lambda n: bf16(n % 256), a)
// OUT: each(lambda n: f8(n), a)
// OUT: each(lambda n: f8(n % 256), a)
// VERIFY: none
func.func @from_i8_once(%a: tensor<256xi8>) -> (tensor<256xf16>, tensor<256xbf16>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FN>) {
  %0 = arith.sitofp %a : tensor<256xi8> to tensor<256xf16>
  %1 = arith.uitofp %a : tensor<256xi8> to tensor<256xbf16>
  %2 = arith.sitofp %a : tensor<256xi8> to tensor<256xf8E4M3FN>
  %3 = arith.uitofp %a : tensor<256xi8> to tensor<256xf8E4M3FN>
  return %0, %1, %2, %3 : tensor<256xf16>, tensor<256xbf16>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FN>
}

// Floats to integers round to zero.
// IN x: [1.9, -1.9, 0.5, -0.5, 2147483000]
// IN h: [1.9, -1.9, 2048, -0.5, 65504]
// IN y: [-128.9, 127.9, 1e15, -1e15, 3]
// OUT: [1, -1, 0, 0, 2147483008]
// OUT: [1, -1, 0, 0, 2147483008]
// OUT: [1, -1, 2048, 0, 65504]
// OUT: [-128, 127, 10**15, -10**15, 3]
// VERIFY: none
func.func @to_integers(%x: tensor<5xf32>, %h: tensor<5xf16>, %y: tensor<5xf64>) -> (tensor<5xi32>, tensor<5xi64>, tensor<5xi32>, tensor<5xi64>) {
  %0 = arith.fptosi %x : tensor<5xf32> to tensor<5xi32>
  %1 = arith.fptosi %x : tensor<5xf32> to tensor<5xi64>
  %2 = arith.fptosi %h : tensor<5xf16> to tensor<5xi32>
  %3 = arith.fptosi %y : tensor<5xf64> to tensor<5xi64>
  return %0, %1, %2, %3 : tensor<5xi32>, tensor<5xi64>, tensor<5xi32>, tensor<5xi64>
}

// The bits of a number.
// IN x: [1.0, -0.0, inf, 1e-45]
// IN h: [1.0, -2.0, inf, 6e-8]
// IN i: [0x3f800000, -2**31, 0x7f800000, 1]
// OUT: [0x3f800000, -2**31, 0x7f800000, 1]
// OUT: [0x3c00, -0x4000, 0x7c00, 1]
// OUT: x
// VERIFY: none
func.func @bitcast(%x: tensor<4xf32>, %h: tensor<4xf16>, %i: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi16>, tensor<4xf32>) {
  %0 = arith.bitcast %x : tensor<4xf32> to tensor<4xi32>
  %1 = arith.bitcast %h : tensor<4xf16> to tensor<4xi16>
  %2 = arith.bitcast %i : tensor<4xi32> to tensor<4xf32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi16>, tensor<4xf32>
}
