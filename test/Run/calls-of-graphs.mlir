// A function is inlined with whatever a graph may consist of.

// RUN: %python %S/Inputs/check.py %s %t

// IN x: [[1, -2], [3, 4]]
// OUT: [[1, 3], [0, 4]]
// VERIFY: exact
func.func @calls(%x: tensor<?x2xf32>) -> tensor<2x?xf32> {
  %0 = call @relu(%x) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %1 = call @transpose(%0) : (tensor<?x2xf32>) -> tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}
func.func private @relu(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = fuse.relu %x : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
func.func private @transpose(%x: tensor<?x2xf32>) -> tensor<2x?xf32> {
  %0 = fuse.transpose %x [1, 0] : tensor<?x2xf32>
  return %0 : tensor<2x?xf32>
}
