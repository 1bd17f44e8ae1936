// A row of equal numbers has a variance of 0, however large they are. Before its first block the mean so far is 0, and the
// square of the distance from there may be infinite.

// DEFINE: %{entry} = rows
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --verify --input=x=1.0e25
// RUN: %{run} --target=cpu --schedule="@rows_0:parallel = [1], sequential = [r256_0 = 64], cascades = [1 wrt 0 = rescale]" | %{right}
// RUN: %{run} --target=cpu --schedule="@rows_0:parallel = [1], sequential = [r256_0 = 64], cascades = [1 wrt 0 = rescale], split = 2" | %{right}
// RUN: %{run} --target=simulate --chip=sm_90a --schedule="@rows_0:parallel = [1, 64], sequential = [r256_0 = 64], cascades = [1 wrt 0 = rescale]" | %{right}
// REDEFINE: %{entry} = halves
// RUN: %{run} --target=cpu --schedule="@halves_0:parallel = [1], sequential = [r256_0 = 64], cascades = [1 wrt 0 = rescale]" | %{right}
// CHECK: verify: right

func.func @rows(%x: tensor<4x256xf32> {fuse.name = "x"}) -> tensor<4x256xf32> {
  %n = fuse.layer_norm %x eps 1.0e-5 : tensor<4x256xf32>
  return %n : tensor<4x256xf32>
}

func.func @halves(%x: tensor<4x256xbf16> {fuse.name = "x"}) -> tensor<4x256xf32> {
  %w = arith.extf %x : tensor<4x256xbf16> to tensor<4x256xf32>
  %n = fuse.layer_norm %w eps 1.0e-5 : tensor<4x256xf32>
  return %n : tensor<4x256xf32>
}
