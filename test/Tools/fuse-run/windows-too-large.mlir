// Windows of 27 are divided among no lanes, so that each thread would have all
// of them: LLVM took minutes for what nobody can run.

// RUN: %S/Inputs/fails.sh 4 %t.log fuse-compile %s --chip=sm_90a --variants=aligned --ptxas=off --cache=off -o %t.fuse --schedule="@products_0:parallel = [1, 27, 27], sequential = [r64_0 = 64], owned = 0, warps = 1" 2>&1 | FileCheck %s
// CHECK: windows-too-large.mlir:[[# @LINE + 4]]:8: a tile of type 'tensor<27x27xf32, {{.*}}>' takes 729 registers of each thread, which can name 255; smaller windows need fewer
// RUN: fuse-compile %s --chip=sm_90a --variants=aligned --ptxas=off --cache=off -o %t.fuse --schedule="@products_0:parallel = [1, 32, 32], sequential = [r64_0 = 64], owned = 0, warps = 1"

func.func @products(%a: tensor<64x27x64xf32>, %c: tensor<64x64x27xf32>) -> tensor<64x27x27xf32> {
  %0 = fuse.matmul %a, %c : tensor<64x27x64xf32>, tensor<64x64x27xf32> -> tensor<64x27x27xf32>
  return %0 : tensor<64x27x27xf32>
}
