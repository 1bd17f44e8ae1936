// Sums with a carry and products with an upper half, whose type is as wide as the lower one.

// RUN: %python %S/Inputs/check.py %s %t

// IN x: [False, True, False, True]
// IN y: [False, False, True, True]
// OUT: [False, True, True, False]
// OUT: [False, False, False, True]
// OUT: [False, False, False, True]
// OUT: [False, False, False, False]
// OUT: [False, False, False, True]
// OUT: [False, False, False, False]
// VERIFY: exact
func.func @i1(%x: tensor<4xi1>, %y: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %sum, %carry = arith.addui_extended %x, %y : tensor<4xi1>, tensor<4xi1>
  %low, %high = arith.mulsi_extended %x, %y : tensor<4xi1>
  %ulow, %uhigh = arith.mului_extended %x, %y : tensor<4xi1>
  return %sum, %carry, %low, %high, %ulow, %uhigh : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// IN x: [7, -7, -128, -1, 127, -128]
// IN y: [2, 100, -128, -1, 127, 1]
// OUT: [9, 93, 0, -2, -2, -127]
// OUT: [False, True, True, True, False, False]
// OUT: [14, 68, 0, 1, 1, -128]
// OUT: [0, -3, 64, 0, 63, -1]
// OUT: [14, 68, 0, 1, 1, -128]
// OUT: [0, 97, 64, -2, 63, 0]
// VERIFY: exact
func.func @i8(%x: tensor<6xi8>, %y: tensor<6xi8>) -> (tensor<6xi8>, tensor<6xi1>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>) {
  %sum, %carry = arith.addui_extended %x, %y : tensor<6xi8>, tensor<6xi1>
  %low, %high = arith.mulsi_extended %x, %y : tensor<6xi8>
  %ulow, %uhigh = arith.mului_extended %x, %y : tensor<6xi8>
  return %sum, %carry, %low, %high, %ulow, %uhigh : tensor<6xi8>, tensor<6xi1>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>, tensor<6xi8>
}

// IN x: [300, -300, -32768, -1]
// IN y: [300, 200, -32768, -1]
// OUT: [600, -100, 0, -2]
// OUT: [False, False, True, True]
// OUT: [24464, 5536, 0, 1]
// OUT: [1, -1, 16384, 0]
// OUT: [24464, 5536, 0, 1]
// OUT: [1, 199, 16384, -2]
// VERIFY: exact
func.func @i16(%x: tensor<4xi16>, %y: tensor<4xi16>) -> (tensor<4xi16>, tensor<4xi1>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>) {
  %sum, %carry = arith.addui_extended %x, %y : tensor<4xi16>, tensor<4xi1>
  %low, %high = arith.mulsi_extended %x, %y : tensor<4xi16>
  %ulow, %uhigh = arith.mului_extended %x, %y : tensor<4xi16>
  return %sum, %carry, %low, %high, %ulow, %uhigh : tensor<4xi16>, tensor<4xi1>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>, tensor<4xi16>
}

// IN x: [2147483647, -2147483648, -1, 123456789, -5]
// IN y: [2147483647, -2147483648, -1, -987654321, 7]
// OUT: [-2, 0, -2, -864197532, 2]
// OUT: [False, True, True, False, True]
// OUT: [1, 0, 1, 67153019, -35]
// OUT: [1073741823, 1073741824, 0, -28389653, -1]
// OUT: [1, 0, 1, 67153019, -35]
// OUT: [1073741823, 1073741824, -2, 95067136, 6]
// VERIFY: exact
func.func @i32(%x: tensor<5xi32>, %y: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi1>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
  %sum, %carry = arith.addui_extended %x, %y : tensor<5xi32>, tensor<5xi1>
  %low, %high = arith.mulsi_extended %x, %y : tensor<5xi32>
  %ulow, %uhigh = arith.mului_extended %x, %y : tensor<5xi32>
  return %sum, %carry, %low, %high, %ulow, %uhigh : tensor<5xi32>, tensor<5xi1>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
}

// IN x: [9223372036854775807, -9223372036854775808, -1, 123456789012345678, -987654321987654321, 4294967299]
// IN y: [9223372036854775807, -9223372036854775808, -1, -987654321098765432, -1234567890123456789, -4294967301]
// OUT: [-2, 0, -2, -864197532086419754, -2222222212111111110, -2]
// OUT: [False, True, True, False, True, False]
// OUT: [1, 0, 1, 7302121636804369264, 2456329625975503237, -34359738383]
// OUT: [4611686018427387903, 4611686018427387904, 0, -6609981178781635, 66099811847306177, -2]
// OUT: [1, 0, 1, 7302121636804369264, 2456329625975503237, -34359738383]
// OUT: [4611686018427387903, 4611686018427387904, -2, 116846807833564043, -2156122400263804933, 4294967297]
// VERIFY: exact
func.func @i64(%x: tensor<6xi64>, %y: tensor<6xi64>) -> (tensor<6xi64>, tensor<6xi1>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) {
  %sum, %carry = arith.addui_extended %x, %y : tensor<6xi64>, tensor<6xi1>
  %low, %high = arith.mulsi_extended %x, %y : tensor<6xi64>
  %ulow, %uhigh = arith.mului_extended %x, %y : tensor<6xi64>
  return %sum, %carry, %low, %high, %ulow, %uhigh : tensor<6xi64>, tensor<6xi1>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>
}
