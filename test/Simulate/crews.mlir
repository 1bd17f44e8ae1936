// Two crews of four warps take turns: right at any time, with sums that are
// complete when the loop ends, and with the statistics of a softmax behind it.

// DEFINE: %{schedule} = @layer_0:parallel = [64, 64], sequential = [r200_0 = 32], owned = 0, crews = 2
// DEFINE: %{run} = fuse-run %s --target=simulate --chip=sm_90a --schedule="%{schedule}"
// RUN: %{run} --entry=layer --fill=integers:-2:2 --verify=exact --repeat-bits=8 2>&1 | FileCheck %s --implicit-check-not="one crew"
// REDEFINE: %{schedule} = @layer_0:parallel = [64, 64], sequential = [r200_0 = 64], owned = 0, crews = 2, stages = 2
// RUN: %{run} --entry=layer --fill=integers:-2:2 --verify=exact --repeat-bits=8 2>&1 | FileCheck %s --implicit-check-not="one crew"
// REDEFINE: %{schedule} = @gate_0:parallel = [64, 64], sequential = [r72_0 = 64], owned = 0, crews = 2
// RUN: %{run} --entry=gate --verify --repeat-bits=4 2>&1 | FileCheck %s --implicit-check-not="one crew"
// CHECK: verify: right

func.func @layer(%x: tensor<760x200xf16>, %w: tensor<200x776xf16>, %b: tensor<776xf32>) -> tensor<760x776xf16> {
  %product = fuse.matmul %x, %w : tensor<760x200xf16>, tensor<200x776xf16> -> tensor<760x776xf32>
  %bias = fuse.broadcast %b dims [1] : tensor<776xf32> -> tensor<760x776xf32>
  %sum = arith.addf %product, %bias : tensor<760x776xf32>
  %relu = fuse.relu %sum : tensor<760x776xf32>
  %y = arith.truncf %relu : tensor<760x776xf32> to tensor<760x776xf16>
  return %y : tensor<760x776xf16>
}

func.func @gate(%x: tensor<760x72xbf16>, %w: tensor<72x1536xbf16>) -> tensor<760x768xbf16> {
  %product = fuse.matmul %x, %w : tensor<760x72xbf16>, tensor<72x1536xbf16> -> tensor<760x1536xf32>
  %left = fuse.slice %product[:, 0:768] : tensor<760x1536xf32>
  %right = fuse.slice %product[:, 768:1536] : tensor<760x1536xf32>
  %sigmoid = fuse.sigmoid %left : tensor<760x768xf32>
  %tanh = math.tanh %right : tensor<760x768xf32>
  %z = arith.mulf %sigmoid, %tanh : tensor<760x768xf32>
  %y = arith.truncf %z : tensor<760x768xf32> to tensor<760x768xbf16>
  return %y : tensor<760x768xbf16>
}
