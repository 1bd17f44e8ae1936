// Rows whose scores are all masked by the lowest float, as those of padding are: their probabilities are all the same. A running
// maximum that stays above -1e30 made NaNs of them.

// DEFINE: %{entry} = attention
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --verify
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG
// DEFINE: %{all} = \
// DEFINE:   %{run} --target=cpu --input=mask=-3.4028234e38 | %{right} && \
// DEFINE:   %{run} --target=cpu --input=mask=-1.1e30 | %{right} && \
// DEFINE:   %{run} --target=simulate --chip=sm_90a --input=mask=-3.4028234e38 | %{right} && \
// DEFINE:   %{run} --target=simulate --chip=sm_80 --input=mask=-3.4028234e38 | %{right}
// RUN: %{all}
// CHECK: verify: right

// One query, and keys in chunks.
// REDEFINE: %{entry} = decode
// RUN: %{all}

// Half of the numbers are masked by an infinity.
// REDEFINE: %{entry} = masked
// RUN: %{all}

func.func @attention(%q: tensor<32x64xbf16>, %k: tensor<512x64xbf16>, %v: tensor<512x64xbf16>,
                     %mask: tensor<32x512xf32> {fuse.name = "mask"}) -> tensor<32x64xf32> {
  %kt = fuse.transpose %k [1, 0] : tensor<512x64xbf16>
  %s = fuse.matmul %q, %kt : tensor<32x64xbf16>, tensor<64x512xbf16> -> tensor<32x512xf32>
  %m = arith.addf %s, %mask : tensor<32x512xf32>
  %p = fuse.softmax %m dim 1 : tensor<32x512xf32>
  %h = arith.truncf %p : tensor<32x512xf32> to tensor<32x512xbf16>
  %o = fuse.matmul %h, %v : tensor<32x512xbf16>, tensor<512x64xbf16> -> tensor<32x64xf32>
  return %o : tensor<32x64xf32>
}

func.func @decode(%q: tensor<1x64xf32>, %k: tensor<8192x64xf32>, %v: tensor<8192x64xf32>,
                  %mask: tensor<1x8192xf32> {fuse.name = "mask"}) -> tensor<1x64xf32> {
  %kt = fuse.transpose %k [1, 0] : tensor<8192x64xf32>
  %s = fuse.matmul %q, %kt : tensor<1x64xf32>, tensor<64x8192xf32> -> tensor<1x8192xf32>
  %m = arith.addf %s, %mask : tensor<1x8192xf32>
  %p = fuse.softmax %m dim 1 : tensor<1x8192xf32>
  %o = fuse.matmul %p, %v : tensor<1x8192xf32>, tensor<8192x64xf32> -> tensor<1x64xf32>
  return %o : tensor<1x64xf32>
}

func.func @masked(%x: tensor<4x20000xf32>, %mask: tensor<4x20000xf32> {fuse.name = "mask"}) -> tensor<4x20000xf32> {
  %i = fuse.iota dim 1 : tensor<4x20000xi32>
  %one = arith.constant dense<1> : tensor<4x20000xi32>
  %odd = arith.andi %i, %one : tensor<4x20000xi32>
  %kept = arith.cmpi eq, %odd, %one : tensor<4x20000xi32>
  %none = arith.constant dense<0xFF800000> : tensor<4x20000xf32>
  %s = arith.addf %x, %mask : tensor<4x20000xf32>
  %m = arith.select %kept, %s, %none : tensor<4x20000xi1>, tensor<4x20000xf32>
  %p = fuse.softmax %m dim 1 : tensor<4x20000xf32>
  return %p : tensor<4x20000xf32>
}
