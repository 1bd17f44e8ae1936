// The layers of a model have the same kernels by other names: each is compiled once, and keeps its name in the plan.

// DEFINE: %{schedule} =
// DEFINE: %{compile} = env FUSE_CACHE_DIR= FUSE_PTXAS=none fuse-compile %s --chip=sm_90a,x86-64-v3 --variants=aligned %{schedule} -o %t.fuse && fuse-image %t.fuse
// RUN: %{compile} | FileCheck %s
//     CHECK: module 'fuse_0_layers_0'
// CHECK-NOT: module
//     CHECK: launch 0 'layers_0'
//     CHECK:   fuse_0_layers_0 (sm_90a)
//     CHECK:   from equal-kernels.mlir:[[#FIRST:]]
//     CHECK: launch 1 'layers_1'
//     CHECK:   fuse_0_layers_0 (sm_90a)
//     CHECK:   from equal-kernels.mlir:[[#FIRST+3]]
//     CHECK: launch 2 'layers_2'
//     CHECK:   fuse_0_layers_0 (sm_90a)
//     CHECK:   from equal-kernels.mlir:[[#FIRST+6]]

// One of them may have another schedule, by its own name.
// REDEFINE: %{schedule} = "--schedule=@layers_1:parallel = [64, 128], sequential = [r2048_0 = 32]"
// RUN: %{compile} | FileCheck %s --check-prefix=OTHER
//     OTHER: module 'fuse_0_layers_0'
//     OTHER: module 'fuse_1_layers_1'
// OTHER-NOT: module
//     OTHER: launch 1 'layers_1'
//     OTHER:   fuse_1_layers_1
//     OTHER: launch 2 'layers_2'
//     OTHER:   fuse_0_layers_0

// RUN: fuse-run %s --target=cpu --verify | FileCheck %s --check-prefix=RIGHT
// RIGHT: @layers_2:
// RIGHT: verify: right

func.func @layers(%x: tensor<512x2048xbf16>,
    %u: tensor<2048x2048xbf16> {fuse.fill = #fuse.fill<uniform, -0.04, 0.04>},
    %v: tensor<2048x2048xbf16> {fuse.fill = #fuse.fill<uniform, -0.04, 0.04>},
    %w: tensor<2048x2048xbf16> {fuse.fill = #fuse.fill<uniform, -0.04, 0.04>}) -> tensor<512x2048xbf16> {
  %a = fuse.matmul %x, %u : tensor<512x2048xbf16>, tensor<2048x2048xbf16> -> tensor<512x2048xf32>
  %at = math.tanh %a : tensor<512x2048xf32>
  %ah = arith.truncf %at : tensor<512x2048xf32> to tensor<512x2048xbf16>
  %b = fuse.matmul %ah, %v : tensor<512x2048xbf16>, tensor<2048x2048xbf16> -> tensor<512x2048xf32>
  %bt = math.tanh %b : tensor<512x2048xf32>
  %bh = arith.truncf %bt : tensor<512x2048xf32> to tensor<512x2048xbf16>
  %c = fuse.matmul %bh, %w : tensor<512x2048xbf16>, tensor<2048x2048xbf16> -> tensor<512x2048xf32>
  %ct = math.tanh %c : tensor<512x2048xf32>
  %ch = arith.truncf %ct : tensor<512x2048xf32> to tensor<512x2048xbf16>
  return %ch : tensor<512x2048xbf16>
}
