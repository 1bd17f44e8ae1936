// A timeline of runs, as browsers and Perfetto show it.

// RUN: fuse-run %s --target=cpu --threads=1 --profile=%t.json --samples=3 > %t.out
// RUN: %python %S/Inputs/check-trace.py %t.json 3
// RUN: %S/Inputs/fails.sh 2 %t.log fuse-run %s --target=reference --profile=%t.json | FileCheck %s --check-prefix=TARGET
// TARGET: fuse-run: error: --profile is about kernels, of which --target runs none
// RUN: %S/Inputs/fails.sh 6 %t.log fuse-run %s --target=cpu --profile=%t.json/no | FileCheck %s --check-prefix=FILE
// FILE: fuse-run: error: {{.*}}no

func.func @f(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = arith.addf %x, %x : tensor<64x64xf32>
  %1 = fuse.matmul %x, %0 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %2 = fuse.softmax %1 dim 0 : tensor<64x64xf32>
  return %1, %2 : tensor<64x64xf32>, tensor<64x64xf32>
}
