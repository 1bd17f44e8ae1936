// Where all scores of a row are far from 0, as where each is masked by a large finite number, their multiples are rounded by
// more than 128: maxima of multiples would make powers infinite, or 0, that are 1.

// DEFINE: %{entry} = attention
// DEFINE: %{attention} = fuse-run %s --entry=%{entry} --most-kernels=1 --verify --target=simulate
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG
// RUN: %{attention} --chip=sm_90a --input=far=-1.0e9 | %{right}
// RUN: %{attention} --chip=sm_90a --input=far=-1.0e12 | %{right}
// RUN: %{attention} --chip=sm_90a --input=far=-1.0e20 | %{right}
// RUN: %{attention} --chip=sm_90a --input=far=1.0e12 | %{right}
// RUN: %{attention} --chip=sm_80 --input=far=-1.0e20 | %{right}
// RUN: fuse-run %s --entry=%{entry} --verify --target=cpu --input=far=-1.0e20 | %{right}

// Scores that are a multiple of 64, 256, 1024 and so on.
// REDEFINE: %{entry} = half
// RUN: %{attention} --chip=sm_90a --input=far=1.0e8 | %{right}
// RUN: %{attention} --chip=sm_90a --input=far=-1.0e9 | %{right}
// RUN: %{attention} --chip=sm_90a --input=far=4.0e9 | %{right}
// RUN: %{attention} --chip=sm_90a --input=far=-2.0e10 | %{right}
// CHECK: verify: right

func.func @attention(%q: tensor<2x64x64xbf16>, %k: tensor<2x64x64xbf16>, %v: tensor<2x64x64xbf16>,
                     %far: tensor<2x64x64xf32> {fuse.name = "far"}) -> tensor<2x64x64xbf16> {
  %kt = fuse.transpose %k [0, 2, 1] : tensor<2x64x64xbf16>
  %s = fuse.matmul %q, %kt : tensor<2x64x64xbf16>, tensor<2x64x64xbf16> -> tensor<2x64x64xf32>
  %masked = arith.addf %s, %far : tensor<2x64x64xf32>
  %scale = arith.constant dense<0.125> : tensor<2x64x64xf32>
  %c = arith.mulf %masked, %scale : tensor<2x64x64xf32>
  %p = fuse.softmax %c dim 2 : tensor<2x64x64xf32>
  %h = arith.truncf %p : tensor<2x64x64xf32> to tensor<2x64x64xbf16>
  %o = fuse.matmul %h, %v : tensor<2x64x64xbf16>, tensor<2x64x64xbf16> -> tensor<2x64x64xf32>
  %r = arith.truncf %o : tensor<2x64x64xf32> to tensor<2x64x64xbf16>
  return %r : tensor<2x64x64xbf16>
}

func.func @half(%q: tensor<2x64x64xf16>, %k: tensor<2x64x64xf16>, %v: tensor<2x64x64xf16>,
                     %far: tensor<2x64x64xf32> {fuse.name = "far"}) -> tensor<2x64x64xf16> {
  %kt = fuse.transpose %k [0, 2, 1] : tensor<2x64x64xf16>
  %s = fuse.matmul %q, %kt : tensor<2x64x64xf16>, tensor<2x64x64xf16> -> tensor<2x64x64xf32>
  %masked = arith.addf %s, %far : tensor<2x64x64xf32>
  %scale = arith.constant dense<0.1> : tensor<2x64x64xf32>
  %c = arith.mulf %masked, %scale : tensor<2x64x64xf32>
  %p = fuse.softmax %c dim 2 : tensor<2x64x64xf32>
  %h = arith.truncf %p : tensor<2x64x64xf32> to tensor<2x64x64xf16>
  %o = fuse.matmul %h, %v : tensor<2x64x64xf16>, tensor<2x64x64xf16> -> tensor<2x64x64xf32>
  %r = arith.truncf %o : tensor<2x64x64xf32> to tensor<2x64x64xf16>
  return %r : tensor<2x64x64xf16>
}
