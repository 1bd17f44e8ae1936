// Rows that no block can hold: several share them, or they are read twice. Of
// odd lengths, in two types, and so many that nobody knows the number.

// RUN: split-file %s %t
// RUN: fuse-run %t/softmax.mlir --verify | FileCheck %s
// RUN: fuse-run %t/halves.mlir --verify | FileCheck %s
// RUN: fuse-run %t/norm.mlir --shape=x:5x20480 --verify | FileCheck %s
// RUN: fuse-run %t/whole.mlir --verify=exact | FileCheck %s
// CHECK: verify: right

//--- softmax.mlir
func.func @softmax(%x: tensor<3x20011xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 2>}) -> tensor<3x20011xf32> {
  %y = fuse.softmax %x dim 1 : tensor<3x20011xf32>
  return %y : tensor<3x20011xf32>
}

//--- halves.mlir
func.func @softmax(%x: tensor<2x131073xbf16> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 2>}) -> tensor<2x131073xbf16> {
  %wide = arith.extf %x : tensor<2x131073xbf16> to tensor<2x131073xf32>
  %s = fuse.softmax %wide dim 1 : tensor<2x131073xf32>
  %y = arith.truncf %s : tensor<2x131073xf32> to tensor<2x131073xbf16>
  return %y : tensor<2x131073xbf16>
}

//--- norm.mlir
func.func @norm(%x: tensor<?x20480xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 3, 1>},
                %g: tensor<20480xf32> {fuse.name = "g", fuse.fill = #fuse.fill<normal, 1, 0.1>},
                %b: tensor<20480xf32> {fuse.name = "b", fuse.fill = #fuse.fill<normal, 0, 1>}) -> tensor<?x20480xf32> {
  %y = fuse.layer_norm %x scale %g shift %b eps 1.0e-5 : tensor<?x20480xf32>, tensor<20480xf32>, tensor<20480xf32>
  return %y : tensor<?x20480xf32>
}

//--- whole.mlir
func.func @sums(%x: tensor<3x40000xi32> {fuse.name = "x", fuse.fill = #fuse.fill<integers, -9, 9>}) -> (tensor<3xi32>, tensor<3x40000xi32>) {
  %sum = fuse.reduce sum %x dims [1] : tensor<3x40000xi32>
  %sums = fuse.broadcast %sum dims [0] : tensor<3xi32> -> tensor<3x40000xi32>
  %y = arith.subi %x, %sums : tensor<3x40000xi32>
  return %sum, %y : tensor<3xi32>, tensor<3x40000xi32>
}
