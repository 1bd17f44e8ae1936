// A maximum of numbers that were rounded to bf16 may be 32 above the largest one, so that no power is 1, and their sum far
// below: a factor of 1 over it does not wait for a cast to f16, which would be 0.

// RUN: fuse-run %s --verify --input=x=uniform:10017:10020 | FileCheck %s
// CHECK: verify: right

func.func @whole(%x: tensor<64x256xf32> {fuse.name = "x"}, %w: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %xb = arith.truncf %x : tensor<64x256xf32> to tensor<64x256xbf16>
  %m = fuse.reduce max %xb dims [1] : tensor<64x256xbf16>
  %mw = arith.extf %m : tensor<64xbf16> to tensor<64xf32>
  %mb = fuse.broadcast %mw dims [0] : tensor<64xf32> -> tensor<64x256xf32>
  %d = arith.subf %x, %mb : tensor<64x256xf32>
  %e = math.exp %d : tensor<64x256xf32>
  %sum = fuse.reduce sum %e dims [1] : tensor<64x256xf32>
  %sb = fuse.broadcast %sum dims [0] : tensor<64xf32> -> tensor<64x256xf32>
  %n = arith.divf %e, %sb : tensor<64x256xf32>
  %h = arith.truncf %n : tensor<64x256xf32> to tensor<64x256xf16>
  %y = fuse.matmul %h, %w : tensor<64x256xf16>, tensor<256x64xf16> -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
