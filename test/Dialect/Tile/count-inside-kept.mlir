// Sums that are not how many elements are inside.

// RUN: fuse-opt %s --tile-count-inside | FileCheck %s

// What is summed is not how many there are.
// CHECK-LABEL: tile.kernel @twos(
//       CHECK:   tile.reduce sum
tile.kernel @twos(%y: memref<1xf32>) outputs 1 blocks(%n, %first, %limit) {
  %c0 = arith.constant 0 : index
  %at = tile.iota %n coefficients [1] : tensor<8xi64>
  %end = arith.constant dense<100> : tensor<8xi64>
  %0 = arith.cmpi slt, %at, %end : tensor<8xi64>
  %inside = arith.constant dense<2.0> : tensor<8xf32>
  %outside = arith.constant dense<0.0> : tensor<8xf32>
  %2 = arith.select %0, %inside, %outside : tensor<8xi1>, tensor<8xf32>
  %4 = tile.reduce sum %2 dims [0] : tensor<8xf32> -> tensor<f32>
  %5 = tile.broadcast %4 dims [] : tensor<f32> -> tensor<1xf32>
  tile.store %5, %y[%c0] : tensor<1xf32>, memref<1xf32>
  tile.return
}

// Nor is it where those outside count.
// CHECK-LABEL: tile.kernel @others_count(
//       CHECK:   tile.reduce sum
tile.kernel @others_count(%y: memref<1xf32>) outputs 1 blocks(%n, %first, %limit) {
  %c0 = arith.constant 0 : index
  %at = tile.iota %n coefficients [1] : tensor<8xi64>
  %end = arith.constant dense<100> : tensor<8xi64>
  %0 = arith.cmpi slt, %at, %end : tensor<8xi64>
  %inside = arith.constant dense<1.0> : tensor<8xf32>
  %outside = arith.constant dense<0.5> : tensor<8xf32>
  %2 = arith.select %0, %inside, %outside : tensor<8xi1>, tensor<8xf32>
  %4 = tile.reduce sum %2 dims [0] : tensor<8xf32> -> tensor<f32>
  %5 = tile.broadcast %4 dims [] : tensor<f32> -> tensor<1xf32>
  tile.store %5, %y[%c0] : tensor<1xf32>, memref<1xf32>
  tile.return
}

// Numbers that wrap around come inside again.
// CHECK-LABEL: tile.kernel @wrapping(
//       CHECK:   tile.reduce sum
tile.kernel @wrapping(%y: memref<1xf32>) outputs 1 blocks(%n, %first, %limit) {
  %c0 = arith.constant 0 : index
  %at = tile.iota %n coefficients [1] : tensor<8xi8>
  %end = arith.constant dense<100> : tensor<8xi8>
  %0 = arith.cmpi slt, %at, %end : tensor<8xi8>
  %inside = arith.constant dense<1.0> : tensor<8xf32>
  %outside = arith.constant dense<0.0> : tensor<8xf32>
  %2 = arith.select %0, %inside, %outside : tensor<8xi1>, tensor<8xf32>
  %4 = tile.reduce sum %2 dims [0] : tensor<8xf32> -> tensor<f32>
  %5 = tile.broadcast %4 dims [] : tensor<f32> -> tensor<1xf32>
  tile.store %5, %y[%c0] : tensor<1xf32>, memref<1xf32>
  tile.return
}

// Every second position is inside of half as many.
// CHECK-LABEL: tile.kernel @every_second(
//       CHECK:   tile.reduce sum
tile.kernel @every_second(%y: memref<1xf32>) outputs 1 blocks(%n, %first, %limit) {
  %c0 = arith.constant 0 : index
  %at = tile.iota %n coefficients [2] : tensor<8xi64>
  %end = arith.constant dense<100> : tensor<8xi64>
  %0 = arith.cmpi slt, %at, %end : tensor<8xi64>
  %inside = arith.constant dense<1.0> : tensor<8xf32>
  %outside = arith.constant dense<0.0> : tensor<8xf32>
  %2 = arith.select %0, %inside, %outside : tensor<8xi1>, tensor<8xf32>
  %4 = tile.reduce sum %2 dims [0] : tensor<8xf32> -> tensor<f32>
  %5 = tile.broadcast %4 dims [] : tensor<f32> -> tensor<1xf32>
  tile.store %5, %y[%c0] : tensor<1xf32>, memref<1xf32>
  tile.return
}

// What comes before a start is outside, too.
// CHECK-LABEL: tile.kernel @started(
//       CHECK:   tile.reduce sum
tile.kernel @started(%y: memref<1xf32>) outputs 1 blocks(%n, %first, %limit) {
  %c0 = arith.constant 0 : index
  %at = tile.iota %n coefficients [1] : tensor<8xi64>
  %end = arith.constant dense<100> : tensor<8xi64>
  %0 = arith.cmpi slt, %at, %end : tensor<8xi64>
  %inside = arith.constant dense<1.0> : tensor<8xf32>
  %outside = arith.constant dense<0.0> : tensor<8xf32>
  %2 = arith.select %0, %inside, %outside : tensor<8xi1>, tensor<8xf32>
  %3 = tile.mask %2 from(%first) limits(%limit) axes [0] : tensor<8xf32> else 0.0
  %4 = tile.reduce sum %3 dims [0] : tensor<8xf32> -> tensor<f32>
  %5 = tile.broadcast %4 dims [] : tensor<f32> -> tensor<1xf32>
  tile.store %5, %y[%c0] : tensor<1xf32>, memref<1xf32>
  tile.return
}

// What a mask leaves out may count.
// CHECK-LABEL: tile.kernel @filled(
//       CHECK:   tile.reduce sum
tile.kernel @filled(%y: memref<1xf32>) outputs 1 blocks(%n, %first, %limit) {
  %c0 = arith.constant 0 : index
  %at = tile.iota %n coefficients [1] : tensor<8xi64>
  %end = arith.constant dense<100> : tensor<8xi64>
  %0 = arith.cmpi slt, %at, %end : tensor<8xi64>
  %inside = arith.constant dense<1.0> : tensor<8xf32>
  %outside = arith.constant dense<0.0> : tensor<8xf32>
  %2 = arith.select %0, %inside, %outside : tensor<8xi1>, tensor<8xf32>
  %3 = tile.mask %2 limits(%limit) axes [0] : tensor<8xf32> else 1.0
  %4 = tile.reduce sum %3 dims [0] : tensor<8xf32> -> tensor<f32>
  %5 = tile.broadcast %4 dims [] : tensor<f32> -> tensor<1xf32>
  tile.store %5, %y[%c0] : tensor<1xf32>, memref<1xf32>
  tile.return
}
