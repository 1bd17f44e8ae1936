// Tensors that a caller passes are marked, and nothing else is.

// RUN: fuse-opt %s --fuse-protect-arguments | FileCheck %s

// CHECK: func.func @definition(%{{.*}}: tensor<4xf32> {bufferization.writable = false, fuse.name = "x"}, %{{.*}}: index, %{{.*}}: tensor<*xf32> {bufferization.writable = false})
func.func @definition(%x: tensor<4xf32> {fuse.name = "x"}, %n: index, %y: tensor<*xf32>) {
  return
}

// What was said before is not believed.
// CHECK: func.func @writable(%{{.*}}: tensor<4xf32> {bufferization.writable = false})
func.func @writable(%x: tensor<4xf32> {bufferization.writable = true}) {
  return
}

// Nothing is computed in a declaration.
// CHECK: func.func private @declaration(memref<4xf32>, tensor<4xf32>)
func.func private @declaration(memref<4xf32>, tensor<4xf32>)
