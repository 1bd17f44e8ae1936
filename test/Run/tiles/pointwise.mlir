// Kernels that were written by hand: tiles with ragged edges, loaded, computed
// with and stored, on one thread and on several.

// RUN: env FUSE_NUM_THREADS=1 %python %S/../Inputs/check.py %s %t
// RUN: env FUSE_NUM_THREADS=3 %python %S/../Inputs/check.py %s %t

// x + b for every row, in blocks of 4 x 8.
tile.kernel @add_bias(%x: memref<?x?xf32>, %b: memref<?xf32>, %y: memref<?x?xf32>) outputs 1 blocks(%i, %j) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %row = arith.muli %i, %c4 : index
  %column = arith.muli %j, %c8 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf32>
  %columns = memref.dim %x, %c1 : memref<?x?xf32>
  %down = arith.subi %rows, %row : index
  %right = arith.subi %columns, %column : index
  %xs = tile.load %x[%row, %column] limits(%down, %right) axes [0, 1] : memref<?x?xf32> -> tensor<4x8xf32>
  %bs = tile.load %b[%column] limits(%right) axes [0] : memref<?xf32> -> tensor<8xf32>
  %all = tile.broadcast %bs dims [1] : tensor<8xf32> -> tensor<4x8xf32>
  %sum = arith.addf %xs, %all : tensor<4x8xf32>
  tile.store %sum, %y[%row, %column] limits(%down, %right) axes [0, 1] : tensor<4x8xf32>, memref<?x?xf32>
  tile.return
}

