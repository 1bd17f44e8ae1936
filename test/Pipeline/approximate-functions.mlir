// What a graph allows to be approximate is so on a GPU, and nothing else is: the
// flag of upstream's ops goes with the op through all stages.

// RUN: fuse-opt %s --fuse-to-tiles=machine=h200 | FileCheck %s --check-prefix=TILES
// RUN: fuse-opt %s --fuse-to-tiles=machine=h200 --fuse-tiles-to-nvvm | FileCheck %s --check-prefix=NVVM

// TILES: tile.kernel @gelu
// TILES:   math.tanh %{{.*}} fastmath<afn> : tensor<{{.*}}xf32>
// NVVM-LABEL: llvm.func @gelu
//       NVVM:   llvm.inline_asm "tanh.approx.f32
//   NVVM-NOT:   math.tanh
func.func @gelu(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %half = arith.constant dense<0.5> : tensor<1024xf32>
  %one = arith.constant dense<1.0> : tensor<1024xf32>
  %0 = math.tanh %x fastmath<afn> : tensor<1024xf32>
  %1 = arith.addf %0, %one : tensor<1024xf32>
  %2 = arith.mulf %1, %half : tensor<1024xf32>
  %3 = arith.mulf %2, %x : tensor<1024xf32>
  return %3 : tensor<1024xf32>
}

// Of f16, too, which is computed in f32.
// TILES: tile.kernel @half
// TILES:   math.sin %{{.*}} fastmath<afn> : tensor<{{.*}}xf16>
// NVVM-LABEL: llvm.func @half
//       NVVM:   llvm.inline_asm "sin.approx.ftz.f32
func.func @half(%x: tensor<1024xf16>) -> tensor<1024xf16> {
  %0 = math.sin %x fastmath<afn> : tensor<1024xf16>
  return %0 : tensor<1024xf16>
}

// TILES: tile.kernel @accurate
// TILES:   math.tanh %{{.*}} : tensor<{{.*}}xf32>
// NVVM-LABEL: llvm.func @accurate
//   NVVM-NOT:   tanh.approx
//       NVVM:   llvm.return
func.func @accurate(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = math.tanh %x : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
