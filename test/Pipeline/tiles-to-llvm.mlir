// From tiles to LLVM in two pipelines, each of which ends in its stage, or in
// one. What launches kernels is dropped.

// RUN: fuse-opt %s --fuse-tiles-to-vector --fuse-check-stage=stage=vector | FileCheck %s --check-prefix=VECTOR
// RUN: fuse-opt %s --fuse-tiles-to-vector=vector-bits=128 --fuse-vector-to-llvm --fuse-check-stage=stage=llvm | FileCheck %s --check-prefix=LLVM
// RUN: fuse-opt %s --fuse-tiles-to-llvm=vector-bits=256 | FileCheck %s --check-prefix=LLVM
// RUN: fuse-opt %s --fuse-drop-host | FileCheck %s --check-prefix=DROP

// DROP: tile.kernel @twice
// DROP-NOT: func.func

// A function that runs a range of blocks.
// VECTOR-NOT: @host
// VECTOR: func.func @twice(%{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32>, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<?xi8>)
// VECTOR-NOT: @host

// LLVM: llvm.func @twice(
// LLVM: llvm.func @_mlir_ciface_twice(
tile.kernel @twice(%x: memref<?xf32>, %y: memref<?xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %at = arith.muli %i, %c8 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  %left = arith.subi %size, %at : index
  %xs = tile.load %x[%at] limits(%left) axes [0] : memref<?xf32> -> tensor<8xf32>
  %ys = arith.addf %xs, %xs : tensor<8xf32>
  tile.store %ys, %y[%at] limits(%left) axes [0] : tensor<8xf32>, memref<?xf32>
  tile.return
}

func.func @host(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %blocks = arith.ceildivsi %size, %c8 : index
  %y = tile.launch @twice blocks(%blocks) (%x) sizes(%size) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