// IN x: [list(range(i, i + 11)) for i in range(7)]
// IN b: [10 * i for i in range(11)]
// OUT: [[x[i][j] + b[j] for j in range(11)] for i in range(7)]
// VERIFY: none
func.func @ragged(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %down = arith.ceildivui %rows, %c4 : index
  %right = arith.ceildivui %columns, %c8 : index
  %y = tile.launch @add_bias blocks(%down, %right) (%x, %b) sizes(%rows, %columns) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// Without rows there are no blocks, and nothing is to be written.
// IN x: Array((0, 5), [])
// IN b: [1, 2, 3, 4, 5]
// OUT: Array((0, 5), [])
// VERIFY: none
func.func @no_rows(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %y = tile.launch @add_bias blocks(%rows, %c1) (%x, %b) sizes(%rows, %columns) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// Casts between floats, and integers that divide: never by zero.
tile.kernel @narrow(%a: memref<5xf8E4M3FN>, %b: memref<5xbf16>, %c: memref<5xf16>, %n: memref<5xi32>,
                    %x: memref<5xf16>, %y: memref<5xf8E4M3FN>, %z: memref<5xbf16>, %q: memref<5xi32>) outputs 4 blocks() {
  %c0 = arith.constant 0 : index
  %as = tile.load %a[%c0] : memref<5xf8E4M3FN> -> tensor<5xf8E4M3FN>
  %bs = tile.load %b[%c0] : memref<5xbf16> -> tensor<5xbf16>
  %cs = tile.load %c[%c0] : memref<5xf16> -> tensor<5xf16>
  %ns = tile.load %n[%c0] : memref<5xi32> -> tensor<5xi32>
  %aw = arith.extf %as : tensor<5xf8E4M3FN> to tensor<5xf32>
  %bw = arith.extf %bs : tensor<5xbf16> to tensor<5xf32>
  %sum = arith.addf %aw, %bw : tensor<5xf32>
  %half = arith.truncf %sum : tensor<5xf32> to tensor<5xf16>
  %double = arith.addf %cs, %cs : tensor<5xf16>
  %wide = arith.extf %double : tensor<5xf16> to tensor<5xf32>
  %eight = arith.truncf %wide : tensor<5xf32> to tensor<5xf8E4M3FN>
  %brain = arith.truncf %wide : tensor<5xf32> to tensor<5xbf16>
  %seven = arith.constant dense<7> : tensor<5xi32>
  %safe = arith.divsi %seven, %ns : tensor<5xi32>
  %zero = arith.constant dense<0> : tensor<5xi32>
  %is_zero = arith.cmpi eq, %ns, %zero : tensor<5xi32>
  %quotient = arith.select %is_zero, %zero, %safe : tensor<5xi1>, tensor<5xi32>
  tile.store %half, %x[%c0] : tensor<5xf16>, memref<5xf16>
  tile.store %eight, %y[%c0] : tensor<5xf8E4M3FN>, memref<5xf8E4M3FN>
  tile.store %brain, %z[%c0] : tensor<5xbf16>, memref<5xbf16>
  tile.store %quotient, %q[%c0] : tensor<5xi32>, memref<5xi32>
  tile.return
}

// IN a: [1, 448, -0.001953125, 0, nan]
// IN b: [0.5, 3, 1e-3, -0.0, 1]
// IN c: [1, 230, 1e-4, -2.5, inf]
// IN n: [2, 0, -3, 7, -1]
// OUT: each(lambda p, q: f32(p + q), a, b)
// OUT: each(lambda p: f16(2 * p), c)
// OUT: each(lambda p: f16(2 * p), c)
// OUT: [3, 0, -2, 1, -7]
// VERIFY: none
func.func @casts(%a: tensor<5xf8E4M3FN>, %b: tensor<5xbf16>, %c: tensor<5xf16>, %n: tensor<5xi32>)
    -> (tensor<5xf16>, tensor<5xf8E4M3FN>, tensor<5xbf16>, tensor<5xi32>) {
  %r:4 = tile.launch @narrow blocks() (%a, %b, %c, %n) : (tensor<5xf8E4M3FN>, tensor<5xbf16>, tensor<5xf16>, tensor<5xi32>)
      -> (tensor<5xf16>, tensor<5xf8E4M3FN>, tensor<5xbf16>, tensor<5xi32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<5xf16>, tensor<5xf8E4M3FN>, tensor<5xbf16>, tensor<5xi32>
}

// Functions of numbers: within a few roundings of f32.
tile.kernel @functions(%x: memref<37xf32>, %e: memref<37xf32>, %t: memref<37xf32>, %r: memref<37xf32>, %l: memref<37xf32>) outputs 4 blocks(%i) {
  %c16 = arith.constant 16 : index
  %c37 = arith.constant 37 : index
  %at = arith.muli %i, %c16 : index
  %left = arith.subi %c37, %at : index
  %xs = tile.load %x[%at] limits(%left) axes [0] : memref<37xf32> -> tensor<16xf32>
  %es = math.exp %xs : tensor<16xf32>
  %ts = math.tanh %xs : tensor<16xf32>
  %rs = math.erf %xs : tensor<16xf32>
  %ls = math.log1p %es : tensor<16xf32>
  tile.store %es, %e[%at] limits(%left) axes [0] : tensor<16xf32>, memref<37xf32>
  tile.store %ts, %t[%at] limits(%left) axes [0] : tensor<16xf32>, memref<37xf32>
  tile.store %rs, %r[%at] limits(%left) axes [0] : tensor<16xf32>, memref<37xf32>
  tile.store %ls, %l[%at] limits(%left) axes [0] : tensor<16xf32>, memref<37xf32>
  tile.return
}

// IN x: [(i - 18) / 4 for i in range(37)]
// OUT within 1e-6: each(exp, x)
// OUT within 1e-6: each(tanh, x)
// OUT within 1e-6: each(erf, x)
// OUT within 1e-6: each(lambda v: log1p(exp(v)), x)
// VERIFY: none
func.func @math(%x: tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>) {
  %c3 = arith.constant 3 : index
  %r:4 = tile.launch @functions blocks(%c3) (%x) : (tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>
}

// Truth values are bytes in memory; rows that are outside of a table are 0.
tile.kernel @pick(%table: memref<3x4xf64>, %rows: memref<?xi64>, %use: memref<?xi1>, %y: memref<?x4xf64>, %above: memref<?x4xi1>) outputs 2 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %at = arith.muli %i, %c2 : index
  %size = memref.dim %rows, %c0 : memref<?xi64>
  %left = arith.subi %size, %at : index
  %ids = tile.load %rows[%at] map (d0, d1) -> (d0) limits(%left) axes [0] : memref<?xi64> -> tensor<2x4xi64>
  %uses = tile.load %use[%at] map (d0, d1) -> (d0) limits(%left) axes [0] : memref<?xi1> -> tensor<2x4xi1>
  %xs = tile.gather %table[%c0, %c0] at(%ids) dims [0] map (d0, d1) -> (0, d1) limits(%left) axes [0] : memref<3x4xf64>, tensor<2x4xi64> -> tensor<2x4xf64>
  %zero = arith.constant dense<0.0> : tensor<2x4xf64>
  %roots = math.sqrt %xs : tensor<2x4xf64>
  %ys = arith.select %uses, %roots, %zero : tensor<2x4xi1>, tensor<2x4xf64>
  %one = arith.constant dense<1.0> : tensor<2x4xf64>
  %is_above = arith.cmpf ogt, %ys, %one : tensor<2x4xf64>
  tile.store %ys, %y[%at, %c0] limits(%left) axes [0] : tensor<2x4xf64>, memref<?x4xf64>
  tile.store %is_above, %above[%at, %c0] limits(%left) axes [0] : tensor<2x4xi1>, memref<?x4xi1>
  tile.return
}

// IN table: [[0, 1, 4, 9], [1, 1, 1, 1], [16, 25, 36, 49]]
// IN rows: [2, -1, 0, 3, 1, 0, 9223372036854775807]
// IN use: [1, 1, 1, 1, 1, 0, 1]
// OUT: [[4, 5, 6, 7], [0] * 4, [0, 1, 2, 3], [0] * 4, [1] * 4, [0] * 4, [0] * 4]
// OUT: [[1] * 4, [0] * 4, [0, 0, 1, 1], [0] * 4, [0] * 4, [0] * 4, [0] * 4]
// VERIFY: none
func.func @table(%table: tensor<3x4xf64>, %rows: tensor<?xi64>, %use: tensor<?xi1>) -> (tensor<?x4xf64>, tensor<?x4xi1>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %size = tensor.dim %rows, %c0 : tensor<?xi64>
  %blocks = arith.ceildivui %size, %c2 : index
  %r:2 = tile.launch @pick blocks(%blocks) (%table, %rows, %use) sizes(%size, %size) : (tensor<3x4xf64>, tensor<?xi64>, tensor<?xi1>) -> (tensor<?x4xf64>, tensor<?x4xi1>)
  return %r#0, %r#1 : tensor<?x4xf64>, tensor<?x4xi1>
}
