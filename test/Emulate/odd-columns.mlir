// Rows of sums that no vector divides are stored by lanes side by side, after an
// exchange: 96 products of 197x64 by 64x197 took 28 us when each lane stored two
// elements of a row, and 11 so.

// DEFINE: %{type} = bf16
// DEFINE: %{result} = bf16
// DEFINE: %{chip} = sm_90a
// DEFINE: %{tiles} = [1, 128, 128]
// DEFINE: %{make} = sed 's/RESULT/%{result}/g; s/TYPE/%{type}/g' %s > %t.mlir
// DEFINE: %{run} = %{make} && %emulate %t.mlir --chip=%{chip} --verify=exact --schedule="@odd_0:parallel = %{tiles}, sequential = [r48_0 = 48]" | FileCheck %s
// CHECK: verify: right
// RUN: %{run}
// RUN: %{make} && fuse-run %t.mlir --target=simulate --chip=sm_90a --verify=exact --schedule="@odd_0:parallel = %{tiles}, sequential = [r48_0 = 48]" | FileCheck %s
// REDEFINE: %{tiles} = [1, 64, 256]
// RUN: %{run}
// REDEFINE: %{chip} = sm_80
// REDEFINE: %{tiles} = [1, 64, 64]
// RUN: %{run}
// REDEFINE: %{type} = f16
// REDEFINE: %{result} = f8E4M3FN
// RUN: %{run}
// REDEFINE: %{chip} = sm_90a
// REDEFINE: %{tiles} = [1, 128, 128]
// RUN: %{run}

func.func @odd(%x: tensor<2x131x48xTYPE> {fuse.name = "x", fuse.fill = #fuse.fill<integers, -1, 1>},
               %w: tensor<2x48x197xTYPE> {fuse.name = "w", fuse.fill = #fuse.fill<integers, 0, 1>}) -> tensor<2x131x197xRESULT> {
  %0 = fuse.matmul %x, %w : tensor<2x131x48xTYPE>, tensor<2x48x197xTYPE> -> tensor<2x131x197xf32>
  %c = fuse.clamp %0 min -8.0 max 8.0 : tensor<2x131x197xf32>
  %y = arith.truncf %c : tensor<2x131x197xf32> to tensor<2x131x197xRESULT>
  return %y : tensor<2x131x197xRESULT>
}
