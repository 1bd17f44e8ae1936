// Products of 8-bit and of tf32 numbers, whose factors tensor cores read along k
// only, as they may lie in memory: x or w or both, or none, has to be turned.

// RUN: fuse-run %s --entry=f8_none --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=f8_left --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=f8_right --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=f8_both --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=tf32_none --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=tf32_left --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=tf32_right --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=tf32_both --verify=exact | FileCheck %s
// CHECK: verify: right

func.func @f8_none(%x: tensor<192x320xf8E4M3FN> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<128x320xf8E4M3FN> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<192x128xf16> {
  %wt = fuse.transpose %w [1, 0] : tensor<128x320xf8E4M3FN>
  %c = fuse.matmul %x, %wt : tensor<192x320xf8E4M3FN>, tensor<320x128xf8E4M3FN> -> tensor<192x128xf32>
  %d = arith.truncf %c : tensor<192x128xf32> to tensor<192x128xf16>
  return %d : tensor<192x128xf16>
}

func.func @f8_left(%x: tensor<320x192xf8E4M3FN> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<128x320xf8E4M3FN> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<192x128xf16> {
  %xt = fuse.transpose %x [1, 0] : tensor<320x192xf8E4M3FN>
  %wt = fuse.transpose %w [1, 0] : tensor<128x320xf8E4M3FN>
  %c = fuse.matmul %xt, %wt : tensor<192x320xf8E4M3FN>, tensor<320x128xf8E4M3FN> -> tensor<192x128xf32>
  %d = arith.truncf %c : tensor<192x128xf32> to tensor<192x128xf16>
  return %d : tensor<192x128xf16>
}

func.func @f8_right(%x: tensor<192x320xf8E4M3FN> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<320x128xf8E4M3FN> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<192x128xf16> {
  %c = fuse.matmul %x, %w : tensor<192x320xf8E4M3FN>, tensor<320x128xf8E4M3FN> -> tensor<192x128xf32>
  %d = arith.truncf %c : tensor<192x128xf32> to tensor<192x128xf16>
  return %d : tensor<192x128xf16>
}

func.func @f8_both(%x: tensor<320x192xf8E4M3FN> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<320x128xf8E4M3FN> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<192x128xf16> {
  %xt = fuse.transpose %x [1, 0] : tensor<320x192xf8E4M3FN>
  %c = fuse.matmul %xt, %w : tensor<192x320xf8E4M3FN>, tensor<320x128xf8E4M3FN> -> tensor<192x128xf32>
  %d = arith.truncf %c : tensor<192x128xf32> to tensor<192x128xf16>
  return %d : tensor<192x128xf16>
}

func.func @tf32_none(%x: tensor<192x320xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<128x320xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<192x128xf32> {
  %wt = fuse.transpose %w [1, 0] : tensor<128x320xf32>
  %c = fuse.matmul %x, %wt precision tf32 : tensor<192x320xf32>, tensor<320x128xf32> -> tensor<192x128xf32>
  return %c : tensor<192x128xf32>
}

func.func @tf32_left(%x: tensor<320x192xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<128x320xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<192x128xf32> {
  %xt = fuse.transpose %x [1, 0] : tensor<320x192xf32>
  %wt = fuse.transpose %w [1, 0] : tensor<128x320xf32>
  %c = fuse.matmul %xt, %wt precision tf32 : tensor<192x320xf32>, tensor<320x128xf32> -> tensor<192x128xf32>
  return %c : tensor<192x128xf32>
}

func.func @tf32_right(%x: tensor<192x320xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<320x128xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<192x128xf32> {
  %c = fuse.matmul %x, %w precision tf32 : tensor<192x320xf32>, tensor<320x128xf32> -> tensor<192x128xf32>
  return %c : tensor<192x128xf32>
}

func.func @tf32_both(%x: tensor<320x192xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}, %w: tensor<320x128xf32> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<192x128xf32> {
  %xt = fuse.transpose %x [1, 0] : tensor<320x192xf32>
  %c = fuse.matmul %xt, %w precision tf32 : tensor<192x320xf32>, tensor<320x128xf32> -> tensor<192x128xf32>
  return %c : tensor<192x128xf32>
}
