// Two products that are added up read through one ring: 144 blocks of 128 x 256, in
// pairs that copy for each other, and 192 of 128 x 192 by crews that take turns. A
// product of 16 terms is another kind of what the ring brings.

// DEFINE: %{entry} =
// DEFINE: %{tiles} =
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --verify --target=simulate --chip=sm_90a --schedule="@%{entry}_0:parallel = %{tiles}" | FileCheck %s
// CHECK: verify: right

// REDEFINE: %{entry} = alike
// REDEFINE: %{tiles} = [128, 256], sequential = [r136_0 = 64], owned = 0, cluster = [2, 1]
// RUN: %{run}
// REDEFINE: %{tiles} = [128, 192], sequential = [r136_0 = 64], owned = 0, crews = 2
// RUN: %{run}
// REDEFINE: %{entry} = short
// REDEFINE: %{tiles} = [128, 256], sequential = [r136_0 = 64, r16_0 = 16], owned = 0, cluster = [2, 1]
// RUN: %{run}
// REDEFINE: %{tiles} = [128, 192], sequential = [r136_0 = 64, r16_0 = 16], owned = 0, crews = 2
// RUN: %{run}
// REDEFINE: %{entry} = three
// REDEFINE: %{tiles} = [128, 128], sequential = [r200_0 = 64, r72_0 = 64, r136_0 = 32], owned = 0
// RUN: %{run}

!x = tensor<1536x136xbf16>
!w = tensor<136x3072xbf16>
!low = tensor<1536x16xbf16>
!up = tensor<16x3072xbf16>
!sum = tensor<1536x3072xf32>
!y = tensor<1536x3072xbf16>

func.func @alike(%x: !x, %w: !w, %h: !x, %u: !w) -> !y {
  %a = fuse.matmul %x, %w : !x, !w -> !sum
  %b = fuse.matmul %h, %u : !x, !w -> !sum
  %s = arith.addf %a, %b : !sum
  %y = arith.truncf %s : !sum to !y
  return %y : !y
}

func.func @short(%x: !x, %w: !w, %low: !low, %up: !up) -> !y {
  %a = fuse.matmul %x, %w : !x, !w -> !sum
  %b = fuse.matmul %low, %up : !low, !up -> !sum
  %half = arith.constant dense<0.5> : !sum
  %h = arith.mulf %b, %half : !sum
  %s = arith.addf %a, %h : !sum
  %y = arith.truncf %s : !sum to !y
  return %y : !y
}

func.func @three(%a: tensor<300x200xf16>, %b: tensor<200x264xf16>, %c: tensor<300x72xf16>, %d: tensor<72x264xf16>, %e: tensor<300x136xf16>, %f: tensor<136x264xf16>) -> tensor<300x264xf32> {
  %0 = fuse.matmul %a, %b : tensor<300x200xf16>, tensor<200x264xf16> -> tensor<300x264xf32>
  %1 = fuse.matmul %c, %d : tensor<300x72xf16>, tensor<72x264xf16> -> tensor<300x264xf32>
  %2 = fuse.matmul %e, %f : tensor<300x136xf16>, tensor<136x264xf16> -> tensor<300x264xf32>
  %3 = arith.addf %0, %1 : tensor<300x264xf32>
  %4 = arith.addf %3, %2 : tensor<300x264xf32>
  return %4 : tensor<300x264xf32>
}
