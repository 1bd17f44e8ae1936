// Loops that carry tiles: a product and a softmax, as a kernel author would
// write them.

// RUN: env FUSE_NUM_THREADS=1 %python %S/../Inputs/check.py %s %t
// RUN: env FUSE_NUM_THREADS=5 %python %S/../Inputs/check.py %s %t

// Blocks of 8 x 16, 4 of the shared dimension at a time.
tile.kernel @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) outputs 1 blocks(%i, %j) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  %row = arith.muli %i, %c8 : index
  %column = arith.muli %j, %c16 : index
  %down = arith.subi %m, %row : index
  %right = arith.subi %n, %column : index
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %sum = scf.for %at = %c0 to %k step %c4 iter_args(%acc = %zero) -> tensor<8x16xf32> {
    %left = arith.subi %k, %at : index
    %as = tile.load %a[%row, %at] limits(%down, %left) axes [0, 1] : memref<?x?xf32> -> tensor<8x4xf32>
    %bs = tile.load %b[%at, %column] limits(%left, %right) axes [0, 1] : memref<?x?xf32> -> tensor<4x16xf32>
    %next = tile.dot %as, %bs, %acc : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
    scf.yield %next : tensor<8x16xf32>
  }
  tile.store %sum, %c[%row, %column] limits(%down, %right) axes [0, 1] : tensor<8x16xf32>, memref<?x?xf32>
  tile.return
}

// IN a: [[(3 * i + 5 * j) % 7 - 3 for j in range(13)] for i in range(19)]
// IN b: [[(2 * i + 3 * j) % 5 - 2 for j in range(35)] for i in range(13)]
// OUT: matmul(a, b)
// VERIFY: none
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %down = arith.ceildivui %m, %c8 : index
  %right = arith.ceildivui %n, %c16 : index
  %c = tile.launch @matmul blocks(%down, %right) (%a, %b) sizes(%m, %n) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

// A row at a time: the maximum and the sum in one loop, the results in another.
tile.kernel @softmax(%x: memref<?x45xf32>, %y: memref<?x45xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c45 = arith.constant 45 : index
  %lowest = arith.constant dense<0xFF800000> : tensor<1xf32>
  %nothing = arith.constant dense<0.0> : tensor<1xf32>
  %stat:2 = scf.for %at = %c0 to %c45 step %c16 iter_args(%m = %lowest, %l = %nothing) -> (tensor<1xf32>, tensor<1xf32>) {
    %left = arith.subi %c45, %at : index
    %raw = tile.load %x[%i, %at] limits(%left) axes [1] : memref<?x45xf32> -> tensor<1x16xf32>
    %xs = tile.mask %raw limits(%left) axes [1] : tensor<1x16xf32> else 0xFF800000
    %here = tile.reduce max %xs dims [1] : tensor<1x16xf32> -> tensor<1xf32>
    %max = arith.maximumf %m, %here : tensor<1xf32>
    %moved = arith.subf %m, %max : tensor<1xf32>
    %factor = math.exp %moved : tensor<1xf32>
    %shift = tile.broadcast %max dims [0] : tensor<1xf32> -> tensor<1x16xf32>
    %shifted = arith.subf %xs, %shift : tensor<1x16xf32>
    %es = math.exp %shifted : tensor<1x16xf32>
    %part = tile.reduce sum %es dims [1] : tensor<1x16xf32> -> tensor<1xf32>
    %scaled = arith.mulf %l, %factor : tensor<1xf32>
    %sum = arith.addf %scaled, %part : tensor<1xf32>
    scf.yield %max, %sum : tensor<1xf32>, tensor<1xf32>
  }
  scf.for %at = %c0 to %c45 step %c16 {
    %left = arith.subi %c45, %at : index
    %xs = tile.load %x[%i, %at] limits(%left) axes [1] : memref<?x45xf32> -> tensor<1x16xf32>
    %max = tile.broadcast %stat#0 dims [0] : tensor<1xf32> -> tensor<1x16xf32>
    %sum = tile.broadcast %stat#1 dims [0] : tensor<1xf32> -> tensor<1x16xf32>
    %shifted = arith.subf %xs, %max : tensor<1x16xf32>
    %es = math.exp %shifted : tensor<1x16xf32>
    %ys = arith.divf %es, %sum : tensor<1x16xf32>
    tile.store %ys, %y[%i, %at] limits(%left) axes [1] : tensor<1x16xf32>, memref<?x45xf32>
  }
  tile.return
}

// IN x: [[((7 * i + 11 * j) % 23 - 11) / 3 for j in range(45)] for i in range(9)]
// OUT within 1e-6: [[exp(v) / sum(exp(w) for w in row) for v in row] for row in x]
// VERIFY: none
func.func @rows(%x: tensor<?x45xf32>) -> tensor<?x45xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x45xf32>
  %y = tile.launch @softmax blocks(%rows) (%x) sizes(%rows) : (tensor<?x45xf32>) -> tensor<?x45xf32>
  return %y : tensor<?x45xf32>
}
