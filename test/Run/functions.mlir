// What functions may look like, and the smallest shapes.

// RUN: %python %S/Inputs/check.py %s %t

// IN x: [1, nan, -0.0]
// OUT: x
// VERIFY: exact
func.func @returns_its_argument(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// IN x: [1, 2, 3]
// IN y: [4, 5, 6]
// OUT: [-1, -2, -3]
// OUT: [-1, -2, -3]
// OUT: y
// OUT: y
// OUT: x
// VERIFY: exact
func.func @returns_a_value_twice(%x: tensor<3xf32>, %y: tensor<3xi32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>) {
  %0 = arith.negf %x : tensor<3xf32>
  return %0, %0, %y, %y, %x : tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>
}

// OUT: [1, 2.5]
// OUT: full((2, 2), 7)
// OUT: 3
// OUT: [1, 2.5]
// OUT: [True, False]
// OUT: [0.5, 448]
// OUT: Array((0,), [])
// OUT: [-0.0, nan]
// VERIFY: exact
func.func @returns_constants()
    -> (tensor<2xf32>, tensor<2x2xi8>, tensor<index>, tensor<2xf32>, tensor<2xi1>, tensor<2xf8E4M3FN>, tensor<0xf32>, tensor<2xbf16>) {
  %0 = arith.constant dense<[1.0, 2.5]> : tensor<2xf32>
  %1 = arith.constant dense<7> : tensor<2x2xi8>
  %2 = arith.constant dense<3> : tensor<index>
  %3 = arith.constant dense<[true, false]> : tensor<2xi1>
  %4 = arith.constant dense<[0.5, 448.0]> : tensor<2xf8E4M3FN>
  %5 = arith.constant dense<> : tensor<0xf32>
  %6 = arith.constant dense<[-0.0, 0x7FC0]> : tensor<2xbf16>
  return %0, %1, %2, %0, %3, %4, %5, %6
    : tensor<2xf32>, tensor<2x2xi8>, tensor<index>, tensor<2xf32>, tensor<2xi1>, tensor<2xf8E4M3FN>, tensor<0xf32>, tensor<2xbf16>
}

// FLAGS: --shape=x:2
func.func @returns_nothing(%x: tensor<?xf32> {fuse.name = "x"}) {
  return
}

// FLAGS: --seed=1
func.func @nothing_at_all() {
  return
}

// Calls are inlined, whatever order the functions are in; the entry alone is run.
// IN x: [1, 2]
// OUT: [29, 43]
// OUT: [-1, -2]
// VERIFY: exact
func.func @calls(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0, %1 = call @helper(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %2 = call @deeper(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %3, %4 = call @helper(%1) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %5 = arith.subf %2, %4 : tensor<2xf32>
  %6 = call @deeper(%5) : (tensor<2xf32>) -> tensor<2xf32>
  %7 = arith.addf %6, %x : tensor<2xf32>
  %8 = call @deeper(%7) : (tensor<2xf32>) -> tensor<2xf32>
  return %8, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func private @helper(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = func.call @deeper(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = arith.negf %x : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func private @deeper(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %x, %x : tensor<2xf32>
  %1 = arith.constant dense<1.0> : tensor<2xf32>
  %2 = arith.addf %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// The names of the C library are names like any others.
// IN x: [4, 9]
// OUT: [2, 3]
// VERIFY: exact
func.func @malloc(%x: tensor<2xf64>) -> tensor<2xf64> {
  %0 = call @sqrt(%x) : (tensor<2xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
func.func private @sqrt(%x: tensor<2xf64>) -> tensor<2xf64> {
  %0 = math.sqrt %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// IN x: 2.25
// IN y: -1
// IN c: True
// OUT: 1.25
// OUT: 1.5
// OUT: 2.25
// OUT: True
// OUT: -1
// OUT: [[2.25]]
// OUT: 2
// OUT: 2.25
// VERIFY: exact
func.func @scalars(%x: tensor<f32>, %y: tensor<f32>, %c: tensor<i1>)
    -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<f32>, tensor<1x1xf32>, tensor<i32>, tensor<f32>) {
  %0 = arith.addf %x, %y : tensor<f32>
  %1 = math.sqrt %x : tensor<f32>
  %2 = arith.select %c, %x, %y : tensor<i1>, tensor<f32>
  %3 = arith.cmpf ogt, %x, %y : tensor<f32>
  %4 = fuse.clamp %x min -2.0 max -1.0 : tensor<f32>
  %5 = fuse.broadcast %x dims [] : tensor<f32> -> tensor<1x1xf32>
  %6 = arith.fptosi %x : tensor<f32> to tensor<i32>
  %element = arith.constant 2.25 : f32
  %7 = tensor.from_elements %element : tensor<f32>
  return %0, %1, %2, %3, %4, %5, %6, %7
    : tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<f32>, tensor<1x1xf32>, tensor<i32>, tensor<f32>
}

// Sizes and positions as data.
// IN x: [5, 6, 7]
// FLAGS: --shape=n:2
// OUT: [3, 6]
// OUT: [5, 7]
// OUT: 8
// OUT: [[1.5, 2], [3, 6]]
// VERIFY: exact
func.func @sizes_as_data(%x: tensor<?xi64>, %n: index {fuse.name = "n"}) -> (tensor<2xindex>, tensor<2xi64>, tensor<i64>, tensor<2x2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %size = tensor.dim %x, %zero : tensor<?xi64>
  %twice = arith.muli %size, %n : index
  %0 = tensor.from_elements %size, %twice : tensor<2xindex>
  %ends = tensor.from_elements %zero, %n : tensor<2xindex>
  %1 = fuse.gather %x[%ends] : tensor<?xi64>, tensor<2xindex>
  %number = arith.index_cast %twice : index to i64
  %two = arith.constant 2 : i64
  %sum = arith.addi %number, %two : i64
  %2 = tensor.from_elements %sum : tensor<i64>
  %float = arith.sitofp %number : i64 to f32
  %quarter = arith.constant 0.25 : f32
  %product = arith.mulf %float, %quarter : f32
  %count = arith.uitofp %two : i64 to f32
  %double = arith.addf %product, %product : f32
  %3 = tensor.from_elements %product, %count, %double, %float : tensor<2x2xf32>
  return %0, %1, %2, %3 : tensor<2xindex>, tensor<2xi64>, tensor<i64>, tensor<2x2xf32>
}

// IN x: Array((0, 3), [])
// IN y: [[[5]]]
// OUT: Array((0, 3), [])
// OUT: [0, 0, 0]
// OUT: [[[10]]]
// OUT: Array((0,), [])
// OUT: 5
// OUT: Array((0, 1), [])
// VERIFY: exact
func.func @small(%x: tensor<?x3xf32>, %y: tensor<1x?x1xf32>)
    -> (tensor<?x3xf32>, tensor<3xf32>, tensor<1x?x1xf32>, tensor<?xf32>, tensor<f32>, tensor<?x1xf32>) {
  %0 = arith.addf %x, %x : tensor<?x3xf32>
  %1 = fuse.reduce sum %x dims [0] : tensor<?x3xf32>
  %2 = arith.addf %y, %y : tensor<1x?x1xf32>
  %3 = fuse.reduce sum %x dims [1] : tensor<?x3xf32>
  %4 = fuse.reduce max %y dims [0, 1, 2] : tensor<1x?x1xf32>
  %w = arith.constant dense<1.0> : tensor<3x1xf32>
  %5 = fuse.matmul %x, %w : tensor<?x3xf32>, tensor<3x1xf32> -> tensor<?x1xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<?x3xf32>, tensor<3xf32>, tensor<1x?x1xf32>, tensor<?xf32>, tensor<f32>, tensor<?x1xf32>
}

// Eight dimensions, and one more than a byte's worth of arguments' sizes.
// IN x: Array((1, 2, 1, 2, 1, 2, 1, 2), range(16))
// OUT: Array((2, 1, 2, 1, 2, 1, 2, 1), [((i >> 3 & 1) | (i >> 1 & 2) | (i << 1 & 4) | (i << 3 & 8)) for i in range(16)])
// OUT: 120
// VERIFY: exact
func.func @rank_8(%x: tensor<1x2x1x2x1x2x1x2xf32>) -> (tensor<2x1x2x1x2x1x2x1xf32>, tensor<f32>) {
  %0 = fuse.transpose %x [7, 6, 5, 4, 3, 2, 1, 0] : tensor<1x2x1x2x1x2x1x2xf32>
  %1 = fuse.reduce sum %x dims [0, 1, 2, 3, 4, 5, 6, 7] : tensor<1x2x1x2x1x2x1x2xf32>
  return %0, %1 : tensor<2x1x2x1x2x1x2x1xf32>, tensor<f32>
}

// An argument that is read, changed and read again stays what it was: all runs
// after the first would differ otherwise.
// IN x: [1, 2, 3]
// FLAGS: --bench --samples=3
// OUT: [2, 4, 6]
// OUT: [3, 6, 9]
// OUT: x
// VERIFY: exact
func.func @inputs_stay(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = arith.addf %x, %x : tensor<3xf32>
  %1 = arith.addf %0, %x : tensor<3xf32>
  return %0, %1, %x : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
