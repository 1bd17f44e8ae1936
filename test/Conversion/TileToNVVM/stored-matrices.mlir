// A product that becomes f16 is put down by `stmatrix`, each of which takes four
// matrices, or two where functions are computed of what is stored.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-stage-stores),convert-tile-to-nvvm)' | FileCheck %s
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-stage-stores),convert-tile-to-nvvm,fuse-threads-to-llvm,fuse-nvvm-to-binary{chip=sm_90a})' -o /dev/null
// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-stage-stores),convert-tile-to-nvvm,threads-simulate)'

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#rows = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>

// CHECK-LABEL: llvm.func @product
//       CHECK:   %[[WORDS:.*]]:4 = vector.to_elements %{{.*}} : vector<4xi32>
//       CHECK:   nvvm.stmatrix %{{.*}}, %[[WORDS]]#0, %[[WORDS]]#1, %[[WORDS]]#2, %[[WORDS]]#3 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, tile.parts_pass} :
// CHECK-COUNT-3: nvvm.stmatrix
//   CHECK-NOT:   nvvm.stmatrix
//       CHECK:   cp.async.bulk.tensor.2d.global
tile.kernel @product(%x: memref<64x64xf16>, %y: memref<64x64xf16>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %r = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16, #rows>
  %s = tile.convert_layout %r : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #s>
  %d = tile.dot %s, %s, %zero {atom = #tile<atom wgmma>} : tensor<64x64xf16, #s>, tensor<64x64xf16, #s> -> tensor<64x64xf32, #acc>
  %t = arith.truncf %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
  tile.store %t, %y[%c0, %c0] : tensor<64x64xf16, #acc>, memref<64x64xf16>
  tile.return
}

// CHECK-LABEL: llvm.func @power
// CHECK-COUNT-8: nvvm.stmatrix %{{.*}}, %{{[0-9]+}}#0, %{{[0-9]+}}#1 {
//   CHECK-NOT:   nvvm.stmatrix
//       CHECK:   cp.async.bulk.tensor.2d.global
tile.kernel @power(%x: memref<64x64xf16>, %y: memref<64x64xf16>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %r = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16, #rows>
  %s = tile.convert_layout %r : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #s>
  %d = tile.dot %s, %s, %zero {atom = #tile<atom wgmma>} : tensor<64x64xf16, #s>, tensor<64x64xf16, #s> -> tensor<64x64xf32, #acc>
  %e = math.exp2 %d fastmath<afn> : tensor<64x64xf32, #acc>
  %t = arith.truncf %e : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
  tile.store %t, %y[%c0, %c0] : tensor<64x64xf16, #acc>, memref<64x64xf16>
  tile.return
}

// Threads have two neighbours of a row, not one, where these are f32.
// CHECK-LABEL: llvm.func @single
//   CHECK-NOT:   nvvm.stmatrix
//       CHECK:   cp.async.bulk.tensor.2d.global
tile.kernel @single(%x: memref<64x64xf16>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %r = tile.load %x[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16, #rows>
  %s = tile.convert_layout %r : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #s>
  %d = tile.dot %s, %s, %zero {atom = #tile<atom wgmma>} : tensor<64x64xf16, #s>, tensor<64x64xf16, #s> -> tensor<64x64xf32, #acc>
  tile.store %d, %y[%c0, %c0] : tensor<64x64xf32, #acc>, memref<64x64xf32>
  tile.return
}
