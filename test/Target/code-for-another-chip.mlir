// Kernels that were lowered for one chip become code for no other, whose
// instructions and memory are others. Modules that do not say what they were
// lowered for become code for any.

// RUN: fuse-opt %s --fuse-tiles-to-nvvm=chip=sm_90a -o %t.mlir
// RUN: FileCheck %s --check-prefix=SAYS < %t.mlir
// RUN: fuse-opt %t.mlir --fuse-nvvm-to-binary=chip=sm_90a -o /dev/null
// RUN: not fuse-opt %t.mlir --fuse-nvvm-to-binary=chip=sm_80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not fuse-opt %s --fuse-tiles-to-nvvm=chip=sm_80 --fuse-nvvm-to-binary -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEWER

//    SAYS: gpu.module @fuse_kernels
//    SAYS: tile.chip = "sm_90a"
// REFUSED: error: kernels were lowered for the chip sm_90a, so there is no code of them for sm_80
// REFUSED-NOT: {{error|warning}}
//   NEWER: error: kernels were lowered for the chip sm_80, so there is no code of them for sm_90a
tile.kernel @rows(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %row = arith.muli %i, %c4 : index
  %a = tile.load %x[%row, %c0] : memref<64x64xf32> -> tensor<4x64xf32>
  tile.store %a, %y[%row, %c0] : tensor<4x64xf32>, memref<64x64xf32>
  tile.return
}
