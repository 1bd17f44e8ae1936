// What would take for ever is given up.

// RUN: fuse-opt %s --verify-diagnostics --tile-simulate="grid=1 most-work=1000"

// expected-note @+1 {{seen in block [0]}}
tile.kernel @long(%y: memref<4x8xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 100000000000 : index
  scf.for %n = %c0 to %many step %c1 {
    // expected-error @+1 {{is where the simulation has done 1000 operations; smaller sizes need fewer}}
    %t = tile.iota %n coefficients [1, 1] : tensor<4x8xf32>
  }
  tile.return
}
