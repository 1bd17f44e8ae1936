// Statistics that move from round to round: variances far from zero, of rows and
// of several dimensions, and logarithms of sums of exponentials, of long rows,
// of odd lengths, in chunks and with masks.

// RUN: split-file %s %t
// RUN: fuse-run %t/variance.mlir --verify | FileCheck %s
// RUN: fuse-run %t/variance.mlir --schedule='@variance_0:#fuse.schedule<parallel = [4], sequential = [r9_0 = 4, r11_0 = 1, r37_0 = 16], owned = 0, cascades = [1 wrt 0 = rescale], split = 3>' --verify | FileCheck %s
// RUN: fuse-run %t/rows.mlir --verify | FileCheck %s
// RUN: fuse-run %t/rows.mlir --schedule='@rows_0:#fuse.schedule<parallel = [4], sequential = [r5003_0 = 128], owned = 0, cascades = [1 wrt 0 = rescale]>' --verify | FileCheck %s
// RUN: fuse-run %t/rows.mlir --schedule='@rows_0:#fuse.schedule<parallel = [4], sequential = [r5003_0 = 128], owned = 0, cascades = [1 wrt 0 = pilot]>' --verify | FileCheck %s
// RUN: fuse-run %t/trend.mlir --verify | FileCheck %s
// RUN: fuse-run %t/far-trend.mlir --schedule='@trend_0:#fuse.schedule<parallel = [8], sequential = [r30000_0 = 64], owned = 0, cascades = [1 wrt 0 = rescale]>' --verify | FileCheck %s
// RUN: fuse-run %t/log.mlir --shape=x:7x10007 --verify | FileCheck %s
// RUN: fuse-run %t/log.mlir --shape=x:3x4096 --verify | FileCheck %s
// RUN: fuse-run %t/log.mlir --shape=x:2x5 --verify | FileCheck %s
// RUN: fuse-run %t/far.mlir --verify | FileCheck %s
// RUN: fuse-run %t/columns.mlir --verify | FileCheck %s
// CHECK: verify: right

//--- variance.mlir
func.func @variance(%x: tensor<9x13x11x37xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 20, 1>}) -> tensor<13xf32> {
  %m = fuse.reduce mean %x dims [0, 2, 3] : tensor<9x13x11x37xf32>
  %b = fuse.broadcast %m dims [1] : tensor<13xf32> -> tensor<9x13x11x37xf32>
  %d = arith.subf %x, %b : tensor<9x13x11x37xf32>
  %s = arith.mulf %d, %d : tensor<9x13x11x37xf32>
  %v = fuse.reduce mean %s dims [0, 2, 3] : tensor<9x13x11x37xf32>
  return %v : tensor<13xf32>
}

//--- rows.mlir
func.func @rows(%x: tensor<6x5003xbf16> {fuse.name = "x", fuse.fill = #fuse.fill<normal, -3, 0.5>}) -> tensor<6xf32> {
  %w = arith.extf %x : tensor<6x5003xbf16> to tensor<6x5003xf32>
  %m = fuse.reduce mean %w dims [1] : tensor<6x5003xf32>
  %b = fuse.broadcast %m dims [0] : tensor<6xf32> -> tensor<6x5003xf32>
  %d = arith.subf %w, %b : tensor<6x5003xf32>
  %s = arith.mulf %d, %d : tensor<6x5003xf32>
  %v = fuse.reduce mean %s dims [1] : tensor<6x5003xf32>
  return %v : tensor<6xf32>
}

//--- trend.mlir
// Each round has another mean, and none is near the first one's.
func.func @trend(%x: tensor<3x30000xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>}) -> tensor<3xf32> {
  %j = fuse.iota dim 1 : tensor<3x30000xi32>
  %f = arith.sitofp %j : tensor<3x30000xi32> to tensor<3x30000xf32>
  %c = arith.constant dense<0.01> : tensor<3x30000xf32>
  %t = arith.mulf %f, %c : tensor<3x30000xf32>
  %y = arith.addf %x, %t : tensor<3x30000xf32>
  %m = fuse.reduce mean %y dims [1] : tensor<3x30000xf32>
  %b = fuse.broadcast %m dims [0] : tensor<3xf32> -> tensor<3x30000xf32>
  %d = arith.subf %y, %b : tensor<3x30000xf32>
  %s = arith.mulf %d, %d : tensor<3x30000xf32>
  %v = fuse.reduce mean %s dims [1] : tensor<3x30000xf32>
  return %v : tensor<3xf32>
}

