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

// Without a scale the factor is more than 1, and such multiples may be infinite: the lowest number itself is a mask. Large
// numbers have a factor of 1, so that of the maxima of `rising`, 5.34e8 and 7.1e8, or -6.2e8 and -4.4e8, the first has the
// larger multiple.
// REDEFINE: %{entry} = unscaled
// RUN: %{attention} --chip=sm_90a --input=far=0 | %{right}
// RUN: %{attention} --chip=sm_90a --input=far=4.0e8 | %{right}
// RUN: %{attention} --chip=sm_90a --input=far=-6.0e8 | %{right}
// RUN: %{attention} --chip=sm_90a --input=far=-3.4028234e38 | %{right}
// RUN: %{attention} --chip=sm_90a --input=far=3.0e38 | %{right}
// RUN: %{attention} --chip=sm_80 --input=far=-3.4028234e38 | %{right}
// REDEFINE: %{entry} = rising
// DEFINE: %{rounds} = --schedule='@rising_0:#fuse.schedule<parallel = [1, 64, 64], sequential = [r64_0 = 64, r512_0 = 128], owned = 0, cascades = [2 wrt 1 = rescale, 3 wrt 1 = rescale, 3 wrt 2 = defer]>'
// RUN: %{attention} %{rounds} --chip=sm_90a --input=base=0 | %{right}
// RUN: %{attention} %{rounds} --chip=sm_90a --input=base=-8.0e8 | %{right}
// RUN: %{attention} %{rounds} --chip=sm_80 --input=base=0 | %{right}
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

func.func @unscaled(%q: tensor<2x64x64xbf16>, %k: tensor<2x64x64xbf16>, %v: tensor<2x64x64xbf16>,
                    %far: tensor<2x64x64xf32> {fuse.name = "far"}) -> tensor<2x64x64xbf16> {
  %kt = fuse.transpose %k [0, 2, 1] : tensor<2x64x64xbf16>
  %s = fuse.matmul %q, %kt : tensor<2x64x64xbf16>, tensor<2x64x64xbf16> -> tensor<2x64x64xf32>
  %masked = arith.addf %s, %far : tensor<2x64x64xf32>
  %p = fuse.softmax %masked dim 2 : tensor<2x64x64xf32>
  %h = arith.truncf %p : tensor<2x64x64xf32> to tensor<2x64x64xbf16>
  %o = fuse.matmul %h, %v : tensor<2x64x64xbf16>, tensor<2x64x64xbf16> -> tensor<2x64x64xf32>
  %r = arith.truncf %o : tensor<2x64x64xf32> to tensor<2x64x64xbf16>
  return %r : tensor<2x64x64xbf16>
}

func.func @rising(%q: tensor<1x64x64xbf16>, %k: tensor<1x512x64xbf16>, %v: tensor<1x512x64xbf16>,
                  %base: tensor<1xf32> {fuse.name = "base"}) -> tensor<1x64x64xbf16> {
  %kt = fuse.transpose %k [0, 2, 1] : tensor<1x512x64xbf16>
  %s = fuse.matmul %q, %kt : tensor<1x64x64xbf16>, tensor<1x64x512xbf16> -> tensor<1x64x512xf32>
  %at = fuse.iota dim 2 : tensor<1x64x512xf32>
  %step = arith.constant dense<1.395e+06> : tensor<1x64x512xf32>
  %bases = fuse.broadcast %base dims [0] : tensor<1xf32> -> tensor<1x64x512xf32>
  %rise = arith.mulf %at, %step : tensor<1x64x512xf32>
  %far = arith.addf %rise, %bases : tensor<1x64x512xf32>
  %moved = arith.addf %s, %far : tensor<1x64x512xf32>
  %p = fuse.softmax %moved dim 2 : tensor<1x64x512xf32>
  %h = arith.truncf %p : tensor<1x64x512xf32> to tensor<1x64x512xbf16>
  %o = fuse.matmul %h, %v : tensor<1x64x512xbf16>, tensor<1x512x64xbf16> -> tensor<1x64x64xf32>
  %r = arith.truncf %o : tensor<1x64x64xf32> to tensor<1x64x64xbf16>
  return %r : tensor<1x64x64xbf16>
}
