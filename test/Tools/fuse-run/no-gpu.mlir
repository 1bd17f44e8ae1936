// Where no GPU can be used, whoever asks for one is told, and others get the CPU.

// DEFINE: %{run} = env FUSE_CUDA_DRIVER=%t/none.so fuse-run %s
// DEFINE: %{fails} = env FUSE_CUDA_DRIVER=%t/none.so %S/Inputs/fails.sh

// RUN: mkdir -p %t
// RUN: %{run} | FileCheck %s
// RUN: %{run} --target=auto --chip=sm_80 | FileCheck %s
// CHECK: @twice on cpu

// A GPU for which there is no code is none, neither for a graph nor for an image that has code for processors.
// DEFINE: %{old} = env FUSE_CUDA_DRIVER=%build/lib/libFuseFakeDriver.so FUSE_FAKE_DRIVER="chip=7.5 kernels leaks" fuse-run
// RUN: %{old} %s | FileCheck %s
// RUN: %{run} --chip=sm_80,x86-64 --image=%t/both.fuse
// RUN: %{old} %t/both.fuse | FileCheck %s
// RUN: env FUSE_CUDA_DRIVER=%build/lib/libFuseFakeDriver.so FUSE_FAKE_DRIVER=kernels fuse-run %t/both.fuse | FileCheck %s --check-prefix=NEW
// NEW: @twice on Fake GPU
// RUN: %{run} --chip=sm_80 --image=%t/gpu.fuse
// RUN: not %{old} %t/gpu.fuse 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: has no code for processors, and there is no GPU that can be used; --target=cuda says why

// RUN: %{fails} 5 %t/log fuse-run %s --target=cuda
// RUN: FileCheck %s --check-prefix=DRIVER < %t/log/stderr
// DRIVER: fuse-run: error: --target=cuda: no CUDA driver: {{.*}}none.so could not be opened

// What only a GPU can do is no silent success elsewhere.
// RUN: %{fails} 2 %t/log fuse-run %s --repeat-bits=2
// RUN: FileCheck %s --check-prefix=REPEAT < %t/log/stderr
// REPEAT: --repeat-bits looks for races on a GPU, but this runs on the CPU

// RUN: %{fails} 2 %t/log fuse-run %s --chip=sm_70
// RUN: FileCheck %s --check-prefix=CHIP < %t/log/stderr
// CHIP: fuse-run: error: --chip=sm_70: there is code for sm_80, {{.*}}sm_90a

func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
