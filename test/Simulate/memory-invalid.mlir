// Beside the memory, not written, written twice, and what is compared.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics --tile-simulate="grid=2"

// expected-note @+1 {{seen in block [1] of 'beside' with seed 0}}
tile.kernel @beside(%x: memref<6x8xf32>, %y: memref<8x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %row = arith.muli %i, %c4 : index
  // expected-error @+1 {{touches element [6, 0] of a memory of shape [6, 8]}}
  %t = tile.load %x[%row, %c0] : memref<6x8xf32> -> tensor<4x8xf32>
  tile.store %t, %y[%row, %c0] : tensor<4x8xf32>, memref<8x8xf32>
  tile.return
}

// -----

// Right: a limit and a guard leave out what is beside the memory.
tile.kernel @limits(%x: memref<6x8xf32>, %y: memref<8x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %row = arith.muli %i, %c4 : index
  %left = arith.subi %c6, %row : index
  %t = tile.load %x[%row, %c0] limits(%left) axes [0] : memref<6x8xf32> -> tensor<4x8xf32>
  tile.store %t, %y[%row, %c0] : tensor<4x8xf32>, memref<8x8xf32>
  tile.return
}
tile.kernel @guard(%x: memref<6x8xf32>, %y: memref<8x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %row = arith.muli %i, %c4 : index
  %t = tile.load %x[%row, %c0] guarded : memref<6x8xf32> -> tensor<4x8xf32>
  tile.store %t, %y[%row, %c0] : tensor<4x8xf32>, memref<8x8xf32>
  tile.return
}

// -----

// expected-error @+2 {{leaves element [4, 0] of argument #1 unwritten}}
// expected-note @+1 {{seen in block}}
tile.kernel @unwritten(%x: memref<4x8xf32>, %y: memref<8x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<4x8xf32> -> tensor<4x8xf32>
  tile.store %t, %y[%c0, %c0] : tensor<4x8xf32>, memref<8x8xf32>
  tile.return
}

// -----

// expected-note @+1 {{seen in block [1]}}
tile.kernel @written_twice(%x: memref<4x8xf32>, %y: memref<4x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %t = tile.iota %i coefficients [0, 1] : tensor<4x8xf32>
  // expected-error @+1 {{writes element [0, 0] in block #1, where block #0 has written something else}}
  tile.store %t, %y[%c0, %c0] : tensor<4x8xf32>, memref<4x8xf32>
  tile.return
}

// -----

// expected-note @+1 {{seen in block [1]}}
tile.kernel @overflow(%y: memref<i32>) outputs 1 blocks(%i) {
  %large = arith.constant 9223372036854775807 : index
  // expected-error @+1 {{gives more than 64 bits hold, of 9223372036854775807 and 1}}
  %sum = arith.addi %large, %i : index
  tile.return
}

// -----

// expected-note @+1 {{seen in block [0]}}
tile.kernel @step(%y: memref<i32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{has the step 0}}
  scf.for %n = %c0 to %c0 step %c0 {
  }
  tile.return
}

// -----

// expected-note @+1 {{seen in block [0]}}
tile.kernel @unknown(%y: memref<i32>) outputs 1 blocks(%i) {
  // expected-error @+1 {{cannot be simulated}}
  scf.execute_region {
    scf.yield
  }
  tile.return
}

// -----

// expected-note @+1 {{seen in block [0]}}
tile.kernel @extract(%y: memref<i32>) outputs 1 blocks(%i) {
  %c4 = arith.constant 4 : index
  %t = tile.iota %i coefficients [1] : tensor<4xi32>
  // expected-error @+1 {{reads beside its tile}}
  %e = tensor.extract %t[%c4] : tensor<4xi32>
  tile.return
}

// -----

// expected-error @+1 {{has an argument of type 'memref<?xf32>', but needs static sizes to be simulated}}
tile.kernel @dynamic(%y: memref<?xf32>) outputs 1 blocks(%i) {
  tile.return
}

// -----

// expected-note @+1 {{that is what this kernel writes with seed 0}}
tile.kernel @one(%y: memref<2xf32>) outputs 1 blocks(%i) {
  %t = tile.iota %i coefficients [0] : tensor<1xf32>
  tile.store %t, %y[%i] : tensor<1xf32>, memref<2xf32>
  tile.return
}
// expected-error @+1 {{writes 2.000000 to element 1 of argument #0 with seed 0, but 1.000000 was wanted}}
tile.kernel @other(%y: memref<2xf32>) outputs 1 blocks(%i) {
  %twice = arith.addi %i, %i : index
  %t = tile.iota %twice coefficients [0] : tensor<1xf32>
  tile.store %t, %y[%i] : tensor<1xf32>, memref<2xf32>
  tile.return
}

// -----

tile.kernel @first(%y: memref<2xf32>) outputs 1 blocks(%i) {
  %t = tile.iota %i coefficients [0] : tensor<1xf32>
  tile.store %t, %y[%i] : tensor<1xf32>, memref<2xf32>
  tile.return
}
// expected-error @+1 {{has other arguments than 'first', with which it is compared}}
tile.kernel @second(%y: memref<3xf32>) outputs 1 blocks(%i) {
  tile.return
}
