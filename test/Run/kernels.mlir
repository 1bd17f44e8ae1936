// A kernel means what its body means, wherever it stands and however it is to
// be run.

// RUN: %python %S/Inputs/check.py %s %t

// IN x: [[1, -2], [3, 4]]
// OUT: [[2, -4], [6, 8]]
// OUT: [-2, 14]
// VERIFY: exact
func.func @two_results(%x: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>) {
  %y:2 = fuse.kernel @twice(%a = %x) schedule(#fuse.schedule<parallel = [1], sequential = [r2_0 = 1]>)
      : (tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>) {
    %s = arith.addf %a, %a : tensor<?x2xf32>
    %r = fuse.reduce sum %s dims [1] : tensor<?x2xf32>
    fuse.yield %s, %r : tensor<?x2xf32>, tensor<?xf32>
  }
  return %y#0, %y#1 : tensor<?x2xf32>, tensor<?xf32>
}

// Sizes go in as operands. A function that is called twice brings its kernels
// twice.
// IN x: [1, 2, 3]
// OUT: [[4, 4, 4], [8, 8, 8], [12, 12, 12]]
// VERIFY: exact
func.func @called_twice(%x: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = call @double(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call @double(%0) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = fuse.kernel @repeat(%a = %1, %m = %n) : (tensor<?xf32>, index) -> tensor<?x?xf32> {
    %r = fuse.broadcast %a dims [0] sizes [%m] : tensor<?xf32> -> tensor<?x?xf32>
    fuse.yield %r : tensor<?x?xf32>
  }
  return %2 : tensor<?x?xf32>
}
func.func private @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuse.kernel @k(%a = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    %s = arith.addf %a, %a : tensor<?xf32>
    fuse.yield %s : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
