// Rows that begin at any multiple of 2 bytes, or of 4: as long as the vocabulary of
// GPT-2, and short; one of them, and some; beside what begins elsewhere, and has
// another type.

// RUN: split-file %s %t
// RUN: fuse-run %t/softmax.mlir --verify | FileCheck %s
// RUN: fuse-run %t/one.mlir --verify | FileCheck %s
// RUN: fuse-run %t/norm.mlir --verify | FileCheck %s
// RUN: fuse-run %t/short.mlir --verify | FileCheck %s
// RUN: fuse-run %t/bytes.mlir --verify | FileCheck %s
// RUN: fuse-run %t/positions.mlir --verify | FileCheck %s
// CHECK: verify: right

//--- softmax.mlir
func.func @softmax(%x: tensor<3x50257xbf16> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 2>}) -> tensor<3x50257xbf16> {
  %wide = arith.extf %x : tensor<3x50257xbf16> to tensor<3x50257xf32>
  %s = fuse.softmax %wide dim 1 : tensor<3x50257xf32>
  %y = arith.truncf %s : tensor<3x50257xf32> to tensor<3x50257xbf16>
  return %y : tensor<3x50257xbf16>
}

//--- one.mlir
func.func @softmax(%x: tensor<1x20011xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 2>}) -> tensor<1x20011xf32> {
  %y = fuse.softmax %x dim 1 : tensor<1x20011xf32>
  return %y : tensor<1x20011xf32>
}

//--- norm.mlir
func.func @norm(%x: tensor<5x4099xf16> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 3, 1>},
                %g: tensor<4099xf32> {fuse.name = "g", fuse.fill = #fuse.fill<normal, 1, 0.1>},
                %b: tensor<4099xf16> {fuse.name = "b", fuse.fill = #fuse.fill<normal, 0, 1>}) -> tensor<5x4099xf32> {
  %wide = arith.extf %x : tensor<5x4099xf16> to tensor<5x4099xf32>
  %shift = arith.extf %b : tensor<4099xf16> to tensor<4099xf32>
  %y = fuse.layer_norm %wide scale %g shift %shift eps 1.0e-5 : tensor<5x4099xf32>, tensor<4099xf32>, tensor<4099xf32>
  return %y : tensor<5x4099xf32>
}

//--- short.mlir
func.func @softmax(%x: tensor<13x781xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 2>}) -> tensor<13x781xf32> {
  %y = fuse.softmax %x dim 1 : tensor<13x781xf32>
  return %y : tensor<13x781xf32>
}

//--- bytes.mlir
func.func @softmax(%x: tensor<3x5x2053xf8E4M3FN> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 2>}) -> tensor<3x5x2053xf32> {
  %wide = arith.extf %x : tensor<3x5x2053xf8E4M3FN> to tensor<3x5x2053xf32>
  %y = fuse.softmax %wide dim 2 : tensor<3x5x2053xf32>
  return %y : tensor<3x5x2053xf32>
}

//--- positions.mlir
func.func @weighted(%x: tensor<7x3001xbf16> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>}) -> (tensor<7xf32>, tensor<7x3001xf32>) {
  %at = fuse.iota dim 1 : tensor<7x3001xf32>
  %wide = arith.extf %x : tensor<7x3001xbf16> to tensor<7x3001xf32>
  %products = arith.mulf %wide, %at : tensor<7x3001xf32>
  %sum = fuse.reduce sum %products dims [1] : tensor<7x3001xf32>
  %sums = fuse.broadcast %sum dims [0] : tensor<7xf32> -> tensor<7x3001xf32>
  %y = arith.addf %products, %sums : tensor<7x3001xf32>
  return %sum, %y : tensor<7xf32>, tensor<7x3001xf32>
}
