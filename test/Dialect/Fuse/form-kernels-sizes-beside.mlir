// A size of a dimension that there is not comes from nowhere: upstream takes it.

// RUN: fuse-opt %s --fuse-form-kernels | FileCheck %s
// RUN: not fuse-run %s --open-sizes --shape=0:3x4 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: 'tensor.dim' op asks for dimension -1 of a tensor that has 2

// CHECK-LABEL: func.func @count
//       CHECK:   %[[SIZE:.*]] = tensor.dim
//       CHECK:   fuse.kernel @count_0({{.*}} = %[[SIZE]])
func.func @count(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %beside = arith.constant -1 : index
  %size = tensor.dim %x, %beside : tensor<?x?xf32>
  %y = fuse.iota dim 0 sizes [%size] : tensor<?xf32>
  return %y : tensor<?xf32>
}
