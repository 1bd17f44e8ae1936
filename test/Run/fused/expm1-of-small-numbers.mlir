// Upstream's expm1 is exp(x) - 1. Of numbers that are small that leaves no
// digits: neither in f64, nor in the reference that f32 is judged by.

// RUN: fuse-run %s --entry=doubles --verify --target=simulate --chip=sm_90a | FileCheck %s
// RUN: fuse-run %s --entry=doubles --verify --target=cpu | FileCheck %s
// RUN: fuse-run %s --entry=singles --verify --target=cpu | FileCheck %s
// CHECK: verify: right

// By itself.
// RUN: fuse-run %s --entry=single --input=0=1e-10 --target=reference --json | FileCheck %s --check-prefix=SUM
// RUN: fuse-run %s --entry=single --input=0=1e-10 --target=cpu --json | FileCheck %s --check-prefix=SUM
// SUM: 1.00000000005

!f64 = tensor<33x65xf64>
!f32 = tensor<33x65xf32>

func.func @doubles(%x: !f64 {fuse.fill = #fuse.fill<uniform, -1.0e-6, 1.0e-6>}) -> !f64 {
  %y = math.expm1 %x : !f64
  return %y : !f64
}

func.func @singles(%x: !f32 {fuse.fill = #fuse.fill<uniform, 0, 1.0e-6>}) -> tensor<33xf32> {
  %y = math.expm1 %x : !f32
  %sum = fuse.reduce sum %y dims [1] : !f32
  return %sum : tensor<33xf32>
}

func.func @single(%x: tensor<1xf64>) -> tensor<1xf64> {
  %y = math.expm1 %x : tensor<1xf64>
  return %y : tensor<1xf64>
}