//--- far-trend.mlir
// What a mean is rounded by counts where it is large and moves far.
func.func @trend(%x: tensor<8x30000xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 1000, 0.001>}) -> tensor<8xf32> {
  %j = fuse.iota dim 1 : tensor<8x30000xi32>
  %f = arith.sitofp %j : tensor<8x30000xi32> to tensor<8x30000xf32>
  %c = arith.constant dense<0.001> : tensor<8x30000xf32>
  %t = arith.mulf %f, %c : tensor<8x30000xf32>
  %y = arith.addf %x, %t : tensor<8x30000xf32>
  %m = fuse.reduce mean %y dims [1] : tensor<8x30000xf32>
  %b = fuse.broadcast %m dims [0] : tensor<8xf32> -> tensor<8x30000xf32>
  %d = arith.subf %y, %b : tensor<8x30000xf32>
  %s = arith.mulf %d, %d : tensor<8x30000xf32>
  %v = fuse.reduce mean %s dims [1] : tensor<8x30000xf32>
  return %v : tensor<8xf32>
}

//--- log.mlir
func.func @log(%x: tensor<?x?xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 8>}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %m = fuse.reduce max %x dims [1] : tensor<?x?xf32>
  %b = fuse.broadcast %m dims [0] sizes [%columns] : tensor<?xf32> -> tensor<?x?xf32>
  %d = arith.subf %x, %b : tensor<?x?xf32>
  %e = math.exp %d : tensor<?x?xf32>
  %s = fuse.reduce sum %e dims [1] : tensor<?x?xf32>
  %l = math.log %s : tensor<?xf32>
  %y = arith.addf %l, %m : tensor<?xf32>
  return %y : tensor<?xf32>
}

//--- far.mlir
// Far from zero, with rows of which half is masked, and one label of each row.
func.func @far(%x: tensor<5x20001xbf16> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 700, 3>},
               %label: tensor<5xi32> {fuse.name = "label", fuse.fill = #fuse.fill<integers, 0, 10000>}) -> tensor<5xf32> {
  %w = arith.extf %x : tensor<5x20001xbf16> to tensor<5x20001xf32>
  %j = fuse.iota dim 1 : tensor<5x20001xi32>
  %end = arith.constant dense<10001> : tensor<5x20001xi32>
  %keep = arith.cmpi slt, %j, %end : tensor<5x20001xi32>
  %never = arith.constant dense<0xFF800000> : tensor<5x20001xf32>
  %k = arith.select %keep, %w, %never : tensor<5x20001xi1>, tensor<5x20001xf32>
  %m = fuse.reduce max %k dims [1] : tensor<5x20001xf32>
  %b = fuse.broadcast %m dims [0] : tensor<5xf32> -> tensor<5x20001xf32>
  %d = arith.subf %k, %b : tensor<5x20001xf32>
  %e = math.exp %d : tensor<5x20001xf32>
  %s = fuse.reduce sum %e dims [1] : tensor<5x20001xf32>
  %l = math.log %s : tensor<5xf32>
  %of = fuse.broadcast %label dims [0] : tensor<5xi32> -> tensor<5x20001xi32>
  %is = arith.cmpi eq, %j, %of : tensor<5x20001xi32>
  %zero = arith.constant dense<0.0> : tensor<5x20001xf32>
  %p = arith.select %is, %d, %zero : tensor<5x20001xi1>, tensor<5x20001xf32>
  %q = fuse.reduce sum %p dims [1] : tensor<5x20001xf32>
  %y = arith.subf %l, %q : tensor<5xf32>
  return %y : tensor<5xf32>
}

//--- columns.mlir
// Warps reduce columns together, and wait for each other.
func.func @columns(%x: tensor<3x1000x72xbf16> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 2>}) -> tensor<3x1000x72xbf16> {
  %w = arith.extf %x : tensor<3x1000x72xbf16> to tensor<3x1000x72xf32>
  %s = fuse.softmax %w dim 1 : tensor<3x1000x72xf32>
  %y = arith.truncf %s : tensor<3x1000x72xf32> to tensor<3x1000x72xbf16>
  return %y : tensor<3x1000x72xbf16>
}
