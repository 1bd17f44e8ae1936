// Sizes that contradict each other, or that nothing gives, are reported where
// that shows.

// RUN: split-file %s %t
// RUN: fuse-opt %t/count.mlir --fuse-bind-sizes=shapes=4,4 --verify-diagnostics
// RUN: fuse-opt %t/words.mlir --fuse-bind-sizes=shapes=4xfour --verify-diagnostics
// RUN: fuse-opt %t/huge.mlir --fuse-bind-sizes=shapes=99999999999999999999 --verify-diagnostics
// RUN: fuse-opt %t/rank.mlir --fuse-bind-sizes=shapes=4x4 --verify-diagnostics
// RUN: fuse-opt %t/known.mlir --fuse-bind-sizes=shapes=5 --verify-diagnostics
// RUN: fuse-opt %t/negative.mlir --fuse-bind-sizes=shapes=-4 --verify-diagnostics
// RUN: fuse-opt %t/index.mlir --fuse-bind-sizes=shapes=4x4 --verify-diagnostics
// RUN: fuse-opt %t/pointwise.mlir --fuse-bind-sizes=shapes=4,5 --verify-diagnostics
// RUN: fuse-opt %t/claim.mlir --fuse-bind-sizes=shapes=4 --verify-diagnostics
// RUN: fuse-opt %t/matmul.mlir --fuse-bind-sizes=shapes=4x5,6x4 --verify-diagnostics
// RUN: fuse-opt %t/concat.mlir --fuse-bind-sizes=shapes=4x5,6x4 --verify-diagnostics
// RUN: fuse-opt %t/slice.mlir --fuse-bind-sizes=shapes=4 --verify-diagnostics
// RUN: fuse-opt %t/expand.mlir --fuse-bind-sizes=shapes=7 --verify-diagnostics
// RUN: fuse-opt %t/size.mlir --fuse-bind-sizes=shapes=-1 --verify-diagnostics
// RUN: fuse-opt %t/data.mlir --fuse-bind-sizes=shapes=scalar --verify-diagnostics
// RUN: fuse-opt %t/regions.mlir --fuse-bind-sizes=shapes=4 --verify-diagnostics
// RUN: fuse-opt %t/declaration.mlir --fuse-bind-sizes=shapes=4 --verify-diagnostics
// RUN: fuse-opt %t/blocks.mlir --fuse-bind-sizes=shapes=4 --verify-diagnostics

//--- count.mlir
// expected-error @+1 {{'func.func' op has 1 argument, but got 2 shapes}}
func.func @f(%x: tensor<?xf32>) {
  return
}

//--- words.mlir
// expected-error @+1 {{'func.func' op cannot be given the shape '4xfour': expected sizes with 'x' between them}}
func.func @f(%x: tensor<?x?xf32>) {
  return
}

//--- huge.mlir
// expected-error @+1 {{cannot be given the shape '99999999999999999999'}}
func.func @f(%x: tensor<?xf32>) {
  return
}

//--- rank.mlir
// expected-error @+1 {{'func.func' op has argument #0 of type 'tensor<?xf32>', which cannot have the shape [4, 4]}}
func.func @f(%x: tensor<?xf32>) {
  return
}

//--- known.mlir
// expected-error @+1 {{'func.func' op has argument #0 of type 'tensor<4xf32>', which cannot have the shape [5]}}
func.func @f(%x: tensor<4xf32>) {
  return
}

//--- negative.mlir
// expected-error @+1 {{has argument #0 of type 'tensor<?xf32>', which cannot have the shape [-4]}}
func.func @f(%x: tensor<?xf32>) {
  return
}

//--- index.mlir
// expected-error @+1 {{'func.func' op needs one value for argument #0, but got 2}}
func.func @f(%n: index) {
  return
}

//--- pointwise.mlir
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {
  // expected-error @+1 {{'arith.addf' op combines tensors of different sizes, 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0 = arith.addf %x, %y : tensor<?xf32>
  return
}

//--- claim.mlir
func.func @f(%x: tensor<?xf32>) {
  // expected-error @+1 {{'tensor.cast' op claims type 'tensor<5xf32>' for a tensor of type 'tensor<4xf32>'}}
  %0 = tensor.cast %x : tensor<?xf32> to tensor<5xf32>
  return
}

//--- matmul.mlir
// expected-note @+1 {{rhs comes from here}}
func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) {
  // expected-error @+1 {{'fuse.matmul' op contracts 5 columns of lhs with 6 rows of rhs}}
  %0 = fuse.matmul %x, %y : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  return
}

//--- concat.mlir
func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) {
  // expected-error @+1 {{'fuse.concat' op joins along dimension 0 sources whose dimension 1 has sizes 5 and 4}}
  %0 = fuse.concat %x, %y dim 0 : tensor<?x?xf32>, tensor<?x?xf32>
  return
}

//--- slice.mlir
func.func @f(%x: tensor<?xf32>) {
  // expected-error @+1 {{'fuse.slice' op takes 0:8 of dimension 0, which has size 4}}
  %0 = fuse.slice %x[:8] : tensor<?xf32>
  return
}

//--- expand.mlir
func.func @f(%x: tensor<?xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expands dimension 0, of size 7, which the factors' product 2 does not divide}}
  %0 = fuse.expand %x dim 0 into [?, 2] : tensor<?xf32>
  return
}

//--- size.mlir
func.func @f(%n: index) {
  // expected-error @+1 {{'fuse.iota' op has a result of type 'tensor<?xi32>', whose sizes do not follow from the sizes of the function's arguments}}
  %0 = fuse.iota dim 0 sizes [%n] : tensor<?xi32>
  return
}

//--- data.mlir
// A size that is data.
func.func @f(%x: tensor<index>) {
  %n = tensor.extract %x[] : tensor<index>
  // expected-error @+1 {{'fuse.iota' op has a result of type 'tensor<?xi32>', whose sizes do not follow from the sizes of the function's arguments}}
  %0 = fuse.iota dim 0 sizes [%n] : tensor<?xi32>
  return
}

//--- regions.mlir
func.func @f(%x: tensor<?xf32>) {
  %true = arith.constant true
  // expected-error @+1 {{'scf.if' op has regions; sizes can be bound in graphs only}}
  scf.if %true {
  }
  return
}

//--- declaration.mlir
// expected-error @+1 {{'func.func' op needs a body of one block to bind sizes}}
func.func private @f(tensor<?xf32>)

//--- blocks.mlir
// expected-error @+1 {{'func.func' op needs a body of one block to bind sizes}}
func.func @f(%x: tensor<?xf32>) {
  cf.br ^next
^next:
  return
}
