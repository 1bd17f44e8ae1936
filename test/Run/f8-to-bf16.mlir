// Every number of f8E4M3FN is one of bf16.

// RUN: %python %S/Inputs/check.py %s %t

// IN a: bits(range(256))
// OUT: a
// OUT: a
// VERIFY: round
func.func @all_f8(%a: tensor<256xf8E4M3FN>) -> (tensor<256xbf16>, tensor<256xf8E4M3FN>) {
  %0 = arith.extf %a : tensor<256xf8E4M3FN> to tensor<256xbf16>
  %1 = arith.truncf %0 : tensor<256xbf16> to tensor<256xf8E4M3FN>
  return %0, %1 : tensor<256xbf16>, tensor<256xf8E4M3FN>
}
