// What f16 cannot hold without a factor, it holds with it: the factor does not come late. Such are normalised rows of large
// numbers, and scales of them.

// DEFINE: %{entry} = rows
// DEFINE: %{data} = --input=x=normal:0:100000
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --verify %{data}
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG --implicit-check-not=defer
// DEFINE: %{all} = %{run} --target=cpu | %{right} && %{run} --target=simulate --chip=sm_90a | %{right}
// RUN: %{all}
// CHECK: verify: right

// REDEFINE: %{entry} = scaled
// REDEFINE: %{data} = --input=x=normal:0:10000 --input=g=uniform:2:20
// RUN: %{all}

// What is in range anyway may wait, as may what somebody wants to.
// RUN: fuse-run %s --entry=narrow --target=cpu --verify | FileCheck %s --check-prefix=LATE
// RUN: fuse-run %s --entry=rows --target=cpu --verify --schedule="@rows_0:parallel = [16, 64], sequential = [r256_0 = 128], owned = 0, cascades = [1 wrt 0 = defer]" | FileCheck %s --check-prefix=LATE
// LATE: 1 wrt 0 = defer
// LATE: verify: right

func.func @rows(%x: tensor<64x256xf32> {fuse.name = "x"}, %w: tensor<256x64xf16> {fuse.name = "w"}) -> tensor<64x64xf32> {
  %n = fuse.rms_norm %x eps 1.0e-5 : tensor<64x256xf32>
  %h = arith.truncf %n : tensor<64x256xf32> to tensor<64x256xf16>
  %y = fuse.matmul %h, %w : tensor<64x256xf16>, tensor<256x64xf16> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @scaled(%x: tensor<64x256xf16> {fuse.name = "x"}, %g: tensor<256xf16> {fuse.name = "g"},
                  %w: tensor<256x64xf16> {fuse.name = "w"}) -> tensor<64x64xf32> {
  %xw = arith.extf %x : tensor<64x256xf16> to tensor<64x256xf32>
  %gw = arith.extf %g : tensor<256xf16> to tensor<256xf32>
  %n = fuse.rms_norm %xw scale %gw eps 1.0e-5 : tensor<64x256xf32>, tensor<256xf32>
  %h = arith.truncf %n : tensor<64x256xf32> to tensor<64x256xf16>
  %y = fuse.matmul %h, %w : tensor<64x256xf16>, tensor<256x64xf16> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @narrow(%x: tensor<64x256xf16> {fuse.name = "x"}, %w: tensor<256x64xf16> {fuse.name = "w"}) -> tensor<64x64xf32> {
  %xw = arith.extf %x : tensor<64x256xf16> to tensor<64x256xf32>
  %n = fuse.rms_norm %xw eps 1.0e-5 : tensor<64x256xf32>
  %h = arith.truncf %n : tensor<64x256xf32> to tensor<64x256xf16>
  %y = fuse.matmul %h, %w : tensor<64x256xf16>, tensor<256x64xf16> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
