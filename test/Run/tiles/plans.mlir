// What a function does between its kernels: intermediate results, constants,
// results that no kernel makes, and arithmetic on sizes.

// RUN: env FUSE_NUM_THREADS=2 %python %S/../Inputs/check.py %s %t

// Each result is used by the next kernel only: two places serve all four.
// RUN: fuse-run %s --entry=chain --shape=0:1000 --json --threads=3 | %python %source/test/Tools/fuse-run/Inputs/report.py \
// RUN:   '[k["name"] for k in r["kernels"]] == ["add_one"] * 5' \
// RUN:   'r["kernels"][0]["ops"] == ["tile.load", "arith.addf", "tile.store"]' \
// RUN:   'all(k["grid"] == [125] and k["bytes_read"] == k["bytes_written"] == 4000 and k["dot_flops"] == 0 for k in r["kernels"])' \
// RUN:   '[k["stored"] for k in r["kernels"]] == [[{"type": "f32", "shape": [1000], "output": i == 4}] for i in range(5)]' \
// RUN:   'r["memory"]["unshared"] == 16000 and r["memory"]["intermediates"] == 2 * 4032 and r["memory"]["threads"] == 3'

tile.kernel @add_one(%x: memref<?xf32>, %y: memref<?xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %at = arith.muli %i, %c8 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  %left = arith.subi %size, %at : index
  %xs = tile.load %x[%at] limits(%left) axes [0] : memref<?xf32> -> tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %ys = arith.addf %xs, %one : tensor<8xf32>
  tile.store %ys, %y[%at] limits(%left) axes [0] : tensor<8xf32>, memref<?xf32>
  tile.return
}

// IN x: list(range(29))
// OUT: [v + 5 for v in x]
// VERIFY: none
func.func @chain(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %blocks = arith.ceildivsi %size, %c8 : index
  %a = tile.launch @add_one blocks(%blocks) (%x) sizes(%size) : (tensor<?xf32>) -> tensor<?xf32>
  %b = tile.launch @add_one blocks(%blocks) (%a) sizes(%size) : (tensor<?xf32>) -> tensor<?xf32>
  %c = tile.launch @add_one blocks(%blocks) (%b) sizes(%size) : (tensor<?xf32>) -> tensor<?xf32>
  %d = tile.launch @add_one blocks(%blocks) (%c) sizes(%size) : (tensor<?xf32>) -> tensor<?xf32>
  %e = tile.launch @add_one blocks(%blocks) (%d) sizes(%size) : (tensor<?xf32>) -> tensor<?xf32>
  return %e : tensor<?xf32>
}

// Results that are inputs, that are constants, that are returned twice, and
// that are read by another kernel.
// IN x: list(range(11))
// OUT: x
// OUT: [v + 1 for v in x]
// OUT: [v + 1 for v in x]
// OUT: [v + 2 for v in x]
// OUT: [1.5, -2, 0.25]
// OUT: [7, 7]
// OUT: [True, False, True]
// OUT: [2 ** 40, -1]
// VERIFY: none
func.func @results(%x: tensor<11xf32>) -> (tensor<11xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<3xf16>, tensor<2xi32>, tensor<3xi1>, tensor<2xi64>) {
  %c2 = arith.constant 2 : index
  %c11 = arith.constant 11 : index
  %floats = arith.constant dense<[1.5, -2.0, 0.25]> : tensor<3xf16>
  %splat = arith.constant dense<7> : tensor<2xi32>
  %truth = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %named = arith.constant dense_resource<numbers> : tensor<2xi64>
  %any = tensor.cast %x : tensor<11xf32> to tensor<?xf32>
  %a = tile.launch @add_one blocks(%c2) (%any) sizes(%c11) : (tensor<?xf32>) -> tensor<?xf32>
  %b = tile.launch @add_one blocks(%c2) (%a) sizes(%c11) : (tensor<?xf32>) -> tensor<?xf32>
  return %x, %a, %a, %b, %floats, %splat, %truth, %named : tensor<11xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<3xf16>, tensor<2xi32>, tensor<3xi1>, tensor<2xi64>
}

// Nothing is launched at all.
// IN x: 3
// OUT: 3
// VERIFY: none
func.func @identity(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// An argument that is a size; a constant that is read by a kernel.
// FLAGS: --shape=n:13
// OUT: [2] * 8 + [0] * 5
// VERIFY: none
func.func @size(%n: index {fuse.name = "n"}) -> tensor<?xf32> {
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %ones = arith.constant dense<1.0> : tensor<8xf32>
  %any = tensor.cast %ones : tensor<8xf32> to tensor<?xf32>
  %blocks = arith.ceildivsi %n, %c8 : index
  %y = tile.launch @pad blocks(%blocks) (%any) sizes(%n) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// x + 1 where there is an x, else 0.
tile.kernel @pad(%x: memref<?xf32>, %y: memref<?xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %at = arith.muli %i, %c8 : index
  %given = memref.dim %x, %c0 : memref<?xf32>
  %size = memref.dim %y, %c0 : memref<?xf32>
  %from = arith.subi %given, %at : index
  %left = arith.subi %size, %at : index
  %xs = tile.load %x[%at] limits(%from) axes [0] : memref<?xf32> -> tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %more = arith.addf %xs, %one : tensor<8xf32>
  %ys = tile.mask %more limits(%from) axes [0] : tensor<8xf32> else 0.0
  tile.store %ys, %y[%at] limits(%left) axes [0] : tensor<8xf32>, memref<?xf32>
  tile.return
}

{-#
  dialect_resources: {
    builtin: {
      numbers: "0x080000000000000000010000FFFFFFFFFFFFFFFF"
    }
  }
#-}
