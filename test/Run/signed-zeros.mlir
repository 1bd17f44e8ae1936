// To maximumf and minimumf, and so to max and min, -0 is less than 0.

// RUN: %python %S/Inputs/check.py %s %t

// IN x: [[-0.0, 0.0, -0.0], [0.0, -0.0, 0.0]]
// IN y: [[0.0, -0.0, 0.0], [-0.0, 0.0, -0.0]]
// OUT: [0.0, 0.0]
// OUT: [-0.0, -0.0]
// OUT: full((2, 3), 0.0)
// OUT: full((2, 3), -0.0)
// VERIFY: exact
func.func @zeros(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = fuse.reduce max %x dims [1] : tensor<2x3xf32>
  %1 = fuse.reduce min %x dims [1] : tensor<2x3xf32>
  %2 = arith.maximumf %x, %y : tensor<2x3xf32>
  %3 = arith.minimumf %x, %y : tensor<2x3xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
